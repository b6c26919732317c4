// SPDX-License-Identifier: Apache-2.0
// Tables in time.
#include "cairn/math/time_table.h"

#include <gtest/gtest.h>

#include <functional>

#include "cairn/base/error.h"

namespace cairn {
namespace {

using Rows = std::vector<TimeTable::Row>;

TEST(TimeTable, runs_straight_between_its_rows_and_keeps_its_ends) {
  const TimeTable table(Rows{{1, 0, 0, 0}, {2, 10, -4, 1}, {4, 10, 0, 3}});
  EXPECT_EQ(table(1), Vec3(0, 0, 0));
  EXPECT_EQ(table(2), Vec3(10, -4, 1));
  EXPECT_LT((table(1.25) - Vec3(2.5, -1, 0.25)).norm(), 1e-15);
  EXPECT_LT((table(3.5) - Vec3(10, -1, 2.5)).norm(), 1e-15);
  EXPECT_EQ(table(0), Vec3(0, 0, 0));
  EXPECT_EQ(table(-1e300), Vec3(0, 0, 0));
  EXPECT_EQ(table(1e300), Vec3(10, 0, 3));
  EXPECT_EQ(table.begin(), 1);
  EXPECT_EQ(table.end(), 4);
}

TEST(TimeTable, of_one_row_is_constant_and_is_a_function) {
  const std::function<Vec3(double)> f = TimeTable(Rows{{1, 5, 6, 7}});
  EXPECT_EQ(f(-3), Vec3(5, 6, 7));
  EXPECT_EQ(f(3), Vec3(5, 6, 7));
}

TEST(TimeTable, wrong_rows_are_named) {
  const auto message = [](const Rows& rows) -> std::string {
    try {
      TimeTable(rows, "wind");
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message({}), "wind: has no rows; must have at least one [t, x, y, z]");
  EXPECT_EQ(message({{0, 0, 0, 0}, {1, 0, std::nan(""), 0}}), "wind: row 2 holds nan; must be finite");
  EXPECT_EQ(message({{0, 0, 0, 0}, {2, 0, 0, 0}, {2, 1, 1, 1}}),
            "wind: row 3 is at 2 s; must be later than the row before, at 2 s");
}

}  // namespace
}  // namespace cairn
