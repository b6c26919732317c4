// SPDX-License-Identifier: Apache-2.0
// Whether a model's step is short enough for its forces, in words.
//
// All steppers take forces explicitly (constraints/force_stability.h). A step beyond the bound is not an error: the
// bound is safe, not sharp, and holds at the start only.
#pragma once
#include "cairn/constraints/force_stability.h"
#include "cairn/sim/model.h"

#include <string>

namespace cairn {

/// Empty when the model's step is within the limit. Otherwise names the force, its limit and the step.
std::string describe_force_step(const Model& model, const ForceStep& limit);

}  // namespace cairn
