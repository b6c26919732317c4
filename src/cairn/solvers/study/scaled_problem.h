// SPDX-License-Identifier: Apache-2.0
// The local problem in variables without units, and the record of an iteration on it: what all first-order solvers
// share.
//
// r = S y, V = S U, W^ = S W S with S diagonal, so that W^ has a diagonal near 1. Rows of one part of a law (normal,
// tangents, moments) share a factor, which leaves the laws what they are: a friction cone with mu s_N / s_T, an
// interval with bounds / s. Axes of ellipses have factors of their own.
#pragma once
#include "cairn/solvers/solver.h"

namespace cairn {

/// Coulomb: the law with De Saxce's shift. Convex: without it, the relaxation of Anitescu and of Tasora (CCP), whose
/// sliding contacts separate with mu |U_T|.
enum class RelaxationModel { Coulomb, Convex };

/// Settings of the solvers that iterate on r = P_K(r - tau U~).
struct FirstOrderSettings : SolverLimits {
  RelaxationModel relaxation_model = RelaxationModel::Coulomb;
  void describe_first_order(ParameterVisitor& v);
};

class ScaledProblem {
 public:
  /// Allocates; everything else does not.
  void prepare(const LocalProblem& problem, RelaxationModel model);

  Eigen::Index size() const { return b_.size(); }
  /// W^ and the scaled laws; its b is zero.
  const LocalProblem& scaled() const { return scaled_; }
  const VecX& b() const { return b_; }
  const LocalProblem& original() const { return *problem_; }
  /// Row factors S.
  const VecX& factors() const { return factor_; }

  void to_scaled(const VecX& r, VecX& y) const { y = r.cwiseQuotient(factor_); }
  void to_impulse(const VecX& y, VecX& r) const { r = y.cwiseProduct(factor_); }
  /// V = W^ y + b^.
  void velocity(const VecX& y, VecX& V) const {
    scaled_.velocity(y, V);
    V += b_;
  }
  /// W^ y, without b^ and its rounding.
  void apply(const VecX& y, VecX& Wy) const { scaled_.velocity(y, Wy); }
  /// Projection on K; out may be x.
  void project(const VecX& x, VecX& out) const;
  /// De Saxce's shift s(V) in the normal rows, zero in the others (and everywhere in the convex model).
  void shift(const VecX& V, VecX& s) const;
  /// V~ = V + s(V); out may be V.
  void shifted(const VecX& V, VecX& out) const;
  /// residual.scaled of the original problem from y and V = W^ y + b^; of the relaxed one in the convex model.
  double residual(const VecX& y, const VecX& V) const;
  /// |y - P(y - V - s)| with a frozen shift s, in scaled variables.
  double frozen_residual(const VecX& y, const VecX& V, const VecX& s) const;
  /// Largest eigenvalue of the symmetric part of W^, from below within a few per cent. `x`, `Wx` are scratch.
  double largest_eigenvalue(int iterations, VecX& x, VecX& Wx) const;
  RelaxationModel model() const { return model_; }

 private:
  const LocalProblem* problem_ = nullptr;
  RelaxationModel model_ = RelaxationModel::Coulomb;
  LocalProblem scaled_;
  VecX factor_, D_, b_;
  double b_norm_ = 0;
};

/// Keeps the best iterate, watches limits, stagnation and blow-up, and writes the report.
class IterationRecord {
 public:
  /// `budget` runs since the solver began. `progress_window`: iterations without an improvement by 1 % after
  /// which it has stalled (and a half of those done on top).
  void start(const SolverLimits& limits, const ScaledProblem& problem, int progress_window, const Budget& budget);
  /// For iterations on r itself.
  void start(const SolverLimits& limits, const LocalProblem& problem, int progress_window, const Budget& budget);

  /// Looks at y with V = W^ y + b^; false when it is time to stop.
  bool proceed(const VecX& y, const VecX& V) { return proceed(y, scaled_->residual(y, V)); }
  /// The same with its residual.scaled known.
  bool proceed(const VecX& y, double residual);
  /// The same when the iterate was not measured: limits only, with the solver's own estimate of the residual.
  bool proceed_unmeasured(double estimate);
  void count_iteration() { ++iterations_; }
  /// Ends the iteration for a reason of the solver's own.
  void stop(SolveStatus status, std::string message);

  int iterations() const { return iterations_; }
  double seconds() const { return budget_.seconds(); }
  double residual() const { return residual_; }  ///< of the last iterate
  double target() const { return target_; }
  double best() const { return best_residual_; }

  /// Best iterate into r and its report.
  SolveReport finish(VecX& r);

 private:
  bool within_limits();
  void to_impulse(const VecX& y, VecX& r) const;

  SolverLimits limits_;
  const LocalProblem* problem_ = nullptr;
  const ScaledProblem* scaled_ = nullptr;  ///< null: iterates are impulses
  Budget budget_;
  int iterations_ = 0, progress_window_ = 0, last_progress_ = 0;
  double residual_ = 0, best_residual_ = 0, progress_residual_ = 0, target_ = 0;
  SolveStatus status_ = SolveStatus::Converged;
  std::string message_;
  VecX best_, r_, U_, scales_;
};

/// Warm start in scaled variables, projected on K; numbers that are not finite count as zero.
void start_iterate(const ScaledProblem& problem, const VecX& r, VecX& y);

}  // namespace cairn
