// SPDX-License-Identifier: Apache-2.0
// Filled ellipses and ellipsoids with their axes along the rows: orthotropic friction and Coulomb-Contensou friction
// (Studer 2009, sections 2.3.3 and 3.3), and the foot of a perpendicular on an ellipsoid, which other sets reduce to.
#pragma once
#include "cairn/math/simple_sets.h"

namespace cairn::sets {

/// Foot of y on the surface: x_i = shrink_i y_i, where shrink_i = e_i^2 / (e_i^2 + t).
struct EllipsoidFoot {
  double u = 1;        ///< 1 + t / (least semi-axis)^2
  int iterations = 0;  ///< of Newton's method
};

/// Newton's method for u of the foot with `last` the least semi-axis: n semi-axes e > 0, y >= 0, and y > 0 somewhere;
/// outside, or inside with y > 0 where e is least. The digits of u are those of the foot, also next to the focal set.
EllipsoidFoot find_ellipsoid_foot(int n, const double* e, double last, const double* y);

/// Projection on a filled ellipsoid of up to 6 rows: `shrink` gets x_i / y_i in [0, 1], all 1 for members. Any finite
/// y, any semi-axes >= 0 and finite; an axis below 1e-100 of the largest counts as 0. Returns the Newton iterations.
int shrink_to_ellipsoid(int n, const double* e, const double* y, double* shrink);

/// Derivative of that projection from its result.
void shrink_derivative(int n, const double* e, const double* y, const double* shrink, double* D);

}  // namespace cairn::sets
