// SPDX-License-Identifier: Apache-2.0
// Coulomb's law, and |m| <= mu_r r_N with m opposing the rolling velocity. Five rows: N, T1, T2, M1, M2.
#include "cairn/laws/law_parameters.h"

namespace cairn {
namespace {

int parts(const ConstraintLaw& law, int, LawPart out[max_parts]) {
  out[0] = round_part(1, 2, law.mu);
  out[1] = round_part(3, 2, law.mu_rolling);
  return 2;
}

}  // namespace

constinit const LawType rolling_law{
    .kind = LawKind::Rolling,
    .name = "rolling",
    .help = "coulomb with a limit mu_r r_N on the rolling moment",
    .rows = 5,
    .least_rows = 5,
    .moments = "MM",
    .describe = [](ContactLaw& law,
                   ParameterVisitor& v) { law_parameters::coulomb(law, v), law_parameters::rolling(law, v); },
    .describe_set = [](ConstraintLaw& law,
                       ParameterVisitor& v) { law_parameters::friction(law, v), law_parameters::rolling(law, v); },
    .example = {.mu = 0.5, .mu_rolling = 0.1},
    .parts = parts,
};

}  // namespace cairn
