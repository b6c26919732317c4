// SPDX-License-Identifier: Apache-2.0
// Cells to polyhedra; faces that two cells share are inside, the others are the surface (Koziara 2008, section 2.1).
#include "cairn/geometry/cell_mesh.h"

#include <algorithm>
#include <map>

#include "cairn/base/error.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/shape_helpers.h"

namespace cairn {
namespace {

using Faces = std::vector<std::vector<int>>;

// Corners of the faces, counter-clockwise from outside, in the numbering of VTK (VTK User's Guide, "file formats") and
// Gmsh. Wedge: VTK's own pictures differ on which triangle is first; a cell given the other way is turned by its
// volume.
const Faces& faces_of(std::size_t corners) {
  static const Faces tetrahedron{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  static const Faces pyramid{{0, 3, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  static const Faces wedge{{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
  static const Faces hexahedron{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  static const Faces none;
  switch (corners) {
    case 4: return tetrahedron;
    case 5: return pyramid;
    case 6: return wedge;
    case 8: return hexahedron;
    default: return none;
  }
}

double signed_volume(const std::vector<Vec3>& v, const std::vector<int>& nodes) {
  double six = 0;
  const Vec3& o = v[nodes[0]];
  for (const auto& face : faces_of(nodes.size()))
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      six += (v[nodes[face[0]]] - o).dot((v[nodes[face[k]]] - o).cross(v[nodes[face[k + 1]]] - o));
  return six / 6;
}

// The mirrored numbering: the two opposite faces change places.
void turn(std::vector<int>& n) {
  switch (n.size()) {
    case 4: std::swap(n[0], n[1]); break;
    case 5: std::swap(n[1], n[3]); break;
    case 6: std::swap(n[0], n[3]), std::swap(n[1], n[4]), std::swap(n[2], n[5]); break;
    default: std::swap_ranges(n.begin(), n.begin() + 4, n.begin() + 4); break;
  }
}

void check_nodes(const VolumeMesh& mesh, std::string_view owner) {
  const int n = static_cast<int>(mesh.vertices.size());
  if (mesh.cells.empty()) throw Error("{}: has no cells", owner);
  for (int v = 0; v < n; ++v)
    if (!mesh.vertices[v].allFinite()) throw Error("{}: node {} is not finite", owner, v);
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) {
    if (faces_of(mesh.cells[c].size()).empty())
      throw Error("{}: cell {} has {} nodes; must have 4 (tetrahedron), 5 (pyramid), 6 (wedge) or 8 (hexahedron)",
                  owner, c, mesh.cells[c].size());
    for (const int v : mesh.cells[c])
      if (v < 0 || v >= n) throw Error("{}: cell {} has node {}; nodes are numbered 0 to {}", owner, c, v, n - 1);
  }
}

// make_polyhedron() joins faces in one plane; the face of the polyhedron that a face of the cell became has its normal.
std::size_t find_face(const Polyhedron& cell, const Vec3& normal) {
  std::size_t best = 0;
  for (std::size_t f = 1; f < cell.normals.size(); ++f)
    if (normal.dot(cell.normals[f]) > normal.dot(cell.normals[best])) best = f;
  return best;
}

Vec3 compute_normal(const std::vector<Vec3>& v, const std::vector<int>& face) {
  Vec3 n = Vec3::Zero();
  for (std::size_t k = 1; k + 1 < face.size(); ++k) n += (v[face[k]] - v[face[0]]).cross(v[face[k + 1]] - v[face[0]]);
  return n.normalized();
}

struct CellFace {
  int cell;
  std::vector<int> nodes;
};

// Faces of one cell only, in the order of cells.
std::vector<CellFace> find_surface(const CellData& data, std::string_view owner) {
  std::map<std::vector<int>, std::vector<int>> cells_at;  // by sorted nodes
  std::vector<CellFace> all;
  const auto key_of = [](std::vector<int> nodes) {
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  };
  for (std::size_t c = 0; c < data.cell_nodes.size(); ++c)
    for (const auto& face : faces_of(data.cell_nodes[c].size())) {
      CellFace f{static_cast<int>(c), {}};
      for (const int k : face) f.nodes.push_back(data.cell_nodes[c][k]);
      auto& there = cells_at[key_of(f.nodes)];
      there.push_back(f.cell);
      if (there.size() > 2)
        throw Error("{}: cells {}, {} and {} share one face; a face has at most two cells", owner, there[0], there[1],
                    there[2]);
      all.push_back(std::move(f));
    }
  std::erase_if(all, [&](const CellFace& f) { return cells_at.at(key_of(f.nodes)).size() == 2; });
  return all;
}

}  // namespace

CellData make_cells(const VolumeMesh& mesh, std::string_view owner) {
  check_nodes(mesh, owner);
  CellData data;
  data.vertices = mesh.vertices;
  data.cell_nodes = mesh.cells;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) {
    auto& nodes = data.cell_nodes[c];
    if (signed_volume(data.vertices, nodes) < 0) turn(nodes);
    std::vector<Vec3> corners;
    for (const int v : nodes) corners.push_back(data.vertices[v]);
    data.cells.push_back(make_polyhedron(corners, faces_of(nodes.size()), fmt::format("{}: cell {}", owner, c), false));
    data.on_surface.emplace_back(data.cells.back().normals.size(), std::uint8_t{0});
    data.radius = std::max(data.radius, data.cells.back().radius);
  }

  std::vector<int> number(data.vertices.size(), -1);
  for (const CellFace& face : find_surface(data, owner)) {
    data.on_surface[face.cell][find_face(data.cells[face.cell], compute_normal(data.vertices, face.nodes))] = 1;
    if (data.surface_cells.empty() || data.surface_cells.back() != face.cell) data.surface_cells.push_back(face.cell);
    std::vector<int> corners;
    for (const int v : face.nodes) {
      if (number[v] < 0) {
        number[v] = static_cast<int>(data.surface.vertices.size());
        data.surface.vertices.push_back(data.vertices[v]);
      }
      corners.push_back(number[v]);
    }
    for (std::size_t k = 1; k + 1 < corners.size(); ++k)
      data.surface.triangles.push_back({corners[0], corners[k], corners[k + 1]});
  }
  std::vector<Aabb> boxes;
  for (const int c : data.surface_cells) {
    boxes.emplace_back();
    for (const Vec3& v : data.cells[c].vertices) boxes.back().merge(v);
  }
  data.tree = make_box_tree(boxes);
  data.shell = make_mesh(data.surface, owner);
  return data;
}

}  // namespace cairn

namespace cairn::answers {
namespace {

Shape build_cells(ParameterVisitor& v, const ShapeLoader& load) {
  return build_from_file<CellMesh>(v, load, "cells", "volume mesh: .msh, .vtk, .vtu");
}

}  // namespace

void check(const CellMesh& c, std::string_view owner) { check_data(c, owner); }

MassProperties mass(const CellMesh& c) {
  MassSum sum;
  for (const Polyhedron& cell : c.data->cells) sum.add(compute_mass_properties(cell));
  return sum.finish();
}

double radius(const CellMesh& c) { return c.data->radius; }

Aabb bounds(const CellMesh& c, const Placement& p) { return supported_bounds(c, p); }

double thickness(const CellMesh& c) { return thickness(c.data->shell); }

SurfacePoint closest(const CellMesh& c, const Vec3& x) {
  const CellData& data = *c.data;
  const auto holds = [&](const Polyhedron& cell) {
    for (int f = 0; f < cell.face_count(); ++f)
      if (cell.normals[f].dot(x) > cell.offsets[f]) return false;
    return true;
  };
  const bool inside = std::any_of(data.cells.begin(), data.cells.end(), holds);
  double best = infinity;
  Vec3 foot = x, normal = Vec3::UnitZ();
  std::vector<Vec3> corners;
  find_nearest(data.tree, x, best, [&](int item, double& squared) {
    const int k = data.surface_cells[item];
    const Polyhedron& cell = data.cells[k];
    for (int f = 0; f < cell.face_count(); ++f) {
      if (!data.on_surface[k][f]) continue;
      corners.clear();
      for (const int v : cell.face(f)) corners.push_back(cell.vertices[v]);
      const Vec3 q = find_nearest_on_polygon(corners, cell.normals[f], x);
      const double d = (x - q).squaredNorm();
      if (d < squared) squared = d, foot = q, normal = cell.normals[f];
    }
  });
  return from_foot(x, foot, inside, normal);
}

// The union of cells: the ray leaves the solid where the stretches of cells that touch or overlap end.
std::optional<RayHit> cast(const CellMesh& c, const Ray& ray) {
  std::vector<Stretch> inside;
  for (const Polyhedron& cell : c.data->cells) {
    const Stretch s = stretch(cell, ray);
    if (!s.is_empty() && s.t1 >= 0) inside.push_back(s);
  }
  std::sort(inside.begin(), inside.end(), [](const Stretch& a, const Stretch& b) { return a.t0 < b.t0; });
  // Neighbours share a face; what parts them there is rounding.
  const double gap = 1e-12 * (c.data->radius + ray.x.norm());
  for (std::size_t k = 0; k < inside.size();) {
    Stretch whole = inside[k];
    for (++k; k < inside.size() && inside[k].t0 <= whole.t1 + gap; ++k)
      if (inside[k].t1 > whole.t1) whole.t1 = inside[k].t1, whole.n1 = inside[k].n1;
    if (const auto hit = first_end(ray, whole)) return hit;
  }
  return {};
}

SurfaceMesh surface(const CellMesh& c, int, double) { return c.data->surface; }

Shape place(const CellMesh& c, const Placement& at) {
  CellData data = *c.data;
  for (Vec3& v : data.vertices) v = at.apply(v);
  for (Polyhedron& cell : data.cells) cell = moved(std::move(cell), at);
  for (Vec3& v : data.surface.vertices) v = at.apply(v);
  std::vector<Aabb> boxes;
  for (const int k : data.surface_cells) {
    boxes.emplace_back();
    for (const Vec3& v : data.cells[k].vertices) boxes.back().merge(v);
  }
  data.tree = make_box_tree(boxes);
  data.shell = moved(std::move(data.shell), at);
  data.radius = largest_norm(data.vertices);
  return CellMesh{std::make_shared<const CellData>(std::move(data))};
}

constinit const ShapeInfo cell_mesh_row{"cells", "union of convex cells: tetrahedra, wedges, hexahedra", build_cells};

}  // namespace cairn::answers

namespace cairn {

Vec3 compute_support(const CellMesh& c, const Vec3& d) {
  return answers::farthest_in_tree(c.data->tree, d, [&](int k, auto&& offer) {
    for (const Vec3& x : c.data->cells[c.data->surface_cells[k]].vertices) offer(x);
  });
}

}  // namespace cairn
