// SPDX-License-Identifier: Apache-2.0
// Spectral projected gradient: see the header.
#include "cairn/solvers/study/spectral_gradient.h"

#include <algorithm>
#include <cmath>

namespace cairn {

SolveReport SpectralGradient::run(const ContactProblem& whole, VecX& r, const Budget& budget) {
  const LocalProblem& problem = whole.local();
  scaled_.prepare(problem, settings_.relaxation_model);
  record_.start(settings_, scaled_, 10000, budget);
  start_iterate(scaled_, r, y_);
  const Eigen::Index n = scaled_.size();
  for (VecX* x : {&V_, &d_, &Wd_, &s_, &fresh_}) x->resize(n);
  double alpha = 1 / std::max(scaled_.largest_eigenvalue(3, d_, Wd_), 1e-12);
  scaled_.velocity(y_, V_);
  scaled_.shift(V_, s_);
  const std::size_t memory = static_cast<std::size_t>(settings_.memory);
  values_.assign(memory, 0.0);
  double f = 0;  // relative to the last renewal of the shift
  constexpr int refresh = 64;
  for (;;) {
    // V is updated along d; now and then it is computed anew so that rounding does not add up.
    if (record_.iterations() % refresh == refresh - 1) scaled_.velocity(y_, V_);
    const bool more = record_.proceed(y_, V_);
    note(record_.iterations(), record_.seconds(), record_.residual());
    if (!more) break;
    record_.count_iteration();

    scaled_.shift(V_, fresh_);
    if (scaled_.frozen_residual(y_, V_, s_) <= settings_.shift_ratio * scaled_.frozen_residual(y_, V_, fresh_)) {
      s_ = fresh_;
      f = 0;
      std::fill(values_.begin(), values_.end(), 0.0);
    }
    d_ = y_ - alpha * (V_ + s_);
    scaled_.project(d_, d_);
    d_ -= y_;
    scaled_.apply(d_, Wd_);
    double slope = 0, curvature = 0, square = 0, image = 0;
    for (Eigen::Index k = 0; k < n; ++k) {
      slope += (V_[k] + s_[k]) * d_[k];
      curvature += d_[k] * Wd_[k];
      square += d_[k] * d_[k];
      image += Wd_[k] * Wd_[k];
    }
    if (!(square > 0)) {
      record_.stop(SolveStatus::Stalled, "the step no longer changes the impulses");
      break;
    }
    double lambda = 1;
    const double bound = *std::max_element(values_.begin(), values_.end());
    if (f + slope + 0.5 * curvature > bound + 1e-4 * slope && curvature > 0)
      lambda = std::clamp(-slope / curvature, 1e-3, 1.0);
    y_ += lambda * d_;
    V_ += lambda * Wd_;
    f += lambda * slope + 0.5 * lambda * lambda * curvature;
    values_[static_cast<std::size_t>(record_.iterations()) % memory] = f;
    if (curvature > 1e-14 * square)
      alpha = std::clamp(record_.iterations() % 2 ? square / curvature : curvature / image, 1e-6, 1e6);
  }
  return record_.finish(r);
}

}  // namespace cairn
