// SPDX-License-Identifier: Apache-2.0
// The step of rigid bodies with contacts and ball joints, as pairs of bodies: see step_form.h.
#include "cairn/assembly/form_problem.h"
#include "cairn/assembly/step_accounts.h"
#include "cairn/assembly/step_form.h"

#include <algorithm>

namespace cairn {
void PairForm::form_joints(const JointContext& step) {
  const System& system = step.system;
  const Bodies& bodies = system.bodies;
  balls_.clear();
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    balls_.push_back(make_constraint(system.joints[j], bodies, step.q_mid));
    balls_.back().source = static_cast<int>(j);
  }
  compute_local_velocities(bodies, step.q_mid, step.u_begin, step.free, balls_, {});
  for (std::size_t j = 0; j < balls_.size(); ++j) {
    Constraint& c = balls_[j];
    Vec3 rate_begin = Vec3::Zero(), g_begin = Vec3::Zero();
    if (step.hold.looks_back()) {
      const VecX& q = step.motion.q;
      const Constraint begin = make_constraint(system.joints[j], bodies, q);
      g_begin = begin.point_a - begin.point_b;
      const auto velocity = [&](int body, const Vec3& x) -> Vec3 {
        return body < 0 ? Vec3::Zero() : bodies.point_velocity(body, q, step.u_begin, x);
      };
      rate_begin = velocity(c.body_a, begin.point_a) - velocity(c.body_b, begin.point_b);
    }
    c.shift = joint_shift<Vec3>(step.hold, c.U_begin, rate_begin, Vec3::Zero(), g_begin, c.point_a - c.point_b, step.h);
  }
}

std::span<const RowBlock> PairForm::joint_blocks(const System& system, const VecX& q) {
  ball_blocks_.clear();
  for (std::size_t j = 0; j < balls_.size(); ++j) {
    RowBlock& block = ball_blocks_.emplace_back();
    fill_rows(system.joints[j], place(system.joints[j], system.bodies, q), block);
    block.U_begin.head<3>() = balls_[j].U_begin;
  }
  return ball_blocks_;
}

void PairForm::assemble(const FormParts& parts) {
  const std::span<const Constraint> contacts = parts.contacts.contacts();
  rows_ = contacts;
  if (!balls_.empty()) {
    all_.assign(balls_.begin(), balls_.end());
    all_.insert(all_.end(), contacts.begin(), contacts.end());
    rows_ = all_;
  }
  cairn::assemble(parts.system.bodies, parts.q, parts.free, rows_, problem_, parts.threads);
  x_.resize(3 * static_cast<Eigen::Index>(rows_.size()));
  const std::vector<double>& kept = parts.warm.joints;
  for (std::size_t j = 0; j < balls_.size(); ++j)
    impulse(j) = 3 * j + 3 <= kept.size() ? Vec3(balls_[j].frame * Vec3(kept.data() + 3 * j)) : Vec3::Zero();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    impulse(balls_.size() + i) = parts.contacts.warm_impulse(contacts[i], parts.warm);
  start_.resize(0);
  if (keep_) start_ = x_;
}

SolveReport PairForm::solve(const FormParts& parts, Solver& solver, VecX& u_solved, VecX& reaction) {
  const SolveReport report = solver.solve({problem_, parts.threads}, x_);
  r_.resize(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) r_[i] = impulse(i);
  recover(parts.system.bodies, parts.free, problem_, x_, u_solved, reaction, z_);
  U_end_.resize(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) U_end_[i] = local_velocity(problem_.blocks[i], z_) - rows_[i].shift;
  return report;
}

void PairForm::finish_joints(const FormParts& parts, StepReport& report, WarmStart& warm) {
  warm.joints.resize(3 * balls_.size());
  joint_impulses_.resize(balls_.size());
  for (std::size_t j = 0; j < balls_.size(); ++j) {
    const Constraint& c = balls_[j];
    add_row_work(RowWork::Joint, 3, c.U_begin.data(), U_end_[j].data(), r_[j].data(), report.work);
    add_drive_work(parts.system.bodies, parts.q, parts.u_begin, c, r_[j], report.work);
    joint_impulses_[j].force = c.frame.transpose() * r_[j];
    Vec3::Map(warm.joints.data() + 3 * j) = joint_impulses_[j].force;
  }
}

void PairForm::modes(const ContactStage& stage, std::span<const Vec3> impacts, double noise,
                     std::vector<LawMode>& out) const {
  constexpr double rounding = 1e-14;
  VelocityNoise still{rounding, rounding};
  const std::span<const Constraint> contacts = stage.contacts();
  for (const Constraint& c : contacts)
    still.linear = std::max({still.linear, noise * c.U_begin.norm(), noise * c.U_free.norm()});
  out.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Constraint& c = contacts[i];
    if (!impacts.empty() && impacts[i][0] > 0) {  // an impact by itself, before the problem of the step
      out.push_back({stage.id(c), Mode::Closed, Vec3::Zero()});
      continue;
    }
    const Vec3 U = end_velocities()[i] + c.shift;
    append_modes(stage.id(c), {.kind = LawKind::Coulomb, .mu = c.friction}, 3, U.data(), still, &c.frame, out);
  }
  sort_modes(out);
}

std::optional<StepProblem> PairForm::problem(const Bodies& bodies, const VecX& q, const FreeMotion& free) const {
  if (start_.size() == 0) return {};
  GlobalProblem problem;
  // Only bodies that take part, in the order of their first constraint.
  std::vector<int> place(static_cast<std::size_t>(bodies.size()), -1), taking_part;
  for (const Constraint& c : rows_)
    for (const int body : {c.body_a, c.body_b}) {
      if (!bodies.can_move(body) || place[static_cast<std::size_t>(body)] >= 0) continue;
      place[static_cast<std::size_t>(body)] = 6 * static_cast<int>(taking_part.size());
      taking_part.push_back(body);
    }
  const int n = 6 * static_cast<int>(taking_part.size()), m = 3 * static_cast<int>(rows_.size());

  // M^ from its inverse roots, and f = M^ u_free.
  std::vector<Eigen::Triplet<double>> mass, rows;
  VecX u_free(n);
  for (const int body : taking_part) {
    const Bodies::Slot& s = bodies.slot(body);
    const std::size_t k = static_cast<std::size_t>(s.index);
    const int first = place[static_cast<std::size_t>(body)];
    const Mat3 L = free.inverse_inertia_root[k].inverse(), J = L * L.transpose();
    const double root = free.inverse_mass_root[k];
    for (int i = 0; i < 3; ++i) {
      mass.emplace_back(first + i, first + i, 1 / (root * root));
      for (int j = 0; j < 3; ++j)
        if (J(i, j) != 0) mass.emplace_back(first + 3 + i, first + 3 + j, J(i, j));
    }
    u_free.segment<6>(first) = free.u_free.segment<6>(s.u);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Constraint& c = rows_[i];
    const auto add_side = [&](int body, const Vec3& x, double sign) {
      if (!bodies.can_move(body)) return;
      Mat3X jacobian(3, 6);
      bodies.point_jacobian(body, q, x, jacobian);
      const Mat3X H = sign * (c.frame * jacobian);
      for (int l = 0; l < 3; ++l)
        for (int j = 0; j < 6; ++j)
          if (H(l, j) != 0)
            rows.emplace_back(place[static_cast<std::size_t>(body)] + j, 3 * static_cast<int>(i) + l, H(l, j));
    };
    add_side(c.body_a, c.point_a, 1);
    add_side(c.body_b, c.point_b, -1);
    problem.law.push_back({.kind = problem_.blocks[i].law, .mu = problem_.blocks[i].mu});
    problem.offset.push_back(3 * static_cast<int>(i) + 3);
  }
  problem.M.resize(n, n);
  problem.M.setFromTriplets(mass.begin(), mass.end());
  problem.H.resize(n, m);
  problem.H.setFromTriplets(rows.begin(), rows.end());
  problem.f = problem.M * u_free;
  // What is not in H: driven bodies, restitution, prediction.
  problem.w.resize(m);
  for (std::size_t i = 0; i < rows_.size(); ++i) problem.w.segment<3>(3 * static_cast<int>(i)) = problem_.blocks[i].b;
  problem.w -= problem.H.transpose() * u_free;
  return StepProblem{problem, start_, x_};
}

}  // namespace cairn
