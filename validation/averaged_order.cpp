// SPDX-License-Identifier: Apache-2.0
// Mean errors over start states and the slope through them.
#include "averaged_order.h"

#include <cmath>

namespace cairn::validation {

double fitted_slope(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

AveragedOrder average_order(const std::vector<double>& steps, int starts,
                            const std::function<double(double step, int start)>& error) {
  AveragedOrder result{.steps = steps, .errors = {}};
  for (const double step : steps) {
    double sum = 0;
    for (int start = 0; start < starts; ++start) {
      const double e = error(step, start);
      sum += e * e;
    }
    result.errors.push_back(std::sqrt(sum / starts));
  }
  result.order = fitted_slope(result.steps, result.errors);
  return result;
}

}  // namespace cairn::validation
