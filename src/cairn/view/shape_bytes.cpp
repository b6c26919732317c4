// SPDX-License-Identifier: Apache-2.0
// Triangles and their corner normals come from the renderer's preparation of meshes; equal corners become one vertex.
#include "cairn/view/shape_bytes.h"

#include "cairn/geometry/surface_mesh.h"
#include "cairn/io/render_triangles.h"
#include "cairn/io/shape_picture.h"
#include "cairn/view/bytes.h"

#include <array>
#include <map>

namespace cairn {
namespace {

bool told_by_numbers(const Shape& shape) {
  return !std::holds_alternative<ConvexPolyhedron>(shape) && !std::holds_alternative<TriangleMesh>(shape) &&
         !std::holds_alternative<HeightField>(shape) && !std::holds_alternative<CellMesh>(shape) &&
         !std::holds_alternative<Compound>(shape) && !std::holds_alternative<UserSolid>(shape);
}

}  // namespace

ViewShape make_view_shape(const Shape& shape, const std::vector<double>& numbers, const ShapeDetail& detail) {
  ViewShape view;
  view.kind = shape_name(shape);
  if (told_by_numbers(shape)) view.numbers = numbers;
  const RenderMesh mesh = make_render_mesh(shape, detail.fine ? 3 : 2, detail.half_space);
  if (!std::holds_alternative<HalfSpace>(shape)) {
    Aabb box;
    for (const Vec3& X : mesh.vertices) box.merge(X);
    // Round shapes reach beyond the corners of their triangles.
    if (is_bounded(shape)) box = compute_aabb(shape, {});
    view.bounds = box;
  }

  const std::vector<RenderTriangle> triangles = make_triangles({mesh});
  std::map<std::array<float, 6>, std::uint32_t> known;
  std::vector<std::array<float, 6>> corners;
  std::vector<std::uint32_t> indices;
  for (const RenderTriangle& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3f x = t.v[k].cast<float>(),
                            n = t.smooth ? t.corner_normal[k] : Eigen::Vector3f(t.normal.cast<float>());
      const std::array<float, 6> corner{x[0], x[1], x[2], n[0], n[1], n[2]};
      const auto [where, is_new] = known.try_emplace(corner, static_cast<std::uint32_t>(corners.size()));
      if (is_new) corners.push_back(corner);
      indices.push_back(where->second);
    }
  view.triangles = triangles.size();
  Bytes out;
  out.add_u32(corners.size());
  out.add_u32(triangles.size());
  for (const auto& c : corners) out.add(c[0]), out.add(c[1]), out.add(c[2]);
  for (const auto& c : corners) out.add(c[3]), out.add(c[4]), out.add(c[5]);
  for (const std::uint32_t i : indices) out.add(i);
  view.mesh = out.take();
  return view;
}

}  // namespace cairn
