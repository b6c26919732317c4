// SPDX-License-Identifier: Apache-2.0
// Four doubles at once, as vectors of the compiler.
#pragma once
#include <cmath>
#include <limits>

#include "cairn/math/types.h"

namespace cairn {

using Four = double __attribute__((vector_size(32)));
using FourFlags = long long __attribute__((vector_size(32)));  ///< -1 true, 0 false

inline Four make_four(double x) { return Four{x, x, x, x}; }
inline Four make_four(const Vec3& x) { return Four{x[0], x[1], x[2], 0}; }
inline Four absolute(Four x) {  // without the bit of the sign
  return reinterpret_cast<Four>(reinterpret_cast<FourFlags>(x) & std::numeric_limits<long long>::max());
}
inline Four least(Four x, Four y) { return x < y ? x : y; }
inline Four largest(Four x, Four y) { return x > y ? x : y; }
inline Four square_root(Four x) {
#ifdef __AVX__
  return __builtin_ia32_sqrtpd256(x);
#else
  return Four{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
#endif
}
/// Bit k is set where flag k is.
inline int to_bits(FourFlags f) {
#ifdef __AVX__
  return __builtin_ia32_movmskpd256(reinterpret_cast<Four>(f));
#else
  return static_cast<int>((f[0] & 1) | (f[1] & 2) | (f[2] & 4) | (f[3] & 8));
#endif
}

/// A matrix by its columns, to be applied to vectors given by their coordinates.
struct FourMatrix {
  Four columns[3];
  explicit FourMatrix(const Mat3& A)
      : columns{make_four(Vec3(A.col(0))), make_four(Vec3(A.col(1))), make_four(Vec3(A.col(2)))} {}
  Four apply(double x, double y, double z) const { return columns[0] * x + columns[1] * y + columns[2] * z; }
};

}  // namespace cairn
