// SPDX-License-Identifier: Apache-2.0
// Properties every kind of body must have, and the pseudo-rigid material.
#include <gtest/gtest.h>

#include "cairn/base/error.h"
#include "cairn/bodies/affine.h"
#include "cairn/bodies/bodies.h"

namespace cairn {
namespace {

RigidSpec spinning_brick() {
  RigidSpec spec;
  spec.mass = 2.5;
  spec.inertia = Vec3(0.3, 0.5, 0.6).asDiagonal();
  spec.position = {0.1, -0.2, 0.3};
  spec.orientation = Quat(0.8, 0.1, -0.5, 0.2).normalized();
  spec.velocity = {1, 2, -1};
  spec.angular_velocity = {0.7, -1.1, 2};
  return spec;
}

AffineSpec soft_block() {
  AffineSpec spec;
  spec.shape = Box{Vec3(0.2, 0.3, 0.5)};
  spec.young = 1e5;
  spec.poisson = 0.3;
  spec.position = {0.4, 0.1, -0.2};
  spec.deformation = Mat3::Identity() + 0.05 * hat({1, 2, 3}) + 0.02 * Mat3::Ones();
  spec.velocity = {-1, 0.5, 2};
  spec.deformation_rate << 0.1, -1, 0.4, 1.2, 0, -0.7, -0.3, 0.6, 0.2;
  return spec;
}

/// Each kind of body alone in a system, by name.
std::vector<std::pair<std::string, Bodies>> all_kinds() {
  std::vector<std::pair<std::string, Bodies>> list;
  list.emplace_back("rigid", Bodies{}).second.add_rigid(spinning_brick());
  list.emplace_back("affine", Bodies{}).second.add(std::make_shared<AffineBody>(soft_block()));
  return list;
}

TEST(EveryBody, flies_freely_with_linear_and_angular_momentum_kept) {
  for (const auto& [name, bodies] : all_kinds()) {
    VecX q, u;
    bodies.initial(q, u);
    // Momentum by the impulses that would make the velocity: sum of m v and of x x m v over a box of material points is
    // what Jacobians give: p = M u tested against unit translations and rotations.
    const auto momentum = [&](const VecX& configuration, const VecX& velocity) {
      Vec6 p;
      const Bodies::Slot& s = bodies.slot(0);
      const VecX Mu = bodies.mass_matrix(0, configuration, velocity) * velocity;
      // Generalised velocity of a unit translation / rotation about the world origin, found from two Jacobians.
      for (int k = 0; k < 3; ++k) {
        VecX translation = VecX::Zero(s.nu), rotation = VecX::Zero(s.nu);
        const Vec3 axis = Vec3::Unit(k);
        const Placement place = bodies.placement(0, configuration);
        if (s.rigid) {
          translation.head<3>() = axis;
          rotation.head<3>() = axis.cross(place.c);
          rotation.tail<3>() = place.A.transpose() * axis;
        } else {
          translation.tail<3>() = axis;
          const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rate = hat(axis) * place.A;
          rotation.head<9>() = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(rate.data());
          rotation.tail<3>() = axis.cross(place.c);
        }
        p[k] = translation.dot(Mu);
        p[3 + k] = rotation.dot(Mu);
      }
      return p;
    };
    const Vec6 before = momentum(q, u);
    const double h = 1e-4;
    FreeMotion free;
    VecX q_mid(q.size()), zero = VecX::Zero(bodies.nu()), u_end = u;
    const StepContext step{0, h, Vec3::Zero(), false};
    for (int i = 0; i < 200; ++i) {
      bodies.advance(q, u, 0.5 * h, q_mid, {});
      bodies.free_motion(q_mid, u, zero, step, free, {});
      bodies.finish(RotationScheme::New2, q_mid, u, free.u_free, zero, step, free, q, u_end, {});
      u = u_end;
    }
    EXPECT_LT((momentum(q, u) - before).norm(), 1e-11 * before.norm()) << name;
  }
}

TEST(AffineBody, stress_is_the_derivative_of_energy_and_stiffness_that_of_stress) {
  const AffineBody body(soft_block());
  const Mat3 F = soft_block().deformation;
  const double volume = 8 * 0.2 * 0.3 * 0.5, d = 1e-6;
  const auto K = body.stiffness(F);
  EXPECT_LT((K - K.transpose()).norm(), 1e-12 * K.norm());
  for (int i = 0; i < 3; ++i)
    for (int J = 0; J < 3; ++J) {
      Mat3 E = Mat3::Zero();
      E(i, J) = d;
      EXPECT_NEAR(body.stress(F)(i, J), (body.energy_density(F + E) - body.energy_density(F - E)) / (2 * d), 1e-3);
      const Mat3 dP = volume * (body.stress(F + E) - body.stress(F - E)) / (2 * d);
      for (int k = 0; k < 3; ++k)
        for (int L = 0; L < 3; ++L) EXPECT_NEAR(K(3 * k + L, 3 * i + J), dP(k, L), 1e-4);
    }
}

/// Validation problem E10: cube 0.1 m, E = 1e6, nu = 0, density 1000.
AffineSpec cube_of_e10() {
  AffineSpec spec;
  spec.shape = Box{Vec3::Constant(0.05)};
  spec.young = 1e6;
  spec.poisson = 0;
  spec.density = 1000;
  return spec;
}

TEST(AffineBody, stretches_at_the_frequency_of_its_mode) {
  AffineSpec spec = cube_of_e10();
  spec.deformation(0, 0) = 1 + 1e-6;
  Bodies bodies;
  bodies.add(std::make_shared<AffineBody>(spec));
  for (const bool implicit : {false, true}) {
    VecX q, u, q_mid(12), zero = VecX::Zero(12), u_end(12);
    bodies.initial(q, u);
    const double h = 1e-6;
    FreeMotion free;
    double crossing = 0, t = 0, last = q[0] - 1;
    int crossings = 0;
    while (crossings < 20) {
      const StepContext step{t, h, Vec3::Zero(), implicit};
      bodies.advance(q, u, 0.5 * h, q_mid, {});
      bodies.free_motion(q_mid, u, zero, step, free, {});
      bodies.finish(RotationScheme::New2, q_mid, u, free.u_free, zero, step, free, q, u_end, {});
      u = u_end;
      t += h;
      const double now = q[0] - 1;
      if (last > 0 && now <= 0) {
        crossing = t - h * now / (now - last);
        ++crossings;
      }
      last = now;
    }
    // sqrt(12 E / rho) / (2 pi a) = 174.34550494 Hz; the 20th downward crossing is at 19.25 periods.
    EXPECT_NEAR(19.25 / crossing, 174.34550494, 174.3 * 1e-4);
  }
}

TEST(AffineBody, critical_step_is_where_explicit_stepping_becomes_unstable) {
  // 2/omega of the fastest mode; for nu = 0 and a cube: omega^2 = 12 E/(rho a^2) in stretch is the largest.
  const AffineBody body(cube_of_e10());
  VecX q(12), u(12);
  body.initial(q, u);
  EXPECT_NEAR(body.critical_step(q), 2 / std::sqrt(12 * 1e6 / (1000 * 0.01)), 1e-9);
}

TEST(Bodies, refuse_what_cannot_be_a_body) {
  Bodies bodies;
  const auto broken = [&](auto change) {
    RigidSpec spec = spinning_brick();
    change(spec);
    EXPECT_THROW(bodies.add_rigid(spec), Error);
  };
  broken([](RigidSpec& s) { s.mass = -3; });
  broken([](RigidSpec& s) { s.mass = std::nan(""); });
  broken([](RigidSpec& s) { s.inertia = -s.inertia; });
  broken([](RigidSpec& s) { s.inertia = Vec3(1, 1, 3).asDiagonal(); });
  broken([](RigidSpec& s) { s.inertia(0, 1) = 0.1; });
  broken([](RigidSpec& s) { s.orientation = Quat(0, 0, 0, 0); });
  broken([](RigidSpec& s) { s.velocity[1] = INFINITY; });
  AffineSpec spec = soft_block();
  spec.poisson = 0.5;
  EXPECT_THROW(AffineBody{spec}, Error);
  spec = soft_block();
  spec.shape = HalfSpace{};
  EXPECT_THROW(AffineBody{spec}, Error);
  spec = soft_block();
  spec.deformation = -Mat3::Identity();
  EXPECT_THROW(AffineBody{spec}, Error);
  EXPECT_EQ(bodies.size(), 0);
}

TEST(Bodies, inverted_body_is_a_named_status) {
  AffineSpec spec = soft_block();
  Bodies bodies;
  bodies.add(std::make_shared<AffineBody>(spec));
  VecX q, u, zero = VecX::Zero(12);
  bodies.initial(q, u);
  q[0] = -1;
  FreeMotion free;
  bodies.free_motion(q, u, zero, {0, 1e-3, Vec3::Zero(), false}, free, {});
  EXPECT_EQ(free.status, BodyStatus::Inverted);
}

}  // namespace
}  // namespace cairn
