// SPDX-License-Identifier: Apache-2.0
// Observed order of schemes that locate switches: where in its step a switch falls is chance, so single runs scatter.
// The mean over start states does not (Studer spec, section 9.5).
#pragma once
#include "cairn/io/svg_plot.h"

#include <functional>
#include <vector>

namespace cairn::validation {

struct AveragedOrder {
  std::vector<double> steps;   ///< [s], coarse to fine
  std::vector<double> errors;  ///< root mean square over the start states
  double order = 0;            ///< slope of log error against log step, least squares

  Series series(const std::string& label) const { return {.label = label, .x = steps, .y = errors, .markers = true}; }
};

/// Slope of log y against log x, least squares.
double fitted_slope(const std::vector<double>& x, const std::vector<double>& y);

/// `error(step, start)` for all steps and for start = 0, 1, ..., starts - 1.
AveragedOrder average_order(const std::vector<double>& steps, int starts,
                            const std::function<double(double step, int start)>& error);

}  // namespace cairn::validation
