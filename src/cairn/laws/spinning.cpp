// SPDX-License-Identifier: Apache-2.0
// Coulomb's law, and |m_S| <= mu_s r_N with m_S opposing the spin. Four rows: N, T1, T2, S.
#include "cairn/laws/law_parameters.h"

namespace cairn {
namespace {

int parts(const ConstraintLaw& law, int, LawPart out[max_parts]) {
  out[0] = round_part(1, 2, law.mu);
  out[1] = round_part(3, 1, law.mu_spinning);
  return 2;
}

}  // namespace

constinit const LawType spinning_law{
    .kind = LawKind::Spinning,
    .name = "spinning",
    .help = "coulomb with a limit mu_s r_N on the spinning moment",
    .rows = 4,
    .least_rows = 4,
    .moments = "S",
    .describe = [](ContactLaw& law,
                   ParameterVisitor& v) { law_parameters::coulomb(law, v), law_parameters::spinning(law, v); },
    .describe_set = [](ConstraintLaw& law,
                       ParameterVisitor& v) { law_parameters::friction(law, v), law_parameters::spinning(law, v); },
    .example = {.mu = 0.5, .mu_spinning = 0.2},
    .parts = parts,
};

}  // namespace cairn
