// SPDX-License-Identifier: Apache-2.0
// Words, lines and numbers of mesh files.
#include "cairn/io/mesh_source.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace cairn {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string read_file_bytes(const std::filesystem::path& path) {
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) throw Error("{}: is a directory; expected a file", path.string());
  if (!std::filesystem::exists(path, problem)) throw Error("{}: there is no such file", path.string());
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("{}: cannot be opened: {}", path.string(), std::strerror(errno));
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (file.bad()) throw Error("{}: cannot be read: {}", path.string(), std::strerror(errno));
  return bytes;
}

void MeshSource::fail(const std::string& message) const {
  if (binary_) throw Error("{}: byte {}: {}", name_, last_, message);
  const auto end = bytes_.begin() + static_cast<std::ptrdiff_t>(std::min(last_, bytes_.size()));
  throw Error("{}:{}: {}", name_, 1 + std::count(bytes_.begin(), end, '\n'), message);
}

bool MeshSource::at_end() {
  while (next_ < bytes_.size() && is_space(bytes_[next_])) ++next_;
  return next_ == bytes_.size();
}

std::string_view MeshSource::peek_word() {
  if (at_end()) return {};
  std::size_t end = next_;
  while (end < bytes_.size() && !is_space(bytes_[end])) ++end;
  return bytes_.substr(next_, end - next_);
}

std::string_view MeshSource::word(std::string_view what) {
  binary_ = false;
  const std::string_view found = peek_word();
  if (found.empty()) {
    // The end of the file is the line of its last word.
    last_ = bytes_.find_last_not_of(" \t\r\n\v\f");
    if (last_ == std::string_view::npos) last_ = 0;
    fail(fmt::format("the file ends here; expected {}", what));
  }
  last_ = next_;
  next_ += found.size();
  return found;
}

std::string_view MeshSource::line() {
  binary_ = false;
  last_ = std::min(next_, bytes_.size());
  const std::size_t end = std::min(bytes_.find('\n', next_), bytes_.size());
  std::string_view text = bytes_.substr(next_, end - next_);
  next_ = std::min(end + 1, bytes_.size());
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

void MeshSource::expect(std::string_view expected) {
  const std::string_view found = word(fmt::format("'{}'", expected));
  const bool same = found.size() == expected.size() && std::equal(found.begin(), found.end(), expected.begin(),
                                                                  [](char a, char b) { return lower(a) == lower(b); });
  if (!same) fail(fmt::format("expected '{}'; found '{}'", expected, shown_word(found)));
}

double MeshSource::real(std::string_view what) {
  const std::string_view text = word(what);
  double value = 0;
  if (!parse_number(text, value)) fail(fmt::format("expected {}, a number; found '{}'", what, shown_word(text)));
  if (!std::isfinite(value)) fail(fmt::format("{} is {}; must be finite", what, shown_word(text)));
  return value;
}

std::int64_t MeshSource::integer(std::string_view what, std::int64_t low, std::int64_t high) {
  const std::string_view text = word(what);
  std::int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size())
    fail(fmt::format("expected {}, a whole number; found '{}'", what, shown_word(text)));
  if (value < low || value > high) fail(fmt::format("{} is {}; must be in [{}, {}]", what, value, low, high));
  return value;
}

std::size_t MeshSource::count(std::string_view what, std::size_t bytes_each) {
  const std::int64_t n = integer(what, 0, INT64_MAX);
  return check_count(what, static_cast<double>(n), bytes_each);
}

std::size_t MeshSource::check_count(std::string_view what, double n, std::size_t bytes_each) {
  // One byte of grace: the last number of a text needs no blank after it.
  if (!(n >= 0) || n * static_cast<double>(bytes_each) > static_cast<double>(left()) + 1)
    fail(fmt::format("{} is {}, which needs at least {} bytes; {} are left in the file", what, n,
                     n * static_cast<double>(bytes_each), left()));
  if (n > 2e9) fail(fmt::format("{} is {}; must be at most 2e9", what, n));
  return static_cast<std::size_t>(n);
}

std::string_view MeshSource::take(std::size_t n, std::string_view what) {
  binary_ = true;
  last_ = next_;
  if (n > left()) fail(fmt::format("the file is cut off; expected {}", what));
  next_ += n;
  return bytes_.substr(last_, n);
}

}  // namespace cairn
