// SPDX-License-Identifier: Apache-2.0
// Contact without friction: 0 <= U_N + e min(0, U_N^-)  _|_  r_N >= 0. One row, or up to three of which only the normal
// one carries.
#include "cairn/laws/law_parameters.h"
#include "cairn/math/friction_cone.h"

namespace cairn {
namespace {

void describe(ContactLaw& law, ParameterVisitor& v) {
  law.friction = 0;
  law_parameters::impact(law, v);
  law_parameters::cohesion(law, v);
  law_parameters::compliance(law, v);
}

int parts(const ConstraintLaw&, int rows, LawPart out[max_parts]) {
  out[0] = round_part(1, rows - 1, 0);
  return rows > 1 ? 1 : 0;
}

void project_ray(const ConstraintLaw&, int rows, const double* x, double* out) {
  sets::project(sets::DiscCone{.rows = rows}, x, out);
}

void derivative(const ConstraintLaw&, int rows, const double* x, double* D, bool root) {
  sets::project_derivative(sets::DiscCone{.rows = rows}, x, D, root);
}

}  // namespace

constinit const LawType frictionless_law{
    .kind = LawKind::Frictionless,
    .name = "frictionless",
    .help = "unilateral contact without friction: coulomb with friction 0",
    .rows = 1,
    .least_rows = 1,
    .most_rows = 3,
    .describe = describe,
    .example = {},
    .parts = parts,
    .project = project_ray,
    .derivative = derivative,
};

}  // namespace cairn
