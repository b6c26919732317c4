// SPDX-License-Identifier: Apache-2.0
// Impacts one after the other, or in two phases.
#include "cairn/assembly/impact_stage.h"

#include "cairn/assembly/form_problem.h"
#include "cairn/assembly/step_accounts.h"
#include "cairn/solvers/single_contact.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// Friction of radius `limit` for the velocity A x + c: x = -(A + lambda)^-1 c with |x| = limit where it slides.
Eigen::Vector2d friction_within(const Eigen::Matrix2d& A, const Eigen::Vector2d& c, double limit) {
  if (!(limit > 0)) return Eigen::Vector2d::Zero();
  const auto solve = [&](double lambda) -> Eigen::Vector2d {
    return -(A + lambda * Eigen::Matrix2d::Identity()).ldlt().solve(c);
  };
  Eigen::Vector2d x = solve(0);
  if (x.norm() <= limit) return x;
  // |x(lambda)| falls; 1/|x| is nearly linear in lambda, so Newton on it takes few steps.
  double lambda = 0;
  for (int k = 0; k < 50; ++k) {
    const double size = x.norm();
    if (std::abs(size - limit) <= 1e-15 * limit) break;
    const Eigen::Vector2d dx = -(A + lambda * Eigen::Matrix2d::Identity()).ldlt().solve(x);
    lambda = std::max(0.0, lambda + size * size / -x.dot(dx) * (size - limit) / limit);
    x = solve(lambda);
  }
  return x * std::min(1.0, limit / x.norm());
}

}  // namespace

Vec3 ImpactStage::at(std::size_t block, const VecX& x) const {
  Vec3 value = Vec3::Zero();
  const int n = problem_.rows(static_cast<int>(block));
  value.head(n) = x.segment(problem_.offset[block], n);
  return value;
}

void ImpactStage::gather(const Bodies& bodies, const VecX& q, const FreeMotion& free, std::span<const RowBlock> joints,
                         std::span<const Constraint> contacts) {
  joints_.clear();
  hit_.clear();
  place_.clear();
  for (const RowBlock& block : joints) {
    if (block.law.kind != LawKind::Bilateral || !block.compliance.isZero(0)) continue;
    joints_.push_back(block);
    joints_.back().U_free.setZero();  // their change of rate is zero
    joints_.back().shift.setZero();
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].gap > 0 || contacts[i].contact->stiffness > 0) continue;  // what yields takes no blow
    hit_.push_back(contacts[i]);
    place_.push_back(i);
    hit_.back().U_free = hit_.back().U_begin;
    hit_.back().shift.setZero();
  }
  assemble(bodies, q, free, joints_, hit_, problem_, rows_);
  r_.setZero(problem_.b.size());
  U_ = problem_.b;
}

void ImpactStage::add_impulse(std::size_t block, const VecX& p) {
  // W is symmetric here: column `block` is row `block`, transposed.
  r_.segment(problem_.offset[block], p.size()) += p;
  for (int k = problem_.W.row_start[block]; k < problem_.W.row_start[block + 1]; ++k) {
    const auto other = static_cast<std::size_t>(problem_.W.column[static_cast<std::size_t>(k)]);
    U_.segment(problem_.offset[other], problem_.rows(static_cast<int>(other))) +=
        problem_.block(static_cast<int>(block), k).transpose() * p;
  }
}

bool ImpactStage::sequential() {
  const std::size_t joints = joints_.size();
  const int rows_j = problem_.offset[joints];
  // The answer of the joints to an impulse at a contact: r_J = -W_JJ^-1 W_JC p. Redundant rows share it.
  Eigen::LLT<MatX> factor;
  MatX W_j;
  if (rows_j > 0) {
    W_j.setZero(rows_j, rows_j);
    for (std::size_t i = 0; i < joints; ++i)
      for (int k = problem_.W.row_start[i]; k < problem_.W.row_start[i + 1]; ++k) {
        const auto j = static_cast<std::size_t>(problem_.W.column[static_cast<std::size_t>(k)]);
        if (j >= joints) continue;
        const auto B = problem_.block(static_cast<int>(i), k);
        W_j.block(problem_.offset[i], problem_.offset[j], B.rows(), B.cols()) = B;
      }
    W_j.diagonal() *= 1 + 1e-12;
    factor.compute(W_j);
  }
  const auto joint_answer = [&](std::size_t block) -> MatX {
    const int n = problem_.rows(static_cast<int>(block));
    MatX W_jc = MatX::Zero(rows_j, n);
    for (int k = problem_.W.row_start[block]; k < problem_.W.row_start[block + 1]; ++k) {
      const auto j = static_cast<std::size_t>(problem_.W.column[static_cast<std::size_t>(k)]);
      if (j < joints)
        W_jc.middleRows(problem_.offset[j], problem_.rows(static_cast<int>(j))) =
            problem_.block(static_cast<int>(block), k).transpose();
    }
    return -factor.solve(W_jc);
  };
  std::vector<MatX> answers(hit_.size());
  std::vector<Mat3> W(hit_.size());
  double reference = 0;
  for (std::size_t c = 0; c < hit_.size(); ++c) {
    const std::size_t block = joints + c;
    const int n = problem_.rows(static_cast<int>(block));
    MatX own = problem_.diagonal(static_cast<int>(block));
    if (rows_j > 0) {
      answers[c] = joint_answer(block);
      for (int k = problem_.W.row_start[block]; k < problem_.W.row_start[block + 1]; ++k) {
        const auto j = static_cast<std::size_t>(problem_.W.column[static_cast<std::size_t>(k)]);
        if (j < joints)
          own += problem_.block(static_cast<int>(block), k) *
                 answers[c].middleRows(problem_.offset[j], problem_.rows(static_cast<int>(j)));
      }
    }
    W[c] = Mat3::Identity() * own.trace() / n;  // rows that the law leaves out
    W[c].topLeftCorner(n, n) = own;
    reference = std::min(reference, U_[problem_.offset[block]]);
  }
  const std::size_t limit = 1000 * hit_.size();
  for (std::size_t count = 0; count < limit; ++count) {
    std::size_t fastest = hit_.size();
    double approach = 1e-12 * reference;
    for (std::size_t c = 0; c < hit_.size(); ++c)
      if (const double U = U_[problem_.offset[joints + c]]; U < approach) approach = U, fastest = c;
    if (fastest == hit_.size()) return true;
    const std::size_t block = joints + fastest;
    const int n = problem_.rows(static_cast<int>(block));
    const Vec3 U = at(block, U_);
    SingleContact contact;
    contact.prepare(W[fastest]);
    double lambda = 0;
    const Vec3 p =
        contact.solve(U + Vec3(hit_[fastest].restitution * U[0], 0, 0), n > 1 ? hit_[fastest].friction : 0, lambda);
    if (p.isZero(0)) return false;
    const VecX here = p.head(n);
    if (rows_j > 0) {
      const VecX answer = answers[fastest] * here;
      for (std::size_t j = 0; j < joints; ++j)
        add_impulse(j, answer.segment(problem_.offset[j], problem_.rows(static_cast<int>(j))));
    }
    add_impulse(block, here);
  }
  return false;
}

bool ImpactStage::poisson(Solver& solver) {
  const std::size_t joints = joints_.size();
  const bool compressed = solver.solve(problem_, r_).status == SolveStatus::Converged;
  const VecX compression = r_;
  U_ = problem_.velocity(r_);
  // Expansion: sweeps over the impulses p^E, from e p^C on.
  VecX p = VecX::Zero(r_.size());
  double scale = 0;
  for (std::size_t c = 0; c < hit_.size(); ++c) scale = std::max(scale, -hit_[c].U_begin[0]);
  for (std::size_t c = 0; c < hit_.size(); ++c) {
    const std::size_t block = joints + c;
    VecX start = VecX::Zero(problem_.rows(static_cast<int>(block)));
    start[0] = hit_[c].restitution * compression[problem_.offset[block]];
    p.segment(problem_.offset[block], start.size()) = start;
    add_impulse(block, start);
  }
  for (int sweep = 0; sweep < 20000; ++sweep) {
    double change = 0;
    for (std::size_t i = 0; i < joints + hit_.size(); ++i) {
      const int first = problem_.offset[i], n = problem_.rows(static_cast<int>(i));
      const MatX W = problem_.diagonal(static_cast<int>(i));
      VecX now(n);
      if (i < joints) {
        now = p.segment(first, n) - W.ldlt().solve(U_.segment(first, n));
      } else {
        const Constraint& c = hit_[i - joints];
        const double least = c.restitution * compression[first];
        const VecX b = U_.segment(first, n) - W * p.segment(first, n);
        now = VecX::Zero(n);
        if (n == 1) {
          now[0] = std::max(least, -b[0] / W(0, 0));
        } else {
          SingleContact contact;
          contact.prepare(W);
          double lambda = 0;
          now = contact.solve(b, c.friction, lambda);
          if (now[0] < least) {
            now[0] = least;
            now.tail<2>() = friction_within(W.bottomRightCorner<2, 2>(), b.tail<2>() + least * W.col(0).tail<2>(),
                                            c.friction * least);
          }
        }
      }
      const VecX step = now - p.segment(first, n);
      change = std::max(change, (W * step).norm());
      p.segment(first, n) = now;
      add_impulse(i, step);
    }
    if (change <= 1e-13 * scale) {
      r_ = compression + p;
      return compressed;
    }
  }
  r_ = compression + p;
  return false;
}

ImpactReport ImpactStage::apply(ImpactRule rule, const Bodies& bodies, const VecX& q, const FreeMotion& free,
                                std::span<const RowBlock> joints, std::span<const Constraint> contacts, Solver& solver,
                                VecX& u, std::vector<Vec3>& impulses, Work& work) {
  impulses.assign(contacts.size(), Vec3::Zero());
  const bool bounces = std::any_of(contacts.begin(), contacts.end(), [](const Constraint& c) {
    return c.gap <= 0 && c.restitution > 0 && c.U_begin[0] < 0;
  });
  if (!bounces) return {};
  gather(bodies, q, free, joints, contacts);
  const bool converged = rule == ImpactRule::Sequential ? sequential() : poisson(solver);
  U_ = problem_.velocity(r_);
  for (std::size_t c = 0; c < hit_.size(); ++c) {
    const Vec3 p = at(joints_.size() + c, r_);
    impulses[place_[c]] = p;
    const Vec3 U_end = at(joints_.size() + c, U_);
    add_row_work(RowWork::Contact, 3, hit_[c].U_begin.data(), U_end.data(), p.data(), work);
  }
  for (std::size_t j = 0; j < joints_.size(); ++j)
    for (int l = 0; l < joints_[j].rows; ++l) work.joints += joints_[j].U_begin[l] * r_[problem_.offset[j] + l];
  VecX reaction, u_after;
  FreeMotion start = free;
  start.u_free = u;
  recover(bodies, start, problem_, rows_, r_, u_after, reaction);
  u = u_after;
  return {true, converged};
}

}  // namespace cairn
