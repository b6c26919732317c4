// SPDX-License-Identifier: Apache-2.0
// Asks the file of the shape.
#include "cairn/geometry/place_shape.h"
#include "cairn/base/error.h"
#include "cairn/geometry/shape_answers.h"

namespace cairn {

Shape place_shape(const Shape& shape, const Placement& at) {
  if (!is_rotation(at.A) || !at.c.allFinite())
    throw Error("{}: can be placed by a rotation and a finite shift only", shape_name(shape));
  if (at.A.isIdentity(0) && at.c.isZero(0)) return shape;
  return std::visit([&](const auto& s) { return answers::place(s, at); }, shape);
}

}  // namespace cairn
