// SPDX-License-Identifier: Apache-2.0
// A shape turned and moved within its own frame, for instance to put its centre of volume at the origin.
#pragma once
#include "cairn/geometry/shape.h"

namespace cairn {

/// The same solid with X replaced by A X + c; A is a rotation. Polyhedra, meshes and cells get new coordinates, a
/// compound new places of its parts, a half-space its moved plane; other primitives become a compound of one part (a
/// sphere or box that stays where it is stays what it is). Throws Error for a height field that is turned other than
/// moved.
Shape place_shape(const Shape& shape, const Placement& at);

}  // namespace cairn
