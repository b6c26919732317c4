// SPDX-License-Identifier: Apache-2.0
// Scaled variables and the contact space: see the header.
#include "cairn/solvers/prox_space.h"

#include <cmath>

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

using Map3 = Eigen::Map<const Mat3>;

}  // namespace

void ScaledLaws::set(const std::vector<int>& offsets, const std::vector<ConstraintLaw>& laws, const VecX& D,
                     const VecX& right) {
  offset = offsets;
  law = laws;
  b_norm = right.norm();
  scale.resize(total());
  for (int i = 0; i < size(); ++i) {
    const double root = std::sqrt(D[i]);
    scale.segment(offset[at(i)], rows(i)).setConstant(root);
    scale_law(law[at(i)], root);
  }
  b = right.cwiseQuotient(scale);
}

void LawBlocks::set(const ScaledLaws& laws) {
  start.resize(at(laws.size()));
  zero.resize(at(laws.size()));
  std::size_t total = 0;
  for (int i = 0; i < laws.size(); ++i) {
    start[at(i)] = total;
    total += at(laws.rows(i) * laws.rows(i));
  }
  values.resize(total);
}

double ScaledLaws::residual(const VecX& r, const VecX& U) const {
  double sum = 0;
  for (int i = 0; i < size(); ++i) {
    const int o = offset[at(i)];
    const double root = scale[o];
    sum += natural_map(law[at(i)], rows(i), U.data() + o, r.data() + o, 1, nullptr) * root * root;
  }
  return b_norm > 0 ? std::sqrt(sum) / b_norm : std::sqrt(sum);
}

bool ContactSpace::set(const LocalProblem& problem) {
  laws_.set(problem.offset, problem.law, problem.scales(), problem.b);
  W_ = problem;
  const int n = W_.size();
  for (int i = 0; i < n; ++i) {
    const double si = 1 / laws_.scale[W_.offset[at(i)]];
    for (int k = W_.W.row_start[at(i)]; k < W_.W.row_start[at(i) + 1]; ++k) {
      const int j = W_.W.column[at(k)];
      const double factor = si / laws_.scale[W_.offset[at(j)]];
      double* values = W_.W.values.data() + W_.W.start[at(k)];
      for (int l = 0; l < W_.rows(i) * W_.rows(j); ++l) values[l] *= factor;
    }
  }
  W_.b = laws_.b;
  halved_ = false;
  diagonal_.assign(at(n), -1);
  pairs_.clear();
  pair_block_.clear();
  mirror_block_.clear();
  // Rows come in order, so the mirrors of row j above its diagonal are met in order too.
  next_.resize(at(n));
  for (int i = 0; i < n; ++i) {
    for (int k = W_.W.row_start[at(i)]; k < W_.W.row_start[at(i) + 1]; ++k) {
      const int j = W_.W.column[at(k)];
      if (j > i) break;
      if (j == i) {
        diagonal_[at(i)] = k;
        next_[at(i)] = k + 1;
        continue;
      }
      const int mirror = next_[at(j)]++;
      if (mirror >= W_.W.row_start[at(j) + 1] || W_.W.column[at(mirror)] != i) return false;
      pairs_.emplace_back(i, j);
      pair_block_.push_back(k);
      mirror_block_.push_back(mirror);
    }
    if (diagonal_[at(i)] < 0) return false;
  }
  for (int i = 0; i < n; ++i)
    if (next_[at(i)] != W_.W.row_start[at(i) + 1]) return false;
  return true;
}

/// half_ = (W + W')/2, and whether there is a difference: only the convex problems need it.
void ContactSpace::halve() {
  if (halved_) return;
  halved_ = true;
  half_.assign(W_.W.values.begin(), W_.W.values.end());
  double size = 0, difference = 0;
  for (const double x : half_) size = std::max(size, std::abs(x));
  const auto mean = [&](int rows, int columns, int block, int mirror) {
    double* B = half_.data() + W_.W.start[at(block)];
    const double *x = W_.W.values.data() + W_.W.start[at(block)], *y = W_.W.values.data() + W_.W.start[at(mirror)];
    for (int c = 0; c < columns; ++c)
      for (int l = 0; l < rows; ++l) {
        difference = std::max(difference, std::abs(x[l + c * rows] - y[c + l * columns]));
        B[l + c * rows] = 0.5 * (x[l + c * rows] + y[c + l * columns]);
      }
  };
  for (int i = 0; i < W_.size(); ++i) mean(W_.rows(i), W_.rows(i), diagonal_[at(i)], diagonal_[at(i)]);
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const int ri = W_.rows(pairs_[p].first), rj = W_.rows(pairs_[p].second);
    mean(ri, rj, pair_block_[p], mirror_block_[p]);
    mean(rj, ri, mirror_block_[p], pair_block_[p]);
  }
  symmetric_ = difference <= 1e-14 * size;
}

bool ContactSpace::plan(double max_cost) {
  sizes_.resize(at(W_.size()));
  for (int i = 0; i < W_.size(); ++i) sizes_[at(i)] = W_.rows(i);
  return lu_.plan(sizes_, pairs_, 2 * max_cost);
}

void ContactSpace::velocity(const VecX& r, VecX& U) const {
  U.resize(r.size());
  W_.velocity(r, U);
}

void ContactSpace::apply_symmetric(const VecX& x, VecX& y) const {
  y.setZero(x.size());
  for (int i = 0; i < W_.size(); ++i) {
    const int ri = W_.rows(i);
    double* out = y.data() + W_.offset[at(i)];
    for (int k = W_.W.row_start[at(i)]; k < W_.W.row_start[at(i) + 1]; ++k) {
      const int j = W_.W.column[at(k)], rj = W_.rows(j);
      const double* B = half_.data() + W_.W.start[at(k)];
      const double* in = x.data() + W_.offset[at(j)];
      if (ri == 3 && rj == 3) {
        Eigen::Map<Vec3>{out} += Map3(B) * Eigen::Map<const Vec3>(in);
        continue;
      }
      for (int c = 0; c < rj; ++c)
        for (int l = 0; l < ri; ++l) out[l] += B[l + c * ri] * in[c];
    }
  }
}

void ContactSpace::start(const VecX& r) {
  halve();
  x_ = r;
  apply_symmetric(r, U_);
  if (symmetric_) {
    U_ += laws_.b;
    return;
  }
  velocity(r, work_);
  lag_ = work_ - U_;  // b and the unsymmetric part
  U_ = work_;
}

double ContactSpace::gradient(const VecX& gamma) {
  g_ = x_ - gamma;
  apply_symmetric(g_, Wg_);
  return std::sqrt(std::max(0.0, g_.dot(Wg_)));
}

double ContactSpace::norm() const {
  // |z|^2 = x' W x, and U = W x + b.
  const VecX& right = symmetric_ ? laws_.b : lag_;
  return std::sqrt(std::max(0.0, x_.dot(U_) - x_.dot(right)));
}

bool ContactSpace::direction(const LawBlocks& root, double eps) {
  const double inverse = 1 / eps;
  if (!factor_.plan(sizes_, pairs_)) return false;  // when first needed: Newton on the true law does without
  factor_.set_zero();
  for (int i = 0; i < W_.size(); ++i) {
    const int n = W_.rows(i);
    const Eigen::Map<const MatX> G(root[i], n, n), W(half_.data() + W_.W.start[at(diagonal_[at(i)])], n, n);
    if (!root.zero[at(i)]) {
      if (n == 3) {
        const Mat3 B = inverse * (Map3(root[i]) * Map3(W.data()) * Map3(root[i]));
        factor_.add_diagonal(i, B);
      } else {
        factor_.add_diagonal(i, inverse * (G * W * G));
      }
    }
    for (int l = 0; l < n; ++l) factor_.add_diagonal(i, l, l, 1);
  }
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const auto [i, j] = pairs_[p];
    if (root.zero[at(i)] || root.zero[at(j)]) continue;
    const int ri = W_.rows(i), rj = W_.rows(j);
    const double* B = half_.data() + W_.W.start[at(pair_block_[p])];
    if (ri == 3 && rj == 3) {
      const Mat3 product = inverse * (Map3(root[i]) * Map3(B) * Map3(root[j]));
      factor_.add_pair(static_cast<int>(p), product);
    } else {
      factor_.add_pair(static_cast<int>(p),
                       inverse * (Eigen::Map<const MatX>(root[i], ri, ri) * Eigen::Map<const MatX>(B, ri, rj) *
                                  Eigen::Map<const MatX>(root[j], rj, rj)));
    }
  }
  if (!factor_.factor()) return false;
  const double half = std::sqrt(inverse);
  const auto apply_root = [&](const VecX& in, VecX& out, double factor) {
    out.resize(in.size());
    for (int i = 0; i < W_.size(); ++i) {
      const int n = W_.rows(i), o = W_.offset[at(i)];
      out.segment(o, n).noalias() = factor * (Eigen::Map<const MatX>(root[i], n, n) * in.segment(o, n));
    }
  };
  apply_root(Wg_, work_, -half);
  factor_.solve(work_);
  apply_root(work_, dx_, -half);
  dx_ -= g_;
  apply_symmetric(dx_, dU_);
  return true;
}

void ContactSpace::step(double alpha) {
  x_ += alpha * dx_;
  U_ += alpha * dU_;
}

void ContactSpace::prepare_sweeps(const VecX&) { sweeps_.set(W_, 1, 1, false); }

double ContactSpace::sweep(VecX& r, bool forward) {
  double square = 0;
  for (int k = 0; k < sweeps_.islands().size(); ++k) {
    const double change = sweeps_.sweep(k, r, forward);
    square += change * change;
  }
  return std::sqrt(square);
}

void ContactSpace::true_start(const VecX& r) {
  x_ = r;
  velocity(r, U_);
}

double ContactSpace::true_gradient(const VecX& gamma) {
  g_ = x_ - gamma;
  velocity(g_, Wg_);
  Wg_ -= laws_.b;
  return Wg_.norm();
}

bool ContactSpace::true_matrix(const LawBlocks& B, double eps) {
  // (1 + B/eps W) dx = -g.
  if (!lu_.plan(sizes_, pairs_)) return false;
  const double inverse = 1 / eps;
  lu_.set_zero();
  const auto product = [&](int i, int block, int columns) {
    const int n = W_.rows(i);
    return inverse * (Eigen::Map<const MatX>(B[i], n, n) *
                      Eigen::Map<const MatX>(W_.W.values.data() + W_.W.start[at(block)], n, columns));
  };
  const auto product3 = [&](int i, int block) {
    return Mat3(inverse * (Map3(B[i]) * Map3(W_.W.values.data() + W_.W.start[at(block)])));
  };
  for (int i = 0; i < W_.size(); ++i) {
    const int n = W_.rows(i);
    for (int l = 0; l < n; ++l) lu_.add_diagonal(i, l, l, 1);
    if (B.zero[at(i)]) continue;
    if (n == 3) {
      lu_.add_diagonal3(i, product3(i, diagonal_[at(i)]));
    } else {
      lu_.add_diagonal(i, product(i, diagonal_[at(i)], n));
    }
  }
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const auto [i, j] = pairs_[p];
    if (B.zero[at(i)] && B.zero[at(j)]) continue;
    const int ri = W_.rows(i), rj = W_.rows(j);
    if (ri == 3 && rj == 3) {
      lu_.add_pair3(static_cast<int>(p), product3(i, pair_block_[p]), product3(j, mirror_block_[p]));
    } else {
      lu_.add_pair(static_cast<int>(p), product(i, pair_block_[p], rj), product(j, mirror_block_[p], ri));
    }
  }
  return true;
}

bool ContactSpace::true_direction(const LawBlocks& B, double eps) {
  return true_matrix(B, eps) && lu_.factor() && true_direction_again();
}

bool ContactSpace::true_direction_again() {
  dx_ = -g_;
  lu_.solve(dx_);
  velocity(dx_, dU_);
  dU_ -= laws_.b;
  return dx_.allFinite();
}

void ContactSpace::true_source(const VecX& gamma) { g_ = gamma; }

}  // namespace cairn
