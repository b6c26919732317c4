// SPDX-License-Identifier: Apache-2.0
// Meshes against every shape: on convex solids the gaps of the exact convex routines, on others those of brute force.
#include "cairn/collision/mesh_pairs.h"

#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/height_field.h"
#include "cairn/geometry/mesh.h"
#include "collision/every_shape.h"
#include "collision/pair_helpers.h"
#include "collision/pair_oracle.h"

namespace cairn {
namespace {

using test::find_contacts;
using test::make_ring;
using test::point_triangle;

TriangleMesh as_mesh(const Shape& shape, int refinement = 2) {
  return {std::make_shared<MeshData>(make_mesh(make_surface_mesh(shape, refinement), "test"))};
}

double least_gap(const std::vector<ContactPoint>& contacts) {
  double least = INFINITY;
  for (const ContactPoint& c : contacts) least = std::min(least, c.gap);
  return least;
}

/// A flat square of n x n cells, two triangles each, side 2.
TriangleMesh flat_mesh(int n, double height = 0) {
  SurfaceMesh s;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) s.vertices.push_back({2.0 * i / n - 1, 2.0 * j / n - 1, height});
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int v = j * (n + 1) + i;
      s.triangles.push_back({v, v + 1, v + n + 2});
      s.triangles.push_back({v, v + n + 2, v + n + 1});
    }
  }
  return {std::make_shared<MeshData>(make_mesh(s, "flat"))};
}

TEST(MeshPairs, a_box_as_a_mesh_has_the_gaps_of_the_box) {
  std::mt19937 random(1);
  const Box box{{0.3, 0.5, 0.4}};
  const Shape mesh = as_mesh(box);
  for (const Shape& other : test::convex_shapes()) {
    if (std::holds_alternative<HalfSpace>(other)) continue;
    int touching = 0;
    for (int k = 0; k < 1000; ++k) {
      const Placement pa = test::random_placement(random, 0.1), pb = test::random_placement(random, 1);
      const double margin = 0.3, exact = least_gap(find_contacts(box, pa, other, pb, margin));
      // Deep overlaps have other ways out; surfaces look for the shallow ones.
      if (exact < -0.01 || exact > 0.99 * margin) continue;
      ++touching;
      const double found = least_gap(find_contacts(mesh, pa, other, pb, margin));
      EXPECT_NEAR(found, exact, 1e-9) << shape_name(other) << " " << k;
    }
    EXPECT_GT(touching, 50) << shape_name(other);
  }
}

TEST(MeshPairs, exchange_of_the_shapes_turns_the_normals_round) {
  std::mt19937 random(2);
  const Shape mesh = as_mesh(Box{{0.3, 0.5, 0.4}}), ball = as_mesh(Sphere{0.5}, 1);
  std::vector<Shape> others = test::convex_shapes();
  others.push_back(ball);
  for (const Shape& other : others) {
    for (int k = 0; k < 200; ++k) {
      const Placement pa = test::random_placement(random, 0.1), pb = test::random_placement(random, 0.8);
      const auto one = find_contacts(mesh, pa, other, pb, 0.1), two = find_contacts(other, pb, mesh, pa, 0.1);
      EXPECT_TRUE(test::same_contacts(one, two, -1, 1e-9)) << shape_name(other) << " " << k;
    }
  }
}

TEST(MeshPairs, a_rigid_motion_of_both_moves_the_contacts_along) {
  std::mt19937 random(3);
  const Shape mesh = as_mesh(Sphere{0.5}, 1);
  for (const Shape& other : {Shape(as_mesh(Box{{0.3, 0.5, 0.4}})), Shape(Sphere{0.4}), Shape(Cylinder{0.3, 0.4})}) {
    for (int k = 0; k < 200; ++k) {
      const Placement pa = test::random_placement(random, 0.1), pb = test::random_placement(random, 0.8);
      const Placement motion = test::random_placement(random, 10);
      const auto move = [&](const Placement& p) { return Placement{motion.A * p.A, motion.apply(p.c)}; };
      auto one = find_contacts(mesh, pa, other, pb, 0.05);
      const auto two = find_contacts(mesh, move(pa), other, move(pb), 0.05);
      for (ContactPoint& c : one) {
        c.point = motion.apply(c.point);
        c.normal = motion.A * c.normal;
      }
      EXPECT_TRUE(test::same_contacts(one, two, 1, 1e-8)) << shape_name(other) << " " << k;
    }
  }
}

// Distance of two triangles by brute force: corners on faces, edges on edges.
double segment_segment(const Vec3& p, const Vec3& d, const Vec3& q, const Vec3& e) {
  const Vec3 w = p - q;
  const double a = d.dot(d), b = d.dot(e), c = e.dot(e), f = d.dot(w), g = e.dot(w), det = a * c - b * b;
  double s = det > 1e-14 * a * c ? std::clamp((b * g - c * f) / det, 0.0, 1.0) : 0;
  const double t = std::clamp((b * s + g) / c, 0.0, 1.0);
  s = std::clamp((b * t - f) / a, 0.0, 1.0);
  return (w + s * d - t * e).norm();
}

bool pierces(const Vec3& p, const Vec3& d, const std::array<Vec3, 3>& t) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]);
  const double s = n.dot(t[0] - p) / n.dot(d);
  if (!(s >= 0 && s <= 1)) return false;
  for (std::size_t k = 0; k < 3; ++k)
    if (n.cross(t[(k + 1) % 3] - t[k]).dot(p + s * d - t[k]) < 0) return false;
  return true;
}

double brute_distance(const MeshData& a, const Placement& pa, const MeshData& b, const Placement& pb) {
  double best = INFINITY;
  for (const auto& i : a.triangles) {
    const std::array<Vec3, 3> s{pa.apply(a.vertices[i[0]]), pa.apply(a.vertices[i[1]]), pa.apply(a.vertices[i[2]])};
    for (const auto& j : b.triangles) {
      const std::array<Vec3, 3> t{pb.apply(b.vertices[j[0]]), pb.apply(b.vertices[j[1]]), pb.apply(b.vertices[j[2]])};
      for (std::size_t k = 0; k < 3; ++k) {
        best = std::min({best, point_triangle(s[k], t), point_triangle(t[k], s)});
        if (pierces(s[k], s[(k + 1) % 3] - s[k], t) || pierces(t[k], t[(k + 1) % 3] - t[k], s)) return 0;
        for (std::size_t l = 0; l < 3; ++l)
          best = std::min(best, segment_segment(s[k], s[(k + 1) % 3] - s[k], t[l], t[(l + 1) % 3] - t[l]));
      }
    }
  }
  return best;
}

TEST(MeshPairs, rings_apart_are_as_far_as_brute_force_says) {
  std::mt19937 random(4);
  const TriangleMesh ring{std::make_shared<MeshData>(make_mesh(make_ring(12, 0.6, 0.8, 0.1), "ring"))};
  int apart = 0;
  for (int k = 0; k < 300; ++k) {
    const Placement pa = test::random_placement(random, 0.1), pb = test::random_placement(random, 1);
    const double exact = brute_distance(*ring.data, pa, *ring.data, pb);
    if (exact < 1e-6 || exact > 0.29) continue;
    ++apart;
    EXPECT_NEAR(least_gap(find_contacts(ring, pa, ring, pb, 0.3)), exact, 1e-10) << k;
  }
  EXPECT_GT(apart, 50);
}

TEST(MeshPairs, a_sphere_over_a_triangulated_plane_feels_a_plane) {
  std::mt19937 random(5);
  const Shape plane = flat_mesh(20);
  for (int k = 0; k < 2000; ++k) {
    Vec3 x = test::random_vector(random, 0.8);
    x.z() = 0.1 + 1e-3 * x.z();
    const auto contacts = find_contacts(Sphere{0.1}, {Mat3::Identity(), x}, plane, {}, 0.01);
    ASSERT_EQ(contacts.size(), 1u) << x.transpose();
    EXPECT_NEAR(contacts[0].gap, x.z() - 0.1, 1e-15);
    EXPECT_LT((contacts[0].normal - Vec3::UnitZ()).norm(), 1e-14);
  }
  // On a vertex and on an edge as well.
  for (const Vec3& x : {Vec3(0, 0, 0.1), Vec3(0.05, 0, 0.1), Vec3(0.05, 0.05, 0.1)})
    EXPECT_EQ(find_contacts(Sphere{0.1}, {Mat3::Identity(), x}, plane, {}, 0.01).size(), 1u);
}

TEST(MeshPairs, a_box_on_a_triangulated_plane_stands_on_its_four_corners) {
  const Shape plane = flat_mesh(7);
  const Placement p{Eigen::AngleAxisd(0.3, Vec3::UnitZ()).toRotationMatrix(), {0.1, 0.05, 0.2 - 1e-7}};
  const auto contacts = find_contacts(Box{{0.3, 0.3, 0.2}}, p, plane, {}, 1e-3);
  ASSERT_EQ(contacts.size(), 4u);
  for (const ContactPoint& c : contacts) {
    EXPECT_NEAR(c.gap, -1e-7, 1e-15);
    EXPECT_LT((c.normal - Vec3::UnitZ()).norm(), 1e-14);
  }
}

TEST(MeshPairs, a_point_in_a_concave_corner_meets_all_its_faces) {
  // A room: the inside of a box, its surface turned inwards and cut open.
  SurfaceMesh room = make_surface_mesh(Box{Vec3::Ones()});
  for (auto& t : room.triangles) std::swap(t[1], t[2]);
  std::erase_if(room.triangles, [&](const auto& t) {
    return room.vertices[t[0]].z() > 0 && room.vertices[t[1]].z() > 0 && room.vertices[t[2]].z() > 0;
  });
  const Shape walls = TriangleMesh{std::make_shared<MeshData>(make_mesh(room, "room"))};
  for (const double gap : {1e-4, -1e-4}) {
    const Vec3 corner = Vec3::Constant(-1 + 0.1 + gap);
    EXPECT_EQ(find_contacts(Sphere{0.1}, {Mat3::Identity(), corner}, walls, {}, 1e-3).size(), 3u);
    const auto box = find_contacts(Box{Vec3::Constant(0.1)}, {Mat3::Identity(), corner}, walls, {}, 1e-3);
    for (int axis = 0; axis < 3; ++axis) {
      int count = 0;
      for (const ContactPoint& c : box) count += c.normal[axis] > 0.999 ? 1 : 0;
      EXPECT_GE(count, 4) << axis << " " << gap;
    }
    EXPECT_NEAR(least_gap(box), gap, 1e-12);
  }
}

TEST(MeshPairs, every_pair_of_kinds_finds_its_contact) {
  std::vector<Shape> shapes = test::convex_shapes();
  shapes.push_back(as_mesh(Box{{0.3, 0.5, 0.4}}));
  VolumeMesh hexahedron;
  for (int k = 0; k < 8; ++k)
    hexahedron.vertices.push_back({(k & 1) ^ ((k >> 1) & 1) ? 0.4 : -0.4, k & 2 ? 0.4 : -0.4, k & 4 ? 0.4 : -0.4});
  hexahedron.cells = {{0, 1, 2, 3, 4, 5, 6, 7}};
  shapes.push_back(CellMesh{std::make_shared<CellData>(make_cells(hexahedron, "cell"))});
  shapes.push_back(make_compound({{Box{{0.3, 0.3, 0.3}}, {}}, {Sphere{0.3}, {Mat3::Identity(), {0, 0, 0.4}}}}, "two"));
  const Shape field = HeightField{
      std::make_shared<HeightGrid>(make_height_grid(5, 5, -2, -2, 1, 1, std::vector<double>(25, 0.0), "field"))};
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      if (std::holds_alternative<HalfSpace>(a) || std::holds_alternative<HalfSpace>(b)) continue;
      // b comes down from above until the support planes are 1e-3 apart: then they are near at one place at least.
      const Placement pa, far{Mat3::Identity(), {0, 0, 5}};
      const double top = compute_support(a, Vec3::UnitZ()).z(), bottom = compute_support(b, -Vec3::UnitZ()).z();
      const Placement pb{Mat3::Identity(), {0, 0, top - bottom + 1e-3}};
      EXPECT_GE(find_contacts(a, pa, b, pb, 0.1).size(), 1u) << shape_name(a) << " " << shape_name(b);
      EXPECT_EQ(find_contacts(a, pa, b, far, 0.1).size(), 0u) << shape_name(a) << " " << shape_name(b);
    }
    if (std::holds_alternative<HalfSpace>(a)) continue;
    const Placement above{Mat3::Identity(), {0.3, 0.2, -compute_support(a, -Vec3::UnitZ()).z() - 1e-4}};
    for (const Shape& ground : {Shape(HalfSpace{}), field}) {
      const auto contacts = find_contacts(a, above, ground, {}, 1e-3);
      ASSERT_GE(contacts.size(), 1u) << shape_name(a) << " on " << shape_name(ground);
      for (const ContactPoint& c : contacts) {
        EXPECT_NEAR(c.gap, -1e-4, 1.1e-3) << shape_name(a);
        EXPECT_GT(c.normal.z(), 0.99);
      }
      EXPECT_NEAR(least_gap(contacts), -1e-4, 1e-12) << shape_name(a) << " on " << shape_name(ground);
    }
  }
}

// Poses of every_pair_test.cpp: bodies over the rim of a terrain that reach below a face of it past that rim.
TEST(MeshPairs, nothing_touches_a_height_field_beyond_its_rim) {
  const std::vector<Shape> shapes = test::make_every_shape();
  const auto check = [&](std::size_t kind, int pose) {
    const auto [pa, pb] = test::make_poses(shapes[kind], shapes[9], pose);
    const auto contacts = find_contacts(shapes[kind], pa, shapes[9], pb, 0.1);
    EXPECT_FALSE(contacts.empty()) << pose;
    for (const ContactPoint& c : contacts) {
      const Vec3 on_field = pb.A.transpose() * (c.point - c.gap / 2 * c.normal - pb.c);
      EXPECT_LE(on_field.head<2>().cwiseAbs().maxCoeff(), 1.5 + 1e-10) << pose;
    }
  };
  check(3, 13615);
  check(4, 5973);
  check(5, 8172);
}

}  // namespace
}  // namespace cairn
