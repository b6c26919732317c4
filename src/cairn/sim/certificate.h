// SPDX-License-Identifier: Apache-2.0
// The certificate: after each step, in numbers, how well the exact laws were met.
#pragma once
#include "cairn/steppers/stepper.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cairn {

/// What is wrong with a run (sim/run_checks.h).
struct RunWarning {
  enum class Kind { EnergyGain, OpenJoint };
  static constexpr int energy_flag = 1, joint_flag = 2;  ///< in Certificate::warnings
  Kind kind = Kind::EnergyGain;
  std::string subject = {};          ///< the joint; of energy its largest cause; empty: not known
  double time = 0;                   ///< when it was first too much [s]
  double worst = 0, worst_time = 0;  ///< [J] or [m]
  double limit = 0, scale = 0;       ///< what is too much, and what it is compared with; 0: not known
};

/// Of one step.
struct Certificate {
  double time = 0;  ///< at the end of the step [s]
  StepStatus status = StepStatus::Done;
  SolveStatus solve_status = SolveStatus::Converged;
  double residual = 0;           ///< scaled natural map (problem/residual.h)
  double residual_relative = 0;  ///< natural map in Siconos' normalisation
  double cone = 0;               ///< cone violation over the largest impulse
  double penetration = 0;        ///< [m]
  double compression = 0;        ///< of contacts that yield: part of their law [m]
  double joint_drift = 0;        ///< of points [m]
  double joint_tilt = 0;         ///< of directions [rad]
  int parts = 1;                 ///< into which the step was divided, so that fast bodies do not pass through others
  double reduction = 0;          ///< lever arm lost by leaving out contact points [m]
  Energy energy;                 ///< at the end of the step [J]
  Work work;                     ///< during the step [J]
  double numerical = 0;          ///< change of energy minus work: made or lost by the discretisation [J]
  double energy_gain = 0;        ///< gained without a cause since the start of the run [J]
  int warnings = 0;              ///< flags of RunWarning that hold at the end of the step
  int contacts = 0;
  int iterations = 0;
  StepTimes times;
};

/// Of a whole run: worst values and sums.
struct RunSummary {
  std::int64_t steps = 0;
  double simulated = 0;  ///< [s]
  double seconds = 0;    ///< wall clock of the steps
  StepStatus status = StepStatus::Done;
  std::int64_t not_converged = 0;  ///< steps whose solve missed its tolerance
  std::int64_t divided = 0;        ///< steps that were divided
  double residual = 0, residual_relative = 0, cone = 0, penetration = 0, joint_drift = 0;  ///< worst
  double joint_tilt = 0, reduction = 0, compression = 0;                                   ///< worst
  double energy_begin = 0, energy_end = 0;
  double energy_scale = 0;  ///< largest kinetic + stored energy and work seen: what errors are compared with [J]
  Work work;                ///< sums
  double numerical = 0;     ///< sum
  double energy_rise = 0;   ///< worst rise in one step beyond the work of loads and drives [J]
  int contacts_max = 0;
  std::int64_t iterations = 0;
  int iterations_max = 0;
  StepTimes times;  ///< sums
  std::vector<RunWarning> warnings;

  void add(const Certificate& certificate, double energy_before, double h);
};

}  // namespace cairn
