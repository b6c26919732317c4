// SPDX-License-Identifier: Apache-2.0
// Projection on the cone over an ellipse by one scalar equation, from the optimality conditions.
//
// x outside, z on the surface, Q = diag(-1, 1/a1^2, 1/a2^2), a = mu:  (1 + p Q) z = x,  z'Q z = 0,  p > 0, that is
//   z_i = x_i a_i^2/(a_i^2 + p),   z_n = h(p) = |a_i x_i/(a_i^2 + p)|,   (1 - p) h(p) = x_n.
// For x_n >= 0 the root has p <= 1 and solves 1 - p = x_n / h(p). For x_n < 0 it has p > 1; with q = 1/p and k = h/q
// it solves 1 - q = |x_n| / k(q), the same equation for the polar cone. In both 1/h is concave (the square root of a
// secular sum, as in Reinsch 1971), so Newton from 0 climbs to the root without overshoot, and x_n = 0 is no special
// case: p = q = 1.
#include "cairn/math/elliptic_cone.h"

namespace cairn::sets {
namespace {

/// Root s in [0, 1] of 1 - s = c / |b_i/(alpha_i + beta_i s)|, c >= 0, given that the left side is larger at s = 0.
double solve_cone_equation(double c, const Vec2& b, const Vec2& alpha, const Vec2& beta, int& iterations) {
  double s = 0;
  for (iterations = 0; iterations < 200; ++iterations) {
    double square = 0, falls = 0;
    for (int i = 0; i < 2; ++i) {
      if (b[i] == 0) continue;
      const double below = alpha[i] + beta[i] * s, q = b[i] / below;
      square += q * q;
      falls += q * q * beta[i] / below;
    }
    const double h = std::sqrt(square), value = 1 - s - c / h;
    const double next = std::min(1.0, s + value / (1 + c / h * (falls / square)));
    if (!(value > 0) || !(next > s)) break;
    s = next;
  }
  return s;
}

}  // namespace

EllipticConeFoot find_elliptic_cone_foot(const EllipticCone& set, const Vec3& x) {
  using Kind = EllipticConeFoot::Kind;
  const Vec2 a(set.mu1, set.mu2), a2 = a.cwiseProduct(a), t = x.tail<2>(), moved = a.cwiseProduct(t);
  EllipticConeFoot foot;
  if (x[0] <= -moved.norm()) {
    foot.kind = Kind::Apex;
    return foot;
  }
  // Inside, or above the inside of a plane cone or a ray: only the rows without friction go.
  double section = 0;
  for (int i = 0; i < 2; ++i) section = a2[i] > 0 ? std::hypot(section, t[i] / a[i]) : section;
  foot.point[0] = x[0];
  for (int i = 0; i < 2; ++i) foot.point[1 + i] = a2[i] > 0 ? t[i] : 0;
  if (section <= x[0]) return foot;

  foot.kind = Kind::Surface;
  const bool upper = x[0] >= 0;
  const Vec2 ones = Vec2::Ones();
  const double s = solve_cone_equation(std::abs(x[0]), moved, upper ? a2 : ones, upper ? ones : a2, foot.iterations);
  Vec2 share;  // z_i = share_i x_i
  for (int i = 0; i < 2; ++i) share[i] = !(a2[i] > 0) ? 0 : upper ? a2[i] / (a2[i] + s) : a2[i] * s / (a2[i] * s + 1);
  for (int i = 0; i < 2; ++i) foot.point[1 + i] = share[i] * t[i];
  // n on the surface exactly, from the tangential rows.
  foot.point[0] = 0;
  for (int i = 0; i < 2; ++i)
    if (a2[i] > 0) foot.point[0] = std::hypot(foot.point[0], foot.point[1 + i] / a[i]);
  if (!(a2.minCoeff() > 0) || !(foot.point[0] > 0)) return foot;

  // Across the ray the surface curves: weight 1 / (1 + p side'Q side).
  const Vec3 ray = foot.point.normalized();
  const Vec3 normal = Vec3(-foot.point[0], foot.point[1] / a2[0], foot.point[2] / a2[1]).normalized();
  foot.side = ray.cross(normal).normalized();
  const Vec2 bent = foot.side.tail<2>().cwiseQuotient(a);
  const double curvature = std::max(0.0, bent.squaredNorm() - foot.side[0] * foot.side[0]);
  foot.weight = upper ? 1 / (1 + s * curvature) : s / (s + curvature);
  return foot;
}

Mat3 elliptic_cone_derivative(const EllipticCone& set, const EllipticConeFoot& foot, bool root) {
  using Kind = EllipticConeFoot::Kind;
  Mat3 D = Mat3::Zero();
  if (foot.kind == Kind::Inside) D.diagonal() << 1, set.mu1 > 0 ? 1 : 0, set.mu2 > 0 ? 1 : 0;
  if (foot.kind != Kind::Surface || !(foot.point[0] > 0)) return D;
  const Vec3 ray = foot.point.normalized();
  const double weight = root ? std::sqrt(foot.weight) : foot.weight;
  return ray * ray.transpose() + weight * foot.side * foot.side.transpose();
}

void project(const EllipticCone& set, const double* x, double* out) {
  const EllipticConeFoot foot = find_elliptic_cone_foot(set, {x[0], x[1], x[2]});
  std::copy(foot.point.data(), foot.point.data() + 3, out);
}

void project_derivative(const EllipticCone& set, const double* x, double* D, bool root) {
  Eigen::Map<Mat3>{D} = elliptic_cone_derivative(set, find_elliptic_cone_foot(set, {x[0], x[1], x[2]}), root);
}

void project(const ContensouCone& set, const double* x, double* out) {
  const double t = length(x + 1, 2);
  const EllipticConeFoot foot = find_elliptic_cone_foot({set.mu, set.mu_spinning}, {x[0], t, x[3]});
  const double share = t > 0 ? foot.point[1] / t : 0;
  out[0] = foot.point[0], out[1] = share * x[1], out[2] = share * x[2], out[3] = foot.point[2];
}

// In the plane that turns with t the derivative of the elliptic cone; across it t only turns, shortened like itself.
// Where t = 0 all its directions are alike.
void project_derivative(const ContensouCone& set, const double* x, double* D, bool root) {
  const double t = length(x + 1, 2);
  const EllipticCone cone{set.mu, set.mu_spinning};
  const EllipticConeFoot foot = find_elliptic_cone_foot(cone, {x[0], t, x[3]});
  const Mat3 plane = elliptic_cone_derivative(cone, foot, root);
  const Vec2 along = t > 0 ? Vec2(x[1] / t, x[2] / t) : Vec2(1, 0), across(-along[1], along[0]);
  double turning = plane(1, 1);
  if (t > 0) turning = root ? std::sqrt(foot.point[1] / t) : foot.point[1] / t;
  Eigen::Matrix<double, 4, 3> axes = Eigen::Matrix<double, 4, 3>::Zero();
  axes(0, 0) = axes(3, 2) = 1;
  axes.block<2, 1>(1, 1) = along;
  Eigen::Map<Eigen::Matrix4d> out(D);
  out = axes * plane * axes.transpose();
  out.block<2, 2>(1, 1) += turning * across * across.transpose();
}

namespace {

/// Where m is cut, n costs (n - x_n)^2 + (|x_m| - mu_r n)^2 = (n/k - k (x_n + mu_r |x_m|))^2 + const with
/// k = 1/sqrt(1 + mu_r^2): in n/k it is a projection on a narrower cone, with coefficients k mu. It is the one where m
/// does not fit in beside the projection of the other rows.
struct RollingFoot {
  bool cut = false;
  ContensouCone cone;
  double y[4], z[4];       ///< the point in (n/k, t, s), and its projection
  double k = 1, size = 0;  ///< |x_m|
};

RollingFoot find_rolling_foot(const RollingContensouCone& set, const double* x) {
  RollingFoot foot;
  foot.cone = set.sliding;
  foot.size = length(x + 4, 2);
  std::copy(x, x + 4, foot.y);
  project(foot.cone, foot.y, foot.z);
  if (foot.size <= set.mu_rolling * foot.z[0]) return foot;
  foot.cut = true;
  foot.k = 1 / std::sqrt(1 + set.mu_rolling * set.mu_rolling);
  foot.cone.mu *= foot.k;
  foot.cone.mu_spinning *= foot.k;
  foot.y[0] = foot.k * (x[0] + set.mu_rolling * foot.size);
  project(foot.cone, foot.y, foot.z);
  return foot;
}

}  // namespace

void project(const RollingContensouCone& set, const double* x, double* out) {
  const RollingFoot foot = find_rolling_foot(set, x);
  const double n = foot.k * foot.z[0], share = foot.cut ? set.mu_rolling * n / foot.size : 1;
  for (int i = 4; i < 6; ++i) out[i] = share * x[i];
  std::copy(foot.z + 1, foot.z + 4, out + 1);
  out[0] = n;
}

// D = B'D_4 B + turning of m, with B from x to y: its rows are orthonormal, and across them m only turns. So the root
// of D has the roots of both.
void project_derivative(const RollingContensouCone& set, const double* x, double* D, bool root) {
  const RollingFoot foot = find_rolling_foot(set, x);
  Eigen::Matrix4d inner;
  project_derivative(foot.cone, foot.y, inner.data(), root);
  Eigen::Map<Eigen::Matrix<double, 6, 6>> out(D);
  Eigen::Matrix<double, 4, 6> B = Eigen::Matrix<double, 4, 6>::Zero();
  B(0, 0) = foot.k;
  B.block<3, 3>(1, 1).setIdentity();
  if (!foot.cut) {
    out = B.transpose() * inner * B;
    if (foot.z[0] > 0 && set.mu_rolling > 0) out(4, 4) = out(5, 5) = 1;
    return;
  }
  const Vec2 along(x[4] / foot.size, x[5] / foot.size), across(-along[1], along[0]);
  B.block<1, 2>(0, 4) = foot.k * set.mu_rolling * along.transpose();
  const double turning = set.mu_rolling * foot.k * foot.z[0] / foot.size;
  out = B.transpose() * inner * B;
  out.block<2, 2>(4, 4) += (root ? std::sqrt(turning) : turning) * across * across.transpose();
}

}  // namespace cairn::sets
