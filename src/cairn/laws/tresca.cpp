// SPDX-License-Identifier: Apache-2.0
// Contact with a constant limit on friction (Tresca): r_N >= 0 as in Coulomb's law, |r_T| <= limit whatever r_N is.
// Three rows; two in the plane.
#include "cairn/laws/law_parameters.h"
#include "cairn/laws/law_sets.h"

namespace cairn {
namespace {

void describe(ContactLaw& law, ParameterVisitor& v) {
  v.real("limit", law.limit, "N", non_negative, "largest friction force of a contact point", Presence::Required);
  law_parameters::impact(law, v);
  law_parameters::cohesion(law, v);
  law_parameters::compliance(law, v);
}

int parts(const ConstraintLaw& law, int rows, LawPart out[max_parts]) {
  out[0] = round_part(1, rows - 1, law.limit, true);
  return 1;
}

void project_cylinder(const ConstraintLaw& law, int rows, const double* x, double* out) {
  out[0] = std::max(0.0, x[0]);
  sets::project(sets::Disc{law.limit, rows - 1}, x + 1, out + 1);
}

void derivative(const ConstraintLaw& law, int rows, const double* x, double* D, bool root) {
  std::fill(D, D + rows * rows, 0.0);
  D[0] = x[0] > 0 ? 1 : 0;
  fill_disc_derivative(law.limit, 1, rows, x, root, D);
}

}  // namespace

constinit const LawType tresca_law{
    .kind = LawKind::Tresca,
    .name = "tresca",
    .help = "unilateral contact with a constant limit on friction",
    .least_rows = 2,
    .grows = false,
    .describe = describe,
    .describe_set = law_parameters::limit,
    .example = {.limit = 0.4},
    .parts = parts,
    .project = project_cylinder,
    .derivative = derivative,
};

}  // namespace cairn
