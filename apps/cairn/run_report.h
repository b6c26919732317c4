// SPDX-License-Identifier: Apache-2.0
// The certificate of a run in words, as `cairn run` and `cairn info` print it.
#pragma once
#include "cairn/sim/certificate.h"

#include <string>

namespace cairn {

/// Worst values, energy balance, solver and time, one fact per line.
std::string describe(const RunSummary& summary);

/// "3.2 MB".
std::string describe_bytes(double bytes);

}  // namespace cairn
