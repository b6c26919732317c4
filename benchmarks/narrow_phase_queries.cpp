// SPDX-License-Identifier: Apache-2.0
// Pairs of shapes about to touch: see the header.
#include "benchmarks/narrow_phase_queries.h"

#include <algorithm>
#include <ctime>
#include <memory>
#include <random>

#include "benchmarks/lump.h"
#include "cairn/base/error.h"
#include "cairn/collision/narrow_phase.h"
#include "cairn/geometry/polyhedron.h"

namespace cairn {
namespace {

Mat3 draw_rotation(std::mt19937& random) {
  std::normal_distribution<double> g;
  return Quat(g(random), g(random), g(random), g(random)).normalized().toRotationMatrix();
}

Shape draw_shape(std::string_view kind, std::mt19937& random) {
  std::uniform_real_distribution<double> half(0.25, 0.5);
  if (kind == "boxes" || kind == "stacks") return Box{Vec3(half(random), half(random), half(random))};
  if (kind == "hulls") {
    std::vector<Vec3> points;
    for (int k = std::uniform_int_distribution<int>(12, 60)(random); k > 0; --k)
      points.push_back(draw_rotation(random) * Vec3(0, 0, 0.5));
    return ConvexPolyhedron{std::make_shared<Polyhedron>(make_hull(points, "rock"))};
  }
  if (kind == "meshes") {
    static const TriangleMesh lump = make_lump();
    return lump;
  }
  if (kind != "primitives")
    throw Error("narrow phase: no queries of \"{}\"; there are boxes, stacks, hulls, primitives, meshes", kind);
  const double r = half(random), l = half(random);
  switch (std::uniform_int_distribution<int>(0, 4)(random)) {
    case 0: return Sphere{r};
    case 1: return Capsule{r, l};
    case 2: return Cylinder{r, l};
    case 3: return Cone{r, 2 * l};
    default: return Ellipsoid{Vec3(r, l, half(random))};
  }
}

bool touch(const PairQuery& q) {
  std::vector<ContactPoint> points;
  collide(q.a, q.pa, q.b, q.pb, 0, points);
  return !points.empty();
}

// b lies with a face on a face of a, turned about the normal and moved to the side by at most a quarter of its widths.
void stack(PairQuery& q, std::mt19937& random) {
  std::uniform_real_distribution<double> share(-1, 1);
  std::uniform_int_distribution<int> axis(0, 2);
  const int i = axis(random), j = axis(random);
  const Vec3 ha = std::get<Box>(q.a).half_extents, hb = std::get<Box>(q.b).half_extents;
  const Vec3 n = q.pa.A.col(i), x = q.pa.A.col((i + 1) % 3), y = q.pa.A.col((i + 2) % 3);
  // Axis j of b along n.
  const double turn = M_PI * share(random);
  const Vec3 along = std::cos(turn) * x + std::sin(turn) * y;
  q.pb.A.col(j) = n;
  q.pb.A.col((j + 1) % 3) = along;
  q.pb.A.col((j + 2) % 3) = n.cross(along);
  const double gap = (q.overlaps ? -1e-4 : 1e-4) * q.size * std::abs(share(random));
  q.pb.c =
      (ha[i] + hb[j] + gap) * n + 0.5 * share(random) * ha[(i + 1) % 3] * x + 0.5 * share(random) * ha[(i + 2) % 3] * y;
}

}  // namespace

std::vector<PairQuery> make_pair_queries(std::string_view kind, int count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(0, 1);
  std::vector<PairQuery> queries;
  for (int k = 0; k < count; ++k) {
    PairQuery q;
    q.a = draw_shape(kind, random);
    q.b = draw_shape(kind, random);
    q.pa = {draw_rotation(random), Vec3::Zero()};
    q.pb = {draw_rotation(random), Vec3::Zero()};
    q.overlaps = k % 2 == 1;
    const double reach = bounding_radius(q.a) + bounding_radius(q.b);
    q.size = 2 * std::max(bounding_radius(q.a), bounding_radius(q.b));
    if (kind == "stacks") {
      stack(q, random);
      queries.push_back(std::move(q));
      continue;
    }
    // The last place on the way in at which they do not touch, then a share of the size in or out.
    const Vec3 away = draw_rotation(random) * Vec3::UnitZ();
    constexpr int marches = 64;
    double lo = 0, hi = reach;
    for (int i = marches; i > 0; --i) {
      lo = reach * (i - 1) / marches;
      q.pb.c = lo * away;
      if (touch(q)) break;
      hi = lo;
    }
    for (int i = 0; i < 40; ++i) {
      const double middle = (lo + hi) / 2;
      q.pb.c = middle * away;
      (touch(q) ? lo : hi) = middle;
    }
    q.pb.c = (hi + q.size * (q.overlaps ? -0.02 : 0.2) * share(random)) * away;
    queries.push_back(std::move(q));
  }
  return queries;
}

double time_queries(std::size_t count, int repeat, const std::function<void(std::size_t)>& query) {
  double best = 1e300;
  for (int round = 0; round < repeat; ++round) {
    std::size_t runs = 0;
    double spent = 0;
    const std::clock_t start = std::clock();  // time of the processor: the machine may have other work
    do {
      for (std::size_t k = 0; k < count; ++k) query(k);
      ++runs;
      spent = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    } while (spent < 0.1);
    best = std::min(best, spent / static_cast<double>(runs * std::max<std::size_t>(1, count)));
  }
  return best;
}

}  // namespace cairn
