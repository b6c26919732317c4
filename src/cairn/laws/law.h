// SPDX-License-Identifier: Apache-2.0
// Set-valued laws as values: which (U, r) a constraint admits. Local components are ordered (N, T1, T2, M1, M2, S):
// normal, tangents, rolling moments, spinning moment; a law has those it names.
//
//   coulomb           0 <= U_N + e min(0, U_N^-)  _|_  r_N >= 0,   |r_T| <= mu r_N, r_T opposes U_T  (3 rows)
//   frictionless      the same with mu = 0                                                           (1 row)
//   bilateral         U = 0, r free                                                                  (1 to 6 rows)
//   rolling           coulomb, and |m| <= mu_r r_N, m opposes the rolling velocity                   (5 rows)
//   interval          lower <= r <= upper, -U in the normal cone of [lower, upper] at r              (1 row)
//   orthotropic       coulomb with (r_1/mu_1)^2 + (r_2/mu_2)^2 <= r_N^2, -U_T normal to that ellipse (3 rows)
//   tresca            r_N >= 0 as in coulomb, |r_T| <= limit whatever r_N is                         (2 or 3 rows)
//   disc              |r| <= limit, r opposes U: dry friction in two directions                      (2 rows)
//   spinning          coulomb, and |m_S| <= mu_s r_N, m_S opposes the spin                           (4 rows: N, T, S)
//   rolling-spinning  rolling and spinning together                                                  (6 rows)
//   contensou         |(r_T/mu, m_S/mu_s)| <= r_N, -(U_T, omega_S) normal to that ellipsoid          (4 rows: N, T, S)
//   rolling-contensou contensou, and |m| <= mu_r r_N as in rolling                      (6 rows, here N, T, S, M1, M2)
// Newton's restitution e in Moreau's inequality form with Koziara's guard (10.1.27) enters the right-hand side of the
// problem; what a solver sees is the set alone: K_mu = { |r_T| <= mu r_N } or everything.
#pragma once
#include "cairn/base/parameters.h"
#include "cairn/math/types.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace cairn {

enum class LawKind : std::uint8_t {
  Coulomb,
  Frictionless,
  Bilateral,
  Rolling,
  Interval,
  Orthotropic,
  Tresca,
  Disc,
  Spinning,
  RollingSpinning,
  Contensou,
  RollingContensou
};

struct ConstraintLaw;

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
  Vec3 direction = Vec3::UnitX();  ///< orthotropic: T1, in the axes of the body whose material is named first
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

/// One row of the registry of laws.
struct LawInfo {
  LawKind kind;
  std::string_view name;
  std::string_view help;
  int rows;
  bool contact;  ///< may be chosen where surfaces touch
  /// Names the parameters of the law and leaves in `law` what the visitor gives them.
  void (*describe)(ContactLaw& law, ParameterVisitor& v);
  /// The same for the numbers of its set, as solvers get them (constraint_law.h).
  void (*describe_set)(ConstraintLaw& law, ParameterVisitor& v);
};

/// All laws, in the order of the enumeration.
std::span<const LawInfo> law_kinds();
/// Rows of a constraint of that kind between bodies in space.
int law_rows(LawKind kind);

/// Euclidean projection on K_mu.
Vec3 project_on_cone(const Vec3& x, double mu);

/// De Saxce's velocity U + mu |U_T| e_N.
inline Vec3 shift_velocity(const Vec3& U, double mu) {
  return {U[0] + mu * std::sqrt(U[1] * U[1] + U[2] * U[2]), U[1], U[2]};
}

/// scale r - P_K(scale r - U~): zero exactly where the law holds (`scale` [1/kg] > 0 makes the impulse a velocity).
Vec3 natural_map(LawKind kind, double mu, const Vec3& U, const Vec3& r, double scale);

}  // namespace cairn
