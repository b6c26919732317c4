// SPDX-License-Identifier: Apache-2.0
// Asks the file of the shape; the integrals over the solid inside a surface.
#include "cairn/geometry/surface_mesh.h"
#include "cairn/base/error.h"
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/solid_integral.h"

#include <cmath>

namespace cairn {

SurfaceMesh make_surface_mesh(const Shape& shape, int refinement, double half_space_extent) {
  if (refinement < 0 || refinement > 7)
    throw Error("surface mesh: refinement is {}; must be 0 to 7 (7 gives 327680 triangles)", refinement);
  if (!(half_space_extent > 0) || !std::isfinite(half_space_extent))
    throw Error("surface mesh: half_space_extent is {} m; must be finite and > 0", half_space_extent);
  return std::visit([&](const auto& s) { return answers::surface(s, refinement, half_space_extent); }, shape);
}

MassProperties compute_mass_properties(const SurfaceMesh& mesh) {
  SolidIntegral integral(mesh.vertices.empty() ? Vec3(Vec3::Zero()) : mesh.vertices[0]);
  for (const auto& [i, j, k] : mesh.triangles)
    integral.add_triangle(mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
  if (!(integral.volume() > 0))
    throw Error("surface mesh: enclosed volume is {} m^3; must be > 0 (closed, counter-clockwise from outside)",
                integral.volume());
  return integral.finish();
}

}  // namespace cairn
