// SPDX-License-Identifier: Apache-2.0
// Anderson's mixing of depth two for sweeps (Anderson 1965; Walker and Ni 2011). With F = D (g - x), the update of a
// sweep from x to g, the next sweep starts from P_K(g - gamma_1 dg_1 - gamma_2 dg_2), where dg, dF are differences
// between the last sweeps and gamma minimises |F - gamma_1 dF_1 - gamma_2 dF_2|.
#pragma once
#include "cairn/math/types.h"

#include <cmath>

namespace cairn {

/// When to mix. Where the update more than doubles, the memory is dropped and the direction of the sweeps turned round,
/// which ends cycles; after many such failures the sweeps go plain for a while. Where mixing gains little over a window
/// of sweeps, plain ones take over for twice as many windows as the last time: in heaps whose contacts go on changing
/// between stick and slip mixing stays where it is, and plain sweeps, at half the cost, go on.
struct MixingState {
  double last = INFINITY;  ///< update of the last sweep
  int sweeps = 0, failures = 0;
  int plain = 0;                                     ///< sweeps to go before mixing
  int memory = -1;                                   ///< differences so far; -1: not even a sweep
  double least = INFINITY, least_before = INFINITY;  ///< update in this window and the last
  double plain_gain = 1;                             ///< of the last window of plain sweeps
  int windows = 0, next_windows = 1;                 ///< of plain sweeps to go; the next time

  bool turned() const { return failures % 2 == 1; }
  /// Takes the update of a sweep; whether to mix now.
  bool due(double change);

 private:
  void end_window();
};

/// The last sweeps of vectors of rows, of which slices (islands) are mixed independently.
class Mixing {
 public:
  void set(int rows);
  /// Takes F and g of the last sweep over the slice, and finds gamma. False: nothing to mix yet.
  bool weights(int start, int size, MixingState& state, const double* F, const double* g, double* gamma);
  /// g - gamma_1 dg_1 - gamma_2 dg_2 at one row.
  double mixed(int row, double g, const double* gamma) const {
    return g - gamma[0] * memory_[dg_0 * rows_ + row] - gamma[1] * memory_[dg_1 * rows_ + row];
  }

 private:
  enum Part { last_F, last_g, dF_0, dF_1, dg_0, dg_1 };
  VecX memory_;  ///< the parts one after the other: small problems feel every allocation
  int rows_ = 0;
};

}  // namespace cairn
