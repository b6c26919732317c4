// SPDX-License-Identifier: Apache-2.0
// States as numbers, and whose memory of a scheme it is.
#include "cairn/assembly/numbers.h"

#include <gtest/gtest.h>

#include "cairn/base/error.h"
#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

TEST(Numbers, a_motion_and_its_warm_start_come_back_bit_for_bit) {
  Motion motion;
  motion.time = 1.0 / 3;
  motion.q = VecX::Random(7);
  motion.u = VecX::Random(6);
  motion.s = VecX::Random(2);
  motion.broken = {0, 1};
  motion.memory = VecX::Random(3);
  WarmStart warm;
  warm.begun = true;
  warm.contacts = {{1, 2, Vec3::Random(), Vec3::Random(), 0xfedcba98u, 7, 0.5}};
  warm.joints = {1.0 / 7, -2};
  std::vector<double> numbers;
  NumberWriter w(numbers);
  w.motion(motion);
  w.warm_start(warm);

  NumberReader r("test", numbers);
  Motion motion_back;
  WarmStart warm_back;
  r.motion(motion_back);
  r.warm_start(warm_back);
  r.finish();
  EXPECT_EQ(motion_back.time, motion.time);
  EXPECT_EQ(motion_back.q, motion.q);
  EXPECT_EQ(motion_back.u, motion.u);
  EXPECT_EQ(motion_back.s, motion.s);
  EXPECT_EQ(motion_back.broken, motion.broken);
  EXPECT_EQ(motion_back.memory, motion.memory);
  EXPECT_TRUE(warm_back.begun);
  EXPECT_EQ(warm_back.joints, warm.joints);
  ASSERT_EQ(warm_back.contacts.size(), 1u);
  EXPECT_EQ(warm_back.contacts[0].feature_a, 0xfedcba98u);
  EXPECT_EQ(warm_back.contacts[0].impulse, warm.contacts[0].impulse);
}

TEST(Numbers, too_few_too_many_and_counts_that_lie_are_damage) {
  std::vector<double> numbers;
  NumberWriter(numbers).vector(VecX::Ones(3));
  VecX x;
  const auto read = [&](std::vector<double> in) {
    NumberReader r("the file", in);
    r.vector(x);
    r.finish();
  };
  EXPECT_NO_THROW(read(numbers));
  EXPECT_THROW(read({numbers.begin(), numbers.end() - 1}), Error);
  EXPECT_THROW(read({3, 1, 1, 1, 1}), Error);
  EXPECT_THROW(read({1e300}), Error);
  EXPECT_THROW(read({-1}), Error);
  EXPECT_THROW(read({std::numeric_limits<double>::quiet_NaN(), 1}), Error);
}

TEST(SchemeMemory, of_another_scheme_is_dropped_and_of_another_version_is_refused) {
  SchemeMemory memory;
  EXPECT_FALSE(open_memory(memory, "a", 1));
  keep_memory(memory, "a", 1).number(5);
  EXPECT_FALSE(open_memory(memory, "b", 1));
  auto kept = open_memory(memory, "a", 1);
  ASSERT_TRUE(kept);
  double x = 0;
  kept->number(x);
  EXPECT_EQ(x, 5);
  EXPECT_THROW(open_memory(memory, "a", 2), Error);
}

TEST(SchemeMemory, a_state_of_one_scheme_can_be_gone_on_with_by_another) {
  const auto pendulum = [](const std::string& stepper) {
    Model model;
    model.run.step = 1e-3;
    model.run.stepper.name = stepper;
    model.add_rigid({.name = "rod", .shape = Box{{0.5, 0.02, 0.02}}, .position = {0.5, 0, 0}});
    model.add_joint({.name = "pivot", .body_a = "rod"});
    return model;
  };
  for (const std::string first : {"ali3", "augmented"}) {
    Simulation before(pendulum(first));
    before.run(0.05);
    EXPECT_FALSE(before.state().motion.scheme.name.empty()) << first;
    for (const std::string second : {"moreau", "ali3", "augmented", "compliant"}) {
      if (second == first) continue;
      Simulation after(pendulum(second));
      after.restore(before.state());
      for (int k = 0; k < 20; ++k) ASSERT_EQ(after.step().status, StepStatus::Done) << first << " " << second;
    }
  }
}

}  // namespace
}  // namespace cairn
