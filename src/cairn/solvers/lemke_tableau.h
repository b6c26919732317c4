// SPDX-License-Identifier: Apache-2.0
// Complementary pivoting for t = M y + q, 0 <= y _|_ t >= 0: Lemke's scheme I with lexicographic ratio test (Cottle,
// Pang and Stone 2009, section 4.4 and 4.9), from any complementary basis; and a Fischer-Burmeister Newton iteration.
#pragma once
#include "cairn/math/types.h"

#include <functional>
#include <vector>

namespace cairn {

enum class LemkeOutcome { Solved, Ray, Limit, Broken };

struct LemkeRun {
  LemkeOutcome outcome = LemkeOutcome::Broken;
  int pivots = 0;
  std::vector<char> basis;  ///< 1 where y is basic
  VecX y;                   ///< solution, or where it stopped
};

struct LemkeStart {
  std::vector<char> basis = {};  ///< empty: y = 0
  VecX cover = {};               ///< > 0, of the basic variables; empty: ones
};

/// Follows the path of the artificial variable; `expired` is asked now and then and ends the run (Limit).
/// Entries of M and q should be near 1.
LemkeRun run_lemke(const MatX& M, const VecX& q, const LemkeStart& start, int max_pivots,
                   const std::function<bool()>& expired);

/// y for a complementary basis, refined on the data; false when the basis is singular.
bool solve_basis(const MatX& M, const VecX& q, const std::vector<char>& basis, VecX& y);

/// Damped semismooth Newton on sqrt(y^2 + t^2) - y - t (De Luca, Facchinei and Kanzow 1996), from y.
int fischer_burmeister_newton(const MatX& M, const VecX& q, VecX& y, int max_iterations,
                              const std::function<bool()>& expired);

/// |y - max(0, y - t)|.
double lcp_natural_map(const MatX& M, const VecX& q, const VecX& y);

}  // namespace cairn
