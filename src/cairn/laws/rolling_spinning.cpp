// SPDX-License-Identifier: Apache-2.0
// Coulomb's law with limits on the rolling moment, |m| <= mu_r r_N, and on the spinning moment, |m_S| <= mu_s r_N. Six
// rows: N, T1, T2, M1, M2, S.
#include "cairn/laws/law_parameters.h"

namespace cairn {
namespace {

void describe(ContactLaw& law, ParameterVisitor& v) {
  law_parameters::coulomb(law, v), law_parameters::rolling(law, v), law_parameters::spinning(law, v);
}

void describe_set(ConstraintLaw& law, ParameterVisitor& v) {
  law_parameters::friction(law, v), law_parameters::rolling(law, v), law_parameters::spinning(law, v);
}

int parts(const ConstraintLaw& law, int, LawPart out[max_parts]) {
  out[0] = round_part(1, 2, law.mu);
  out[1] = round_part(3, 2, law.mu_rolling);
  out[2] = round_part(5, 1, law.mu_spinning);
  return 3;
}

}  // namespace

constinit const LawType rolling_spinning_law{
    .kind = LawKind::RollingSpinning,
    .name = "rolling-spinning",
    .help = "coulomb with limits on the rolling and the spinning moment",
    .rows = 6,
    .least_rows = 6,
    .moments = "MMS",
    .describe = describe,
    .describe_set = describe_set,
    .example = {.mu = 0.5, .mu_rolling = 0.1, .mu_spinning = 0.2},
    .parts = parts,
};

}  // namespace cairn
