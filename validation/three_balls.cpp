// SPDX-License-Identifier: Apache-2.0
// Rows of equal balls in contact, hit at v = 1. What follows depends on the impact law, and all are laws.
//
// I4: three balls. Newton's law in one event gives (-1/3, 2/3, 2/3) for e = 1; impacts in sequence give (0, 0, 1)
// (Glocker 2001; Studer 2009, 3.7). I5: five balls in sequence, as many leave as have come. B30: three balls with
// Fremond's matrix of restitution over the two contacts (Studer 2009, 3.7).
#include "cases.h"
#include "measure.h"

namespace cairn::validation {
namespace {

/// A row of balls of 1 kg that touch; those at the left come at 1 m/s. Adds names "ball 1", "ball 2", ...
std::vector<BodyId> add_row(Model& model, int count, int come) {
  std::vector<BodyId> balls;
  for (int i = 0; i < count; ++i)
    balls.push_back(model.add_rigid({.name = fmt::format("ball {}", i + 1),
                                     .shape = Sphere{0.5},
                                     .position = {static_cast<double>(i), 0, 0},
                                     .velocity = {i < come ? 1.0 : 0.0, 0, 0},
                                     .mass = 1.0}));
  return balls;
}

Model make_table(double e, double h, const Choice& stepper) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.set_contact({.friction = 0, .restitution = e});
  model.run.step = h;
  set_tolerance(model, 1e-12);
  model.run.stepper = stepper;
  return model;
}

/// Speeds of three balls after one step.
std::vector<double> hit(const std::string& law, const std::string& stepper, double e, double h, CaseResult& result) {
  Model model = make_table(e, h, {stepper, {{"impacts", law}}});
  const std::vector<BodyId> ball = add_row(model, 3, 1);
  Simulation simulation(model);
  simulation.step();
  record(result, fmt::format("{}, e = {}", law, e), simulation);
  std::vector<double> speeds;
  for (const BodyId b : ball) speeds.push_back(simulation.velocity(b).x());
  return speeds;
}

}  // namespace

CaseResult run_three_balls(Effort) {
  CaseResult result;
  Plot plot{.title = "Velocities after the impact, e = 1", .x_label = "ball", .y_label = "v [m/s]", .series = {}};
  for (const std::string law : {"simultaneous", "sequential"}) {
    for (const std::string stepper : {"moreau", "koziara"}) {
      for (const double e : {1.0, 0.5}) {
        // In one event: v2 - v1 = e v, v3 = v2. In sequence: ball 1 hits 2, 2 hits 3, and again while any two approach.
        std::vector<double> expected;
        if (law == "simultaneous") {
          expected = {(1 - 2 * e) / 3, (1 + e) / 3, (1 + e) / 3};
        } else {
          expected = {1, 0, 0};
          for (int i = 0; i < 200; ++i) {
            const std::size_t k = expected[0] - expected[1] > expected[1] - expected[2] ? 0 : 1;
            const double approach = expected[k] - expected[k + 1];
            if (approach <= 1e-14) break;
            expected[k] -= 0.5 * (1 + e) * approach;
            expected[k + 1] += 0.5 * (1 + e) * approach;
          }
        }
        Series series{.label = law + ", " + stepper, .x = {}, .y = {}, .markers = true};
        Study study(1.0 / 1024);
        const auto named = [&](std::size_t i) { return fmt::format("v{}, e = {}, {}, {}", i + 1, e, law, stepper); };
        for (const double h : study.steps()) {
          const std::vector<double> speeds = hit(law, stepper, e, h, result);
          for (std::size_t i = 0; i < 3; ++i) study.add(named(i), speeds[i]);
        }
        for (std::size_t i = 0; i < 3; ++i) {
          result.quantities.push_back(study.check(named(i), {expected[i], 1e-8, false, {}, "m/s"}));
          series.x.push_back(static_cast<double>(i) + 1);
          series.y.push_back(result.quantities.back().got);
        }
        if (e == 1.0) plot.series.push_back(series);
      }
    }
  }
  result.plots = {plot};
  result.notes =
      "The law is chosen by the stepper's parameter `impacts`. For e = 0.5 the reference of the sequential law is the "
      "same rule "
      "written out in the case: always the pair that approaches fastest, until none approaches.";
  return result;
}

CaseResult run_five_balls(Effort) {
  CaseResult result;
  for (const std::string stepper : {"moreau", "koziara"}) {
    for (const int come : {1, 2, 3}) {
      Study study(1e-3);
      const std::string how = fmt::format("{} come, {}", come, stepper);
      for (const double h : study.steps()) {
        Model model = make_table(1, h, {stepper, {{"impacts", "sequential"}}});
        const std::vector<BodyId> ball = add_row(model, 5, come);
        Simulation simulation(model);
        simulation.run(0.01);
        // Equal balls exchange their velocities in every blow with e = 1, so the velocities come out in order.
        double worst = 0;
        for (int i = 0; i < 5; ++i)
          worst = std::max(
              worst, std::abs(simulation.velocity(ball[static_cast<std::size_t>(i)]).x() - (i < 5 - come ? 0.0 : 1.0)));
        study.add("worst velocity, " + how, worst);
        study.add("energy, " + how, simulation.energy().kinetic);
        record(result, how, simulation);
      }
      result.quantities.push_back(study.check("worst velocity, " + how, {0, 1e-6, false, {}, "m/s"}));
      result.quantities.push_back(study.check("energy, " + how, {0.5 * come, 1e-10, true, {}, "J"}));
    }
  }
  result.notes =
      "The last balls take all the velocity, as many as have come. The cradle that swings on rods is M6. Lubachevsky's "
      "law, one blow after the other in the order of time, gives the same here: the blows are the same pairs.";
  return result;
}

CaseResult run_remote_action(Effort) {
  CaseResult result;
  for (const std::string stepper : {"moreau", "koziara"}) {
    Model model = make_table(0, 1.0 / 1024, {stepper});
    const std::vector<BodyId> ball = add_row(model, 3, 1);
    MatX E = MatX::Zero(2, 2);
    E(0, 1) = E(1, 0) = 1;
    model.add_remote_action({.pairs = {{"ball 1", "ball 2"}, {"ball 2", "ball 3"}}, .restitution = E});
    Simulation simulation(model);
    simulation.step();
    record(result, stepper, simulation);
    // U+ + E U- >= 0 with U- = (-1, 0): the second pair parts at 1, the first keeps together.
    const double expected[] = {0, 0, 1};
    for (std::size_t i = 0; i < 3; ++i)
      result.quantities.push_back(check(fmt::format("v{}, {}", i + 1, stepper), simulation.velocity(ball[i]).x(),
                                        {expected[i], 1e-8, false, {}, "m/s"}));
  }
  return result;
}

}  // namespace cairn::validation
