// SPDX-License-Identifier: Apache-2.0
// The problem of one constraint alone: given its block W and the velocity U at the impulse r, the impulse that obeys
// its law while all others stay. Exact for Coulomb's contacts and orthotropic ones (SingleContact), equations and
// bounds; Newton for all other friction.
// Unsymmetric blocks: the symmetric part is solved, the rest stays in U; sweeps then converge to the true solution.
#pragma once
#include "cairn/laws/constraint_law.h"
#include "cairn/solvers/single_contact.h"

namespace cairn {

class LocalSolver {
 public:
  /// W: rows x rows, by columns; null: none. A block without a positive diagonal (a constraint that moves nothing)
  /// keeps its impulse.
  void prepare(const ConstraintLaw& law, int rows, const double* W);
  /// next = the new impulse; `next` may be `r`.
  void solve(const ConstraintLaw& law, int rows, const double* U, const double* r, double* next) {
    if (kind_ == Kind::Cone3) {
      const Vec3 old(r[0], r[1], r[2]);
      const Vec3 x = contact_.solve(Vec3(U[0], U[1], U[2]) - W_ * old, law.mu, lambda_);
      next[0] = x[0], next[1] = x[1], next[2] = x[2];
      return;
    }
    solve_general(law, rows, U, r, next);
  }
  /// A contact in three rows, which the solver was prepared for: `free` is the velocity without its impulse.
  [[gnu::always_inline]] Vec3 solve_contact(double mu, const Vec3& free, const Vec3& r) {
    const Vec3 skew(skew_[0] * r[1] + skew_[1] * r[2], skew_[2] * r[2] - skew_[0] * r[0],
                    -skew_[1] * r[0] - skew_[2] * r[1]);
    return contact_.solve(free + skew, mu, lambda_);
  }

 private:
  enum class Kind : std::uint8_t { Cone3, Cone2, Cone1, Ellipse, Equation, Bounds, Friction, Nothing };
  void solve_general(const ConstraintLaw& law, int rows, const double* U, const double* r, double* next);
  template <int N>
  void solve_friction(const ConstraintLaw& law, const double* U, const double* r, double* next);

  Kind kind_ = Kind::Nothing;
  SingleContact contact_;
  Mat3 W_ = Mat3::Zero();     ///< symmetric part, for contacts
  Vec3 skew_ = Vec3::Zero();  ///< (0,1), (0,2) and (1,2) of the rest, for contacts in three rows
  double lambda_ = 0;         ///< sliding rate of the last solution: where the next iteration starts
  MatX block_;  ///< inverse of equations; W for other friction. Empty for contacts: sweeps read these objects
};

}  // namespace cairn
