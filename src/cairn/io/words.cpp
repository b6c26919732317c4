// SPDX-License-Identifier: Apache-2.0
// Words of text files: see the header.
#include "cairn/io/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
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

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string with_prefix(double value, std::string_view unit) {
  if (value == 0 || !std::isfinite(value)) return fmt::format("{:g} {}", value, unit);
  static constexpr std::string_view prefixes[] = {"f", "p", "n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
  // Rounded to three digits first, so that 999.9 becomes 1 k and not 1000.
  const double rounded = std::stod(fmt::format("{:.2e}", value));
  const int third = static_cast<int>(std::floor(std::log10(std::abs(rounded)) / 3 + 1e-9));
  if (third < -5 || third > 6) return fmt::format("{:.3g} {}", value, unit);
  const double scaled = rounded / std::pow(10.0, 3 * third);
  return fmt::format("{:.3g} {}{}", scaled, prefixes[third + 5], unit);
}

std::string base64(std::string_view bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out.push_back(k <= n ? digits[bits >> (18 - 6 * k) & 63] : '=');
  }
  return out;
}

}  // namespace cairn
