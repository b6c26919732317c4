// SPDX-License-Identifier: Apache-2.0
// Sums and worst values of certificates over a run.
#include "cairn/sim/certificate.h"

#include <algorithm>
#include <cmath>

namespace cairn {

void RunSummary::add(const Certificate& c, double energy_before, double h) {
  if (steps == 0) energy_begin = energy_before;
  ++steps;
  simulated += h;
  seconds += c.times.total;
  status = c.status;
  if (c.solve_status != SolveStatus::Converged) ++not_converged;
  residual = std::max(residual, c.residual);
  residual_relative = std::max(residual_relative, c.residual_relative);
  cone = std::max(cone, c.cone);
  penetration = std::max(penetration, c.penetration);
  compression = std::max(compression, c.compression);
  joint_drift = std::max(joint_drift, c.joint_drift);
  joint_tilt = std::max(joint_tilt, c.joint_tilt);
  reduction = std::max(reduction, c.reduction);
  if (c.parts > 1) ++divided;
  energy_end = c.energy.total();
  energy_scale = std::max({energy_scale, c.energy.kinetic + c.energy.elastic, std::abs(c.work.total())});
  work += c.work;
  numerical += c.numerical;
  energy_rise = std::max(energy_rise, c.energy.total() - energy_before - c.work.loads - c.work.drive);
  contacts_max = std::max(contacts_max, c.contacts);
  iterations += c.iterations;
  iterations_max = std::max(iterations_max, c.iterations);
  times += c.times;
}

}  // namespace cairn
