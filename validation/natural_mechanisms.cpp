// SPDX-License-Identifier: Apache-2.0
// V1: a rigid pendulum, a four-bar and a slider-crank in natural coordinates with the index-3 augmented Lagrangian
// (Vilela 2018, chapter 2): order 2, energy, and the equations of all joints and of all rigid bodies at the level of
// positions, velocities and accelerations.
#include "cairn/steppers/ali3.h"
#include "cases.h"
#include "measure.h"

#include <algorithm>
#include <cmath>

namespace cairn::validation {
namespace {

constexpr double g = 9.81;

Model make_model(double h) {
  Model model;
  model.run.step = h;
  model.run.stepper = {"ali3"};
  return model;
}

/// A thin rod in the plane y = 0.
void add_rod(Model& model, const std::string& name, const Vec3& from, const Vec3& to, double mass) {
  const Vec3 d = to - from;
  const double J = mass * d.squaredNorm() / 12;
  model.add_rigid({.name = name,
                   .position = 0.5 * (from + to),
                   .orientation = Quat::FromTwoVectors(Vec3::UnitX(), d),
                   .mass = mass,
                   .inertia = Mat3(Vec3(1e-4, J, J).asDiagonal())});
}

void add_hinge(Model& model, const std::string& a, const std::string& b, const Vec3& at) {
  model.add_joint({.kind = JointKind::Revolute, .body_a = a, .body_b = b, .position = at, .axis = Vec3::UnitY()});
}

// A body of inertia J at the distance d of a hinge swings as a point on a rod of d + J/(m d) = 1 m, let go level.
constexpr double pendulum_inertia = 0.1;
Model make_pendulum(double h) {
  Model model = make_model(h);
  const double d = 0.5 * (1 + std::sqrt(1 - 4 * pendulum_inertia));
  model.add_rigid(
      {.name = "bob", .position = {-d, 0, 0}, .mass = 1.0, .inertia = Mat3(pendulum_inertia * Mat3::Identity())});
  add_hinge(model, "bob", "", Vec3::Zero());
  return model;
}

// One window of J1: uprights of 1 m and a rod across, tops at 1 m/s.
Model make_window(double h) {
  Model model = make_model(h);
  constexpr double J = 1.0 / 12;
  for (int i = 0; i < 2; ++i) {
    const std::string name = fmt::format("upright {}", i);
    model.add_rigid({.name = name,
                     .position = {static_cast<double>(i), 0, 0.5},
                     .velocity = {0.5, 0, 0},
                     .angular_velocity = Vec3::UnitY(),
                     .mass = 1.0,
                     .inertia = Mat3(Vec3(J, J, 1e-4).asDiagonal())});
    add_hinge(model, name, "", {static_cast<double>(i), 0, 0});
  }
  model.add_rigid({.name = "across",
                   .position = {0.5, 0, 1},
                   .velocity = {1, 0, 0},
                   .mass = 1.0,
                   .inertia = Mat3(Vec3(1e-4, J, J).asDiagonal())});
  add_hinge(model, "across", "upright 0", {0, 0, 1});
  add_hinge(model, "across", "upright 1", {1, 0, 1});
  return model;
}

// Crank of 1 m and 1 kg, rod of 2 m and 2 kg, block of 0.5 kg on the x axis, let go with the crank at 45 degrees.
constexpr double crank_mass = 1, rod_mass = 2, block_mass = 0.5;
Model make_slider_crank(double h) {
  Model model = make_model(h);
  const double c = std::sqrt(0.5);
  const Vec3 pin(c, 0, c), end(c + std::sqrt(3.5), 0, 0);
  add_rod(model, "crank", Vec3::Zero(), pin, crank_mass);
  add_rod(model, "rod", pin, end, rod_mass);
  model.add_rigid({.name = "block", .position = end, .mass = block_mass, .inertia = Mat3(0.01 * Mat3::Identity())});
  add_hinge(model, "crank", "", Vec3::Zero());
  add_hinge(model, "rod", "crank", pin);
  add_hinge(model, "block", "rod", end);
  model.add_joint({.kind = JointKind::Prismatic, .body_a = "block", .position = end, .axis = Vec3::UnitX()});
  return model;
}

double block_place(double angle) { return std::cos(angle) + std::sqrt(4 - std::pow(std::sin(angle), 2)); }

/// The same with one coordinate, the angle of the crank: I(a) a'' + I'(a) a'^2/2 + V'(a) = 0, by Runge and Kutta.
double reduced_crank_angle(double t_end) {
  const auto inertia = [](double a) {
    const double s = std::sin(a), c = std::cos(a), root = std::sqrt(4 - s * s);
    const double block = -s - s * c / root, turn = c / root;  // of the block's place and of the rod's angle
    const double centre_x = 0.5 * (block - s), centre_z = 0.5 * c;
    return crank_mass / 3 + rod_mass * (centre_x * centre_x + centre_z * centre_z + 4.0 / 12 * turn * turn) +
           block_mass * block * block;
  };
  const auto acceleration = [&](double a, double w) {
    const double d = 1e-4;
    const double slope = (8 * (inertia(a + d) - inertia(a - d)) - (inertia(a + 2 * d) - inertia(a - 2 * d))) / (12 * d);
    return -(0.5 * slope * w * w + 0.5 * (crank_mass + rod_mass) * g * std::cos(a)) / inertia(a);
  };
  const int steps = static_cast<int>(std::lround(t_end / 1e-4));
  const double h = t_end / steps;
  double a = EIGEN_PI / 4, w = 0;
  for (int i = 0; i < steps; ++i) {
    const double k1 = acceleration(a, w), w2 = w + h / 2 * k1;
    const double k2 = acceleration(a + h / 2 * w, w2), w3 = w + h / 2 * k2;
    const double k3 = acceleration(a + h / 2 * w2, w3), w4 = w + h * k3;
    const double k4 = acceleration(a + h * w3, w4);
    a += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return a;
}

struct Mechanism {
  std::string name, followed;
  Model (*make)(double h);
  double duration;
  double swing;      ///< energy that is exchanged [J]
  Vec3 arm;          ///< of the followed point in its body
  Vec3 expected;     ///< where it is at the end
  double tolerance;  ///< [m]
  bool (*is_singular)(const Simulation&) = [](const Simulation&) { return false; };
};

/// The uprights of the four-bar lie within 0.1 rad of the ground.
bool lies_in_a_line(const Simulation& s) { return std::abs(s.position(BodyId{0}).z()) < 0.05; }

}  // namespace

CaseResult run_natural(Effort effort) {
  CaseResult result;
  const double d = 0.5 * (1 + std::sqrt(1 - 4 * pendulum_inertia));
  const double crank = effort == Effort::Full ? 10 : 2;
  const std::vector<Mechanism> mechanisms{
      {"pendulum", "bob", make_pendulum, 1, g * d, Vec3::Zero(), d * Vec3(0.986291751132, 0, -0.165010853126), 1e-5},
      {"four-bar",
       "upright 0",
       make_window,
       10,
       4 * g,
       {0, 0, 0.5},
       {0.4783850578, 0, 0.8781501788},
       1e-4,
       lies_in_a_line},
      {"slider-crank",
       "block",
       make_slider_crank,
       crank,
       3 * g,
       Vec3::Zero(),
       {block_place(reduced_crank_angle(crank)), 0, 0},
       1e-4}};
  Plot plot{.title = "Energy error", .x_label = "t [s]", .y_label = "(E - E_0)/swing", .series = {}};
  std::vector<Quantity> shown;
  for (const Mechanism& m : mechanisms) {
    Study study(2e-3);
    const auto named = [&](const std::string& what) { return what + ", " + m.name; };
    for (const double h : study.steps()) {
      Simulation simulation(m.make(h));
      const double start = simulation.energy().total();
      NaturalStepper::Errors worst;
      double energy = 0, singular = 0;  // singular: accelerations where the equations depend on each other
      Series series{.label = m.name, .x = {}, .y = {}};
      simulation.run(m.duration, [&](const Simulation& s) {
        const auto& errors = dynamic_cast<const NaturalStepper&>(s.stepper()).errors();
        worst.place = std::max(worst.place, errors.place);
        worst.rate = std::max(worst.rate, errors.rate);
        double& acceleration = m.is_singular(s) ? singular : worst.acceleration;
        acceleration = std::max(acceleration, errors.acceleration);
        const double error = (s.energy().total() - start) / m.swing;
        energy = std::max(energy, std::abs(error));
        series.x.push_back(s.state().time());
        series.y.push_back(error);
        return true;
      });
      const BodyId body = simulation.model().body(m.followed);
      const Vec3 place = simulation.position(body) + simulation.orientation(body) * m.arm;
      study.add(named("error of the end"), (place - m.expected).norm());
      study.add(named("energy error"), energy);
      study.add(named("equations"), worst.place);
      study.add(named("their rates"), worst.rate);
      study.add(named("their accelerations"), worst.acceleration);
      study.add(named("their accelerations, all rods in a line"), singular);
      record(result, m.name, simulation);
      if (h == study.steps().back()) plot.series.push_back(series);
    }
    result.quantities.push_back(study.check(named("error of the end"), {0, m.tolerance, false, 2, "m"}));
    shown.push_back(result.quantities.back());
    result.quantities.push_back(study.check(named("energy error"), {0, 1e-5, false, 2, ""}));
    result.quantities.push_back(study.check(named("equations"), {0, 1e-10, false, {}, "m"}));
    result.quantities.push_back(study.check(named("their rates"), {0, 1e-10, false, {}, "m/s"}));
    result.quantities.push_back(study.check(named("their accelerations"), {0, 1e-10, false, {}, "m/s^2"}));
    if (m.name == "four-bar")
      result.quantities.push_back(study.check(named("their accelerations, all rods in a line"),
                                              {0, 1e-9, false, {}, "m/s^2", "within 0.1 rad of a singular position"}));
  }
  result.plots = {plot, error_plot("Error at the end against the step", shown, 2)};
  return result;
}

}  // namespace cairn::validation
