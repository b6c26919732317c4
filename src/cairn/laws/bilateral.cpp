// SPDX-License-Identifier: Apache-2.0
// Equality of velocities, U = 0 with r free: the law of joints. One to six rows.
#include "cairn/laws/law_type.h"
#include "cairn/math/simple_sets.h"

namespace cairn {
namespace {

int no_parts(const ConstraintLaw&, int, LawPart*) { return 0; }

void keep(const ConstraintLaw&, int rows, const double* x, double* out) { sets::project(sets::Free{rows}, x, out); }

void derivative(const ConstraintLaw&, int rows, const double* x, double* D, bool) {
  sets::project_derivative(sets::Free{rows}, x, D);
}

}  // namespace

constinit const LawType bilateral_law{
    .kind = LawKind::Bilateral,
    .name = "bilateral",
    .help = "equality of velocities: the law of joints",
    .least_rows = 1,
    .most_rows = max_rows,
    .form = LawForm::Equation,
    .example = {},
    .parts = no_parts,
    .project = keep,
    .derivative = derivative,
};

}  // namespace cairn
