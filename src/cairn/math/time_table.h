// SPDX-License-Identifier: Apache-2.0
// A vector that is given at some times and runs straight between them: measured loads and motions.
//
// Before the first time and after the last it keeps its value there. It is a function of time like any other:
// std::function<Vec3(double)> f = TimeTable(rows).
#pragma once
#include "cairn/math/types.h"

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace cairn {

class TimeTable {
 public:
  using Row = std::array<double, 4>;  ///< time [s] and three values

  /// Times rising. Throws Error naming `owner` and the first wrong row.
  explicit TimeTable(std::span<const Row> rows, std::string_view owner = "table");
  Vec3 operator()(double t) const;
  double begin() const { return rows_->front()[0]; }
  double end() const { return rows_->back()[0]; }

 private:
  std::shared_ptr<const std::vector<Row>> rows_;  ///< shared: copies of a model do not copy it
};

}  // namespace cairn
