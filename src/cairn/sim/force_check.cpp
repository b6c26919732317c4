// SPDX-License-Identifier: Apache-2.0
// The step and the forces.
#include "cairn/sim/force_check.h"

namespace cairn {

std::string describe_force_step(const Model& model, const ForceStep& limit) {
  if (limit.force < 0 || model.run.step <= limit.step) return {};
  return fmt::format("force '{}' ({}) is stable in steps up to {:.3g} s; the step is {:.3g} s: it may blow up",
                     model.force_name(limit.force),
                     model.system().forces[static_cast<std::size_t>(limit.force)]->kind(), limit.step, model.run.step);
}

}  // namespace cairn
