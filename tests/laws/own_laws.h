// SPDX-License-Identifier: Apache-2.0
// Laws that tests add as a program would: friction as a set that is no ellipsoid about 0 to the library, one that it
// knows as Coulomb's and one that it does not know.
#pragma once
#include "cairn/laws/constraint_law.h"

#include <cmath>

namespace cairn::test {

/// A disc about (centre, 0).
inline void project_on_disc(double centre, double radius, const double* x, double* out) {
  const double u = x[0] - centre, size = std::hypot(u, x[1]);
  const bool inside = size <= radius;
  out[0] = inside ? x[0] : centre + radius * u / size;
  out[1] = inside ? x[1] : radius * x[1] / size;
}
inline double disc_support(double centre, double radius, const double* y) {
  return centre * y[0] + radius * std::hypot(y[0], y[1]);
}

inline void describe(ContactLaw& law, ParameterVisitor& v) {
  v.real("friction", law.friction, "", non_negative, "coefficient");
  v.real("friction_2", law.friction_2, "", non_negative, "another");
}

/// |r_T| <= mu r_N.
inline LawKind own_coulomb() {
  static const LawKind kind =
      add_law({.name = "own-coulomb",
               .help = "a disc",
               .describe = describe,
               .example = {.mu = 0.4},
               .project_friction = [](const ConstraintLaw& law, const double* x,
                                      double* out) { project_on_disc(0, law.mu, x, out); },
               .support = [](const ConstraintLaw& law, const double* y) { return disc_support(0, law.mu, y); }});
  return kind;
}

/// Along T1 from -mu r_N to mu_2 r_N: the skin under a ski.
inline LawKind own_skin() {
  static const LawKind kind = add_law(
      {.name = "skin",
       .help = "a disc off the centre",
       .directed = true,
       .describe = describe,
       .example = {.mu = 0.1, .mu_2 = 0.5},
       .project_friction =
           [](const ConstraintLaw& law, const double* x, double* out) {
             project_on_disc((law.mu_2 - law.mu) / 2, (law.mu_2 + law.mu) / 2, x, out);
           },
       .support = [](const ConstraintLaw& law,
                     const double* y) { return disc_support((law.mu_2 - law.mu) / 2, (law.mu_2 + law.mu) / 2, y); }});
  return kind;
}

}  // namespace cairn::test
