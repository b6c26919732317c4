// SPDX-License-Identifier: Apache-2.0
// Block Cholesky: ordering, symbolic and numerical factorisation, solution.
#include "cairn/math/block_cholesky.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <set>

namespace cairn {
namespace {

/// Greedy minimum degree on the elimination graph; returns the order and, per eliminated node, its later neighbours.
void minimum_degree(std::vector<std::vector<int>>& graph, std::vector<int>& order,
                    std::vector<std::vector<int>>& structure) {
  const int n = static_cast<int>(graph.size());
  std::set<std::pair<int, int>> queue;  // (degree, node): ties by index, so the plan is deterministic
  for (int i = 0; i < n; ++i) queue.emplace(static_cast<int>(graph[static_cast<std::size_t>(i)].size()), i);
  structure.assign(graph.size(), {});
  order.clear();
  std::vector<int> merged;
  while (!queue.empty()) {
    const int node = queue.begin()->second;
    queue.erase(queue.begin());
    order.push_back(node);
    std::vector<int>& neighbours = graph[static_cast<std::size_t>(node)];
    structure[static_cast<std::size_t>(node)] = neighbours;
    // Eliminating a node joins its neighbours pairwise.
    for (const int other : neighbours) {
      std::vector<int>& list = graph[static_cast<std::size_t>(other)];
      queue.erase({static_cast<int>(list.size()), other});
      merged.clear();
      std::set_union(list.begin(), list.end(), neighbours.begin(), neighbours.end(), std::back_inserter(merged));
      std::erase_if(merged, [&](int x) { return x == node || x == other; });
      list = merged;
      queue.emplace(static_cast<int>(list.size()), other);
    }
    neighbours.clear();
  }
}

}  // namespace

void BlockCholesky::plan(int n, std::span<const std::pair<int, int>> pairs) {
  std::vector<std::pair<int, int>> sorted(pairs.begin(), pairs.end());
  for (auto& [i, j] : sorted)
    if (i < j) std::swap(i, j);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (n == n_ && sorted == pairs_) return;
  n_ = n;
  pairs_ = std::move(sorted);

  std::vector<std::vector<int>> graph(static_cast<std::size_t>(n)), structure;
  for (const auto& [i, j] : pairs_) {
    graph[static_cast<std::size_t>(i)].push_back(j);
    graph[static_cast<std::size_t>(j)].push_back(i);
  }
  for (auto& list : graph) std::sort(list.begin(), list.end());
  minimum_degree(graph, order_, structure);
  place_.assign(static_cast<std::size_t>(n), 0);
  for (int k = 0; k < n; ++k) place_[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])] = k;
  column_start_.assign(1, 0);
  row_.clear();
  cost_ = 0;
  for (int k = 0; k < n; ++k) {
    std::vector<int>& rows = structure[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])];
    for (int& r : rows) r = place_[static_cast<std::size_t>(r)];
    std::sort(rows.begin(), rows.end());
    row_.insert(row_.end(), rows.begin(), rows.end());
    column_start_.push_back(static_cast<int>(row_.size()));
    const double count = static_cast<double>(rows.size());
    cost_ += 216 * (0.5 * count * (count + 1) + count + 0.33);
  }
  diagonal_.resize(static_cast<std::size_t>(n));
  value_.resize(row_.size());
  position_.assign(static_cast<std::size_t>(n), -1);
}

void BlockCholesky::set_zero() {
  for (Block& b : diagonal_) b.setZero();
  for (Block& b : value_) b.setZero();
}

int BlockCholesky::find(int row, int column) const {
  const auto begin = row_.begin() + column_start_[static_cast<std::size_t>(column)];
  const auto end = row_.begin() + column_start_[static_cast<std::size_t>(column) + 1];
  return static_cast<int>(std::lower_bound(begin, end, row) - row_.begin());
}

void BlockCholesky::add(int i, int j, const Block& B) {
  const int row = place_[static_cast<std::size_t>(i)], column = place_[static_cast<std::size_t>(j)];
  if (row > column) {
    value_[static_cast<std::size_t>(find(row, column))] += B;
  } else {
    value_[static_cast<std::size_t>(find(column, row))] += B.transpose();
  }
}

bool BlockCholesky::factor() {
  // chain_[j] heads the list (through link_) of finished columns whose next row is j.
  link_.assign(static_cast<std::size_t>(n_), -1);
  next_row_.assign(static_cast<std::size_t>(n_), 0);
  chain_.assign(static_cast<std::size_t>(n_), -1);
  for (int j = 0; j < n_; ++j) {
    const std::size_t column = static_cast<std::size_t>(j);
    for (int p = column_start_[column]; p < column_start_[column + 1]; ++p) {
      position_[static_cast<std::size_t>(row_[static_cast<std::size_t>(p)])] = p;
    }
    for (int k = chain_[column]; k >= 0;) {
      const std::size_t source = static_cast<std::size_t>(k);
      const int next = link_[source];
      const int first = next_row_[source], end = column_start_[source + 1];
      const Block& Ljk = value_[static_cast<std::size_t>(first)];
      diagonal_[column].noalias() -= Ljk * Ljk.transpose();
      for (int p = first + 1; p < end; ++p) {
        const int target = position_[static_cast<std::size_t>(row_[static_cast<std::size_t>(p)])];
        value_[static_cast<std::size_t>(target)].noalias() -= value_[static_cast<std::size_t>(p)] * Ljk.transpose();
      }
      next_row_[source] = first + 1;
      if (first + 1 < end) {
        const std::size_t row = static_cast<std::size_t>(row_[static_cast<std::size_t>(first) + 1]);
        link_[source] = chain_[row];
        chain_[row] = k;
      }
      k = next;
    }
    const Eigen::LLT<Block> llt(diagonal_[column]);
    if (llt.info() != Eigen::Success) return false;
    diagonal_[column] = llt.matrixL();
    for (int p = column_start_[column]; p < column_start_[column + 1]; ++p) {
      Block& L = value_[static_cast<std::size_t>(p)];
      diagonal_[column].template triangularView<Eigen::Lower>().transpose().template solveInPlace<Eigen::OnTheRight>(L);
    }
    next_row_[column] = column_start_[column];
    if (column_start_[column] < column_start_[column + 1]) {
      const std::size_t row = static_cast<std::size_t>(row_[static_cast<std::size_t>(column_start_[column])]);
      link_[column] = chain_[row];
      chain_[row] = j;
    }
  }
  return true;
}

void BlockCholesky::solve(std::span<Vec6> x) const {
  work_.resize(static_cast<std::size_t>(n_));
  for (int k = 0; k < n_; ++k)
    work_[static_cast<std::size_t>(k)] = x[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])];
  for (int j = 0; j < n_; ++j) {
    const std::size_t column = static_cast<std::size_t>(j);
    diagonal_[column].triangularView<Eigen::Lower>().solveInPlace(work_[column]);
    for (int p = column_start_[column]; p < column_start_[column + 1]; ++p) {
      work_[static_cast<std::size_t>(row_[static_cast<std::size_t>(p)])].noalias() -=
          value_[static_cast<std::size_t>(p)] * work_[column];
    }
  }
  for (int j = n_ - 1; j >= 0; --j) {
    const std::size_t column = static_cast<std::size_t>(j);
    for (int p = column_start_[column]; p < column_start_[column + 1]; ++p) {
      work_[column].noalias() -= value_[static_cast<std::size_t>(p)].transpose() *
                                 work_[static_cast<std::size_t>(row_[static_cast<std::size_t>(p)])];
    }
    diagonal_[column].triangularView<Eigen::Lower>().transpose().solveInPlace(work_[column]);
  }
  for (int k = 0; k < n_; ++k)
    x[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])] = work_[static_cast<std::size_t>(k)];
}

}  // namespace cairn
