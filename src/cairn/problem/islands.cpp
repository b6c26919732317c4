// SPDX-License-Identifier: Apache-2.0
// Islands by union-find over what constraints share.
#include "cairn/problem/islands.h"

#include <algorithm>
#include <numeric>

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class UnionFind {
 public:
  explicit UnionFind(int n) : parent_(at(n)) { std::iota(parent_.begin(), parent_.end(), 0); }
  int root(int i) {
    while (parent_[at(i)] != i) {
      parent_[at(i)] = parent_[at(parent_[at(i)])];
      i = parent_[at(i)];
    }
    return i;
  }
  /// Joins the group of root a with that of b; its root.
  int join_root(int a, int b) {
    if (parent_[at(b)] == a) return a;  // as most are
    b = root(b);
    const int lower = std::min(a, b);
    parent_[at(std::max(a, b))] = lower;
    return lower;
  }
  void join(int a, int b) { join_root(root(a), b); }

 private:
  std::vector<int> parent_;
};

}  // namespace

std::vector<int> find_islands(const LocalProblem& problem) {
  const int n = problem.size();
  UnionFind groups(n);
  for (int i = 0; i < n; ++i) {
    int root = groups.root(i);
    for (int k = problem.W.row_start[at(i)]; k < problem.W.row_start[at(i) + 1]; ++k)
      root = groups.join_root(root, problem.W.column[at(k)]);
  }
  std::vector<int> island(at(n), -1);
  int count = 0;
  for (int i = 0; i < n; ++i) {
    const int root = groups.root(i);
    if (root == i) island[at(i)] = count++;
    island[at(i)] = island[at(root)];
  }
  return island;
}

std::vector<int> find_islands(const PairProblem& problem) {
  UnionFind groups(problem.block_count);
  for (const PairBlock& c : problem.blocks)
    if (c.second >= 0) groups.join(c.first, c.second);
  std::vector<int> number(at(problem.block_count), -1), island;
  int count = 0;
  for (const PairBlock& c : problem.blocks) {
    int& found = number[at(groups.root(c.first))];
    if (found < 0) found = count++;
    island.push_back(found);
  }
  return island;
}

IslandList group_islands(const std::vector<int>& island) {
  IslandList list;
  for (const int k : island) {
    if (at(k) + 2 > list.first.size()) list.first.resize(at(k) + 2, 0);
    ++list.first[at(k) + 1];
  }
  std::partial_sum(list.first.begin(), list.first.end(), list.first.begin());
  std::vector<int> next = list.first;
  list.member.resize(island.size());
  for (std::size_t i = 0; i < island.size(); ++i) list.member[at(next[at(island[i])]++)] = static_cast<int>(i);
  return list;
}

LocalProblem extract(const LocalProblem& problem, std::span<const int> constraints) {
  LocalProblem part;
  std::vector<int> place(at(problem.size()), -1);
  for (std::size_t k = 0; k < constraints.size(); ++k) place[at(constraints[k])] = static_cast<int>(k);
  part.W.row_start.push_back(0);
  for (const int i : constraints) {
    part.law.push_back(problem.law[at(i)]);
    part.offset.push_back(part.offset.back() + problem.rows(i));
    for (int k = problem.W.row_start[at(i)]; k < problem.W.row_start[at(i) + 1]; ++k) {
      const int j = problem.W.column[at(k)];
      if (place[at(j)] < 0) continue;
      part.W.column.push_back(place[at(j)]);
      part.W.start.push_back(part.W.values.size());
      const double* values = problem.W.values.data() + problem.W.start[at(k)];
      part.W.values.insert(part.W.values.end(), values, values + problem.rows(i) * problem.rows(j));
    }
    part.W.row_start.push_back(static_cast<int>(part.W.column.size()));
  }
  part.b.resize(part.offset.back());
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    const int i = constraints[k];
    part.b.segment(part.offset[k], problem.rows(i)) = problem.b.segment(problem.offset[at(i)], problem.rows(i));
  }
  return part;
}

PairProblem extract(const PairProblem& problem, std::span<const int> constraints) {
  PairProblem part;
  std::vector<int> number(at(problem.block_count), -1);
  const auto renumber = [&](int block) {
    if (block < 0) return -1;
    if (number[at(block)] < 0) number[at(block)] = part.block_count++;
    return number[at(block)];
  };
  for (const int i : constraints) {
    PairBlock c = problem.blocks[at(i)];
    c.first = renumber(c.first);
    c.second = renumber(c.second);
    part.blocks.push_back(c);
  }
  return part;
}

GlobalProblem extract(const GlobalProblem& problem, std::span<const int> constraints) {
  GlobalProblem part;
  part.M = problem.M;
  part.f = problem.f;
  std::vector<int> row;  // of the whole problem
  for (const int i : constraints) {
    for (int l = 0; l < problem.rows(i); ++l) row.push_back(problem.offset[at(i)] + l);
    part.offset.push_back(static_cast<int>(row.size()));
    part.law.push_back(problem.law[at(i)]);
  }
  part.w = problem.w(row);
  if (problem.compliance.size() > 0) part.compliance = problem.compliance(row);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < row.size(); ++k)
    for (SparseMatrix::InnerIterator it(problem.H, row[k]); it; ++it)
      entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(k), it.value());
  part.H.resize(problem.H.rows(), static_cast<Eigen::Index>(row.size()));
  part.H.setFromTriplets(entries.begin(), entries.end());
  return part;
}

GlobalProblem extract(const GlobalProblem& problem, std::span<const int> constraints, std::span<const int> dofs) {
  GlobalProblem part = extract(problem, constraints);
  std::vector<int> place(static_cast<std::size_t>(problem.f.size()), -1);
  for (std::size_t k = 0; k < dofs.size(); ++k) place[at(dofs[k])] = static_cast<int>(k);
  const int n = static_cast<int>(dofs.size());
  const auto reduce = [&](SparseMatrix& X, bool columns) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int c = 0; c < X.outerSize(); ++c) {
      const int column = columns ? place[at(c)] : c;
      for (SparseMatrix::InnerIterator it(X, c); it; ++it) {
        const int row = place[at(static_cast<int>(it.row()))];
        if (row >= 0 && column >= 0) entries.emplace_back(row, column, it.value());
      }
    }
    X = SparseMatrix(n, columns ? n : static_cast<int>(X.cols()));
    X.setFromTriplets(entries.begin(), entries.end());
  };
  reduce(part.M, true);
  reduce(part.H, false);
  part.f = problem.f(std::vector<int>(dofs.begin(), dofs.end()));
  return part;
}

}  // namespace cairn
