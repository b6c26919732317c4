// SPDX-License-Identifier: Apache-2.0
// The smooth motion between two events (Studer 2009, section 5.2): laws in constraint mode are equations, laws in
// impressed mode are forces, and what is left is an ordinary differential equation.
//
//   M a = f + H' lambda,   H a + (dH/dt) u = 0 in the rows that are held: joints, normal rows of closed contacts,
//   tangential rows of sticking ones;   lambda_T = -mu lambda_N U_T/|U_T| where it slides
// (dH/dt) u is taken by differences of fourth order along the motion: any joint, shape or contact of the user's own
// will do.
#pragma once
#include "cairn/assembly/detection.h"
#include "cairn/assembly/law_mode.h"
#include "cairn/constraints/row_block.h"
#include "cairn/problem/local_problem.h"

namespace cairn {

/// A law that may switch, at one configuration.
struct Touch {
  LawId law;
  RowBlock block;                       ///< N, T1, T2 or what the law has of them; friction in a joint: its row
  double gap = 0;                       ///< [m]
  const ContactLaw* contact = nullptr;  ///< of contacts
  double restitution = 0;               ///< of limits and ropes
  double limit = 0;                     ///< friction in a joint: its force [N, N m]
  Vec3 point = Vec3::Zero();            ///< of contacts of shapes [m]
  Mat3 frame = Mat3::Identity();        ///< (N, T1, T2)
  bool is_friction() const { return limit > 0; }
};

/// A joint at one configuration.
struct Held {
  RowBlock block;
  RowVector error = RowVector::Zero();
};

struct RowSet {
  std::vector<Held> joints;
  std::vector<Touch> touches;
  const Touch* find(const LawId& law) const;
};

/// A law that takes part in the motion: closed, or friction in a joint.
struct Active {
  LawId law;
  Mode friction = Mode::Open;    ///< stick, slip, or open: it has none
  Eigen::Vector2d way = {0, 0};  ///< slip: direction in T1, T2
  bool shared = false;           ///< one of redundant rows: its own force says nothing
};

/// What holds an active law.
struct ActiveForce {
  Touch touch;                          ///< at the configuration; block.U_begin: its velocity
  RowVector force = RowVector::Zero();  ///< [N, N m]
  bool found = false;
};

struct HeldForces {
  VecX a;                                                  ///< accelerations
  std::vector<RowVector> joints;                           ///< forces of joints
  std::vector<ActiveForce> active;                         ///< in the order of the active laws
  double friction = 0, loads = 0, damping = 0, drive = 0;  ///< power [W]
  BodyStatus status = BodyStatus::Ok;
};

class SmoothMotion {
 public:
  /// All joints and touches within reach [m].
  void gather(const System& system, const VecX& q, const VecX& s, double t, double reach, RowSet& out);
  /// Accelerations and forces at (q, u, t); `s` are coordinates of joints nearby, for their turns.
  void compute(const System& system, double t, const VecX& q, const VecX& u, const VecX& s,
               const std::vector<Active>& active, HeldForces& out);
  /// Takes q and u back to the equations that hold: g = 0 of joints and closed contacts, H u = 0.
  void project(const System& system, double t, const VecX& s, const std::vector<Active>& active, VecX& q, VecX& u);
  /// W, b = H a_free + (dH/dt) u of all joints and of these laws, for problems of accelerations.
  void form(const System& system, double t, const VecX& q, const VecX& u, const VecX& s, std::span<const LawId> laws,
            RowSet& rows, MatX& W, VecX& b);
  /// Of the last form() or compute(): bodies, masses and forces.
  const FreeMotion& free() const { return free_; }
  const LocalProblem& problem() const { return problem_; }
  const LocalRows& rows() const { return rows_; }
  /// Fills free() for velocities: u_free = u.
  void free_of_impact(const System& system, double t, const VecX& q, const VecX& u);

 private:
  Detection found_;
  std::vector<double> margins_;
  FreeMotion free_;
  VecX force_, other_;
  LocalProblem problem_;
  LocalRows rows_;
  std::vector<RowBlock> blocks_;
  double damping_ = 0;
};

}  // namespace cairn
