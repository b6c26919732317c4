// SPDX-License-Identifier: Apache-2.0
// 3 x 3 blocks times vectors, four numbers at a time: what sweeps and products with W spend their time on.
#pragma once
#include "cairn/math/types.h"

namespace cairn {

/// Sum of products of blocks (nine numbers, by columns) with vectors. Columns 0 and 1 are read with one number too many
/// behind them, column 2 with one too many in front, so that nothing outside a block is touched.
class BlockSum {
 public:
  [[gnu::always_inline]] void add(const double* B, const double* x) {
    head_ += *reinterpret_cast<const Loaded*>(B) * x[0];
    tail_ += *reinterpret_cast<const Loaded*>(B + 5) * x[2];
    head_ += *reinterpret_cast<const Loaded*>(B + 3) * x[1];
  }
  [[gnu::always_inline]] Vec3 value() const { return {head_[0] + tail_[1], head_[1] + tail_[2], head_[2] + tail_[3]}; }

 private:
  using Four = double __attribute__((vector_size(32)));
  using Loaded = double __attribute__((vector_size(32), aligned(8), may_alias));
  Four head_{}, tail_{};
};

}  // namespace cairn
