// SPDX-License-Identifier: Apache-2.0
// Rows over some velocities of a body, and the memory they live in.
#include "cairn/bodies/material_point.h"

#include <algorithm>
#include <new>
#include <numeric>

namespace cairn {

VecX SparseRows::times(const Eigen::Ref<const VecX>& u) const {
  VecX result = VecX::Zero(rows);
  for (std::size_t k = 0; k < dof.size(); ++k) result += J().col(static_cast<Eigen::Index>(k)) * u[dof[k]];
  return result;
}

void SparseRows::add_transposed(const Eigen::Ref<const VecX>& x, Eigen::Ref<VecX> f) const {
  for (std::size_t k = 0; k < dof.size(); ++k) f[dof[k]] += J().col(static_cast<Eigen::Index>(k)).dot(x);
}

MatX SparseRows::dense(int nu) const {
  MatX result = MatX::Zero(rows, nu);
  for (std::size_t k = 0; k < dof.size(); ++k) result.col(dof[k]) = J().col(static_cast<Eigen::Index>(k));
  return result;
}

double* RowArena::take(std::size_t numbers) {
  while (block_ < blocks_.size() && used_ + numbers > blocks_[block_].size()) ++block_, used_ = 0;
  if (block_ == blocks_.size()) blocks_.emplace_back(std::max(block_size, numbers));
  double* place = blocks_[block_].data() + used_;
  used_ += numbers;
  return place;
}

std::span<int> RowArena::take_dofs(std::size_t count) {
  static_assert(2 * sizeof(int) <= sizeof(double));
  return {new (take(count / 2 + 1)) int[count + 1], count};  // one more: there is no array of length 0
}

SparseRows RowArena::rows(int count, std::span<const int> dof) {
  const std::span<int> kept = take_dofs(dof.size());
  std::copy(dof.begin(), dof.end(), kept.begin());
  const std::size_t size = static_cast<std::size_t>(count) * dof.size();
  double* values = take(size);
  std::fill(values, values + size, 0.0);
  return {kept, values, count};
}

SparseRows RowArena::rows(int count, int first, int dofs) {
  const std::span<int> kept = take_dofs(static_cast<std::size_t>(dofs));
  std::iota(kept.begin(), kept.end(), first);
  const auto size = static_cast<std::size_t>(count * dofs);
  double* values = take(size);
  std::fill(values, values + size, 0.0);
  return {kept, values, count};
}

}  // namespace cairn
