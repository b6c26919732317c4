// SPDX-License-Identifier: Apache-2.0
// Resultants of contact forces, against statics.
#include "cairn/io/thrust_line.h"

#include <gtest/gtest.h>

#include <random>

namespace cairn {
namespace {

FrameContact contact(int a, int b, const Vec3& point, const Vec3& normal, const Vec3& force) {
  FrameContact c;
  c.body_a = a;
  c.body_b = b;
  c.point = point;
  c.normal = normal;
  c.force = force;
  return c;
}

TEST(ThrustLine, forces_in_a_plane_have_no_moment_about_the_centre_of_pressure_but_one_about_the_normal) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const Vec3 normal = Vec3(1, 2, 3).normalized(), x = normal.unitOrthogonal(), y = normal.cross(x), origin(4, 5, 6);
  std::vector<FrameContact> contacts;
  for (int k = 0; k < 9; ++k)
    contacts.push_back(contact(0, 1, origin + number(random) * x + number(random) * y, normal,
                               (2 + number(random)) * normal + number(random) * x + number(random) * y));
  const std::vector<PairResultant> list = find_resultants(contacts);
  ASSERT_EQ(list.size(), 1u);
  Vec3 moment = Vec3::Zero(), force = Vec3::Zero();
  for (const FrameContact& c : contacts) {
    moment += (c.point - list[0].point).cross(c.force);
    force += c.force;
  }
  EXPECT_LT((moment - moment.dot(normal) * normal).norm(), 1e-12);
  EXPECT_GT(std::abs(moment.dot(normal)), 1e-3);  // the test would notice a vanishing one
  EXPECT_LT((list[0].force - force).norm(), 1e-12);
}

TEST(ThrustLine, force_acts_on_the_body_of_the_lower_number_whatever_the_order) {
  const Vec3 n(0, 0, 1), f(1, 0, 5);
  const auto one = find_resultants(std::vector{contact(3, 2, {0, 0, 0}, n, f)});
  const auto other = find_resultants(std::vector{contact(2, 3, {0, 0, 0}, -n, -f)});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].body_a, 2);
  EXPECT_EQ(one[0].force, Vec3(-f));
  EXPECT_EQ(one[0].normal, 5);
  EXPECT_EQ(other[0].force, one[0].force);
  EXPECT_EQ(other[0].normal, one[0].normal);
}

TEST(ThrustLine, open_contacts_and_numbers_that_are_none_do_not_count) {
  const Vec3 n(0, 0, 1);
  const auto list = find_resultants(std::vector{contact(0, 1, {0, 0, 0}, n, {0, 0, 0}),
                                                contact(0, 1, {0, 0, 0}, n, {0, 0, std::nan("")}),
                                                contact(0, 1, {2, 0, 0}, n, {0, 0, 1})});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].point, Vec3(2, 0, 0));
  EXPECT_EQ(list[0].normal, 1);
}

TEST(ThrustLine, a_row_of_blocks_between_two_supports_is_one_line) {
  // ground 0, blocks 1 2 3, the world at the other end.
  const Vec3 n(1, 0, 0), f(10, 0, 0);
  const std::vector<PairResultant> list =
      find_resultants(std::vector{contact(1, 0, {0, 0, 0}, n, f), contact(2, 1, {1, 0, 0.1}, n, f),
                                  contact(3, 2, {2, 0, 0.1}, n, f), contact(3, -1, {3, 0, 0}, -n, -f)});
  const std::vector<ThrustSegment> line = find_thrust_line(list, {false, true, true, true});
  ASSERT_EQ(line.size(), 3u);
  double length = 0;
  for (const ThrustSegment& s : line) length += (s.to - s.from).norm();
  EXPECT_NEAR(length, 1 + 2 * std::sqrt(1.01), 1e-12);
}

TEST(ThrustLine, a_block_with_three_neighbours_joins_them_in_one_point) {
  const Vec3 n(0, 0, 1);
  const std::vector<PairResultant> list =
      find_resultants(std::vector{contact(1, 0, {-1, 0, 0}, n, 3 * n), contact(1, 0, {-1, 0, 0}, n, 0 * n),
                                  contact(2, 1, {0, 0, 1}, n, 4 * n), contact(3, 1, {1, 0, 1}, n, n)});
  const std::vector<ThrustSegment> line = find_thrust_line(list, {false, true, false, false});
  ASSERT_EQ(line.size(), 3u);
  for (const ThrustSegment& s : line) EXPECT_LT((s.to - Vec3(-2.0 / 8, 0, 5.0 / 8)).norm(), 1e-12);
}

TEST(ThrustLine, a_block_with_a_weight_beside_its_middle_rests_on_the_point_that_moments_say) {
  Model model;
  model.set_contact({.friction = 0.8, .restitution = 0});
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  model.add_rigid({.name = "cube", .shape = Box{{0.5, 0.5, 0.5}}, .position = {0, 0, 0.5}, .mass = 10.0});
  model.add_rigid({.name = "pad", .shape = Box{{0.1, 0.5, 0.05}}, .position = {0.3, 0, 1.05}, .mass = 2.0});
  model.run.solver = {"auto", {{"tolerance", "1e-10"}}};
  model.run.step = 1e-3;
  Simulation simulation(model);
  for (int k = 0; k < 20; ++k) simulation.step();
  std::vector<FrameContact> contacts;
  for (const ContactResult& c : simulation.contacts())
    contacts.push_back(contact(c.body_a, c.body_b, c.point, c.normal, c.impulse / 1e-3));
  const std::vector<PairResultant> list = find_resultants(contacts);
  ASSERT_EQ(list.size(), 2u);  // ground and cube, cube and pad
  EXPECT_NEAR(list[0].normal, 12 * 9.81, 1e-4);
  EXPECT_NEAR(list[0].point.x(), 0.3 * 2 / 12, 1e-6);  // the pad's weight times its arm over all of the weight
  EXPECT_NEAR(list[1].point.x(), 0.3, 1e-6);
}

}  // namespace
}  // namespace cairn
