// SPDX-License-Identifier: Apache-2.0
// Roundness by the kind of shape.
#include "cairn/io/shape_picture.h"

#include "cairn/geometry/surface_mesh.h"

namespace cairn {

RenderMesh make_render_mesh(const Shape& shape, int refinement, double half_space_extent) {
  SurfaceMesh surface = make_surface_mesh(shape, refinement, half_space_extent);
  RenderMesh mesh;
  mesh.vertices = std::move(surface.vertices);
  mesh.triangles = std::move(surface.triangles);
  mesh.smooth = std::holds_alternative<Sphere>(shape) || std::holds_alternative<Ellipsoid>(shape) ||
                std::holds_alternative<Capsule>(shape);
  mesh.rounded =
      !mesh.smooth && !std::holds_alternative<Box>(shape) && !std::holds_alternative<ConvexPolyhedron>(shape);
  return mesh;
}

}  // namespace cairn
