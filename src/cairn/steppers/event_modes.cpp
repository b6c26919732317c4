// SPDX-License-Identifier: Apache-2.0
// What happens at an event: impacts, and which laws hold from then on.
#include "cairn/assembly/contact_blocks.h"
#include "cairn/assembly/contact_stage.h"
#include "cairn/assembly/form_problem.h"
#include "cairn/assembly/step_accounts.h"
#include "cairn/problem/residual.h"
#include "cairn/steppers/event_driven.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <tuple>
#include "cairn/assembly/form_problem.h"

namespace cairn {
namespace {

constexpr double still = 1e-9;  // velocities below this are zero [m/s]

/// Least r with W r = -b: redundant rows share.
VecX least_forces(const MatX& W, const VecX& b) {
  if (b.size() == 0) return b;
  Eigen::CompleteOrthogonalDecomposition<MatX> factor;
  factor.setThreshold(1e-10);
  return factor.compute(W).solve(-b);
}

/// Whether all forces lie in the interior of their sets, not nearer to the border than rounding.
bool lies_within(const LocalProblem& problem, const VecX& r) {
  const double rounding = 1e-12 * r.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < problem.size(); ++i) {
    const ConstraintLaw& law = problem.law[static_cast<std::size_t>(i)];
    const int first = problem.offset[static_cast<std::size_t>(i)];
    double reserve = 1;
    if (law.kind == LawKind::Interval) reserve = law.upper - std::abs(r[first]);
    if (law.kind == LawKind::Frictionless) reserve = r[first];
    if (law.kind == LawKind::Coulomb)
      reserve = std::min(r[first], law.mu * r[first] - r.segment(first + 1, problem.rows(i) - 1).norm());
    if (law.kind != LawKind::Bilateral && !(reserve > rounding)) return false;
  }
  return true;
}

/// Velocity of the rows in which a law may slide.
Eigen::Vector2d sliding(const Touch& touch) {
  if (touch.is_friction()) return {touch.block.U_begin[0], 0};
  if (!touch.contact || touch.block.rows < 2) return {0, 0};
  return {touch.block.U_begin[1], touch.block.rows > 2 ? touch.block.U_begin[2] : 0};
}

/// A contact as it is told, with an impulse in its frame.
ContactResult result_of(const System& system, const Touch& touch, const Vec3& impulse) {
  Constraint c;
  c.contact = touch.contact;
  c.friction = touch.contact->friction_at(0);
  c.gap = touch.gap;
  return {system.colliders[static_cast<std::size_t>(touch.law.a)].body,
          system.colliders[static_cast<std::size_t>(touch.law.b)].body,
          touch.point,
          touch.frame.row(0),
          touch.frame.transpose() * impulse,
          touch.gap,
          contact_state(c, impulse, 0, 1),
          c.friction};
}

}  // namespace

bool EventDriven::slides(const Touch& touch, const Found& cause) {
  // At the end of its sliding a law is at rest, whatever rounding says.
  return sliding(touch).norm() > still && !(cause.event == Event::Stops && cause.law == touch.law);
}

void EventDriven::hit(const Call& call, double t, StepReport& report) {
  const Bodies& bodies = call.system.bodies;
  RowSet set;
  motion_.gather(call.system, q_, s_, t, call.reach, set);
  std::vector<RowBlock> blocks;
  for (const Held& held : set.joints) blocks.push_back(held.block);
  std::vector<const Touch*> touches;
  bool approaches = false;
  for (const Touch& touch : set.touches) {
    if (touch.is_friction() || touch.gap > settings_.closed_gap) continue;
    touches.push_back(&touch);
    RowBlock block = touch.block;
    block.law = {.kind = LawKind::Frictionless};
    if (touch.contact && block.rows > 1) {
      const RowVector U = row_velocity(bodies, q_, u_, block);
      block.law =
          law_of_step(*touch.contact, touch.contact->friction_at(std::hypot(U[1], block.rows > 2 ? U[2] : 0)), true, 1);
    }
    blocks.push_back(block);
    approaches = approaches || row_velocity(bodies, q_, u_, block)[0] < -still;
  }
  if (!approaches) return;

  motion_.free_of_impact(call.system, t, q_, u_);
  const FreeMotion free = motion_.free();
  compute_local_velocities(bodies, q_, u_, free, blocks);
  const std::size_t joints = set.joints.size();
  for (std::size_t i = 0; i < touches.size(); ++i) {
    RowBlock& block = blocks[joints + i];
    block.shift.setZero();
    const double U = block.U_begin[0];
    if (U >= -still) continue;
    const bool gentle = -U <= settings_.rest_speed;
    block.shift[0] = gentle ? 0 : touches[i]->restitution * U;
    if (touches[i]->contact && block.rows > 1 && !gentle)
      block.shift.segment(1, block.rows - 1) =
          touches[i]->contact->tangential_restitution * block.U_begin.segment(1, block.rows - 1);
    // The same contact again, too soon: an accumulation point.
    const auto last =
        std::find_if(last_hit_.begin(), last_hit_.end(), [&](const auto& hit) { return hit.first == touches[i]->law; });
    if (last == last_hit_.end()) {
      last_hit_.emplace_back(touches[i]->law, t);
    } else {
      accumulated_ = accumulated_ || (!gentle && t - last->second < settings_.shortest);
      last->second = t;
    }
  }
  LocalProblem problem;
  LocalRows rows;
  assemble(bodies, q_, free, blocks, {}, problem, rows);
  VecX r = VecX::Zero(problem.b.size());
  const SolveReport solve = call.solver.solve(problem, r);
  if (solve.residual.scaled >= report.solve.residual.scaled) report.solve = solve;
  VecX u_after, reaction;
  recover(bodies, free, problem, rows, r, u_after, reaction);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const RowVector U = row_velocity(bodies, q_, u_after, blocks[i]);
    add_row_work(i < joints ? RowWork::Joint : RowWork::Contact, blocks[i].rows, blocks[i].U_begin.data(), U.data(),
                 r.data() + problem.offset[i], report.work);
    if (i < joints || !(r[problem.offset[i]] > 0)) continue;
    const Touch& touch = *touches[i - joints];
    if (touch.law.owner != LawOwner::Contact) continue;
    Vec3 impulse = Vec3::Zero();
    for (int l = 0; l < std::min(3, blocks[i].rows); ++l) impulse[l] = r[problem.offset[i] + l];
    contacts_.push_back(result_of(call.system, touch, impulse));
    contacts_.back().state = ContactState::Slip;
  }
  // Who was hit and leaves again closed and opened in an instant.
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const bool held =
        std::any_of(active_.begin(), active_.end(), [&](const Active& a) { return a.law == touches[i]->law; });
    if (held || !(r[problem.offset[joints + i]] > 0)) continue;
    switches_.push_back({t, touches[i]->law, Mode::Open, Mode::Closed});
    active_.push_back({touches[i]->law, Mode::Slip, {1, 0}, false});
  }
  u_ = u_after;
}

bool EventDriven::choose_modes(const Call& call, double t, const Found& cause, StepReport& report, bool ask) {
  const Bodies& bodies = call.system.bodies;
  RowSet set;
  motion_.gather(call.system, q_, s_, t, call.reach, set);
  std::vector<LawId> laws;
  for (const Touch& touch : set.touches) {
    const double U = row_velocity(bodies, q_, u_, touch.block)[0];
    if (touch.is_friction() || (touch.gap <= settings_.closed_gap && U <= still)) laws.push_back(touch.law);
  }
  active_.clear();
  if (laws.empty()) return true;
  MatX W;
  VecX b;
  motion_.form(call.system, t, q_, u_, s_, laws, set, W, b);
  Accelerations a;
  pose(set, cause, W, b, a);
  if (!solve(call, cause, ask, a, report)) return false;
  read_modes(set, cause, a);
  return true;
}

// The problem of accelerations: what sticks has all its rows, what slides only the normal one, whose force brings its
// friction along.
void EventDriven::pose(const RowSet& set, const Found& cause, const MatX& W, const VecX& b, Accelerations& a) const {
  const LocalProblem& whole = motion_.problem();
  LocalProblem& problem = a.problem;
  std::vector<int> rows;                         // of W, in the order of the problem
  std::vector<std::tuple<int, int, double>> of;  // friction that comes with a normal force: its row, which, how much
  VecX given = VecX::Zero(b.size());
  const auto close_block = [&](const ConstraintLaw& law) {
    problem.law.push_back(law);
    problem.offset.push_back(static_cast<int>(rows.size()));
  };
  for (std::size_t j = 0; j < set.joints.size(); ++j) {
    for (int l = 0; l < set.joints[j].block.rows; ++l) rows.push_back(whole.offset[j] + l);
    close_block({.kind = LawKind::Bilateral});
  }
  a.block_of.assign(set.touches.size(), -1);
  for (std::size_t i = 0; i < set.touches.size(); ++i) {
    const Touch& touch = set.touches[i];
    const int first = whole.offset[set.joints.size() + i], count = touch.block.rows;
    const Eigen::Vector2d U = sliding(touch);
    if (touch.is_friction() && slides(touch, cause)) {
      given[first] = U[0] > 0 ? -touch.limit : touch.limit;
      continue;
    }
    a.block_of[i] = problem.size();
    rows.push_back(first);
    if (touch.is_friction()) {
      close_block({.kind = LawKind::Interval, .lower = -touch.limit, .upper = touch.limit});
    } else if (count < 2 || !touch.contact) {
      close_block({.kind = LawKind::Frictionless});
    } else if (slides(touch, cause)) {
      const double mu = touch.contact->friction_at(U.norm());
      for (int l = 1; l < count; ++l)
        of.emplace_back(first + l, static_cast<int>(rows.size()) - 1, -mu * U[l - 1] / U.norm());
      close_block({.kind = LawKind::Frictionless});
    } else {
      for (int l = 1; l < count; ++l) rows.push_back(first + l);
      close_block({.kind = LawKind::Coulomb, .mu = touch.contact->friction_at(0)});
    }
  }
  const auto n = static_cast<Eigen::Index>(rows.size());
  MatX choose = MatX::Zero(n, b.size()), bring = MatX::Zero(b.size(), n);
  for (Eigen::Index k = 0; k < n; ++k)
    choose(k, rows[static_cast<std::size_t>(k)]) = bring(rows[static_cast<std::size_t>(k)], k) = 1;
  for (const auto& [row, column, value] : of) bring(row, column) = value;
  problem.b = choose * (b + W * given);
  a.W = choose * W * bring;
  BlockMatrixBuilder builder(problem.offset);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) builder.add(static_cast<int>(i), static_cast<int>(j), a.W(i, j));
  problem.W = builder.finish();
}

bool EventDriven::solve(const Call& call, const Found& cause, bool ask, Accelerations& a, StepReport& report) const {
  const LocalProblem& problem = a.problem;
  a.noise = std::max(1e-9, 10 * call.solver.limits().tolerance) *
            (problem.b.size() > 0 ? problem.b.lpNorm<Eigen::Infinity>() : 0);
  // Forces that leave all rows at rest and lie within their sets are a solution. Solvers are slow to see that where
  // rows are redundant.
  const bool switches = cause.event == Event::Pulls || cause.event == Event::Slides;
  a.r = switches ? VecX::Zero(problem.b.size()) : least_forces(a.W, problem.b);
  SolveReport solve;
  if (switches || problem.velocity(a.r).lpNorm<Eigen::Infinity>() > 0.1 * a.noise || !lies_within(problem, a.r)) {
    if (!ask) return false;
    a.r.setZero();
    solve = call.solver.solve(problem, a.r);
  } else {
    solve.residual = compute_residual(problem, a.r);
  }
  if (solve.residual.scaled >= report.solve.residual.scaled) report.solve = solve;
  a.A = problem.velocity(a.r);

  // Are the rows that are at rest independent?
  std::vector<int> at_rest;
  for (int l = 0; l < a.A.size(); ++l)
    if (std::abs(a.A[l]) <= a.noise) at_rest.push_back(l);
  if (at_rest.empty()) return true;
  const MatX held = a.W(at_rest, at_rest);
  Eigen::ColPivHouseholderQR<MatX> factor(held);
  factor.setThreshold(1e-9);
  a.redundant = factor.rank() < held.rows();
  return true;
}

void EventDriven::read_modes(const RowSet& set, const Found& cause, const Accelerations& a) {
  for (std::size_t i = 0; i < set.touches.size(); ++i) {
    const Touch& touch = set.touches[i];
    Active law{touch.law, Mode::Open, {0, 0}, a.redundant};
    const Eigen::Vector2d U = sliding(touch);
    if (a.block_of[i] < 0) {  // friction in a joint that slides
      law.friction = Mode::Slip;
      law.way = U.normalized();
      active_.push_back(law);
      continue;
    }
    const int first = a.problem.offset[static_cast<std::size_t>(a.block_of[i])], rows = a.problem.rows(a.block_of[i]);
    const bool is_cause = cause.law == touch.law;
    if (!touch.is_friction() && (a.A[first] > a.noise || (is_cause && cause.event == Event::Pulls))) continue;  // opens
    const bool has_friction = touch.is_friction() || (touch.contact && touch.block.rows > 1);
    if (has_friction && slides(touch, cause)) {
      law.friction = Mode::Slip;
      law.way = U.normalized();
    } else if (has_friction) {
      const int from = touch.is_friction() ? 0 : 1;
      Eigen::Vector2d acceleration(0, 0), f(0, 0);
      for (int l = from; l < rows; ++l) acceleration[l - from] = a.A[first + l], f[l - from] = a.r[first + l];
      const bool starts = acceleration.norm() > a.noise || (is_cause && cause.event == Event::Slides);
      law.friction = starts ? Mode::Slip : Mode::Stick;
      if (starts)
        law.way = f.norm() > 0 ? Eigen::Vector2d(-f.normalized()) : Eigen::Vector2d(acceleration.normalized());
    }
    active_.push_back(law);
  }
}

std::vector<LawMode> EventDriven::modes() const {
  std::vector<LawMode> list;
  for (const Active& law : active_) {
    LawMode mode{law.law, Mode::Closed, Vec3::Zero()};
    if (law.law.facet == LawFacet::Normal) list.push_back(mode);
    if (law.friction == Mode::Open) continue;
    mode.law.facet = LawFacet::Friction;
    mode.mode = law.friction;
    mode.way = Vec3(0, law.way[0], law.way[1]);
    list.push_back(mode);
  }
  sort_modes(list);
  return list;
}

void EventDriven::note_switches(double t, const std::vector<LawMode>& before) {
  // Contacts that were hit are noted as closed already.
  std::vector<LawMode> from = before;
  for (const ModeSwitch& s : switches_) {
    const auto known = std::find_if(from.begin(), from.end(), [&](const LawMode& m) { return m.law == s.law; });
    if (s.time == t && s.to == Mode::Closed && known == from.end()) from.push_back({s.law, Mode::Closed, Vec3::Zero()});
  }
  sort_modes(from);
  for (ModeSwitch s : find_switches(from, modes())) {
    s.time = t;
    switches_.push_back(s);
  }
}

void EventDriven::give_out(const System& system, double h, const HeldForces& forces) {
  // Forces at the end of the step, as the impulse they would have over it.
  joint_impulses_.assign(system.joints.size(), {});
  coordinate_impulses_.assign(system.coordinate_laws.size(), 0.0);
  RowSet set;
  motion_.gather(system, q_, s_, 0, -1, set);
  for (std::size_t k = 0; k < set.joints.size() && k < forces.joints.size(); ++k) {
    const RowBlock& block = set.joints[k].block;
    if (block.source < 0) continue;
    const auto j = static_cast<std::size_t>(block.source);
    const double sign = system.joints[j].body_a < 0 ? -1 : 1;
    const RowSide& side = block.sides[0];
    joint_impulses_[j].force = sign * h * (side.linear.transpose() * forces.joints[k]);
    joint_impulses_[j].torque = sign * h * (side.angular.transpose() * forces.joints[k]);
  }
  for (const ActiveForce& active : forces.active) {
    if (!active.found) continue;
    const Touch& touch = active.touch;
    if (touch.law.owner == LawOwner::CoordinateLaw) {
      const auto l = static_cast<std::size_t>(touch.law.a);
      const bool upper = touch.law.b > system.coordinate_laws[l].first_row;
      coordinate_impulses_[l] += h * (upper ? -active.force[0] : active.force[0]);
    }
    if (touch.law.owner != LawOwner::Contact) continue;
    contacts_.push_back(result_of(system, touch, h * active.force.head<3>()));
  }
}

}  // namespace cairn
