// SPDX-License-Identifier: Apache-2.0
// The midpoint step: half step, detection, constraints, solve, end of step, accounts.
#include "cairn/steppers/midpoint.h"

#include "cairn/assembly/contact_blocks.h"
#include "cairn/assembly/contact_compliance.h"
#include "cairn/assembly/smooth_forces.h"
#include "cairn/base/stopwatch.h"
#include "cairn/collision/reduce_contacts.h"
#include "cairn/problem/cohesion.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

VecX stacked(const std::vector<Vec3>& r) {
  VecX x(3 * static_cast<Eigen::Index>(r.size()));
  for (std::size_t i = 0; i < r.size(); ++i) x.segment<3>(3 * static_cast<Eigen::Index>(i)) = r[i];
  return x;
}

}  // namespace

void MidpointStep::check(const MidpointRules& rules, const System& system, const Motion& motion, double h) const {
  if (!(std::isfinite(h) && h > 0)) throw Error("the time step is {} s; must be > 0", h);
  if (rules.joints.looks_back() && rules.theta != 0.5 && !system.joints.empty())
    throw Error("joints: this rule is that of the midpoint rule, theta = 0.5; theta is {}: use stabilised",
                rules.theta);
  if (rules.aims_at_end() && !(rules.theta > 0))
    throw Error("theta is 0; must be > 0 where positions at the end of the step are held");
  if (rules.joints.rule == JointRule::Baumgarte && rules.joints.baumgarte * h > 1)
    throw Error("joints: baumgarte is {:.4g} 1/s; must be at most 1/step = {:.4g} 1/s", rules.joints.baumgarte, 1 / h);
  if (rules.implicit_elasticity) return;
  for (int body = 0; body < system.bodies.size(); ++body) {
    const double limit = system.bodies.critical_step(body, motion.q);
    if (h > limit) {
      throw Error("body {} ({}): explicit elasticity is stable for steps up to {:.4g} s; the step is {:.4g} s", body,
                  system.bodies.kind(body), limit, h);
    }
  }
}

void MidpointStep::detect(const System& system, double h, const Motion& motion, Threads threads) {
  const std::size_t n = system.colliders.size();
  placements_.resize(n);
  margins_.resize(n);
  // A surface can approach by its speed times h until the next detection, and by gravity's share. A thousandth of
  // that part of the size that a resting neighbour could be pushed through stays in view as well.
  const double gravity = system.gravity.norm() * h * h;
  parallel_chunks(threads, n, 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const int body = system.colliders[i].body;
      placements_[i] = system.bodies.placement(body, q_mid_);
      const double radius = system.collider_radius[i];
      const double speed = system.bodies.speed_bound(body, q_mid_, motion.u, radius);
      margins_[i] = system.colliders[i].mobile ? h * speed + gravity + 1e-4 * radius : h * speed;
    }
  });
  contact_manager_.find_contacts(system.colliders, placements_, margins_, system.filter, threads, points_);
}

Vec3 MidpointStep::warm_impulse(const Constraint& c, const WarmStart& warm) const {
  if (c.law == LawKind::Bilateral) {
    const std::size_t first = 3 * static_cast<std::size_t>(c.source);
    return first + 3 <= warm.joints.size() ? Vec3(c.frame * Vec3(warm.joints.data() + first)) : Vec3::Zero();
  }
  const int m = match_[static_cast<std::size_t>(c.source)];
  if (m < 0) return Vec3::Zero();
  return project_on_cone(c.frame * warm.contacts[static_cast<std::size_t>(m)].impulse, c.friction);
}

SolveReport MidpointStep::solve_rigid(const System& system, Solver& solver, Threads threads, const WarmStart& warm,
                                      StepReport& report) {
  Stopwatch clock;
  assemble(system.bodies, q_mid_, free_, constraints_, pair_, threads);
  r_.resize(constraints_.size());
  for (std::size_t i = 0; i < constraints_.size(); ++i) r_[i] = warm_impulse(constraints_[i], warm);
  report.times.assembly += clock.lap();
  if (keep_problem_) start_ = stacked(r_);
  const SolveReport solve = solver.solve(pair_, r_, threads);
  report.times.solve += clock.lap();
  recover(system.bodies, free_, pair_, r_, u_solved_, reaction_, z_);
  U_end_.resize(constraints_.size());
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    U_end_[i] = local_velocity(pair_.blocks[i], z_) - constraints_[i].shift;
  }
  return solve;
}

void MidpointStep::form_general(const System& system, double h, const WarmStart& warm) {
  // Joints, contacts with blocks of their own, the other contacts.
  blocks_.assign(joints_.blocks().begin(), joints_.blocks().end());
  plain_.clear();
  place_.resize(constraints_.size());
  const auto is_special = [](const Constraint& c) { return needs_block(c); };
  const auto special = static_cast<std::size_t>(std::count_if(constraints_.begin(), constraints_.end(), is_special));
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    if (needs_block(constraints_[i])) {
      place_[i] = blocks_.size();
      blocks_.push_back(make_block(constraints_[i], h));
    } else {
      place_[i] = joints_.blocks().size() + special + plain_.size();
      plain_.push_back(constraints_[i]);
    }
  }
  compute_local_velocities(system.bodies, q_mid_, u_begin_, free_, std::span(blocks_).subspan(joints_.blocks().size()));
  assemble(system.bodies, q_mid_, free_, blocks_, plain_, local_, rows_, &forces_.mass());
  yield_contacts(h);
  r_local_.setZero(local_.b.size());
  joints_.start(local_, warm, r_local_);
  holding_.assign(static_cast<std::size_t>(local_.size()), 0.0);
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const int n = contact_rows(i);
    r_local_.segment(local_.offset[place_[i]], n) = warm_impulse(constraints_[i], warm).head(n);
    holding_[place_[i]] = h * constraints_[i].holding;
  }
}

SolveReport MidpointStep::solve_general(const System& system, Solver& solver) {
  r_.resize(constraints_.size());
  U_end_.resize(constraints_.size());
  const bool holds = std::any_of(holding_.begin(), holding_.end(), [](double p) { return p > 0; });
  if (holds) apply_cohesion(holding_, local_, r_local_);
  const bool left_out =
      have_loops(system.bodies, joints_.blocks()) && dependent_.leave_out(joints_.blocks(), local_) > 0;
  if (keep_problem_) start_ = r_local_;
  const SolveReport solve = solver.solve(local_, r_local_);
  if (holds) {
    remove_cohesion(holding_, local_, r_local_);
    for (const int broken : find_broken_cohesion(holding_, local_, r_local_))
      for (std::size_t i = 0; i < constraints_.size(); ++i)
        if (place_[i] == static_cast<std::size_t>(broken)) constraints_[i].cohesion = 0;
  }
  recover(system.bodies, free_, local_, rows_, r_local_, u_solved_, reaction_);
  U_local_ = local_.velocity(r_local_);
  if (left_out) {
    for (const int row : dependent_.left_out()) {  // they move all the same
      const auto i = static_cast<std::size_t>(std::upper_bound(local_.offset.begin(), local_.offset.end(), row) -
                                              local_.offset.begin() - 1);
      const int l = row - local_.offset[i];
      U_local_[row] = row_velocity(system.bodies, q_mid_, u_solved_, blocks_[i])[l] + blocks_[i].shift[l];
    }
    dependent_.spread(r_local_);
  }
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const int n = contact_rows(i);
    r_[i].setZero();
    r_[i].head(n) = r_local_.segment(local_.offset[place_[i]], n);
    U_end_[i] = constraints_[i].U_free;  // rows that the law leaves out carry no impulse and do no work
    U_end_[i].head(n) = U_local_.segment(local_.offset[place_[i]], n) - constraints_[i].shift.head(n);
    U_end_[i][0] -= yield_[i] * r_[i][0];
  }
  return solve;
}

void MidpointStep::yield_contacts(double h) {
  yield_.assign(constraints_.size(), 0.0);
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    Constraint& c = constraints_[i];
    if (!c.contact || c.contact->stiffness == 0) continue;
    const auto block = static_cast<int>(place_[i]);
    double* diagonal = local_.W.values.data() + local_.W.start[local_.diagonal_place(block)];
    const CompliantRow row =
        make_compliant_row(c.contact->stiffness, c.contact->damping, *diagonal, c.gap, c.U_begin[0], h);
    *diagonal += row.compliance;
    local_.b[local_.offset[place_[i]]] += row.shift - c.shift[0];
    c.shift[0] = row.shift;
    yield_[i] = row.compliance;
  }
}

void MidpointStep::account_moments(const System& system, Work& work) const {
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    if (!needs_block(constraints_[i])) continue;
    const RowBlock& block = blocks_[place_[i]];
    RowVector moments = RowVector::Zero();
    for (int l = 3; l < block.rows; ++l) {
      const int place = local_.offset[place_[i]] + l;
      moments[l] = r_local_[place];
      work.friction += 0.5 * (block.U_begin[l] + U_local_[place]) * moments[l];
    }
    for (int k = 0; k < block.side_count; ++k) {
      const RowSide& side = block.sides[static_cast<std::size_t>(k)];
      if (system.bodies.slot(side.body).mobility == BodyMobility::Prescribed)
        work.drive -= (side.angular.transpose() * moments).dot(system.bodies.spin(side.body, q_mid_, u_begin_));
    }
  }
}

ImpactReport MidpointStep::apply_impacts(const MidpointRules& rules, const System& system, Solver& solver, Work& work) {
  impact_of_point_.clear();
  if (rules.impacts == ImpactRule::Simultaneous) return {};
  const std::span<const Constraint> contacts = std::span(constraints_).subspan(joint_count_);
  if (!general_) ball_blocks(system);
  const ImpactReport report = impacts_.apply(rules.impacts, system.bodies, q_mid_, free_,
                                             general_ ? joints_.blocks() : std::span<const RowBlock>(balls_), contacts,
                                             solver, u_begin_, impact_, work);
  if (!report.hit) return report;
  impact_of_point_.assign(points_.size(), Vec3::Zero());
  for (std::size_t i = 0; i < contacts.size(); ++i)
    impact_of_point_[static_cast<std::size_t>(contacts[i].source)] = impact_[i];
  return report;
}

void MidpointStep::ball_blocks(const System& system) {
  balls_.clear();
  for (std::size_t j = 0; j < joint_count_; ++j) {
    RowBlock& block = balls_.emplace_back();
    fill_rows(system.joints[j], place(system.joints[j], system.bodies, q_mid_), block);
    block.U_begin.head<3>() = constraints_[j].U_begin;
  }
}

void MidpointStep::account_work(const System& system, double h, Work& work) const {
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& c = constraints_[i];
    const Vec3 mean = 0.5 * (c.U_begin + U_end_[i]);
    if (i < joint_count_) {
      work.joints += mean.dot(r_[i]);
    } else {
      work.contact += mean[0] * r_[i][0];
      work.friction += mean[1] * r_[i][1] + mean[2] * r_[i][2];
    }
    // Impulses on a driven body come from its drive: the moving bodies receive them on top of the relative work.
    const Vec3 impulse = c.frame.transpose() * (r_[i] + impact_[i]);
    const auto drive = [&](int body, const Vec3& x, double sign) {
      if (body < 0 || system.bodies.slot(body).mobility != BodyMobility::Prescribed) return;
      work.drive += sign * impulse.dot(system.bodies.point_velocity(body, q_mid_, u_begin_, x));
    };
    drive(c.body_a, c.point_a, -1);
    drive(c.body_b, c.point_b, 1);
  }
  if (general_) account_moments(system, work);
  work.damping += free_.damping_work;
  work.loads += forces_.work(u_begin_, u_end_, h);
}

void MidpointStep::finish_joints(const System& system, double h, Work& work, Motion& motion, WarmStart& warm) {
  if (general_) {
    joints_.finish(system, q_mid_, u_begin_, local_, r_local_, U_local_, work, warm);
    joint_impulses_.assign(joints_.impulses().begin(), joints_.impulses().end());
    joints_.break_joints(system, h, motion.broken);
    return;
  }
  warm.joints.resize(3 * joint_count_);
  joint_impulses_.resize(joint_count_);
  for (std::size_t j = 0; j < joint_count_; ++j) {
    joint_impulses_[j].force = constraints_[j].frame.transpose() * r_[j];
    Vec3::Map(warm.joints.data() + 3 * j) = joint_impulses_[j].force;
  }
}

void MidpointStep::keep_contacts(WarmStart& warm) const {
  warm.contacts.resize(constraints_.size() - joint_count_);
  for (std::size_t i = joint_count_; i < constraints_.size(); ++i) {
    const ContactPoint& p = points_[static_cast<std::size_t>(constraints_[i].source)];
    const Constraint& c = constraints_[i];
    warm.contacts[i - joint_count_] = {p.a,         p.b,         p.point,   c.frame.transpose() * r_[i],
                                       p.feature_a, p.feature_b, c.cohesion};
  }
  warm.begun = true;
}

StepReport MidpointStep::step(const MidpointRules& rules, const System& system, Solver& solver, double h,
                              Threads threads, Motion& motion, WarmStart& warm) {
  Stopwatch whole, clock;
  StepReport report;
  const Bodies& bodies = system.bodies;
  start_.resize(0);

  // To the place of evaluation, with driven bodies at their mid-step velocity.
  const double place = rules.evaluation_place();
  const double t_mid = motion.time + place * h;
  q_mid_.resize(bodies.nq());
  u_begin_ = motion.u;
  bodies.prescribe(motion.time + h / 2, motion.q, u_begin_);
  bodies.advance(motion.q, u_begin_, place * h, q_mid_, threads);

  detect(system, h, motion, threads);
  if (rules.contact_points > 0) report.reduction = reduce_contacts(rules.contact_points, points_).lever;
  report.times.detection = clock.lap();

  // Forces at mid-step, free velocities.
  const bool forces_apart = rules.force_place >= 0 && rules.force_place != place;
  q_forces_.resize(bodies.nq());
  if (forces_apart) bodies.advance(motion.q, u_begin_, rules.force_place * h, q_forces_, threads);
  const StepPlace at{forces_apart ? q_forces_ : q_mid_, motion.time + (forces_apart ? rules.force_place : place) * h,
                     rules.theta};
  forces_.begin(rules.forces, system, motion, at, u_begin_, h);
  general_ = bodies.general_count() > 0 || !JointStep::only_balls(system) || !system.materials.all_plain() ||
             !forces_.mass().empty() || rules.aims_at_end() || rules.joints.rule == JointRule::Acceleration ||
             rules.joints.reflection != 0;
  const StepContext context{t_mid, h, system.gravity, rules.implicit_elasticity, rules.theta};
  const auto move_freely = [&] {
    bodies.free_motion(q_mid_, u_begin_, forces_.force(), context, free_, threads);
    if (free_.status == BodyStatus::Ok && !forces_.mass().empty()) forces_.couple(bodies, u_begin_, free_);
  };
  move_freely();
  if (free_.status != BodyStatus::Ok) {
    report.status = to_step_status(free_.status);
    return report;
  }
  const std::size_t found = points_.size();
  form_constraints(rules, system, motion, h, threads, warm);
  const ImpactReport impacts = apply_impacts(rules, system, solver, report.work);
  if (impacts.hit) {
    // The step goes on from the velocities after the impacts.
    move_freely();
    points_.resize(found);  // without those of looking ahead
    form_constraints(rules, system, motion, h, threads, warm);
  }
  // The problem, in the form that fits the bodies; once more where forces depend on the velocity it leads to.
  for (int pass = 0;; ++pass) {
    if (pass > 0) {
      forces_.renew(system, motion, at, u_begin_, u_solved_, h);
      move_freely();
      points_.resize(found);
      form_constraints(rules, system, motion, h, threads, warm);
    }
    impact_.assign(constraints_.size(), Vec3::Zero());
    for (std::size_t i = joint_count_; i < constraints_.size(); ++i)
      if (const auto point = static_cast<std::size_t>(constraints_[i].source); point < impact_of_point_.size())
        impact_[i] = impact_of_point_[point];
    report.times.assembly += clock.lap();
    const int before = report.solve.iterations;
    if (general_) {
      form_general(system, h, warm);
      report.solve = solve_general(system, solver);
    } else {
      report.solve = solve_rigid(system, solver, threads, warm, report);
    }
    report.solve.iterations += before;
    const double seconds = clock.lap();
    if (general_) report.times.solve += seconds;
    if (pass > 0 || !forces_.needs_renewal()) break;
  }
  if (!impacts.converged && report.solve.status == SolveStatus::Converged) {
    report.solve.status = SolveStatus::Stalled;
    report.solve.message = "the impacts of this step do not meet their law";
  }

  // Where it leads to.
  const bool moved_apart = place != 1 - rules.theta;
  if (moved_apart) {
    q_turn_.resize(bodies.nq());
    bodies.advance(motion.q, u_begin_, (1 - rules.theta) * h, q_turn_, threads);
  }
  q_end_.resize(bodies.nq());
  u_end_.resize(bodies.nu());
  forces_.finish(bodies, u_begin_, u_solved_, h, free_);
  const auto finish = [&] {
    bodies.finish(rules.rotation, moved_apart ? q_turn_ : q_mid_, u_begin_, u_solved_, reaction_, context, free_,
                  q_end_, u_end_, threads);
  };
  finish();
  if (rules.aims_at_end()) {
    aim_at_end(rules, system, solver, h, motion, threads, finish, report.solve);
    report.times.solve += clock.lap();
  }
  if (rules.project_contacts && !project_contacts(rules, system, solver, threads) &&
      report.solve.status == SolveStatus::Converged) {
    report.solve.status = SolveStatus::Stalled;
    report.solve.message = "overlaps are left after the positions were moved back";
  }
  if (rules.joints.rule == JointRule::Ggl || rules.joints.rule == JointRule::Projected) {
    projected_.time = motion.time + h;
    projected_.q.swap(q_end_);
    projected_.u.swap(u_end_);
    projected_.s = motion.s;
    projected_.broken = motion.broken;
    const bool whole_state = rules.joints.rule == JointRule::Projected;
    const bool fits = projection_.project(system, whole_state ? nullptr : &q_mid_, projected_);
    if (!fits && report.solve.status == SolveStatus::Converged) {
      report.solve.status = SolveStatus::Stalled;
      report.solve.message = "the joints could not be brought together after the step";
    }
    if (whole_state) projection_.project_velocity(system, projected_);
    projected_.q.swap(q_end_);
    projected_.u.swap(u_end_);
  }
  if (report.solve.status == SolveStatus::NotFinite || !q_end_.allFinite() || !u_end_.allFinite()) {
    report.status = StepStatus::NotFinite;
    return report;
  }

  // Accounts of the step, then the new state.
  account_work(system, h, report.work);
  report.contacts = static_cast<int>(constraints_.size() - joint_count_);
  for (std::size_t i = joint_count_; i < constraints_.size(); ++i) {
    const bool yields = constraints_[i].contact->stiffness > 0;
    double& depth = yields ? report.compression : report.penetration;
    depth = std::max(depth, -constraints_[i].gap);
  }
  if (general_) report.penetration = std::max(report.penetration, joints_.penetration());
  finish_joints(system, h, report.work, motion, warm);
  keep_contacts(warm);
  forces_.update_memory(system, q_mid_, u_begin_, q_end_, u_end_, h, motion);
  end_motion(system, h, q_end_, u_end_, motion, report);
  report.times.total = whole.lap();
  return report;
}

double MidpointStep::holding_impulse(std::size_t constraint) const {
  return general_ && constraints_[constraint].holding > 0 ? holding_[place_[constraint]] : 0;
}

void MidpointStep::contacts(std::vector<ContactResult>& out) const {
  out.resize(constraints_.size() - joint_count_);
  for (std::size_t i = joint_count_; i < constraints_.size(); ++i) {
    const Constraint& c = constraints_[i];
    ContactResult& result = out[i - joint_count_];
    const Vec3 r = r_[i] + impact_[i];
    result.body_a = c.body_a;
    result.body_b = c.body_b;
    result.point = c.point_a;
    result.normal = c.frame.row(0);
    result.impulse = c.frame.transpose() * r;
    result.gap = c.gap;
    result.friction = c.friction;
    const auto point = static_cast<std::size_t>(c.source);
    result.area = point < points_.size() ? points_[point].weight : 0;
    // On the edge of the set to rounding means sliding (or about to).
    double t = std::hypot(r[1], r[2]), limit = c.friction * (r[0] + holding_impulse(i));
    if (needs_block(c)) {
      const ConstraintLaw& law = blocks_[place_[i]].law;
      if (law.kind == LawKind::Tresca) limit = law.limit;
      if (law.kind == LawKind::Orthotropic) t = std::hypot(r[1], law.mu_2 > 0 ? r[2] * law.mu / law.mu_2 : 0);
    }
    result.state = !(r[0] + holding_impulse(i) > 0) ? ContactState::Open
                   : t < limit * (1 - 1e-9)         ? ContactState::Stick
                                                    : ContactState::Slip;
  }
}

GlobalProblem MidpointStep::rigid_problem(const System& system) const {
  const Bodies& bodies = system.bodies;
  GlobalProblem problem;
  // Only bodies that take part, in the order of their first constraint.
  std::vector<int> place(static_cast<std::size_t>(bodies.size()), -1), taking_part;
  for (const Constraint& c : constraints_)
    for (const int body : {c.body_a, c.body_b}) {
      if (!bodies.can_move(body) || place[static_cast<std::size_t>(body)] >= 0) continue;
      place[static_cast<std::size_t>(body)] = 6 * static_cast<int>(taking_part.size());
      taking_part.push_back(body);
    }
  const int n = 6 * static_cast<int>(taking_part.size()), m = 3 * static_cast<int>(constraints_.size());

  // M^ from its inverse roots, and f = M^ u_free.
  std::vector<Eigen::Triplet<double>> mass, rows;
  VecX u_free(n);
  for (const int body : taking_part) {
    const Bodies::Slot& s = bodies.slot(body);
    const std::size_t k = static_cast<std::size_t>(s.index);
    const int first = place[static_cast<std::size_t>(body)];
    const Mat3 L = free_.inverse_inertia_root[k].inverse(), J = L * L.transpose();
    const double root = free_.inverse_mass_root[k];
    for (int i = 0; i < 3; ++i) {
      mass.emplace_back(first + i, first + i, 1 / (root * root));
      for (int j = 0; j < 3; ++j)
        if (J(i, j) != 0) mass.emplace_back(first + 3 + i, first + 3 + j, J(i, j));
    }
    u_free.segment<6>(first) = free_.u_free.segment<6>(s.u);
  }
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& c = constraints_[i];
    const auto add_side = [&](int body, const Vec3& x, double sign) {
      if (!bodies.can_move(body)) return;
      Mat3X jacobian(3, 6);
      bodies.point_jacobian(body, q_mid_, x, jacobian);
      const Mat3X H = sign * (c.frame * jacobian);
      for (int l = 0; l < 3; ++l)
        for (int j = 0; j < 6; ++j)
          if (H(l, j) != 0)
            rows.emplace_back(place[static_cast<std::size_t>(body)] + j, 3 * static_cast<int>(i) + l, H(l, j));
    };
    add_side(c.body_a, c.point_a, 1);
    add_side(c.body_b, c.point_b, -1);
    const PairBlock& block = pair_.blocks[i];
    problem.law.push_back({.kind = block.law, .mu = block.mu});
    problem.offset.push_back(3 * static_cast<int>(i) + 3);
  }
  problem.M.resize(n, n);
  problem.M.setFromTriplets(mass.begin(), mass.end());
  problem.H.resize(n, m);
  problem.H.setFromTriplets(rows.begin(), rows.end());
  problem.f = problem.M * u_free;
  // What is not in H: driven bodies, restitution, prediction.
  problem.w.resize(m);
  for (std::size_t i = 0; i < constraints_.size(); ++i)
    problem.w.segment<3>(3 * static_cast<int>(i)) = pair_.blocks[i].b;
  problem.w -= problem.H.transpose() * u_free;
  return problem;
}

std::optional<StepProblem> MidpointStep::last_problem(const System& system) const {
  if (start_.size() == 0) return {};
  if (general_) return StepProblem{local_, start_, r_local_};
  return StepProblem{rigid_problem(system), start_, stacked(r_)};
}

}  // namespace cairn
