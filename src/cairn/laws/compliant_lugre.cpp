// SPDX-License-Identifier: Apache-2.0
// LuGre friction: instant force, and the exact step at constant velocity with its tangent.
#include "cairn/laws/compliant_lugre.h"

#include <cmath>

namespace cairn {
namespace {

/// What depends on the sliding speed w, with derivatives by w.
struct Bristles {
  double a, a_slope;    ///< s0 w/mu [1/s]
  double s1, s1_slope;  ///< damping after the bound [s/m]
};

Bristles bristles_at(const LuGre& law, double w) {
  const auto [mu, mu_slope] = friction_at(law.friction, w);
  const double s0 = law.bristle_stiffness, s1 = law.bristle_damping, s2 = law.viscous_friction;
  Bristles b{s0 * w / mu, s0 / mu * (1 - w * mu_slope / mu), s1, 0};
  if (s1 * s1 * w > 4 * (s1 + s2) * mu) {
    // The larger root of s1^2 w = 4 (s1 + s2) mu.
    const double root = std::sqrt(mu * (mu + s2 * w));
    b.s1 = 2 * (mu + root) / w;
    b.s1_slope = 2 * (mu_slope + (2 * mu * mu_slope + s2 * (mu + w * mu_slope)) / (2 * root)) / w - b.s1 / w;
  }
  return b;
}

/// Sums over k of (-x)^k/(k+1)!, (-x)^k/(k+2)!, (-x)^k/(k+3)!: the means of exp(-x) over a step. 1 - x phi = exp(-x),
/// phi = 1 - x psi, psi = 1/2 - x chi; phi' = psi - phi, psi' = 2 chi - psi.
struct Means {
  double phi, psi, chi;
};

Means means_of_decay(double x) {
  if (x > 1) {
    const double phi = -std::expm1(-x) / x, psi = (1 - phi) / x;
    return {phi, psi, (0.5 - psi) / x};
  }
  double chi = 0;  // 18 terms: the next is below 1/20!
  for (int k = 20; k >= 3; --k) chi = (1 - x * chi) / k;
  chi /= 2;
  const double psi = 0.5 - x * chi;
  return {1 - x * psi, psi, chi};
}

}  // namespace

void LuGre::describe(ParameterVisitor& v) {
  friction.describe(v);
  v.real("bristle_stiffness", bristle_stiffness, "1/m", positive, "s0, stiffness before sliding per normal force");
  v.real("bristle_damping", bristle_damping, "s/m", non_negative, "s1, damping of the bristles per normal force");
  v.real("viscous_friction", viscous_friction, "s/m", non_negative, "s2, friction per speed and normal force");
}

void check_lugre(std::string_view owner, const LuGre& law) {
  check_parameters(owner, law);
  check_stribeck(owner, law.friction);
  if (!(law.friction.kinetic_friction > 0)) {
    throw Error("{}: kinetic_friction is {}; must be > 0, bristles hold by it", owner, law.friction.kinetic_friction);
  }
}

Vec2 bristle_rate(const LuGre& law, const Vec2& bristle, const Vec2& velocity) {
  return velocity - bristles_at(law, velocity.norm()).a * bristle;
}

Vec2 bristle_force(const LuGre& law, const Vec2& bristle, const Vec2& velocity, double normal_force) {
  const Bristles b = bristles_at(law, velocity.norm());
  return -normal_force *
         (law.bristle_stiffness * bristle + b.s1 * (velocity - b.a * bristle) + law.viscous_friction * velocity);
}

double bristle_energy(const LuGre& law, const Vec2& bristle, double normal_force) {
  return normal_force * law.bristle_stiffness * bristle.squaredNorm() / 2;
}

LuGreStep step_lugre(const LuGre& law, const Vec2& bristle, const Vec2& velocity, double normal_force, double h) {
  const double w = velocity.norm();
  const Bristles b = bristles_at(law, w);
  const auto [phi, psi, chi] = means_of_decay(b.a * h);

  // z(t) = exp(-a t) z0 + (1 - exp(-a t))/a v: its mean, and its mean rate (z(h) - z0)/h.
  const Vec2 drive = velocity - b.a * bristle;
  const Vec2 mean = phi * bristle + h * psi * velocity, rate = phi * drive;
  const double s0 = law.bristle_stiffness, s2 = law.viscous_friction;
  const Vec2 per_normal = -(s0 * mean + b.s1 * rate + s2 * velocity);

  // v enters directly, and through w in a and s1; e = dw/dv, taken 0 at rest, where a has a kink.
  const Vec2 e = w > 0 ? Vec2(velocity / w) : Vec2(Vec2::Zero());
  const double phi_slope = (psi - phi) * h * b.a_slope, psi_slope = (2 * chi - psi) * h * b.a_slope;
  const Vec2 mean_slope = phi_slope * bristle + h * psi_slope * velocity;
  const Vec2 rate_slope = phi_slope * drive - phi * b.a_slope * bristle;
  const Mat2 per_velocity = (s0 * h * psi + b.s1 * phi + s2) * Mat2::Identity() +
                            (s0 * mean_slope + b.s1 * rate_slope + b.s1_slope * rate) * e.transpose();
  return {{normal_force * per_normal, -normal_force * per_velocity, per_normal}, bristle + h * rate};
}

}  // namespace cairn
