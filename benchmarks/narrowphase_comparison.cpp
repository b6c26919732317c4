// SPDX-License-Identifier: Apache-2.0
// Contact points of two shapes by Cairn, Bullet and (where found) FCL on the same shapes and placements: ns per query
// with all points. narrowphase_comparison [PAIRS [ENGINE]]; the pairs are those of `cairn bench narrowphase-*`. Meshes
// by FCL's trees of oriented boxes, all pairs of triangles that cross; Bullet has no such query but through GImpact.
#include <btBulletCollisionCommon.h>
#include <fmt/format.h>

#include <BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h>
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
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

struct Result {
  double ns = 0, points = 0, touching = 0;
};

// Times query(k), which returns a number of points, over all queries.
Result measure(std::size_t count, const std::function<int(std::size_t)>& query) {
  Result r;
  for (std::size_t k = 0; k < count; ++k) {
    const int n = query(k);
    r.points += n;
    r.touching += n > 0;
  }
  r.points /= std::max(1.0, r.touching);
  r.touching /= static_cast<double>(count);
  r.ns = 1e9 * time_queries(count, 5, query);
  return r;
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

Result measure_bullet(const std::vector<PairQuery>& queries) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDispatcherInfo info;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btCollisionObject>> objects;
  std::vector<btCollisionAlgorithm*> algorithms;
  std::vector<btPersistentManifold*> manifolds;
  for (const PairQuery& q : queries) {
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

Result measure_cairn(const std::vector<PairQuery>& queries) {
  std::vector<ContactPoint> points;
  return measure(queries.size(), [&](std::size_t k) {
    const PairQuery& q = queries[k];
    points.clear();
    collide(q.a, q.pa, q.b, q.pb, std::holds_alternative<ConvexPolyhedron>(q.a) ? kHullMargin : 0, points);
    return static_cast<int>(points.size());
  });
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

Result measure_fcl(const std::vector<PairQuery>& queries) {
  std::vector<fcl::CollisionObjectd> objects;
  for (const PairQuery& q : queries) {
    objects.emplace_back(make_fcl_shape(q.a), q.pa.A, q.pa.c);
    objects.emplace_back(make_fcl_shape(q.b), q.pb.A, q.pb.c);
  }
  fcl::CollisionRequestd request(100000, true);
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
void run(std::string_view name, std::string_view wanted, const std::vector<PairQuery>& queries,
         Result (*engine)(const std::vector<PairQuery>&)) {
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
  for (const std::string_view kind : {"boxes", "hulls", "meshes"}) {
    const std::vector<PairQuery> queries = make_pair_queries(kind, kind == "meshes" ? count / 5 : count);
    fmt::print("{}\n", kind);
    run("Cairn", wanted, queries, measure_cairn);
    if (kind != "meshes") run("Bullet", wanted, queries, measure_bullet);
#ifdef CAIRN_HAVE_FCL
    run("FCL", wanted, queries, measure_fcl);
#endif
  }
}
