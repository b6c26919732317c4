// SPDX-License-Identifier: Apache-2.0
// Proximal ADMM: see the header.
#include "cairn/solvers/study/admm.h"

#include "cairn/problem/dense_matrix.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>

namespace cairn {

namespace {

/// Moves rho: by residual balancing at first, then by trial. Balance alone settles where both residuals fall equally
/// slowly (rank-deficient W); so wherever a window of iterations gained less than a factor e, the next one is tried
/// with another rho, on in the same direction while that helps and back when it does not.
struct PenaltyControl {
  double balance = 2;
  int window = 100;
  int changed = 0, updates = 0, window_start = 0, direction = -1;
  double least = std::numeric_limits<double>::infinity(), last_least = least, last_gain = 0;

  /// `primal`, `dual`: squares of |x - y| and |W x + b + s - z|.
  double propose(int iteration, double rho, double primal, double dual, double estimate) {
    least = std::min(least, estimate);
    if (iteration < window) {
      const double factor = std::sqrt(std::sqrt(primal / std::max(dual, 1e-300)));
      if (iteration - changed < 10 * (1 + updates) || (factor < balance && factor > 1 / balance)) return rho;
      changed = iteration;
      ++updates;
      return rho * std::clamp(factor, 0.2, 5.0);
    }
    if (iteration - window_start < window) return rho;
    const double gain = std::isfinite(last_least) ? std::log(last_least / least) : 0;
    const bool first = !std::isfinite(last_least);
    window_start = iteration;
    last_least = least;
    least = std::numeric_limits<double>::infinity();
    if (first || gain > 1) return last_gain = gain, rho;
    if (gain < last_gain) direction = -direction;
    last_gain = gain;
    return rho * std::pow(4.0, direction);
  }
};

}  // namespace

/// (W + c I)^-1 for changing c: dense for few rows or much fill, else sparse with the symmetric part of W alone.
class Admm::Factor {
 public:
  void prepare(const LocalProblem& problem, int dense_rows, double dense_fill) {
    n_ = static_cast<int>(problem.b.size());
    collect(problem);
    dense_ = n_ <= dense_rows;
    if (!dense_) {
      sparse_.analyzePattern(lower_);
      dense_ = static_cast<double>(sparse_.fill()) > dense_fill * n_ * n_;
    }
    if (!dense_) {
      work_.resize(n_);
      return;
    }
    W_ = to_dense(problem);
  }

  /// Whether solve() is exact; else it leaves the skew part of W out.
  bool exact() const { return dense_ || skew_norm_ == 0; }
  double skew_norm() const { return skew_norm_; }

  /// False when W + c I cannot be factorised.
  bool factorise(double c) {
    if (!dense_) {
      sparse_.setShift(c);
      sparse_.factorize(lower_);
      return sparse_.info() == Eigen::Success && sparse_.diagonal().allFinite();
    }
    shifted_ = W_;
    shifted_.diagonal().array() += c;
    symmetric_ = skew_norm_ == 0;
    if (symmetric_) {
      cholesky_.compute(shifted_);
      symmetric_ = cholesky_.info() == Eigen::Success;
    }
    if (!symmetric_) lu_.compute(shifted_);
    return true;
  }

  void solve(const VecX& rhs, VecX& x) {
    if (!dense_) return sparse_.solve_into(rhs, work_, x);
    if (symmetric_) {
      x = rhs;
      cholesky_.solveInPlace(x);
    } else {
      x.noalias() = lu_.permutationP() * rhs;
      lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(x);
      lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(x);
    }
  }

 private:
  /// Opens what Eigen keeps protected, so that a solve allocates nothing.
  struct Sparse : Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::AMDOrdering<int>> {
    Eigen::Index fill() const { return m_matrix.nonZeros(); }
    const VecX& diagonal() const { return m_diag; }
    void solve_into(const VecX& rhs, VecX& work, VecX& x) const {
      const int n = static_cast<int>(rhs.size());
      const int *start = m_matrix.outerIndexPtr(), *row = m_matrix.innerIndexPtr();
      const double* value = m_matrix.valuePtr();
      if (m_P.size() > 0) {
        work.noalias() = m_P * rhs;
      } else {
        work = rhs;
      }
      for (int j = 0; j < n; ++j) {
        const double w = work[j];
        for (int k = start[j]; k < start[j + 1]; ++k) work[row[k]] -= value[k] * w;
      }
      for (int j = n - 1; j >= 0; --j) {
        double w = work[j] / m_diag[j];
        for (int k = start[j]; k < start[j + 1]; ++k) w -= value[k] * work[row[k]];
        work[j] = w;
      }
      if (m_P.size() > 0) {
        x.noalias() = m_Pinv * work;
      } else {
        x = work;
      }
    }
  };

  /// Lower triangle of the symmetric part, and the largest row sum of the skew part (0 when it is only rounding).
  void collect(const LocalProblem& problem) {
    std::vector<Eigen::Triplet<double>> all;
    all.reserve(problem.W.values.size());
    for (int i = 0; i < problem.size(); ++i) {
      const std::size_t c = static_cast<std::size_t>(i);
      for (int k = problem.W.row_start[c]; k < problem.W.row_start[c + 1]; ++k) {
        const auto block = problem.block(i, k);
        const std::size_t j = static_cast<std::size_t>(problem.W.column[static_cast<std::size_t>(k)]);
        for (int b = 0; b < block.cols(); ++b)
          for (int a = 0; a < block.rows(); ++a)
            all.emplace_back(problem.offset[c] + a, problem.offset[j] + b, block(a, b));
      }
    }
    SparseMatrix W(n_, n_);
    W.setFromTriplets(all.begin(), all.end());
    const SparseMatrix transposed = W.transpose();
    const SparseMatrix skew = 0.5 * (W - transposed), symmetric = 0.5 * (W + transposed);
    lower_ = symmetric.triangularView<Eigen::Lower>();
    VecX sums = VecX::Zero(n_);
    for (int j = 0; j < n_; ++j)
      for (SparseMatrix::InnerIterator it(skew, j); it; ++it) sums[it.row()] += std::abs(it.value());
    skew_norm_ = n_ > 0 ? sums.maxCoeff() : 0;
    if (skew_norm_ < 1e-11) skew_norm_ = 0;
  }

  int n_ = 0;
  bool dense_ = true, symmetric_ = true;
  double skew_norm_ = 0;
  SparseMatrix lower_;
  Sparse sparse_;
  MatX W_, shifted_;
  Eigen::LLT<MatX> cholesky_;
  Eigen::PartialPivLU<MatX> lu_;
  VecX work_;
};

Admm::Admm(const Settings& settings) : settings_(settings), factor_(std::make_unique<Factor>()) {}
Admm::~Admm() = default;

SolveReport Admm::run(const ContactProblem& whole, VecX& r, const Budget& budget) {
  const LocalProblem& problem = whole.local();
  scaled_.prepare(problem, settings_.relaxation_model);
  record_.start(settings_, scaled_, 5000, budget);
  start_iterate(scaled_, r, y_);
  const Eigen::Index n = scaled_.size();
  for (VecX* v : {&x_, &z_, &s_, &rhs_, &Vx_, &Vy_, &skew_, &old_, &fresh_}) v->setZero(n);
  const VecX& b = scaled_.b();

  // The warm start may already be good enough, or better than anything that follows.
  scaled_.velocity(y_, Vy_);
  if (!record_.proceed(y_, Vy_)) return record_.finish(r);
  const double largest = std::max(scaled_.largest_eigenvalue(20, x_, rhs_), 1e-12);
  const double eta = settings_.proximal;
  double rho =
      settings_.rho > 0 ? settings_.rho : std::sqrt(largest * eta) * std::pow(largest / eta, settings_.rho_power);
  factor_->prepare(scaled_.scaled(), settings_.dense_rows, settings_.dense_fill);
  const double rho_low = factor_->exact() ? 1e-7 * largest : std::max(1e-7 * largest, 2 * factor_->skew_norm());
  const double rho_high = 1e3 * largest;
  rho = std::clamp(rho, rho_low, rho_high);
  if (!factor_->factorise(eta + rho)) {
    record_.stop(SolveStatus::NotFinite, "W + rho I cannot be factorised");
    return record_.finish(r);
  }
  scaled_.shift(Vy_, s_);
  // One prox step makes a dual z that fits y.
  scaled_.shifted(Vy_, z_);
  x_ = y_;
  old_ = y_ - z_;
  scaled_.project(old_, y_);
  z_ = y_ - old_;

  PenaltyControl penalty{.balance = settings_.balance};
  const double a = settings_.over_relaxation;
  for (;;) {
    record_.count_iteration();
    const double c = eta + rho;
    rhs_ = z_ + rho * y_ + eta * x_ - b - s_ - skew_;
    factor_->solve(rhs_, x_);
    if (factor_->exact()) {
      Vx_ = rhs_ - c * x_ + b;
    } else {
      scaled_.velocity(x_, Vx_);
      skew_ = Vx_ - b + c * x_ - rhs_;
    }
    old_ = y_;
    double primal = 0, dual = 0;
    rhs_ = a * x_ + (1 - a) * y_ - z_ / rho;
    scaled_.project(rhs_, y_);
    z_ = rho * (y_ - rhs_);
    for (Eigen::Index k = 0; k < n; ++k) {
      primal += (x_[k] - y_[k]) * (x_[k] - y_[k]);
      dual += std::pow(Vx_[k] + s_[k] - z_[k], 2);
    }
    // x has its velocity for free; y, which lies in the cones, is measured when that says it pays.
    const double estimate = scaled_.residual(x_, Vx_);
    bool more;
    if (estimate <= 2 * record_.target() || record_.iterations() % 16 == 0 ||
        record_.iterations() >= settings_.max_iterations) {
      scaled_.velocity(y_, Vy_);
      more = record_.proceed(y_, Vy_);
    } else {
      more = record_.proceed_unmeasured(estimate);
    }
    note(record_.iterations(), record_.seconds(), record_.residual());
    if (!more) break;

    scaled_.shift(Vx_, fresh_);
    s_ += settings_.shift_step * (fresh_ - s_);
    const double next =
        std::clamp(penalty.propose(record_.iterations(), rho, primal, dual, estimate), rho_low, rho_high);
    if (next == rho) continue;
    rho = next;
    if (!factor_->factorise(eta + rho)) {
      record_.stop(SolveStatus::NotFinite, "W + rho I cannot be factorised");
      break;
    }
  }
  return record_.finish(r);
}

}  // namespace cairn
