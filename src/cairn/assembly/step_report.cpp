// SPDX-License-Identifier: Apache-2.0
// Reports of steps.
#include "cairn/assembly/step_report.h"

#include <algorithm>

namespace cairn {

std::string_view to_string(StepStatus status) {
  switch (status) {
    case StepStatus::Done: return "done";
    case StepStatus::NotFinite: return "not-finite";
    case StepStatus::BodyInverted: return "body-inverted";
    case StepStatus::IndefiniteStiffness: return "indefinite-stiffness";
    case StepStatus::StepLimit: return "step-limit";
    case StepStatus::Accumulation: return "accumulation";
  }
  return "?";
}

void fall_short(SolveReport& solve, std::string why) {
  if (solve.status != SolveStatus::Converged) return;
  solve.status = SolveStatus::Stalled;
  solve.message = std::move(why);
}

void StepReport::add(const StepReport& part) {
  const bool first = parts == 0;
  ++parts;
  status = part.status;
  if (first || part.solve.residual.scaled > solve.residual.scaled) {
    const int iterations = solve.iterations;
    solve = part.solve;
    solve.iterations += iterations;
  } else {
    solve.iterations += part.solve.iterations;
  }
  contacts = std::max(contacts, part.contacts);
  penetration = std::max(penetration, part.penetration);
  compression = std::max(compression, part.compression);
  joint_drift = part.joint_drift;
  joint_tilt = part.joint_tilt;
  reduction = std::max(reduction, part.reduction);
  work += part.work;
  times += part.times;
}

}  // namespace cairn
