// SPDX-License-Identifier: Apache-2.0
// Benchmark scenes of blocks, cards, rocks and meshes. Sizes, masses, friction and the random sequence of arches, cards
// and rocks are those of the peers harness.
#include "benchmarks/scene_parts.h"
#include "benchmarks/scenes.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

ConvexPolyhedron make_rock(Draw& draw) {
  const int corners = std::min(20, 12 + static_cast<int>(draw.one(0, 9)));
  const Vec3 axes = draw.three({0.10, 0.10, 0.08}, {0.15, 0.15, 0.13});
  std::vector<Vec3> directions;
  while (static_cast<int>(directions.size()) < corners) {
    Vec3 d = draw.three(1);
    if (d.norm() > 1 || d.norm() < 0.1) continue;
    d.normalize();
    if (std::none_of(directions.begin(), directions.end(), [&](const Vec3& x) { return (x - d).norm() < 0.35; }))
      directions.push_back(d);
  }
  for (Vec3& d : directions) d = d.cwiseProduct(axes);
  return {std::make_shared<Polyhedron>(make_hull(directions, "rock"))};
}

/// A star-shaped lump with knobs, about 0.4 m, of 2 x 1000 triangles: not convex.
TriangleMesh make_lump() {
  const int rows = 26, columns = 40;
  SurfaceMesh s;
  const auto point = [&](int i, int j) {
    const double theta = M_PI * i / rows, phi = 2 * M_PI * j / columns;
    const double r = 0.2 * (1 + 0.35 * std::cos(3 * phi) * std::pow(std::sin(theta), 3) + 0.2 * std::cos(4 * theta));
    return Vec3(r * std::sin(theta) * std::cos(phi), r * std::sin(theta) * std::sin(phi), r * std::cos(theta));
  };
  s.vertices.push_back(point(0, 0));
  for (int i = 1; i < rows; ++i)
    for (int j = 0; j < columns; ++j) s.vertices.push_back(point(i, j));
  s.vertices.push_back(point(rows, 0));
  const auto at = [&](int i, int j) {
    if (i == 0) return 0;
    if (i == rows) return static_cast<int>(s.vertices.size()) - 1;
    return 1 + (i - 1) * columns + j % columns;
  };
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      if (i > 0) s.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
      if (i < rows - 1) s.triangles.push_back({at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)});
    }
  }
  return {std::make_shared<MeshData>(make_mesh(s, "lump"))};
}

}  // namespace

Model make_arch(int count, double thickness) {
  constexpr double radius = 5;
  Model model = make_bench_model(fmt::format("arch of {} blocks, t/R = {}", count, thickness), 10, 0.8, "1e-8");
  model.add_fixed({.name = "ground", .shape = Box{{20, 20, 1}}, .position = {0, 0, -1}});
  for (int k = 0; k < count; ++k) {
    std::vector<Vec3> corners;
    for (const int end : {k, k + 1}) {
      const double a = M_PI * end / count;
      for (const double r : {radius * (1 - thickness / 2), radius * (1 + thickness / 2)})
        for (const double y : {-0.5, 0.5})
          corners.push_back({r * std::cos(a), y, end % count == 0 ? 0 : r * std::sin(a)});
    }
    model.add_rigid(
        {.shape = ConvexPolyhedron{std::make_shared<Polyhedron>(make_hull(corners, "voussoir"))}, .density = 2400});
  }
  return model;
}

Model make_cards(double scale, int levels) {
  const double length = 0.0889 * scale, width = 0.063 * scale, thickness = 0.001 * scale, lean = 25 * M_PI / 180;
  const double spacing = 0.080 * scale, overhang = 0.006 * scale, apart = 0.0001 * scale;
  Model model = make_bench_model(fmt::format("card house of {} levels, cards of {} m", levels, length), 5, 0.7, "1e-8");
  model.add_fixed({.name = "ground", .shape = Box{Vec3(1, 1, 0.1) * scale}, .position = {0, 0, -0.1 * scale}});
  const double reach = std::sin(lean) * length / 2 + std::cos(lean) * thickness / 2;
  const double rise = std::cos(lean) * length / 2 + std::sin(lean) * thickness / 2;
  double z = 0;
  for (int level = 0; level < levels; ++level) {
    const int tents = levels - level;
    const auto apex = [&](int i) { return spacing * (i - (tents - 1) / 2.0); };
    for (int i = 0; i < tents; ++i) {
      for (const double side : {-1.0, 1.0}) {
        model.add_rigid({.shape = Box{{thickness / 2, width / 2, length / 2}},
                         .position = {apex(i) + side * reach, 0, z + rise},
                         .orientation = Quat(Eigen::AngleAxisd(-side * lean, Vec3::UnitY())),
                         .density = 800});
      }
    }
    z += 2 * rise;
    if (tents == 1) break;
    for (int i = 0; i + 1 < tents; ++i) {
      const double from = apex(i) + (i == 0 ? -overhang : apart),
                   to = apex(i + 1) + (i == tents - 2 ? overhang : -apart);
      model.add_rigid({.shape = Box{{(to - from) / 2, width / 2, thickness / 2}},
                       .position = {(from + to) / 2, 0, z + thickness / 2},
                       .density = 800});
    }
    z += thickness;
  }
  return model;
}

Model make_rocks(int side) {
  const double spacing = 0.32, jitter = 0.009;
  Model model = make_bench_model(fmt::format("{} rocks fall into a bin", side * side * side), 3, 0.4, "1e-4");
  model.run.solver = {"gauss-seidel", {{"tolerance", "1e-4"}, {"max_iterations", "60"}}};
  add_bin(model, side * spacing / 2 + 0.1, side * spacing + 2);
  Draw draw;
  for (int k = 0; k < side; ++k) {
    for (int j = 0; j < side; ++j) {
      for (int i = 0; i < side; ++i) {
        const Vec3 shift = draw.three(jitter);
        const Vec3 place =
            Vec3(spacing * (i - (side - 1) / 2.0), spacing * (j - (side - 1) / 2.0), 0.15 + spacing * k) + shift;
        const ConvexPolyhedron rock = make_rock(draw);
        const Vec3 axis = draw.three(1).normalized();
        const Quat turn(Eigen::AngleAxisd(draw.one(0, 6.28), axis));
        // The centre of mass is at the place, as in the harness.
        model.add_rigid(
            {.shape = rock, .position = place - turn * rock.data->inside, .orientation = turn, .density = 2000});
      }
    }
  }
  return model;
}

Model make_meshes(int count) {
  Model model = make_bench_model(fmt::format("{} meshes of 2000 triangles tumble in a box", count), 3, 0.4, "1e-4");
  add_bin(model, 0.8, 4);
  const TriangleMesh lump = make_lump();
  Draw draw;
  for (int k = 0; k < count; ++k) {
    const Vec3 axis = draw.three(1).normalized();
    model.add_rigid({.shape = lump,
                     .position = {0.45 * (k % 2) - 0.22, 0.45 * (k / 2 % 2) - 0.22, 0.5 + 0.55 * (k / 4)},
                     .orientation = Quat(Eigen::AngleAxisd(draw.one(0, 6.28), axis)),
                     .angular_velocity = draw.three(3),
                     .density = 2000});
  }
  return model;
}

}  // namespace cairn
