// SPDX-License-Identifier: Apache-2.0
// Accelerated projected gradient descent: see the header.
#include "cairn/solvers/study/apgd.h"

#include <algorithm>
#include <cmath>

namespace cairn {

SolveReport Apgd::run(const ContactProblem& whole, VecX& r, const Budget& budget) {
  const LocalProblem& problem = whole.local();
  scaled_.prepare(problem, settings_.relaxation_model);
  record_.start(settings_, scaled_, 10000, budget);
  start_iterate(scaled_, r, p_);
  const Eigen::Index n = scaled_.size();
  for (VecX* x : {&y_, &Vy_, &Vp_, &old_, &Vold_, &s_, &fresh_, &g_}) x->resize(n);
  double L = std::max(scaled_.largest_eigenvalue(3, y_, Vy_), 1e-12);
  double theta = 1;
  scaled_.velocity(p_, Vp_);
  scaled_.shift(Vp_, s_);
  y_ = p_;
  Vy_ = Vp_;
  for (;;) {
    const bool more = record_.proceed(p_, Vp_);
    note(record_.iterations(), record_.seconds(), record_.residual());
    if (!more) break;
    record_.count_iteration();

    // The fixed point on the shift: solve for a frozen one until the shift is what is wrong.
    scaled_.shift(Vp_, fresh_);
    if (scaled_.frozen_residual(p_, Vp_, s_) <= settings_.shift_ratio * scaled_.frozen_residual(p_, Vp_, fresh_))
      s_ = fresh_;

    old_.swap(p_);
    Vold_.swap(Vp_);
    g_ = Vy_ + s_;
    double square = 0;
    for (int cut = 0; cut < 60; ++cut) {
      p_ = y_ - g_ / L;
      scaled_.project(p_, p_);
      scaled_.velocity(p_, Vp_);
      double curvature = 0;
      square = 0;
      for (Eigen::Index k = 0; k < n; ++k) {
        const double d = p_[k] - y_[k];
        square += d * d;
        curvature += d * (Vp_[k] - Vy_[k]);
      }
      if (curvature <= L * square * (1 + 1e-9)) break;
      L *= 2;
    }
    const double next = 0.5 * theta * (std::sqrt(theta * theta + 4) - theta);
    double beta = theta * (1 - theta) / (theta * theta + next);
    theta = next;
    double uphill = 0;
    for (Eigen::Index k = 0; k < n; ++k) uphill += g_[k] * (p_[k] - old_[k]);
    if (uphill > 0) beta = 0, theta = 1;
    y_ = p_ + beta * (p_ - old_);
    Vy_ = Vp_ + beta * (Vp_ - Vold_);
    L = std::max(L * settings_.shrink, 1e-12);
  }
  return record_.finish(r);
}

}  // namespace cairn
