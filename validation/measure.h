// SPDX-License-Identifier: Apache-2.0
// Tools of the cases: values at three steps, observed orders, and events found between steps.
#pragma once
#include "book.h"
#include "cairn/sim/simulation.h"

#include <map>

namespace cairn::validation {

/// What a quantity is compared with.
struct Target {
  double expected = 0;
  double tolerance = 0;
  bool relative = false;
  std::optional<double> order = {};  ///< expected order; none: not judged
  std::string unit = {};
  std::string note = {};
};

/// A quantity without steps: `got` against its target.
Quantity check(const std::string& name, double got, const Target& target);
/// A condition that holds or does not: expected 1, got 1 or 0.
Quantity check_holds(const std::string& name, bool holds, const std::string& note = {});

/// Collects values at the steps h, h/2, h/4 and turns them into quantities.
class Study {
 public:
  explicit Study(double h) : steps_{h, h / 2, h / 4} {}
  const std::vector<double>& steps() const { return steps_; }
  /// Call once per step, from the coarsest on.
  void add(const std::string& name, double value) { values_[name].push_back(value); }
  /// The order is log2 of the ratio of the last two errors, as long as they stand above rounding. It passes when it is
  /// not more than 0.2 below the expected one (three steps do not show an order sharper).
  Quantity check(const std::string& name, const Target& target) const;

 private:
  std::vector<double> steps_;
  std::map<std::string, std::vector<double>> values_;
};

/// Errors of quantities against the step, on log axes, with a dashed line of the given order.
Plot error_plot(const std::string& title, const std::vector<Quantity>& quantities, double order);

/// Keeps the certificate of a run.
void record(CaseResult& result, const std::string& label, const Simulation& simulation);

/// A point of a motion in one coordinate.
struct Sample {
  double t = 0, x = 0, v = 0;
};
/// A motion in one coordinate with its rate, between samples a cubic (Hermite): its error is of order 4, below that of
/// the schemes.
class Track {
 public:
  void add(double t, double x, double v) { samples_.push_back({t, x, v}); }
  const std::vector<Sample>& samples() const { return samples_; }
  double at(double t) const;
  /// Times at which x passes the level, upwards (+1), downwards (-1) or both (0).
  std::vector<double> crossings(double level, int direction = 0) const;
  /// Times at which the rate passes zero, with the value there.
  std::vector<Sample> extremes() const;
  Series series(const std::string& label, double scale = 1) const;

 private:
  std::vector<Sample> samples_;
};

/// Sets the solver's tolerance; everything else stays as the model has it.
void set_tolerance(Model& model, double tolerance);
/// Body-axes angular velocity of a rigid body.
Vec3 body_rates(const Simulation& simulation, BodyId body);
/// Largest speed of any body: |v| and r |omega| with the given radius.
double largest_speed(const Simulation& simulation, double radius);
/// Number of doubles in q and u that differ in at least one bit.
std::int64_t differing_values(const State& a, const State& b);

}  // namespace cairn::validation
