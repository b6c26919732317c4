// SPDX-License-Identifier: Apache-2.0
// I16: a mass on a spring that meets a stop in its position of rest: a linear buffer, a buffer with loss, a rigid
// plane.
//
// Away from the stop a half period lasts pi/sqrt(k/m), in a linear buffer pi/sqrt((k + K)/m). On a rigid plane with
// restitution e impacts follow each other after pi/sqrt(k/m), each e times as fast as the one before.
#include "cases.h"
#include "measure.h"

#include <cmath>
#include <numbers>

namespace cairn::validation {
namespace {

constexpr double m = 2, k = 50, pi = std::numbers::pi, radius = 0.1, speed = 0.5;
const double omega = std::sqrt(k / m);

Model make_oscillator(double h) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.run.step = h;
  model.add_rigid({.name = "mass", .shape = Sphere{radius}, .velocity = {0, 0, speed}, .mass = m});
  model.add_bushing({.name = "spring", .body_b = "mass", .stiffness = {0, 0, k}});
  return model;
}

Track run_track(const Model& model, double duration, const std::string& label, CaseResult& result) {
  Simulation simulation(model);
  Track z;
  const BodyId mass = model.body("mass");
  const auto sample = [&](const Simulation& s) {
    z.add(s.state().time(), s.position(mass).z(), s.velocity(mass).z());
    return true;
  };
  sample(simulation);
  simulation.run(duration, sample);
  record(result, label, simulation);
  return z;
}

}  // namespace

CaseResult run_oscillator(Effort) {
  CaseResult result;
  constexpr double buffer = 40 * k, e = 0.8;
  const double omega_in = std::sqrt((k + buffer) / m), period = pi / omega + pi / omega_in;
  Study study(4e-4);
  Plot history{.title = "Place of the mass", .x_label = "t [s]", .y_label = "z [m]", .series = {}};
  for (const double h : study.steps()) {
    Model soft = make_oscillator(h);
    soft.add_stop({.name = "buffer", .body_b = "mass", .law = KelvinVoigt{buffer, 0}});
    const Track z = run_track(soft, 4.2 * period, "linear buffer", result);
    const std::vector<double> up = z.crossings(0, 1);
    study.add("period with a linear buffer", up.at(3) - up.at(2));
    double depth = 0;
    for (const Sample& low : z.extremes()) depth = std::min(depth, low.x);
    study.add("deepest in the buffer", -depth);

    Model rigid = make_oscillator(h);
    rigid.set_contact({.friction = 0, .restitution = e});
    rigid.add_fixed({.name = "plane", .shape = HalfSpace{}, .position = {0, 0, -radius}});
    const Track hard = run_track(rigid, 3.5 * pi / omega, "rigid plane", result);
    // After the third impact, at its largest.
    double third = 0;
    for (const Sample& s : hard.samples())
      if (s.t > 3.2 * pi / omega) third = std::max(third, std::abs(std::hypot(s.v, omega * s.x)));
    study.add("speed after three rigid impacts", third);
    if (h == study.steps().back()) history.series = {z.series("linear buffer"), hard.series("rigid, e = 0.8")};
  }
  result.quantities = {
      study.check("period with a linear buffer", {period, 1e-6, true, 2, "s"}),
      study.check("deepest in the buffer", {speed / omega_in, 1e-5, true, {}, "m"}),
      study.check("speed after three rigid impacts", {speed * e * e * e, 1e-5, true, {}, "m/s"}),
  };
  result.plots = {history};
  result.notes =
      "Impacts on the rigid plane fall somewhere in a step, so their speeds have no clean order. In the buffer the "
      "force has "
      "a kink at the touch, and the deepest point depends on where in the step it falls.";
  return result;
}

}  // namespace cairn::validation
