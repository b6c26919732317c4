// SPDX-License-Identifier: Apache-2.0
// The contact problem as every solver is given it: constraints with their laws, and the views that can be had of them.
//
//   M v = f + H r,   U = H' v + w + compliance r,   (U, r) obeys the law of each constraint,
//   U = W r + b,     W = H' M^-1 H + compliance,     b = H' M^-1 f + w
// It is born in one form: pairs of rigid bodies side by side (pair_problem.h), M and H (global_problem.h), or W alone,
// also unsymmetric (local_problem.h), of which LCPs, MLCPs and relays are special cases. A view is made when it is
// first asked for and never twice; nor is M factorised twice. The residual needs no view but that of birth.
//
//   born as   gives pairs   M and H   W
//   pairs     yes           yes       yes
//   M and H   no            yes       yes
//   W         no            no        yes
//   both      per part      no        yes      fast blocks (pairs) beside general ones (W), which share no body
#pragma once
#include "cairn/base/parallel.h"
#include "cairn/problem/global_problem.h"
#include "cairn/problem/lcp.h"
#include "cairn/problem/residual.h"

#include <memory>

namespace cairn {

/// Views are made behind const functions, so that a problem belongs to one thread at a time.
class ContactProblem {
 public:
  /// A form of the problem is a problem: refers to it, so it must stay.
  ContactProblem(const PairProblem& pairs, Threads threads = {}) : pairs_(&pairs), threads_(threads) {}
  ContactProblem(const GlobalProblem& global) : global_(&global) {}
  ContactProblem(const LocalProblem& local) : local_(&local) {}
  /// Takes it over.
  ContactProblem(PairProblem&& pairs, Threads threads = {});
  ContactProblem(GlobalProblem&& global);
  ContactProblem(LocalProblem&& local);
  /// Two parts side by side that share no body: the rows of W come first. Each is solved by its own means.
  ContactProblem(const LocalProblem& general, const PairProblem& pairs, Threads threads);
  /// Complementarity rows, equations and relays: constraints of one row each.
  explicit ContactProblem(const Mlcp& rows);

  int size() const;
  int row_count() const;
  /// First row of each constraint, and one past the last.
  const std::vector<int>& offset() const;
  std::span<const ConstraintLaw> laws() const;

  /// Degrees of freedom of the bodies; the largest int where they are not known.
  int dofs() const;

  /// What stands side by side; empty where there is one part only.
  std::span<const ContactProblem> parts() const { return parts_; }
  /// Null where the problem cannot be seen so.
  const PairProblem* pairs() const { return pairs_; }
  const GlobalProblem* global() const;
  const LocalProblem& local() const;
  /// M of the global view, factorised.
  const MassFactor& mass() const;
  /// Threads that a solver may use.
  Threads threads() const { return threads_; }

  /// The natural-map residual, from the form of birth: neither forms W nor factorises again.
  Residual residual(const VecX& r) const;
  /// U at r, likewise.
  VecX velocity(const VecX& r) const;

 private:
  /// Offsets and laws where no form has them as they are.
  struct Layout {
    std::vector<int> offset{0};
    std::vector<ConstraintLaw> law;
  };
  const Layout& layout() const;
  void add_residual(const VecX& r, ResidualSums& sums) const;
  const VecX& scales() const;

  const PairProblem* pairs_ = nullptr;
  mutable const GlobalProblem* global_ = nullptr;
  mutable const LocalProblem* local_ = nullptr;
  Threads threads_ = {};
  std::vector<ContactProblem> parts_;
  std::unique_ptr<const PairProblem> own_pairs_;
  mutable std::unique_ptr<const GlobalProblem> own_global_;
  mutable std::unique_ptr<const LocalProblem> own_local_;
  mutable std::unique_ptr<const MassFactor> mass_;
  mutable std::unique_ptr<const Layout> layout_;
  mutable VecX scales_, b_;  ///< of the global form: D_c, and U without impulses
};

}  // namespace cairn
