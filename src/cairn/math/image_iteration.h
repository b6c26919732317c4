// SPDX-License-Identifier: Apache-2.0
// Projections on linear images A C where no equation in one unknown gives them: dual active sets for sets with flat
// faces, semismooth Newton for all others. For skewed_projection.cpp, which knows when these are needed.
#pragma once
#include "cairn/math/skewed_projection.h"

#include <optional>

namespace cairn::sets {

/// Sets with flat faces only: the quadratic program min |x - y|^2 over the faces of the image, by the dual active-set
/// method. Nothing for other sets, or where the method gives up.
std::optional<ImageProjection> project_on_flat_faces(const ConvexSet& set, const MatX& A, const VecX& y);

/// Any set: min over C of 1/2 |A z - y|^2 as the root of z - P_C(z - A'(A z - y)/L), L >= |A|^2. Newton steps with the
/// derivative of P_C, and runs of accelerated gradients (Beck and Teboulle 2009, restarted) where they do not help. The
/// cost of those grows with the condition of A.
ImageProjection project_by_newton(const ConvexSet& set, const MatX& A, const VecX& y);

/// A few of these Newton steps from a point of A C close to the projection of y, while they help: closed forms lose
/// digits where a set is thin and skewed at once. Returns how many helped.
int refine_on_image(const ConvexSet& set, const MatX& A, const VecX& y, VecX& point);

}  // namespace cairn::sets
