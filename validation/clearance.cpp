// SPDX-License-Identifier: Apache-2.0
// I13: a slider-crank whose slider has 1 mm of play in its guide (Flores, Leine & Glocker 2010, Multibody Syst. Dyn.
// 23): crank, rod and slider on hinges, four corners that hit the guide, e = 0.4, mu = 0.01.
//
// The reference is this mechanism in its three angles, integrated by Runge-Kutta between the blows, which are found by
// bisection and answered by Newton's and Coulomb's law for the corners that hit. It goes to the third blow.
#include "cases.h"
#include "measure.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace cairn::validation {
namespace {

constexpr double l1 = 0.153, l2 = 0.306, m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;
constexpr double a = 0.025, b = 0.025, play = 1e-3, e = 0.4, mu = 0.01, g = 9.81;

struct Angles {
  Vec3 q = Vec3::Zero(), u{150, -75, 0};  ///< from the line of the guide, counterclockwise
};

Mat3 mass_of(const Vec3& q) {
  const double k = (m2 / 2 + m3) * l1 * l2 * std::cos(q[0] - q[1]);
  Mat3 M = Mat3::Zero();
  M(0, 0) = J1 + (m1 / 4 + m2 + m3) * l1 * l1;
  M(1, 1) = J2 + (m2 / 4 + m3) * l2 * l2;
  M(0, 1) = M(1, 0) = k;
  M(2, 2) = J3;
  return M;
}

Vec3 acceleration(const Vec3& q, const Vec3& u) {
  const double s = (m2 / 2 + m3) * l1 * l2 * std::sin(q[0] - q[1]);
  const Vec3 force(-s * u[1] * u[1] - (m1 / 2 + m2 + m3) * g * l1 * std::cos(q[0]),
                   s * u[0] * u[0] - (m2 / 2 + m3) * g * l2 * std::cos(q[1]), 0);
  return mass_of(q).ldlt().solve(force);
}

Angles flow(const Angles& x, double h) {
  const Vec3 k1 = acceleration(x.q, x.u), u2 = x.u + h / 2 * k1;
  const Vec3 k2 = acceleration(x.q + h / 2 * x.u, u2), u3 = x.u + h / 2 * k2;
  const Vec3 k3 = acceleration(x.q + h / 2 * u2, u3), u4 = x.u + h * k3;
  const Vec3 k4 = acceleration(x.q + h * u3, u4);
  return {x.q + h / 6 * (x.u + 2 * u2 + 2 * u3 + u4), x.u + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)};
}

struct Corner {
  double gap = 0;
  Vec3 normal, tangent;  ///< rows: rates of gap and of way along the guide
};
Corner corner(const Vec3& q, int which) {
  const double x = which & 1 ? a : -a, z = which & 2 ? b : -b, way = z > 0 ? -1 : 1;
  const double c3 = std::cos(q[2]), s3 = std::sin(q[2]);
  Corner c;
  c.gap = b + play + way * (l1 * std::sin(q[0]) + l2 * std::sin(q[1]) + x * s3 + z * c3);
  c.normal = way * Vec3(l1 * std::cos(q[0]), l2 * std::cos(q[1]), x * c3 - z * s3);
  c.tangent = Vec3(-l1 * std::sin(q[0]), -l2 * std::sin(q[1]), -x * s3 - z * c3);
  return c;
}

double least_gap(const Vec3& q, int* which = nullptr) {
  double least = 1;
  for (int k = 0; k < 4; ++k) {
    const double gap = corner(q, k).gap;
    if (gap < least && which) *which = k;
    least = std::min(least, gap);
  }
  return least;
}

/// Newton's and Coulomb's law for all corners that touch and approach, by sweeps: a flat slider hits with two at once.
void hit(Angles& x) {
  const Mat3 inverse = mass_of(x.q).inverse();
  std::vector<Corner> corners;
  for (int k = 0; k < 4; ++k)
    if (const Corner c = corner(x.q, k); c.gap < 1e-12 && c.normal.dot(x.u) < 0) corners.push_back(c);
  std::vector<Vec2> r(corners.size(), Vec2::Zero());
  const Vec3 before = x.u;
  const auto answer = [&](const Vec3& row, double wanted, double& impulse, double low, double high) {
    const double next = std::clamp(impulse + (wanted - row.dot(x.u)) / row.dot(inverse * row), low, high);
    x.u += (next - impulse) * (inverse * row);
    impulse = next;
  };
  for (int sweep = 0; sweep < 10000; ++sweep)
    for (std::size_t k = 0; k < corners.size(); ++k) {
      answer(corners[k].normal, -e * corners[k].normal.dot(before), r[k][0], 0, 1e9);
      answer(corners[k].tangent, 0, r[k][1], -mu * r[k][0], mu * r[k][0]);
    }
}

struct Reference {
  std::vector<double> blows;
  Track crank, slider;  ///< angle; place along the guide
};

Reference integrate(int blows) {
  Reference ref;
  Angles x;
  double t = 0;
  constexpr double h = 1e-6;
  const auto place = [](const Vec3& q) { return l1 * std::cos(q[0]) + l2 * std::cos(q[1]); };
  for (std::int64_t n = 0; static_cast<int>(ref.blows.size()) < blows && t < 0.2; ++n) {
    if (n % 20 == 0)
      ref.crank.add(t, x.q[0], x.u[0]),
          ref.slider.add(t, place(x.q), corner(x.q, 0).tangent.head<2>().dot(x.u.head<2>()));
    const Angles next = flow(x, h);
    int which = 0;
    if (least_gap(next.q, &which) >= 0 || corner(next.q, which).normal.dot(next.u) >= 0) {
      x = next;
      t += h;
      continue;
    }
    double low = 0, high = h;
    for (int k = 0; k < 50; ++k) {
      const double mid = (low + high) / 2;
      (least_gap(flow(x, mid).q) < 0 ? high : low) = mid;
    }
    x = flow(x, high);
    t += high;
    hit(x);
    ref.blows.push_back(t);
  }
  return ref;
}

struct Run {
  std::vector<double> blows;
  double crank = 0, slider = 0;  ///< largest errors until the last blow of the reference
  Track height;
};

Run run_mechanism(double h, double duration, const Reference& ref, CaseResult& result) {
  Model model;
  model.set_contact({.friction = mu, .restitution = e});
  model.run.step = h;
  set_tolerance(model, 1e-10);
  const auto bar = [&](const std::string& name, double from, double length, double m, double J, const Vec3& v,
                       double spin) {
    return model.add_rigid({.name = name,
                            .position = {from + length / 2, 0, 0},
                            .velocity = v,
                            .angular_velocity = {0, -spin, 0},
                            .mass = m,
                            .inertia = Mat3(J * Mat3::Identity())});
  };
  bar("crank", 0, l1, m1, J1, {0, 0, 150 * l1 / 2}, 150);
  bar("rod", l1, l2, m2, J2, {0, 0, 150 * l1 - 75 * l2 / 2}, -75);
  const BodyId slider = model.add_rigid({.name = "slider",
                                         .shape = Box{{a, 0.005, b}},
                                         .position = {l1 + l2, 0, 0},
                                         .mass = m3,
                                         .inertia = Mat3(J3 * Mat3::Identity())});
  model.add_fixed({.name = "lower guide", .shape = HalfSpace{Vec3::UnitZ(), -b - play}});
  model.add_fixed({.name = "upper guide", .shape = HalfSpace{-Vec3::UnitZ(), -b - play}});
  const auto hinge = [&](const std::string& name, const std::string& on, const std::string& to, double x) {
    model.add_joint({.kind = JointKind::Revolute,
                     .name = name,
                     .body_a = on,
                     .body_b = to,
                     .position = {x, 0, 0},
                     .axis = -Vec3::UnitY()});
  };
  hinge("main", "crank", "", 0);
  hinge("crank pin", "rod", "crank", l1);
  hinge("wrist pin", "slider", "rod", l1 + l2);
  Simulation simulation(model);
  Run run;
  bool touched = false;
  simulation.run(duration, [&](const Simulation& s) {
    const double t = s.state().time();
    double impulse = 0;
    for (const ContactResult& contact : s.contacts()) impulse += contact.impulse.norm();
    if (impulse > 1e-6 && !touched) run.blows.push_back(t - h / 2);
    touched = impulse > 1e-6;
    run.height.add(t, 1e3 * s.position(slider).z(), 0);
    if (t < ref.blows.back()) {
      run.crank = std::max(run.crank, std::abs(s.state().motion.s[0] - ref.crank.at(t)));
      run.slider = std::max(run.slider, std::abs(s.position(slider).x() - ref.slider.at(t)));
    }
    return true;
  });
  record(result, "mechanism", simulation);
  return run;
}

}  // namespace

CaseResult run_clearance(Effort effort) {
  CaseResult result;
  constexpr int blows = 3;
  const Reference ref = integrate(blows);
  Study study(1e-4);
  Plot history{.title = "Slider across the guide", .x_label = "t [s]", .y_label = "z [mm]", .series = {}};
  for (const double h : study.steps()) {
    const Run run = run_mechanism(h, effort == Effort::Full ? 0.2 : 0.05, ref, result);
    for (std::size_t k = 0; k < blows; ++k)
      study.add(fmt::format("time of blow {}", k + 1), k < run.blows.size() ? run.blows[k] : NAN);
    study.add("angle of the crank, largest error", run.crank);
    study.add("place of the slider over the crank, largest error", run.slider / l1);
    history.series.push_back(run.height.series(fmt::format("h = {:.0f} us", 1e6 * h)));
  }
  for (std::size_t k = 0; k < blows; ++k)
    result.quantities.push_back(
        study.check(fmt::format("time of blow {}", k + 1), {ref.blows.at(k), 1e-4, false, {}, "s"}));
  result.quantities.push_back(study.check("angle of the crank, largest error", {0, 1e-2, false, {}, "rad"}));
  result.quantities.push_back(study.check("place of the slider over the crank, largest error", {0, 1e-2}));
  result.plots = {history};
  result.notes =
      "Until the third blow. After some ten the motion of a mechanism with play depends on the last digit, here as in "
      "the paper. In the full form it runs 2000 steps of 1e-4 s.";
  return result;
}

}  // namespace cairn::validation
