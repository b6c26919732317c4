// SPDX-License-Identifier: Apache-2.0
// Coulomb's law: 0 <= U_N + e min(0, U_N^-)  _|_  r_N >= 0,  |r_T| <= mu r_N, r_T opposes U_T. Three rows; two in the
// plane.
//
// The law of nearly all contacts: solvers have it in their own loops too (friction_cone.h, single_contact.h).
#include "cairn/laws/law_parameters.h"
#include "cairn/math/friction_cone.h"

namespace cairn {
namespace {

int parts(const ConstraintLaw& law, int rows, LawPart out[max_parts]) {
  out[0] = round_part(1, rows - 1, law.mu);
  return rows > 1 ? 1 : 0;
}

void project_cone(const ConstraintLaw& law, int rows, const double* x, double* out) {
  if (rows == 3) return sets::project_on_friction_cone(law.mu, x, out);
  sets::project(sets::DiscCone{{{law.mu, rows - 1}}, 1, rows}, x, out);
}

}  // namespace

constinit const LawType coulomb_law{
    .kind = LawKind::Coulomb,
    .name = "coulomb",
    .help = "unilateral contact with Coulomb friction and Newton restitution (Moreau's form)",
    .least_rows = 2,
    .describe = law_parameters::coulomb,
    .describe_set = law_parameters::friction,
    .parts = parts,
    .project = project_cone,
};

}  // namespace cairn
