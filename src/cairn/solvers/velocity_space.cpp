// SPDX-License-Identifier: Apache-2.0
// The velocity space of proximal methods: rows A of all constraints over the parts of z. See prox_space.h.
#include "cairn/problem/islands.h"
#include "cairn/solvers/prox_space.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <cmath>

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

using Rows36 = Eigen::Matrix<double, 3, 6>;
/// Above this a part of M is not worth a dense block: its local form is small.
constexpr int max_part = 64;

}  // namespace

bool VelocitySpace::set(const ContactProblem& problem, std::span<const int> constraints) {
  const bool whole = constraints.empty() || constraints.size() == at(problem.size());
  if (const PairProblem* pairs = problem.pairs()) {
    whole ? set(*pairs) : set(extract(*pairs, constraints));
    return true;
  }
  const GlobalProblem* global = problem.global();
  return global && (whole ? set(*global) : set(extract(*global, constraints)));
}

void VelocitySpace::set(const PairProblem& problem) {
  // Only blocks in contact take part.
  std::vector<int> node(at(problem.block_count), -1);
  part_size_.clear();
  rows_.clear();
  rows_start_.assign(1, 0);
  A_.clear();
  std::vector<int> offset{0};
  std::vector<ConstraintLaw> law;
  const int n = static_cast<int>(problem.size());
  VecX D(n), b(3 * n);
  const auto add = [&](int block, const Mat3& D_part, const Mat3& G, double scale) {
    if (node[at(block)] < 0) {
      node[at(block)] = static_cast<int>(part_size_.size());
      part_size_.push_back(6);
    }
    rows_.push_back({node[at(block)], A_.size()});
    Rows36 rows;
    rows << D_part, G;
    rows *= scale;
    A_.insert(A_.end(), rows.data(), rows.data() + 18);
  };
  for (int i = 0; i < n; ++i) {
    const PairBlock& c = problem.blocks[at(i)];
    offset.push_back(3 * (i + 1));
    law.push_back({c.law, c.mu});
    D[i] = ((1 + c.beta * c.beta) * c.D.squaredNorm() + c.G1.squaredNorm() + c.G2.squaredNorm()) / 3;
    b.segment<3>(3 * i) = c.b;
    const double scale = 1 / std::sqrt(D[i]);
    add(c.first, c.D, c.G1, scale);
    if (c.second >= 0) add(c.second, c.beta * c.D, c.G2, scale);
    rows_start_.push_back(static_cast<int>(rows_.size()));
  }
  laws_.set(offset, law, D, b);
  correction_.clear();
  skew_.clear();
  finish();
}

bool VelocitySpace::set(const GlobalProblem& problem) {
  if (problem.compliance.size() > 0) return false;
  const std::vector<int> part = find_bodies(problem);
  std::vector<std::vector<int>> dofs;
  std::vector<int> place(part.size());
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (at(part[i]) >= dofs.size()) dofs.resize(at(part[i]) + 1);
    place[i] = static_cast<int>(dofs[at(part[i])].size());
    dofs[at(part[i])].push_back(static_cast<int>(i));
  }
  // Parts that only f moves carry no constraint and drop out.
  std::vector<int> node(dofs.size(), -1);
  part_size_.clear();
  std::vector<MatX> inverse_root;
  correction_.clear();
  skew_.clear();
  bool symmetric = true;
  VecX v_free(problem.f.size());
  const auto number = [&](int p) {
    if (node[at(p)] >= 0) return true;
    const int size = static_cast<int>(dofs[at(p)].size());
    if (size > max_part) return false;
    MatX M = MatX::Zero(size, size);
    VecX f(size);
    for (int c = 0; c < size; ++c) {
      const int dof = dofs[at(p)][at(c)];
      f[c] = problem.f[dof];
      for (SparseMatrix::InnerIterator it(problem.M, dof); it; ++it)
        if (it.value() != 0) M(place[at(static_cast<int>(it.row()))], c) += it.value();
    }
    const MatX Ms = 0.5 * (M + M.transpose());
    const Eigen::LLT<MatX> llt(Ms);
    if (llt.info() != Eigen::Success) return false;
    MatX root = llt.matrixL().solve(MatX::Identity(size, size));  // L^-1
    const VecX v = M.partialPivLu().solve(f);
    for (int c = 0; c < size; ++c) v_free[dofs[at(p)][at(c)]] = v[c];
    const MatX K = root * (M - Ms) * root.transpose();
    if (K.cwiseAbs().maxCoeff() > 1e-15) symmetric = false;
    skew_.push_back(K);
    correction_.push_back((MatX::Identity(size, size) + K).inverse() - MatX::Identity(size, size));
    node[at(p)] = static_cast<int>(part_size_.size());
    part_size_.push_back(size);
    inverse_root.push_back(std::move(root));
    return true;
  };
  rows_.clear();
  rows_start_.assign(1, 0);
  A_.clear();
  const int n = problem.size();
  VecX D(n), b = problem.w;
  std::vector<int> touched;
  for (int i = 0; i < n; ++i) {
    const int height = problem.rows(i), o = problem.offset[at(i)];
    touched.clear();
    for (int l = 0; l < height; ++l)
      for (SparseMatrix::InnerIterator it(problem.H, o + l); it; ++it)
        if (it.value() != 0) touched.push_back(part[at(static_cast<int>(it.row()))]);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    D[i] = 0;
    const std::size_t first = rows_.size();
    for (const int p : touched) {
      if (!number(p)) return false;
      const int k = node[at(p)], size = part_size_[at(k)];
      MatX rows = MatX::Zero(height, size);
      for (int l = 0; l < height; ++l)
        for (SparseMatrix::InnerIterator it(problem.H, o + l); it; ++it)
          if (part[at(static_cast<int>(it.row()))] == p) rows(l, place[at(static_cast<int>(it.row()))]) += it.value();
      for (int c = 0; c < size; ++c) b.segment(o, height) += rows.col(c) * v_free[dofs[at(p)][at(c)]];
      const MatX A = rows * inverse_root[at(k)].transpose();
      D[i] += (A * (A + A * correction_[at(k)].transpose()).transpose()).trace() / height;
      rows_.push_back({k, A_.size()});
      A_.insert(A_.end(), A.data(), A.data() + A.size());
    }
    if (!(D[i] > 0)) return false;
    const double scale = 1 / std::sqrt(D[i]);
    for (std::size_t k = rows_[first].start; k < A_.size(); ++k) A_[k] *= scale;
    rows_start_.push_back(static_cast<int>(rows_.size()));
  }
  if (symmetric) {
    correction_.clear();
    skew_.clear();
  }
  laws_.set(problem.offset, problem.law, D, b);
  finish();
  return true;
}

void VelocitySpace::finish() {
  local_.clear();
  pairs_.clear();
  pair_start_.assign(1, 0);
  for (std::size_t i = 0; i + 1 < rows_start_.size(); ++i) {
    for (int k = rows_start_[i]; k < rows_start_[i + 1]; ++k)
      for (int l = rows_start_[i]; l < k; ++l) pairs_.emplace_back(rows_[at(k)].part, rows_[at(l)].part);
    pair_start_.push_back(static_cast<int>(pairs_.size()));
  }
  part_offset_.assign(1, 0);
  for (const int size : part_size_) part_offset_.push_back(part_offset_.back() + size);
}

bool VelocitySpace::plan(double max_cost) { return lu_.plan(part_size_, pairs_, 2 * max_cost); }

void VelocitySpace::apply(const VecX& z, VecX& U) const {
  U.resize(laws_.total());
  for (int i = 0; i < laws_.size(); ++i) {
    const int height = laws_.rows(i), o = laws_.offset[at(i)];
    if (height == 3) {
      Vec3 sum = Vec3::Zero();
      for (int k = rows_start_[at(i)]; k < rows_start_[at(i) + 1]; ++k) {
        const Rows& r = rows_[at(k)];
        const double* x = z.data() + part_offset_[at(r.part)];
        if (part_size_[at(r.part)] == 6) {
          sum += Eigen::Map<const Rows36>(A_.data() + r.start) * Eigen::Map<const Vec6>(x);
        } else {
          for (int c = 0; c < part_size_[at(r.part)]; ++c)
            sum += Eigen::Map<const Vec3>(A_.data() + r.start + 3 * at(c)) * x[c];
        }
      }
      U.segment<3>(o) = sum;
      continue;
    }
    U.segment(o, height).setZero();
    for (int k = rows_start_[at(i)]; k < rows_start_[at(i) + 1]; ++k) {
      const Rows& r = rows_[at(k)];
      const int size = part_size_[at(r.part)];
      U.segment(o, height).noalias() +=
          Eigen::Map<const MatX>(A_.data() + r.start, height, size) * z.segment(part_offset_[at(r.part)], size);
    }
  }
}

void VelocitySpace::apply_transposed(const VecX& r, VecX& z) const {
  z.setZero(part_offset_.back());
  for (int i = 0; i < laws_.size(); ++i) {
    const int height = laws_.rows(i), o = laws_.offset[at(i)];
    for (int k = rows_start_[at(i)]; k < rows_start_[at(i) + 1]; ++k) {
      const Rows& rows = rows_[at(k)];
      const int size = part_size_[at(rows.part)];
      double* x = z.data() + part_offset_[at(rows.part)];
      if (height == 3 && size == 6) {
        Eigen::Map<Vec6>{x} += Eigen::Map<const Rows36>(A_.data() + rows.start).transpose() * r.segment<3>(o);
      } else {
        Eigen::Map<VecX>(x, size).noalias() +=
            Eigen::Map<const MatX>(A_.data() + rows.start, height, size).transpose() * r.segment(o, height);
      }
    }
  }
}

void VelocitySpace::correct(const VecX& z, VecX& out) const {
  out.resize(z.size());
  for (std::size_t k = 0; k < correction_.size(); ++k)
    out.segment(part_offset_[k], part_size_[k]).noalias() = correction_[k] * z.segment(part_offset_[k], part_size_[k]);
}

void VelocitySpace::velocity(const VecX& r, VecX& U) const {
  apply_transposed(r, z_work_);
  if (!correction_.empty()) {
    correct(z_work_, z_work2_);
    z_work_ += z_work2_;
  }
  apply(z_work_, U);
  U += laws_.b;
}

void VelocitySpace::start(const VecX& r) {
  apply_transposed(r, z_);
  if (correction_.empty()) {
    apply(z_, U_);
  } else {
    correct(z_, z_work_);
    z_work_ += z_;
    apply(z_work_, U_);
  }
  U_ += laws_.b;
}

double VelocitySpace::gradient(const VecX& gamma) {
  apply_transposed(gamma, g_);
  g_ = z_ - g_;
  return g_.norm();
}

bool VelocitySpace::direction(const LawBlocks& E, double eps) {
  const double inverse = 1 / eps;
  if (!factor_.plan(part_size_, pairs_)) return false;  // when first needed: Newton on the true law does without
  factor_.set_zero();
  for (std::size_t k = 0; k < part_size_.size(); ++k)
    for (int l = 0; l < part_size_[k]; ++l) factor_.add_diagonal(static_cast<int>(k), l, l, 1);
  for (int i = 0; i < laws_.size(); ++i) {
    if (E.zero[at(i)]) continue;
    const int height = laws_.rows(i);
    int pair = pair_start_[at(i)];
    for (int k = rows_start_[at(i)]; k < rows_start_[at(i) + 1]; ++k) {
      const Rows& a = rows_[at(k)];
      const int size = part_size_[at(a.part)];
      if (height == 3 && size == 6) {
        const Eigen::Map<const Rows36> A(A_.data() + a.start);
        const Rows36 EA = inverse * (Eigen::Map<const Mat3>(E[i]) * A);
        const Eigen::Matrix<double, 6, 6> block = A.transpose() * EA;
        factor_.add_diagonal(a.part, block);
        for (int l = rows_start_[at(i)]; l < k; ++l, ++pair) {
          const Rows& other = rows_[at(l)];
          if (part_size_[at(other.part)] == 6) {
            const Eigen::Matrix<double, 6, 6> product =
                EA.transpose() * Eigen::Map<const Rows36>(A_.data() + other.start);
            factor_.add_pair(pair, product);
          } else {
            factor_.add_pair(
                pair, EA.transpose() * Eigen::Map<const MatX>(A_.data() + other.start, 3, part_size_[at(other.part)]));
          }
        }
        continue;
      }
      const Eigen::Map<const MatX> A(A_.data() + a.start, height, size);
      const MatX EA = inverse * (Eigen::Map<const MatX>(E[i], height, height) * A);
      factor_.add_diagonal(a.part, A.transpose() * EA);
      for (int l = rows_start_[at(i)]; l < k; ++l, ++pair) {
        const Rows& other = rows_[at(l)];
        factor_.add_pair(
            pair, EA.transpose() * Eigen::Map<const MatX>(A_.data() + other.start, height, part_size_[at(other.part)]));
      }
    }
  }
  if (!factor_.factor()) return false;
  dz_ = -g_;
  factor_.solve(dz_);
  apply(dz_, dU_);
  return true;
}

double VelocitySpace::blocks_of_w() const {
  std::vector<double> constraints(part_size_.size(), 0);
  for (const Rows& rows : rows_) ++constraints[at(rows.part)];
  // Where bodies are not known and M is diagonal, every coordinate is a part of its own: six of them are one body.
  double sum = 0;
  for (std::size_t k = 0; k < constraints.size(); ++k)
    sum += constraints[k] * constraints[k] * std::min(1.0, part_size_[k] / 6.0);
  return sum;
}

void VelocitySpace::step(double alpha) {
  z_ += alpha * dz_;
  U_ += alpha * dU_;
}

void VelocitySpace::prepare_sweeps(const VecX& r) {
  apply_transposed(r, z_sweep_);
  if (!correction_.empty()) {
    correct(z_sweep_, z_work_);
    z_sweep_ += z_work_;
  }
  if (local_.size() == at(laws_.size())) return;
  local_.resize(at(laws_.size()));
  for (int i = 0; i < laws_.size(); ++i) {
    const int height = laws_.rows(i);
    MatX W = MatX::Zero(height, height);
    for (int k = rows_start_[at(i)]; k < rows_start_[at(i) + 1]; ++k) {
      const Rows& rows = rows_[at(k)];
      const Eigen::Map<const MatX> A(A_.data() + rows.start, height, part_size_[at(rows.part)]);
      W += A * A.transpose();
      if (!correction_.empty()) W += A * correction_[at(rows.part)] * A.transpose();
    }
    local_[at(i)].prepare(laws_.law[at(i)], height, W.data());
  }
}

double VelocitySpace::sweep(VecX& r, bool forward) {
  double change = 0;
  const int n = laws_.size();
  for (int s = 0; s < n; ++s) {
    const int i = forward ? s : n - 1 - s;
    const int height = laws_.rows(i), o = laws_.offset[at(i)];
    double U[max_rows], next[max_rows], d[max_rows];
    std::copy_n(laws_.b.data() + o, height, U);
    const int first = rows_start_[at(i)], last = rows_start_[at(i) + 1];
    for (int k = first; k < last; ++k) {
      const Rows& rows = rows_[at(k)];
      const int size = part_size_[at(rows.part)];
      const double *A = A_.data() + rows.start, *z = z_sweep_.data() + part_offset_[at(rows.part)];
      if (height == 3 && size == 6) {
        Eigen::Map<Vec3>{U} += Eigen::Map<const Rows36>(A) * Eigen::Map<const Vec6>(z);
      } else {
        for (int c = 0; c < size; ++c)
          for (int l = 0; l < height; ++l) U[l] += A[l + c * height] * z[c];
      }
    }
    double* x = r.data() + o;
    local_[at(i)].solve(laws_.law[at(i)], height, U, x, next);
    double square = 0;
    for (int l = 0; l < height; ++l) {
      d[l] = next[l] - x[l];
      square += d[l] * d[l];
      x[l] = next[l];
    }
    if (square == 0) continue;
    change += square;
    for (int k = first; k < last; ++k) {
      const Rows& rows = rows_[at(k)];
      const int size = part_size_[at(rows.part)];
      const double* A = A_.data() + rows.start;
      double* z = z_sweep_.data() + part_offset_[at(rows.part)];
      if (correction_.empty() && height == 3 && size == 6) {
        Eigen::Map<Vec6>{z} += Eigen::Map<const Rows36>(A).transpose() * Eigen::Map<const Vec3>(d);
        continue;
      }
      const VecX dz = Eigen::Map<const MatX>(A, height, size).transpose() * Eigen::Map<const VecX>(d, height);
      Eigen::Map<VecX>(z, size) += dz;
      if (!correction_.empty()) Eigen::Map<VecX>(z, size) += correction_[at(rows.part)] * dz;
    }
  }
  return std::sqrt(change);
}

void VelocitySpace::true_start(const VecX& r) {
  apply_transposed(r, z_);
  if (!correction_.empty()) {
    correct(z_, z_work_);
    z_ += z_work_;
  }
  apply(z_, U_);
  U_ += laws_.b;
}

double VelocitySpace::true_gradient(const VecX& gamma) {
  apply_transposed(gamma, g_);
  g_ = z_ - g_;
  for (std::size_t k = 0; k < skew_.size(); ++k)
    g_.segment(part_offset_[k], part_size_[k]).noalias() += skew_[k] * z_.segment(part_offset_[k], part_size_[k]);
  return g_.norm();
}

bool VelocitySpace::true_matrix(const LawBlocks& B, double eps) {
  if (!lu_.plan(part_size_, pairs_)) return false;
  const double inverse = 1 / eps;
  lu_.set_zero();
  for (std::size_t k = 0; k < part_size_.size(); ++k) {
    for (int l = 0; l < part_size_[k]; ++l) lu_.add_diagonal(static_cast<int>(k), l, l, 1);
    if (!skew_.empty()) lu_.add_diagonal(static_cast<int>(k), skew_[k]);
  }
  for (int i = 0; i < laws_.size(); ++i) {
    if (B.zero[at(i)]) continue;
    const int height = laws_.rows(i);
    int pair = pair_start_[at(i)];
    for (int k = rows_start_[at(i)]; k < rows_start_[at(i) + 1]; ++k) {
      const Rows& a = rows_[at(k)];
      const int size = part_size_[at(a.part)];
      if (height == 3 && size == 6) {
        const Eigen::Map<const Rows36> A(A_.data() + a.start);
        const Eigen::Map<const Mat3> Bi(B[i]);
        const Rows36 BA = inverse * (Bi * A), BtA = inverse * (Bi.transpose() * A);
        const Eigen::Matrix<double, 6, 6> block = A.transpose() * BA;
        lu_.add_diagonal(a.part, block);
        for (int l = rows_start_[at(i)]; l < k; ++l, ++pair) {
          const Rows& other = rows_[at(l)];
          if (part_size_[at(other.part)] == 6) {
            const Eigen::Map<const Rows36> O(A_.data() + other.start);
            const Eigen::Matrix<double, 6, 6> first = BtA.transpose() * O, second = O.transpose() * BA;
            lu_.add_pair(pair, first, second);
          } else {
            const Eigen::Map<const MatX> O(A_.data() + other.start, 3, part_size_[at(other.part)]);
            lu_.add_pair(pair, BtA.transpose() * O, O.transpose() * BA);
          }
        }
        continue;
      }
      const Eigen::Map<const MatX> A(A_.data() + a.start, height, size), Bi(B[i], height, height);
      const MatX BA = inverse * (Bi * A), BtA = inverse * (Bi.transpose() * A);
      lu_.add_diagonal(a.part, A.transpose() * BA);
      for (int l = rows_start_[at(i)]; l < k; ++l, ++pair) {
        const Rows& other = rows_[at(l)];
        const Eigen::Map<const MatX> O(A_.data() + other.start, height, part_size_[at(other.part)]);
        lu_.add_pair(pair, BtA.transpose() * O, O.transpose() * BA);
      }
    }
  }
  return true;
}

bool VelocitySpace::true_direction(const LawBlocks& B, double eps) {
  return true_matrix(B, eps) && lu_.factor() && true_direction_again();
}

bool VelocitySpace::true_direction_again() {
  dz_ = -g_;
  lu_.solve(dz_);
  apply(dz_, dU_);
  return dz_.allFinite();
}

void VelocitySpace::true_source(const VecX& gamma) { apply_transposed(gamma, g_); }

}  // namespace cairn
