// SPDX-License-Identifier: Apache-2.0
// T1: the order of every stepper of the registry, observed on smooth and on impacting motion.
//
// Where a blow or a change between sticking and sliding falls within its step is chance, and errors of single runs
// scatter with it. The errors here are root mean squares over start states spread over more than a step, and the order
// is the slope fitted over three steps (the averaged test of augmented time-stepping, on every scheme).
#include "averaged_order.h"
#include "cases.h"
#include "measure.h"
#include "scheme_motions.h"

namespace cairn::validation {
namespace {

/// What a stepper declares for the first five motions.
int declared_order(const StepperTraits& traits, std::size_t motion) {
  const int orders[] = {traits.order, traits.joint_order, traits.sliding_order, traits.impact_order,
                        traits.impact_order};
  return orders[motion];
}

}  // namespace

CaseResult run_scheme_orders(Effort effort) {
  CaseResult result;
  const int starts = effort == Effort::Full ? 40 : 12;
  std::string refused;
  for (const auto& entry : steppers().entries()) {
    if (!is_dynamic(entry.name)) continue;
    const StepperTraits traits = steppers().make(entry.name)->traits();
    // Errors of steppers that locate switches do not scatter with where these fall: three starts will do.
    const bool located = steppers().make(entry.name)->locates_switches();
    for (std::size_t k = 0; k < 5; ++k) {
      const SchemeMotion& motion = scheme_motions()[k];
      if (declared_order(traits, k) == 0) continue;
      Quantity q;
      q.name = entry.name + ", " + motion.name;
      try {
        for (const double factor : {1.0, 0.5, 0.25}) {
          q.steps.push_back(motion.step * factor);
          q.values.push_back(mean_outcome(motion, entry.name, q.steps.back(), located ? 3 : starts).error);
        }
      } catch (const Error& error) {
        refused += fmt::format("\n\n{}: {}", q.name, error.what());
        continue;
      }
      const bool exact = q.values.back() < 1e-9;
      q.expected = declared_order(traits, k);
      q.got = exact ? q.expected : fitted_slope(q.steps, q.values);
      // Averages over few starts still scatter; more than expected is welcome.
      q.tolerance = motion.events ? 0.35 : 0.2;
      q.error = std::max(0.0, q.expected - q.got);
      q.pass = q.error <= q.tolerance;
      if (exact) q.note = "exact: errors are rounding";
      result.quantities.push_back(q);
    }
  }
  result.notes =
      "Errors are those of the position at the end, root mean squares over start states where motion is not smooth. "
      "The "
      "values at the three steps are errors; the number is their slope. A scheme passes when its slope is not below "
      "what "
      "it declares." +
      refused;
  return result;
}

}  // namespace cairn::validation
