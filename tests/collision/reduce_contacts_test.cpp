// SPDX-License-Identifier: Apache-2.0
// Contact points may be left out as long as the wrenches that remain possible are the same, or the loss is known.
#include "cairn/collision/reduce_contacts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cairn/base/error.h"

namespace cairn {
namespace {

ContactPoint make_point(const Vec3& x, double gap = 0, const Vec3& normal = Vec3::UnitZ()) {
  ContactPoint p;
  p.a = 0;
  p.b = 1;
  p.point = x;
  p.normal = normal;
  p.gap = gap;
  p.weight = 1;
  return p;
}

TEST(ReduceContacts, what_lies_inside_the_hull_goes_without_loss) {
  std::vector<ContactPoint> points;
  for (int i = 0; i <= 4; ++i)
    for (int j = 0; j <= 4; ++j) points.push_back(make_point({i / 4.0, j / 4.0, 0}));
  const ContactReduction r = reduce_contacts(4, points);
  EXPECT_EQ(points.size(), 4u);
  EXPECT_EQ(r.dropped, 21);
  EXPECT_LT(r.lever, 1e-15);
  EXPECT_EQ(r.gap, 0);
  double weight = 0;
  for (const ContactPoint& p : points) {
    weight += p.weight;
    EXPECT_TRUE((p.point.x() == 0 || p.point.x() == 1) && (p.point.y() == 0 || p.point.y() == 1));
  }
  EXPECT_EQ(weight, 25);  // the area is shared out among those that stay
}

TEST(ReduceContacts, the_loss_is_the_distance_of_the_farthest_corner_left_out) {
  // A regular polygon of n corners reduced to 4: every corner left out lies outside the square.
  const int n = 12;
  std::vector<ContactPoint> points;
  for (int k = 0; k < n; ++k) points.push_back(make_point({std::cos(2 * M_PI * k / n), std::sin(2 * M_PI * k / n), 0}));
  const std::vector<ContactPoint> all = points;
  const ContactReduction r = reduce_contacts(4, points);
  ASSERT_EQ(points.size(), 4u);
  // By the definition: the support function of all minus that of those kept, largest over directions, is no more.
  double worst = 0;
  for (int k = 0; k < 3600; ++k) {
    const Vec3 d(std::cos(2 * M_PI * k / 3600), std::sin(2 * M_PI * k / 3600), 0);
    double kept = -2, before = -2;
    for (const ContactPoint& p : points) kept = std::max(kept, d.dot(p.point));
    for (const ContactPoint& p : all) before = std::max(before, d.dot(p.point));
    worst = std::max(worst, before - kept);
  }
  EXPECT_NEAR(r.lever, worst, 1e-5);
  EXPECT_GT(r.lever, 0.1);
}

TEST(ReduceContacts, the_deepest_point_and_other_normals_stay) {
  std::vector<ContactPoint> points;
  for (int k = 0; k < 8; ++k) {
    const double x = std::cos(M_PI * k / 4), y = std::sin(M_PI * k / 4);
    points.push_back(make_point({x, y, 0}, k == 5 ? -1e-3 : 0));
  }
  points.push_back(make_point({5, 0, 0}, 0, Vec3::UnitX()));
  ContactPoint other = make_point({0, 0, 0});
  other.b = 2;
  points.push_back(other);
  const ContactReduction r = reduce_contacts(3, points);
  EXPECT_EQ(points.size(), 5u);
  EXPECT_EQ(r.gap, 0);
  EXPECT_TRUE(std::any_of(points.begin(), points.end(), [](const ContactPoint& p) { return p.gap < 0; }));
}

TEST(ReduceContacts, fewer_than_three_is_refused) {
  std::vector<ContactPoint> points;
  EXPECT_THROW(reduce_contacts(2, points), Error);
}

}  // namespace
}  // namespace cairn
