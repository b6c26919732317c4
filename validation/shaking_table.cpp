// SPDX-License-Identifier: Apache-2.0
// I7: a ball on a table that moves as A sin(omega t). Bouncing once per period exists only for A omega^2 >= pi g (1 -
// e)/(1 + e), with the blow at the phase cos(phi) = pi g (1 - e)/((1 + e) A omega^2) (Holmes 1982; Tufillaro 1992).
//
// In flight for a period the ball leaves at pi g/omega; Newton's law then fixes the velocity of the table at the blow.
// Of the two phases the later one is stable up to A omega^2 = sqrt((pi (1-e)/(1+e))^2 + (2(1+e^2)/(1+e)^2)^2) g.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double g = 9.81, e = 0.5, omega = 20, radius = 0.01, pi = EIGEN_PI;
const double period = 2 * pi / omega, least = pi * (1 - e) / (1 + e);

struct Bounces {
  std::vector<double> phase;  ///< of each blow, in (-pi, pi]
  std::vector<double> time;
  Track height;
};

/// `start`: phase at which the ball leaves with the velocity of the periodic motion. `strength`: A omega^2/g.
Bounces bounce(double strength, double start, double h, double duration, const std::string& label, CaseResult& result) {
  const double A = strength * g / (omega * omega);
  Model model;
  model.set_contact({.friction = 0, .restitution = e});
  model.run.step = h;
  set_tolerance(model, 1e-12);
  const double z0 = A * std::sin(start);
  model.add_fixed(
      {.name = "table",
       .shape = Box{{0.1, 0.1, 0.05}},
       .position = {0, 0, z0 - 0.05},
       .motion = PrescribedMotion{[=](double t) { return Vec3(0, 0, A * omega * std::cos(omega * t + start)); }, {}}});
  const BodyId ball = model.add_rigid({.name = "ball",
                                       .shape = Sphere{radius},
                                       .position = {0, 0, z0 + radius + 1e-9},
                                       .velocity = {0, 0, pi * g / omega},
                                       .mass = 0.1});
  Simulation simulation(model);
  Bounces run;
  // A flight is the parabola v + g t = a, z = b + a t - g t^2/2. Two of them meet where the blow was, more exactly than
  // steps tell.
  const auto flight = [&](const Simulation& s) {
    const double t = s.state().time(), v = s.velocity(ball).z() + g * t;
    return Vec2(v, s.position(ball).z() - v * t + g / 2 * t * t);
  };
  Vec2 now = flight(simulation);
  simulation.run(duration, [&](const Simulation& s) {
    const Vec2 next = flight(s);
    if (next[0] - now[0] > 0.01) {
      const double t = (now[1] - next[1]) / (next[0] - now[0]);
      run.time.push_back(t);
      run.phase.push_back(std::remainder(omega * t + start, 2 * pi));
    }
    now = next;
    run.height.add(s.state().time(), s.position(ball).z() - radius, s.velocity(ball).z());
    return true;
  });
  record(result, label, simulation);
  return run;
}

/// Share of the flights of the second half that last a period, to 2 %.
double share_of_periods(const Bounces& run) {
  int all = 0, right = 0;
  for (std::size_t i = run.time.size() / 2 + 1; i < run.time.size(); ++i, ++all)
    right += std::abs(run.time[i] - run.time[i - 1] - period) < 0.02 * period;
  return all > 0 ? static_cast<double>(right) / all : 0;
}

}  // namespace

CaseResult run_shaking_table(Effort effort) {
  CaseResult result;
  const double duration = (effort == Effort::Full ? 200 : 25) * period;
  Study study(2e-4);
  Plot history{.title = "Height of the ball, A omega^2 = 1.2 g", .x_label = "t [s]", .y_label = "z [m]", .series = {}};
  for (const double h : study.steps()) {
    for (const double strength : {1.06, 1.2, 1.4}) {
      const double phi = std::acos(least / strength);
      // Away from the periodic motion, which attracts.
      const Bounces run = bounce(strength, phi + (strength > 1.1 ? 0.1 : 0.02), h, duration,
                                 fmt::format("A omega^2 = {} g", strength), result);
      double mean = 0;
      const std::size_t last = std::min<std::size_t>(10, run.phase.size());
      for (std::size_t i = run.phase.size() - last; i < run.phase.size(); ++i) mean += run.phase[i];
      study.add(fmt::format("cosine of the phase, {} g", strength), std::cos(mean / static_cast<double>(last)));
      study.add(fmt::format("flights that last a period, {} g", strength), share_of_periods(run));
      if (strength == 1.2 && h == study.steps().back()) history.series.push_back(run.height.series("ball"));
    }
    // Below the limit, from where the periodic motion would begin to be.
    const Bounces none = bounce(1.03, 0, h, duration, "A omega^2 = 1.03 g", result);
    study.add("flights that last a period, 1.03 g", share_of_periods(none));
  }
  for (const double strength : {1.06, 1.2, 1.4}) {
    result.quantities.push_back(
        study.check(fmt::format("cosine of the phase, {} g", strength), {least / strength, 1e-3, true}));
    result.quantities.push_back(study.check(fmt::format("flights that last a period, {} g", strength), {1, 0}));
  }
  result.quantities.push_back(study.check("flights that last a period, 1.03 g", {0, 0}));
  result.plots = {history};
  result.notes =
      "The limit is 1.0472 g for e = 0.5. Between g and the limit the ball leaves the table, but no flight of the "
      "second half of the run lasts a period. Blows fall somewhere in a step: their phases have no clean order.";
  return result;
}

}  // namespace cairn::validation
