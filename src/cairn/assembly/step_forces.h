// SPDX-License-Identifier: Apache-2.0
// The forces of one midpoint step: of second order, and stable where they are stiff.
//
//   explicit   h f(q_M, (u_B + u_E)/2): with u_B first, then once more with the u_E that came of it
//   implicit   h f(q_M, u_B) - (h/2 D + h^2/4 K)(u_E - u_B): linear forces by the implicit midpoint rule, at any step;
//              with another theta, (theta h D + theta^2 h^2 K) and h^2 K (1 - 2 theta) u_B besides;
//              one-sided ones h f(q_M + h u_E, u_E), linearised: h f(q_M, u_B) - h^2 K u_B - (h D + h^2 K)(u_E - u_B),
//              the force at the next mid-step; of first order, but a stiff buffer met within a step never throws back
//              faster
//   auto       implicit for each force whose explicit step would be too long (constraints/force_stability.h)
// (Studer 2009, eq. 5.30 with alpha = beta = 1/2; the first pass is Moreau's own rule, of order 1 in dampers.) Explicit
// forces that depend on the velocity cost a second solve. What D has beyond a positive symmetric part is taken like
// them, in the second pass.
#pragma once
#include "cairn/assembly/coupled_mass.h"
#include "cairn/constraints/system.h"

namespace cairn {

enum class ForceRule { Explicit, Implicit, Auto };

/// Where and when the forces of a step are evaluated.
struct StepPlace {
  const VecX& q;
  double time;   ///< [s]
  double theta;  ///< share of the step moved with u_E
};

class StepForces {
 public:
  /// Forces of the step from `motion`, as far as u_B tells.
  void begin(ForceRule rule, const System& system, const Motion& motion, const StepPlace& place, const VecX& u_begin,
             double h);
  /// Whether u_E changes what begin() gave; then renew() and a second solve.
  bool needs_renewal() const { return !later_.empty() || !rest_.empty(); }
  void renew(const System& system, const Motion& motion, const StepPlace& place, const VecX& u_begin, const VecX& u_end,
             double h);

  /// Generalised forces of all elements.
  const VecX& force() const { return force_; }
  /// Puts implicit forces into M^ and the free velocity. Again after every new free motion.
  void couple(const Bodies& bodies, const VecX& u_begin, FreeMotion& free);
  const CoupledMass& mass() const { return mass_; }

  /// With the solved velocity: the moments of implicit forces for the end of the rotations.
  void finish(const Bodies& bodies, const VecX& u_begin, const VecX& u_solved, double h, FreeMotion& free);
  /// Work of what does not derive from an energy.
  double work(const VecX& u_begin, const VecX& u_end, double h) const {
    return 0.5 * h * (other_.dot(u_begin) + other_.dot(u_end));
  }
  /// What forces remember after the step.
  void update_memory(const System& system, const VecX& q_mid, const VecX& u_begin, const VecX& q_end, const VecX& u_end,
                     double h, Motion& motion) const;

 private:
  /// Adds factor u, factor in the rows of the tangent's bodies, to the conservative forces.
  void add_moved(const Bodies& bodies, const ForceTangent& tangent, const MatX& factor, const VecX& u);
  void add(const ForceElement& force, const ForceView& at) { force.add_forces(at, conservative_, other_); }

  VecX conservative_, other_, force_;
  VecX first_conservative_, first_other_;  ///< of forces that a second pass does not change
  VecX mean_;
  CoupledMass mass_;
  CoupledMass damping_;             ///< h/2 D of mass_, for the accounts; never factored
  std::vector<std::size_t> later_;  ///< forces to be taken with the mean velocity
  CoupledMass rest_;                ///< h/2 D of implicit forces that is not in mass_
};

}  // namespace cairn
