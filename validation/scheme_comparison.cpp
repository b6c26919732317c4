// SPDX-License-Identifier: Apache-2.0
// T2: ten scenes under every stepper that can serve them: do they agree in the limit of small steps, and which is
// cheapest for an error?
#include "cases.h"
#include "measure.h"
#include "scheme_motions.h"

namespace cairn::validation {

CaseResult run_scheme_comparison(Effort effort) {
  CaseResult result;
  const bool full = effort == Effort::Full;
  const int starts = full ? 8 : 2;
  std::string refused;
  const std::vector<double> factors =
      full ? std::vector<double>{1, 0.5, 0.25, 0.125, 0.0625} : std::vector<double>{1, 0.25};
  for (const SchemeMotion& motion : scheme_motions()) {
    Plot plot{.title = fmt::format("Error against cost: {}", motion.name),
              .x_label = "CPU seconds per simulated second",
              .y_label = "error [m]",
              .log_x = true,
              .log_y = true,
              .series = {}};
    for (const auto& entry : steppers().entries()) {
      if (!makes_claim(motion, entry.name)) continue;
      const bool located = steppers().make(entry.name)->locates_switches();
      const bool yields = steppers().make(entry.name)->traits().sliding_order == 0;
      Series series{.label = entry.name, .markers = true};
      Quantity q;
      q.name = fmt::format("{}, {}", motion.name, entry.name);
      q.unit = "m";
      q.tolerance = full ? 5e-3 : 5e-2;
      try {
        const auto run = [&](double step) {
          const SchemeOutcome mean = mean_outcome(motion, entry.name, step, located ? 1 : starts);
          series.x.push_back(mean.seconds);
          series.y.push_back(mean.error);
          q.steps.push_back(step);
          q.values.push_back(mean.error);
        };
        for (const double factor : factors) run(motion.step * factor);
        // Those that damp springs by implicit Euler need more for the same end.
        while (full && q.values.back() > q.tolerance && q.steps.back() > motion.step / 50) run(q.steps.back() / 2);
      } catch (const Error& error) {
        refused += fmt::format("\n\n{}: {}", q.name, error.what());
        continue;
      }
      // In the limit: the error is small beside the way (1 m), and falls with the step unless it is rounding.
      q.got = q.values.back();
      q.error = q.got;
      q.pass = q.error <= q.tolerance && (yields || q.got < 1e-8 || q.got < 0.9 * q.values.front());
      result.quantities.push_back(q);
      plot.series.push_back(std::move(series));
    }
    result.plots.push_back(std::move(plot));
  }
  // On four corners too, whose forces are not unique: once, and not by `event-driven`, which takes minutes.
  if (full) {
    Quantity q;
    q.name = "stick-slip on four corners, augmented";
    q.unit = "m";
    q.got = q.error = std::abs(stick_slip_on_corners("augmented", 8e-3, 0.5).error);
    q.tolerance = 1e-6;
    q.pass = q.error <= q.tolerance;
    result.quantities.push_back(q);
  }
  result.notes =
      "Costs are seconds of the processor. Contacts that yield are left out where there are blows." + refused;
  return result;
}

}  // namespace cairn::validation
