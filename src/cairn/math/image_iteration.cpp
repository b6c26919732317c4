// SPDX-License-Identifier: Apache-2.0
// Projections on linear images by iteration: see the header.
#include "cairn/math/image_iteration.h"

#include "cairn/math/quadratic_program.h"

#include <Eigen/LU>
#include <Eigen/QR>

namespace cairn::sets {
namespace {

/// Faces normal.x + offset >= 0 (or = 0) of a set, in rows [first, ...) of a larger space.
struct Faces {
  int rows;
  std::vector<VecX> normals = {};
  std::vector<double> offsets = {};
  std::vector<VecX> equal_normals = {};
  std::vector<double> equal_offsets = {};

  void add(const VecX& normal, double offset) { normals.push_back(normal), offsets.push_back(offset); }
  void add_equal(const VecX& normal, double offset) {
    equal_normals.push_back(normal), equal_offsets.push_back(offset);
  }
  VecX unit(int row) const { return VecX::Unit(rows, row); }
};

LinearConstraints to_columns(int rows, const std::vector<VecX>& normals, const std::vector<double>& offsets) {
  LinearConstraints c;
  const Eigen::Index count = static_cast<Eigen::Index>(normals.size());
  c.C.resize(rows, count);
  c.c0.resize(count);
  for (Eigen::Index j = 0; j < count; ++j) {
    // Unit normals: what is small is then small for all of them.
    const VecX& normal = normals[static_cast<std::size_t>(j)];
    const double size = normal.norm();
    c.C.col(j) = normal / size;
    c.c0[j] = offsets[static_cast<std::size_t>(j)] / size;
  }
  return c;
}

bool add_faces(const ConvexSet& set, int first, Faces& faces);

/// Edges of a polygon of radius mu x[scale] about rows `first` and `first` + 1, or of a fixed radius.
void add_polygon(int first, int facets, double angle, double radius, int scale, Faces& faces) {
  const double half = std::numbers::pi / facets;
  for (int j = 0; j < facets; ++j) {
    const double middle = angle + (2 * j + 1) * half;
    VecX normal = -std::cos(middle) * faces.unit(first) - std::sin(middle) * faces.unit(first + 1);
    if (scale >= 0) normal[scale] = radius * std::cos(half);
    faces.add(normal, scale >= 0 ? 0 : radius * std::cos(half));
  }
}

bool add_transformed(const Transformed& set, int first, Faces& faces) {
  const int n = rows(set);
  Faces own{n};
  if (!add_faces(*set.base, 0, own)) return false;
  const MatX back = set.A.inverse().transpose();
  const auto carry = [&](const VecX& normal, double& offset) {
    VecX moved = VecX::Zero(faces.rows);
    moved.segment(first, n) = back * normal;
    if (set.c.size() > 0) offset -= moved.segment(first, n).dot(set.c);
    return moved;
  };
  for (std::size_t j = 0; j < own.normals.size(); ++j) {
    const VecX normal = carry(own.normals[j], own.offsets[j]);
    faces.add(normal, own.offsets[j]);
  }
  for (std::size_t j = 0; j < own.equal_normals.size(); ++j) {
    const VecX normal = carry(own.equal_normals[j], own.equal_offsets[j]);
    faces.add_equal(normal, own.equal_offsets[j]);
  }
  return true;
}

/// False for sets that are not flat.
bool add_faces(const ConvexSet& set, int first, Faces& faces) {
  if (std::holds_alternative<Free>(set.value)) return true;
  if (const auto* s = std::get_if<Zero>(&set.value)) {
    for (int i = 0; i < s->size; ++i) faces.add_equal(faces.unit(first + i), 0);
    return true;
  }
  if (const auto* s = std::get_if<NonNegative>(&set.value)) {
    for (int i = 0; i < s->size; ++i) faces.add(faces.unit(first + i), 0);
    return true;
  }
  const auto add_segment = [&](double lower, double upper) {
    if (std::isfinite(lower)) faces.add(faces.unit(first), -lower);
    if (std::isfinite(upper)) faces.add(-faces.unit(first), upper);
  };
  if (const auto* s = std::get_if<Interval>(&set.value)) return add_segment(s->lower, s->upper), true;
  if (const auto* s = std::get_if<Disc>(&set.value); s && s->size == 1) return add_segment(-s->radius, s->radius), true;
  if (const auto* s = std::get_if<FrictionCone>(&set.value); s && s->tangents == 1) {
    faces.add(s->mu * faces.unit(first) + faces.unit(first + 1), 0);
    faces.add(s->mu * faces.unit(first) - faces.unit(first + 1), 0);
    if (s->mu == 0) faces.add(faces.unit(first), 0);
    return true;
  }
  if (const auto* s = std::get_if<Polygon>(&set.value))
    return add_polygon(first, s->facets, s->angle, s->radius, -1, faces), true;
  if (const auto* s = std::get_if<PolyhedralCone>(&set.value)) {
    add_polygon(first + 1, s->facets, s->angle, s->mu, first, faces);
    if (s->mu == 0) faces.add(faces.unit(first), 0);
    return true;
  }
  if (const auto* s = std::get_if<Transformed>(&set.value)) return add_transformed(*s, first, faces);
  if (const auto* s = std::get_if<Product>(&set.value)) {
    for (const ConvexSet& part : s->parts) {
      if (!add_faces(part, first, faces)) return false;
      first += rows(part);
    }
    return true;
  }
  return false;
}

}  // namespace

std::optional<ImageProjection> project_on_flat_faces(const ConvexSet& set, const MatX& A, const VecX& y) {
  const int n = rows(set);
  Faces faces{n};
  if (!add_faces(set, 0, faces)) return std::nullopt;
  // In x = A z: the matrix of the program is the identity, and normals go with A^-T.
  const MatX back = A.inverse().transpose();
  for (VecX& normal : faces.normals) normal = back * normal;
  for (VecX& normal : faces.equal_normals) normal = back * normal;
  const LinearConstraints equal = to_columns(n, faces.equal_normals, faces.equal_offsets);
  const LinearConstraints inside = to_columns(n, faces.normals, faces.offsets);
  const QuadraticSolution s = solve_quadratic_program(MatX::Identity(n, n), -y, equal, inside);
  if (s.status != QuadraticStatus::Optimal) return std::nullopt;
  // Moves along the active faces are free, all others are not.
  ImageProjection p{s.x, MatX::Identity(n, n), s.iterations};
  const Eigen::Index active = static_cast<Eigen::Index>(s.active.size());
  MatX fixed(n, equal.C.cols() + active);
  fixed.leftCols(equal.C.cols()) = equal.C;
  for (Eigen::Index j = 0; j < active; ++j)
    fixed.col(equal.C.cols() + j) = inside.C.col(s.active[static_cast<std::size_t>(j)]);
  if (fixed.cols() == 0) return p;
  const Eigen::ColPivHouseholderQR<MatX> qr(fixed);
  const MatX span = qr.householderQ() * MatX::Identity(n, qr.rank());
  p.derivative -= span * span.transpose();
  return p;
}

namespace {

/// z = P_C(v(z)), v(z) = z - A'(A z - y)/L: what z of the nearest point A z obeys. Its Newton steps do not feel how
/// thin the set is, only the condition of A.
struct ImageEquation {
  const ConvexSet& set;
  const MatX& A;
  const VecX& y;
  double L = A.squaredNorm();  // >= |A|^2
  MatX identity = MatX::Identity(A.rows(), A.rows());
  MatX rest = identity - A.transpose() * A / L;

  VecX before(const VecX& z) const { return z - A.transpose() * (A * z - y) / L; }
  double error(const VecX& z) const { return (z - project(set, before(z))).norm(); }
  VecX take_newton_step(const VecX& z) const {
    const VecX v = before(z);
    const MatX D = project_derivative(set, v);
    return project(set, VecX(z + (identity - D * rest).partialPivLu().solve(project(set, v) - z)));
  }
  /// dz = D (rest dz + A'dy/L) at the root, so A dz is this times dy.
  MatX derivative(const VecX& z) const {
    const MatX D = project_derivative(set, before(z));
    const MatX J = A * (identity - D * rest).partialPivLu().solve(D * A.transpose() / L);
    return 0.5 * (J + J.transpose());
  }
};

}  // namespace

int refine_on_image(const ConvexSet& set, const MatX& A, const VecX& y, VecX& point) {
  const ImageEquation equation{set, A, y};
  VecX z = project(set, VecX(A.partialPivLu().solve(point)));
  double left = equation.error(z);
  int steps = 0;
  for (; steps < 5 && left > 0; ++steps) {
    const VecX trial = equation.take_newton_step(z);
    const double then = equation.error(trial);
    if (!(then < 0.5 * left)) break;
    z = trial, left = then;
  }
  point = A * z;
  return steps;
}

ImageProjection project_by_newton(const ConvexSet& set, const MatX& A, const VecX& y) {
  const ImageEquation equation{set, A, y};
  VecX z = project(set, VecX(A.partialPivLu().solve(y)));
  const double size = std::max((A.transpose() * y).norm() / equation.L, z.norm());
  double left = equation.error(z);
  ImageProjection p;
  constexpr int most_rounds = 200, run = 30;
  const double target = 4 * std::numeric_limits<double>::epsilon() * size;
  for (; p.iterations < most_rounds && left > target; ++p.iterations) {
    const VecX trial = equation.take_newton_step(z);
    const double then = equation.error(trial);
    if (then < 0.5 * left) {
      z = trial, left = then;
      continue;
    }
    // Accelerated gradients; momentum starts again when it points uphill.
    VecX best = then < left ? trial : z, now = best, momentum = now;
    double least = std::min(then, left), t = 1;
    for (int k = 0; k < run; ++k) {
      const VecX next = project(set, equation.before(momentum));
      const double grown = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
      const bool uphill = (momentum - next).dot(next - now) > 0;
      momentum = uphill ? next : VecX(next + (t - 1) / grown * (next - now));
      t = uphill ? 1 : grown;
      now = next;
      if (const double e = equation.error(now); e < least) least = e, best = now;
    }
    const bool stuck = least >= 0.99 * left && left < 1e-12 * size;
    z = best, left = least;
    if (stuck) break;
  }
  p.residual = size > 0 ? left / size : 0;
  p.point = A * z;
  p.derivative = equation.derivative(z);
  return p;
}

}  // namespace cairn::sets
