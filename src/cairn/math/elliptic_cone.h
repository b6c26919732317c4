// SPDX-License-Identifier: Apache-2.0
// The cone over an ellipse { (t1/mu1)^2 + (t2/mu2)^2 <= n^2, n >= 0 }: orthotropic friction in one set.
// Rows (n, t1, t2). Polar: n + |(mu1 t1, mu2 t2)| <= 0.
#pragma once
#include "cairn/math/friction_cone.h"

namespace cairn::sets {

/// A coefficient 0 makes it a plane cone or a ray.
struct EllipticCone {
  double mu1 = 0, mu2 = 0;
};

/// Where the projection of a point lies, and what its derivative is made of.
struct EllipticConeFoot {
  enum class Kind { Inside, Surface, Apex } kind = Kind::Inside;
  Vec3 point = Vec3::Zero();
  Vec3 side = Vec3::Zero();  ///< unit tangent across the ray through `point`; zero for a plane cone
  double weight = 0;         ///< of `side` in the derivative
  int iterations = 0;        ///< of Newton's method
};

EllipticConeFoot find_elliptic_cone_foot(const EllipticCone& set, const Vec3& x);

/// Derivative of the projection at the point the foot belongs to; `root`: its symmetric square root.
Mat3 elliptic_cone_derivative(const EllipticCone& set, const EllipticConeFoot& foot, bool root = false);

void project(const EllipticCone& set, const double* x, double* out);
void project_derivative(const EllipticCone& set, const double* x, double* D, bool root = false);

/// The cone over an ellipsoid of revolution { (|t|/mu)^2 + (s/mu_spinning)^2 <= n^2, n >= 0 }, rows (n, t1, t2, s):
/// sliding and spinning friction that share one limit (Coulomb-Contensou, Studer 2009, section 3.3). In the plane of n,
/// the direction of t and s it is an elliptic cone. mu_spinning is a length.
struct ContensouCone {
  double mu = 0, mu_spinning = 0;
};

void project(const ContensouCone& set, const double* x, double* out);
void project_derivative(const ContensouCone& set, const double* x, double* D, bool root = false);

/// The same with a disc of rolling moments on the same n: rows (n, t1, t2, s, m1, m2), |m| <= mu_rolling n.
struct RollingContensouCone {
  ContensouCone sliding;
  double mu_rolling = 0;
};

void project(const RollingContensouCone& set, const double* x, double* out);
void project_derivative(const RollingContensouCone& set, const double* x, double* D, bool root = false);

}  // namespace cairn::sets
