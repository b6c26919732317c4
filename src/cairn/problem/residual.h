// SPDX-License-Identifier: Apache-2.0
// How well (U, r) obeys the laws: the natural map of Signorini-Coulomb, recomputed from scratch.
//
// F_c = r_c - P_K(r_c - U~_c).  relative: |F| / max(|b|, |r|, |U|), the measure of Siconos.
// scaled: F_c with D_c r_c in place of r_c, D_c = trace(W_cc)/rows, divided by |b|: free of units, what Cairn reports
// as "the residual" and compares with tolerances.  cone: largest max(0, |r_T| - mu r_N) over the largest impulse; for
// other sets of friction the distance of r_T from it.
#pragma once
#include "cairn/problem/local_problem.h"

namespace cairn {

struct Residual {
  double scaled = 0;
  double relative = 0;
  double cone = 0;
};

/// What residuals are made of, collected constraint by constraint.
struct ResidualSums {
  double scaled = 0, plain = 0, b = 0, r = 0, U = 0, cone = 0, largest = 0;

  /// D: the constraint's scale.
  void add(const ConstraintLaw& law, int rows, const double* U, const double* r, const double* b, double D);
  /// The same for three rows.
  void add(LawKind law, double mu, const Vec3& velocity, const Vec3& impulse, const Vec3& right, double D);
  Residual value() const;
};

Residual compute_residual(const LocalProblem& problem, const VecX& r);
/// The same without allocation: `scales` are the problem's, U (of its size) gets W r + b.
Residual compute_residual(const LocalProblem& problem, const VecX& scales, const VecX& r, VecX& U);

/// Also leaves z = H~' r and U = H~ z + b.
Residual compute_residual(const PairProblem& problem, const VecX& r, std::vector<PairVelocity>& z, VecX& U);
void add_residual(const PairProblem& problem, const VecX& r, std::vector<PairVelocity>& z, VecX& U, ResidualSums& sums);

/// z = H~' r of pairs.
void compute_pair_velocities(const PairProblem& problem, const VecX& r, std::vector<PairVelocity>& z);

}  // namespace cairn
