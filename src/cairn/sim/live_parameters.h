// SPDX-License-Identifier: Apache-2.0
// What of a model may be turned while it runs: gravity, friction of pairs of materials, targets of motors.
#pragma once
#include "cairn/sim/simulation.h"

#include <string>
#include <string_view>
#include <vector>

namespace cairn {

struct LiveParameter {
  std::string name;   ///< gravity.z, friction.steel.ice, motor.NAME
  std::string label;  ///< for a person
  std::string unit;
  double value = 0, min = 0, max = 0;
};

/// Those this model has, as they stand. A motor whose target is a function of time shows its present value; once set it
/// is constant. Of servos only those with a limited force: others would make a jump of the target a blow.
std::vector<LiveParameter> live_parameters(const Simulation& simulation);

/// Between two steps. Throws Error when there is none of that name or the value is out of its range.
void set_live_parameter(Simulation& simulation, std::string_view name, double value);

}  // namespace cairn
