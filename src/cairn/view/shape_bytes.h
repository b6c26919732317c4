// SPDX-License-Identifier: Apache-2.0
// The surface of a shape as the page draws it: vertices with normals, split where the surface has an edge.
#pragma once
#include "cairn/view/view_model.h"

namespace cairn {

struct ShapeDetail {
  double half_space = 10;  ///< half side of the square a half-space is drawn as [m]
  bool fine = true;        ///< round shapes with more triangles
};

/// `numbers`: shape_numbers() of the shape.
ViewShape make_view_shape(const Shape& shape, const std::vector<double>& numbers, const ShapeDetail& detail);

}  // namespace cairn
