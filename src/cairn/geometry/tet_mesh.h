// SPDX-License-Identifier: Apache-2.0
// Solids divided into straight tetrahedra of ten nodes: the corners and the middles of the edges.
//
// Barycentric coordinates L0..L3 of an element are stored as (L1, L2, L3), L0 = 1 - L1 - L2 - L3. Shape functions of
// the nodes (Zienkiewicz and Taylor 2000, section 8.8.2): L_i (2 L_i - 1) of a corner, 4 L_i L_j of the middle of an
// edge.
#pragma once
#include "cairn/math/types.h"

#include <array>
#include <string_view>
#include <vector>

namespace cairn {

struct TetMesh {
  using Element = std::array<int, 10>;  ///< corners 0..3, then the middles of the edges tet_edges[0..5]
  std::vector<Vec3> nodes;
  std::vector<Element> elements;  ///< of positive volume
};

/// Corners of each edge of a tetrahedron, in the order of the nodes 4..9.
inline constexpr std::array<std::array<int, 2>, 6> tet_edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// Adds the middles of the edges to tetrahedra of four nodes, turning those of negative volume. Throws Error naming
/// `owner` and the element where one is flat or names a corner that does not exist.
TetMesh make_tet_mesh(std::vector<Vec3> corners, std::vector<std::array<int, 4>> tets, std::string_view owner);

/// A box of the given half sides about the origin, cut into cells, each into six tetrahedra (Kuhn 1960). Neighbouring
/// cells are mirror images, so that even numbers of divisions give a mesh as symmetric as the box.
TetMesh make_box_tets(const Vec3& half, const std::array<int, 3>& divisions);

/// A triangle of the surface, counter-clockwise seen from outside, and the element under it.
struct BoundaryTriangle {
  std::array<int, 3> nodes;
  int element;
};
/// Four to a face of an element.
std::vector<BoundaryTriangle> find_boundary(const TetMesh& mesh);

/// Shape functions of the ten nodes.
std::array<double, 10> tet_shape(const Vec3& local);

/// Gradients of the shape functions by position, one column per node.
Eigen::Matrix<double, 3, 10> tet_shape_gradient(const TetMesh& mesh, int element, const Vec3& local);

/// Six times the volume of an element.
double tet_determinant(const TetMesh& mesh, int element);

Vec3 tet_position(const TetMesh& mesh, int element, const Vec3& local);
/// Barycentric coordinates of a position with respect to an element; outside of it one of the four is negative.
Vec3 tet_local(const TetMesh& mesh, int element, const Vec3& X);

}  // namespace cairn
