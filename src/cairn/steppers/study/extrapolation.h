// SPDX-License-Identifier: Apache-2.0
// Extrapolation of a one-step scheme to substeps of length zero (Studer 2009, section 6.4).
//
// T_i1 is the result of n_i substeps of length h/n_i, n_i = 1, 3, 5, ... Odd numbers only: in constraint mode the map
// U_E = -e U_B has no h in it, and its sign would alternate with n. Aitken and Neville:
//   T_i,j+1 = T_ij + (T_ij - T_i-1,j) / (n_i/n_i-j - 1)
// T_kk has the order k when the results have an expansion in powers of h. Configurations live on a manifold: what is
// extrapolated is their difference from the start of the step in each body's own chart (Bodies::difference).
#pragma once
#include "cairn/math/types.h"

#include <vector>

namespace cairn {

class Extrapolation {
 public:
  static constexpr int max_order = 6;
  static int substeps(int row) { return 2 * row + 1; }  ///< row 0, 1, 2...

  void clear() { rows_.clear(); }
  /// The result of the next row. Afterwards best() is T_kk.
  void add(const VecX& result);
  int rows() const { return static_cast<int>(rows_.size()); }
  const VecX& best() const { return rows_.back().back(); }
  /// Before the last row was added.
  const VecX& before() const { return rows_[rows_.size() - 2].back(); }

 private:
  std::vector<std::vector<VecX>> rows_;
};

}  // namespace cairn
