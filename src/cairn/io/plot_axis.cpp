// SPDX-License-Identifier: Apache-2.0
// Tick steps of 1, 2 or 5 times a power of ten (Heckbert, Nice numbers for graph labels, Graphics Gems, 1990).
#include "cairn/io/plot_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

double nice_step(double range, int about) {
  const double raw = range / std::max(about, 1);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double ratio = raw / power;
  // Borders at the geometric means of neighbouring steps.
  return power * (ratio < std::sqrt(2.0) ? 1 : ratio < std::sqrt(10.0) ? 2 : ratio < std::sqrt(50.0) ? 5 : 10);
}

// Written from integers, so that 0.3 is the double nearest to 0.3 and not three times 0.1.
double decimal(double mantissa, int exponent) {
  return exponent >= 0 ? mantissa * std::pow(10.0, exponent) : mantissa / std::pow(10.0, -exponent);
}

int floor_log10(double x) { return int(std::floor(std::log10(x) + 1e-9)); }

// Labels of evenly spaced ticks: as many decimals as the step needs, a common factor when numbers get long.
void label_linear(PlotAxis& axis) {
  if (axis.ticks.empty()) return;
  double largest = 0;
  for (const double t : axis.ticks) largest = std::max(largest, std::abs(t));
  const double step = axis.ticks.size() > 1 ? axis.ticks[1] - axis.ticks[0] : largest;
  const int top = largest > 0 ? floor_log10(largest) : 0;
  axis.exponent = top >= 5 || top <= -4 ? top : 0;
  const int decimals = step > 0 ? std::clamp(axis.exponent - floor_log10(step), 0, 15) : 0;
  for (const double t : axis.ticks) {
    std::string label = fmt::format("{:.{}f}", decimal(t, -axis.exponent), decimals);
    if (label.front() == '-') label.replace(0, 1, "\u2212");
    axis.labels.push_back(label);
  }
}

}  // namespace

std::vector<double> linear_ticks(double low, double high, int about) {
  std::vector<double> ticks;
  if (!(high > low) || !std::isfinite(high - low)) return ticks;
  const double step = nice_step(high - low, about);
  const int exponent = floor_log10(step);
  const double mantissa = std::round(decimal(step, -exponent));
  const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
  for (double k = first; k <= last && ticks.size() < 100; k += 1)
    ticks.push_back(decimal(k * mantissa, exponent) + 0.0);
  return ticks;
}

std::vector<double> log_ticks(double low, double high, int most) {
  std::vector<double> ticks;
  if (!(low > 0) || !(high > low) || !std::isfinite(high)) return ticks;
  const int first = int(std::ceil(std::log10(low) - 1e-9)), last = int(std::floor(std::log10(high) + 1e-9));
  const int stride = std::max(1, (last - first + most) / most);
  for (int e = first; e <= last; ++e)
    if (e % stride == 0) ticks.push_back(decimal(1, e));
  if (ticks.size() >= 2) return ticks;
  ticks.clear();
  for (int e = first - 1; e <= last + 1; ++e)
    for (const int m : {1, 2, 5}) {
      const double t = decimal(m, e);
      if (t >= low * (1 - 1e-9) && t <= high * (1 + 1e-9)) ticks.push_back(t);
    }
  return ticks.size() >= 2 ? ticks : linear_ticks(low, high, 4);
}

double PlotAxis::fraction(double value) const {
  if (log) return (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low));
  return (value - low) / (high - low);
}

std::string power_of_ten(int exponent) {
  return fmt::format("10<tspan dy=\"-0.45em\" font-size=\"75%\">{}{}</tspan>", exponent < 0 ? "\u2212" : "",
                     std::abs(exponent));
}

PlotAxis make_plot_axis(double low, double high, bool log, double padding, int about) {
  PlotAxis axis;
  axis.log = log;
  if (!(low <= high)) {  // no data
    low = log ? 0.1 : 0;
    high = log ? 10 : 1;
    padding = 0;
  }
  if (log) {
    double a = std::log10(low), b = std::log10(high);
    const double room = b > a ? padding * (b - a) : 0.5;
    a = std::max(a - room, -307.0);  // stay inside the doubles
    b = std::min(b + room, 308.0);
    axis.low = std::pow(10.0, a);
    axis.high = std::pow(10.0, b);
    axis.ticks = log_ticks(axis.low, axis.high, about + 2);
    bool powers = axis.ticks.size() >= 2;
    for (const double t : axis.ticks) powers = powers && std::abs(std::log10(t) - std::round(std::log10(t))) < 1e-9;
    for (const double t : axis.ticks) {
      const int e = int(std::lround(std::log10(t)));
      axis.labels.push_back(powers ? power_of_ten(e) : fmt::format("{:.4g}", t));
      axis.label_characters =
          std::max(axis.label_characters, powers ? 2 + fmt::format("{}", e).size() : axis.labels.back().size());
    }
    if (b - a <= 8)
      for (int e = int(std::floor(a)); e <= int(std::ceil(b)); ++e)
        for (int m = 2; m < 10; ++m)
          if (const double t = decimal(m, e); t > axis.low && t < axis.high) axis.minor_ticks.push_back(t);
    return axis;
  }
  double room = padding * (high - low);
  // Data that is constant up to rounding gets a range of its own size instead of a plot of rounding errors; numbers
  // near the smallest double, whose reciprocals overflow, count as zero.
  const double size = std::max(std::abs(low), std::abs(high));
  if (!(high - low > 1e-13 * size) || size < 1e-290) room = size < 1e-290 ? 1 : 0.1 * size;
  axis.low = low - room;
  axis.high = high + room;
  axis.ticks = linear_ticks(axis.low, axis.high, about);
  label_linear(axis);
  for (const std::string& label : axis.labels)  // characters, not bytes
    axis.label_characters =
        std::max(axis.label_characters, std::size_t(std::count_if(label.begin(), label.end(), [](char c) {
                   return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
                 })));
  return axis;
}

}  // namespace cairn
