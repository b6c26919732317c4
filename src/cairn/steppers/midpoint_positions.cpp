// SPDX-License-Identifier: Apache-2.0
// Schemes that ask for positions at the end of the step, g(q_E) = 0 or >= 0 (index 3): the problem of the step is
// solved again with corrected shifts until the true gaps agree.
//
// A row moves its gap by theta h times its velocity, so with the gap e found at q_E after a solve that gave U_E,
//   e + theta h (U - U_E) = 0 (or >= 0),   shift = e / (theta h) - U_E
// Rows keep the H of the place of evaluation (Studer 2009, 5.1 item 6 and 5.11): the iteration contracts by about h^2.
#include "cairn/steppers/midpoint.h"

#include "cairn/assembly/form_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn {

double MidpointStep::aim_contacts(const Call& call) {
  const MidpointRules& rules = call.rules;
  const double way = rules.theta * call.h;
  contacts_.find_again(call.system, q_end_, call.threads, at_end_);
  const std::span<Constraint> contacts = contacts_.contacts();
  double worst = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Constraint& c = contacts[i];
    const double U_end = form_->end_velocities()[i][0];
    // A pair out of reach is as far apart as the straight motion says.
    const double gap = (at_end_[i] ? at_end_[i]->gap : c.gap + way * U_end) + rules.slack;
    local_.set_normal_shift(i, gap / way - U_end, c);
    if (form_->impulses()[i][0] > 0 || gap < 0) worst = std::max(worst, std::abs(gap));
  }
  return worst;
}

void MidpointStep::aim_at_end(const Call& call, SolveReport& solve) {
  const MidpointRules& rules = call.rules;
  double size = 0;
  for (const double radius : call.system.collider_radius) size = std::max(size, radius);
  const double tolerance = rules.position_tolerance * (size > 0 ? size : 1);
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < rules.position_iterations; ++k) {
    double worst = 0;
    if (rules.joints.rule == JointRule::Position) worst = local_.aim_joints(joint_context(call), q_end_);
    if (rules.gap == GapRule::End) worst = std::max(worst, aim_contacts(call));
    if (worst <= tolerance) return;
    if (worst > 0.5 * last && worst <= 1e3 * tolerance) return;  // rounding, or the solver's tolerance
    last = worst;
    const int iterations = solve.iterations;
    solve = form_->solve(parts(call), call.solver, u_solved_, reaction_);
    solve.iterations += iterations;
    move_to_end(call);
  }
  fall_short(solve, fmt::format("positions at the end of the step are off by {:.2g} m", last));
}

void MidpointStep::correct_positions(const Call& call, SolveReport& solve) {
  const JointRule rule = call.rules.joints.rule;
  if (call.rules.project_contacts && !project_contacts(call))
    fall_short(solve, "overlaps are left after the positions were corrected");
  if ((rule == JointRule::Ggl || rule == JointRule::Projected) && !project_joints(call))
    fall_short(solve, "the joints could not be brought together after the step");
}

bool MidpointStep::project_contacts(const Call& call) {
  // -(g + slack) in the normal cone of P_q >= 0 with q_E moved by M^-1 H' P_q (Studer 2009, section 5.10), linearised
  // again until no overlap is left.
  const System& system = call.system;
  const Bodies& bodies = system.bodies;
  FreeMotion still = free_;
  still.u_free.setZero();
  std::vector<RowBlock> pushed;
  LocalProblem problem;
  LocalRows rows;
  VecX P, way, reaction, q(bodies.nq());
  for (int k = 0; k < call.rules.position_iterations; ++k) {
    pushed.clear();
    for (const ContactPoint& p : contacts_.find_at_end(system, q_end_, call.threads)) {
      const int body_a = system.colliders[static_cast<std::size_t>(p.a)].body;
      const int body_b = system.colliders[static_cast<std::size_t>(p.b)].body;
      const double depth = -(p.gap + call.rules.slack);
      if (depth <= call.rules.position_tolerance * larger_size(system, p)) continue;
      if (!bodies.can_move(body_a) && !bodies.can_move(body_b)) continue;
      RowBlock& block = pushed.emplace_back();
      block.rows = 1;
      block.law = {.kind = LawKind::Frictionless};
      block.shift[0] = -depth;
      if (RowSide* side = block.add_side(body_a, p.point)) side->linear.row(0) = p.normal;
      if (RowSide* side = block.add_side(body_b, p.point)) side->linear.row(0) = -p.normal;
    }
    if (pushed.empty()) return true;
    assemble(bodies, q_end_, still, pushed, {}, problem, rows);
    P.setZero(problem.b.size());
    call.solver.solve(problem, P);
    recover(bodies, still, problem, rows, P, way, reaction);
    bodies.advance(q_end_, way, 1, q, call.threads);
    q_end_.swap(q);
  }
  return false;
}

bool MidpointStep::project_joints(const Call& call) {
  projected_.time = call.motion.time + call.h;
  projected_.q.swap(q_end_);
  projected_.u.swap(u_end_);
  projected_.s = call.motion.s;
  projected_.broken = call.motion.broken;
  const bool whole_state = call.rules.joints.rule == JointRule::Projected;
  const bool fits = projection_.project(call.system, whole_state ? nullptr : &q_mid_, projected_);
  if (whole_state) projection_.project_velocity(call.system, projected_);
  projected_.q.swap(q_end_);
  projected_.u.swap(u_end_);
  return fits;
}

}  // namespace cairn
