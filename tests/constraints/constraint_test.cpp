// SPDX-License-Identifier: Apache-2.0
// Frames, joints and the matching of contacts.
#include <gtest/gtest.h>

#include <random>

#include "cairn/base/error.h"
#include "cairn/constraints/joint.h"
#include "cairn/constraints/warm_start.h"

namespace cairn {
namespace {

TEST(ContactFrame, is_right_handed_and_starts_with_the_normal) {
  std::mt19937 rng(5);
  std::normal_distribution<double> d;
  for (int i = 0; i < 200; ++i) {
    const Vec3 n = i < 3 ? Vec3(Vec3::Unit(i)) : Vec3(d(rng), d(rng), d(rng)).normalized();
    const Mat3 frame = contact_frame(n);
    EXPECT_LT((frame * frame.transpose() - Mat3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(frame.determinant(), 1, 1e-14);
    EXPECT_EQ(Vec3(frame.row(0)), n);
  }
}

TEST(BallJoint, gap_is_the_distance_of_the_two_anchors) {
  Bodies bodies;
  RigidSpec spec;
  spec.position = {1, 2, 3};
  spec.orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ()));
  bodies.add_rigid(spec);
  VecX q, u;
  bodies.initial(q, u);
  Joint joint;
  joint.body_a = 0;
  joint.frame_a.point = {1, 0, 0};
  joint.frame_b.point = {1, 3, 2.5};
  EXPECT_LT((place(joint, bodies, q).gap() - Vec3(0, 0, 0.5)).norm(), 1e-15);
  const Constraint c = make_constraint(joint, bodies, q);
  EXPECT_EQ(c.law, LawKind::Bilateral);
  EXPECT_LT((c.point_a - Vec3(1, 3, 3)).norm(), 1e-15);
}

TEST(MatchContacts, keeps_points_of_a_pair_apart_and_follows_single_points) {
  const auto kept_at = [](int a, int b, const Vec3& point) {
    KeptContact c;
    c.a = a, c.b = b, c.point = point;
    return c;
  };
  const auto point_at = [](int a, int b, const Vec3& point) {
    ContactPoint c;
    c.a = a, c.b = b, c.point = point, c.normal = Vec3::UnitZ();
    return c;
  };
  const std::vector<KeptContact> kept = {kept_at(0, 1, {0, 0, 0}), kept_at(0, 1, {1, 0, 0}), kept_at(0, 3, {5, 5, 5}),
                                         kept_at(2, 3, {0, 0, 0})};
  const std::vector<ContactPoint> points = {
      point_at(0, 1, {0.9, 0, 0}), point_at(0, 1, {0.1, 0, 0}), point_at(0, 2, {0, 0, 0}),  // a pair that was not there
      point_at(0, 3, {-100, 0, 0}),  // one point before, one now: matched however far
      point_at(2, 3, {0, 0, 0})};
  std::vector<int> match;
  std::vector<char> taken;
  match_contacts(kept, points, match, taken);
  EXPECT_EQ(match, (std::vector<int>{1, 0, -1, 2, 3}));
}

TEST(MatchContacts, prefers_the_same_features_to_the_nearest_place) {
  std::vector<KeptContact> kept(2);
  std::vector<ContactPoint> points(2);
  for (unsigned k = 0; k < 2; ++k) {
    kept[k].a = points[k].a = 0;
    kept[k].b = points[k].b = 1;
    kept[k].feature_a = points[1 - k].feature_a = 7 + k;
    kept[k].point = points[k].point = Vec3(k, 0, 0);
  }
  std::vector<int> match;
  std::vector<char> taken;
  match_contacts(kept, points, match, taken);
  EXPECT_EQ(match, (std::vector<int>{1, 0}));
}

}  // namespace
}  // namespace cairn
