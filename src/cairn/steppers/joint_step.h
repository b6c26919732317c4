// SPDX-License-Identifier: Apache-2.0
// The joints of one midpoint step as blocks of rows, and what came of them.
//
// Equality rows, g the error at mid-step (Studer 2009, 5.1 item 7b; Koziara, spec 3.7):
//   stabilised  g/h + U_E = 0      the next mid-step is without error: no drift
//   mean        U_B + U_E = 0      does no work
//   end         U_E = 0
// A joint with stiffness k and damping c pulls back with r = -h (k (g + h U_E) + c U_E), which is
//   U_E + g k/(k h + c) + r/(h (k h + c)) = 0.
// Unilateral rows (limits, ropes) hold  0 <= g/h + U_E _|_ r >= 0  when they may close within the step; with
// restitution they wait until they are closed and then hold Newton's law, as contacts do.
#pragma once
#include "cairn/constraints/system.h"
#include "cairn/constraints/warm_start.h"
#include "cairn/problem/local_problem.h"
#include "cairn/steppers/stepper.h"

namespace cairn {

/// Joint rows: g_M/h + U_E = 0 (no drift), U_B + U_E = 0 (no work), U_E = 0.
enum class JointRule { Stabilised, Mean, End };

class JointStep {
 public:
  /// Whether all joints are plain ball joints and none has a law on its coordinates: then three rows at two points do.
  static bool only_balls(const System& system);

  /// Blocks of all joints and laws at mid-step. `predict`: whether unilateral rows are taken before they close.
  void form(JointRule rule, bool predict, const System& system, const Motion& motion, const VecX& q_mid,
            const VecX& u_begin, const FreeMotion& free, double h, const WarmStart& warm);
  std::span<const RowBlock> blocks() const { return blocks_; }

  /// Impulses of the last step to start from.
  void start(const LocalProblem& problem, const WarmStart& warm, VecX& r) const;
  /// Takes the solution: reactions, work, what to keep.
  void finish(const System& system, const VecX& q_mid, const VecX& u_begin, const LocalProblem& problem, const VecX& r,
              const VecX& U, Work& work, WarmStart& warm);
  /// Joints that carried more than they can.
  void break_joints(const System& system, double h, std::vector<std::uint8_t>& broken) const;

  std::span<const JointImpulse> impulses() const { return impulses_; }
  std::span<const double> coordinate_impulses() const { return coordinate_impulses_; }

 private:
  void form_joint(JointRule rule, bool predict, const Joint& joint, std::size_t index, double h, const WarmStart& warm);
  void form_law(JointRule rule, bool predict, const System& system, std::size_t index, double time, double h,
                const WarmStart& warm);
  RowBlock& add_block(RowWork work, std::size_t source, int kept);

  std::vector<RowBlock> blocks_;
  std::vector<PlacedJoint> placed_;
  VecX s_mid_;
  const Bodies* bodies_ = nullptr;  ///< of the step being formed
  const VecX *q_mid_ = nullptr, *u_begin_ = nullptr;
  const FreeMotion* free_ = nullptr;
  std::vector<JointImpulse> impulses_;
  std::vector<double> coordinate_impulses_;
};

/// Largest errors of the joints that have not broken: of points [m] and of directions [rad].
struct JointErrors {
  double drift = 0, tilt = 0;
};
JointErrors measure_joints(const System& system, const Motion& motion);

}  // namespace cairn
