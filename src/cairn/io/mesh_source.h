// SPDX-License-Identifier: Apache-2.0
// The bytes of a mesh file, read in order as words, lines or binary numbers; every failure says where. Counts are
// compared with the bytes that are left before memory is taken.
#pragma once
#include "cairn/io/words.h"

#include "cairn/base/error.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

namespace cairn {

/// The whole file; throws Error "FILE: ..." when it cannot be read.
std::string read_file_bytes(const std::filesystem::path& path);

class MeshSource {
 public:
  MeshSource(std::string name, std::string_view bytes) : name_(std::move(name)), bytes_(bytes) {}

  const std::string& name() const { return name_; }
  std::string_view bytes() const { return bytes_; }
  std::size_t place() const { return next_; }
  std::size_t left() const { return bytes_.size() - next_; }
  void go_to(std::size_t place) { next_ = place; }
  void skip(std::size_t n, std::string_view what) { take(n, what); }

  /// "FILE:LINE: message" at the word or line last read; "FILE: byte N: message" once binary numbers were read.
  [[noreturn]] void fail(const std::string& message) const;

  // --- text
  bool at_end();                                 ///< only blanks are left
  std::string_view word(std::string_view what);  ///< the next word, on whatever line
  std::string_view peek_word();                  ///< empty at the end
  std::string_view line();                       ///< the rest of the line without its end; empty at the end of the file
  void expect(std::string_view word);            ///< the next word must be this one (in any case of letters)
  double real(std::string_view what);            ///< finite
  std::int64_t integer(std::string_view what, std::int64_t low, std::int64_t high);
  /// A number of things that take at least `bytes_each` bytes of what is left of the file.
  std::size_t count(std::string_view what, std::size_t bytes_each);
  /// The same for a number that was read.
  std::size_t check_count(std::string_view what, double n, std::size_t bytes_each);

  // --- binary
  std::string_view take(std::size_t n, std::string_view what);
  template <class T>
  T binary(bool big_endian, std::string_view what) {
    T value;
    char raw[sizeof(T)];
    std::memcpy(raw, take(sizeof(T), what).data(), sizeof(T));
    if (big_endian != (std::endian::native == std::endian::big))
      for (std::size_t k = 0; k < sizeof(T) / 2; ++k) std::swap(raw[k], raw[sizeof(T) - 1 - k]);
    std::memcpy(&value, raw, sizeof(T));
    return value;
  }

 private:
  std::string name_;
  std::string_view bytes_;
  std::size_t next_ = 0, last_ = 0;  ///< last_: where the word or line last read begins
  bool binary_ = false;
};

}  // namespace cairn
