// SPDX-License-Identifier: Apache-2.0
// Regularised Coulomb friction.
#include "cairn/laws/compliant_friction.h"

#include <array>
#include <cmath>

namespace cairn {
namespace {

struct Ramp {
  double secant, slope;  ///< s/x and ds/dx, both 1 at x = 0
};

Ramp evaluate_ramp(FrictionRamp ramp, double x) {
  if (x == 0) return {1, 1};
  switch (ramp) {
    case FrictionRamp::Tanh: {
      const double s = std::tanh(x);
      return {s / x, (1 - s) * (1 + s)};
    }
    case FrictionRamp::SquareRoot: {
      const double root = std::hypot(1, x);
      return {1 / root, 1 / (root * root * root)};
    }
    case FrictionRamp::Linear: break;
  }
  return x < 1 ? Ramp{1, 1} : Ramp{1 / x, 0};
}

}  // namespace

void RegularisedCoulomb::describe(ParameterVisitor& v) {
  static constexpr std::array<std::string_view, 3> ramps{"linear", "tanh", "square-root"};
  friction.describe(v);
  v.real("ramp_speed", ramp_speed, "m/s", positive, "speed u0 by which friction is full");
  v.choice("ramp", ramp, ramps, "how friction grows from rest");
}

void check_regularised_coulomb(std::string_view owner, const RegularisedCoulomb& law) {
  check_parameters(owner, law);
  check_stribeck(owner, law.friction);
}

TangentForce friction_force(const RegularisedCoulomb& law, const Vec2& velocity, double normal_force) {
  const double speed = velocity.norm();
  const Friction mu = friction_at(law.friction, speed);
  const Ramp s = evaluate_ramp(law.ramp, speed / law.ramp_speed);

  // f_T = -N q u with the secant q = mu s/|u|: across u the tangent is q, along u it is d(mu s)/d|u|.
  const double across = mu.coefficient * s.secant / law.ramp_speed;
  const double along = mu.coefficient * s.slope / law.ramp_speed + mu.slope * s.secant * speed / law.ramp_speed;
  const Vec2 e = speed > 0 ? Vec2(velocity / speed) : Vec2(Vec2::Zero());
  const Vec2 per_normal = -across * velocity;
  return {normal_force * per_normal,
          -normal_force * (across * Mat2::Identity() + (along - across) * (e * e.transpose())), per_normal};
}

}  // namespace cairn
