// SPDX-License-Identifier: Apache-2.0
// Events: what meets, parts, sticks and slips, and certificates that are bad.
#include "cairn/view/view_events.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

FrameContact touch(int a, int b, double force, ContactState state) {
  return {a, b, Vec3::Zero(), Vec3::UnitZ(), {0, 0, force}, 0, state, 0.5, 0};
}

TEST(ViewEvents, meeting_slipping_and_parting_are_told_once_each) {
  EventScanner scanner({"floor", "ball"}, {});
  scanner.add_contacts(0.0, {});
  scanner.add_contacts(0.1, {});
  scanner.add_contacts(0.2, {touch(1, 0, 5, ContactState::Stick), touch(1, 0, 6, ContactState::Stick)});
  scanner.add_contacts(0.3, {touch(0, 1, 5, ContactState::Stick)});  // the same pair the other way round
  scanner.add_contacts(0.4, {touch(1, 0, 5, ContactState::Slip)});
  scanner.add_contacts(0.5, {touch(1, 0, 0, ContactState::Open)});
  const auto events = scanner.events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, ViewEventKind::Impact);
  EXPECT_EQ(events[0].time, 0.2);
  EXPECT_EQ(events[0].text, "'floor' and 'ball' touch (11 N)");
  EXPECT_EQ(events[1].kind, ViewEventKind::StickSlip);
  EXPECT_EQ(events[1].time, 0.4);
  EXPECT_EQ(events[2].kind, ViewEventKind::Separation);
  EXPECT_EQ(events[2].time, 0.5);
}

TEST(ViewEvents, alarms_name_the_limit_and_steps_in_a_row_are_one) {
  EventScanner scanner({}, {.residual = 1e-3, .penetration = 1e-2});
  Certificate c;
  for (const auto& [time, residual, penetration] :
       {std::tuple{0.1, 0.0, 0.0}, {0.2, 2e-3, 0.0}, {0.3, 3e-3, 0.0}, {0.4, 0.0, 0.0}, {0.5, 0.0, 0.02}}) {
    c.time = time;
    c.residual = residual;
    c.penetration = penetration;
    scanner.add_step(c);
  }
  const auto events = scanner.events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].time, 0.2);
  EXPECT_NE(events[0].text.find("0.002"), std::string::npos) << events[0].text;
  EXPECT_EQ(events[1].time, 0.5);
  EXPECT_EQ(to_json(events)[1]["kind"], "alarm");
}

TEST(ViewEvents, of_many_the_strongest_are_kept) {
  std::vector<std::string> names(1002, "b");
  EventScanner scanner(names, {}, 10);
  scanner.add_contacts(0.1, {});
  std::vector<FrameContact> all;
  for (int i = 0; i < 1000; ++i) all.push_back(touch(1001, i, (i * 617) % 1000, ContactState::Stick));
  scanner.add_contacts(0.2, all);
  const auto events = scanner.events();
  ASSERT_EQ(events.size(), 10u);
  for (const ViewEvent& e : events) EXPECT_GE(e.strength, 990);
}

}  // namespace
}  // namespace cairn
