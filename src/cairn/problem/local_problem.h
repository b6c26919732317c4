// SPDX-License-Identifier: Apache-2.0
// The contact problem in local form, U = W r + b, with W in blocks: any bodies, any law, also problems from files.
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

struct LocalProblem {
  std::vector<int> offset{0};  ///< first row of each constraint, and one past the last
  std::vector<LawKind> law;
  std::vector<double> mu;
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
  /// Diagonal block of constraint i.
  MatX diagonal(int i) const;
};

/// Rows of H per constraint and side, with M^^-1 H': what turns impulses back into velocities.
struct LocalRows {
  struct Side {
    int body = -1;  ///< -1: cannot move
    MatX H, Y;      ///< rows x nu, nu x rows
  };
  std::vector<std::array<Side, 2>> sides;
};

/// Local form of the constraints of any bodies.
void assemble(const Bodies& bodies, const VecX& q_mid, const FreeMotion& free, std::span<const Constraint> constraints,
              LocalProblem& problem, LocalRows& rows);
void recover(const Bodies& bodies, const FreeMotion& free, const LocalProblem& problem, const LocalRows& rows,
             const VecX& r, VecX& u_solved, VecX& reaction);

/// Local form of a pair problem (W assembled).
LocalProblem to_local(const PairProblem& problem);

}  // namespace cairn
