// SPDX-License-Identifier: Apache-2.0
// Projections on linear images of sets, kind by kind: see the header.
#include "cairn/math/skewed_projection.h"

#include "cairn/base/error.h"
#include "cairn/math/image_iteration.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <optional>

namespace cairn::sets {
namespace {

ImageProjection whole_space(const VecX& y) { return {y, MatX::Identity(y.size(), y.size())}; }

ImageProjection only_zero(Eigen::Index n) { return {VecX::Zero(n), MatX::Zero(n, n)}; }

/// The ray along d.
ImageProjection on_ray(const VecX& d, const VecX& y) {
  const VecX unit = d.normalized();
  const double reach = unit.dot(y);
  if (!(reach > 0)) return only_zero(y.size());
  return {reach * unit, unit * unit.transpose()};
}

/// { A diag(e) w : |w| <= 1 }.
ImageProjection on_ellipsoid(const VecX& e, const MatX& A, const VecX& y) {
  const int n = static_cast<int>(e.size());
  const Eigen::JacobiSVD<MatX> svd(A * e.asDiagonal(), Eigen::ComputeFullU);
  const VecX axes = svd.singularValues(), w = svd.matrixU().transpose() * y;
  VecX shrink(n);
  MatX D(n, n);
  const int iterations = shrink_to_ellipsoid(n, axes.data(), w.data(), shrink.data());
  if ((shrink.array() == 1).all()) return whole_space(y);
  shrink_derivative(n, axes.data(), w.data(), shrink.data(), D.data());
  const MatX& U = svd.matrixU();
  return {U * shrink.cwiseProduct(w), U * D * U.transpose(), iterations};
}

/// { A (n, t) : |(t1/mu1, t2/mu2)| <= n }, mu of one or two tangential rows. Rows without friction carry nothing.
ImageProjection on_cone(const VecX& mu, const MatX& A, const VecX& y) {
  // Columns (1, mu1, mu2) times those of A that are left; outside their span there is nothing of the image.
  const int n = static_cast<int>(y.size());
  MatX columns(n, n);
  columns.col(0) = A.col(0);
  int used = 1;
  for (int i = 0; i < mu.size(); ++i)
    if (mu[i] > 0) columns.col(used++) = mu[i] * A.col(1 + i);
  if (used == 1) return on_ray(A.col(0), y);
  const Eigen::HouseholderQR<MatX> qr(columns.leftCols(used));
  const MatX span = qr.householderQ() * MatX::Identity(n, used);
  const MatX M = span.transpose() * columns.leftCols(used);
  // In w = V'y the image is sum d_i w_i^2 <= 0 on one side, where d_0 < 0 < d_1, d_2.
  const MatX back = M.inverse();
  VecX signature = VecX::Ones(used);
  signature[0] = -1;
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(back.transpose() * signature.asDiagonal() * back);
  const VecX& d = eigen.eigenvalues();
  MatX V = span * eigen.eigenvectors();
  if (back.row(0).dot(eigen.eigenvectors().col(0)) < 0) V.col(0) *= -1;
  EllipticCone cone;
  cone.mu1 = std::sqrt(-d[0] / d[1]);
  if (used == 3) cone.mu2 = std::sqrt(-d[0] / d[2]);
  Vec3 w = Vec3::Zero();
  w.head(used) = V.transpose() * y;
  const EllipticConeFoot foot = find_elliptic_cone_foot(cone, w);
  if (foot.kind == EllipticConeFoot::Kind::Inside && used == n) return whole_space(y);
  const MatX D = elliptic_cone_derivative(cone, foot).topLeftCorner(used, used);
  return {V * foot.point.head(used), V * D * V.transpose(), foot.iterations};
}

ImageProjection on_interval(const Interval& set, double a, double y) {
  const double z = y / a;
  if (z > set.lower && z < set.upper) return whole_space(VecX::Constant(1, y));
  return {VecX::Constant(1, a * std::clamp(z, set.lower, set.upper)), MatX::Zero(1, 1)};
}

/// No numbers between the rows of different parts.
bool is_split(const Product& set, const MatX& A) {
  int first = 0;
  for (const ConvexSet& part : set.parts) {
    const int size = rows(part), rest = static_cast<int>(A.rows()) - first - size;
    if (!A.block(first, first + size, size, rest).isZero(0) || !A.block(first + size, first, rest, size).isZero(0))
      return false;
    first += size;
  }
  return true;
}

ImageProjection part_by_part(const Product& set, const MatX& A, const VecX& y) {
  ImageProjection all = only_zero(y.size());
  int first = 0;
  for (const ConvexSet& part : set.parts) {
    const int size = rows(part);
    const ImageProjection one = project_on_image(part, A.block(first, first, size, size), y.segment(first, size));
    all.point.segment(first, size) = one.point;
    all.derivative.block(first, first, size, size) = one.derivative;
    all.iterations += one.iterations;
    all.residual = std::max(all.residual, one.residual);
    first += size;
  }
  return all;
}

/// Nothing where the kind has no closed form of its own.
std::optional<ImageProjection> find_closed_form(const ConvexSet& set, const MatX& A, const VecX& y) {
  if (const auto* s = std::get_if<Free>(&set.value); s) return whole_space(y);
  if (const auto* s = std::get_if<Zero>(&set.value); s) return only_zero(y.size());
  if (const auto* s = std::get_if<Interval>(&set.value)) return on_interval(*s, A(0, 0), y[0]);
  if (const auto* s = std::get_if<Disc>(&set.value); s && s->size <= 6)
    return on_ellipsoid(VecX::Constant(s->size, s->radius), A, y);
  if (const auto* s = std::get_if<Ellipse>(&set.value)) return on_ellipsoid(Vec2(s->a, s->b), A, y);
  if (const auto* s = std::get_if<Ellipsoid>(&set.value)) return on_ellipsoid(s->semi_axes, A, y);
  if (const auto* s = std::get_if<FrictionCone>(&set.value)) return on_cone(VecX::Constant(s->tangents, s->mu), A, y);
  if (const auto* s = std::get_if<EllipticCone>(&set.value)) return on_cone(Vec2(s->mu1, s->mu2), A, y);
  if (const auto* s = std::get_if<PolyhedralCone>(&set.value); s && s->mu == 0) return on_ray(A.col(0), y);
  if (const auto* s = std::get_if<Polygon>(&set.value); s && s->radius == 0) return only_zero(2);
  if (const auto* s = std::get_if<Product>(&set.value); s && is_split(*s, A)) return part_by_part(*s, A, y);
  if (const auto* s = std::get_if<Transformed>(&set.value)) {
    const VecX centre = s->c.size() > 0 ? VecX(A * s->c) : VecX(VecX::Zero(y.size()));
    ImageProjection p = project_on_image(*s->base, A * s->A, y - centre);
    p.point += centre;
    return p;
  }
  if (const auto* s = std::get_if<DualCone>(&set.value)) {
    // A K* is the dual of A^-T K.
    ImageProjection p = project_on_image(*s->base, A.transpose().inverse(), -y);
    p.point += y;
    p.derivative = MatX::Identity(y.size(), y.size()) - p.derivative;
    return p;
  }
  return std::nullopt;
}

/// Sets whose closed form goes through eigenvectors.
bool is_round(const ConvexSet& set) {
  return std::visit(
      [](const auto& s) {
        return OneOf<std::decay_t<decltype(s)>, Disc, Ellipse, Ellipsoid, FrictionCone, EllipticCone>;
      },
      set.value);
}

}  // namespace

ImageProjection project_on_image(const ConvexSet& set, const MatX& A, const VecX& y) {
  const int n = rows(set);
  if (A.rows() != n || A.cols() != n || y.size() != n)
    throw Error("image of a {} of {} rows: matrix {} x {}, point of {} rows; must agree", kind_name(set), n, A.rows(),
                A.cols(), y.size());
  if (auto p = find_closed_form(set, A, y)) {
    if (is_round(set) && p->point != y) p->iterations += refine_on_image(set, A, y, p->point);
    return *std::move(p);
  }
  if (auto p = project_on_flat_faces(set, A, y)) return *std::move(p);
  return project_by_newton(set, A, y);
}

namespace {

/// The upper triangle A of R = A'A.
MatX root_of_metric(const ConvexSet& set, const MatX& R) {
  const int n = rows(set);
  if (R.rows() != n || R.cols() != n)
    throw Error("metric for a {}: matrix {} x {}; must be {} x {}", kind_name(set), R.rows(), R.cols(), n, n);
  if (!R.allFinite()) throw Error("metric for a {}: a number is not finite", kind_name(set));
  const Eigen::LLT<MatX> cholesky(R);
  const double largest = R.cwiseAbs().maxCoeff();
  if (!((R - R.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * largest) || cholesky.info() != Eigen::Success)
    throw Error("metric for a {}: the matrix with diagonal from {} to {} is not symmetric positive definite; must be",
                kind_name(set), R.diagonal().minCoeff(), R.diagonal().maxCoeff());
  return cholesky.matrixU();
}

}  // namespace

VecX project_in_metric(const ConvexSet& set, const MatX& R, const VecX& x) {
  const MatX A = root_of_metric(set, R);
  if (violation(set, x) == 0) return x;
  const ImageProjection p = project_on_image(set, A, A * x);
  // The way back rounds, which thin sets feel: once more into the set.
  return project(set, VecX(A.triangularView<Eigen::Upper>().solve(p.point)));
}

MatX project_in_metric_derivative(const ConvexSet& set, const MatX& R, const VecX& x) {
  const MatX A = root_of_metric(set, R);
  const ImageProjection p = project_on_image(set, A, A * x);
  return A.triangularView<Eigen::Upper>().solve(p.derivative * A);
}

int rows(const Transformed& set) { return rows(*set.base); }

namespace {

VecX off_centre(const Transformed& set, const double* x) {
  const Eigen::Map<const VecX> y(x, rows(set));
  return set.c.size() > 0 ? VecX(y - set.c) : VecX(y);
}

}  // namespace

void project(const Transformed& set, const double* x, double* out) {
  const VecX y = off_centre(set, x), z = set.A.partialPivLu().solve(y);
  VecX p = Eigen::Map<const VecX>(x, y.size());
  if (project(*set.base, z) != z) {  // members come back bit for bit
    p = project_on_image(*set.base, set.A, y).point;
    if (set.c.size() > 0) p += set.c;
  }
  std::copy(p.data(), p.data() + p.size(), out);
}

void project_derivative(const Transformed& set, const double* x, double* D) {
  const MatX derivative = project_on_image(*set.base, set.A, off_centre(set, x)).derivative;
  std::copy(derivative.data(), derivative.data() + derivative.size(), D);
}

double support(const Transformed& set, const double* y) {
  const Eigen::Map<const VecX> direction(y, rows(set));
  const double centre = set.c.size() > 0 ? set.c.dot(direction) : 0;
  return centre + support(*set.base, VecX(set.A.transpose() * direction));
}

}  // namespace cairn::sets
