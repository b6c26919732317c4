// SPDX-License-Identifier: Apache-2.0
// Little-endian bytes of the viewer's binary answers (docs/viewer-protocol.md).
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "cairn/math/types.h"

namespace cairn {

static_assert(std::endian::native == std::endian::little, "the viewer's answers are copied as they lie in memory");

/// Collects numbers one after the other.
class Bytes {
 public:
  void reserve(std::size_t size) { text_.reserve(size); }
  std::size_t size() const { return text_.size(); }
  template <class T>
  requires std::is_arithmetic_v<T>
  void add(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    text_.append(raw, sizeof(T));
  }
  void add_u32(std::size_t value) { add(static_cast<std::uint32_t>(value)); }
  void add_float(double value) { add(static_cast<float>(value)); }
  void add_floats(const Vec3& v) {
    for (const double x : v) add_float(x);
  }
  /// Zeros up to a multiple of n.
  void pad(std::size_t n) { text_.append((n - text_.size() % n) % n, '\0'); }
  /// Overwrites a number written before.
  void put_u32(std::size_t at, std::size_t value) {
    const auto raw = static_cast<std::uint32_t>(value);
    std::memcpy(text_.data() + at, &raw, sizeof raw);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace cairn
