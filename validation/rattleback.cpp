// SPDX-License-Identifier: Apache-2.0
// F16: a rattleback, an ellipsoid whose principal axes of inertia are turned against its axes of shape: spun the one
// way it goes on, spun the other way it begins to pitch and turns back (Walker 1896; Kane & Levinson 1982).
//
// The reference is the ellipsoid that rolls without slipping, integrated apart by Runge-Kutta in body axes:
//   r = -D n/sqrt(n.D n) from centre to contact (D: squared semi-axes, n: the vertical), v = r x w,
//   (I - m r x r x) w' = m r x (r' x w + w x (r x w) + g n) - w x I w,  n' = n x w.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double g = 9.81, mass = 1, mu = 2;
const Vec3 axes(0.2, 0.03, 0.02);
const double skew = 0.1;  ///< of the inertia about the vertical [rad]

Mat3 make_inertia() {
  // Flat and long: as if the mass lay in a bar turned by `skew` against the ellipsoid.
  const Mat3 turn = Eigen::AngleAxisd(skew, Vec3::UnitZ()).toRotationMatrix();
  const Vec3 principal = mass / 5 * Vec3(4e-4 + 9e-4, 4e-2 + 4e-4, 4e-2 + 9e-4);
  return turn * principal.asDiagonal() * turn.transpose();
}

struct Rolling {
  Vec3 w, n;
};

Rolling rate(const Rolling& s, const Mat3& I) {
  const Vec3 D = axes.cwiseAbs2(), Dn = D.cwiseProduct(s.n), dn = s.n.cross(s.w);
  const double root = std::sqrt(s.n.dot(Dn));
  const Vec3 r = -Dn / root, dr = -D.cwiseProduct(dn) / root + Dn * (Dn.dot(dn) / (root * root * root));
  Mat3 R;
  R << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  const Vec3 moment = mass * r.cross(dr.cross(s.w) + s.w.cross(r.cross(s.w)) + g * s.n) - s.w.cross(I * s.w);
  return {(I - mass * R * R).ldlt().solve(moment), dn};
}

/// Spin about the vertical of the rolling ellipsoid.
Track roll(const Vec3& w0, const Vec3& n0, double duration) {
  const Mat3 I = make_inertia();
  const int steps = 20000;
  const double h = duration / steps;
  Rolling s{w0, n0};
  Track track;
  const auto ahead = [](const Rolling& x, const Rolling& d, double t) { return Rolling{x.w + t * d.w, x.n + t * d.n}; };
  for (int i = 0; i <= steps; ++i) {
    const Rolling k1 = rate(s, I);
    track.add(i * h, s.w.dot(s.n), k1.w.dot(s.n) + s.w.dot(k1.n));
    const Rolling k2 = rate(ahead(s, k1, h / 2), I), k3 = rate(ahead(s, k2, h / 2), I), k4 = rate(ahead(s, k3, h), I);
    s.w += h / 6 * (k1.w + 2 * k2.w + 2 * k3.w + k4.w);
    s.n += h / 6 * (k1.n + 2 * k2.n + 2 * k3.n + k4.n);
    s.n.normalize();
  }
  return track;
}

struct Run {
  Track spin;
  double excess = 0;  ///< largest energy above that at the start, over the kinetic energy there
};

Run simulate(double spin, double rock, double h, double duration, const std::string& label, CaseResult& result) {
  Model model;
  model.set_contact({.friction = mu, .restitution = 0});
  model.run.step = h;
  set_tolerance(model, 1e-10);
  model.add_fixed({.name = "table", .shape = HalfSpace{}});
  const BodyId stone = model.add_rigid({.name = "rattleback",
                                        .shape = Ellipsoid{axes},
                                        .position = {0, 0, axes.z()},
                                        .velocity = Vec3(0, 0, -axes.z()).cross(Vec3(0, rock, spin)),
                                        .angular_velocity = {0, rock, spin},
                                        .mass = mass,
                                        .inertia = make_inertia()});
  Simulation simulation(model);
  Run run;
  const double begin = simulation.energy().total(), scale = simulation.energy().kinetic;
  const auto sample = [&](const Simulation& s) {
    run.excess = std::max(run.excess, (s.energy().total() - begin) / scale);
    run.spin.add(s.state().time(), s.angular_velocity(stone).z(), 0);
    return true;
  };
  sample(simulation);
  simulation.run(duration, sample);
  record(result, label, simulation);
  return run;
}

}  // namespace

CaseResult run_rattleback(Effort) {
  CaseResult result;
  constexpr double duration = 3, rock = 0.1, speed = 3;
  Study study(2e-4);
  Plot history{.title = "Spin about the vertical", .x_label = "t [s]", .y_label = "[rad/s]", .series = {}};
  const Track with = roll({0, rock, speed}, Vec3::UnitZ(), duration);
  const Track against = roll({0, rock, -speed}, Vec3::UnitZ(), duration);
  double excess = 0;
  for (const double h : study.steps()) {
    const Run good = simulate(speed, rock, h, duration, "the easy way", result);
    const Run bad = simulate(-speed, rock, h, duration, "the other way", result);
    const auto turns = [](const Run& run) { return run.spin.crossings(0); };
    study.add("reversals, the easy way", static_cast<double>(turns(good).size()));
    study.add("reversals, the other way", static_cast<double>(turns(bad).size()));
    study.add("time of the reversal", turns(bad).empty() ? NAN : turns(bad).front());
    study.add("spin after 3 s, the easy way", good.spin.samples().back().x);
    study.add("spin after 3 s, the other way", bad.spin.samples().back().x);
    excess = std::max({excess, good.excess, bad.excess});
    if (h == study.steps().back())
      history.series = {good.spin.series("the easy way"), bad.spin.series("the other way")};
  }
  for (const Track* ref : {&with, &against}) {
    history.series.push_back(ref->series("rolling, by Runge-Kutta"));
    history.series.back().dashed = true;
  }
  result.quantities = {
      study.check("reversals, the easy way", {static_cast<double>(with.crossings(0).size()), 0}),
      study.check("reversals, the other way", {static_cast<double>(against.crossings(0).size()), 0}),
      study.check("time of the reversal", {against.crossings(0).at(0), 1e-3, true, {}, "s"}),
      study.check("spin after 3 s, the easy way", {with.samples().back().x, 1e-3, true, 1.0, "rad/s"}),
      study.check("spin after 3 s, the other way", {against.samples().back().x, 0.02, true, 1.0, "rad/s"}),
      check("energy above that at the start, over the kinetic", excess, {0, 1e-8}),
  };
  result.plots = {history};
  result.notes =
      "A contact that rolls is held at mid-step and at the velocity of the end: what is lost is of order h. Within "
      "single "
      "steps the energy also rises, by order h^2, never above that of the start.";
  return result;
}

}  // namespace cairn::validation
