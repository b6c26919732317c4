// SPDX-License-Identifier: Apache-2.0
// The joints of one midpoint step as blocks of rows, and what came of them.
//
// Equality rows, with H and U of mid-step (M), begin (B) and end (E) of the step:
//   curved      (H_M - H_B) u_B + g_B/h + U_E = 0
//   stabilised  g_M/h + U_E = 0    (Studer 2009, 5.1 item 7b)
//   mean        U_B + U_E = 0      does no work (Koziara, spec 3.7)
//   end         U_E + reflection U_B = 0   (Studer 2009, 5.1 item 2: index 2)
//   acceleration  U_E - U_B + h dH/dt u_B = 0   (item 1: index 1; drifts in position and velocity)
//   position    g(q_E) = 0 by iteration   (items 3 and 6: index 3)
//   baumgarte   dg/dt at the end = dg/dt - h (2 a dg/dt + a^2 g) at the begin (Baumgarte 1972; item 4)
//   ggl         end, then q_E is moved along M^-1 H_M' until g(q_E) = 0 (Gear, Gupta & Leimkuhler; item 5)
//   compliant   r/h = -(g(q_E) + d dg/dt)/c: U_E + g_B/(h + d) + c/(h (h + d)) r = 0   (Hewlett 2020, chapter 2; stops
//   too) projected   curved, then q_E and u_E go to the nearest ones with g(q_E) = 0 and dg/dt = 0 (joint_projection.h)
// Curved is mean for velocities that fit the joints, H_B u_B = 0; what does not fit is dropped and not sent back with
// the opposite sign, and half of the error g_B is taken back in every step. Its error is that of one step, of order
// h^3, where stabilised leaves (omega h)^2/8 of the arm at the end of every step. A joint with stiffness k and damping
// c pulls back with r = -h (k (g + h U_E) + c U_E), which is
//   U_E + g k/(k h + c) + r/(h (k h + c)) = 0.
// Unilateral rows (limits, ropes) hold  0 <= g/h + U_E _|_ r >= 0  when they may close within the step; with
// restitution they wait until they are closed and then hold Newton's law, as contacts do. Contacts of the user's own
// are such rows with friction.
#pragma once
#include "cairn/assembly/step_report.h"
#include "cairn/constraints/row_block.h"
#include "cairn/constraints/system.h"
#include "cairn/constraints/warm_start.h"
#include "cairn/problem/local_problem.h"

namespace cairn {

/// How joints are held in a step: see above.
enum class JointRule { Curved, Stabilised, Mean, End, Baumgarte, Ggl, Projected, Acceleration, Position, Compliant };

struct JointHold {
  JointRule rule = JointRule::Curved;
  double baumgarte = 100;                        ///< a [1/s]
  double reflection = 0;                         ///< of the rules end and ggl
  double compliance = 0;                         ///< c of the rule compliant [m/N, rad/(N m)]
  double damping = 0;                            ///< d of the rule compliant [s]
  double stop_compliance = 0, stop_damping = 0;  ///< the same of limits, ropes and contacts of the user's own

  /// Whether the rows where the step begins matter.
  bool looks_back() const {
    return rule == JointRule::Curved || rule == JointRule::Projected || rule == JointRule::Baumgarte;
  }
  /// Whether the shift is made from the place of evaluation alone (plain_shift in joint_step.cpp).
  bool is_plain() const {
    return rule == JointRule::End || rule == JointRule::Ggl || rule == JointRule::Acceleration ||
           rule == JointRule::Position;
  }
};

/// A midpoint step as its joints see it.
struct JointContext {
  JointHold hold;
  bool predict;  ///< whether unilateral rows are taken before they close
  const System& system;
  const Motion& motion;  ///< where the step begins
  const VecX &q_mid, &u_begin;
  const FreeMotion& free;
  double h;
  const WarmStart& warm;
  double place = 0.5;        ///< where q_mid is, as share of the step
  double theta = 0.5;        ///< share of the step moved with u_E
  bool hold_closed = false;  ///< without `predict`: rows that carried an impulse stay, and do not bounce
  double gap_tolerance = 0;  ///< without `predict`: gaps up to this are closed [m, rad]
};

class JointStep {
 public:
  /// `source` of blocks that are neither joints nor laws on their coordinates: joints of the user's own; from
  /// own_contact_source on, contacts of the user's own.
  static constexpr std::size_t no_source = 1u << 30, own_contact_source = no_source + 1;

  /// Whether all joints are plain ball joints and none has a law on its coordinates: then three rows at two points do.
  static bool only_balls(const System& system);

  /// Blocks of all joints and laws at mid-step.
  void form(const JointContext& step);
  std::span<const RowBlock> blocks() const { return blocks_; }

  /// Impulses of the last step to start from.
  void start(const LocalProblem& problem, const WarmStart& warm, VecX& r) const;
  /// Takes the solution: reactions, work, what to keep.
  void finish(const System& system, const VecX& q_mid, const VecX& u_begin, const LocalProblem& problem, const VecX& r,
              const VecX& U, Work& work, WarmStart& warm);
  /// Rule Position: aims every row at g(q_E) = 0, given the velocities U of the problem that led to q_E; changes shifts
  /// and b. Returns the largest |g(q_E)| of rows that hold [m, rad].
  double aim(const JointContext& step, const VecX& q_end, const VecX& r, const VecX& U, LocalProblem& problem);
  /// Whether a block is equations on positions: a joint, a coupling, a servo without a limit, a joint of the user's
  /// own.
  bool is_position(const System& system, std::size_t block) const;
  /// Error of such equations at another place and time; `s`: coordinates of joints there.
  RowVector position_error(const System& system, std::size_t block, const VecX& q, const VecX& s, double time) const;
  /// Their rows of H there.
  void position_rows(const System& system, std::size_t block, const VecX& q, double time, RowBlock& rows) const;

  std::span<const JointImpulse> impulses() const { return impulses_; }
  std::span<const double> coordinate_impulses() const { return coordinate_impulses_; }
  double penetration() const { return penetration_; }  ///< deepest overlap of the user's own contacts at mid-step

 private:
  void form_joint(const JointContext& step, std::size_t index);
  void form_law(const JointContext& step, std::size_t index);
  void form_own(const JointContext& step, const OwnJoint& joint, int kept);
  void form_contact(const JointContext& step, std::size_t index, int kept);
  RowBlock& add_block(RowWork work, std::size_t source, int kept);

  std::vector<RowBlock> blocks_;
  std::vector<PlacedJoint> placed_, placed_begin_;  ///< at mid-step, and where the step begins
  VecX s_mid_;
  std::vector<JointImpulse> impulses_;
  std::vector<double> coordinate_impulses_;
  double penetration_ = 0;
  std::size_t first_own_ = 0;  ///< block of the first joint of the user's own
};

/// What rows ask of U_E under a rule, U_E + shift = 0: U_begin = H_M u_B, rate_begin = H_B u_B, the errors g_B and g_M,
/// and the rate of the error by time alone where the step begins (targets that move).
template <class Vector>
Vector joint_shift(const JointHold& hold, const Vector& U_begin, const Vector& rate_begin, const Vector& target_rate,
                   const Vector& g_begin, const Vector& g_mid, double h) {
  switch (hold.rule) {
    case JointRule::Curved:
    case JointRule::Projected: return U_begin - rate_begin + g_begin / h;
    case JointRule::Stabilised: return g_mid / h;
    case JointRule::Mean: return U_begin;
    case JointRule::Baumgarte: {
      const double a = hold.baumgarte;
      return U_begin - rate_begin - (1 - 2 * a * h) * (rate_begin + target_rate) + a * a * h * g_begin;
    }
    case JointRule::End:
    case JointRule::Ggl: return hold.reflection * U_begin;
    case JointRule::Acceleration:
    case JointRule::Position:
    case JointRule::Compliant: break;  // not of these numbers alone
  }
  return Vector::Zero();
}

/// Errors of points [m] and of directions [rad] of a joint, or the largest of all; 0 of those that yield or have
/// broken.
struct JointErrors {
  double drift = 0, tilt = 0;
};
JointErrors measure_joint(const System& system, const Motion& motion, std::size_t joint);
/// Of joints, couplings (by what their first coordinate is) and joints of the user's own (as points).
JointErrors measure_joints(const System& system, const Motion& motion);
void note_joint_errors(const System& system, const Motion& motion, StepReport& report);
/// The motion becomes that of the end of the step, the joints' coordinates and errors follow. Leaves the begin's q and
/// u in q_end and u_end.
void end_motion(const System& system, double h, VecX& q_end, VecX& u_end, Motion& motion, StepReport& report);

}  // namespace cairn
