// SPDX-License-Identifier: Apache-2.0
// Principal angles from the blocks of W: see the header.
#include "cairn/solvers/study/subspace_angle.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

/// Eigenvalues of W below this share of the largest count as rank deficiency: W holds squares of lengths.
constexpr double rank_share = 1e-12;

/// Columns C with C'AC = 1 that span the range of A: orthonormal impulses in the metric A.
MatX orthonormal_impulses(const MatX& A) {
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(A);
  const VecX& values = eigen.eigenvalues();
  const int n = static_cast<int>(values.size());
  int rank = 0;
  while (rank < n && values[n - 1 - rank] > rank_share * values[n - 1]) ++rank;
  return eigen.eigenvectors().rightCols(rank) * values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// The rows of one subspace, numbered.
struct Rows {
  std::vector<int> place;  ///< per row of the problem, -1: not in the list
  int count = 0;
  void add(int row) { place[static_cast<std::size_t>(row)] = count++; }
};

SubspaceAngle compute(const LocalProblem& problem, const VecX* r) {
  SubspaceAngle result;
  result.angle = std::acos(0.0);
  const std::size_t total = static_cast<std::size_t>(problem.offset.back());
  Rows contact{std::vector<int>(total, -1)}, friction = contact;
  const VecX D = problem.scales();
  VecX factor(problem.offset.back());
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    const ConstraintLaw& law = problem.law[k];
    const int first = problem.offset[k], rows = problem.rows(i);
    // A common factor on the rows of one constraint does not change the subspaces, and keeps ranks free of units.
    factor.segment(first, rows).setConstant(1 / std::sqrt(D[i]));
    if (r && law.has_normal() && !((*r)[first] > 0)) continue;
    const int plain = law.kind == LawKind::Bilateral ? rows : law.kind == LawKind::Disc ? 0 : 1;
    for (int l = 0; l < plain; ++l) contact.add(first + l);
    LawPart parts[max_parts];
    const int count = law_parts(law, rows, parts);
    for (int p = 0; p < count; ++p)
      for (int l = 0; l < parts[p].count; ++l)
        if (parts[p].axes[l] > 0) friction.add(first + parts[p].first + l);
    if (law.is_cone() && count > 0)  // of the tangents: coefficients of moments are lengths
      result.largest_friction = std::max({result.largest_friction, parts[0].axes[0], law.mu_2});
  }
  if (contact.count == 0 || friction.count == 0) return result;

  MatX NN = MatX::Zero(contact.count, contact.count), DD = MatX::Zero(friction.count, friction.count);
  MatX ND = MatX::Zero(contact.count, friction.count);
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t row_block = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[row_block]; k < problem.W.row_start[row_block + 1]; ++k) {
      const auto block = problem.block(i, k);
      const int row = problem.offset[row_block];
      const int column = problem.offset[static_cast<std::size_t>(problem.W.column[static_cast<std::size_t>(k)])];
      for (int c = 0; c < block.cols(); ++c) {
        for (int l = 0; l < block.rows(); ++l) {
          const std::size_t p = static_cast<std::size_t>(row + l), q = static_cast<std::size_t>(column + c);
          const double half = 0.5 * block(l, c) * factor[row + l] * factor[column + c];
          const auto put = [half](MatX& A, int a, int b) {
            if (a >= 0 && b >= 0) A(a, b) += half;
          };
          put(NN, contact.place[p], contact.place[q]);
          put(NN, contact.place[q], contact.place[p]);
          put(DD, friction.place[p], friction.place[q]);
          put(DD, friction.place[q], friction.place[p]);
          put(ND, contact.place[p], friction.place[q]);
          put(ND, contact.place[q], friction.place[p]);
        }
      }
    }
  }
  const MatX CN = orthonormal_impulses(NN), CD = orthonormal_impulses(DD);
  result.contact_rank = static_cast<int>(CN.cols());
  result.friction_rank = static_cast<int>(CD.cols());
  if (result.contact_rank == 0 || result.friction_rank == 0) return result;
  // Largest singular value, from the smaller Gram matrix.
  const MatX B = CN.transpose() * ND * CD;
  const MatX gram = B.rows() <= B.cols() ? MatX(B * B.transpose()) : MatX(B.transpose() * B);
  const double square = Eigen::SelfAdjointEigenSolver<MatX>(gram, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  result.cosine = std::sqrt(std::clamp(square, 0.0, 1.0));
  result.angle = std::acos(result.cosine);
  return result;
}

}  // namespace

SubspaceAngle minimum_principal_angle(const LocalProblem& problem, const VecX& r) { return compute(problem, &r); }
SubspaceAngle minimum_principal_angle(const LocalProblem& problem) { return compute(problem, nullptr); }

double critical_friction(const LocalProblem& problem, int contact) {
  const ConstraintLaw& law = problem.law[static_cast<std::size_t>(contact)];
  const MatX W = problem.diagonal(contact);
  const int tangents = std::min(2, static_cast<int>(W.rows()) - 1);
  if (!law.is_cone() || law.kind == LawKind::Frictionless) return std::numeric_limits<double>::infinity();
  const double coupling = W.row(0).segment(1, tangents).norm();
  return coupling > 0 ? W(0, 0) / coupling : std::numeric_limits<double>::infinity();
}

}  // namespace cairn
