// SPDX-License-Identifier: Apache-2.0
// Tables in time from text files: one row per line, t x y z or t x, separated by commas, semicolons or blanks.
//
// Lines that are empty or begin with # are left out; so is a first line of words (the heading of a CSV file). More
// columns are a mistake, not data to be ignored.
#pragma once
#include "cairn/math/time_table.h"

#include <filesystem>

namespace cairn {

/// A vector, or one number (the first of a row; the others are 0).
enum class TimeColumns { One, Three };

/// Throws Error "FILE:LINE: ..." at the first wrong line.
TimeTable read_time_table(const std::filesystem::path& path, TimeColumns columns = TimeColumns::Three);

}  // namespace cairn
