// SPDX-License-Identifier: Apache-2.0
// Which law, and the numbers of a contact law as people give them. Local components are ordered (N, T1, T2, M1, M2, S):
// normal, tangents, rolling moments, spinning moment; a law has those it names.
//
// Each law is one file of this folder (coulomb.cpp, rolling.cpp, ...): its equation, its parameters and what solvers
// ask of it, in one LawType (law_type.h). registry.cpp lists them; a program may add its own (add_law).
//
// Newton's restitution e in Moreau's inequality form with Koziara's guard (10.1.27) enters the right-hand side of the
// problem; what a solver sees is the set of impulses alone: K_mu = { |r_T| <= mu r_N } or everything.
#pragma once
#include "cairn/base/parameters.h"
#include "cairn/math/types.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <string_view>

namespace cairn {

struct LawType;

/// A law by its index in the table of all laws: a small value to store and compare. The constants are those of the
/// library; add_law() returns those of a program.
struct LawKind {
  std::uint8_t index = 0;
  const LawType& type() const;  ///< what the law answers (law_type.h)
  constexpr auto operator<=>(const LawKind&) const = default;

  static const LawKind Coulomb, Frictionless, Bilateral, Rolling, Interval, Orthotropic, Tresca, Disc, Spinning,
      RollingSpinning, Contensou, RollingContensou;
};
inline constexpr LawKind LawKind::Coulomb{0}, LawKind::Frictionless{1}, LawKind::Bilateral{2}, LawKind::Rolling{3},
    LawKind::Interval{4}, LawKind::Orthotropic{5}, LawKind::Tresca{6}, LawKind::Disc{7}, LawKind::Spinning{8},
    LawKind::RollingSpinning{9}, LawKind::Contensou{10}, LawKind::RollingContensou{11};

/// What happens where two surfaces touch: a law of contacts with its numbers. Each law reads those it names.
struct ContactLaw {
  double friction = 0.5;   ///< Coulomb's coefficient mu; of rest, where it falls with speed; orthotropic: along T1
  double restitution = 0;  ///< Newton's (or Poisson's) coefficient e
  LawKind kind = LawKind::Coulomb;
  double tangential_restitution = 0;  ///< of a blow: U_T after over -U_T before where friction suffices
  double kinetic_ratio = 1;           ///< friction at speed over that at rest
  double slip_speed = 1e-3;           ///< up to which friction is that of rest, where there is a jump [m/s]
  double stribeck_speed = 0;          ///< speed of the fall (Stribeck's curve); 0: a jump [m/s]
  std::function<double(double)> own_friction = {};  ///< friction of the sliding speed [m/s], instead of the above
  double friction_2 = 0.5;                          ///< orthotropic: along T2
  Vec3 direction = Vec3::UnitX();  ///< of T1, where the law has one: in the axes of the body whose material comes first
  double rolling_friction = 0;     ///< [m]
  double spinning_friction = 0;    ///< [m]
  double limit = 0;                ///< tresca [N]
  double cohesion = 0;   ///< holds contacts that are there at the start together, until it breaks [N per point]
  double adhesion = 0;   ///< the same for all contacts, whenever they are closed [N per point]
  double stiffness = 0;  ///< of the normal direction, per point [N/m]; 0: rigid
  double damping = 0;    ///< beside a stiffness [N s/m per point]

  /// Three rows at one point do: takes the fast path.
  bool is_plain() const {
    return (kind == LawKind::Coulomb || kind == LawKind::Frictionless) && cohesion == 0 && adhesion == 0 &&
           stiffness == 0;
  }
  /// mu at a sliding speed.
  double friction_at(double sliding_speed) const;
  void describe(ParameterVisitor& v);  ///< coulomb's numbers
};
/// Throws Error naming `owner` unless its numbers are admissible and it is a law of contacts.
void check_contact_law(std::string_view owner, const ContactLaw& law);

/// Euclidean projection on K_mu.
Vec3 project_on_cone(const Vec3& x, double mu);

/// De Saxce's velocity U + mu |U_T| e_N.
inline Vec3 shift_velocity(const Vec3& U, double mu) {
  return {U[0] + mu * std::sqrt(U[1] * U[1] + U[2] * U[2]), U[1], U[2]};
}

/// scale r - P_K(scale r - U~): zero exactly where the law holds (`scale` [1/kg] > 0 makes the impulse a velocity).
Vec3 natural_map(LawKind kind, double mu, const Vec3& U, const Vec3& r, double scale);

}  // namespace cairn
