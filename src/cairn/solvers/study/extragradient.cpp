// SPDX-License-Identifier: Apache-2.0
// Extragradient method: see the header.
#include "cairn/solvers/study/extragradient.h"

#include <algorithm>
#include <cmath>

namespace cairn {

SolveReport Extragradient::run(const ContactProblem& whole, VecX& r, const Budget& budget) {
  const LocalProblem& problem = whole.local();
  scaled_.prepare(problem, settings_.relaxation_model);
  record_.start(settings_, scaled_, 10000, budget);
  start_iterate(scaled_, r, y_);
  const Eigen::Index n = scaled_.size();
  for (VecX* x : {&p_, &F_, &Fp_, &V_}) x->resize(n);
  double tau = 1;
  for (;;) {
    scaled_.velocity(y_, V_);
    const bool more = record_.proceed(y_, V_);
    note(record_.iterations(), record_.seconds(), record_.residual());
    if (!more) break;
    record_.count_iteration();
    scaled_.shifted(V_, F_);

    // Prediction: the step is cut until F varies less than the contraction allows (Khobotov's rule).
    double ratio = 0, square = 0;
    for (int cut = 0; cut < 60; ++cut) {
      p_ = y_ - tau * F_;
      scaled_.project(p_, p_);
      scaled_.velocity(p_, V_);
      scaled_.shifted(V_, Fp_);
      square = (y_ - p_).squaredNorm();
      if (!(square > 0)) break;
      ratio = tau * (F_ - Fp_).norm() / std::sqrt(square);
      if (ratio <= settings_.contraction) break;
      tau *= std::max(0.1, 0.8 * settings_.contraction / ratio);
    }
    if (!(square > 0)) {
      record_.stop(SolveStatus::Stalled, "the step no longer changes the impulses");
      break;
    }
    // Correction along F(p), with the length that is best in distance to the solution (He and Liao).
    double along = 0, length = 0;
    for (Eigen::Index k = 0; k < n; ++k) {
      const double e = y_[k] - p_[k], d = e - tau * (F_[k] - Fp_[k]);
      along += e * d;
      length += d * d;
    }
    const double step = length > 0 ? settings_.relaxation * std::max(0.0, along / length) : 1;
    y_ -= step * tau * Fp_;
    scaled_.project(y_, y_);
    if (ratio < 0.4 * settings_.contraction) tau *= 1.5;
  }
  return record_.finish(r);
}

}  // namespace cairn
