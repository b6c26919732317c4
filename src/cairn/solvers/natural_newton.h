// SPDX-License-Identifier: Apache-2.0
// Semismooth Newton on the natural map, F(r) = r - P_K(r - U~), U~ = U + s(U) e_N, U = W r + b, in scaled variables and
// in the smaller of two spaces (prox_space.h).
//
// With D = dP_K and S = dU~/dU a step obeys (1 - D) dr + D S (dU + eps dr) = -F, where eps, which fades with |F|, is a
// proximal term: it does not move the solution and keeps the system regular where W has no full rank. With
// C = 1 - D + eps D S that is dr = -C^-1 F - B dU, B = C^-1 D S, so that
//   velocity space  (1 + A' B A) dz = -A' C^-1 F,      contact space  (1 + B W) dr = -C^-1 F.
// A non-monotone line search on |F|^2 (Grippo, Lampariello and Lucidi 1986) makes it robust.
#pragma once
#include "cairn/solvers/prox_space.h"
#include "cairn/solvers/solver.h"

#include <deque>

namespace cairn {

class NaturalNewton {
 public:
  struct Settings : SolverLimits {
    double proximal = 1e-2;  ///< eps per relative |F|, at the start
    int memory = 10;         ///< past merits that a step may rise to
    double overshoot = 1;    ///< share of the tolerance it aims at, for two more iterations, once that is met
    int patience = 12;       ///< iterations without a tenth of progress after which it stops
    Settings() { max_iterations = 100; }
  };
  explicit NaturalNewton(const Settings& settings) : settings_(settings) {}
  void set_max_iterations(int iterations) { settings_.max_iterations = iterations; }
  void set_overshoot(double share) { settings_.overshoot = share; }
  void set_proximal(double proximal) { settings_.proximal = proximal; }
  /// On a space that is set and planned; r in scaled variables, the best iterate out. Fills status, iterations (added
  /// to those there) and the scaled residual.
  template <class Space>
  void iterate(Space& space, VecX& r, SolveReport& report, const Budget& budget);

 private:
  /// F at (r, U); returns |F|^2 / 2.
  double merit(const ScaledLaws& laws, const VecX& r, const VecX& U);
  /// B and c = C^-1 F of all constraints at (r, U). False where a block is singular.
  bool linearise(const ScaledLaws& laws, const VecX& r, const VecX& U, double eps);

  Settings settings_;
  LawBlocks B_;
  VecX F_, c_, dr_, r_, U_, trial_, trial_U_, candidate_, candidate_U_, best_;
  std::deque<double> merits_;
};

}  // namespace cairn
