// SPDX-License-Identifier: Apache-2.0
// Projections in another metric, |x|_R^2 = x'R x, and on linear images of sets: one thing seen from two sides.
//
//   prox_C^R(x) = A^-1 P_AC(A x)  with R = A'A,        P_AC(y) = A argmin over C of |A z - y|     (Studer 2009, 2.21)
// Metrics (1/r) 1 are Euclidean: r does not matter. Of which set by what:
//   disc, ellipse, ellipsoid     singular values of A times the semi-axes: an ellipsoid again, in turned axes
//   friction and elliptic cones  eigenvectors of A^-T J A^-1, J = diag(-1, 1, 1) scaled by mu: an elliptic cone again
//   orthant, polygon, pyramid    dual active sets; products of these too
//   products                     part by part where A has no blocks between them
//   rolling cone, other products semismooth Newton on the natural map with accelerated gradients in reserve
#pragma once
#include "cairn/math/convex_sets.h"

namespace cairn::sets {

/// P_AC(y) with one element of its derivative, symmetric, 0 <= D <= I.
struct ImageProjection {
  VecX point;
  MatX derivative;
  int iterations = 0;   ///< of what was iterated, 0 for closed forms
  double residual = 0;  ///< relative error left by semismooth Newton; 0 for all other ways
};

/// A square and regular, with as many rows as the set.
ImageProjection project_on_image(const ConvexSet& set, const MatX& A, const VecX& y);

/// prox_C^R(x). Throws Error unless R is symmetric positive definite with as many rows as the set.
VecX project_in_metric(const ConvexSet& set, const MatX& R, const VecX& x);

/// One element of its generalised Jacobian D: R D is symmetric, and 0 <= R D <= R.
MatX project_in_metric_derivative(const ConvexSet& set, const MatX& R, const VecX& x);

}  // namespace cairn::sets
