// SPDX-License-Identifier: Apache-2.0
// Shapes as lists of numbers, as recordings keep them (docs/recording.md).
#pragma once
#include "cairn/geometry/shape.h"

#include <optional>
#include <vector>

namespace cairn {

/// The numbers that describe a shape: sphere radius; box half extents; half-space normal and offset; capsule and
/// cylinder radius and half length; cone radius and height; ellipsoid semi-axes; convex, mesh and cells their vertices
/// and faces; height field its grid; compound its parts.
std::vector<double> shape_numbers(const Shape& shape);

/// The shape of that name; nothing when the numbers do not describe one.
std::optional<Shape> make_shape(std::string_view name, std::span<const double> numbers);

}  // namespace cairn
