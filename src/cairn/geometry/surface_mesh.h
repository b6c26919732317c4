// SPDX-License-Identifier: Apache-2.0
// Triangulated surfaces of shapes, for viewers and files and as an independent check of mass properties.
#pragma once
#include <array>
#include <vector>

#include "cairn/geometry/shape.h"

namespace cairn {

/// Triangles are counter-clockwise seen from outside.
struct SurfaceMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

/// Surface in the body frame: a box has 12 triangles; a sphere is an icosahedron with each triangle split in four
/// `refinement` times (0..7), vertices on the sphere; other round shapes have 8 * 2^refinement sides; a half-space is a
/// square of half side `half_space_extent`. Polyhedra, meshes and cells are given as they are, a height field by its
/// upper side, a compound by its parts.
SurfaceMesh make_surface_mesh(const Shape& shape, int refinement = 2, double half_space_extent = 10);

/// Volume, centre and second moments of the solid inside a closed mesh, by signed tetrahedra from the origin.
MassProperties compute_mass_properties(const SurfaceMesh& mesh);

}  // namespace cairn
