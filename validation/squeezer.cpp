// SPDX-License-Identifier: Apache-2.0
// J3: Andrews' squeezing mechanism (Schiehlen, Multibody Systems Handbook, 1990; Hairer & Wanner II, VII.7; Test Set
// for IVP Solvers, problem "andrews"): seven bodies in a plane, three loops, one freedom, driven by a constant torque
// against a spring.
//
// With e(a) = (cos a, sin a) and n(a) = (sin a, -cos a) the bodies meet in
//   E = rr e(be) - d e(be + th) = B + ss n(ga) = A + zt e(de) + e n(ph + de) = A + u n(ep) + zf e(om + ep).
// There is no gravity. Of the three bodies that turn about fixed points only the inertia about these matters.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

Vec3 along(double a) { return {std::cos(a), std::sin(a), 0}; }
Vec3 aside(double a) { return {std::sin(a), -std::cos(a), 0}; }

// Data of the test set: kg, m, kg m^2, N/m, N m.
constexpr double rr = 0.007, ra = 0.00092, d = 0.028, da = 0.0115, ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018,
                 sd = 0.02, zt = 0.04, ta = 0.02308, tb = 0.00916, e = 0.02, ea = 0.01421, u = 0.04, ua = 0.01228,
                 ub = 0.00449, zf = 0.02, fa = 0.01421, spring = 4530, rest = 0.07785, torque = 0.033;
const Vec3 A(-0.06934, -0.00227, 0), B(-0.03635, 0.03273, 0), C(0.014, 0.072, 0);

struct Angles {
  double be, th, ga, ph, de, om, ep;
};
constexpr Angles start{
    -0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550, -0.222668390165885885,
    1.23054744454982119};

Model make_squeezer(double h) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.run.step = h;
  set_tolerance(model, 1e-10);
  const auto body = [&](const std::string& name, const Vec3& centre, double mass, double inertia) {
    // A flat body: half of the moment about the normal in each direction of the plane. The motion does not see it.
    const Vec3 moments(0.5 * inertia, 0.5 * inertia, inertia);
    model.add_rigid({.name = name, .position = centre, .mass = mass, .inertia = Mat3(moments.asDiagonal())});
  };
  const auto hinge = [&](const std::string& a, const std::string& b, const Vec3& at) {
    model.add_joint({.kind = JointKind::Revolute, .name = a + b, .body_a = a, .body_b = b, .position = at});
  };
  const Angles& q = start;
  const Vec3 F = rr * along(q.be), E = F - d * along(q.be + q.th), G = A + zt * along(q.de), H = A + u * aside(q.ep);
  body("K1", ra * along(q.be), 0.04325, 2.194e-6);
  body("K2", F - da * along(q.be + q.th), 0.00365, 4.410e-7);
  const Vec3 K3 = B + sa * aside(q.ga) + sb * along(q.ga), D = B + sd * along(q.ga) + sc * aside(q.ga);
  body("K3", K3, 0.02373, 5.255e-6);
  body("K4", G + (e - ea) * aside(q.ph + q.de), 0.00706, 5.667e-7);
  body("K5", A + ta * along(q.de) + tb * aside(q.de), 0.07050, 1.169e-5);
  body("K6", H + (zf - fa) * along(q.om + q.ep), 0.00706, 5.667e-7);
  body("K7", A + ua * aside(q.ep) + ub * along(q.ep), 0.05498, 1.912e-5);
  hinge("K1", "", Vec3::Zero());
  hinge("K2", "K1", F);
  hinge("K3", "", B);
  hinge("K3", "K2", E);
  hinge("K5", "", A);
  hinge("K4", "K5", G);
  hinge("K4", "K2", E);
  hinge("K7", "", A);
  hinge("K6", "K7", H);
  hinge("K6", "K2", E);
  model.add_spring(
      {.body_a = "K3", .body_b = "", .anchor_a = D - K3, .anchor_b = C, .stiffness = spring, .rest_length = rest});
  model.add_load({.body = "K1", .torque = [](double) { return Vec3(0, 0, torque); }});
  return model;
}

}  // namespace

CaseResult run_squeezer(Effort effort) {
  CaseResult result;
  const std::vector<std::pair<std::string, double>> expected{
      {"beta", 15.81077119629904},    {"Theta", -15.75637105984298}, {"gamma", 0.04082224013073101},
      {"Phi", -0.5347301163226948},   {"delta", 0.5244099658805304}, {"Omega", 0.5347301163226948},
      {"epsilon", 1.048080741042263}, {"beta'", 1139.920302151208}};
  Study study(effort == Effort::Full ? 1e-6 : 4e-6);
  Plot history{.title = "Angles, finest step", .x_label = "t [s]", .y_label = "[rad]", .series = {}};
  for (const double h : study.steps()) {
    Simulation simulation(make_squeezer(h));
    const Model& model = simulation.model();
    // Turn of a hinge since the start; all are about z, of the first body against the second.
    const auto turn = [&](const Simulation& s, const std::string& hinge) {
      const Joint& joint = model.system().joints[static_cast<std::size_t>(model.joint(hinge).value)];
      return s.state().motion.s[joint.first_coordinate];
    };
    const auto angles = [&](const Simulation& s) {
      return std::vector<double>{start.be + turn(s, "K1"), start.th + turn(s, "K2K1"),
                                 start.ga + turn(s, "K3"), start.ph + turn(s, "K4K5"),
                                 start.de + turn(s, "K5"), start.om + turn(s, "K6K7"),
                                 start.ep + turn(s, "K7"), s.angular_velocity(model.body("K1")).z()};
    };
    const bool finest = h == study.steps().back();
    if (finest)
      for (std::size_t i = 0; i < 7; ++i) history.series.push_back({.label = expected[i].first, .x = {}, .y = {}});
    int count = 0;
    simulation.run(0.03, [&](const Simulation& s) {
      if (!finest || ++count % 16 != 0) return true;
      const std::vector<double> now = angles(s);
      for (std::size_t i = 0; i < 7; ++i) {
        history.series[i].x.push_back(s.state().time());
        history.series[i].y.push_back(now[i]);
      }
      return true;
    });
    const std::vector<double> end = angles(simulation);
    for (std::size_t i = 0; i < expected.size(); ++i) study.add(expected[i].first, end[i]);
    study.add("worst drift", simulation.summary().joint_drift);
    const double work = torque * (end[0] - start.be);
    study.add("energy error over the work", std::abs(simulation.summary().numerical) / work);
    record(result, "squeezer", simulation);
  }
  for (const auto& [name, value] : expected) {
    const bool speed = name == "beta'";
    result.quantities.push_back(study.check(name, {value, 1e-6, true, 2, speed ? "rad/s" : "rad"}));
  }
  result.plots = {history, error_plot("Relative error at 0.03 s against the step", result.quantities, 2)};
  result.quantities.push_back(study.check("worst drift", {0, 1e-9, false, 2, "m"}));
  result.quantities.push_back(study.check("energy error over the work", {0, 1e-5, false, 2, {}}));
  return result;
}

}  // namespace cairn::validation
