// SPDX-License-Identifier: Apache-2.0
// C6: belt drive of two equal pulleys, the belt a ring of beads on springs (creep theory: Grashof 1883; Johnson,
// Contact Mechanics (1985), 8.2).
//
// With c = rho v^2 the belt leaves each pulley through an arc b in which it slips: (T1 - c)/(T2 - c) = exp(mu b); in
// the rest it sticks. Pulleys turn as the belt that comes to them: speed_2/speed_1 = (1 + T2/EA)/(1 + T1/EA). The
// torque is (T1 - T2) R, at most (exp(mu pi) - 1) T2 R with the belt at rest.
#include "cases.h"
#include "measure.h"

#include <cmath>
#include <numbers>

namespace cairn::validation {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double radius = 0.1, bead = 1e-3, EA = 2000, wave = 10, strain = 0.02, mu = 0.3;
constexpr double density = EA / (wave * wave);  // [kg/m]

/// N beads on each pulley and S on each span; no gravity. Pulley 1 about the origin, the belt runs about y.
struct Belt {
  int on_pulley, on_span;
  double spacing() const { return 2 * (radius + bead) * std::sin(0.5 * pi / on_pulley); }
  double rest() const { return spacing() / (1 + strain); }
  double centre() const { return on_span * spacing(); }
  int beads() const { return 2 * (on_pulley + on_span); }
  std::vector<Vec3> places() const {
    std::vector<Vec3> at;
    const double reach = radius + bead, delta = pi / on_pulley;
    for (int side = 0; side < 2; ++side) {
      const double turn = side == 0 ? 0.5 * pi : 1.5 * pi, x0 = side == 0 ? 0 : centre();
      for (int i = 0; i < on_pulley; ++i) {
        const double angle = turn + (i + 0.5) * delta;
        at.emplace_back(x0 + reach * std::cos(angle), 0, reach * std::sin(angle));
      }
      const double z = (side == 0 ? -1 : 1) * reach * std::cos(0.5 * delta), way = side == 0 ? 1 : -1;
      const double from = at.back().x();
      for (int i = 1; i <= on_span; ++i) at.emplace_back(from + way * i * spacing(), 0, z);
    }
    return at;
  }
};

Model make_drive(const Belt& belt, double h) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.set_contact({.friction = mu, .restitution = 0});
  model.run.step = h;
  set_tolerance(model, 1e-7);
  const Quat lie(Eigen::AngleAxisd(pi / 2, Vec3::UnitX()));  // axes along y
  for (int i = 0; i < 2; ++i) {
    const std::string name = fmt::format("pulley {}", i + 1);
    const Vec3 at(i * belt.centre(), 0, 0);
    model.add_rigid({.name = name, .shape = Cylinder{radius, 0.02}, .position = at, .orientation = lie, .mass = 1.0});
    model.add_joint(
        {.kind = JointKind::Revolute, .name = name, .body_a = name, .position = at, .axis = -Vec3::UnitY()});
  }
  const std::vector<Vec3> places = belt.places();
  const double mass = density * belt.rest();
  const auto name = [](int i) { return fmt::format("bead {}", i); };
  for (int i = 0; i < belt.beads(); ++i)  // friction does not turn them
    model.add_rigid({.name = name(i),
                     .shape = Sphere{bead},
                     .position = places[static_cast<std::size_t>(i)],
                     .mass = mass,
                     .inertia = Mat3(Mat3::Identity())});
  const double k = EA / belt.rest();
  for (int i = 0; i < belt.beads(); ++i)
    model.add_spring({.name = fmt::format("spring {}", i),
                      .body_a = name(i),
                      .body_b = name((i + 1) % belt.beads()),
                      .stiffness = k,
                      .damping = 0.1 * std::sqrt(k * mass),
                      .rest_length = belt.rest()});
  return model;
}

/// Tensions of the two spans, the larger first, from the lengths of the springs well inside of them.
std::pair<double, double> tensions(const Simulation& s, const Belt& belt) {
  double sum[2] = {0, 0};
  int count[2] = {0, 0};
  const int first = 2;  // bodies before the beads: the pulleys
  for (int i = 0; i < belt.beads(); ++i) {
    const Vec3 a = s.position(BodyId{first + i}), b = s.position(BodyId{first + (i + 1) % belt.beads()});
    const Vec3 m = 0.5 * (a + b);
    if (m.x() < 0.2 * belt.centre() || m.x() > 0.8 * belt.centre()) continue;
    const int side = m.z() > 0 ? 0 : 1;
    sum[side] += EA * ((b - a).norm() / belt.rest() - 1);
    ++count[side];
  }
  const double upper = sum[0] / count[0], lower = sum[1] / count[1];
  return {std::max(upper, lower), std::min(upper, lower)};
}

/// Pulley 2 is held, pulley 1 is driven until the belt slips on all of it: torque over T2 R.
double hold(const Belt& belt, CaseResult& result) {
  Model model = make_drive(belt, 0.2 * belt.rest() / wave);
  for (int i = 0; i < 2; ++i)
    model.add_coordinate_law({.kind = CoordinateLawKind::Motor,
                              .terms = {{fmt::format("pulley {}", i + 1), "angle"}},
                              .target = [i](double t) { return i == 0 ? 0.5 * std::min(1.0, 10 * t) : 0.0; }});
  Simulation simulation(model);
  simulation.run(0.6);
  double torque = 0, slack = 0;
  simulation.run(0.2, [&](const Simulation& s) {
    torque += std::abs(s.coordinate_impulses()[0]) / s.model().run.step;
    slack += tensions(s, belt).second;
    return true;
  });
  record(result, fmt::format("capacity, {} beads on a pulley", belt.on_pulley), simulation);
  return torque / slack / radius;
}

struct Running {
  double torque = 0;        ///< over (T1 - T2) R
  double creep = 0;         ///< loss of speed over that of the formula
  double arc = 0;           ///< from the tensions [rad]
  double slip[2] = {0, 0};  ///< beads that slip times the angle between them, on the pulleys [rad]
};

/// Pulley 1 is driven, pulley 2 turns against a torque, until the belt has gone round twice.
Running run_belt(const Belt& belt, CaseResult& result) {
  constexpr double speed = 0.05 * wave, load = 2.2;
  const double delta = pi / belt.on_pulley;
  Model model = make_drive(belt, 0.2 * belt.rest() / wave);
  const auto ramp = [](double t) { return std::min(1.0, 2 * t); };
  model.add_coordinate_law({.kind = CoordinateLawKind::Motor,
                            .terms = {{"pulley 1", "angle"}},
                            .target = [=](double t) { return speed / radius * ramp(t); }});
  model.add_load({.body = "pulley 2", .torque = [=](double t) { return Vec3(0, load * ramp(t), 0); }});
  Simulation simulation(model);
  const double pass = belt.beads() * belt.rest() / speed;
  simulation.run(1.5 * pass);
  const double from[2] = {simulation.state().motion.s[0], simulation.state().motion.s[1]};
  Running run;
  double tight = 0, slack = 0;
  int count = 0;
  simulation.run(0.5 * pass, [&](const Simulation& s) {
    const auto [more, less] = tensions(s, belt);
    tight += more;
    slack += less;
    for (const ContactResult& contact : s.contacts())  // pulleys are the bodies 0 and 1
      if (contact.state == ContactState::Slip) run.slip[std::min(contact.body_a, contact.body_b)] += delta;
    ++count;
    return true;
  });
  tight /= count;
  slack /= count;
  for (double& slip : run.slip) slip /= count;
  const double turn_1 = simulation.state().motion.s[0] - from[0], turn_2 = simulation.state().motion.s[1] - from[1];
  run.torque = load / ((tight - slack) * radius);
  run.creep = (turn_2 / turn_1 - 1) / ((1 + slack / EA) / (1 + tight / EA) - 1);
  const double centrifugal =
      density * speed * speed / (1 + tight / EA);  // what passes per second is the same everywhere
  run.arc = std::log((tight - centrifugal) / (slack - centrifugal)) / mu;
  record(result, fmt::format("running, {} beads on a pulley", belt.on_pulley), simulation);
  return run;
}

}  // namespace

CaseResult run_belt_drive(Effort effort) {
  const bool full = effort == Effort::Full;
  CaseResult result;
  const std::string beads = "the step is the angle between beads";
  const auto belt_of = [](double delta) {
    const int n = static_cast<int>(std::lround(pi / delta));
    return Belt{n, n};
  };
  Study capacity(full ? pi / 8 : pi / 4);
  for (const double delta : capacity.steps()) capacity.add("largest torque over T2 R", hold(belt_of(delta), result));
  result.quantities.push_back(
      capacity.check("largest torque over T2 R", {std::exp(mu * pi) - 1, 2e-2, true, {}, {}, beads}));
  result.notes =
      "The running belt is in the full form only. An arc of beads is known to one or two of them: one at the border "
      "carries some of its friction without slipping, and one leaves.";
  if (!full) return result;
  Study running(pi / 8);
  for (const double delta : running.steps()) {
    const Running run = run_belt(belt_of(delta), result);
    running.add("torque over (T1 - T2) R, running", run.torque);
    running.add("loss of speed over its formula", run.creep);
    running.add("slip arc of the driving pulley less that of the tensions", run.slip[0] - run.arc);
    running.add("slip arc of the driven pulley less that of the tensions", run.slip[1] - run.arc);
  }
  result.quantities.push_back(running.check("torque over (T1 - T2) R, running", {1, 2e-2, false, {}, {}, beads}));
  result.quantities.push_back(running.check("loss of speed over its formula", {1, 2e-2}));
  for (const char* pulley : {"driving", "driven"})
    result.quantities.push_back(
        running.check(fmt::format("slip arc of the {} pulley less that of the tensions", pulley),
                      {0, 2 * running.steps().back(), false, {}, "rad"}));
  return result;
}

}  // namespace cairn::validation
