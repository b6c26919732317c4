// SPDX-License-Identifier: Apache-2.0
// What several benchmark scenes are made of: common settings, the bin, and the random numbers of the peers harness.
#pragma once
#include "cairn/sim/model.h"

#include <random>

namespace cairn {

inline constexpr double gravity = 9.81;  ///< [m/s^2]

/// A model with the common step. The tolerance is that of the scaled residual; `iterations` bounds the solver.
Model make_bench_model(const std::string& title, double duration, double friction, const char* tolerance,
                       const char* iterations = "2000");

/// A square bin of five fixed boxes, open above.
void add_bin(Model& model, double half, double height);

/// Uniform numbers in [lo, hi). The harness draws three as arguments of one call, which GCC evaluates from the last to
/// the first.
class Draw {
 public:
  double one(double lo, double hi) { return lo + (hi - lo) * (generator_() / 4294967296.0); }
  Vec3 three(const Vec3& lo, const Vec3& hi) {
    const double z = one(lo.z(), hi.z()), y = one(lo.y(), hi.y()), x = one(lo.x(), hi.x());
    return {x, y, z};
  }
  Vec3 three(double size) { return three(Vec3::Constant(-size), Vec3::Constant(size)); }

 private:
  std::mt19937 generator_{12345};
};

}  // namespace cairn
