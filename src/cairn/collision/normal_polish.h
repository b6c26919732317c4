// SPDX-License-Identifier: Apache-2.0
// The exact normal of two convex shapes from an approximate one: Newton's method on the features that touch.
#pragma once
#include <optional>

#include "cairn/collision/convex.h"

namespace cairn {

/// The unit normal n (from b to a) at which the distance s(n) of the supporting planes of the cores is stationary, near
/// `guess`. With the supports h, f(n) = h_a(-n) + h_b(n) = -s(n) is least among unit n. f is smooth but for kinks: an
/// edge or a generator of a cylinder or cone supports along a curve of directions, phi(n) = 0, a face along one. Each
/// way in which kinks near `guess` can be active is tried: Newton's method on
///     grad f + t grad phi = lambda n,  |n| = 1,  phi = 0
/// and the answer must pass the test that makes it optimal: contact point within the feature (bounds on t) and the
/// features truly supporting. Nothing when no way passes.
std::optional<Vec3> polish_normal(const PlacedConvex& a, const PlacedConvex& b, const Vec3& guess);

}  // namespace cairn
