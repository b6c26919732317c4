// SPDX-License-Identifier: Apache-2.0
// B19 and B20: the woodpecker toy: twelve switches of a cycle in their order and at their times, and the order of
// augmented time-stepping over them (Studer 2009, 6.5.4, table 6.1; spec, sections 9.1 and 9.2).
#include "averaged_order.h"
#include "cases.h"
#include "measure.h"
#include "woodpecker_toy.h"

#include <cmath>

namespace cairn::validation {
namespace {

/// A line of table 6.1, with the time of the spec's own run.
struct Line {
  int contact;  ///< 1 to 3
  LawFacet facet;
  Mode from, to;
  double time;
};
constexpr Line table[] = {
    {2, LawFacet::Friction, Mode::Slip, Mode::Stick, 0.02164927},
    {2, LawFacet::Friction, Mode::Stick, Mode::Slip, 0.06122869},
    {2, LawFacet::Normal, Mode::Closed, Mode::Open, 0.06703855},
    {3, LawFacet::Normal, Mode::Open, Mode::Closed, 0.07790719},
    {3, LawFacet::Normal, Mode::Closed, Mode::Open, 0.07790719},
    {1, LawFacet::Normal, Mode::Open, Mode::Closed, 0.08101350},
    {1, LawFacet::Normal, Mode::Closed, Mode::Open, 0.08101350},
    {3, LawFacet::Normal, Mode::Open, Mode::Closed, 0.08159724},
    {3, LawFacet::Normal, Mode::Closed, Mode::Open, 0.08344164},
    {2, LawFacet::Normal, Mode::Open, Mode::Closed, 0.11869683},
    {2, LawFacet::Normal, Mode::Closed, Mode::Open, 0.11869683},
    {2, LawFacet::Normal, Mode::Open, Mode::Closed, 0.12134898},
};

double angle_of_bird(const Model& model, double duration, CaseResult& result, const std::string& label) {
  Simulation simulation(model);
  simulation.run(duration);
  if (!label.empty()) record(result, label, simulation);
  return simulation.state().motion.q[2];
}

}  // namespace

CaseResult run_woodpecker_events(Effort) {
  CaseResult result;
  Model model = make_woodpecker();
  model.run.step = 5e-4;
  model.run.stepper = {"augmented",
                       {{"step_min", "1e-7"}, {"step_max", "5e-3"}, {"order", "6"}, {"tolerance", "1e-9"}}};
  set_tolerance(model, 1e-13);
  Simulation simulation(model);
  std::vector<ModeSwitch> events;
  Series phase{.label = "bird", .x = {}, .y = {}}, sleeve{.label = "sleeve", .x = {}, .y = {}},
      steps{.label = "mean inner step", .x = {}, .y = {}};
  Vec3 low = Vec3::Constant(1e9), high = -low;  // phi_S, its rate, the sleeve's rate
  simulation.run(0.15, [&](const Simulation& s) {
    events.insert(events.end(), s.switches().begin(), s.switches().end());
    const VecX &q = s.state().motion.q, &u = s.state().motion.u;
    phase.x.push_back(q[2]), phase.y.push_back(u[2]);
    sleeve.x.push_back(q[1]), sleeve.y.push_back(u[1]);
    steps.x.push_back(s.state().time()), steps.y.push_back(5e-4 / s.certificate().parts);
    low = low.cwiseMin(Vec3(q[2], u[2], u[1]));
    high = high.cwiseMax(Vec3(q[2], u[2], u[1]));
    return true;
  });
  record(result, "augmented", simulation);
  // Of the published table: what of ours is in it, in its order. Friction of a contact that closes sticking, and what
  // lies closer than step_min, is more than the table tells.
  std::size_t next = 0;
  std::string others;
  double worst = 0;
  for (const ModeSwitch& event : events) {
    if (next < std::size(table)) {
      const Line& line = table[next];
      if (event.law.a + 1 == line.contact && event.law.facet == line.facet && event.from == line.from &&
          event.to == line.to) {
        result.quantities.push_back(check(fmt::format("event {}: {} {} {} to {}", next + 1, line.contact,
                                                      to_string(line.facet), to_string(line.from), to_string(line.to)),
                                          event.time, {line.time, 5e-6, false, {}, "s"}));
        worst = std::max(worst, std::abs(event.time - line.time));
        ++next;
        continue;
      }
    }
    others += fmt::format("{}{:.6f} s: contact {} {} {} to {}", others.empty() ? "" : "; ", event.time, event.law.a + 1,
                          to_string(event.law.facet), to_string(event.from), to_string(event.to));
  }
  result.quantities.push_back(check("events of the table found in order", static_cast<double>(next), {12}));
  result.quantities.push_back(check("switches beside the table", static_cast<double>(events.size() - next), {0, 0}));
  result.quantities.push_back(check("lowest angle of the bird", low[0], {-0.530, 2e-3, false, {}, "rad"}));
  result.quantities.push_back(check("highest angle of the bird", high[0], {0.120, 2e-3, false, {}, "rad"}));
  result.quantities.push_back(check("highest rate of the bird", high[1], {17.6, 0.1, false, {}, "rad/s"}));
  result.quantities.push_back(check("numerical work over the energy",
                                    std::abs(simulation.summary().numerical) / simulation.summary().energy_scale,
                                    {0, 1e-4}));
  result.plots = {
      {.title = "Phase portrait", .x_label = "angle [rad]", .y_label = "rate [rad/s]", .series = {phase, sleeve}},
      {.title = "Inner step", .x_label = "t [s]", .y_label = "h [s]", .log_y = true, .series = {steps}}};
  result.notes = others.empty() ? "No other switches." : "Other switches: " + others + ".";
  return result;
}

CaseResult run_woodpecker_order(Effort effort) {
  CaseResult result;
  const bool full = effort == Effort::Full;
  constexpr double duration = 0.15;
  const int starts = full ? 8 : 2;
  const auto model_of = [&](int start, int order, double step) {
    Model model = make_woodpecker(woodpecker_q0 - Vec3(0, 0, 1e-3 * start), woodpecker_u0);
    model.run.step = duration;
    model.run.stepper = {"augmented",
                         {{"step_min", "1e-10"},
                          {"step_max", fmt::format("{:g}", step)},
                          {"order", fmt::format("{}", order)},
                          {"cut", "true"}}};
    set_tolerance(model, 1e-14);
    return model;
  };
  std::vector<double> reference;
  for (int start = 0; start < starts; ++start)
    reference.push_back(
        angle_of_bird(model_of(start, 6, full ? 1e-4 : 2e-4), duration, result, start == 0 ? "reference" : ""));
  result.quantities.push_back(check("angle of the bird at 0.15 s", reference[0],
                                    {-0.31022235, 5e-8, false, {}, "rad", "reference: the spec's own run"}));
  Plot plot{.title = "Mean error of the bird's angle",
            .x_label = "step_max [s]",
            .y_label = "error [rad]",
            .log_x = true,
            .log_y = true,
            .series = {}};
  std::vector<double> steps;
  for (int i = 0; i < (full ? 5 : 3); ++i) steps.push_back(8e-4 / (1 << i));
  const struct {
    int p;
    double slope, slack;
    const char* published;
  } rows[] = {{1, 2, 0.5, "1.8 to 2.0: h does not depend on u here, so the base scheme has order 2"},
              {2, 2, 0.6, "1.6 to 2.1"},
              {3, 3, 1.2, "2.6 to 4.2"}};
  for (const auto& row : rows) {
    const AveragedOrder study = average_order(steps, starts, [&](double step, int start) {
      return angle_of_bird(model_of(start, row.p, step), duration, result, "") -
             reference[static_cast<std::size_t>(start)];
    });
    result.quantities.push_back(
        check(fmt::format("order {}: slope", row.p), study.order,
              {row.slope, row.slack, false, {}, "", fmt::format("the spec's own run: {}", row.published)}));
    plot.series.push_back(study.series(fmt::format("order {}, slope {:.2f}", row.p, study.order)));
  }
  result.plots = {plot};
  return result;
}

}  // namespace cairn::validation
