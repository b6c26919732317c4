// SPDX-License-Identifier: Apache-2.0
// The impact oscillator of Studer (2009), 6.5.3: a mass of 0.1 kg on a spring of 20 N/m, free at x = -0.15 m, with a
// stop at x = 0 and e = 0.6. Stop and gravity are in a figure only; no gravity is assumed.
#pragma once
#include "cairn/sim/model.h"

namespace cairn::validation {

Model make_impact_oscillator(double x0, double v0);
/// x at a time, by formula; impact times if asked for.
double exact_impact_oscillator(double x0, double v0, double time, std::vector<double>* impacts = nullptr);

}  // namespace cairn::validation
