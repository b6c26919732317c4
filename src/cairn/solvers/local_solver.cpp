// SPDX-License-Identifier: Apache-2.0
// Preparation and the less frequent laws: see the header.
#include "cairn/solvers/local_solver.h"

#include <Eigen/LU>

namespace cairn {

void LocalSolver::prepare(const ConstraintLaw& law, int rows, const double* W) {
  lambda_ = 0;
  kind_ = Kind::Nothing;
  if (!W) return;
  const Eigen::Map<const MatX> block(W, rows, rows);
  const double size = block.diagonal().maxCoeff();
  if (!(size > 0) && !law.is_equation()) return;
  if (law.is_equation()) {
    const Eigen::FullPivLU<MatX> lu(block);
    if (!lu.isInvertible()) return;
    kind_ = Kind::Equation;
    block_ = lu.inverse();
    return;
  }
  if (law.has_bounds()) {
    kind_ = Kind::Bounds;
    W_(0, 0) = block(0, 0);
    return;
  }
  if (law.kind == LawKind::Coulomb || law.kind == LawKind::Frictionless) {
    if (!(block(0, 0) > 0)) return;
    if (rows == 1 || law.kind == LawKind::Frictionless) {
      kind_ = Kind::Cone1;
      W_(0, 0) = block(0, 0);
      contact_.inverse_nn = 1 / block(0, 0);
      return;
    }
    // Plane friction is spatial friction with a second tangent nothing drives.
    kind_ = rows == 3 ? Kind::Cone3 : Kind::Cone2;
    W_.setZero();
    W_.topLeftCorner(rows, rows) = 0.5 * (block + block.transpose());
    if (rows == 2) W_(2, 2) = W_(1, 1);
    if (rows == 3) skew_ = 0.5 * Vec3(block(0, 1) - block(1, 0), block(0, 2) - block(2, 0), block(1, 2) - block(2, 1));
    contact_.prepare(W_);
    return;
  }
  LawPart part[max_parts];
  if (law.is_one_cone() && rows == 3 && law_parts(law, rows, part) == 1 && part[0].axes[0] > 0 && part[0].axes[1] > 0) {
    // With r_T2 divided and U_T2 multiplied by mu_2/mu it is Coulomb's contact.
    if (!(block(0, 0) > 0)) return;
    const Vec3 stretch(1, 1, part[0].axes[1] / part[0].axes[0]);
    kind_ = Kind::Ellipse;
    W_ = 0.5 * stretch.asDiagonal() * (block + block.transpose()) * stretch.asDiagonal();
    contact_.prepare(W_);
    return;
  }
  kind_ = Kind::Friction;
  block_ = block;
}

void LocalSolver::solve_general(const ConstraintLaw& law, int rows, const double* U, const double* r, double* next) {
  switch (kind_) {
    case Kind::Cone3: solve(law, rows, U, r, next); return;
    case Kind::Cone2: {
      const Vec3 old(r[0], r[1], 0);
      const Vec3 x = contact_.solve(Vec3(U[0], U[1], 0) - W_ * old, law.mu, lambda_);
      next[0] = x[0], next[1] = x[1];
      return;
    }
    case Kind::Ellipse: {
      LawPart part[max_parts];
      law_parts(law, rows, part);
      const double mu = part[0].axes[0], stretch = part[0].axes[1] / mu;
      const Vec3 old(r[0], r[1], r[2] / stretch);
      const Vec3 x = contact_.solve(Vec3(U[0], U[1], U[2] * stretch) - W_ * old, mu, lambda_);
      next[0] = x[0], next[1] = x[1], next[2] = x[2] * stretch;
      return;
    }
    case Kind::Cone1: {
      const double x = std::max(0.0, r[0] - U[0] * contact_.inverse_nn);
      std::fill(next, next + rows, 0.0);
      next[0] = x;
      return;
    }
    case Kind::Equation: {
      double x[max_rows];
      for (int i = 0; i < rows; ++i) {
        x[i] = r[i];
        for (int j = 0; j < rows; ++j) x[i] -= block_(i, j) * U[j];
      }
      std::copy(x, x + rows, next);
      return;
    }
    case Kind::Bounds: next[0] = std::clamp(r[0] - U[0] / W_(0, 0), law.lower, law.upper); return;
    case Kind::Friction:
      switch (rows) {
        case 2: return solve_friction<2>(law, U, r, next);
        case 3: return solve_friction<3>(law, U, r, next);
        case 4: return solve_friction<4>(law, U, r, next);
        case 5: return solve_friction<5>(law, U, r, next);
        default: return solve_friction<6>(law, U, r, next);
      }
    case Kind::Nothing: std::copy(r, r + rows, next); return;
  }
}

template <int N>
void LocalSolver::solve_friction(const ConstraintLaw& law, const double* U, const double* r, double* next) {
  using VecN = Eigen::Matrix<double, N, 1>;
  using MatN = Eigen::Matrix<double, N, N>;
  const MatN W = block_;
  const Eigen::Map<const VecN> U0(U), r0(r);
  const VecN b = U0 - W * r0;
  // x = A(x - rho (W x + b)) by Newton (Alart and Curnier), damped; with the first rho, rho W has mean diagonal 1.
  // Where Newton ends in a hollow of the residual, another rho leads another way.
  double rho = N / W.trace();
  VecN x = r0, y, gamma, best = r0;
  const auto evaluate = [&](const VecN& at) {
    y = at - rho * (W * at + b);
    project_by_parts(law, N, y.data(), gamma.data());
    return (at - gamma).norm();
  };
  constexpr double ways[] = {1, 0.1, 10, 0.01, 100};
  const double plain = rho, size = rho * b.norm() + x.norm();
  double least = INFINITY;
  for (const double way : ways) {
    rho = way * plain;
    x = r0;
    double norm = evaluate(x);
    const double enough = 1e-14 * std::max(1.0, way) * size;
    for (int iteration = 0; iteration < 30 && norm > enough; ++iteration) {
      MatN D;
      project_by_parts_derivative(law, N, y.data(), D.data());
      const MatN J = MatN::Identity() - D * (MatN::Identity() - rho * W);
      const VecN step = -J.partialPivLu().solve(x - gamma);
      double alpha = 1, found = norm;
      VecN trial = x;
      for (int halving = 0; halving < 6; ++halving, alpha *= 0.5) {
        trial = x + alpha * step;
        found = evaluate(trial);
        if (found < norm) break;
      }
      if (!(found < norm)) {  // a projection step always makes sense
        evaluate(x);
        trial = gamma;
        found = evaluate(trial);
      }
      x = trial;
      norm = found;
    }
    // Compared by the first rho.
    rho = plain;
    const double left = evaluate(x);
    if (left < least) least = left, best = gamma;
    if (least <= 1e-8 * size) break;
  }
  project(law, N, best.data(), next);
}

}  // namespace cairn
