// SPDX-License-Identifier: Apache-2.0
// Ten small motions with known ends on which every stepper is tried: for the orders (T1) and the comparison (T2).
#pragma once
#include "cairn/sim/simulation.h"

#include <span>

namespace cairn::validation {

struct SchemeMotion {
  const char* name;
  /// Error of the end of the motion [m] under a stepper at a step h. `part` in (0, 1) chooses among start states spread
  /// over more than a step. Throws Error when the stepper cannot serve it.
  double (*error)(const std::string& stepper, double h, double part);
  double step;      ///< the longest worth trying [s]
  double duration;  ///< [s]
  bool events;      ///< whether blows, or changes between sticking and sliding, are part of it
};

/// free, joint, sliding, impact, stick-slip, rolling, tumbling, double-pendulum, bouncing, wedge.
std::span<const SchemeMotion> scheme_motions();

/// Whether a stepper follows motions in time at all: those for equilibria declare no order.
bool is_dynamic(const std::string& stepper);

/// Whether a motion is left to the full form: steppers that locate switches take seconds for a block on four corners
/// that sticks and slips, where forces of single corners, and so their switches, are not determined.
bool is_slow(const SchemeMotion& motion, const std::string& stepper);

/// Root mean square of the errors over `starts` start states; 1 where there are no events.
double mean_error(const SchemeMotion& motion, const std::string& stepper, double h, int starts);

}  // namespace cairn::validation
