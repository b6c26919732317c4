// SPDX-License-Identifier: Apache-2.0
// Contact points of two shapes by Cairn, Bullet and (where found) FCL on the same shapes and placements: ns per query
// with all points. narrowphase_comparison [PAIRS [KIND|all [ENGINE]]]; the pairs are those of `cairn bench
// narrowphase-*`. Meshes by FCL's trees of oriented boxes, all pairs of triangles that cross; Bullet has no such query
// but through GImpact. The engines take turns in short rounds; medians, and quartiles of the ratio of each round.
#include <btBulletCollisionCommon.h>
#include <fmt/format.h>

#include <BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h>
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "benchmarks/narrow_phase_queries.h"
#include "cairn/collision/narrow_phase.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"
#ifdef CAIRN_HAVE_FCL
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>
#endif

namespace cairn {
namespace {

// For hulls Bullet reports gaps up to its contact breaking threshold, otherwise overlaps only: so do we here.
constexpr double kHullMargin = 0.02;  // m; the shapes are about a metre
constexpr int kRounds = 31;
constexpr double kRoundSeconds = 0.01;  // of one engine in one round, at least

/// One way to answer query k: the number of points it gives.
using Query = std::function<int(std::size_t)>;

struct Engine {
  std::string_view name;
  Query query;
};

struct Result {
  double points = 0, touching = 0;  // mean number where there are any, and in which share of the queries
  std::vector<double> ns;           // per query, of every round
};

double seconds_now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);  // time of the processor: the machine may have other work
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

// Runs all queries often enough for the clock; seconds per query.
double time_round(const Query& query, std::span<const std::size_t> queries, int runs) {
  const double start = seconds_now();
  for (int r = 0; r < runs; ++r)
    for (const std::size_t k : queries) query(k);
  return (seconds_now() - start) / (runs * static_cast<double>(queries.size()));
}

// The engines take turns, round by round, so that whatever slows the machine down slows all of them down.
std::vector<Result> measure(const std::vector<Engine>& engines, std::span<const std::size_t> queries) {
  std::vector<Result> results(engines.size());
  std::vector<int> runs;
  for (std::size_t e = 0; e < engines.size(); ++e) {
    Result& r = results[e];
    for (const std::size_t k : queries) {
      const int n = engines[e].query(k);
      r.points += n;
      r.touching += n > 0;
    }
    r.points /= std::max(1.0, r.touching);
    r.touching /= static_cast<double>(queries.size());
    const double once = time_round(engines[e].query, queries, 1) * static_cast<double>(queries.size());
    runs.push_back(std::max(1, static_cast<int>(kRoundSeconds / once)));
  }
  for (int round = 0; round < kRounds; ++round)
    for (std::size_t e = 0; e < engines.size(); ++e)
      results[e].ns.push_back(1e9 * time_round(engines[e].query, queries, runs[e]));
  return results;
}

btTransform make_transform(const Placement& p) {
  const Mat3& A = p.A;
  return btTransform(btMatrix3x3(A(0, 0), A(0, 1), A(0, 2), A(1, 0), A(1, 1), A(1, 2), A(2, 0), A(2, 1), A(2, 2)),
                     btVector3(p.c.x(), p.c.y(), p.c.z()));
}

std::unique_ptr<btCollisionShape> make_bullet_shape(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) {
    const Vec3& h = box->half_extents;
    return std::make_unique<btBoxShape>(btVector3(h.x(), h.y(), h.z()));
  }
  auto hull = std::make_unique<btConvexHullShape>();
  for (const Vec3& v : std::get<ConvexPolyhedron>(shape).data->vertices)
    hull->addPoint(btVector3(v.x(), v.y(), v.z()), false);
  hull->recalcLocalAabb();
  hull->initializePolyhedralFeatures();  // its manifold then comes from clipping
  hull->setMargin(0.001);
  return hull;
}

class BulletEngine {
 public:
  explicit BulletEngine(const std::vector<PairQuery>& queries) : dispatcher_(&configuration_), pairs_(queries.size()) {
    for (std::size_t k = 0; k < queries.size(); ++k) {
      const PairQuery& q = queries[k];
      PairOf& pair = pairs_[k];
      pair.a.place(q.a, q.pa);
      pair.b.place(q.b, q.pb);
      const btCollisionObjectWrapper a = pair.a.wrap(), b = pair.b.wrap();
      btPersistentManifold* manifold = dispatcher_.getNewManifold(&pair.a.object, &pair.b.object);
      pair.algorithm = dispatcher_.findAlgorithm(&a, &b, manifold, BT_CONTACT_POINT_ALGORITHMS);
      // Boxes clear their manifold themselves.
      if (!std::holds_alternative<Box>(q.a)) pair.algorithm->getAllContactManifolds(pair.kept);
    }
  }
  int operator()(std::size_t k) {
    PairOf& pair = pairs_[k];
    const btCollisionObjectWrapper a = pair.a.wrap(), b = pair.b.wrap();
    // Nothing is kept from the last query of this pair.
    for (int m = 0; m < pair.kept.size(); ++m) pair.kept[m]->clearManifold();
    btManifoldResult result(&a, &b);
    pair.algorithm->processCollision(&a, &b, info_, &result);
    return result.getPersistentManifold()->getNumContacts();
  }

 private:
  struct Part {
    std::unique_ptr<btCollisionShape> shape;
    btCollisionObject object;
    void place(const Shape& s, const Placement& p) {
      shape = make_bullet_shape(s);
      object.setCollisionShape(shape.get());
      object.setWorldTransform(make_transform(p));
    }
    btCollisionObjectWrapper wrap() const {
      return {nullptr, shape.get(), &object, object.getWorldTransform(), -1, -1};
    }
  };
  struct PairOf {
    Part a, b;
    btCollisionAlgorithm* algorithm = nullptr;
    btManifoldArray kept;
  };
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDispatcherInfo info_;
  std::vector<PairOf> pairs_;
};

int find_points(const PairQuery& q, std::vector<ContactPoint>& points) {
  points.clear();
  collide(q.a, q.pa, q.b, q.pb, std::holds_alternative<ConvexPolyhedron>(q.a) ? kHullMargin : 0, points);
  return static_cast<int>(points.size());
}

#ifdef CAIRN_HAVE_FCL
std::shared_ptr<fcl::CollisionGeometryd> make_fcl_shape(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) return std::make_shared<fcl::Boxd>(2 * box->half_extents);
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) {
    auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    std::vector<fcl::Triangle> triangles;
    for (const auto& t : mesh->data->triangles)
      triangles.emplace_back(static_cast<std::size_t>(t[0]), static_cast<std::size_t>(t[1]),
                             static_cast<std::size_t>(t[2]));
    model->beginModel();
    model->addSubModel(mesh->data->vertices, triangles);
    model->endModel();
    return model;
  }
  const Polyhedron& p = *std::get<ConvexPolyhedron>(shape).data;
  auto vertices = std::make_shared<std::vector<Vec3>>(p.vertices);
  auto faces = std::make_shared<std::vector<int>>();
  for (int f = 0; f < p.face_count(); ++f) {
    faces->push_back(static_cast<int>(p.face(f).size()));
    for (const int v : p.face(f)) faces->push_back(v);
  }
  return std::make_shared<fcl::Convexd>(vertices, p.face_count(), faces);
}

class FclEngine {
 public:
  explicit FclEngine(const std::vector<PairQuery>& queries) {
    for (const PairQuery& q : queries) {
      objects_.emplace_back(make_fcl_shape(q.a), q.pa.A, q.pa.c);
      objects_.emplace_back(make_fcl_shape(q.b), q.pb.A, q.pb.c);
    }
    request_.gjk_solver_type = fcl::GST_LIBCCD;
  }
  int operator()(std::size_t k) {
    result_.clear();
    fcl::collide(&objects_[2 * k], &objects_[2 * k + 1], request_, result_);
    return static_cast<int>(result_.numContacts());
  }

 private:
  std::vector<fcl::CollisionObjectd> objects_;
  fcl::CollisionRequestd request_{100000, true};
  fcl::CollisionResultd result_;
};
#endif

// Which queries, by number.
std::vector<std::size_t> select(const std::vector<PairQuery>& queries, bool apart, bool overlapping) {
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < queries.size(); ++k)
    if (queries[k].overlaps ? overlapping : apart) out.push_back(k);
  return out;
}

// Median time per query, and how many times faster than each other engine Cairn, the first, is: median and quartiles of
// the rounds, in each of which both were measured one after the other.
void print(std::string_view what, const std::vector<Engine>& engines, const std::vector<Result>& results) {
  for (std::size_t e = 0; e < engines.size(); ++e) {
    const Result& r = results[e];
    fmt::print("{:<20}{:<8}{:>8.0f} ns{:>7.2f} points in {:>3.0f} % of the poses", e == 0 ? what : "", engines[e].name,
               quantile(r.ns, 0.5), r.points, 100 * r.touching);
    if (e > 0) {
      std::vector<double> ratios;
      for (std::size_t k = 0; k < r.ns.size(); ++k) ratios.push_back(r.ns[k] / results[0].ns[k]);
      fmt::print(", {:.2f} times {} ({:.2f} to {:.2f})", quantile(ratios, 0.5), engines[0].name, quantile(ratios, 0.25),
                 quantile(ratios, 0.75));
    }
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace cairn

int main(int argc, char** argv) {
  using namespace cairn;
  const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
  if (count < 10) {
    fmt::print(stderr, "narrowphase_comparison: PAIRS is \"{}\"; must be a number of at least 10\n", argv[1]);
    return 2;
  }
  const std::string_view only = argc > 2 ? argv[2] : "all", wanted = argc > 3 ? argv[3] : "";
  bool any = false;
  for (const std::string_view kind : {"boxes", "stacks", "hulls", "meshes"}) {
    if (only != "all" && only != kind) continue;
    const std::vector<PairQuery> queries = make_pair_queries(kind, kind == "meshes" ? count / 5 : count);
    const auto take = [&](std::string_view name) { return wanted.empty() || wanted == name; };
    std::vector<ContactPoint> points;
    std::vector<Engine> engines;
    if (take("Cairn")) engines.push_back({"Cairn", [&](std::size_t k) { return find_points(queries[k], points); }});
    std::optional<BulletEngine> bullet;
    if (kind != "meshes" && take("Bullet")) engines.push_back({"Bullet", std::ref(bullet.emplace(queries))});
#ifdef CAIRN_HAVE_FCL
    std::optional<FclEngine> fcl;
    if (take("FCL")) engines.push_back({"FCL", std::ref(fcl.emplace(queries))});
#endif
    if (engines.empty()) continue;
    any = true;
    const auto run = [&](std::string_view input, bool apart, bool overlapping) {
      const std::vector<std::size_t> chosen = select(queries, apart, overlapping);
      print(fmt::format("{} {}", kind, input), engines, measure(engines, chosen));
    };
    run("apart", true, false);
    run("overlapping", false, true);
    run("all", true, true);
  }
  if (!any) fmt::print(stderr, "narrowphase_comparison: no queries of \"{}\" by \"{}\"\n", only, wanted);
  return any ? 0 : 2;
}
