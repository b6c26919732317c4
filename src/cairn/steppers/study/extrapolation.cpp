// SPDX-License-Identifier: Apache-2.0
// Tableau of Aitken and Neville.
#include "cairn/steppers/study/extrapolation.h"

namespace cairn {

void Extrapolation::add(const VecX& result) {
  const int i = rows();
  std::vector<VecX> row{result};
  for (int j = 0; j < i; ++j) {
    const double ratio = static_cast<double>(substeps(i)) / substeps(i - j - 1);
    const auto at = static_cast<std::size_t>(j);
    row.push_back(row[at] + (row[at] - rows_.back()[at]) / (ratio - 1));
  }
  rows_.push_back(std::move(row));
}

}  // namespace cairn
