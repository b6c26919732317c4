// SPDX-License-Identifier: Apache-2.0
// I11: a uniform rod that slides on its end. Where 1 + 3 cos(theta)(cos(theta) - mu sin(theta)) < 0 no finite force
// keeps the sliding end on the ground, or more than one does (Painleve 1895; Genot & Brogliato 1999).
//
// A time-stepping scheme needs no case of its own: its unknown is the impulse of a step. There the end is stopped by an
// impulse that does not fade with the step, an impact without collision (Moreau 1988; Stewart 2000).
#include "cases.h"
#include "measure.h"

#include "cairn/geometry/compound.h"

#include <Eigen/LU>
#include <cmath>

namespace cairn::validation {
namespace {

constexpr double l = 0.5, mass = 1, g = 9.81, speed = 1;  ///< half length; of the end, which leads

/// Two slender cones with their points at the ends: what touches is a point.
Compound make_rod() {
  const Mat3 down = Eigen::AngleAxisd(EIGEN_PI, Vec3::UnitX()).toRotationMatrix();
  return make_compound(
      {{Cone{0.02, l}, {Mat3::Identity(), Vec3(0, 0, l / 4)}}, {Cone{0.02, l}, {down, Vec3(0, 0, -l / 4)}}}, "rod");
}

/// W_NN + mu W_NT of the end that slides, times m.
double sliding_mass(double theta, double mu) {
  return 1 + 3 * std::cos(theta) * (std::cos(theta) - mu * std::sin(theta));
}

Model make_model(double theta, double mu, double spin, double h) {
  Model model;
  model.set_contact({.friction = mu, .restitution = 0});
  model.run.step = h;
  set_tolerance(model, 1e-10);
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  const Vec3 along(std::cos(theta), 0, std::sin(theta)), w(0, -spin, 0);
  model.add_rigid({.name = "rod",
                   .shape = make_rod(),
                   .position = l * along - l * along.x() * Vec3::UnitX(),
                   .orientation = Quat(Eigen::AngleAxisd(EIGEN_PI / 2 - theta, Vec3::UnitY())),
                   .velocity = Vec3(-speed, 0, 0) + w.cross(l * along),
                   .angular_velocity = w,
                   .mass = mass,
                   .inertia = mass * l * l * Vec3(1 / 3., 1 / 3., 1e-4).asDiagonal().toDenseMatrix()});
  return model;
}

struct Blow {
  bool done = false;
  double normal = 0;   ///< impulse [N s]
  double sliding = 0;  ///< velocity of the end after [m/s]
};

Blow first_step(double theta, double mu, double spin, double h) {
  const Model model = make_model(theta, mu, spin, h);
  const BodyId rod = model.body("rod");
  Simulation simulation(model);
  const Certificate& c = simulation.step();
  Blow blow;
  blow.done = c.status == StepStatus::Done && c.solve_status == SolveStatus::Converged;
  for (const ContactResult& contact : simulation.contacts()) blow.normal += std::abs(contact.impulse.z());
  const Vec3 along = simulation.orientation(rod) * Vec3::UnitZ();
  blow.sliding = (simulation.velocity(rod) + simulation.angular_velocity(rod).cross(-l * along)).x();
  return blow;
}

/// Normal impulse that stops the end: W r + (-speed, 0) = 0.
double stopping_impulse(double theta) {
  const double c = std::cos(theta), s = std::sin(theta);
  Mat2 W;  // (T, N): the end at -l (c, s)
  W << 1 + 3 * s * s, -3 * s * c, -3 * s * c, 1 + 3 * c * c;
  return (W / mass).partialPivLu().solve(Vec2(speed, 0))[1];
}

}  // namespace

CaseResult run_painleve_rod(Effort effort) {
  CaseResult result;
  constexpr double h = 1e-6;
  const int rows = effort == Effort::Full ? 60 : 20;
  int failed = 0, wrong = 0, cells = 0, jams = 0;
  double worst_force = 0, worst_blow = 0;
  Series regular{.label = "slides", .x = {}, .y = {}, .markers = true},
      jam{.label = "impact without collision", .x = {}, .y = {}, .markers = true};
  for (int i = 1; i < rows; ++i)
    for (int j = 1; j <= rows; ++j) {
      const double theta = EIGEN_PI / 2 * i / rows, mu = 4.0 * j / rows, effective = sliding_mass(theta, mu);
      if (std::abs(effective) < 0.02) continue;  // on the border
      const Blow blow = first_step(theta, mu, 0, h);
      ++cells;
      failed += !blow.done;
      const bool jammed = std::abs(blow.sliding) < 0.5 * speed;
      wrong += jammed != (effective < 0);
      jams += jammed;
      (jammed ? jam : regular).x.push_back(theta * 180 / EIGEN_PI);
      (jammed ? jam : regular).y.push_back(mu);
      if (effective > 0) worst_force = std::max(worst_force, std::abs(blow.normal / h * effective / (mass * g) - 1));
      if (effective < 0) worst_blow = std::max(worst_blow, std::abs(blow.normal / stopping_impulse(theta) - 1));
    }
  // The limits of the theory, by bisection on what the first step does.
  const auto jams_at = [&](double theta, double mu) {
    return std::abs(first_step(theta, mu, 0, h).sliding) < 0.5 * speed;
  };
  double low = 1, high = 2;
  for (int k = 0; k < 40; ++k) {
    const double mid = (low + high) / 2;
    (jams_at(std::atan(2.0), mid) ? high : low) = mid;
  }
  result.quantities = {
      check("cells where the step fails", failed, {0, 0}),
      check("cells where it slides or jams against the theory", wrong, {0, 0}),
      check("worst force of sliding against m g/(1 + 3 c (c - mu s))", worst_force, {0, 1e-3}),
      check("worst impulse of a jam against that which stops the end", worst_blow, {0, 1e-3}),
      check("mu at which a rod at arctan 2 jams", high, {4.0 / 3, 1e-4, true}),
  };
  // Impulses of three steps: of order h where it slides, of order 1 where it jams.
  Study study(4e-5);
  for (const double step : study.steps()) {
    study.add("impulse of sliding over h m g/(1 + 3 c (c - mu s)), 45 degrees, mu = 1",
              first_step(EIGEN_PI / 4, 1, 0, step).normal / (step * mass * g) * sliding_mass(EIGEN_PI / 4, 1));
    study.add("impulse of the jam over that which stops the end, 63 degrees, mu = 2",
              first_step(std::atan(2.0), 2, 0, step).normal / stopping_impulse(std::atan(2.0)));
    // The end lifts off by itself: sliding with no force, and the jam, both meet the law. The step takes no force.
    study.add("impulse where both are right, 63 degrees, mu = 2, 10 rad/s",
              first_step(std::atan(2.0), 2, 10, step).normal);
  }
  result.quantities.push_back(
      study.check("impulse of sliding over h m g/(1 + 3 c (c - mu s)), 45 degrees, mu = 1", {1, 1e-3, false, 1.0}));
  result.quantities.push_back(
      study.check("impulse of the jam over that which stops the end, 63 degrees, mu = 2", {1, 1e-3, false, 1.0}));
  result.quantities.push_back(
      study.check("impulse where both are right, 63 degrees, mu = 2, 10 rad/s", {0, 0, false, {}, "N s"}));
  // Whole motions from inside the region: they go on, and gain no energy but for what contacts that move within a step
  // give, which fades with it.
  bool whole = true;
  Study motion(1e-3);
  for (const double step : motion.steps()) {
    double rise = 0;
    for (const double mu : {1.5, 2.0, 3.0}) {
      Simulation simulation(make_model(std::atan(2.0), mu, 0, step));
      const RunSummary& run = simulation.run(2);
      whole &= run.status == StepStatus::Done && run.not_converged == 0;
      rise = std::max(rise, run.energy_rise / run.energy_scale);
      record(result, fmt::format("from the region, mu = {}", mu), simulation);
    }
    motion.add("worst rise of energy in a step over the energy", rise);
  }
  result.quantities.push_back(check_holds("motions from the region go on, every step solved", whole));
  result.quantities.push_back(motion.check("worst rise of energy in a step over the energy", {0, 1e-6}));
  result.plots = {
      {.title = "What the first step does", .x_label = "theta [degrees]", .y_label = "mu", .series = {regular, jam}}};
  result.notes = fmt::format(
      "The map has {} cells, theta below 90 degrees and mu up to 4; in {} of them the end that slides at 1 m/s, ahead "
      "of "
      "the rod, is stopped within one step of a microsecond. Where the rod turns so fast that its end lifts off by "
      "itself, no force and the jam are both solutions; the step takes the first, because the contact opens.",
      cells, jams);
  return result;
}

}  // namespace cairn::validation
