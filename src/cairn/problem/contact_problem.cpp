// SPDX-License-Identifier: Apache-2.0
// Views of a contact problem: see the header.
#include "cairn/problem/contact_problem.h"

#include "cairn/base/error.h"

#include <limits>

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

ContactProblem::ContactProblem(PairProblem&& pairs, Threads threads)
    : threads_(threads), own_pairs_(std::make_unique<const PairProblem>(std::move(pairs))) {
  pairs_ = own_pairs_.get();
}

ContactProblem::ContactProblem(GlobalProblem&& global)
    : own_global_(std::make_unique<const GlobalProblem>(std::move(global))) {
  global_ = own_global_.get();
}

ContactProblem::ContactProblem(LocalProblem&& local)
    : own_local_(std::make_unique<const LocalProblem>(std::move(local))) {
  local_ = own_local_.get();
}

ContactProblem::ContactProblem(const Mlcp& rows) : ContactProblem(to_local(rows)) {}

ContactProblem::ContactProblem(const LocalProblem& general, const PairProblem& pairs, Threads threads)
    : threads_(threads) {
  parts_.emplace_back(general);
  parts_.emplace_back(pairs, threads);
}

int ContactProblem::size() const {
  if (pairs_) return static_cast<int>(pairs_->size());
  if (global_) return global_->size();
  if (local_) return local_->size();
  return parts_[0].size() + parts_[1].size();
}

int ContactProblem::row_count() const {
  if (pairs_) return 3 * static_cast<int>(pairs_->size());
  if (!parts_.empty()) return parts_[0].row_count() + parts_[1].row_count();
  return offset().back();
}

int ContactProblem::dofs() const {
  if (pairs_) return 6 * pairs_->block_count;
  return global_ ? static_cast<int>(global_->M.rows()) : std::numeric_limits<int>::max();
}

const ContactProblem::Layout& ContactProblem::layout() const {
  if (!layout_) {
    Layout layout;
    const auto add = [&](const ConstraintLaw& law, int rows) {
      layout.offset.push_back(layout.offset.back() + rows);
      layout.law.push_back(law);
    };
    if (pairs_) {
      for (const PairBlock& c : pairs_->blocks) add({c.law, c.mu}, 3);
    }
    for (const ContactProblem& part : parts_)
      for (int i = 0; i < part.size(); ++i) add(part.laws()[at(i)], part.offset()[at(i) + 1] - part.offset()[at(i)]);
    layout_ = std::make_unique<const Layout>(std::move(layout));
  }
  return *layout_;
}

const std::vector<int>& ContactProblem::offset() const {
  if (global_) return global_->offset;
  return local_ && !pairs_ ? local_->offset : layout().offset;
}

std::span<const ConstraintLaw> ContactProblem::laws() const {
  if (global_) return global_->law;
  return local_ && !pairs_ ? local_->law : layout().law;
}

const GlobalProblem* ContactProblem::global() const {
  if (!global_ && pairs_) {
    own_global_ = std::make_unique<const GlobalProblem>(to_global(*pairs_));
    global_ = own_global_.get();
  }
  return global_;
}

const LocalProblem& ContactProblem::local() const {
  if (!local_) {
    own_local_ = std::make_unique<const LocalProblem>(!parts_.empty() ? join(parts_[0].local(), parts_[1].local())
                                                      : pairs_        ? to_local(*pairs_)
                                                                      : to_local(*global_, mass()));
    local_ = own_local_.get();
  }
  return *local_;
}

const MassFactor& ContactProblem::mass() const {
  if (!mass_) {
    if (!global()) throw Error("a contact problem born as W has no mass");
    mass_ = std::make_unique<const MassFactor>(global()->M);
  }
  return *mass_;
}

const VecX& ContactProblem::scales() const {
  if (scales_.size() == size()) return scales_;
  if (local_) return scales_ = local_->scales();
  return scales_ = diagonal_scales(*global_, mass());
}

VecX ContactProblem::velocity(const VecX& r) const {
  VecX U(r.size());
  if (!parts_.empty()) {
    const int first = parts_[0].row_count();
    U.head(first) = parts_[0].velocity(r.head(first));
    U.tail(r.size() - first) = parts_[1].velocity(r.tail(r.size() - first));
  } else if (pairs_) {
    std::vector<PairVelocity> z;
    compute_pair_velocities(*pairs_, r, z);
    for (int i = 0; i < size(); ++i) U.segment<3>(3 * i) = local_velocity(pairs_->blocks[at(i)], z);
  } else if (global_) {
    U = global_->H.transpose() * global_velocity(*global_, mass(), r) + global_->w;
    if (global_->compliance.size() > 0) U += global_->compliance.cwiseProduct(r);
  } else {
    local_->velocity(r, U);
  }
  return U;
}

void ContactProblem::add_residual(const VecX& r, ResidualSums& sums) const {
  if (!parts_.empty()) {
    const int first = parts_[0].row_count();
    parts_[0].add_residual(r.head(first), sums);
    parts_[1].add_residual(r.tail(r.size() - first), sums);
    return;
  }
  if (pairs_) {
    std::vector<PairVelocity> z;
    VecX U;
    return cairn::add_residual(*pairs_, r, z, U, sums);
  }
  if (global_ && b_.size() != row_count()) b_ = global_->H.transpose() * mass().solve(global_->f) + global_->w;
  const VecX U = velocity(r), &D = scales(), &b = global_ ? b_ : local_->b;
  for (int i = 0; i < size(); ++i) {
    const int o = offset()[at(i)], rows = offset()[at(i) + 1] - o;
    sums.add(laws()[at(i)], rows, U.data() + o, r.data() + o, b.data() + o, D[i]);
  }
}

Residual ContactProblem::residual(const VecX& r) const {
  ResidualSums sums;
  add_residual(r, sums);
  return sums.value();
}

}  // namespace cairn
