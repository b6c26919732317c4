// SPDX-License-Identifier: Apache-2.0
// The contact problem in local form, U = W r + b, with W in blocks: any bodies, any mix of laws, also problems from
// files. W may be unsymmetric and without full rank; compliance of a constraint is part of its diagonal block.
#pragma once
#include "cairn/problem/pair_problem.h"

#include <vector>

namespace cairn {

/// Sparse matrix of dense blocks, by block rows; block (i, j) has the rows of constraint i and the columns of j.
struct BlockMatrix {
  std::vector<int> row_start;      ///< into column / start, one more than block rows
  std::vector<int> column;         ///< block column of each block, sorted within a row
  std::vector<std::size_t> start;  ///< first value of each block (column-major)
  std::vector<double> values;
};

/// Collects blocks in any order; blocks at the same place add up.
class BlockMatrixBuilder {
 public:
  /// Block rows and columns end at `offset`.
  explicit BlockMatrixBuilder(std::span<const int> offset) : offset_(offset) {}
  /// One number at a scalar place.
  void add(int row, int column, double value);
  /// Blocks that hold only zeros are left out, except on the diagonal.
  BlockMatrix finish();

 private:
  std::span<const int> offset_;
  std::vector<int> block_of_row_;
  struct Entry {
    int row, column;
    double value;
  };
  std::vector<Entry> entries_;
};

struct LocalProblem {
  std::vector<int> offset{0};  ///< first row of each constraint, and one past the last
  std::vector<ConstraintLaw> law;
  BlockMatrix W;
  VecX b;

  int size() const { return static_cast<int>(law.size()); }
  int rows(int i) const { return offset[static_cast<std::size_t>(i) + 1] - offset[static_cast<std::size_t>(i)]; }
  /// Block k of W, which couples constraint i (its row) with W.column[k].
  Eigen::Map<const MatX> block(int i, int k) const {
    return {W.values.data() + W.start[static_cast<std::size_t>(k)], rows(i),
            rows(W.column[static_cast<std::size_t>(k)])};
  }
  /// W r + b.
  VecX velocity(const VecX& r) const;
  /// W r + b into U, which has its size; allocates nothing.
  void velocity(const VecX& r, VecX& U) const;
  /// Place of the diagonal block of constraint i in W.
  std::size_t diagonal_place(int i) const;
  /// Diagonal block of constraint i.
  MatX diagonal(int i) const;
  /// D_c of the scaled residual: trace(W_cc)/rows, or the mean of the others where that is not positive.
  VecX scales() const;
};

/// D with the mean of its positive entries in place of the others (1 where there is none).
VecX replace_by_mean(VecX D);

/// Throws Error naming `owner` unless sizes fit, numbers are finite and laws are admissible.
void check_problem(const LocalProblem& problem, std::string_view owner);

/// Rows of H per constraint and side, with M^^-1 H': what turns impulses back into velocities. A side with H = 0 is a
/// body that moves because others do, with which forces couple it.
struct LocalRows {
  struct Side {
    int body = 0;
    MatX H, Y;  ///< rows x nu, nu x rows
  };
  std::vector<Side> sides;    ///< of bodies that can move
  std::vector<int> first{0};  ///< of each constraint, and one past the last
  std::span<const Side> of(std::size_t i) const {
    return {sides.data() + first[i], static_cast<std::size_t>(first[i + 1] - first[i])};
  }
};

/// W = sum of H_i Y_j over the bodies that constraints share; constraints end at `offset`.
BlockMatrix assemble_blocks(const LocalRows& rows, const std::vector<int>& offset, int body_count);

/// Two problems that share nothing as one: the constraints of the first, then those of the second.
LocalProblem join(const LocalProblem& first, const LocalProblem& second);

/// Local form of a pair problem (W assembled).
LocalProblem to_local(const PairProblem& problem);

}  // namespace cairn
