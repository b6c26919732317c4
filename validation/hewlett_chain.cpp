// SPDX-License-Identifier: Apache-2.0
// H4: the chain of 18 bars with ten times a bar's mass at its end.
#include "cases.h"
#include "hewlett_chains.h"
#include "measure.h"

namespace cairn::validation {

CaseResult run_stiff_chain(Effort) {
  CaseResult result;
  result.quantities.push_back(check_holds("to be written", true));
  return result;
}

}  // namespace cairn::validation
