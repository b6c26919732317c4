// SPDX-License-Identifier: Apache-2.0
// Stribeck's curve, regularised Coulomb friction and LuGre: tangents, known states, energy.
#include <gtest/gtest.h>

#include <random>

#include "cairn/laws/compliant_lugre.h"

namespace cairn {
namespace {

const StribeckCurve falling{.static_friction = 0.8, .kinetic_friction = 0.5, .stribeck_speed = 0.02};

std::vector<StribeckCurve> curves() {
  std::vector<StribeckCurve> all;
  for (const StribeckShape shape : {StribeckShape::Exponential, StribeckShape::Rational})
    for (const double n : {1.0, 2.0, 3.5}) {
      all.push_back(falling);
      all.back().stribeck_exponent = n;
      all.back().shape = shape;
    }
  return all;
}

TEST(Stribeck, falls_from_static_to_kinetic_with_the_slope_of_finite_differences) {
  for (const StribeckCurve& curve : curves()) {
    EXPECT_EQ(friction_at(curve, 0).coefficient, 0.8);
    for (const double w : {1e-3, 0.01, 0.02, 0.05, 0.2}) {
      const double d = 1e-7;
      EXPECT_NEAR(friction_at(curve, w).slope,
                  (friction_at(curve, w + d).coefficient - friction_at(curve, w - d).coefficient) / (2 * d), 1e-6);
      EXPECT_LE(friction_at(curve, w).slope, 0);
    }
    for (const double w : {1e50, 1e300}) {
      EXPECT_NEAR(friction_at(curve, w).coefficient, 0.5, 1e-12);
      EXPECT_NEAR(friction_at(curve, w).slope, 0, 1e-12);
    }
    const double at_speed = curve.shape == StribeckShape::Rational ? 0.5 : std::exp(-1.0);
    EXPECT_NEAR(friction_at(curve, 0.02).coefficient, 0.5 + 0.3 * at_speed, 1e-15);
  }
  // Studer 2009, 7.6.2.1: a/(1 + delta |g|).
  const StribeckCurve studer{0.4, 0, 1 / 3.0, 1, StribeckShape::Rational};
  EXPECT_NEAR(friction_at(studer, 0.7).coefficient, 0.4 / (1 + 3 * 0.7), 1e-15);
}

TEST(RegularisedCoulomb, tangents_agree_with_finite_differences_and_friction_opposes_sliding) {
  std::mt19937 rng(3);
  std::normal_distribution<double> number;
  for (const FrictionRamp ramp : {FrictionRamp::Linear, FrictionRamp::Tanh, FrictionRamp::SquareRoot})
    for (const StribeckCurve& curve : curves()) {
      const RegularisedCoulomb law{curve, 0.01, ramp};
      for (int i = 0; i < 50; ++i) {
        const Vec2 u = 0.015 * Vec2(number(rng), number(rng));
        if (std::abs(u.norm() - 0.01) < 1e-5 || u.norm() < 1e-4) continue;
        const double N = 3, d = 1e-8;
        const TangentForce at = friction_force(law, u, N);
        for (int k = 0; k < 2; ++k) {
          const Vec2 e = d * Vec2::Unit(k);
          const Vec2 difference = (friction_force(law, u + e, N).force - friction_force(law, u - e, N).force) / (2 * d);
          EXPECT_LT((at.per_velocity.col(k) - difference).norm(), 1e-4);  // of N mu/u0 = 240
        }
        EXPECT_LT((at.per_normal - (friction_force(law, u, N + 1).force - at.force)).norm(), 1e-13);
        EXPECT_LE(at.force.norm(), N * friction_at(curve, u.norm()).coefficient * (1 + 1e-15));
        EXPECT_NEAR(at.force.dot(u), -at.force.norm() * u.norm(), 1e-15);
      }
      const TangentForce rest = friction_force(law, Vec2::Zero(), 3);
      EXPECT_EQ(rest.force, Vec2::Zero());
      EXPECT_NEAR((rest.per_velocity + 3 * 0.8 / 0.01 * Mat2::Identity()).norm(), 0, 1e-12);
    }
}

TEST(RegularisedCoulomb, creeps_down_an_incline_at_the_speed_of_its_ramp) {
  // Hewlett 2020, check C7: 10 degrees, mu = 1, u0 = 1.75 m/s: 0.3086 m/s.
  const double angle = 10 * 3.14159265358979323846 / 180, mg = 4;
  RegularisedCoulomb law{{.static_friction = 1, .kinetic_friction = 1}, 1.75, FrictionRamp::Linear};
  EXPECT_NEAR(1.75 * std::tan(angle), 0.3086, 5e-5);
  EXPECT_NEAR(friction_force(law, {0, 1.75 * std::tan(angle)}, mg * std::cos(angle)).force[1], -mg * std::sin(angle),
              1e-14);
  law.ramp = FrictionRamp::Tanh;
  const double creep = 1.75 * std::atanh(std::tan(angle));
  EXPECT_NEAR(friction_force(law, {0, creep}, mg * std::cos(angle)).force[1], -mg * std::sin(angle), 1e-14);
}

LuGre bristles(double damping = 30) {
  return {.friction = falling, .bristle_stiffness = 2000, .bristle_damping = damping, .viscous_friction = 0.7};
}

TEST(LuGre, steady_sliding_gives_the_stribeck_curve_and_the_viscous_part) {
  for (const double w : {1e-4, 0.01, 0.02, 0.1, 3.0}) {
    const Vec2 v = w * Vec2(0.6, -0.8);
    const double N = 5;
    Vec2 z(1e-4, 1e-4);
    for (int i = 0; i < 100; ++i) z = step_lugre(bristles(), z, v, N, 0.1 * 0.8 / (2000 * w) * 5).bristle;
    const double expected = N * (0.5 + 0.3 * std::exp(-(w / 0.02) * (w / 0.02)) + 0.7 * w);
    EXPECT_LT((step_lugre(bristles(), z, v, N, 0.01).mean.force + expected * v / w).norm(), 1e-12 * expected);
    EXPECT_LT((bristle_force(bristles(), z, v, N) + expected * v / w).norm(), 1e-12 * expected);
  }
}

TEST(LuGre, before_sliding_it_is_a_spring_of_stiffness_N_s0) {
  const double N = 5, x = 1e-8, h = 10;  // so slowly that nothing is viscous
  const LuGreStep step = step_lugre(bristles(0), Vec2::Zero(), {x / h, 0}, N, h);
  EXPECT_NEAR(step.bristle[0] / x, 1, 1e-4);  // slip is x s0/(2 mu_s) = 1.25e-5 of x
  const Vec2 held = bristle_force(bristles(), step.bristle, Vec2::Zero(), N);
  EXPECT_NEAR(held[0] / (-N * 2000 * x), 1, 1e-4);
  // At rest bristles stay as they are.
  EXPECT_EQ(step_lugre(bristles(), step.bristle, Vec2::Zero(), N, 100).bristle, step.bristle);
}

TEST(LuGre, a_step_is_exact_at_constant_velocity) {
  const LuGre law = bristles();
  const Vec2 v(0.013, 0.006), z0(2e-4, -1e-4);
  for (const double h : {1e-4, 0.01, 0.3}) {
    const int n = 20000;
    Vec2 z = z0, impulse = Vec2::Zero();
    for (int i = 0; i < n; ++i) {  // Runge-Kutta of order four; Simpson's rule for the impulse
      const double d = h / n;
      const Vec2 k1 = bristle_rate(law, z, v), k2 = bristle_rate(law, z + d / 2 * k1, v),
                 k3 = bristle_rate(law, z + d / 2 * k2, v), k4 = bristle_rate(law, z + d * k3, v);
      const Vec2 middle = z + d / 2 * k2, end = z + d / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      impulse +=
          d / 6 * (bristle_force(law, z, v, 2) + 4 * bristle_force(law, middle, v, 2) + bristle_force(law, end, v, 2));
      z = end;
    }
    const LuGreStep step = step_lugre(law, z0, v, 2, h);
    EXPECT_LT((step.bristle - z).norm(), 1e-12 * z0.norm());
    EXPECT_LT((h * step.mean.force - impulse).norm(), 1e-9 * impulse.norm());
  }
}

TEST(LuGre, tangents_of_a_step_agree_with_finite_differences) {
  std::mt19937 rng(4);
  std::normal_distribution<double> number;
  for (const double damping : {0.0, 30.0, 5000.0})  // the last one is lowered nearly everywhere
    for (const double h : {1e-4, 1e-2, 1.0})
      for (int i = 0; i < 50; ++i) {
        const LuGre law = bristles(damping);
        const Vec2 v = 0.05 * Vec2(number(rng), number(rng)), z = 2e-4 * Vec2(number(rng), number(rng));
        const double N = 3, d = 1e-7;
        // The bound on s1 has a kink where it begins.
        const double mu = friction_at(law.friction, v.norm()).coefficient;
        const double margin = damping * damping * v.norm() / (4 * (damping + 0.7) * mu);
        if (std::abs(margin - 1) < 1e-3 || v.norm() < 1e-3) continue;
        const TangentForce at = step_lugre(law, z, v, N, h).mean;
        const double size = at.per_velocity.norm();
        for (int k = 0; k < 2; ++k) {
          const Vec2 e = d * Vec2::Unit(k);
          const Vec2 difference =
              (step_lugre(law, z, v + e, N, h).mean.force - step_lugre(law, z, v - e, N, h).mean.force) / (2 * d);
          EXPECT_LT((at.per_velocity.col(k) - difference).norm(), 1e-5 * size) << damping << " " << h;
        }
        EXPECT_LT((at.force - N * at.per_normal).norm(), 1e-14 * at.force.norm());
      }
}

TEST(LuGre, dissipates_in_every_step_of_random_histories) {
  std::mt19937 rng(5);
  std::normal_distribution<double> number;
  for (const double damping : {0.0, 30.0, 3000.0})
    for (const double viscous : {0.0, 0.7})
      for (const double h : {1e-5, 1e-3, 0.1}) {
        LuGre law = bristles(damping);
        law.viscous_friction = viscous;
        Vec2 z = Vec2::Zero();
        for (int i = 0; i < 3000; ++i) {
          const Vec2 v = std::pow(10, 2 * number(rng) - 2) * Vec2(number(rng), number(rng)).normalized();
          const LuGreStep step = step_lugre(law, z, v, 2, h);
          const double work = h * step.mean.force.dot(v), stored = bristle_energy(law, step.bristle, 2);
          const double before = bristle_energy(law, z, 2);
          ASSERT_LE(work + stored - before, 1e-12 * (std::abs(work) + stored + before)) << damping << " " << h;
          ASSERT_LE(step.bristle.norm(), 0.8 / 2000 * (1 + 1e-12));
          z = step.bristle;
        }
      }
}

TEST(LuGre, holds_a_block_below_the_limit_with_steps_far_longer_than_its_period) {
  // m dv = h (load + f(v+)), by Newton with the tangent. The bristles swing with a period of 2 pi sqrt(m/(N s0)) = 2
  // ms.
  LuGre law{.friction = falling, .bristle_stiffness = 1e6, .bristle_damping = 300};
  const double m = 1, N = 10, load = 6, h = 0.01;
  Vec2 v = Vec2::Zero(), z = Vec2::Zero();
  LuGreStep step{};
  for (int i = 0; i < 2000; ++i) {
    Vec2 next = Vec2::Zero();
    for (int newton = 0; newton < 30; ++newton) {
      step = step_lugre(law, z, next, N, h);
      const Vec2 residual = m * (next - v) - h * (Vec2(load, 0) + step.mean.force);
      const Mat2 matrix = m * Mat2::Identity() - h * step.mean.per_velocity;
      next -= matrix.inverse() * residual;
      if (residual.norm() < 1e-15) break;
    }
    v = next;
    z = step_lugre(law, z, v, N, h).bristle;
  }
  EXPECT_LT(v.norm(), 1e-12);
  EXPECT_NEAR(z[0], load / (N * 1e6), 1e-12);
}

TEST(LuGre, and_regularised_coulomb_refuse_wrong_parameters) {
  EXPECT_NO_THROW(check_lugre("foot", LuGre{}));
  EXPECT_NO_THROW(check_regularised_coulomb("foot", RegularisedCoulomb{}));
  const auto refused = [](LuGre law, const std::string& message) {
    try {
      check_lugre("foot", law);
      ADD_FAILURE() << "accepted; expected: " << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), message);
    }
  };
  refused({.bristle_stiffness = 0}, "foot: bristle_stiffness is 0 1/m; must be > 0");
  refused({.friction = {.static_friction = 0.2}},
          "foot: kinetic_friction is 0.5; must be at most static_friction, 0.2");
  refused({.friction = {.kinetic_friction = 0}}, "foot: kinetic_friction is 0; must be > 0, bristles hold by it");
  EXPECT_THROW(check_regularised_coulomb("foot", {.ramp_speed = 0}), Error);
  EXPECT_THROW(check_regularised_coulomb("foot", {.friction = {.static_friction = 0.1}}), Error);
  EXPECT_THROW(check_stribeck("foot", {.stribeck_exponent = 0.5}), Error);
}

}  // namespace
}  // namespace cairn
