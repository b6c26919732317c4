// SPDX-License-Identifier: Apache-2.0
// Temporary: declarations of section H.
#pragma once
#include "book.h"
namespace cairn::validation {
std::vector<Case> hewlett_cases();
CaseResult run_fixed_share(Effort effort);
CaseResult run_energy_feedback(Effort effort);
CaseResult run_damped_pendulum(Effort effort);
CaseResult run_stiff_chain(Effort effort);
CaseResult run_penalty_maps(Effort effort);
CaseResult run_penalty_stiffness(Effort effort);
CaseResult run_penalty_chains(Effort effort);
}  // namespace cairn::validation
