// SPDX-License-Identifier: Apache-2.0
// Substeps: what is repeated leaves no trace, what fails leaves the state as it was, the rest adds up.
#include "cairn/assembly/substeps.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

using Verdict = Substeps::Verdict;

/// A scheme of which every step adds h to q, takes a J of friction per second, and pulls a joint with 2 N.
struct Ramp {
  std::vector<JointImpulse> joints{1};
  std::vector<double> coordinates;
  std::span<const JointImpulse> joint_impulses() const { return joints; }
  std::span<const double> coordinate_impulses() const { return coordinates; }
  StepReport step(double h, Motion& motion, WarmStart& warm) {
    motion.time += h;
    motion.q[0] += h;
    warm.joints.push_back(h);
    joints[0].force = Vec3(2 * h, 0, 0);
    StepReport report;
    report.work.friction = -h;
    report.solve.iterations = 1;
    return report;
  }
};

struct Start {
  System system;
  Motion motion;
  WarmStart warm;
  Ramp ramp;
  Substeps parts;
  Start() {
    system.joints.emplace_back();
    motion.q = VecX::Zero(1);
    motion.time = 3;
  }
};

TEST(Substeps, reports_and_impulses_add_up) {
  Start s;
  const StepReport report = s.parts.run(
      s.system, 1, s.motion, s.warm, [](double left) { return std::min(left, 0.3); },
      [&](double d) {
        s.parts.add(s.ramp.step(d, s.motion, s.warm), s.ramp);
        return Verdict::Keep;
      });
  EXPECT_EQ(report.parts, 4);
  EXPECT_EQ(report.solve.iterations, 4);
  EXPECT_NEAR(report.work.friction, -1, 1e-15);
  EXPECT_NEAR(s.parts.joint_impulses()[0].force.x(), 2, 1e-15);
  EXPECT_NEAR(s.motion.q[0], 1, 1e-15);
  EXPECT_EQ(s.motion.time, 4);  // to the last bit
}

TEST(Substeps, what_is_repeated_leaves_no_trace) {
  Start s;
  double next = 1;
  int tries = 0;
  const StepReport report = s.parts.run(
      s.system, 1, s.motion, s.warm, [&](double left) { return std::min(left, next); },
      [&](double d) {
        ++tries;
        s.parts.add(s.ramp.step(d, s.motion, s.warm), s.ramp);
        if (d <= 0.25) return Verdict::Keep;
        next = d / 2;
        return Verdict::Repeat;
      });
  EXPECT_EQ(tries, 6);
  EXPECT_EQ(report.parts, 4);
  EXPECT_EQ(s.motion.q[0], 1);
  EXPECT_EQ(s.warm.joints, std::vector<double>(4, 0.25));
  EXPECT_EQ(s.parts.joint_impulses()[0].force.x(), 2);
}

TEST(Substeps, a_step_that_fails_leaves_the_state_as_it_was) {
  Start s;
  const StepReport report = s.parts.run(
      s.system, 1, s.motion, s.warm, [](double left) { return std::min(left, 0.5); },
      [&](double d) {
        StepReport one = s.ramp.step(d, s.motion, s.warm);
        if (s.motion.q[0] < 0.9) {
          s.parts.add(one, s.ramp);
          return Verdict::Keep;
        }
        one.status = StepStatus::NotFinite;
        return s.parts.fail(one);
      });
  EXPECT_EQ(report.status, StepStatus::NotFinite);
  EXPECT_EQ(s.motion.q[0], 0);
  EXPECT_EQ(s.motion.time, 3);
  EXPECT_TRUE(s.warm.joints.empty());
}

}  // namespace
}  // namespace cairn
