// SPDX-License-Identifier: Apache-2.0
// Numbers at the start of a cache line. Vectorised sums take their first elements one by one up to such a boundary, so
// only storage whose address is a multiple of it gives the same bits on every run.
#pragma once
#include <Eigen/Core>
#include <vector>

namespace cairn {

using AlignedVector = std::vector<double, Eigen::aligned_allocator<double>>;

}  // namespace cairn
