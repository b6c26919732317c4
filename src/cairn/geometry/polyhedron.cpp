// SPDX-License-Identifier: Apache-2.0
// Polyhedra from faces: coplanar neighbours joined, topology built, convexity checked; integrals; hill climbing.
#include "cairn/geometry/polyhedron.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "cairn/base/error.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/mesh_check.h"
#include "cairn/geometry/solid_integral.h"

namespace cairn {
namespace {

using Faces = std::vector<std::vector<int>>;

// Relative to the size. Corners of a face may be this far off its plane, vertices this far outside another face.
constexpr double kPlanar = 1e-9;
// Neighbouring faces closer to one plane than this are one face: far above rounding, far below any fold that is meant.
constexpr double kJoin = 1e-11;

struct Plane {
  Vec3 normal = Vec3::Zero();
  double offset = 0;
  double area = 0;
};

// Newell's normal, which is the best plane of a polygon that is planar up to rounding. About a corner, not the origin.
Plane compute_plane(const std::vector<Vec3>& vertices, const std::vector<int>& face) {
  const Vec3& o = vertices[face[0]];
  Vec3 n = Vec3::Zero();
  double sum = 0;
  for (std::size_t k = 1; k + 1 < face.size(); ++k) n += (vertices[face[k]] - o).cross(vertices[face[k + 1]] - o);
  const double length = n.norm();
  if (!(length > 0)) return {};
  n /= length;
  for (const int v : face) sum += n.dot(vertices[v] - o);
  return {n, n.dot(o) + sum / static_cast<double>(face.size()), length / 2};
}

double compute_deviation(const std::vector<Vec3>& vertices, const std::vector<int>& face, const Plane& plane) {
  double worst = 0;
  for (const int v : face) worst = std::max(worst, std::abs(plane.normal.dot(vertices[v]) - plane.offset));
  return worst;
}

// The face on the left of each directed edge.
std::map<std::pair<int, int>, int> find_sides(const Faces& faces, std::string_view owner) {
  std::map<std::pair<int, int>, int> side;
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (std::size_t k = 0; k < faces[f].size(); ++k) {
      const int i = faces[f][k], j = faces[f][(k + 1) % faces[f].size()];
      const auto [where, is_new] = side.try_emplace({i, j}, static_cast<int>(f));
      if (!is_new || i == j)
        throw Error(
            "{}: face {} and face {} run along edge {}-{} the same way; faces must meet two by two, all counter-"
            "clockwise from outside",
            owner, where->second, f, i, j);
    }
  for (const auto& [edge, f] : side)
    if (!side.contains({edge.second, edge.first}))
      throw Error("{}: face {} has no neighbour at edge {}-{}; a polyhedron must be closed", owner, f, edge.first,
                  edge.second);
  return side;
}

// Joins neighbouring faces that lie in one plane; what is left of each group is the loop around it.
Faces join_coplanar(const std::vector<Vec3>& vertices, const Faces& faces, double size, std::string_view owner) {
  const auto side = find_sides(faces, owner);
  std::vector<Plane> planes;
  for (const auto& face : faces) planes.push_back(compute_plane(vertices, face));
  std::vector<int> group(faces.size());
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int f) {
    while (group[f] != f) f = group[f] = group[group[f]];
    return f;
  };
  bool joined = false;
  for (const auto& [edge, f] : side) {
    const int g = side.at({edge.second, edge.first});
    const int large = planes[f].area >= planes[g].area ? f : g, small = large == f ? g : f;
    const bool flat =
        planes[small].area == 0 || (planes[f].normal.dot(planes[g].normal) > 0.99 &&
                                    compute_deviation(vertices, faces[small], planes[large]) <= kJoin * size);
    if (!flat || root(f) == root(g)) continue;
    group[root(f)] = root(g);
    joined = true;
  }
  if (!joined) return faces;

  // Borders of the groups, walked from vertex to vertex.
  std::vector<std::map<int, int>> next(faces.size());
  for (const auto& [edge, f] : side) {
    if (root(f) == root(side.at({edge.second, edge.first}))) continue;
    if (!next[root(f)].try_emplace(edge.first, edge.second).second)
      throw Error("{}: faces in the plane of face {} touch in a corner only; must be convex", owner, f);
  }
  Faces result;
  for (const auto& border : next) {
    if (border.empty()) continue;
    std::vector<int> loop;
    int v = border.begin()->first;
    do {
      loop.push_back(v);
      v = border.at(v);
    } while (v != loop.front() && loop.size() <= border.size());
    if (loop.size() != border.size()) throw Error("{}: faces in one plane surround a hole; must be convex", owner);
    result.push_back(std::move(loop));
  }
  return result;
}

// Drops vertices where fewer than three faces meet (inside an edge, or unused) and renumbers the rest.
void drop_idle_vertices(std::vector<Vec3>& vertices, Faces& faces) {
  std::vector<int> count(vertices.size(), 0);
  for (const auto& face : faces)
    for (const int v : face) ++count[v];
  std::vector<int> number(vertices.size(), -1);
  std::vector<Vec3> kept;
  for (std::size_t v = 0; v < vertices.size(); ++v)
    if (count[v] >= 3) {
      number[v] = static_cast<int>(kept.size());
      kept.push_back(vertices[v]);
    }
  for (auto& face : faces) {
    std::erase_if(face, [&](int v) { return number[v] < 0; });
    for (int& v : face) v = number[v];
  }
  vertices = std::move(kept);
}

void build_topology(Polyhedron& p, const Faces& faces, std::string_view owner) {
  p.face_start = {0};
  for (const auto& face : faces) {
    p.loop.insert(p.loop.end(), face.begin(), face.end());
    p.face_start.push_back(static_cast<int>(p.loop.size()));
  }
  const auto side = find_sides(faces, owner);
  std::vector<std::vector<int>> rings(p.vertices.size());
  for (const auto& [edge, f] : side) {
    const auto [i, j] = edge;
    rings[i].push_back(j);
    if (i < j) p.edges.push_back({i, j, f, side.at({j, i})});
  }
  p.ring_start = {0};
  for (const auto& ring : rings) {
    p.ring.insert(p.ring.end(), ring.begin(), ring.end());
    p.ring_start.push_back(static_cast<int>(p.ring.size()));
  }
  // Neighbours come in the order of their numbers, and so do edges.
  p.ring_edges.resize(p.ring.size());
  std::vector<int> next(p.ring_start.begin(), p.ring_start.end() - 1);
  for (std::size_t k = 0; k < p.edges.size(); ++k)
    for (const int v : {p.edges[k].v0, p.edges[k].v1}) p.ring_edges[next[v]++] = static_cast<int>(k);
}

void check_corners(const std::vector<Vec3>& vertices, std::span<const std::vector<int>> faces, std::string_view owner) {
  const int n = static_cast<int>(vertices.size());
  for (int v = 0; v < n; ++v)
    if (!vertices[v].allFinite()) throw Error("{}: vertex {} is not finite", owner, v);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    if (faces[f].size() < 3) throw Error("{}: face {} has {} corners; must have at least 3", owner, f, faces[f].size());
    for (const int v : faces[f])
      if (v < 0 || v >= n) throw Error("{}: face {} has corner {}; vertices are numbered 0 to {}", owner, f, v, n - 1);
  }
}

// Every vertex against every face. Where that would take seconds, only against neighbouring faces: a closed surface of
// one piece that is convex everywhere locally is convex (van Heijenoort 1952).
void check_convex(const Polyhedron& p, double size, std::string_view owner) {
  const auto check = [&](int v, int f) {
    const double outside = p.normals[f].dot(p.vertices[v]) - p.offsets[f];
    if (outside > kPlanar * size)
      throw Error("{}: vertex {} is {:.3g} m outside of face {}; must be convex, faces counter-clockwise from outside",
                  owner, v, outside, f);
  };
  if (p.vertices.size() * p.normals.size() <= 50'000'000) {
    for (int f = 0; f < p.face_count(); ++f)
      for (int v = 0; v < static_cast<int>(p.vertices.size()); ++v) check(v, f);
    return;
  }
  for (const Polyhedron::Edge& e : p.edges) {
    for (const int v : p.face(e.f0)) check(v, e.f1);
    for (const int v : p.face(e.f1)) check(v, e.f0);
  }
}

std::shared_ptr<const MeshData> make_shell(const Polyhedron& p, std::string_view owner) {
  SurfaceMesh surface;
  surface.vertices = p.vertices;
  for (int f = 0; f < p.face_count(); ++f) {
    const auto face = p.face(f);
    for (std::size_t k = 1; k + 1 < face.size(); ++k) surface.triangles.push_back({face[0], face[k], face[k + 1]});
  }
  if (!check_mesh(surface).is_usable()) return nullptr;
  return std::make_shared<const MeshData>(make_mesh(surface, owner));
}

}  // namespace

Polyhedron make_polyhedron(std::vector<Vec3> vertices, std::span<const std::vector<int>> given, std::string_view owner,
                           bool with_shell) {
  check_corners(vertices, given, owner);
  if (given.size() < 4) throw Error("{}: has {} faces; a polyhedron has at least 4", owner, given.size());
  Aabb box;
  for (const Vec3& v : vertices) box.merge(v);
  const double size = (box.hi - box.lo).norm();

  Faces faces = join_coplanar(vertices, Faces(given.begin(), given.end()), size, owner);
  drop_idle_vertices(vertices, faces);
  if (faces.size() < 4 || vertices.size() < 4) throw Error("{}: is flat; a polyhedron must have a volume", owner);
  Polyhedron p;
  p.vertices = std::move(vertices);
  build_topology(p, faces, owner);
  const auto euler =
      static_cast<int>(p.vertices.size()) - static_cast<int>(p.edges.size()) + static_cast<int>(faces.size());
  if (euler != 2)
    throw Error("{}: vertices - edges + faces is {}; a convex polyhedron has 2 (one piece, no holes)", owner, euler);

  for (std::size_t f = 0; f < faces.size(); ++f) {
    if (faces[f].size() < 3) throw Error("{}: a face has shrunk to an edge; the polyhedron is flat there", owner);
    const Plane plane = compute_plane(p.vertices, faces[f]);
    if (plane.area == 0) throw Error("{}: face {} has no area", owner, f);
    const double deviation = compute_deviation(p.vertices, faces[f], plane);
    if (deviation > kPlanar * size)
      throw Error("{}: corners of face {} are up to {:.3g} m off its plane; must be planar to {:.3g} m", owner, f,
                  deviation, kPlanar * size);
    p.normals.push_back(plane.normal);
    p.offsets.push_back(plane.offset);
  }
  check_convex(p, size, owner);
  for (const Vec3& v : p.vertices) p.radius = std::max(p.radius, v.norm());
  const MassProperties mass = compute_mass_properties(p);
  if (!(mass.volume > 0)) throw Error("{}: its volume is {} m^3; must be > 0", owner, mass.volume);
  p.inside = mass.centre;
  update_blocks(p);
  if (with_shell) p.shell = make_shell(p, owner);
  return p;
}

MassProperties compute_mass_properties(const Polyhedron& p) {
  SolidIntegral integral(p.vertices[0]);
  for (int f = 0; f < p.face_count(); ++f) {
    const auto face = p.face(f);
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      integral.add_triangle(p.vertices[face[0]], p.vertices[face[k]], p.vertices[face[k + 1]]);
  }
  return integral.finish();
}

VectorBlocks::VectorBlocks(std::span<const Vec3> vectors) {
  blocks_.resize((vectors.size() + 3) / 4);
  for (std::size_t k = 0; k < 4 * blocks_.size(); ++k) {
    const Vec3& v = vectors[std::min(k, vectors.size() - 1)];
    Block& b = blocks_[k / 4];
    b.x[k % 4] = v.x();
    b.y[k % 4] = v.y();
    b.z[k % 4] = v.z();
  }
}

int VectorBlocks::find_farthest(const Vec3& d) const {
  const double x = d.x(), y = d.y(), z = d.z();
  const auto height_of = [&](const Block& b) { return b.x * x + b.y * y + b.z * z; };
  Four height = height_of(blocks_[0]);
  FourFlags highest{0, 1, 2, 3}, here = highest;
  for (std::size_t k = 1; k < blocks_.size(); ++k) {
    const Four h = height_of(blocks_[k]);
    here += 4;
    const FourFlags higher = h > height;
    highest = higher ? here : highest;
    height = higher ? h : height;
  }
  int best = 0;
  for (int k = 1; k < 4; ++k)
    if (height[k] > height[best] || (height[k] == height[best] && highest[k] < highest[best])) best = k;
  return static_cast<int>(highest[best]);
}

void update_blocks(Polyhedron& p) {
  p.vertex_blocks = VectorBlocks(p.vertices);
  p.normal_blocks = VectorBlocks(p.normals);
}

int find_support_vertex(const Polyhedron& p, const Vec3& d, int start) {
  constexpr std::size_t few = 96;  // looking at all of them is faster than following neighbours
  if (p.vertices.size() <= few) return p.vertex_blocks.find_farthest(d);
  int best = start;
  double height = d.dot(p.vertices[start]);
  for (bool moved = true; moved;) {
    moved = false;
    for (const int v : p.neighbours(best)) {
      const double h = d.dot(p.vertices[v]);
      if (h > height) height = h, best = v, moved = true;
    }
  }
  return best;
}

}  // namespace cairn
