// SPDX-License-Identifier: Apache-2.0
// Schemes that ask for positions at the end of the step, g(q_E) = 0 or >= 0 (index 3): the problem of the step is
// solved again with corrected shifts until the true gaps agree.
//
// A row moves its gap by theta h times its velocity, so with the gap e found at q_E after a solve that gave U_E,
//   e + theta h (U - U_E) = 0 (or >= 0),   shift = e / (theta h) - U_E
// Rows keep the H of the place of evaluation (Studer 2009, 5.1 item 6 and 5.11): the iteration contracts by about h^2.
#include "cairn/steppers/midpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn {

void MidpointStep::find_end_points(const System& system, Threads threads) {
  std::vector<Placement> placements(system.colliders.size());
  for (std::size_t i = 0; i < placements.size(); ++i)
    placements[i] = system.bodies.placement(system.colliders[i].body, q_end_);
  contact_manager_.find_contacts(system.colliders, placements, margins_, system.filter, threads, end_points_);
}

double MidpointStep::aim_contacts(const MidpointRules& rules, const System& system, double h, Threads threads) {
  // Where the contacts of this step are at q_E: the same features, or the nearest of the pair.
  find_end_points(system, threads);
  aimed_.clear();
  for (std::size_t i = joint_count_; i < constraints_.size(); ++i) {
    const ContactPoint& p = points_[static_cast<std::size_t>(constraints_[i].source)];
    aimed_.push_back({p.a, p.b, p.point, Vec3::Zero(), p.feature_a, p.feature_b, 0});
  }
  match_contacts(aimed_, end_points_, match_, taken_);
  std::vector<const ContactPoint*> found(aimed_.size(), nullptr);
  for (std::size_t k = 0; k < end_points_.size(); ++k)
    if (match_[k] >= 0) found[static_cast<std::size_t>(match_[k])] = &end_points_[k];

  double worst = 0;
  for (std::size_t i = joint_count_; i < constraints_.size(); ++i) {
    Constraint& c = constraints_[i];
    const ContactPoint* point = found[i - joint_count_];
    // A pair out of reach is as far apart as the straight motion says.
    const double gap = (point ? point->gap : c.gap + rules.theta * h * U_end_[i][0]) + rules.slack;
    const double shift = gap / (rules.theta * h) - U_end_[i][0];
    const int row = local_.offset[place_[i]];
    local_.b[row] += shift - c.shift[0];
    c.shift[0] = shift;
    if (r_[i][0] > 0 || gap < 0) worst = std::max(worst, std::abs(gap));
  }
  return worst;
}

void MidpointStep::aim_at_end(const MidpointRules& rules, const System& system, Solver& solver, double h,
                              const Motion& motion, Threads threads, const std::function<void()>& finish,
                              SolveReport& solve) {
  const WarmStart none;
  const JointContext context{
      rules.joints, true, system, motion, q_mid_, u_begin_, free_, h, none, rules.evaluation_place(), rules.theta};
  double size = 0;
  for (const double radius : system.collider_radius) size = std::max(size, radius);
  const double tolerance = rules.position_tolerance * (size > 0 ? size : 1);
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < rules.position_iterations; ++k) {
    double worst = 0;
    if (rules.joints.rule == JointRule::Position) worst = joints_.aim(context, q_end_, r_local_, U_local_, local_);
    if (rules.gap == GapRule::End) worst = std::max(worst, aim_contacts(rules, system, h, threads));
    if (worst <= tolerance) return;
    if (worst > 0.5 * last && worst <= 1e3 * tolerance) return;  // rounding, or the solver's tolerance
    last = worst;
    const int iterations = solve.iterations;
    solve = solve_general(system, solver);
    solve.iterations += iterations;
    finish();
  }
  if (solve.status == SolveStatus::Converged) {
    solve.status = SolveStatus::Stalled;
    solve.message = fmt::format("positions at the end of the step are off by {:.2g} m", last);
  }
}

bool MidpointStep::project_contacts(const MidpointRules& rules, const System& system, Solver& solver, Threads threads) {
  // -(g + slack) in the normal cone of P_q >= 0 with q_E moved by M^-1 H' P_q (Studer 2009, section 5.10), linearised
  // again until no overlap is left.
  const Bodies& bodies = system.bodies;
  FreeMotion still = free_;
  still.u_free.setZero();
  std::vector<RowBlock> pushed;
  LocalProblem problem;
  LocalRows rows;
  VecX P, way, reaction, q(bodies.nq());
  for (int k = 0; k < rules.position_iterations; ++k) {
    find_end_points(system, threads);
    pushed.clear();
    for (const ContactPoint& p : end_points_) {
      const auto a = static_cast<std::size_t>(p.a), b = static_cast<std::size_t>(p.b);
      const double size = std::max(system.collider_radius[a], system.collider_radius[b]);
      const int body_a = system.colliders[a].body, body_b = system.colliders[b].body;
      if (p.gap + rules.slack >= -rules.position_tolerance * size) continue;
      if (!bodies.can_move(body_a) && !bodies.can_move(body_b)) continue;
      RowBlock& block = pushed.emplace_back();
      block.rows = 1;
      block.law = {.kind = LawKind::Frictionless};
      block.shift[0] = p.gap + rules.slack;
      if (RowSide* side = block.add_side(body_a, p.point)) side->linear.row(0) = p.normal;
      if (RowSide* side = block.add_side(body_b, p.point)) side->linear.row(0) = -p.normal;
    }
    if (pushed.empty()) return true;
    assemble(bodies, q_end_, still, pushed, {}, problem, rows);
    P.setZero(problem.b.size());
    solver.solve(problem, P);
    recover(bodies, still, problem, rows, P, way, reaction);
    bodies.advance(q_end_, way, 1, q, threads);
    q_end_.swap(q);
  }
  return false;
}

}  // namespace cairn
