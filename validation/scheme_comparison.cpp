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
      const bool slow = is_slow(motion, entry.name);
      if (!makes_claim(motion, entry.name) || (slow && !full)) continue;
      const bool yields = steppers().make(entry.name)->traits().sliding_order == 0;
      Series series{.label = entry.name, .markers = true};
      Quantity q;
      q.name = fmt::format("{}, {}", motion.name, entry.name);
      q.unit = "m";
      try {
        for (const double factor : factors) {
          const SchemeOutcome mean = mean_outcome(motion, entry.name, motion.step * factor, slow ? 1 : starts);
          series.x.push_back(mean.seconds);
          series.y.push_back(mean.error);
          q.steps.push_back(motion.step * factor);
          q.values.push_back(mean.error);
        }
      } catch (const Error& error) {
        refused += fmt::format("\n\n{}: {}", q.name, error.what());
        continue;
      }
      // In the limit: the error is small beside the way (1 m), and falls with the step unless it is rounding.
      q.got = q.values.back();
      q.tolerance = full ? 5e-3 : 5e-2;
      q.error = q.got;
      q.pass = q.error <= q.tolerance && (yields || q.got < 1e-8 || q.got < 0.9 * q.values.front());
      result.quantities.push_back(q);
      plot.series.push_back(std::move(series));
    }
    result.plots.push_back(std::move(plot));
  }
  result.notes =
      "Costs are seconds of the processor. Contacts that yield are left out where there are blows." + refused;
  return result;
}

}  // namespace cairn::validation
