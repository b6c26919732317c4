// SPDX-License-Identifier: Apache-2.0
// Whether a model's step is short enough for its forces, in words.
//
// A step beyond the bound of explicit forces (constraints/force_stability.h) is not an error: the bound is safe, not
// sharp, and holds at the start only; a stepper may take such forces implicitly.
#pragma once
#include "cairn/constraints/force_stability.h"
#include "cairn/sim/model.h"

#include <string>

namespace cairn {

struct ForceRemark {
  std::string text;      ///< empty when the step is within the limit
  bool warning = false;  ///< whether the run may blow up
};

/// Names the stiffest force, its limit and the step, and says what will come of it with the model's stepper.
ForceRemark describe_force_step(const Model& model, const Motion& motion);

}  // namespace cairn
