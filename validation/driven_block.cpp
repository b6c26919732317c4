// SPDX-License-Identifier: Apache-2.0
// F3, M5: block on a plane driven by F = 8 cos t, mu = 0.8 (Potra, Anitescu, Gavrea and Trinkle 2006). It slips when
// |F| > mu m g and until its speed is zero again: v = 8 (sin t - sin t0) -+ mu g (t - t0), roots by bisection.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

/// One time of sliding, found from speeds at the ends of steps.
struct Slip {
  double begin = 0, end = 0, x_end = 0;
};

/// A speed that leaves zero does so like (t - t0)^2 (the force passes the limit), except at the start of the run; it
/// arrives at zero on a slope. Both are continued to zero from inside the slip.
std::vector<Slip> find_slips(const std::vector<Sample>& samples) {
  constexpr double still = 1e-9;    // [m/s]
  constexpr std::size_t reach = 8;  // steps after the start, where v is well above its first partial step
  std::vector<Slip> slips;
  std::size_t i = 1;
  while (i < samples.size()) {
    if (std::abs(samples[i].v) <= still) {
      ++i;
      continue;
    }
    const std::size_t first = i;
    while (i < samples.size() && std::abs(samples[i].v) > still) ++i;
    if (i == samples.size() || i - first < 2 * reach) continue;
    Slip slip;
    if (first > 1) {
      const Sample &a = samples[first + reach], &b = samples[first + 2 * reach - 1];
      const double ra = std::sqrt(std::abs(a.v)), rb = std::sqrt(std::abs(b.v));
      slip.begin = (a.t * rb - b.t * ra) / (rb - ra);
    }
    const Sample &a = samples[i - 2], &b = samples[i - 1];
    slip.end = b.t - b.v * (b.t - a.t) / (b.v - a.v);
    slip.x_end = samples[i].x;
    slips.push_back(slip);
  }
  return slips;
}

/// Top of the first hump of v by a parabola through its three highest samples.
Sample find_peak(const std::vector<Sample>& samples) {
  std::size_t i = 1;
  while (i + 1 < samples.size() && samples[i + 1].v > samples[i].v) ++i;
  const double a = samples[i - 1].v, b = samples[i].v, c = samples[i + 1].v, h = samples[i + 1].t - samples[i].t;
  const double s = 0.5 * (a - c) / (a - 2 * b + c);
  return {samples[i].t + s * h, 0, b - 0.25 * (a - c) * s};
}

/// `sunk`: how deep the block stands in the plane at the start [m].
CaseResult drive_block(const std::string& stepper, double first_step, double tolerance, double sunk) {
  CaseResult result;
  Study study(first_step);
  Track finest;
  Series speed{.label = "v", .x = {}, .y = {}};
  for (const double h : study.steps()) {
    Model model;
    model.set_contact({.friction = 0.8, .restitution = 0});
    model.run.step = h;
    model.run.stepper = {stepper};
    model.add_fixed({.name = "plane", .shape = HalfSpace{}});
    const BodyId block = model.add_rigid(
        {.name = "block", .shape = Box{{0.15, 0.15, 0.05}}, .position = {0, 0, 0.05 - sunk}, .mass = 1.0});
    model.add_load({.name = "drive", .body = "block", .force = [](double t) { return Vec3(8 * std::cos(t), 0, 0); }});
    Simulation simulation(model);
    Track x;
    const auto sample = [&](const Simulation& s) {
      x.add(s.state().time(), s.position(block).x(), s.velocity(block).x());
      return true;
    };
    sample(simulation);
    simulation.run(10, sample);
    const std::vector<Slip> slips = find_slips(x.samples());
    study.add("number of slips", static_cast<double>(slips.size()));
    for (std::size_t i = 0; i < 4; ++i) {
      const Slip slip = i < slips.size() ? slips[i] : Slip{NAN, NAN, NAN};
      if (i > 0) study.add(fmt::format("start of slip {}", i + 1), slip.begin);
      study.add(fmt::format("end of slip {}", i + 1), slip.end);
      study.add(fmt::format("x after slip {}", i + 1), slip.x_end);
    }
    const Sample peak = find_peak(x.samples());
    study.add("peak speed", peak.v);
    study.add("time of peak", peak.t);
    study.add("v(0.15 s)", x.samples()[static_cast<std::size_t>(std::lround(0.15 / h))].v);
    record(result, "block", simulation);
    finest = x;
  }
  const auto add = [&](const std::string& name, double expected, bool relative, const std::string& unit) {
    result.quantities.push_back(study.check(name, {expected, tolerance, relative, {}, unit}));
  };
  result.quantities.push_back(study.check("number of slips", {4, 0}));
  add("v(0.15 s)", 0.0183050597888, true, "m/s");
  add("peak speed", 0.0197723265897, true, "m/s");
  add("time of peak", 0.195245862366, false, "s");
  add("end of slip 1", 0.338608184672, false, "s");
  add("x after slip 1", 0.00434856972687, true, "m");
  add("start of slip 2", 2.94634679122, false, "s");
  add("end of slip 2", 3.53283460889, false, "s");
  add("x after slip 2", -0.00869716688497, true, "m");
  add("start of slip 3", 6.08793944481, false, "s");
  add("end of slip 3", 6.67442726248, false, "s");
  add("x after slip 3", 0.00434856972687, true, "m");
  add("start of slip 4", 9.2295320984, false, "s");
  add("end of slip 4", 9.81601991607, false, "s");
  add("x after slip 4", -0.00869716688497, true, "m");
  for (const Sample& s : finest.samples()) speed.x.push_back(s.t), speed.y.push_back(s.v);
  result.plots = {
      {.title = "Position of the block", .x_label = "t [s]", .y_label = "x [m]", .series = {finest.series("x")}},
      {.title = "Speed of the block", .x_label = "t [s]", .y_label = "v [m/s]", .series = {speed}}};
  result.notes =
      "Stick and slip switch inside a step, so the errors depend on where in the step that is: no clean order is "
      "expected of single times. Tolerances are in seconds for times, and shares of the value for positions and "
      "speeds.";
  return result;
}

}  // namespace

CaseResult run_driven_block(Effort) { return drive_block("moreau", 0.002, 1e-4, 0); }

// At the step of the thesis and two longer ones. Koziara's step finds contacts by overlap: a block that only touches
// would fall for a step first.
CaseResult run_thesis_block(Effort) { return drive_block("koziara", 0.004, 2e-3, 1e-9); }

}  // namespace cairn::validation
