// SPDX-License-Identifier: Apache-2.0
// S10: a body on a bushing. Along and about its axes it swings at sqrt(k/m) and sqrt(kt/J), about an axis at any angle
// below pi; held off its centre, translation and rotation couple and the frequencies are those of a matrix of two rows.
#include "cases.h"
#include "measure.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

namespace cairn::validation {
namespace {

constexpr double m = 2, J = 0.05, pi = std::numbers::pi;

struct Swing {
  Vec3 anchor = Vec3::Zero();  ///< of the bushing on the body
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
  Vec3 damping = Vec3::Zero();
};

const Vec3 stiffness(200, 800, 1800), torsional(5, 20, 80);

/// Runs it and passes every state to `sample`.
template <class Sample>
void run_swing(const Swing& swing, double h, double duration, const std::string& label, CaseResult& result,
               const Sample& sample) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.run.step = h;
  const BodyId body = model.add_rigid({.name = "body",
                                       .velocity = swing.velocity,
                                       .angular_velocity = swing.spin,
                                       .mass = m,
                                       .inertia = Mat3(Vec3(J, 2 * J, 1.5 * J).asDiagonal())});
  model.add_bushing({.name = "mount",
                     .body_b = "body",
                     .anchor_a = swing.anchor,
                     .anchor_b = swing.anchor,
                     .stiffness = stiffness,
                     .damping = swing.damping,
                     .torsional_stiffness = torsional});
  Simulation simulation(model);
  sample(simulation, body);
  simulation.run(duration, [&](const Simulation& s) {
    sample(s, body);
    return true;
  });
  record(result, label, simulation);
}

double period_of(const Track& track) {
  const std::vector<double> up = track.crossings(0, 1);
  return (up.back() - up.front()) / static_cast<double>(up.size() - 1);
}

}  // namespace

CaseResult run_bushing(Effort) {
  CaseResult result;
  Study study(0.002);
  // About z from rest to 2.5 rad: the rotation vector stays on the axis, so the swing is harmonic however far.
  const double omega_z = std::sqrt(torsional.z() / (1.5 * J)), amplitude = 2.5;
  // Held 0.1 m above its centre: x and the angle about y couple; the slower mode, 1e-5 m wide.
  const double a = 0.1, k = stiffness.x();
  Eigen::Matrix2d K, M;
  K << k, k * a, k * a, k * a * a + torsional.y();
  M << m, 0, 0, 2 * J;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d> modes(K, M);
  const double omega_slow = std::sqrt(modes.eigenvalues()[0]);
  const Vec2 shape = 1e-5 * omega_slow * modes.eigenvectors().col(0);
  // Damped along y.
  const double c = 4, decay = c / (2 * m), omega_d = std::sqrt(stiffness.y() / m - decay * decay), time = 0.5;
  Track turning;
  for (const double h : study.steps()) {
    Track x, z, angle, coupled;
    run_swing({.velocity = {0.3, 0, 0.9}}, h, 5, "along x and z", result, [&](const Simulation& s, BodyId body) {
      x.add(s.state().time(), s.position(body).x(), s.velocity(body).x());
      z.add(s.state().time(), s.position(body).z(), s.velocity(body).z());
    });
    study.add("period along x", period_of(x));
    study.add("period along z", period_of(z));
    run_swing({.spin = {0, 0, amplitude * omega_z}}, h, 3, "about z", result, [&](const Simulation& s, BodyId body) {
      const Quat q = s.orientation(body);
      angle.add(s.state().time(), 2 * std::atan2(q.z(), q.w()), s.angular_velocity(body).z());
    });
    study.add("period about z, 2.5 rad wide", period_of(angle));
    run_swing({.anchor = {0, 0, a}, .velocity = {shape[0], 0, 0}, .spin = {0, shape[1], 0}}, h, 5,
              "held off the centre", result, [&](const Simulation& s, BodyId body) {
                coupled.add(s.state().time(), s.position(body).x(), s.velocity(body).x());
              });
    study.add("period of the slower coupled mode", period_of(coupled));
    turning = angle;
  }
  Study damped(0.002);
  for (const double h : damped.steps()) {
    double place = 0;
    run_swing({.velocity = {0, 0.4, 0}, .damping = {0, c, 0}}, h, time, "damped along y", result,
              [&](const Simulation& s, BodyId body) { place = s.position(body).y(); });
    damped.add("damped place after 0.5 s", place);
  }
  const auto period = [&](const std::string& name, double omega) {
    result.quantities.push_back(study.check(name, {2 * pi / omega, 2e-5, true, 2, "s"}));
  };
  period("period along x", std::sqrt(stiffness.x() / m));
  period("period along z", std::sqrt(stiffness.z() / m));
  period("period about z, 2.5 rad wide", omega_z);
  period("period of the slower coupled mode", omega_slow);
  const std::vector<Quantity> periods = result.quantities;
  result.quantities.push_back(
      damped.check("damped place after 0.5 s",
                   {0.4 / omega_d * std::exp(-decay * time) * std::sin(omega_d * time), 2e-5, false, 2, "m"}));
  result.plots = {
      {.title = "Angle about z", .x_label = "t [s]", .y_label = "angle [rad]", .series = {turning.series("angle")}},
      error_plot("Relative error of the periods against the step", periods, 2)};
  return result;
}

}  // namespace cairn::validation
