// SPDX-License-Identifier: Apache-2.0
// Sliding and spinning friction that share one limit (Coulomb-Contensou; Studer 2009, section 3.3):
// |(r_T/mu, m_S/mu_s)| <= r_N, -(U_T, omega_S) normal to that ellipsoid. Four rows: N, T1, T2, S.
#include "cairn/laws/law_parameters.h"
#include "cairn/math/elliptic_cone.h"

namespace cairn {
namespace {

int parts(const ConstraintLaw& law, int, LawPart out[max_parts]) {
  out[0] = {1, 3, {law.mu, law.mu, law.mu_spinning}, false, false};
  return 1;
}

void project_cone(const ConstraintLaw& law, int, const double* x, double* out) {
  sets::project(sets::ContensouCone{law.mu, law.mu_spinning}, x, out);
}

void derivative(const ConstraintLaw& law, int, const double* x, double* D, bool root) {
  sets::project_derivative(sets::ContensouCone{law.mu, law.mu_spinning}, x, D, root);
}

}  // namespace

constinit const LawType contensou_law{
    .kind = LawKind::Contensou,
    .name = "contensou",
    .help = "sliding and spinning friction that share one limit (Coulomb-Contensou)",
    .rows = 4,
    .least_rows = 4,
    .moments = "S",
    .describe = [](ContactLaw& law,
                   ParameterVisitor& v) { law_parameters::coulomb(law, v), law_parameters::spinning(law, v); },
    .describe_set = [](ConstraintLaw& law,
                       ParameterVisitor& v) { law_parameters::friction(law, v), law_parameters::spinning(law, v); },
    .example = {.mu = 0.5, .mu_spinning = 0.2},
    .parts = parts,
    .project = project_cone,
    .derivative = derivative,
};

}  // namespace cairn
