// SPDX-License-Identifier: Apache-2.0
// Joints on the levels of acceleration, velocity and position (Studer 2009, sections 5.1 and 5.11).
//
//   index-1  U_E - U_B + h dH/dt u_B = 0    drifts in positions and velocities: for comparison only
//   index-2  U_E + e U_B = 0                positions drift; e = 1 hardly, but then errors of velocity are never damped
//   index-3  g(q_E) = 0, contacts g(q_E) >= 0, iterated   no drift; only inelastic impacts, spread over two steps
//   ggl      index-2, then q_E is moved along M^-1 H' until g(q_E) = 0, contacts g(q_E) >= -slack (5.10)
//            no drift, elastic impacts; without slack a body at rest goes on hopping at u = g h e/(1 + e): take
//            slack >= u h/2
// Contacts of the first two are Moreau's (accelerations make no sense in a blow). The unknowns of every solver here are
// scaled, which is what the preconditioned form of index 3 (Bottasso) is for: both are `index-3`. Its theta is 1 where
// there are contacts; with joints alone 1/2 keeps the energy.
#pragma once
#include "cairn/steppers/midpoint.h"

namespace cairn {

class Index1 final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.activation = Activation::Closed, .joints = {JointRule::Acceleration}, .force_place = 0.5};
    void describe(ParameterVisitor& v) { describe_theta(rules, v); }
  };
  explicit Index1(const Settings& settings) : MidpointStepper("index-1", settings.rules) {}
};

class Index2 final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{
        .activation = Activation::Closed, .joints = {.rule = JointRule::End, .reflection = 0.95}, .force_place = 0.5};
    void describe(ParameterVisitor& v) {
      describe_theta(rules, v);
      v.real("reflection", rules.joints.reflection, "", unit_interval,
             "e: share of the begin's error of velocity sent back");
    }
  };
  explicit Index2(const Settings& settings) : MidpointStepper("index-2", settings.rules) {}
};

class Index3 final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{
        .gap = GapRule::End, .joints = {JointRule::Position}, .forces = ForceRule::Explicit, .theta = 1, .place = 0.5};
    void describe(ParameterVisitor& v) {
      v.real("theta", rules.theta, "", {0.5, 1}, "share of the step moved with the velocity of its end");
      v.real("slack", rules.slack, "m", non_negative, "penetration that is let be");
      v.real("position_tolerance", rules.position_tolerance, "", positive,
             "errors of position at the end of the step, as a share of the largest body");
      v.integer("position_iterations", rules.position_iterations, {1, 1000}, "solves per step at most");
    }
  };
  explicit Index3(const Settings& settings) : MidpointStepper("index-3", settings.rules) {}
};

class Ggl final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{
        .activation = Activation::Closed, .joints = {JointRule::Ggl}, .force_place = 0.5, .project_contacts = true};
    void describe(ParameterVisitor& v) {
      v.real("reflection", rules.joints.reflection, "", unit_interval,
             "e: share of the begin's error of velocity sent back by joints");
      v.real("slack", rules.slack, "m", non_negative, "penetration that is let be");
    }
  };
  explicit Ggl(const Settings& settings) : MidpointStepper("ggl", settings.rules) {}
};

}  // namespace cairn
