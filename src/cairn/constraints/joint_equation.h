// SPDX-License-Identifier: Apache-2.0
// Everything that holds or limits the coordinates of a system, as one list: joints, laws on their coordinates, joints
// and contacts of the user's own. What a scheme does depends on the sense of an equation, not on where it comes from.
//
//   Equal      g(q, t) = 0          joints, couplings, servos, own joints
//   AtLeast    g(q, t) >= 0         ropes and struts, the two stops of a limit, one-sided couplings, own contacts
//   Motor      dg/dt = target(t)    within a force
//   Friction   dg/dt = 0            within a force, which may depend on time, coordinate and speed
//   Clutch     dg/dt >= 0           within a force
#pragma once
#include "cairn/constraints/system.h"

namespace cairn {

enum class EquationSense : std::uint8_t { Equal, AtLeast, Motor, Friction, Clutch };

struct JointEquation {
  RowOwner owner;
  EquationSense sense = EquationSense::Equal;
  RowWork work = RowWork::Joint;
  double sign = 1;                                             ///< of a coordinate in g
  double restitution = 0;                                      ///< AtLeast
  double force = std::numeric_limits<double>::infinity();      ///< limit of Equal, Motor, Clutch [N, N m]
  double stiffness = std::numeric_limits<double>::infinity();  ///< Equal: of a compliant joint, with its damping
  double damping = 0;

  bool is_compliant() const { return stiffness < std::numeric_limits<double>::infinity(); }
  /// Whether it is equations on positions that no force breaks.
  bool is_position() const { return sense == EquationSense::Equal && force == std::numeric_limits<double>::infinity(); }
};

/// All equations of a system, in the order of their owners.
void list_equations(const System& system, std::vector<JointEquation>& equations);
/// Whether its joint, or one of the joints it is about, has broken.
bool has_ended(const JointEquation& equation, const System& system, const Motion& motion);

/// A configuration with its joints placed: where equations are asked. It keeps no copy of q.
struct JointPlaces {
  const System* system = nullptr;
  const VecX* q = nullptr;
  double time = 0;
  VecX s;  ///< coordinates of the joints
  std::vector<PlacedJoint> placed;

  /// Angles are those nearest to the ones in s_near.
  void set(const System& at_system, const VecX& at_q, const VecX& s_near, double at_time);
};

/// g; the gap of a contact alone.
RowVector equation_error(const JointEquation& equation, const JointPlaces& at);
/// What g gains by time alone between two times.
RowVector equation_drift(const JointEquation& equation, const JointPlaces& at, double from, double to);
/// dg/dt at rest of time as the rows of a new block, with its owner and account.
void fill_rows(const JointEquation& equation, const JointPlaces& at, RowBlock& block);

}  // namespace cairn
