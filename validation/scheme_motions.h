// SPDX-License-Identifier: Apache-2.0
// Ten small motions with known ends on which every stepper is tried: for the orders (T1) and the comparison (T2).
#pragma once
#include "cairn/sim/simulation.h"

#include <span>

namespace cairn::validation {

/// How a motion ended under a stepper.
struct SchemeOutcome {
  double error = 0;    ///< of the end of the motion [m]
  double seconds = 0;  ///< of the processor, without building the model
};

struct SchemeMotion {
  const char* name;
  const char* what;
  /// The motion under a stepper at a step h. `part` in (0, 1) chooses among start states spread over more than a step.
  /// Throws Error when the stepper cannot serve it.
  SchemeOutcome (*run)(const std::string& stepper, double h, double part);
  double step;      ///< the longest at which all schemes show their order [s]
  double duration;  ///< [s]
  bool events;      ///< whether blows, or changes between sticking and sliding, are part of it
  bool bounces;     ///< whether blows have restitution; schemes without it run it with e = 0, an easier motion
};

/// free, joint, sliding, impact, stick-slip, rolling, tumbling, double-pendulum, bouncing, wedge.
std::span<const SchemeMotion> scheme_motions();

/// Whether a stepper follows motions in time at all: those for equilibria declare no order.
bool is_dynamic(const std::string& stepper);

/// Whether a stepper that can run a motion should come near its end: contacts that yield do so at any step, and their
/// blows ask for steps far shorter than these.
bool makes_claim(const SchemeMotion& motion, const std::string& stepper);

/// The motion "stick-slip" on a block with four corners whatever the stepper. Those that locate switches take
/// seconds (`augmented`) to minutes (`event-driven`) for it, because forces of redundant contacts are not unique:
/// elsewhere they have a point on a table, whose way is the same.
SchemeOutcome stick_slip_on_corners(const std::string& stepper, double h, double part);

/// Over `starts` start states (1 where there are no events): root mean square of the errors, mean of the processor's
/// seconds per simulated second.
SchemeOutcome mean_outcome(const SchemeMotion& motion, const std::string& stepper, double h, int starts);

}  // namespace cairn::validation
