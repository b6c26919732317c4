// SPDX-License-Identifier: Apache-2.0
// K4, K5: Painleve's rod and two leaning cards, one step of `two-step` each (Kaufman 2009, 2.2.4 and 5; A4 and A5 of
// the specification). Rods are thin capsules, so that their ends are points.
//
// With n, d the generalised normal and friction directions of the rod's end, a = n'M^-1 n, b = n'M^-1 d, c = d'M^-1 d:
//   slides on  alpha = g h / (a - mu s b), beta = -s mu alpha, where s is the sign of the sliding velocity v,
//              as long as that is positive and c beta + b alpha + v still has the sign s
//   sticks     a alpha + b beta = g h, b alpha + c beta = -v
// Painleve: for s b > 0 and mu > a/|b| there is no alpha > 0 that slides; the rod jams by an impulse at once.
#include "cases.h"
#include "measure.h"

#include <cmath>
#include <numbers>

namespace cairn::validation {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi, thin = 1e-7;

/// A capsule of length 2 `arm` along its axis 3, turned by `angle` about -y: its lower end is at (sin, -cos) arm.
RigidBody make_rod(const std::string& name, double arm, double inertia, double angle, const Vec3& position) {
  return {.name = name,
          .shape = Capsule{thin, arm},
          .position = position,
          .orientation = Quat(Eigen::AngleAxisd(-angle, Vec3::UnitY())),
          .mass = 1.0,
          .inertia = Mat3(Vec3(inertia, inertia, 1e-3 * inertia).asDiagonal())};
}

struct RodStep {
  double alpha = 0, beta = 0;
  Vec3 rates = Vec3::Zero();  ///< turn, x, z
  bool converged = false;
};

RodStep step_rod(double angle, double mu, double speed, double h, const std::string& solver, CaseResult* result) {
  Model model;
  model.run.step = h;
  model.run.stepper = {"two-step", {{"activation", "closed"}}};
  model.run.solver = {solver, {{"tolerance", "1e-12"}}};
  model.set_contact({.friction = mu});
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  RigidBody rod = make_rod("rod", 1, 1.0 / 3, angle, {0, 0, std::cos(angle) + thin * (1 - 1e-3)});
  rod.velocity = {speed, 0, 0};
  const BodyId body = model.add_rigid(rod);
  Simulation simulation(model);
  simulation.step();
  RodStep step;
  for (const ContactResult& contact : simulation.contacts()) {
    const double sign = contact.body_a == body.value ? 1 : -1;
    step.alpha += sign * contact.impulse.z();
    step.beta += sign * contact.impulse.x();
  }
  step.rates = {-simulation.angular_velocity(body).y(), simulation.velocity(body).x(), simulation.velocity(body).z()};
  step.converged = simulation.certificate().solve_status == SolveStatus::Converged;
  if (result) record(*result, fmt::format("rod at {:g} m/s, {}", speed, solver), simulation);
  return step;
}

/// The impulses of the head comment.
Vec2 exact_impulses(double angle, double mu, double v, double h) {
  const double s = std::sin(angle), c = std::cos(angle), sign = v < 0 ? -1 : 1;
  const double nn = 1 + 3 * s * s, nd = 3 * s * c, dd = 1 + 3 * c * c;
  const double alpha = g * h / (nn - mu * sign * nd), beta = -sign * mu * alpha;
  if (alpha > 0 && sign * (v + nd * alpha + dd * beta) > 0) return {alpha, beta};
  const double det = nn * dd - nd * nd;
  return Vec2(dd * g * h + nd * v, -nd * g * h - nn * v) / det;
}

}  // namespace

CaseResult run_painleve(Effort effort) {
  CaseResult result;
  const double angle = -std::atan(0.5), h = 1e-3;
  for (const std::string solver : {"staggered-projections", "lemke", "auto"}) {
    const RodStep jam = step_rod(angle, 2, -1, h, solver, &result);
    result.quantities.push_back(
        check("normal impulse, jams, " + solver, jam.alpha, {(3.4 * g * h + 1.2) / 4, 1e-6, true, {}, "N s"}));
    result.quantities.push_back(
        check("friction impulse, jams, " + solver, jam.beta, {(1.6 + 1.2 * g * h) / 4, 1e-6, true, {}, "N s"}));
    const Vec3 expected(0.667529, -0.597057, 0.298529);
    result.quantities.push_back(
        check("rates after, jams, " + solver, (jam.rates - expected).norm(), {0, 2e-6, false, {}, "m/s"}));
    const RodStep away = step_rod(angle, 2, 1, h, solver, &result);
    result.quantities.push_back(
        check("normal impulse, slides away, " + solver, away.alpha, {g * h / 4, 1e-6, true, {}, "N s"}));
    const RodStep mild = step_rod(angle, 1.2, -1, h, solver, &result);
    result.quantities.push_back(
        check("normal impulse, mu = 1.2, " + solver, mild.alpha, {g * h / (1.6 - 1.2 * 1.2), 1e-5, true, {}, "N s"}));
  }
  // Maps over angle and friction: the impulse of one step, against the formulas.
  const int n = effort == Effort::Full ? 61 : 21;
  Plot map{.title = "Normal impulse over m g h, sliding to the left",
           .x_label = "mu",
           .y_label = "alpha / m g h",
           .log_y = true,
           .series = {}};
  double worst[2] = {0, 0};
  int stalled = 0;
  for (int i = 0; i < n; ++i) {
    const double a = (-80 + 160.0 * i / (n - 1)) * pi / 180;
    Series series{.label = fmt::format("{:.0f} deg", a * 180 / pi), .x = {}, .y = {}};
    for (int j = 0; j < n; ++j) {
      const double mu = 0.05 + 2.95 * j / (n - 1);
      const double critical =
          std::abs(a) > 1e-9 ? (1 + 4 * std::pow(std::tan(a), 2)) / (3 * std::abs(std::tan(a))) : 1e9;
      // Where sliding just ends both formulas meet; on Painleve's line itself nothing is well posed.
      if (std::abs(mu / critical - 1) < 0.02) continue;
      for (const double v : {-1.0, 1.0}) {
        const RodStep step = step_rod(a, mu, v, h, "auto", nullptr);
        const Vec2 exact = exact_impulses(a, mu, v, h);
        worst[v > 0] = std::max(worst[v > 0], (Vec2(step.alpha, step.beta) - exact).norm() / exact.norm());
        if (!step.converged) ++stalled;
        if (v < 0) {
          series.x.push_back(mu);
          series.y.push_back(step.alpha / (g * h));
        }
      }
    }
    if (i % ((n - 1) / 5) == 0) map.series.push_back(series);
  }
  result.quantities.push_back(check("map, impulses, sliding to the left, worst", worst[0], {0, 1e-5}));
  result.quantities.push_back(check("map, impulses, sliding to the right, worst", worst[1], {0, 1e-5}));
  result.quantities.push_back(check("map, steps not converged", stalled, {0, 0.5}));
  result.plots = {map};
  result.notes =
      "At velocity level a solution always exists: beyond mu_crit = (1 + 4 tan^2 a)/(3 |tan a|) a rod that slides into "
      "the ground stops "
      "by an impulse that does not go to zero with the step. Cells within 2 % of that line are left out.";
  return result;
}

CaseResult run_leaning_cards(Effort) {
  CaseResult result;
  const double h = 1e-3;
  struct Slip {
    double degrees, speed;
  };
  for (const Slip& slip : {Slip{15, 3.85e-4}, Slip{25, 6.41e-4}, Slip{35, 8.89e-4}}) {
    const double phi = slip.degrees * pi / 180, critical = 0.5 * std::tan(phi);
    for (const double mu : {0.8, 0.9 * critical}) {
      Model model;
      model.run.step = h;
      model.run.stepper = {"two-step"};
      model.run.solver = {"staggered-projections", {{"tolerance", "1e-12"}}};
      model.set_contact({.friction = mu});
      model.add_fixed({.name = "ground", .shape = HalfSpace{}});
      const double x = 0.5 * std::sin(phi) + thin, z = 0.5 * std::cos(phi) + thin;
      const BodyId left = model.add_rigid(make_rod("left", 0.5, 1.0 / 12, -phi, {-x, 0, z}));
      model.add_rigid(make_rod("right", 0.5, 1.0 / 12, phi, {x, 0, z}));
      Simulation simulation(model);
      simulation.step();
      const std::string name = fmt::format(", {:g} degrees", slip.degrees);
      record(result, fmt::format("mu = {:.3g}{}", mu, name), simulation);
      if (mu == 0.8) {
        double foot = 0, push = 0, apex = 0;
        for (const ContactResult& c : simulation.contacts()) {
          if (c.body_a != left.value && c.body_b != left.value) continue;
          const Vec3 impulse = c.body_a == left.value ? c.impulse : Vec3(-c.impulse);
          if (c.point.z() < 0.1) {
            foot += impulse.z();
            push += impulse.x();
          } else {
            apex += impulse.x();
          }
        }
        result.quantities.push_back(check("weight on a foot" + name, foot, {g * h, 1e-6, true, {}, "N s"}));
        result.quantities.push_back(
            check("friction of a foot" + name, push, {critical * g * h, 1e-5, true, {}, "N s"}));
        result.quantities.push_back(
            check("force at the apex" + name, -apex, {critical * g * h, 1e-5, true, {}, "N s"}));
        result.quantities.push_back(check("speed" + name, largest_speed(simulation, 0.5), {0, 1e-7, false, {}, "m/s"}));
      } else {
        const Vec3 arm = simulation.orientation(left) * Vec3(0, 0, -0.5);
        const Vec3 v = simulation.velocity(left) + simulation.angular_velocity(left).cross(arm);
        result.quantities.push_back(
            check("speed of the foot that slips" + name, v.norm(), {slip.speed, 2e-3, true, {}, "m/s"}));
      }
    }
  }
  result.notes =
      "Two cards of 1 kg and 1 m stand iff mu >= tan(phi)/2; speeds of slipping feet at 0.9 of that are those of the "
      "specification's prototype (A5).";
  return result;
}

}  // namespace cairn::validation
