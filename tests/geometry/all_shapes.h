// SPDX-License-Identifier: Apache-2.0
// One of each bounded shape, at any scale, and random numbers: what property tests run over.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/height_field.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"
#include "cairn/geometry/surface_mesh.h"
#include "support/random_motion.h"

namespace cairn::testing_shapes {

inline Vec3 random_direction(std::mt19937& random) {
  std::normal_distribution<double> g;
  return Vec3(g(random), g(random), g(random)).normalized();
}

/// The hull of random points on a sphere, away from the origin.
inline Polyhedron make_rock(double s, int points = 20, unsigned seed = 3) {
  std::mt19937 random(seed);
  std::vector<Vec3> cloud;
  for (int k = 0; k < points; ++k) cloud.emplace_back(s * (0.5 * random_direction(random) + Vec3(0.1, -0.2, 0.05)));
  return make_hull(cloud, "rock");
}

/// An L: 2 x 2 x 1 without a quarter; not convex.
inline SurfaceMesh make_bracket(double s) {
  const std::vector<Vec2> outline{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  SurfaceMesh mesh;
  for (const double z : {0.0, 1.0})
    for (const Vec2& p : outline) mesh.vertices.emplace_back(s * (Vec3(p.x(), p.y(), z) - Vec3(0.7, 0.7, 0.4)));
  for (int k = 0; k < 6; ++k) {
    const int n = (k + 1) % 6;
    mesh.triangles.push_back({k, n, 6 + n});
    mesh.triangles.push_back({k, 6 + n, 6 + k});
  }
  for (const auto& [i, j, k] : {std::array{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
    mesh.triangles.push_back({6 + i, 6 + j, 6 + k});
    mesh.triangles.push_back({k, j, i});
  }
  return mesh;
}

/// The same L of a hexahedron and four wedges that share whole faces.
inline VolumeMesh make_bracket_cells(double s) {
  VolumeMesh mesh;
  for (const double z : {0.0, 1.0})
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) mesh.vertices.emplace_back(s * (Vec3(i, j, z) - Vec3(0.7, 0.7, 0.4)));
  const auto at = [](int i, int j, int k) { return 9 * k + 3 * j + i; };
  const auto hexahedron = [&](int i, int j) {
    return std::vector<int>{at(i, j, 0), at(i + 1, j, 0), at(i + 1, j + 1, 0), at(i, j + 1, 0),
                            at(i, j, 1), at(i + 1, j, 1), at(i + 1, j + 1, 1), at(i, j + 1, 1)};
  };
  mesh.cells.push_back(hexahedron(0, 0));
  const std::vector<int> b = hexahedron(1, 0), c = hexahedron(0, 1);
  mesh.cells.push_back({b[0], b[1], b[2], b[4], b[5], b[6]});
  mesh.cells.push_back({b[0], b[2], b[3], b[4], b[6], b[7]});
  mesh.cells.push_back({c[0], c[4], c[3], c[1], c[5], c[2]});
  mesh.cells.push_back({c[4], c[7], c[3], c[5], c[6], c[2]});
  return mesh;
}

struct NamedShape {
  std::string name;
  Shape shape;
  bool curved = false;  ///< its surface mesh only converges to it
};

/// All bounded shapes, of size about s.
inline std::vector<NamedShape> all_bounded(double s = 1) {
  std::vector<NamedShape> all{{"sphere", Sphere{0.5 * s}, true},
                              {"box", Box{s * Vec3(0.3, 0.5, 0.4)}},
                              {"capsule", Capsule{0.3 * s, 0.4 * s}, true},
                              {"cylinder", Cylinder{0.4 * s, 0.3 * s}, true},
                              {"cone", Cone{0.5 * s, 0.9 * s}, true},
                              {"ellipsoid", Ellipsoid{s * Vec3(0.3, 0.6, 0.45)}, true}};
  all.push_back({"convex", ConvexPolyhedron{std::make_shared<const Polyhedron>(make_rock(s))}});
  all.push_back({"mesh", TriangleMesh{std::make_shared<const MeshData>(make_mesh(make_bracket(s), "bracket"))}});
  all.push_back({"cells", CellMesh{std::make_shared<const CellData>(make_cells(make_bracket_cells(s), "bracket"))}});
  std::mt19937 random(8);
  all.push_back({"compound",
                 make_compound({{Cylinder{0.1 * s, 0.4 * s}, {random_rotation(random), s * Vec3(0.1, 0, 0.3)}},
                                {Box{s * Vec3(0.1, 0.2, 0.1)}, {random_rotation(random), s * Vec3(2, 0, 0)}},
                                {all[6].shape, {random_rotation(random), s * Vec3(0, -2, 0)}}},
                               "compound"),
                 true});
  return all;
}

}  // namespace cairn::testing_shapes
