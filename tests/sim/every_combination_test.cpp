// SPDX-License-Identifier: Apache-2.0
// Every law of contacts and joints with every solver and every stepper of the registries on a small scene: what is
// declared valid runs and is certified; what is not is refused before the first step with an error that names both.
#include <gtest/gtest.h>

#include "cairn/base/error.h"
#include "cairn/sim/simulation.h"

#include <algorithm>

namespace cairn {
namespace {

constexpr double kStep = 0.005;
constexpr int kSteps = 4;

/// A ball that rolls, slides and spins and a brick that slides over its edge: all rows of any law are at work.
Model make_scene(const LawType& law) {
  Model model;
  ContactLaw contact;
  if (law.form == LawForm::Contact) {
    contact.kind = law.kind;
    contact.friction = law.kind == LawKind::Frictionless ? 0 : 0.3;
    contact.friction_2 = 0.15;
    contact.rolling_friction = 2e-3;
    contact.spinning_friction = 1e-3;
    contact.limit = 0.8;
  }
  model.set_contact(contact);
  model.add_fixed({.name = "floor", .shape = HalfSpace{}});
  model.add_rigid({.name = "ball",
                   .shape = Sphere{0.1},
                   .position = {0, 0, 0.1},
                   .velocity = {1, 0.3, 0},
                   .angular_velocity = {2, 5, 20},
                   .mass = 1.0});
  model.add_rigid({.name = "brick",
                   .shape = Box{{0.1, 0.05, 0.03}},
                   .position = {0.6, 0, 0.03},
                   .velocity = {0.5, 0.4, 0},
                   .angular_velocity = {0, 0, 3},
                   .mass = 2.0});
  if (law.kind == LawKind::Bilateral || law.kind == LawKind::Interval) {
    model.add_rigid({.name = "wheel", .shape = Sphere{0.05}, .position = {0.6, 0, 0.2}, .mass = 0.5});
    model.add_joint({.kind = JointKind::Revolute,
                     .name = "axle",
                     .body_a = "wheel",
                     .body_b = "brick",
                     .position = {0.6, 0, 0.15}});
    if (law.kind == LawKind::Interval)
      model.add_coordinate_law(
          {.kind = CoordinateLawKind::Motor, .terms = {{"axle"}}, .target = [](double) { return 4.0; }, .force = 0.01});
  }
  model.run.step = kStep;
  return model;
}

/// pgs-lcp puts planes in place of discs, and interior-point ends near 1e-7 (docs/solvers.md).
double tolerance_of(const std::string& solver) { return solver == "interior-point" ? 1e-6 : 1e-8; }
bool only_approximates(const std::string& solver, LawKind kind) {
  return solver == "pgs-lcp" && kind != LawKind::Frictionless;
}

/// Methods that need not converge on every problem of laws they know (docs/solvers.md): alternating projections,
/// pivoting on planes that are refined, and interior points between dependent rows. Of them the certificate must say
/// so.
bool may_fall_short(const std::string& solver) {
  return solver == "staggered-projections" || solver == "block-pivoting" || solver == "lemke" ||
         solver == "interior-point";
}

/// Whether the stepper takes the scene, asked with a solver that knows every law.
std::string refusal_of(const Model& scene) {
  Model model = scene;
  model.run.solver = {"auto"};
  try {
    const Simulation simulation(model);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

class EveryCombination : public testing::TestWithParam<std::string> {};

TEST_P(EveryCombination, of_law_and_solver_is_certified_or_refused_by_name) {
  const std::string& stepper = GetParam();
  int certified = 0, refused = 0;
  for (const LawType* type : law_kinds()) {
    const LawType& law = *type;
    if (law.kind == LawKind::Disc) continue;  // no contact and no joint has it: tests/solvers/law_support_test.cpp
    Model scene = make_scene(law);
    scene.run.stepper = {stepper};
    // The order of a few steps is not asked for: schemes that choose their steps make no short ones.
    if (stepper == "adaptive") scene.run.stepper.parameters["min_step"] = "2e-3";
    if (stepper == "augmented") scene.run.stepper.parameters["step_min"] = "1e-3";
    if (const std::string message = refusal_of(scene); !message.empty()) {
      EXPECT_NE(message.find(stepper), std::string::npos) << message;
      ++refused;
      continue;
    }
    for (const auto& solver : solvers().entries()) {
      SCOPED_TRACE(fmt::format("{}, {}, {}", law.name, stepper, solver.name));
      Model model = scene;
      model.run.solver = {solver.name,
                          {{"tolerance", fmt::format("{}", tolerance_of(solver.name))},
                           {"max_iterations", "200000"},
                           {"max_seconds", "5"}}};
      const auto method = solvers().make(solver.name);
      if (!method->supports(make_example_law(law.kind))) {
        try {
          Simulation simulation(model);
          ADD_FAILURE() << "was not refused";
        } catch (const Error& error) {
          const std::string message = error.what();
          EXPECT_NE(message.find("'" + solver.name + "'"), std::string::npos) << message;
          EXPECT_NE(message.find("'" + std::string(law.name) + "'"), std::string::npos) << message;
        }
        ++refused;
        continue;
      }
      Simulation simulation(model);
      simulation.run(kSteps * kStep);
      const RunSummary& s = simulation.summary();
      EXPECT_EQ(s.status, StepStatus::Done);
      EXPECT_EQ(s.steps, kSteps);
      EXPECT_GE(s.contacts_max, 2);
      EXPECT_TRUE(simulation.state().motion.q.allFinite());
      // Equations of penalty yield: its residual is how far, and no solver has a part in it.
      if (only_approximates(solver.name, law.kind) || stepper == "penalty") continue;
      // index-3 also counts steps whose positions are not met.
      EXPECT_TRUE(s.residual <= tolerance_of(solver.name) || s.not_converged > 0) << s.residual;
      if (may_fall_short(solver.name) && s.not_converged > 0) continue;
      EXPECT_LE(s.residual, tolerance_of(solver.name));
      EXPECT_LE(s.cone, 1e-6);
      ++certified;
    }
  }
  EXPECT_TRUE(certified > 10 || stepper == "penalty") << certified;
  EXPECT_GT(refused, 0);
}

std::vector<std::string> all_steppers() {
  std::vector<std::string> names;
  for (const auto& entry : steppers().entries()) names.push_back(entry.name);
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Steppers, EveryCombination, testing::ValuesIn(all_steppers()), test_name);

}  // namespace
}  // namespace cairn
