// SPDX-License-Identifier: Apache-2.0
// Wall-clock seconds.
#pragma once
#include <chrono>

namespace cairn {

class Stopwatch {
 public:
  /// Seconds since construction.
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  /// Seconds since the last lap (or since construction).
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_ = start_;
};

}  // namespace cairn
