// SPDX-License-Identifier: Apache-2.0
// A matrix of 12 x 12 blocks over bodies in natural coordinates, with its LU factors: the tangent of a step.
#pragma once
#include "cairn/bodies/natural.h"
#include "cairn/math/sparse_cholesky.h"

namespace cairn {

class NaturalMatrix {
 public:
  /// Zero, with room for the given pairs of bodies beside the diagonal (i != j, any order, repeats allowed).
  void begin(int bodies, std::vector<std::pair<int, int>> pairs);
  /// Adds to a block; nothing where either body has no place (-1).
  void add(int row, int column, const Eigen::Ref<const Mat12>& block);
  /// Adds h (x) 1: what multiplies whole points and directions.
  void add_form(int row, int column, const Eigen::Matrix4d& h);
  /// False when it is singular to rounding.
  bool factor();
  void solve(VecX& x) const { lu_.solve(x); }
  MatX dense() const;

 private:
  Mat12& block(int row, int column);
  std::vector<std::pair<int, int>> pairs_;       ///< sorted, first < second
  std::vector<Mat12> diagonal_, upper_, lower_;  ///< lower_: block (second, first)
  SparseLu lu_;
};

}  // namespace cairn
