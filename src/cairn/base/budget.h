// SPDX-License-Identifier: Apache-2.0
// How many seconds a piece of work may take.
#pragma once
#include "cairn/base/stopwatch.h"

namespace cairn {

/// Time from here on; 0: no limit.
struct Budget {
  double max_seconds = 0;
  Stopwatch clock = {};
  double seconds() const { return clock.seconds(); }
  bool over() const { return max_seconds > 0 && clock.seconds() > max_seconds; }
};

}  // namespace cairn
