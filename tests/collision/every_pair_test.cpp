// SPDX-License-Identifier: Apache-2.0
// What must hold for every ordered pair of the twelve kinds of shapes, rigid and affine, from apart to deep: exchange,
// rigid motion, scale, gap against an independent oracle, normal as the gradient of the gap, points on both surfaces.
// A few poses of each pair by default; CAIRN_POSES=20000 for the long form, which also prints the worst numbers.
#include <gtest/gtest.h>

#include "collision/every_shape.h"
#include "collision/pair_oracle.h"

namespace cairn {
namespace {

using namespace test;

constexpr double kMargin = 0.1;
constexpr double kInfinite = 1e300;

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = make_every_shape();
  return all;
}

/// The largest of many numbers and where it was met.
struct Worst {
  double value = 0;
  int pose = -1;
  void offer(double x, int k) {
    if (!(x <= value)) value = x, pose = k;  // a NaN counts
  }
};

class EveryPair : public ::testing::TestWithParam<std::size_t> {
 protected:
  /// Calls check(a, b) for the shape of the test and every other it can meet.
  template <class Check>
  void for_each_other(Check&& check) {
    const Shape& a = shapes()[GetParam()];
    for (const Shape& b : shapes())
      if (!is_boundary(a) || !is_boundary(b)) check(a, b);
  }
  /// The worst number of a pair must stay below its limit.
  void judge(const Shape& a, const Shape& b, const char* what, const Worst& worst, double limit) {
    EXPECT_LE(worst.value, limit) << what << ": " << shape_name(a) << " and " << shape_name(b) << ", pose "
                                  << worst.pose;
    if (std::getenv("CAIRN_POSES"))
      std::printf("worst %s %s %s %.2g %d\n", what, std::string(shape_name(a)).c_str(),
                  std::string(shape_name(b)).c_str(), worst.value, worst.pose);
  }
};

/// Worst difference of two sets of points in places and gaps (over `size`) and normals; infinite when one has more.
double difference(const std::vector<ContactPoint>& p, const std::vector<ContactPoint>& q, double sign, double size) {
  if (p.size() != q.size()) return kInfinite;
  double worst = 0;
  for (const ContactPoint& x : p) {
    double nearest = kInfinite;
    for (const ContactPoint& y : q)
      nearest = std::min(nearest, std::max({std::abs(x.gap - y.gap) / size, (x.point - y.point).norm() / size,
                                            (x.normal - sign * y.normal).norm()}));
    worst = std::max(worst, nearest);
  }
  return worst;
}

TEST_P(EveryPair, gives_the_same_points_with_opposite_normals_when_exchanged) {
  for_each_other([&](const Shape& a, const Shape& b) {
    Worst worst;
    for (int k = 0; k < pose_count(60); ++k) {
      const auto [pa, pb] = make_poses(a, b, k);
      const auto forth = find_contacts(a, pa, b, pb, kMargin), back = find_contacts(b, pb, a, pa, kMargin);
      worst.offer(difference(forth, back, -1, 1), k);
      for (const ContactPoint& x : forth) {
        worst.offer(std::abs(x.normal.norm() - 1), k);
        worst.offer(std::max(x.gap - kMargin, 0.0), k);
      }
    }
    judge(a, b, "exchange", worst, 1e-12);
  });
}

TEST_P(EveryPair, moves_its_points_with_the_bodies) {
  for_each_other([&](const Shape& a, const Shape& b) {
    Worst worst;
    for (int k = 0; k < pose_count(60); ++k) {
      const auto [pa, pb] = make_poses(a, b, k);
      std::mt19937 random(static_cast<unsigned>(k));
      const Placement g = random_placement(random, 3);
      const auto move = [&](const Placement& p) { return Placement{g.A * p.A, g.apply(p.c)}; };
      auto expected = find_contacts(a, pa, b, pb, kMargin);
      for (ContactPoint& x : expected) {
        x.point = g.apply(x.point);
        x.normal = g.A * x.normal;
      }
      worst.offer(difference(find_contacts(a, move(pa), b, move(pb), kMargin), expected, 1, 1), k);
    }
    judge(a, b, "motion", worst, 1e-9);
  });
}

TEST_P(EveryPair, scales_from_microns_to_kilometres) {
  for (const double s : {1e-6, 1e3}) {
    const std::vector<Shape> scaled = make_every_shape(s);
    for_each_other([&](const Shape& a, const Shape& b) {
      Worst worst;
      for (int k = 0; k < pose_count(60); ++k) {
        auto [pa, pb] = make_poses(a, b, k);
        auto expected = find_contacts(a, pa, b, pb, kMargin);
        for (ContactPoint& x : expected) {
          x.point *= s;
          x.gap *= s;
        }
        pa.c *= s;
        pb.c *= s;
        worst.offer(
            difference(find_contacts(scaled[a.index()], pa, scaled[b.index()], pb, kMargin * s), expected, 1, s), k);
      }
      judge(a, b, s < 1 ? "scale-down" : "scale-up", worst, 1e-9);
    });
  }
}

TEST_P(EveryPair, has_points_on_or_in_both_shapes) {
  for_each_other([&](const Shape& a, const Shape& b) {
    Worst worst;
    for (int k = 0; k < pose_count(60); ++k) {
      const auto [pa, pb] = make_poses(a, b, k);
      for (const ContactPoint& x : find_contacts(a, pa, b, pb, kMargin)) {
        worst.offer(outside_any(a, pa, x.point + x.gap / 2 * x.normal), k);
        worst.offer(outside_any(b, pb, x.point - x.gap / 2 * x.normal), k);
      }
    }
    judge(a, b, "surface", worst, 1e-10);
  });
}

/// Gap of a bounded shape over a plane, from the support function.
double plane_gap(const Shape& plane, const Placement& at, const Shape& body, const Placement& p) {
  const auto& h = std::get<HalfSpace>(plane);
  const Vec3 n = at.A * h.normal;
  return n.dot(p.apply(compute_support(body, -(p.A.transpose() * n))) - at.c) - h.offset;
}

TEST_P(EveryPair, has_the_distance_of_the_oracle_as_its_least_gap) {
  for_each_other([&](const Shape& a, const Shape& b) {
    Worst worst, width;
    int apart = 0;
    for (int k = 0; k < pose_count(60); ++k) {
      const auto [pa, pb] = make_poses(a, b, k);
      const auto contacts = find_contacts(a, pa, b, pb, kMargin);
      Bounds truth;
      if (std::holds_alternative<HalfSpace>(a)) {
        truth.lower = truth.upper = plane_gap(a, pa, b, pb);
      } else if (std::holds_alternative<HalfSpace>(b)) {
        truth.lower = truth.upper = plane_gap(b, pb, a, pa);
      } else {
        truth = bound_distance(a, pa, b, pb, 1.1 * kMargin);
        if (overlap(a, pa, b, pb, truth, 1)) continue;
      }
      ++apart;
      if (contacts.empty()) {
        worst.offer(std::max(kMargin - truth.upper, 0.0), k);
        continue;
      }
      const double gap = least_gap(contacts);
      width.offer(truth.upper - truth.lower, k);
      worst.offer(std::max({truth.lower - gap, gap - truth.upper, 0.0}), k);
    }
    EXPECT_GT(apart, pose_count(60) / 5) << shape_name(a) << " " << shape_name(b);
    judge(a, b, "oracle", worst, 1e-10);
    judge(a, b, "oracle-width", width, 1e-6);
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryPair, ::testing::Range<std::size_t>(0, 12),
                         [](const auto& kind) {
                           std::string name(shape_name(shapes()[kind.param]));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace cairn
