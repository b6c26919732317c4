// SPDX-License-Identifier: Apache-2.0
// All that changes in time, as a value: a copy is a snapshot, and stepping a copy gives the same bits.
#pragma once
#include "cairn/constraints/system.h"
#include "cairn/constraints/warm_start.h"

#include <cstdint>

namespace cairn {

struct State {
  Motion motion;
  WarmStart warm;
  std::int64_t step = 0;
  double time() const { return motion.time; }
};

}  // namespace cairn
