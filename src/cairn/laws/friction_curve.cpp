// SPDX-License-Identifier: Apache-2.0
// Coefficients of friction that depend on the sliding speed: see the header.
#include "cairn/laws/friction_curve.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

}  // namespace

double own_friction_at(const UserFriction& function, double w, std::string_view owner) {
  const double mu = function(w);
  if (!(std::isfinite(mu) && mu >= 0)) {
    throw Error("{}: the friction function gives {} at a sliding speed of {} m/s; must be finite and >= 0", owner, mu,
                w);
  }
  return mu;
}

void ConstantFriction::describe(ParameterVisitor& v) {
  v.real("friction", friction, "", non_negative, "Coulomb's coefficient mu");
}

void StaticKineticFriction::describe(ParameterVisitor& v) {
  v.real("static_friction", static_friction, "", non_negative, "coefficient up to the slip speed, mu_s");
  v.real("kinetic_friction", kinetic_friction, "", non_negative, "coefficient beyond it, mu_k <= mu_s");
  v.real("slip_speed", slip_speed, "m/s", non_negative, "sliding speed where the coefficient falls");
}

void check_friction_curve(std::string_view owner, const FrictionCurve& curve) {
  std::visit(Overloaded{
                 [&](const ConstantFriction& c) { check_parameters(owner, c); },
                 [&](const StaticKineticFriction& c) {
                   check_parameters(owner, c);
                   if (c.kinetic_friction > c.static_friction) {
                     throw Error("{}: kinetic_friction is {}; must be at most static_friction, {}", owner,
                                 c.kinetic_friction, c.static_friction);
                   }
                 },
                 [&](const StribeckCurve& c) { check_stribeck(owner, c); },
                 [&](const UserFriction& c) {
                   if (!c) throw Error("{}: the friction function is empty; must be one of the sliding speed", owner);
                   own_friction_at(c, 0, owner);
                 },
             },
             curve.value);
}

bool is_constant(const FrictionCurve& curve) {
  return std::visit(Overloaded{
                        [](const ConstantFriction&) { return true; },
                        [](const StaticKineticFriction& c) { return c.static_friction == c.kinetic_friction; },
                        [](const StribeckCurve& c) { return c.static_friction == c.kinetic_friction; },
                        [](const UserFriction&) { return false; },
                    },
                    curve.value);
}

Friction friction_at(const FrictionCurve& curve, double sliding_speed, std::string_view owner) {
  const double w = std::max(0.0, sliding_speed);
  return std::visit(Overloaded{
                        [](const ConstantFriction& c) {
                          return Friction{c.friction, 0};
                        },
                        [&](const StaticKineticFriction& c) {
                          return Friction{w <= c.slip_speed ? c.static_friction : c.kinetic_friction, 0};
                        },
                        [&](const StribeckCurve& c) { return friction_at(c, w); },
                        [&](const UserFriction& c) {
                          // The third root of the rounding is the best step of a central difference.
                          const double h = 6e-6 * std::max(w, 1e-3), low = std::max(0.0, w - h);
                          const double rise = own_friction_at(c, w + h, owner) - own_friction_at(c, low, owner);
                          return Friction{own_friction_at(c, w, owner), rise / (w + h - low)};
                        },
                    },
                    curve.value);
}

}  // namespace cairn
