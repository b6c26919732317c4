// SPDX-License-Identifier: Apache-2.0
// W in blocks: products, scales, assembly over the bodies that constraints share (Koziara, appendix A.3).
#include "cairn/problem/local_problem.h"

#include "cairn/base/error.h"
#include "cairn/problem/block_product.h"

#include <algorithm>
#include <cmath>

namespace cairn {

BlockMatrix assemble_blocks(const LocalRows& rows_of, const std::vector<int>& offset, int body_count) {
  std::vector<std::vector<int>> of_body(static_cast<std::size_t>(body_count));  // constraints
  const std::size_t count = offset.size() - 1;
  for (std::size_t i = 0; i < count; ++i)
    for (const LocalRows::Side& side : rows_of.of(i))
      of_body[static_cast<std::size_t>(side.body)].push_back(static_cast<int>(i));
  BlockMatrix W;
  W.row_start.push_back(0);
  std::vector<int> columns;
  for (std::size_t i = 0; i < count; ++i) {
    columns.assign(1, static_cast<int>(i));
    for (const LocalRows::Side& side : rows_of.of(i))
      for (const int j : of_body[static_cast<std::size_t>(side.body)]) columns.push_back(j);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const int rows = offset[i + 1] - offset[i];
    for (const int j : columns) {
      W.column.push_back(j);
      W.start.push_back(W.values.size());
      const int width = offset[static_cast<std::size_t>(j) + 1] - offset[static_cast<std::size_t>(j)];
      MatX block = MatX::Zero(rows, width);
      // Signed sides make the sign rule (7.1.7) automatic, also for frames that share both bodies.
      for (const LocalRows::Side& a : rows_of.of(i))
        for (const LocalRows::Side& b : rows_of.of(static_cast<std::size_t>(j)))
          if (a.body == b.body) block.noalias() += a.H * b.Y;
      W.values.insert(W.values.end(), block.data(), block.data() + block.size());
    }
    W.row_start.push_back(static_cast<int>(W.column.size()));
  }
  return W;
}

VecX LocalProblem::velocity(const VecX& r) const {
  VecX U(b.size());
  velocity(r, U);
  return U;
}

void LocalProblem::velocity(const VecX& r, VecX& U) const {
  U = b;
  for (int i = 0; i < size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    const int height = rows(i);
    double* out = U.data() + offset[row];
    BlockSum threes;
    for (int k = W.row_start[row]; k < W.row_start[row + 1]; ++k) {
      const std::size_t j = static_cast<std::size_t>(W.column[static_cast<std::size_t>(k)]);
      const double* values = W.values.data() + W.start[static_cast<std::size_t>(k)];
      const double* x = r.data() + offset[j];
      const int width = offset[j + 1] - offset[j];
      if (height == 3 && width == 3) {  // nearly all of them
        threes.add(values, x);
        continue;
      }
      for (int c = 0; c < width; ++c)
        for (int l = 0; l < height; ++l) out[l] += values[c * height + l] * x[c];
    }
    if (height == 3) Eigen::Map<Vec3>{out} += threes.value();
  }
}

std::size_t LocalProblem::diagonal_place(int i) const {
  const auto row = static_cast<std::size_t>(i);
  const auto begin = W.column.begin() + W.row_start[row], end = W.column.begin() + W.row_start[row + 1];
  return static_cast<std::size_t>(std::lower_bound(begin, end, i) - W.column.begin());
}

MatX LocalProblem::diagonal(int i) const {
  const std::size_t row = static_cast<std::size_t>(i);
  for (int k = W.row_start[row]; k < W.row_start[row + 1]; ++k)
    if (W.column[static_cast<std::size_t>(k)] == i) return block(i, k);
  return MatX::Zero(rows(i), rows(i));
}

VecX LocalProblem::scales() const {
  VecX D(size());
  for (int i = 0; i < size(); ++i) {
    double trace = 0;
    const std::size_t k = diagonal_place(i);
    if (k < static_cast<std::size_t>(W.row_start[static_cast<std::size_t>(i) + 1]) && W.column[k] == i) {
      const int m = rows(i);
      const double* B = W.values.data() + W.start[k];
      for (int l = 0; l < m; ++l) trace += B[l * (m + 1)];
      trace /= m;
    }
    D[i] = trace;
  }
  return replace_by_mean(std::move(D));
}

VecX replace_by_mean(VecX D) {
  double sum = 0;
  int count = 0;
  for (const double x : D)
    if (x > 0) sum += x, ++count;
  const double mean = count > 0 ? sum / count : 1;
  for (double& x : D)
    if (!(x > 0)) x = mean;
  return D;
}

void check_problem(const LocalProblem& problem, std::string_view owner) {
  const int n = problem.size();
  if (problem.offset.size() != problem.law.size() + 1 || problem.offset[0] != 0) {
    throw Error("{}: {} laws but {} constraints", owner, n, static_cast<int>(problem.offset.size()) - 1);
  }
  for (int i = 0; i < n; ++i) {
    check_law(problem.law[static_cast<std::size_t>(i)], problem.rows(i), fmt::format("{}: constraint {}", owner, i));
  }
  if (problem.b.size() != problem.offset.back()) {
    throw Error("{}: b has {} entries; must have {}", owner, problem.b.size(), problem.offset.back());
  }
  if (!problem.b.allFinite()) throw Error("{}: b holds numbers that are not finite", owner);
  for (const double x : problem.W.values)
    if (!std::isfinite(x)) throw Error("{}: W holds numbers that are not finite", owner);
}

void BlockMatrixBuilder::add(int row, int column, double value) { entries_.push_back({row, column, value}); }

BlockMatrix BlockMatrixBuilder::finish() {
  const std::size_t n = offset_.size() - 1;
  block_of_row_.resize(static_cast<std::size_t>(offset_[n]));
  for (std::size_t i = 0; i < n; ++i)
    std::fill(block_of_row_.begin() + offset_[i], block_of_row_.begin() + offset_[i + 1], static_cast<int>(i));
  const auto block_of = [&](int scalar) { return block_of_row_[static_cast<std::size_t>(scalar)]; };
  // Every diagonal block exists; zeros elsewhere make no block.
  for (std::size_t i = 0; i < n; ++i) entries_.push_back({offset_[i], offset_[i], 0});
  std::erase_if(entries_, [&](const Entry& e) { return e.value == 0 && block_of(e.row) != block_of(e.column); });
  std::stable_sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) {
    return std::pair(block_of(a.row), block_of(a.column)) < std::pair(block_of(b.row), block_of(b.column));
  });
  BlockMatrix W;
  W.row_start.assign(n + 1, 0);
  int last_row = -1, last_column = -1;
  for (const Entry& e : entries_) {
    const int i = block_of(e.row), j = block_of(e.column);
    const int height = offset_[static_cast<std::size_t>(i) + 1] - offset_[static_cast<std::size_t>(i)];
    const int width = offset_[static_cast<std::size_t>(j) + 1] - offset_[static_cast<std::size_t>(j)];
    if (i != last_row || j != last_column) {
      W.column.push_back(j);
      W.start.push_back(W.values.size());
      W.values.resize(W.values.size() + static_cast<std::size_t>(height * width), 0.0);
      ++W.row_start[static_cast<std::size_t>(i) + 1];
      last_row = i, last_column = j;
    }
    const int place =
        (e.row - offset_[static_cast<std::size_t>(i)]) + height * (e.column - offset_[static_cast<std::size_t>(j)]);
    W.values[W.start.back() + static_cast<std::size_t>(place)] += e.value;
  }
  for (std::size_t i = 0; i < n; ++i) W.row_start[i + 1] += W.row_start[i];
  entries_.clear();
  return W;
}

LocalProblem join(const LocalProblem& first, const LocalProblem& second) {
  LocalProblem both = first;
  if (both.W.row_start.empty()) both.W.row_start.push_back(0);
  const int count = first.size(), rows = first.offset.back(), blocks = static_cast<int>(first.W.column.size());
  const std::size_t values = first.W.values.size();
  both.law.insert(both.law.end(), second.law.begin(), second.law.end());
  for (int i = 0; i < second.size(); ++i) {
    both.offset.push_back(rows + second.offset[static_cast<std::size_t>(i) + 1]);
    both.W.row_start.push_back(blocks + second.W.row_start[static_cast<std::size_t>(i) + 1]);
  }
  for (const int column : second.W.column) both.W.column.push_back(count + column);
  for (const std::size_t start : second.W.start) both.W.start.push_back(values + start);
  both.W.values.insert(both.W.values.end(), second.W.values.begin(), second.W.values.end());
  both.b.resize(rows + second.b.size());
  both.b.head(first.b.size()) = first.b;
  both.b.tail(second.b.size()) = second.b;
  return both;
}

LocalProblem to_local(const PairProblem& problem) {
  LocalProblem local;
  LocalRows rows;
  const auto add_side = [&](int body, const Mat3& linear, const Mat3& angular) {
    MatX H(3, 6);
    H << linear, angular;
    rows.sides.push_back({body, H, H.transpose()});
  };
  for (const PairBlock& c : problem.blocks) {
    local.law.push_back({c.law, c.mu});
    local.offset.push_back(local.offset.back() + 3);
    add_side(c.first, c.D, c.G1);
    if (c.second >= 0) add_side(c.second, c.beta * c.D, c.G2);
    rows.first.push_back(static_cast<int>(rows.sides.size()));
  }
  local.b.resize(local.offset.back());
  for (std::size_t i = 0; i < problem.size(); ++i) local.b.segment<3>(3 * static_cast<int>(i)) = problem.blocks[i].b;
  local.W = assemble_blocks(rows, local.offset, problem.block_count);
  return local;
}

}  // namespace cairn
