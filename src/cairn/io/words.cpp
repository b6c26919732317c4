// SPDX-License-Identifier: Apache-2.0
// Words of text files: see the header.
#include "cairn/io/words.h"

#include <charconv>
#include <cstdlib>

namespace cairn {

std::string shown_word(std::string_view word) {
  std::string text(word.substr(0, 30));
  for (char& c : text)
    if (c < 32 || c > 126) c = '?';
  return text + (word.size() > 30 ? "..." : "");
}

bool parse_number(std::string_view word, double& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const char* end = word.data() + word.size();
  const auto result = std::from_chars(word.data(), end, value);
  if (word.empty() || result.ptr != end) return false;
  // Too small for a double: 0 or a denormal. Too large: infinite.
  if (result.ec == std::errc::result_out_of_range) value = std::strtod(std::string(word).c_str(), nullptr);
  return result.ec != std::errc::invalid_argument;
}

}  // namespace cairn
