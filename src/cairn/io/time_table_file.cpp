// SPDX-License-Identifier: Apache-2.0
// Reading tables in time.
#include "cairn/io/time_table_file.h"

#include "cairn/io/mesh_source.h"

#include <cmath>
#include <utility>

namespace cairn {
namespace {

std::vector<std::string_view> split(std::string_view line) {
  constexpr std::string_view separators = " \t\r,;";
  std::vector<std::string_view> words;
  for (std::size_t i = line.find_first_not_of(separators); i < line.size();) {
    const std::size_t end = std::min(line.find_first_of(separators, i), line.size());
    words.push_back(line.substr(i, end - i));
    i = line.find_first_not_of(separators, end);
  }
  return words;
}

}  // namespace

TimeTable read_time_table(const std::filesystem::path& path, TimeColumns columns) {
  const std::size_t width = columns == TimeColumns::One ? 2 : 4;
  const std::string_view wanted = width == 2 ? "two: t, x" : "four: t, x, y, z";
  const std::string name = path.string(), bytes = read_file_bytes(path);
  std::vector<TimeTable::Row> rows;
  int number = 0;
  bool heading = true;  // a first line of words is still allowed
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::vector<std::string_view> words = split(std::string_view(bytes).substr(begin, end - begin));
    begin = end + 1;
    ++number;
    if (words.empty() || words[0].starts_with('#')) continue;
    double value = 0;
    if (std::exchange(heading, false) && !parse_number(words[0], value)) continue;
    if (words.size() != width)
      throw Error("{}:{}: the line has {} numbers; expected {}", name, number, words.size(), wanted);
    TimeTable::Row row{};
    for (std::size_t i = 0; i < width; ++i) {
      if (!parse_number(words[i], row[i]) || !std::isfinite(row[i]))
        throw Error("{}:{}: '{}' is not a finite number", name, number, shown_word(words[i]));
    }
    if (!rows.empty() && !(row[0] > rows.back()[0])) {
      throw Error("{}:{}: the time {} s is not later than {} s of the row before; expected rising times", name, number,
                  row[0], rows.back()[0]);
    }
    rows.push_back(row);
  }
  if (rows.empty()) throw Error("{}: holds no rows; expected lines {}", name, wanted.substr(wanted.find(' ') + 1));
  return TimeTable(rows, name);
}

}  // namespace cairn
