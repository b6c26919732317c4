// SPDX-License-Identifier: Apache-2.0
// The user's mistake as an exception: names the object, the value found and what would be right.
#pragma once
#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace cairn {

/// Thrown for wrong input. Numerical events are statuses in reports (never exceptions); bugs of our own are asserts.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}

  template <class... Args>
  explicit Error(fmt::format_string<Args...> format, Args&&... args) requires(sizeof...(Args) > 0)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)) {}
};

}  // namespace cairn
