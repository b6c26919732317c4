// SPDX-License-Identifier: Apache-2.0
// Meshes: adjacency, folds, faults found with their first place, repairs that change no shape.
#include "cairn/geometry/mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "all_shapes.h"
#include "cairn/base/error.h"
#include "cairn/geometry/mesh_check.h"

namespace cairn {
namespace {

using namespace testing_shapes;

TEST(Mesh, of_a_bracket_knows_its_edges_and_folds) {
  const MeshData m = make_mesh(make_bracket(1), "bracket");
  EXPECT_TRUE(m.closed);
  EXPECT_EQ(m.vertices.size() + m.triangles.size(), m.edges.size() + 2);  // Euler
  int convex = 0, flat = 0, reflex = 0;
  for (const MeshData::Edge& e : m.edges) {
    ASSERT_GE(e.f1, 0);
    EXPECT_NEAR(std::abs(e.convexity), e.convexity == 0 ? 0 : 1, 1e-14);  // right angles
    (e.convexity > 0 ? convex : e.convexity < 0 ? reflex : flat)++;
  }
  EXPECT_EQ(convex, 17);  // an L has 18 edges, one of them reflex
  EXPECT_EQ(reflex, 1);
  EXPECT_EQ(flat, 30 - 18);
  for (std::size_t t = 0; t < m.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const MeshData::Edge& e = m.edges[m.triangle_edges[t][k]];
      const int i = m.triangles[t][k], j = m.triangles[t][(k + 1) % 3], face = static_cast<int>(t);
      EXPECT_TRUE((e.v0 == i && e.v1 == j && e.f0 == face) || (e.v0 == j && e.v1 == i && e.f1 == face));
    }
  for (std::size_t v = 0; v < m.vertices.size(); ++v)
    for (int k = m.vertex_start[v]; k < m.vertex_start[v + 1]; ++k) {
      const MeshData::Edge& e = m.edges[m.vertex_edges[k]];
      EXPECT_TRUE(e.v0 == static_cast<int>(v) || e.v1 == static_cast<int>(v));
    }
}

TEST(Mesh, vertex_normal_of_a_cube_is_its_diagonal_however_it_is_triangulated) {
  const MeshData m = make_mesh(make_surface_mesh(Box{{1, 1, 1}}), "cube");
  for (std::size_t v = 0; v < 8; ++v)
    EXPECT_LT((m.vertex_normals[v] - std::numbers::pi / 2 * m.vertices[v]).norm(), 1e-14);
}

TEST(Mesh, open_surface_has_a_rim_and_no_mass) {
  SurfaceMesh surface = make_bracket(1);
  surface.triangles.pop_back();
  const TriangleMesh open{std::make_shared<const MeshData>(make_mesh(surface, "bracket"))};
  EXPECT_FALSE(open.data->closed);
  EXPECT_EQ(std::count_if(open.data->edges.begin(), open.data->edges.end(), [](const auto& e) { return e.f1 < 0; }), 3);
  EXPECT_THROW(compute_mass_properties(Shape(open)), Error);
}

struct Fault {
  const char* text;
  std::function<void(SurfaceMesh&)> damage;
  bool usable;
};

TEST(MeshCheck, says_what_is_wrong_and_where_first) {
  EXPECT_EQ(describe(check_mesh(make_bracket(1), true)), "closed, oriented, no faults");
  EXPECT_TRUE(check_mesh(make_bracket(1), true).is_clean());
  const std::vector<Fault> faults{
      {"3 open edges, first at face 8 (edge 4-5)", [](SurfaceMesh& m) { m.triangles.pop_back(); }, true},
      {"3 edges whose faces are oriented against each other, first at face 2 (edge 2-8)",
       [](SurfaceMesh& m) { std::swap(m.triangles[5][0], m.triangles[5][1]); }, false},
      {"3 edges with more than two faces", [](SurfaceMesh& m) { m.triangles.push_back(m.triangles[4]); }, false},
      {"1 face that is there twice, first is face 20", [](SurfaceMesh& m) { m.triangles.push_back(m.triangles[4]); },
       false},
      {"1 vertices of no face, first is vertex 12", [](SurfaceMesh& m) { m.vertices.emplace_back(9, 9, 9); }, true},
      {"1 vertices at the place of another, first are 3 and 12",
       [](SurfaceMesh& m) { m.vertices.push_back(m.vertices[3]); }, true},
      {"1 vertices with a NaN or an infinity, first is vertex 7", [](SurfaceMesh& m) { m.vertices[7].y() = NAN; },
       false},
      {"first is vertex 99 of face 2", [](SurfaceMesh& m) { m.triangles[2][1] = 99; }, false},
      {"first is vertex -1 of face 2", [](SurfaceMesh& m) { m.triangles[2][1] = -1; }, false},
      {"1 face without area, first is face 20",
       [](SurfaceMesh& m) {
         m.triangles.push_back({1, 1, 2});
       },
       false},
      {"inside out (volume -3 m^3)",
       [](SurfaceMesh& m) {
         for (auto& t : m.triangles) std::swap(t[0], t[1]);
       },
       false},
      {"has no faces", [](SurfaceMesh& m) { m.triangles.clear(); }, false},
  };
  for (const Fault& fault : faults) {
    SurfaceMesh mesh = make_bracket(1);
    fault.damage(mesh);
    const MeshReport report = check_mesh(mesh);
    EXPECT_NE(describe(report).find(fault.text), std::string::npos) << fault.text << " / " << describe(report);
    EXPECT_EQ(report.is_usable(), fault.usable) << fault.text;
    EXPECT_FALSE(report.is_clean()) << fault.text;
    if (fault.usable) continue;
    try {
      make_mesh(mesh, "mesh 'x.stl'");
      ADD_FAILURE() << fault.text;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("mesh 'x.stl': ")) << error.what();
    }
  }
}

TEST(MeshCheck, finds_faces_that_cross_and_none_where_there_are_none) {
  SurfaceMesh two = make_surface_mesh(Sphere{1}, 2);
  EXPECT_EQ(check_mesh(two, true).self_intersections.count, 0);
  const SurfaceMesh other = two;
  for (const Vec3& v : other.vertices) two.vertices.emplace_back(v + Vec3(1.05, 0.1, 0.02));
  const int n = static_cast<int>(other.vertices.size());
  for (const auto& [i, j, k] : other.triangles) two.triangles.push_back({n + i, n + j, n + k});
  const MeshReport report = check_mesh(two, true);
  EXPECT_GT(report.self_intersections.count, 20);
  EXPECT_FALSE(report.is_usable());
  EXPECT_TRUE(check_mesh(two, false).is_usable());
}

TEST(MeshCheck, flat_fans_do_not_cross_themselves_and_folded_ones_lie_on_each_other) {
  // A prism of twelve sides, turned, with digits as files have them; its caps are fans about `hub`.
  const auto prism = [](const Vec2& hub) {
    const Quat turn(Eigen::AngleAxisd(0.8, Vec3(1, 2, 3).normalized()));
    SurfaceMesh mesh;
    const auto add = [&](double x, double y, double z) {
      mesh.vertices.emplace_back((1e6 * (turn * Vec3(x, y, z))).array().round() / 1e6);
    };
    for (int k = 0; k < 12; ++k)
      for (const double z : {-1.0, 1.0}) add(std::cos(k * std::numbers::pi / 6), std::sin(k * std::numbers::pi / 6), z);
    for (const double z : {-1.0, 1.0}) add(hub.x(), hub.y(), z);
    for (int k = 0; k < 12; ++k) {
      const int a = 2 * k, b = 2 * ((k + 1) % 12);
      mesh.triangles.insert(mesh.triangles.end(), {{a, b, b + 1}, {a, b + 1, a + 1}, {b, a, 24}, {a + 1, b + 1, 25}});
    }
    return mesh;
  };
  const MeshReport round = check_mesh(prism({0, 0}), true);
  EXPECT_TRUE(round.is_clean()) << describe(round);
  EXPECT_EQ(round.self_intersections.count, 0) << describe(round);
  // Opposite faces of the flat end of examples/meshes/hook.obj, each a mirror image of the other in their common
  // corner.
  const SurfaceMesh opposite{{{-0.0212132, 0, 0.0212132},
                              {-0.0242206, 0.0069282, 0.0238506},
                              {-0.0264221, 0.004, 0.0257813},
                              {-0.0182058, -0.0069282, 0.0185758},
                              {-0.0160043, -0.004, 0.0166451}},
                             {{0, 1, 2}, {0, 3, 4}}};
  EXPECT_EQ(check_mesh(opposite, true).self_intersections.count, 0);
  // With the hub outside of the cap the fan is folded: closed and oriented, but its faces lie on each other.
  SurfaceMesh flat = prism({1.5, 0.4});
  for (Vec3& v : flat.vertices) v = Eigen::AngleAxisd(0.8, Vec3(1, 2, 3).normalized()).inverse() * v;
  for (Vec3& v : flat.vertices) v.z() = std::round(v.z());
  const MeshReport folded = check_mesh(flat, true);
  EXPECT_TRUE(folded.is_closed() && folded.is_oriented()) << describe(folded);
  EXPECT_GE(folded.self_intersections.count, 4) << describe(folded);  // two folds in each cap
  EXPECT_FALSE(folded.is_usable());
}

TEST(MeshRepair, welds_drops_orients_and_turns_and_says_so) {
  // Each triangle with its own corners, as STL has them; every third turned; all inside out; one flat face more.
  const SurfaceMesh good = make_bracket(1);
  SurfaceMesh bad;
  for (std::size_t t = 0; t < good.triangles.size(); ++t) {
    const int n = static_cast<int>(bad.vertices.size());
    for (const int v : good.triangles[t]) bad.vertices.push_back(good.vertices[v]);
    bad.triangles.push_back(t % 3 == 1 ? std::array{n, n + 1, n + 2} : std::array{n + 1, n, n + 2});
  }
  bad.triangles.push_back({0, 1, 0});
  const MeshRepairResult result = repair_mesh(bad);
  EXPECT_EQ(result.welded, 60 - 12);
  EXPECT_EQ(result.dropped_faces, 1);
  EXPECT_TRUE(check_mesh(result.mesh, true).is_clean()) << describe(check_mesh(result.mesh));
  EXPECT_NEAR(compute_mass_properties(result.mesh).volume, 3, 1e-14);
  EXPECT_TRUE(result.done.starts_with("welded 48 vertices, dropped 1 faces, turned ")) << result.done;
  EXPECT_EQ(repair_mesh(good).done, "nothing to repair");
  // Nearly the same place: only within the distance asked for.
  SurfaceMesh loose = good;
  loose.vertices.push_back(loose.vertices[0] + Vec3(1e-9, 0, 0));
  loose.triangles[0][0] = 12;
  EXPECT_FALSE(check_mesh(repair_mesh(loose).mesh).is_closed());
  EXPECT_TRUE(check_mesh(repair_mesh(loose, {.weld_distance = 1e-8}).mesh).is_clean());
  SurfaceMesh nan = good;
  nan.vertices[0].x() = NAN;
  EXPECT_THROW(repair_mesh(nan), Error);
}

}  // namespace
}  // namespace cairn
