// SPDX-License-Identifier: Apache-2.0
// Semismooth Newton on the natural map: see the header.
#include "cairn/solvers/natural_newton.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Line search: it halves, asks for this share of the predicted decrease, and ends at the smallest step.
constexpr double decrease = 1e-4, smallest = 1e-3;
// Impulses carry an error of rounding / eps: the nearer the solution, the less of that is allowed.
double smallest_eps(double distance) { return std::clamp(1e-15 / distance, 1e-7, 1e-3); }

/// B = C^-1 D S and c = C^-1 F of one constraint with N rows.
template <int N>
bool linearise_one(const ConstraintLaw& law, int rows, const double* r, const double* U, const double* F, double eps,
                   double* B, double* c) {
  using Block = Eigen::Matrix<double, N, N, 0, N == Eigen::Dynamic ? max_rows : N, N == Eigen::Dynamic ? max_rows : N>;
  double y[max_rows], slope[max_rows];
  for (int l = 0; l < rows; ++l) y[l] = r[l] - U[l];
  y[0] -= velocity_shift(law, rows, U);
  Block D(rows, rows);
  project_derivative(law, rows, y, D.data());
  velocity_shift_gradient(law, rows, U, slope);  // row 0 of dU~/dU without the 1
  Block DS = D;
  for (int l = 0; l < rows; ++l) DS.col(l) += slope[l] * D.col(0);
  const Block C = Block::Identity(rows, rows) - D + eps * DS;
  const Block inverse = C.inverse();
  Eigen::Map<Eigen::Matrix<double, N, N>>(B, rows, rows) = inverse * DS;
  Eigen::Map<Eigen::Matrix<double, N, 1>>(c, rows) = inverse * Eigen::Map<const Eigen::Matrix<double, N, 1>>(F, rows);
  for (int l = 0; l < rows * rows; ++l)
    if (!std::isfinite(B[l])) return false;
  return true;
}

}  // namespace

double NaturalNewton::merit(const ScaledLaws& laws, const VecX& r, const VecX& U) {
  double sum = 0;
  for (int i = 0; i < laws.size(); ++i) {
    const int o = laws.offset[at(i)];
    sum += natural_map(laws.law[at(i)], laws.rows(i), U.data() + o, r.data() + o, 1, F_.data() + o);
  }
  return 0.5 * sum;
}

bool NaturalNewton::linearise(const ScaledLaws& laws, const VecX& r, const VecX& U, double eps) {
  for (int i = 0; i < laws.size(); ++i) {
    const int o = laws.offset[at(i)], rows = laws.rows(i);
    double *B = B_.values.data() + B_.start[at(i)], *c = c_.data() + o;
    const auto one = rows == 3 ? linearise_one<3> : linearise_one<Eigen::Dynamic>;
    if (!one(laws.law[at(i)], rows, r.data() + o, U.data() + o, F_.data() + o, eps, B, c)) return false;
    B_.zero[at(i)] = std::all_of(B, B + rows * rows, [](double x) { return x == 0; });
  }
  return true;
}

template <class Space>
void NaturalNewton::iterate(Space& space, VecX& r, SolveReport& report, const Budget& budget) {
  const ScaledLaws& laws = space.laws();
  B_.set(laws);
  for (VecX* x : {&F_, &c_, &dr_, &candidate_}) x->resize(r.size());
  const double size = laws.b.norm() > 0 ? laws.b.norm() : 1;
  r_ = r;
  space.true_start(r_);
  best_ = r;
  double best = laws.residual(r_, space.U()), last_best = best, weight = 1;
  double now = merit(laws, r_, space.U());
  merits_.clear();
  int without_progress = 0;
  report.status = SolveStatus::IterationLimit;
  const int last_iteration = report.iterations + settings_.max_iterations;
  int extra = 2;
  while (best > settings_.overshoot * settings_.tolerance && report.iterations < last_iteration) {
    if (best <= settings_.tolerance && extra-- == 0) break;
    if (budget.over()) {
      report.status = SolveStatus::TimeLimit;
      break;
    }
    merits_.push_back(now);
    while (static_cast<int>(merits_.size()) > settings_.memory + 1) merits_.pop_front();
    // Far away a soft problem, near the solution the hard one.
    const double distance = std::sqrt(2 * now) / size;
    const double eps = std::max(smallest_eps(distance), settings_.proximal * weight * std::min(1.0, distance));
    report.status = SolveStatus::Stalled;
    if (!linearise(laws, r_, space.U(), eps)) break;
    candidate_ = r_ - c_;
    space.true_gradient(candidate_);
    if (!space.true_direction(B_, 1)) break;
    report.status = SolveStatus::IterationLimit;
    ++report.iterations;
    const VecX& dU = space.dU();
    for (int i = 0; i < laws.size(); ++i) {
      const int o = laws.offset[at(i)], rows = laws.rows(i);
      const double* B = B_[i];
      for (int l = 0; l < rows; ++l) {
        dr_[o + l] = -c_[o + l];
        for (int k = 0; k < rows; ++k) dr_[o + l] -= B[l + rows * k] * dU[o + k];
      }
    }
    const double reference = *std::max_element(merits_.begin(), merits_.end());
    double alpha = 1;
    for (;; alpha *= 0.5) {
      trial_ = r_ + alpha * dr_;
      trial_U_ = space.U() + alpha * dU;
      const double value = merit(laws, trial_, trial_U_);
      if (value <= reference - 2 * decrease * alpha * now || !(alpha > smallest)) break;
    }
    weight = std::clamp(weight * (alpha == 1 ? 0.3 : alpha < 0.2 ? 10 : 1), 1e-8, 1e6);
    r_.swap(trial_);
    space.true_start(r_);
    now = merit(laws, r_, space.U());
    if (!std::isfinite(now)) {
      report.status = SolveStatus::Stalled;
      break;
    }
    // What counts is the impulse within its cone.
    for (int i = 0; i < laws.size(); ++i) {
      const int o = laws.offset[at(i)];
      project(laws.law[at(i)], laws.rows(i), r_.data() + o, candidate_.data() + o);
    }
    space.velocity(candidate_, candidate_U_);
    const double value = laws.residual(candidate_, candidate_U_);
    if (value < best) best = value, best_ = candidate_;
    without_progress = best < 0.9 * last_best ? 0 : without_progress + 1;
    if (without_progress == 0) last_best = best;
    if (without_progress >= settings_.patience) {
      report.status = SolveStatus::Stalled;
      break;
    }
  }
  if (best <= settings_.tolerance) report.status = SolveStatus::Converged;
  report.residual.scaled = best;
  r = best_;
}

template void NaturalNewton::iterate(ContactSpace&, VecX&, SolveReport&, const Budget&);
template void NaturalNewton::iterate(VelocitySpace&, VecX&, SolveReport&, const Budget&);

}  // namespace cairn
