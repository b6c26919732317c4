// SPDX-License-Identifier: Apache-2.0
// Coulomb-Contensou friction with rolling: |(r_T/mu, m_S/mu_s)| <= r_N and |m| <= mu_r r_N. Six rows, the spin before
// the rolling moments: N, T1, T2, S, M1, M2.
#include "cairn/laws/law_parameters.h"
#include "cairn/math/elliptic_cone.h"

namespace cairn {
namespace {

void describe(ContactLaw& law, ParameterVisitor& v) {
  law_parameters::coulomb(law, v), law_parameters::rolling(law, v), law_parameters::spinning(law, v);
}

void describe_set(ConstraintLaw& law, ParameterVisitor& v) {
  law_parameters::friction(law, v), law_parameters::rolling(law, v), law_parameters::spinning(law, v);
}

int parts(const ConstraintLaw& law, int, LawPart out[max_parts]) {
  out[0] = {1, 3, {law.mu, law.mu, law.mu_spinning}, false, false};
  out[1] = round_part(4, 2, law.mu_rolling);
  return 2;
}

sets::RollingContensouCone cone(const ConstraintLaw& law) { return {{law.mu, law.mu_spinning}, law.mu_rolling}; }

void project_cone(const ConstraintLaw& law, int, const double* x, double* out) { sets::project(cone(law), x, out); }

void derivative(const ConstraintLaw& law, int, const double* x, double* D, bool root) {
  sets::project_derivative(cone(law), x, D, root);
}

}  // namespace

constinit const LawType rolling_contensou_law{
    .kind = LawKind::RollingContensou,
    .name = "rolling-contensou",
    .help = "contensou with a limit mu_r r_N on the rolling moment",
    .rows = 6,
    .least_rows = 6,
    .moments = "SMM",
    .describe = describe,
    .describe_set = describe_set,
    .example = {.mu = 0.5, .mu_rolling = 0.1, .mu_spinning = 0.2},
    .parts = parts,
    .project = project_cone,
    .derivative = derivative,
};

}  // namespace cairn
