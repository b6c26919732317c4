// SPDX-License-Identifier: Apache-2.0
// The equations of smooth motion and their solution.
#include "cairn/assembly/smooth_motion.h"

#include "cairn/assembly/form_problem.h"
#include "cairn/assembly/step_accounts.h"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>

namespace cairn {
namespace {

MatX dense(const LocalProblem& problem) {
  MatX W = MatX::Zero(problem.b.size(), problem.b.size());
  for (int i = 0; i < problem.size(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k) {
      const auto B = problem.block(i, k);
      W.block(problem.offset[row],
              problem.offset[static_cast<std::size_t>(problem.W.column[static_cast<std::size_t>(k)])], B.rows(),
              B.cols()) = B;
    }
  }
  return W;
}

/// Least x with A x = b: redundant rows share.
VecX solve_least(const MatX& A, const VecX& b) {
  if (b.size() == 0) return VecX(0);
  return Eigen::CompleteOrthogonalDecomposition<MatX>(A).solve(b);
}

}  // namespace

void SmoothMotion::form(const System& system, double t, const VecX& q, const VecX& u, const VecX& s,
                        std::span<const LawId> laws, RowSet& set, MatX& W, VecX& b) {
  const Bodies& bodies = system.bodies;
  force_.setZero(bodies.nu());
  other_.setZero(bodies.nu());
  add_plain_forces(system, q, u, t, force_, other_);
  force_ += other_;
  damping_ = bodies.accelerations(q, u, force_, t, system.gravity, free_);

  const bool shapes =
      std::any_of(laws.begin(), laws.end(), [](const LawId& law) { return law.owner == LawOwner::Contact; });
  // Contacts that hold are at gap zero; stages of a step leave it by the error of a low order.
  double reach = -1;
  if (shapes) reach = 0.1 * *std::max_element(system.collider_radius.begin(), system.collider_radius.end());
  gather(system, q, s, t, reach, set);
  std::vector<Touch> chosen;
  for (const LawId& law : laws)
    if (const Touch* touch = set.find(law)) chosen.push_back(*touch), chosen.back().law = law;
  set.touches = std::move(chosen);
  blocks_.clear();
  for (const Held& held : set.joints) blocks_.push_back(held.block);
  for (const Touch& touch : set.touches) blocks_.push_back(touch.block);
  compute_local_velocities(bodies, q, u, free_, blocks_);

  // (dH/dt) u, by velocities of the rows a little before and after.
  if (!blocks_.empty()) {
    const double d = 1e-3 / (1 + u.lpNorm<Eigen::Infinity>());
    std::vector<RowVector> change(blocks_.size(), RowVector::Zero());
    VecX q_near(bodies.nq()), u_near = u;
    RowSet near;
    constexpr std::array<std::pair<int, double>, 4> samples{{{-2, 1}, {-1, -8}, {1, 8}, {2, -1}}};
    for (const auto& [steps, weight] : samples) {
      bodies.advance(q, u, steps * d, q_near, {});
      bodies.prescribe(t + steps * d, q_near, u_near);
      gather(system, q_near, s, t + steps * d, reach, near);
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const std::size_t joints = set.joints.size();
        const Touch* touch = i < joints ? nullptr : near.find(set.touches[i - joints].law);
        const RowBlock* block = i < joints ? &near.joints[i].block : touch ? &touch->block : nullptr;
        change[i] += weight * (block ? row_velocity(bodies, q_near, u_near, *block) : blocks_[i].U_begin);
      }
    }
    for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i].shift = change[i] / (12 * d);
  }
  for (std::size_t i = 0; i < set.touches.size(); ++i) set.touches[i].block = blocks_[set.joints.size() + i];
  assemble(bodies, q, free_, blocks_, {}, problem_, rows_);
  W = dense(problem_);
  b = problem_.b;
}

void SmoothMotion::compute(const System& system, double t, const VecX& q, const VecX& u, const VecX& s,
                           const std::vector<Active>& active, HeldForces& out) {
  std::vector<LawId> laws;
  for (const Active& law : active) laws.push_back(law.law);
  RowSet set;
  MatX W;
  VecX b;
  form(system, t, q, u, s, laws, set, W, b);
  out.status = free_.status;

  // lambda = S x + given; the rows `held` are equations.
  std::vector<int> held;
  struct Entry {
    int row, column;
    double value;
  };
  std::vector<Entry> entries;
  VecX given = VecX::Zero(b.size());
  const auto hold = [&](int row) {
    entries.push_back({row, static_cast<int>(held.size()), 1});
    held.push_back(row);
  };
  std::size_t block = 0;
  for (; block < set.joints.size(); ++block)
    for (int l = 0; l < set.joints[block].block.rows; ++l) hold(problem_.offset[block] + l);
  out.active.assign(active.size(), {});
  std::vector<std::size_t> place(active.size());
  for (std::size_t i = 0; i < active.size(); ++i) {
    const auto at = std::find_if(set.touches.begin(), set.touches.end(),
                                 [&](const Touch& touch) { return touch.law == active[i].law; });
    if (at == set.touches.end()) continue;
    out.active[i].found = true;
    out.active[i].touch = *at;
    place[i] = set.joints.size() + static_cast<std::size_t>(at - set.touches.begin());
    const int first = problem_.offset[place[i]], rows = at->block.rows;
    if (at->is_friction()) {
      if (active[i].friction == Mode::Stick) {
        hold(first);
      } else {
        given[first] = active[i].way[0] > 0 ? -at->limit : at->limit;
      }
      continue;
    }
    hold(first);
    const int normal = static_cast<int>(held.size()) - 1;
    if (active[i].friction == Mode::Stick)
      for (int l = 1; l < rows; ++l) hold(first + l);
    if (active[i].friction != Mode::Slip) continue;
    const Eigen::Vector2d U(at->block.U_begin[1], rows > 2 ? at->block.U_begin[2] : 0);
    // At the very start of sliding the way is that of the acceleration.
    const Eigen::Vector2d way = U.dot(active[i].way) > 1e-12 ? U.normalized() : active[i].way.normalized();
    const double mu = at->contact->friction_at(U.norm());
    for (int l = 1; l < rows; ++l) entries.push_back({first + l, normal, -mu * way[l - 1]});
  }
  MatX S = MatX::Zero(b.size(), static_cast<Eigen::Index>(held.size()));
  for (const Entry& e : entries) S(e.row, e.column) = e.value;
  const MatX A = W(held, Eigen::all) * S;
  const VecX x = solve_least(A, -(b(held) + W(held, Eigen::all) * given));
  const VecX lambda = S * x + given;
  VecX reaction;
  recover(system.bodies, free_, problem_, rows_, lambda, out.a, reaction);

  out.joints.clear();
  out.friction = out.drive = 0;
  out.loads = other_.dot(u);
  out.damping = damping_;
  const auto force_of = [&](std::size_t i) {
    RowVector f = RowVector::Zero();
    f.head(problem_.rows(static_cast<int>(i))) = lambda.segment(problem_.offset[i], problem_.rows(static_cast<int>(i)));
    Work power;
    add_drive_work(system.bodies, q, u, blocks_[i], f, power);
    out.drive += power.drive;
    return f;
  };
  for (std::size_t j = 0; j < set.joints.size(); ++j) out.joints.push_back(force_of(j));
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (!out.active[i].found) continue;
    out.active[i].force = force_of(place[i]);
    const RowVector power = out.active[i].force.cwiseProduct(out.active[i].touch.block.U_begin);
    out.friction += out.active[i].touch.is_friction() ? power[0] : power.tail(max_rows - 1).sum();
  }
}

void SmoothMotion::project(const System& system, double t, const VecX& s, const std::vector<Active>& active, VecX& q,
                           VecX& u) {
  const Bodies& bodies = system.bodies;
  std::vector<LawId> laws;
  for (const Active& law : active) laws.push_back(law.law);
  RowSet set;
  MatX W;
  VecX b;
  VecX moved(bodies.nq());
  for (int round = 0; round < 6; ++round) {
    form(system, t, q, u, s, laws, set, W, b);
    std::vector<int> held;
    std::vector<double> g;
    for (std::size_t j = 0; j < set.joints.size(); ++j)
      for (int l = 0; l < set.joints[j].block.rows; ++l) {
        held.push_back(problem_.offset[j] + l);
        g.push_back(set.joints[j].error[l]);
      }
    for (std::size_t i = 0; i < set.touches.size(); ++i) {
      if (set.touches[i].is_friction()) continue;
      held.push_back(problem_.offset[set.joints.size() + i]);
      g.push_back(set.touches[i].gap);
    }
    const VecX error = VecX::Map(g.data(), static_cast<Eigen::Index>(g.size()));
    if (error.size() == 0 || error.lpNorm<Eigen::Infinity>() < 1e-14) break;
    VecX lambda = VecX::Zero(b.size());
    lambda(held) = solve_least(W(held, held), -error);
    FreeMotion still = free_;
    still.u_free.setZero();
    VecX step, reaction;
    recover(bodies, still, problem_, rows_, lambda, step, reaction);
    bodies.advance(q, step, 1, moved, {});
    q = moved;
    if (error.lpNorm<Eigen::Infinity>() < 1e-12) break;
  }
  if (blocks_.empty()) return;
  std::vector<int> held;
  VecX rate = VecX::Zero(b.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const RowVector U = row_velocity(bodies, q, u, blocks_[i]);
    for (int l = 0; l < blocks_[i].rows; ++l) rate[problem_.offset[i] + l] = U[l];
    int rows = blocks_[i].rows;
    if (i >= set.joints.size()) {
      const Touch& touch = set.touches[i - set.joints.size()];
      const auto at = std::find_if(active.begin(), active.end(), [&](const Active& x) { return x.law == touch.law; });
      if (at->friction != Mode::Stick) rows = touch.is_friction() ? 0 : 1;
    }
    for (int l = 0; l < rows; ++l) held.push_back(problem_.offset[i] + l);
  }
  VecX impulse = VecX::Zero(b.size());
  impulse(held) = solve_least(W(held, held), -rate(held));
  FreeMotion now = free_;
  now.u_free = u;
  VecX reaction;
  recover(bodies, now, problem_, rows_, impulse, u, reaction);
}

void SmoothMotion::free_of_impact(const System& system, double t, const VecX& q, const VecX& u) {
  force_.setZero(system.bodies.nu());
  system.bodies.accelerations(q, u, force_, t, system.gravity, free_);
  free_.u_free = u;
}

}  // namespace cairn
