// SPDX-License-Identifier: Apache-2.0
// B29: a mass on a pre-stressed spring with dry friction (Studer 2009, 7.6.2.2): m = 1, c = 40 N/m, pre-stress 1 N,
// g0 = 0.07 m, from x = 0.2 m at rest, friction 0.9 or 1.1 N; 1.8 N pull at it from 3 to 3.5 s.
//
// With y = x - g0 the motion is piecewise harmonic, m y'' = -c y - a sign(y) - b sign(y'), and known in closed form.
// For b = 0.9 N the spring always wins, and the mass rests at g0 after infinitely many swings in 2.05583 s. Here the
// pre-stress is a servo that holds g0 with at most 1 N.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double c = 40, a = 1, g0 = 0.07, x0 = 0.2;
const double omega = std::sqrt(c);

struct Swings {
  std::vector<double> passes;  ///< times at which it passes g0
  double rest = 0, end = 0;    ///< [s], x [m]
};

Swings expect(double b) {
  Swings s;
  double y = x0 - g0, t = 0, side = 1;  // |y| at a turn
  while (y > 1e-15) {
    if (c * y + a <= b) break;
    const double e = (a - b) / c;  // inwards about -e, outwards about -f
    const double in = std::acos(e / (y + e)) / omega, v = omega * (y + e) * std::sin(omega * in), f = (a + b) / c;
    t += in;
    s.passes.push_back(t);
    t += std::atan2(v / omega, f) / omega;
    y = std::hypot(f, v / omega) - f;
    side = -side;
  }
  s.rest = t;
  s.end = g0 + side * y;
  return s;
}

struct Run {
  Track x;
  double rest = 0, moved = 0;  ///< last time it moves before 3 s; by the pull after
};

Run simulate(double b, double h, CaseResult& result) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.run.step = h;
  set_tolerance(model, 1e-12);
  const BodyId mass =
      model.add_rigid({.name = "mass", .position = {x0, 0, 0}, .mass = 1.0, .inertia = Mat3(Mat3::Identity())});
  model.add_joint(
      {.kind = JointKind::Prismatic, .name = "guide", .body_a = "mass", .position = {x0, 0, 0}, .axis = Vec3::UnitX()});
  model.add_bushing({.name = "spring", .body_b = "mass", .anchor_a = {g0, 0, 0}, .stiffness = {c, 0, 0}});
  model.add_coordinate_law({.kind = CoordinateLawKind::Servo,
                            .name = "pre-stress",
                            .terms = {{.joint = "guide"}},
                            .target = [](double) { return g0 - x0; },
                            .force = a});
  model.add_coordinate_law(
      {.kind = CoordinateLawKind::Friction, .name = "friction", .terms = {{.joint = "guide"}}, .force = b});
  model.add_load({.body = "mass", .force = [](double t) { return Vec3(t >= 3 && t < 3.5 ? 1.8 : 0, 0, 0); }});
  Simulation simulation(model);
  Run run;
  double before = 0;
  const auto sample = [&](const Simulation& s) {
    const double t = s.state().time(), x = s.position(mass).x(), v = s.velocity(mass).x();
    run.x.add(t, x, v);
    if (t < 2.9 && std::abs(v) > 1e-6) run.rest = t;
    if (t < 2.95) before = x;
    run.moved = std::max(run.moved, std::abs(x - before) * (t > 3 ? 1 : 0));
    return true;
  };
  sample(simulation);
  simulation.run(4, sample);
  record(result, fmt::format("friction {} N", b), simulation);
  return run;
}

}  // namespace

CaseResult run_prestressed_spring(Effort) {
  CaseResult result;
  Plot history{.title = "Place of the mass", .x_label = "t [s]", .y_label = "x [m]", .series = {}};
  for (const double b : {0.9, 1.1}) {
    const Swings expected = expect(b);
    Study study(4e-4);
    const std::string how = fmt::format(", friction {} N", b);
    for (const double h : study.steps()) {
      const Run run = simulate(b, h, result);
      const std::vector<double> passes = run.x.crossings(g0);
      for (std::size_t k : {0u, 2u, 3u})
        study.add(fmt::format("pass {}{}", k + 1, how), k < passes.size() ? passes[k] : NAN);
      study.add("rests from" + how, run.rest);
      study.add("place at rest" + how, run.x.samples().back().x);
      study.add("way under the pull of 1.8 N" + how, run.moved);
      if (h == study.steps().back()) history.series.push_back(run.x.series(fmt::format("friction {} N", b)));
    }
    for (std::size_t k : {0u, 2u, 3u})
      result.quantities.push_back(
          study.check(fmt::format("pass {}{}", k + 1, how), {expected.passes.at(k), 1e-3, true, {}, "s"}));
    result.quantities.push_back(study.check("rests from" + how, {expected.rest, 5e-3, true, {}, "s"}));
    result.quantities.push_back(study.check("place at rest" + how, {expected.end, 1e-4, false, {}, "m"}));
    result.quantities.push_back(study.check("way under the pull of 1.8 N" + how, {0, 1e-9, false, {}, "m"}));
    result.quantities.push_back(
        check(b < 1 ? "time of rest against the book" : "place at rest against the book",
              b < 1 ? study.check("rests from" + how, {}).got : study.check("place at rest" + how, {}).got,
              b < 1 ? Target{2.055, 5e-3, false, {}, "s"} : Target{0.071, 1e-3, false, {}, "m"}));
  }
  result.plots = {history};
  result.notes =
      "The book's 2.055 s is the closed form's 2.0558 s. A re-run of the source had found 1.90 s and called it a "
      "mismatch "
      "of unknown cause: it is the tolerance of 0.5 mm within which that run holds the spring at g0. The swings that "
      "are "
      "then cut off, from 1.6 mm and 0.11 mm, are slow, because the net force towards g0 is 0.1 N. With a tolerance of "
      "5 um the same scheme rests at 2.038 s. The servo here needs no tolerance: it holds the place itself.";
  return result;
}

}  // namespace cairn::validation
