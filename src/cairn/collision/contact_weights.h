// SPDX-License-Identifier: Apache-2.0
// Shares of the contact area for points in one plane.
#pragma once
#include <span>

#include "cairn/collision/contact_point.h"

namespace cairn {

/// Sets the weights of points that share a normal: each corner of their convex hull across the normal has half of the
/// two triangles it makes with its neighbours and the middle, so that they add up to the hull's area; points inside
/// have 0.
void set_area_weights(std::span<ContactPoint> points);

}  // namespace cairn
