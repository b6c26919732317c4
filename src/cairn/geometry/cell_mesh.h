// SPDX-License-Identifier: Apache-2.0
// Solids as unions of convex cells that share faces (Koziara 2008, chapter 2): tetrahedra, pyramids, wedges, hexahedra.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"

namespace cairn {

/// Nodes and cells, as files have them. A cell is a list of 4 (tetrahedron), 5 (pyramid), 6 (wedge) or 8 (hexahedron)
/// nodes in the order of VTK and Gmsh.
struct VolumeMesh {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> cells;
};

/// Made by make_cells(), which guarantees convex cells of positive volume that share whole faces.
struct CellData {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> cell_nodes;
  std::vector<Polyhedron> cells;                      ///< one per cell, own vertices
  std::vector<std::vector<std::uint8_t>> on_surface;  ///< [cell][face of cells[cell]]: 1 where no other cell is behind
  std::vector<int> surface_cells;                     ///< those with a face on the surface: only they touch others
  BoxTree tree;                                       ///< over surface_cells: an item is a place in that list
  SurfaceMesh surface;                                ///< of the union, closed
  MeshData shell;                                     ///< the surface with its adjacency: what others touch
  double radius = 0;                                  ///< of the ball about the origin that holds it
};

/// Throws Error naming `owner` and the cell unless nodes exist, cells are convex with planar faces, and no face has
/// three cells. Cells given inside out are turned.
CellData make_cells(const VolumeMesh& mesh, std::string_view owner);

}  // namespace cairn
