// SPDX-License-Identifier: Apache-2.0
// Blocks of the tangent and their factors.
#include "cairn/assembly/natural_matrix.h"

#include <algorithm>

namespace cairn {

void NaturalMatrix::begin(int bodies, std::vector<std::pair<int, int>> pairs) {
  for (auto& [i, j] : pairs)
    if (i > j) std::swap(i, j);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  pairs_ = std::move(pairs);
  diagonal_.assign(static_cast<std::size_t>(bodies), Mat12::Zero());
  upper_.assign(pairs_.size(), Mat12::Zero());
  lower_.assign(pairs_.size(), Mat12::Zero());
}

Mat12& NaturalMatrix::block(int row, int column) {
  if (row == column) return diagonal_[static_cast<std::size_t>(row)];
  const auto pair = std::minmax(row, column);
  const auto place = std::lower_bound(pairs_.begin(), pairs_.end(), std::pair<int, int>(pair));
  const auto k = static_cast<std::size_t>(place - pairs_.begin());
  return row < column ? upper_[k] : lower_[k];
}

void NaturalMatrix::add(int row, int column, const Eigen::Ref<const Mat12>& x) {
  if (row >= 0 && column >= 0) block(row, column) += x;
}

void NaturalMatrix::add_form(int row, int column, const Eigen::Matrix4d& h) {
  if (row < 0 || column < 0) return;
  Mat12& target = block(row, column);
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) {
      if (h(i, j) == 0) continue;
      for (int k = 0; k < 3; ++k) target(3 * i + k, 3 * j + k) += h(i, j);
    }
}

bool NaturalMatrix::factor() {
  const std::vector<int> sizes(diagonal_.size(), 12);
  lu_.plan(sizes, pairs_);
  lu_.set_zero();
  for (std::size_t i = 0; i < diagonal_.size(); ++i) lu_.add_diagonal(static_cast<int>(i), diagonal_[i]);
  for (std::size_t k = 0; k < pairs_.size(); ++k) lu_.add_pair(static_cast<int>(k), upper_[k], lower_[k]);
  return lu_.factor();
}

MatX NaturalMatrix::dense() const {
  const auto n = static_cast<Eigen::Index>(12 * diagonal_.size());
  MatX A = MatX::Zero(n, n);
  for (std::size_t i = 0; i < diagonal_.size(); ++i)
    A.block<12, 12>(12 * static_cast<Eigen::Index>(i), 12 * static_cast<Eigen::Index>(i)) = diagonal_[i];
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const auto [i, j] = pairs_[k];
    A.block<12, 12>(12 * i, 12 * j) = upper_[k];
    A.block<12, 12>(12 * j, 12 * i) = lower_[k];
  }
  return A;
}

}  // namespace cairn
