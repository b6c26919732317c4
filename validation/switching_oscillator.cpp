// SPDX-License-Identifier: Apache-2.0
// B18: impact oscillator. The order of augmented time-stepping, averaged over start states (Studer 2009, 6.5.3; spec,
// section 9.5).
#include "switching_oscillator.h"
#include "averaged_order.h"
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double m = 0.1, k = 20, e = 0.6, rest = -0.15, radius = 0.05;
const double omega = std::sqrt(k / m);

double start_of(int j, int starts) { return -0.5 + 0.02 * (j + 0.5) / starts; }

}  // namespace

Model make_impact_oscillator(double x0, double v0) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.set_contact({.restitution = e, .kind = LawKind::Frictionless});
  model.add_rigid({.name = "mass", .shape = Sphere{radius}, .position = {x0, 0, 0}, .velocity = {v0, 0, 0}, .mass = m});
  model.add_bushing({.name = "spring", .body_b = "mass", .anchor_a = {rest, 0, 0}, .stiffness = {k, 0, 0}});
  model.add_fixed({.name = "stop", .shape = HalfSpace{{-1, 0, 0}, -radius}});
  return model;
}

double exact_impact_oscillator(double x0, double v0, double time, std::vector<double>* impacts) {
  // x - rest = a cos(omega t - phi); the stop is met where that is -rest, at the next such angle.
  double t = 0, x = x0 - rest, v = v0;
  for (;;) {
    const double a = std::hypot(x, v / omega), phi = std::atan2(v / omega, x);  // x = a cos(0 - phi'), v as below
    // x(s) = a cos(omega s - phi), v(s) = -a omega sin(omega s - phi)
    double next = time - t + 1;
    if (a > -rest) {
      const double angle = std::acos(-rest / a);  // rising through the stop at omega s - phi = -angle + 2 pi n
      double s = (phi - angle) / omega;
      while (s < 1e-12) s += 2 * M_PI / omega;
      next = s;
    }
    if (t + next > time) return rest + a * std::cos(omega * (time - t) - phi);
    const double after = -a * omega * std::sin(omega * next - phi);
    t += next;
    if (impacts) impacts->push_back(t);
    x = -rest, v = -e * after;
  }
}

CaseResult run_averaged_oscillator(Effort effort) {
  CaseResult result;
  std::vector<double> impacts;
  const double end = exact_impact_oscillator(-0.5, 0.2, 1, &impacts);
  result.quantities = {
      check("exact: x(1)", end, {-0.3148440811, 1e-9, false, {}, "m", "formula against the spec's number"}),
      check("exact: third impact", impacts.at(2), {0.8085981, 1e-7, false, {}, "s"}),
  };
  Plot plot{.title = "Mean error of x(1) against the longest step",
            .x_label = "step_max [s]",
            .y_label = "error [m]",
            .log_x = true,
            .log_y = true,
            .series = {}};
  const bool full = effort == Effort::Full;
  const int starts = full ? 40 : 8;
  struct Published {
    int p;
    double slope;
    std::vector<double> errors;
  };
  const std::vector<Published> table = {{1, 1.39, {2.29e-2, 8.41e-3, 2.98e-3, 1.16e-3, 4.96e-4}},
                                        {2, 2.08, {5.02e-4, 1.03e-4, 2.38e-5, 6.15e-6, 1.54e-6}},
                                        {3, 3.09, {3.71e-6, 3.55e-7, 4.26e-8, 4.94e-9, 6.93e-10}},
                                        {4, 4.20, {3.99e-7, 2.01e-8, 1.07e-9, 6.53e-11}}};
  for (const Published& row : table) {
    std::vector<double> steps;
    const std::size_t count = full ? row.errors.size() : 3;
    for (std::size_t i = 0; i < count; ++i) steps.push_back(0.02 / std::pow(2.0, static_cast<double>(i)));
    const AveragedOrder study = average_order(steps, starts, [&](double step, int start) {
      const double x0 = start_of(start, starts);
      Model model = make_impact_oscillator(x0, 0.2);
      model.run.step = 1;
      model.run.stepper = {"augmented",
                           {{"order", fmt::format("{}", row.p)},
                            {"step_max", fmt::format("{:.17g}", step)},
                            {"step_min", fmt::format("{:.17g}", std::pow(step, row.p))},
                            {"cut", "true"}}};
      set_tolerance(model, 1e-13);
      Simulation simulation(model);
      simulation.step();
      if (start == 0 && step == steps.back()) record(result, fmt::format("order {}", row.p), simulation);
      return simulation.position(model.body("mass")).x() - exact_impact_oscillator(x0, 0.2, 1);
    });
    constexpr double slack = 0.35;
    result.quantities.push_back(
        check(fmt::format("order {}: slope", row.p), study.order,
              {row.p == 1 ? 1.4 : row.p, slack, false, {}, "", fmt::format("the spec's own run: {}", row.slope)}));
    result.quantities.push_back(
        check(fmt::format("order {}: log10 of the mean error at step_max = {:g} over the spec's", row.p, steps.back()),
              std::log10(study.errors.back() / row.errors[count - 1]),
              {0, 0.2, false, {}, "", fmt::format("error {:.3g} m", study.errors.back())}));
    plot.series.push_back(study.series(fmt::format("order {}, slope {:.2f}", row.p, study.order)));
  }
  result.plots = {plot};
  result.notes =
      "step_min = step_max^p. Single runs scatter, because a switch falls anywhere in its step; the mean over start "
      "states shows the order.";
  return result;
}

}  // namespace cairn::validation
