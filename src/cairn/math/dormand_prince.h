// SPDX-License-Identifier: Apache-2.0
// One step of the Runge-Kutta scheme of order 8 with embedded schemes of order 5 and 3 (Dormand and Prince; Hairer,
// Norsett and Wanner, Solving Ordinary Differential Equations I, 1993, section II.5): the yardstick between events.
#pragma once
#include "cairn/math/types.h"

#include <array>
#include <functional>

namespace cairn {

class DormandPrince {
 public:
  static constexpr int stages = 12;
  using Rate = std::function<void(double t, const VecX& y, VecX& rate)>;

  /// y_end from y by a step h of y' = f(t, y). Returns the error estimate over atol + rtol |y|, root mean square: the
  /// step is good when it is at most 1.
  double step(const Rate& f, double t, const VecX& y, double h, double tolerance, VecX& y_end);
  /// Factor of the next step after an error estimate.
  static double growth(double error);

 private:
  std::array<VecX, stages> k_;
  VecX y_;
};

}  // namespace cairn
