// SPDX-License-Identifier: Apache-2.0
// Quantities from values, orders, events between steps.
#include "measure.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cairn::validation {
namespace {

constexpr double order_slack = 0.2;
constexpr double rounding = 1e-11;  // errors below this share of the value show rounding, not the scheme

double error_of(double got, const Target& target) {
  const double error = std::abs(got - target.expected);
  return target.relative ? error / std::abs(target.expected) : error;
}

/// Cubic through two samples with their slopes.
struct Cubic {
  double t0, h, x0, m0, dx, m1;
  Cubic(const Sample& a, const Sample& b) : t0(a.t), h(b.t - a.t), x0(a.x), m0(h * a.v), dx(b.x - a.x), m1(h * b.v) {}
  double value(double s) const { return x0 + s * (m0 + s * ((3 * dx - 2 * m0 - m1) + s * (m0 + m1 - 2 * dx))); }
};

/// Lagrange's polynomial through the rates of the first four samples (or fewer).
double interpolate_rate(std::span<const Sample> samples, double t) {
  double sum = 0;
  const std::size_t n = std::min<std::size_t>(4, samples.size());
  for (std::size_t i = 0; i < n; ++i) {
    double term = samples[i].v;
    for (std::size_t j = 0; j < n; ++j) {
      if (j != i) term *= (t - samples[j].t) / (samples[i].t - samples[j].t);
    }
    sum += term;
  }
  return sum;
}

/// Root of f in [0, 1] where f changes its sign, by bisection to the last bit.
template <class Function>
double bisect(const Function& f) {
  double low = 0, high = 1;
  const bool rising = f(1.0) > f(0.0);
  for (int i = 0; i < 60; ++i) {
    const double s = 0.5 * (low + high);
    ((f(s) > 0) == rising ? high : low) = s;
  }
  return 0.5 * (low + high);
}

}  // namespace

Quantity check(const std::string& name, double got, const Target& target) {
  Quantity q;
  q.name = name;
  q.unit = target.unit;
  q.expected = target.expected;
  q.got = got;
  q.tolerance = target.tolerance;
  q.relative = target.relative;
  q.error = error_of(got, target);
  q.expected_order = target.order;
  q.note = target.note;
  q.pass = q.error <= q.tolerance;  // false for NaN
  return q;
}

Quantity check_holds(const std::string& name, bool holds, const std::string& note) {
  return check(name, holds ? 1 : 0, {.expected = 1, .note = note});
}

Quantity Study::check(const std::string& name, const Target& target) const {
  const std::vector<double>& values = values_.at(name);
  Quantity q = validation::check(name, values.back(), target);
  q.steps = steps_;
  q.values = values;
  const double coarse = error_of(values[values.size() - 2], target), fine = q.error;
  const double floor = target.relative ? rounding : rounding * std::max(1.0, std::abs(target.expected));
  if (coarse > floor && fine > floor) {
    q.order = std::log2(coarse / fine);
    if (q.expected_order && *q.order < *q.expected_order - order_slack) q.pass = false;
  }
  return q;
}

Plot error_plot(const std::string& title, const std::vector<Quantity>& quantities, double order) {
  Plot plot{.title = title, .x_label = "step [s]", .y_label = "error", .log_x = true, .log_y = true, .series = {}};
  double guide = 0;
  for (const Quantity& q : quantities) {
    Series s{.label = q.name, .x = q.steps, .y = {}, .markers = true};
    for (const double value : q.values) {
      s.y.push_back(error_of(value, {.expected = q.expected, .relative = q.relative}));
    }
    if (!s.y.empty()) guide = std::max(guide, s.y.front());
    plot.series.push_back(s);
  }
  if (guide > 0) {
    Series line{.label = fmt::format("order {}", order), .x = quantities.front().steps, .y = {}, .dashed = true};
    for (const double h : line.x) line.y.push_back(2 * guide * std::pow(h / line.x.front(), order));
    plot.series.push_back(line);
  }
  return plot;
}

void record(CaseResult& result, const std::string& label, const Simulation& simulation) {
  result.runs.push_back({label, std::string(simulation.stepper().name()), std::string(simulation.solver().name()),
                         simulation.model().run.step, simulation.summary()});
}

double Track::at(double t) const {
  const auto after =
      std::upper_bound(samples_.begin(), samples_.end(), t, [](double x, const Sample& s) { return x < s.t; });
  const std::size_t i =
      std::clamp<std::size_t>(static_cast<std::size_t>(after - samples_.begin()), 1, samples_.size() - 1);
  const Cubic c(samples_[i - 1], samples_[i]);
  return c.value((t - c.t0) / c.h);
}

std::vector<double> Track::crossings(double level, int direction) const {
  std::vector<double> times;
  for (std::size_t i = 1; i < samples_.size(); ++i) {
    const double a = samples_[i - 1].x - level, b = samples_[i].x - level;
    const bool up = a < 0 && b >= 0, down = a > 0 && b <= 0;
    if (!((up && direction >= 0) || (down && direction <= 0))) continue;
    const Cubic c(samples_[i - 1], samples_[i]);
    times.push_back(c.t0 + c.h * bisect([&](double s) { return c.value(s) - level; }));
  }
  return times;
}

std::vector<Sample> Track::extremes() const {
  std::vector<Sample> found;
  for (std::size_t i = 1; i < samples_.size(); ++i) {
    const double a = samples_[i - 1].v, b = samples_[i].v;
    if (a == 0 || (a > 0) == (b > 0)) continue;
    // The rate as the cubic through four samples: positions of a midpoint rule are the trapezoidal sums of their rates,
    // so the slope of their cubic would only be the straight line between two rates.
    const std::size_t first = std::min(i >= 2 ? i - 2 : 0, samples_.size() - std::min<std::size_t>(4, samples_.size()));
    const Cubic c(samples_[i - 1], samples_[i]);
    const double s =
        bisect([&](double x) { return interpolate_rate(std::span(samples_).subspan(first), c.t0 + c.h * x); });
    found.push_back({c.t0 + c.h * s, c.value(s), 0});
  }
  return found;
}

Series Track::series(const std::string& label, double scale) const {
  Series s{.label = label, .x = {}, .y = {}};
  for (const Sample& sample : samples_) {
    s.x.push_back(sample.t);
    s.y.push_back(scale * sample.x);
  }
  return s;
}

void set_tolerance(Model& model, double tolerance) {
  model.run.solver.parameters["tolerance"] = fmt::format("{:g}", tolerance);
}

Vec3 body_rates(const Simulation& simulation, BodyId body) {
  return simulation.state().motion.u.segment<3>(simulation.model().system().bodies.slot(body.value).u + 3);
}

double largest_speed(const Simulation& simulation, double radius) {
  double speed = 0;
  for (int i = 0; i < simulation.model().body_count(); ++i) {
    const BodyId body{i};
    speed = std::max({speed, simulation.velocity(body).norm(), radius * simulation.angular_velocity(body).norm()});
  }
  return speed;
}

std::int64_t differing_values(const State& a, const State& b) {
  if (a.motion.q.size() != b.motion.q.size() || a.motion.u.size() != b.motion.u.size()) {
    throw Error("the states belong to different models");
  }
  std::int64_t count = 0;
  const auto compare = [&](const VecX& x, const VecX& y) {
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      count += std::bit_cast<std::uint64_t>(x[i]) != std::bit_cast<std::uint64_t>(y[i]) ? 1 : 0;
    }
  };
  compare(a.motion.q, b.motion.q);
  compare(a.motion.u, b.motion.u);
  return count;
}

}  // namespace cairn::validation
