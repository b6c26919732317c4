// SPDX-License-Identifier: Apache-2.0
// The contact problem of a step whose mass A couples bodies (springs taken implicitly): rows of any kind, each at the
// configuration where its scheme wants it.
//
//   A u = p + H r,   U = H' u + w + compliance r,   (U, r) obeys the laws
// w holds the shift of each row and what bodies with a given motion do to it.
#pragma once
#include "cairn/constraints/row_block.h"
#include "cairn/problem/global_problem.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace cairn {

class RowProblem {
 public:
  /// Starts anew; bodies that cannot move have the velocity of `u`.
  void begin(const Bodies& bodies, const VecX& u);
  /// Blocks whose rows are those at q.
  void add(const Bodies& bodies, const VecX& q, std::span<const RowBlock> blocks);
  /// Forms H, w and compliance of the blocks added.
  void finish();
  /// Takes the shifts of these blocks, which are those from the given one on, as they are now.
  void update_shifts(std::size_t first, std::span<const RowBlock> blocks);

  /// The unknown becomes r + c: f -= H c, w -= compliance c.
  void shift_unknown(const VecX& c);

  /// Factorises A; false: it is not positive definite.
  bool set_mass(const SparseMatrix& A);
  /// The same for an A without symmetry (geometric stiffness), by LU; false: it is singular.
  bool set_unsymmetric_mass(const SparseMatrix& A);
  VecX solve_mass(const VecX& x) const;
  SparseMatrix solve_mass(const SparseMatrix& X) const;

  bool empty() const { return problem_.law.empty(); }
  int row(std::size_t block) const { return problem_.offset[block]; }
  int row_count() const { return problem_.offset.back(); }
  /// u for the impulses r.
  VecX velocity(const VecX& r) const { return solve_mass(problem_.f + problem_.H * r); }
  VecX reaction(const VecX& r) const { return problem_.H * r; }
  /// U of the rows, with shifts and compliance.
  VecX row_velocity(const VecX& u, const VecX& r) const;
  /// Of the rows by bodies that move freely alone: H' u.
  VecX free_rows(const VecX& u) const { return problem_.H.transpose() * u; }
  void set_momentum(const VecX& p) { problem_.f = p; }
  const GlobalProblem& problem() const { return problem_; }
  /// Offsets and laws alone, for what asks for a LocalProblem's layout.
  const LocalProblem& layout() const { return layout_; }

 private:
  GlobalProblem problem_;
  LocalProblem layout_;
  RowArena arena_;
  VecX u_given_;  ///< of bodies that cannot move; the others zero
  std::vector<Eigen::Triplet<double>> entries_;
  std::vector<double> given_, shift_, compliance_;  ///< by row
  Eigen::SimplicialLLT<SparseMatrix> factor_;
  Eigen::SparseLU<SparseMatrix> lu_;
  bool symmetric_ = true;
};

/// Some columns of a matrix, some entries of a vector, in the order given.
SparseMatrix select_columns(const SparseMatrix& X, const std::vector<int>& columns);
VecX select_rows(const VecX& x, const std::vector<int>& rows);

}  // namespace cairn
