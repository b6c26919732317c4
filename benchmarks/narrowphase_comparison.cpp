// SPDX-License-Identifier: Apache-2.0
// Contact points of two convex shapes by Cairn, Bullet and (where found) FCL on the same shapes and placements: ns per
// query with the full manifold. narrowphase_comparison [POSES [ENGINE]]. Half of the poses touch (depth up to 2 % of
// the size), half are apart by up to 20 %.
#include <btBulletCollisionCommon.h>
#include <fmt/format.h>

#include <BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <random>
#include <string_view>
#include <vector>

#include "cairn/collision/narrow_phase.h"
#include "cairn/geometry/polyhedron.h"
#ifdef CAIRN_HAVE_FCL
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>
#endif

namespace cairn {
namespace {

// For hulls Bullet reports gaps up to its contact breaking threshold, for boxes overlaps only: so do we here.
constexpr double kHullMargin = 0.02, kBoxMargin = 0;  // m; the shapes are about a metre

struct Query {
  Shape a, b;
  Placement pa, pb;
};

Mat3 random_rotation(std::mt19937& random) {
  std::normal_distribution<double> g;
  return Quat(g(random), g(random), g(random), g(random)).normalized().toRotationMatrix();
}

Shape make_rock(std::mt19937& random) {
  std::uniform_int_distribution<int> count(12, 60);
  std::vector<Vec3> points;
  for (int k = count(random); k > 0; --k) points.push_back(random_rotation(random) * Vec3(0, 0, 0.5));
  return ConvexPolyhedron{std::make_shared<Polyhedron>(make_hull(points, "rock"))};
}

Shape make_block(std::mt19937& random) {
  std::uniform_real_distribution<double> u(0.25, 0.5);
  return Box{Vec3(u(random), u(random), u(random))};
}

double least_gap(const Query& q) {
  std::vector<ContactPoint> points;
  collide(q.a, q.pa, q.b, q.pb, 10, points);
  double least = 10;
  for (const ContactPoint& p : points) least = std::min(least, p.gap);
  return least;
}

// b at a random place in a random direction from a, pushed to the gap wanted.
std::vector<Query> make_queries(int count, const std::function<Shape(std::mt19937&)>& make) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> u(0, 1);
  std::vector<Query> queries;
  for (int k = 0; k < count; ++k) {
    Query q{
        make(random), make(random), {random_rotation(random), Vec3::Zero()}, {random_rotation(random), Vec3::Zero()}};
    const Vec3 away = random_rotation(random) * Vec3::UnitZ();
    const double wanted = k % 2 ? -0.02 * u(random) : 0.2 * u(random);
    double lo = 0, hi = 3;
    for (int i = 0; i < 50; ++i) {
      q.pb.c = (lo + hi) / 2 * away;
      (least_gap(q) < wanted ? lo : hi) = (lo + hi) / 2;
    }
    queries.push_back(std::move(q));
  }
  return queries;
}

struct Result {
  double ns = 0, points = 0, touching = 0;
};

// Runs `query(k)`, which returns a number of points, over all queries until a tenth of a second has passed; the best
// of 5.
Result measure(std::size_t count, const std::function<int(std::size_t)>& query) {
  Result best;
  best.ns = 1e300;
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::size_t runs = 0;
    double points = 0, touching = 0;
    const std::clock_t start = std::clock();  // time of the processor: the machine may have other work
    double spent = 0;
    do {
      points = touching = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const int n = query(k);
        points += n;
        touching += n > 0;
      }
      ++runs;
      spent = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    } while (spent < 0.1);
    const double ns = spent * 1e9 / static_cast<double>(runs * count);
    if (ns < best.ns) best = {ns, points / std::max(1.0, touching), touching / static_cast<double>(count)};
  }
  return best;
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

Result measure_bullet(const std::vector<Query>& queries) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDispatcherInfo info;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btCollisionObject>> objects;
  std::vector<btCollisionAlgorithm*> algorithms;
  std::vector<btPersistentManifold*> manifolds;
  for (const Query& q : queries) {
    for (const auto& [shape, place] : {std::pair(&q.a, &q.pa), std::pair(&q.b, &q.pb)}) {
      shapes.push_back(make_bullet_shape(*shape));
      objects.push_back(std::make_unique<btCollisionObject>());
      objects.back()->setCollisionShape(shapes.back().get());
      objects.back()->setWorldTransform(make_transform(*place));
    }
    btCollisionObjectWrapper a(nullptr, shapes[shapes.size() - 2].get(), objects[objects.size() - 2].get(),
                               objects[objects.size() - 2]->getWorldTransform(), -1, -1);
    btCollisionObjectWrapper b(nullptr, shapes.back().get(), objects.back().get(), objects.back()->getWorldTransform(),
                               -1, -1);
    manifolds.push_back(dispatcher.getNewManifold(objects[objects.size() - 2].get(), objects.back().get()));
    algorithms.push_back(dispatcher.findAlgorithm(&a, &b, manifolds.back(), BT_CONTACT_POINT_ALGORITHMS));
  }
  btManifoldArray own;
  return measure(queries.size(), [&](std::size_t k) {
    const btCollisionObject *oa = objects[2 * k].get(), *ob = objects[2 * k + 1].get();
    const btCollisionObjectWrapper a(nullptr, oa->getCollisionShape(), oa, oa->getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper b(nullptr, ob->getCollisionShape(), ob, ob->getWorldTransform(), -1, -1);
    // Nothing is kept from the last query of this pair.
    own.resize(0);
    algorithms[k]->getAllContactManifolds(own);
    for (int m = 0; m < own.size(); ++m) own[m]->clearManifold();
    btManifoldResult result(&a, &b);
    algorithms[k]->processCollision(&a, &b, info, &result);
    return result.getPersistentManifold()->getNumContacts();
  });
}

Result measure_cairn(const std::vector<Query>& queries) {
  std::vector<ContactPoint> points;
  return measure(queries.size(), [&](std::size_t k) {
    const Query& q = queries[k];
    points.clear();
    collide(q.a, q.pa, q.b, q.pb, std::holds_alternative<Box>(q.a) ? kBoxMargin : kHullMargin, points);
    return static_cast<int>(points.size());
  });
}

#ifdef CAIRN_HAVE_FCL
std::shared_ptr<fcl::CollisionGeometryd> make_fcl_shape(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) return std::make_shared<fcl::Boxd>(2 * box->half_extents);
  const Polyhedron& p = *std::get<ConvexPolyhedron>(shape).data;
  auto vertices = std::make_shared<std::vector<Vec3>>(p.vertices);
  auto faces = std::make_shared<std::vector<int>>();
  for (int f = 0; f < p.face_count(); ++f) {
    faces->push_back(static_cast<int>(p.face(f).size()));
    for (const int v : p.face(f)) faces->push_back(v);
  }
  return std::make_shared<fcl::Convexd>(vertices, p.face_count(), faces);
}

Result measure_fcl(const std::vector<Query>& queries) {
  std::vector<fcl::CollisionObjectd> objects;
  for (const Query& q : queries) {
    objects.emplace_back(make_fcl_shape(q.a), q.pa.A, q.pa.c);
    objects.emplace_back(make_fcl_shape(q.b), q.pb.A, q.pb.c);
  }
  fcl::CollisionRequestd request(8, true);
  request.gjk_solver_type = fcl::GST_LIBCCD;
  fcl::CollisionResultd result;
  return measure(queries.size(), [&](std::size_t k) {
    result.clear();
    fcl::collide(&objects[2 * k], &objects[2 * k + 1], request, result);
    return static_cast<int>(result.numContacts());
  });
}
#endif

// Runs an engine unless another one was asked for.
void run(std::string_view name, std::string_view wanted, const std::vector<Query>& queries,
         Result (*engine)(const std::vector<Query>&)) {
  if (!wanted.empty() && wanted != name) return;
  const Result r = engine(queries);
  fmt::print("  {:<8}{:>8.0f} ns per query, {:.2f} points in {:.0f} % of the poses\n", name, r.ns, r.points,
             100 * r.touching);
}

}  // namespace
}  // namespace cairn

int main(int argc, char** argv) {
  using namespace cairn;
  const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
  const std::string_view wanted = argc > 2 ? argv[2] : "";
  for (const auto& [name, make] :
       {std::pair("box-box", &make_block), std::pair("hull-hull (12..60 points)", &make_rock)}) {
    const std::vector<Query> queries = make_queries(count, make);
    fmt::print("{}\n", name);
    run("Cairn", wanted, queries, measure_cairn);
    run("Bullet", wanted, queries, measure_bullet);
#ifdef CAIRN_HAVE_FCL
    run("FCL", wanted, queries, measure_fcl);
#endif
  }
}
