// SPDX-License-Identifier: Apache-2.0
// Dense and sparse LU of the Newton systems in contact space: see the header.
#include "cairn/solvers/study/newton_linear.h"

#include <Eigen/OrderingMethods>

#include <algorithm>
#include <cmath>

namespace cairn {

void NewtonLinear::plan(const LocalProblem& problem) {
  problem_ = &problem;
  const int n = problem.offset.back();
  dense_ = n < dense_rows;
  right_.resize(n);
  ordered_.resize(n);
  rest_.resize(n);
  order_.assign(problem.offset.begin(), problem.offset.end() - 1);
  if (dense_) {
    full_.resize(n, n);
  } else {
    plan_sparse();
  }
}

void NewtonLinear::plan_sparse() {
  const LocalProblem& p = *problem_;
  const int count = p.size(), n = p.offset.back();
  // Order whole constraints: their rows are full blocks anyway, and the graph is smaller by the square of the rows.
  std::vector<Eigen::Triplet<double>> links;
  for (int i = 0; i < count; ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    for (int k = p.W.row_start[row]; k < p.W.row_start[row + 1]; ++k)
      links.emplace_back(i, p.W.column[static_cast<std::size_t>(k)], 1.0);
  }
  Eigen::SparseMatrix<double> graph(count, count);
  graph.setFromTriplets(links.begin(), links.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(graph, permutation);  // of the pattern of W + W'
  int next = 0;
  for (int place = 0; place < count; ++place) {
    const int i = permutation.indices()[place];
    order_[static_cast<std::size_t>(i)] = next;
    next += p.rows(i);
  }

  // The pattern, with zeros for the values; and where every column of every block goes.
  std::vector<Eigen::Triplet<double>> entries;
  const auto each_block = [&](const auto& visit) {
    for (int i = 0; i < count; ++i) {
      bool diagonal = false;
      const std::size_t row = static_cast<std::size_t>(i);
      for (int k = p.W.row_start[row]; k < p.W.row_start[row + 1]; ++k) {
        const int j = p.W.column[static_cast<std::size_t>(k)];
        diagonal = diagonal || i == j;
        visit(i, j);
      }
      if (!diagonal) visit(i, i);  // B needs a place where W has none
    }
  };
  each_block([&](int i, int j) {
    for (int c = 0; c < p.rows(j); ++c)
      for (int l = 0; l < p.rows(i); ++l)
        entries.emplace_back(order_[static_cast<std::size_t>(i)] + l, order_[static_cast<std::size_t>(j)] + c, 0.0);
  });
  sparse_.resize(n, n);
  sparse_.setFromTriplets(entries.begin(), entries.end());
  sparse_.makeCompressed();
  place_.clear();
  first_place_.clear();
  each_block([&](int i, int j) {
    first_place_.push_back(static_cast<int>(place_.size()));
    for (int c = 0; c < p.rows(j); ++c) {
      const int column = order_[static_cast<std::size_t>(j)] + c;
      const int* begin = sparse_.innerIndexPtr() + sparse_.outerIndexPtr()[column];
      const int* end = sparse_.innerIndexPtr() + sparse_.outerIndexPtr()[column + 1];
      const int* found = std::lower_bound(begin, end, order_[static_cast<std::size_t>(i)]);
      place_.push_back(static_cast<int>(found - sparse_.innerIndexPtr()));
    }
  });
  sparse_factor_.isSymmetric(true);  // the pattern is: order and pivots stay near the diagonal
  sparse_factor_.setPivotThreshold(0.1);
  sparse_factor_.analyzePattern(sparse_);
}

void NewtonLinear::assemble(std::span<const NewtonBlocks> blocks, double eps) {
  const LocalProblem& p = *problem_;
  if (dense_) full_.setZero();
  std::size_t visited = 0;
  // One block A_i W_ij (+ eps A_i + B_i on the diagonal) at its place.
  const auto put = [&](int i, int j, const double* W) {
    const NewtonBlocks& block = blocks[static_cast<std::size_t>(i)];
    const int height = p.rows(i), width = p.rows(j);
    for (int c = 0; c < width; ++c) {
      double column[max_rows] = {};
      if (W) {
        for (int k = 0; k < height; ++k) {
          const double x = W[c * height + k];
          for (int l = 0; l < height; ++l) column[l] += block.dU[static_cast<std::size_t>(l + height * k)] * x;
        }
      }
      if (i == j) {
        for (int l = 0; l < height; ++l) {
          const std::size_t at = static_cast<std::size_t>(l + height * c);
          column[l] += eps * block.dU[at] + block.dr[at];
        }
      }
      double* out = dense_ ? full_.data() +
                                 static_cast<std::ptrdiff_t>(p.offset[static_cast<std::size_t>(j)] + c) * full_.rows() +
                                 p.offset[static_cast<std::size_t>(i)]
                           : sparse_.valuePtr() + place_[static_cast<std::size_t>(first_place_[visited] + c)];
      std::copy_n(column, height, out);
    }
    ++visited;
  };
  for (int i = 0; i < p.size(); ++i) {
    bool diagonal = false;
    const std::size_t row = static_cast<std::size_t>(i);
    for (int k = p.W.row_start[row]; k < p.W.row_start[row + 1]; ++k) {
      const int j = p.W.column[static_cast<std::size_t>(k)];
      diagonal = diagonal || i == j;
      put(i, j, p.W.values.data() + p.W.start[static_cast<std::size_t>(k)]);
    }
    if (!diagonal) put(i, i, nullptr);
  }
}

bool NewtonLinear::factor(std::span<const NewtonBlocks> blocks, double eps) {
  assemble(blocks, eps);
  if (dense_) {
    if (!full_.allFinite()) return false;
    full_factor_.compute(full_);
    return full_.rows() == 0 || full_factor_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;
  }
  for (Eigen::Index k = 0; k < sparse_.nonZeros(); ++k)
    if (!std::isfinite(sparse_.valuePtr()[k])) return false;
  sparse_factor_.factorize(sparse_);
  return sparse_factor_.info() == Eigen::Success;
}

bool NewtonLinear::solve(std::span<const NewtonBlocks> blocks, VecX& x) {
  const LocalProblem& p = *problem_;
  for (int i = 0; i < p.size(); ++i)
    for (int l = 0; l < p.rows(i); ++l)
      right_[order_[static_cast<std::size_t>(i)] + l] =
          -blocks[static_cast<std::size_t>(i)].F[static_cast<std::size_t>(l)];
  // One step of iterative refinement makes up for the relaxed pivots, and its size tells a singular matrix.
  ordered_ = dense_ ? VecX(full_factor_.solve(right_)) : VecX(sparse_factor_.solve(right_));
  rest_ = right_;
  if (dense_) {
    rest_.noalias() -= full_ * ordered_;
  } else {
    rest_.noalias() -= sparse_ * ordered_;
  }
  ordered_ += dense_ ? VecX(full_factor_.solve(rest_)) : VecX(sparse_factor_.solve(rest_));
  if (!ordered_.allFinite() || !(rest_.norm() <= 0.1 * right_.norm())) return false;
  x.resize(right_.size());
  for (int i = 0; i < p.size(); ++i)
    for (int l = 0; l < p.rows(i); ++l)
      x[p.offset[static_cast<std::size_t>(i)] + l] = ordered_[order_[static_cast<std::size_t>(i)] + l];
  return true;
}

long NewtonLinear::factor_entries() const {
  return dense_ ? static_cast<long>(full_.size())
                : static_cast<long>(sparse_factor_.nnzL()) + static_cast<long>(sparse_factor_.nnzU());
}

}  // namespace cairn
