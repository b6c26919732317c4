// SPDX-License-Identifier: Apache-2.0
// Steps by error: what the tolerance promises is kept, what is easy is done in few steps, a deadline is met with an
// honest certificate.
#include "cairn/steppers/adaptive.h"
#include "cairn/sim/simulation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

/// 1 kg on a spring of `stiffness` N/m, from 1 m off; the error after 1 s, and the parts it took.
struct Outcome {
  double error = 0;
  int parts = 0;
};
Outcome oscillate(const std::string& base, double tolerance, double stiffness) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.run.step = 0.1;
  model.run.stepper = {"adaptive", {{"base", base}, {"tolerance", fmt::format("{}", tolerance)}}};
  const BodyId body =
      model.add_rigid({.name = "mass", .position = {1, 0, 0}, .mass = 1, .inertia = Mat3(Mat3::Identity())});
  model.add_spring({.body_a = "mass", .anchor_b = {-3, 0, 0}, .stiffness = stiffness, .rest_length = 3});
  Simulation s(model);
  Outcome result;
  s.run(1, [&](const Simulation& now) {
    result.parts += now.certificate().parts;
    return true;
  });
  result.error = std::abs(s.position(body).x() - std::cos(std::sqrt(stiffness)));
  return result;
}

/// A tolerance and one `ratio` times tighter: errors keep to them, and parts become at least `more` times as many.
void follow_tolerance(const std::string& base, double loose, double ratio, double more) {
  const double tight = loose / ratio;
  const Outcome a = oscillate(base, loose, 100), b = oscillate(base, tight, 100), soft = oscillate(base, tight, 1);
  // Ten output steps, and errors of the first grow with time.
  EXPECT_LT(a.error, 100 * loose) << base;
  EXPECT_LT(b.error, 100 * tight) << base;
  EXPECT_LT(b.error, 0.1 * a.error) << base;
  EXPECT_GT(b.parts, more * a.parts) << base;
  EXPECT_LT(soft.parts, b.parts / 3) << base;
}

TEST(Adaptive, error_follows_the_tolerance_and_steps_the_problem) {
  for (const std::string base : {"moreau", "koziara", "funk"}) follow_tolerance(base, 1e-4, 100, 5);
  follow_tolerance("stewart-trinkle", 1e-3, 100, 50);
}

TEST(Adaptive, every_base_follows_the_tolerance_and_takes_the_steps_the_problem_needs) {
  for (const std::string_view base : one_problem_steppers()) {
    const bool second = steppers().make(base)->traits().order == 2;
    // At the order 1 steps grow with the tolerance: a loose one, so that the test stays short.
    follow_tolerance(std::string(base), second ? 1e-4 : 1e-2, 50, second ? 4 : 10);
  }
}

TEST(Adaptive, an_impact_is_passed_in_short_steps_and_the_flight_in_long_ones) {
  Model model;
  model.run.step = 0.05;
  model.run.stepper = {"adaptive", {{"tolerance", "1e-7"}, {"min_step", "1e-6"}}};
  model.set_contact({.friction = 0, .restitution = 0.5});
  model.add_fixed({.shape = HalfSpace{}});
  const BodyId ball = model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 1.1}});
  Simulation s(model);
  int flight = 0;
  s.run(0.6, [&](const Simulation& now) {
    if (now.state().motion.time < 0.42) flight = std::max(flight, now.certificate().parts);
    return true;
  });
  // Falls 1 m, bounces with half its speed.
  const double t = std::sqrt(2 / 9.81), after = 0.6 - t;
  EXPECT_NEAR(s.position(ball).z() - 0.1, 0.5 * 9.81 * t * after - 0.5 * 9.81 * after * after, 1e-5);
  EXPECT_LE(flight, 2);
}

/// A ball dropped from 0.5 m to 0.55 m with e = 0.5: root mean square of its errors of height after 0.7 s, over eight
/// starts, because where a blow falls in its step is chance.
double bounce(double tolerance, double min_step) {
  constexpr double g = 9.81, e = 0.5, T = 0.7;
  double sum = 0;
  for (int i = 0; i < 8; ++i) {
    const double height = 0.5 + 0.05 * (i + 0.5) / 8;
    Model model;
    model.run.step = 4e-3;
    model.run.stepper = {"adaptive",
                         {{"tolerance", fmt::format("{}", tolerance)}, {"min_step", fmt::format("{}", min_step)}}};
    model.set_contact({.friction = 0, .restitution = e});
    model.add_fixed({.shape = HalfSpace{}});
    const BodyId ball = model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 0.1 + height}});
    Simulation s(model);
    s.run(T);
    double t = std::sqrt(2 * height / g), v = e * g * t;
    while (t + 2 * v / g < T) t += 2 * v / g, v *= e;
    const double error = s.position(ball).z() - 0.1 - (v * (T - t) - 0.5 * g * (T - t) * (T - t));
    sum += error * error / 8;
  }
  return std::sqrt(sum);
}

TEST(Adaptive, errors_of_blows_fall_with_the_tolerance_down_to_the_way_of_a_shortest_step) {
  double last = INFINITY;
  for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    const double error = bounce(tolerance, 1e-9);
    EXPECT_LT(error, tolerance);
    EXPECT_LT(error, 0.3 * last);
    last = error;
  }
  // Two blows at up to 3.3 m/s, each off by about a shortest step; no tolerance helps then.
  for (const double min_step : {1e-5, 1e-6, 1e-7}) {
    const double error = bounce(1e-9, min_step);
    EXPECT_LT(error, 9 * min_step);
    EXPECT_GT(error, 0.1 * min_step);
  }
}

/// Under `gavrea` the error of velocities is what counts, also where bodies rest: they must not be taken for moving.
TEST(Adaptive, gavrea_takes_two_parts_per_step_for_a_stack_at_rest) {
  Model model;
  model.run.step = 0.01;
  model.run.stepper = {"adaptive", {{"base", "gavrea"}, {"tolerance", "1e-6"}}};
  model.set_contact({.friction = 0.3});
  model.add_fixed({.shape = HalfSpace{}});
  BodyId top{};
  for (int i = 0; i < 3; ++i)
    top = model.add_rigid({.shape = Box{{0.1, 0.1, 0.1}}, .position = {0.02 * i, 0, 0.1 + 0.2 * i}});
  Simulation s(model);
  for (int i = 0; i < 50; ++i) {
    s.step();
    EXPECT_LE(s.certificate().parts, 2);
  }
  EXPECT_NEAR(s.position(top).z(), 0.5, 1e-9);
}

TEST(Adaptive, a_deadline_is_met_and_the_certificate_says_what_was_left) {
  Model model;
  model.run.step = 1.0 / 60;
  model.run.stepper = {"adaptive", {{"tolerance", "1e-9"}, {"deadline", "1e-3"}}};
  model.run.solver.parameters["tolerance"] = "1e-12";
  model.add_fixed({.shape = HalfSpace{}});
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j)
      model.add_rigid(
          {.shape = Box{{0.1, 0.1, 0.1}}, .position = {0.201 * i + 0.03 * (j % 3), 0.02 * (j % 2), 0.1 + 0.2 * j}});
  Simulation s(model);
  int late = 0;
  for (int k = 0; k < 20; ++k) {
    ASSERT_EQ(s.step().status, StepStatus::Done);
    if (s.certificate().solve_status != SolveStatus::Converged) {
      ++late;
      EXPECT_GT(s.certificate().residual, 1e-12);
    }
    EXPECT_TRUE(s.state().motion.q.allFinite());
  }
  EXPECT_GT(late, 0);  // 144 boxes to 1e-12 cannot be done in a millisecond
  EXPECT_EQ(s.solver().limits().max_seconds, 0);
}

TEST(Adaptive, every_base_can_be_given_a_deadline) {
  for (const std::string_view base : one_problem_steppers()) {
    Model model;
    model.run.step = 1.0 / 60;
    model.run.stepper = {"adaptive", {{"base", std::string(base)}, {"tolerance", "1e-12"}, {"deadline", "1e-4"}}};
    model.add_fixed({.shape = HalfSpace{}});
    for (int i = 0; i < 4; ++i)
      model.add_rigid({.shape = Box{{0.1, 0.1, 0.1}}, .position = {0, 0.03 * (i % 2), 0.1 + 0.2 * i}});
    Simulation s(model);
    for (int k = 0; k < 5; ++k) {
      ASSERT_EQ(s.step().status, StepStatus::Done) << base;
      EXPECT_TRUE(s.state().motion.q.allFinite()) << base;
      // 1e-12 m would take steps of min_step, 1e-7 s: 160 000 of them. A few fit into the deadline.
      EXPECT_LT(s.certificate().parts, 2000) << base;
    }
    EXPECT_NEAR(s.state().time(), 5.0 / 60, 1e-12) << base;
    EXPECT_EQ(s.solver().limits().max_seconds, 0) << base;
  }
}

TEST(Adaptive, lengths_that_contradict_each_other_are_refused) {
  EXPECT_THROW(steppers().make("adaptive", {{"min_step", "1e-3"}, {"max_step", "1e-4"}}), Error);
  EXPECT_THROW(steppers().make("adaptive", {{"base", "adaptive"}}), Error);
}

}  // namespace
}  // namespace cairn
