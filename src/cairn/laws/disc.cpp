// SPDX-License-Identifier: Apache-2.0
// Dry friction with a constant limit in two directions, without a contact: |r| <= limit, r opposes U. Two rows.
#include "cairn/laws/law_parameters.h"
#include "cairn/laws/law_sets.h"

namespace cairn {
namespace {

int parts(const ConstraintLaw& law, int rows, LawPart out[max_parts]) {
  out[0] = round_part(0, rows, law.limit, true);
  return 1;
}

void project_disc(const ConstraintLaw& law, int rows, const double* x, double* out) {
  sets::project(sets::Disc{law.limit, rows}, x, out);
}

void derivative(const ConstraintLaw& law, int rows, const double* x, double* D, bool root) {
  fill_disc_derivative(law.limit, 0, rows, x, root, D);
}

}  // namespace

constinit const LawType disc_law{
    .kind = LawKind::Disc,
    .name = "disc",
    .help = "dry friction with a constant limit in two directions, without a contact",
    .rows = 2,
    .least_rows = 2,
    .form = LawForm::Friction,
    .grows = false,
    .describe_set = law_parameters::limit,
    .example = {.limit = 0.4},
    .parts = parts,
    .project = project_disc,
    .derivative = derivative,
};

}  // namespace cairn
