// SPDX-License-Identifier: Apache-2.0
// Meshes of the cases: see the header.
#include "meshes.h"

#include <cmath>
#include <map>
#include <random>

namespace cairn::validation {
namespace {

using Vec2 = Eigen::Vector2d;

void add_quad(SurfaceMesh& mesh, int a, int b, int c, int d) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

void turn_outward(SurfaceMesh& mesh) {
  if (compute_mass_properties(mesh).volume > 0) return;
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
}

/// Both threads: the wall between the thread and a plain cylinder. Column i is at the angle 2 pi i/sides; its corners
/// 4 t + {0, 1, 2, 3} are root, root, crest, crest. After one turn a column goes on one pitch higher: column `sides`,
/// corner j is column 0, corner j + 4. Column 0 therefore has four corners more, and each end a step.
SurfaceMesh make_thread(const Thread& thread, double plain, bool inside) {
  const int sides = thread.sides, last = 4 * thread.turns, plain_last = 2 * thread.turns;
  const double gap = thread.pitch - thread.land;
  SurfaceMesh mesh;
  std::map<std::array<int, 3>, int> index;
  const auto add = [&](int kind, int i, int j, double r, double z) {
    const double angle = 2 * EIGEN_PI * i / sides;
    index[{kind, i, j}] = static_cast<int>(mesh.vertices.size());
    mesh.vertices.emplace_back(r * std::cos(angle), r * std::sin(angle), z + thread.pitch * i / sides);
  };
  for (int i = 0; i < sides; ++i) {
    for (int j = 0; j <= last + (i == 0 ? 4 : 0); ++j) {
      const double height =
          j / 4 * thread.pitch + std::array{0.0, gap, gap, thread.pitch}[static_cast<std::size_t>(j % 4)];
      add(0, i, j, j % 4 < 2 ? thread.root : thread.crest, height);
    }
    for (int m = 0; m <= plain_last + (i == 0 ? 2 : 0); ++m) add(1, i, m, plain, m / 2 * thread.pitch + (m % 2) * gap);
  }
  const auto T = [&](int i, int j) { return i < sides ? index.at({0, i, j}) : index.at({0, 0, j + 4}); };
  const auto P = [&](int i, int m) { return i < sides ? index.at({1, i, m}) : index.at({1, 0, m + 2}); };
  for (int i = 0; i < sides; ++i) {
    for (int j = 0; j < last; ++j) add_quad(mesh, T(i, j), T(i + 1, j), T(i + 1, j + 1), T(i, j + 1));
    for (int m = 0; m < plain_last; ++m) add_quad(mesh, P(i, m), P(i, m + 1), P(i + 1, m + 1), P(i + 1, m));
    add_quad(mesh, T(i + 1, 0), T(i, 0), P(i, 0), P(i + 1, 0));
    add_quad(mesh, T(i, last), T(i + 1, last), P(i + 1, plain_last), P(i, plain_last));
  }
  // The steps at the ends, in the plane of column 0.
  add_quad(mesh, P(0, 0), T(0, 0), T(0, 1), P(0, 1));
  add_quad(mesh, P(0, 1), T(0, 1), T(0, 4), P(0, 2));
  add_quad(mesh, T(0, 1), T(0, 2), T(0, 3), T(0, 4));
  const int j = last, m = plain_last;
  add_quad(mesh, P(0, m + 1), T(0, j + 1), T(0, j), P(0, m));
  add_quad(mesh, P(0, m + 2), T(0, j + 4), T(0, j + 1), P(0, m + 1));
  add_quad(mesh, T(0, j + 4), T(0, j + 3), T(0, j + 2), T(0, j + 1));
  if (inside)
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

}  // namespace

TriangleMesh to_shape(const SurfaceMesh& surface, std::string_view owner) {
  return {std::make_shared<MeshData>(make_mesh(surface, owner))};
}

SurfaceMesh make_split_box(const Vec3& half, int parts) {
  SurfaceMesh mesh;
  std::map<std::array<int, 3>, int> index;
  const auto at = [&](std::array<int, 3> k) {
    const auto [place, fresh] = index.try_emplace(k, static_cast<int>(mesh.vertices.size()));
    if (fresh) mesh.vertices.push_back((2.0 * Vec3(k[0], k[1], k[2]) / parts - Vec3::Ones()).cwiseProduct(half));
    return place->second;
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const int side : {0, parts}) {
      const auto corner = [&](int u, int v) {
        std::array<int, 3> k{};
        k[axis] = side;
        k[(axis + 1) % 3] = u;
        k[(axis + 2) % 3] = v;
        return at(k);
      };
      for (int u = 0; u < parts; ++u) {
        for (int v = 0; v < parts; ++v) {
          const int a = corner(u, v), b = corner(u + 1, v), c = corner(u + 1, v + 1), d = corner(u, v + 1);
          side == 0 ? add_quad(mesh, a, d, c, b) : add_quad(mesh, a, b, c, d);
        }
      }
    }
  }
  return mesh;
}

SurfaceMesh make_slab(double half, double thickness, int parts, double shift) {
  SurfaceMesh mesh;
  std::mt19937 random(5);
  const double cell = 2 * half / parts;
  const auto draw = [&] { return shift * cell * (random() / 2147483648.0 - 1); };
  for (int j = 0; j <= parts; ++j) {
    for (int i = 0; i <= parts; ++i) {
      const bool inner = i > 0 && j > 0 && i < parts && j < parts;
      mesh.vertices.emplace_back(cell * i - half + (inner ? draw() : 0), cell * j - half + (inner ? draw() : 0), 0);
    }
  }
  const auto top = [&](int i, int j) { return j * (parts + 1) + i; };
  for (int j = 0; j < parts; ++j) {
    for (int i = 0; i < parts; ++i) {
      const int a = top(i, j), b = top(i + 1, j), c = top(i + 1, j + 1), d = top(i, j + 1);
      random() % 2 ? add_quad(mesh, a, b, c, d) : add_quad(mesh, b, c, d, a);
    }
  }
  const int below = static_cast<int>(mesh.vertices.size());
  for (const Vec2& x : {Vec2(-1, -1), Vec2(1, -1), Vec2(1, 1), Vec2(-1, 1)})
    mesh.vertices.emplace_back(half * x.x(), half * x.y(), -thickness);
  mesh.triangles.push_back({below, below + 2, below + 1});
  mesh.triangles.push_back({below, below + 3, below + 2});
  // The sides: fans over the border of the upper side.
  for (int side = 0; side < 4; ++side) {
    const int left = below + side, right = below + (side + 1) % 4;
    const auto border = [&](int k) {
      switch (side) {
        case 0: return top(k, 0);
        case 1: return top(parts, k);
        case 2: return top(parts - k, parts);
        default: return top(0, parts - k);
      }
    };
    for (int k = 0; k < parts; ++k) mesh.triangles.push_back({right, border(k + 1), border(k)});
    mesh.triangles.push_back({left, right, border(0)});
  }
  return mesh;
}

SurfaceMesh make_prism(const std::vector<Vec2>& polygon, const std::vector<std::array<int, 3>>& triangles,
                       double half_width) {
  SurfaceMesh mesh;
  const int n = static_cast<int>(polygon.size());
  for (const double y : {-half_width, half_width})
    for (const Vec2& p : polygon) mesh.vertices.emplace_back(p.x(), y, p.y());
  for (const auto& [a, b, c] : triangles) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a + n, c + n, b + n});
  }
  for (int k = 0; k < n; ++k) {
    const int next = (k + 1) % n;
    add_quad(mesh, k, k + n, next + n, next);
  }
  return mesh;
}

SurfaceMesh make_turned(const std::vector<Vec2>& profile, int sides) {
  SurfaceMesh mesh;
  const int n = static_cast<int>(profile.size());
  std::vector<std::vector<int>> ring(profile.size());
  for (std::size_t k = 0; k < profile.size(); ++k) {
    const bool on_axis = profile[k].x() == 0;
    for (int i = 0; i < sides; ++i) {
      if (i == 0 || !on_axis) {
        const double angle = 2 * EIGEN_PI * (i + 0.5) / sides;
        mesh.vertices.emplace_back(profile[k].x() * std::cos(angle), profile[k].x() * std::sin(angle), profile[k].y());
      }
      ring[k].push_back(static_cast<int>(mesh.vertices.size()) - 1);
    }
  }
  for (int k = 0; k < n; ++k) {
    const auto &p = ring[static_cast<std::size_t>(k)], &q = ring[static_cast<std::size_t>((k + 1) % n)];
    for (int i = 0; i < sides; ++i) {
      const std::size_t a = static_cast<std::size_t>(i), b = static_cast<std::size_t>((i + 1) % sides);
      if (p[a] != p[b]) mesh.triangles.push_back({p[a], p[b], q[b]});
      if (q[a] != q[b]) mesh.triangles.push_back({p[a], q[b], q[a]});
    }
  }
  return mesh;
}

SurfaceMesh make_bar(const std::vector<Vec2>& line, double radius, int sides, bool ring) {
  SurfaceMesh mesh;
  const int n = static_cast<int>(line.size());
  const auto point = [&](int i) {
    return line[static_cast<std::size_t>(ring ? (i + n) % n : std::clamp(i, 0, n - 1))];
  };
  for (int i = 0; i < n; ++i) {
    const Vec2 along = (point(i + 1) - point(i - 1)).normalized();
    const Vec3 across(along.y(), 0, -along.x()), centre(point(i).x(), 0, point(i).y());
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * EIGEN_PI * k / sides;
      mesh.vertices.push_back(centre + radius * (std::cos(angle) * across + std::sin(angle) * Vec3::UnitY()));
    }
  }
  const auto at = [&](int i, int k) { return i % n * sides + k % sides; };
  for (int i = 0; i < (ring ? n : n - 1); ++i)
    for (int k = 0; k < sides; ++k) add_quad(mesh, at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k));
  if (!ring) {
    for (int k = 1; k + 1 < sides; ++k) {
      mesh.triangles.push_back({at(0, 0), at(0, k + 1), at(0, k)});
      mesh.triangles.push_back({at(n - 1, 0), at(n - 1, k), at(n - 1, k + 1)});
    }
  }
  turn_outward(mesh);
  return mesh;
}

SurfaceMesh make_bolt(const Thread& thread, double bore) { return make_thread(thread, bore, false); }
SurfaceMesh make_nut(const Thread& thread, double outer) { return make_thread(thread, outer, true); }

}  // namespace cairn::validation
