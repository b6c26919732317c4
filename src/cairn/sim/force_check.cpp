// SPDX-License-Identifier: Apache-2.0
// The step and the forces.
#include "cairn/sim/force_check.h"

#include "cairn/steppers/stepper.h"

namespace cairn {

ForceRemark describe_force_step(const Model& model, const Motion& motion) {
  const double h = model.run.step;
  const ForceStep limit = explicit_force_step(model.system(), motion, h);
  if (limit.force < 0 || h <= limit.step) return {};
  const std::string facts = fmt::format(
      "force '{}' ({}) is stable in explicit steps up to {:.3g} s; the step is {:.3g} s", model.force_name(limit.force),
      model.system().forces[static_cast<std::size_t>(limit.force)]->kind(), limit.step, h);
  if (steppers().make(model.run.stepper.name, model.run.stepper.parameters)->takes_stiff_forces())
    return {facts + ": it is taken implicitly", false};
  return {facts + ": it may blow up", true};
}

}  // namespace cairn
