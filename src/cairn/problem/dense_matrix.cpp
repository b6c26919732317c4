// SPDX-License-Identifier: Apache-2.0
// W as one dense matrix: see the header.
#include "cairn/problem/dense_matrix.h"

namespace cairn {

MatX to_dense(const LocalProblem& problem) {
  const auto offset = [&](int i) { return problem.offset[static_cast<std::size_t>(i)]; };
  MatX W = MatX::Zero(problem.offset.back(), problem.offset.back());
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k) {
      const int j = problem.W.column[static_cast<std::size_t>(k)];
      W.block(offset(i), offset(j), problem.rows(i), problem.rows(j)) += problem.block(i, k);
    }
  }
  return W;
}

}  // namespace cairn
