// SPDX-License-Identifier: Apache-2.0
// The functions behind the cases of joints, mechanisms and chains; book.cpp gives them their names and texts.
#pragma once
#include "book.h"

namespace cairn::validation {

CaseResult run_four_bar(Effort effort);         // J1
CaseResult run_wedge(Effort effort);            // F12
CaseResult run_struck_pendulum(Effort effort);  // I8
CaseResult run_catenary(Effort effort);         // C3
CaseResult run_rod_pendulum(Effort effort);     // M1
CaseResult run_cradle(Effort effort);           // M6

}  // namespace cairn::validation
