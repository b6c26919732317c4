// SPDX-License-Identifier: Apache-2.0
// Tables in time.
#include "cairn/math/time_table.h"

#include "cairn/base/error.h"

#include <algorithm>
#include <cmath>

namespace cairn {

TimeTable::TimeTable(std::span<const Row> rows, std::string_view owner) {
  if (rows.empty()) throw Error("{}: has no rows; must have at least one [t, x, y, z]", owner);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const double x : rows[i])
      if (!std::isfinite(x)) throw Error("{}: row {} holds {}; must be finite", owner, i + 1, x);
    if (i > 0 && !(rows[i][0] > rows[i - 1][0])) {
      throw Error("{}: row {} is at {} s; must be later than the row before, at {} s", owner, i + 1, rows[i][0],
                  rows[i - 1][0]);
    }
  }
  rows_ = std::make_shared<const std::vector<Row>>(rows.begin(), rows.end());
}

Vec3 TimeTable::operator()(double t) const {
  const auto value = [](const Row& row) { return Vec3(row[1], row[2], row[3]); };
  const std::vector<Row>& rows = *rows_;
  if (!(t > rows.front()[0])) return value(rows.front());
  if (t >= rows.back()[0]) return value(rows.back());
  const auto above = std::upper_bound(rows.begin(), rows.end(), t, [](double x, const Row& row) { return x < row[0]; });
  const Row &a = *(above - 1), &b = *above;
  const double s = (t - a[0]) / (b[0] - a[0]);
  return (1 - s) * value(a) + s * value(b);
}

}  // namespace cairn
