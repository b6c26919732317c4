// SPDX-License-Identifier: Apache-2.0
// Assembly of W and b over the bodies that constraints share (Koziara, section 3.6 and appendix A.3).
#include "cairn/problem/local_problem.h"

#include "cairn/base/error.h"
#include "cairn/problem/block_product.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// Builds W = sum over shared bodies of H_i Y_j from the sides of all constraints.
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

MatX apply_inverse_mass(const Bodies::Slot& s, const FreeMotion& free, const MatX& Ht) {
  if (!s.rigid) {
    MatX Y = Ht;
    free.mass[static_cast<std::size_t>(s.index)]->solve(Y);
    return Y;
  }
  const std::size_t k = static_cast<std::size_t>(s.index);
  const Mat3& root = free.inverse_inertia_root[k];
  MatX Y(6, Ht.cols());
  Y.topRows<3>() = free.inverse_mass_root[k] * free.inverse_mass_root[k] * Ht.topRows<3>();
  Y.bottomRows<3>() = root.transpose() * (root * Ht.bottomRows<3>());
  return Y;
}

/// Y of the last constraint's sides (from `first` on) on coupled bodies, and further sides for the rest of their
/// islands.
void couple_sides(const Bodies& bodies, const CoupledMass& coupled, std::size_t first, LocalRows& rows) {
  std::vector<int> islands;
  for (std::size_t k = first; k < rows.sides.size(); ++k)
    if (const int island = coupled.island_of(rows.sides[k].body); island >= 0) islands.push_back(island);
  std::sort(islands.begin(), islands.end());
  islands.erase(std::unique(islands.begin(), islands.end()), islands.end());
  for (const int island : islands) {
    const std::span<const int> members = coupled.bodies_of(island), places = coupled.places_of(island);
    const auto rows_count = [&] {
      for (std::size_t k = first;; ++k)
        if (coupled.island_of(rows.sides[k].body) == island) return rows.sides[k].H.rows();
    }();
    MatX Y = MatX::Zero(places.back(), rows_count);
    std::vector<int> side_of(members.size(), -1);
    for (std::size_t k = first; k < rows.sides.size(); ++k) {
      LocalRows::Side& side = rows.sides[k];
      if (coupled.island_of(side.body) != island) continue;
      const auto m =
          static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), side.body) - members.begin());
      Y.middleRows(places[m], side.H.cols()) += side.H.transpose();
      side.Y.setZero();
      if (side_of[m] < 0) side_of[m] = static_cast<int>(k);
    }
    VecX x;
    for (Eigen::Index l = 0; l < rows_count; ++l) {
      x = Y.col(l);
      coupled.solve(island, x);
      Y.col(l) = x;
    }
    for (std::size_t m = 0; m < members.size(); ++m) {
      const int nu = bodies.slot(members[m]).nu;
      if (side_of[m] >= 0) {
        rows.sides[static_cast<std::size_t>(side_of[m])].Y = Y.middleRows(places[m], nu);
      } else {
        rows.sides.push_back({members[m], MatX::Zero(rows_count, nu), Y.middleRows(places[m], nu)});
      }
    }
  }
}

}  // namespace

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
  double sum = 0;
  int count = 0;
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
    if (D[i] > 0) sum += D[i], ++count;
  }
  const double mean = count > 0 ? sum / count : 1;
  for (int i = 0; i < size(); ++i)
    if (!(D[i] > 0)) D[i] = mean;
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

void compute_local_velocities(const Bodies& bodies, const VecX& q_mid, const VecX& u_begin, const FreeMotion& free,
                              std::span<RowBlock> blocks) {
  for (RowBlock& block : blocks) {
    block.U_begin = row_velocity(bodies, q_mid, u_begin, block);
    block.U_free = row_velocity(bodies, q_mid, free.u_free, block);
  }
}

void assemble(const Bodies& bodies, const VecX& q_mid, const FreeMotion& free, std::span<const RowBlock> blocks,
              std::span<const Constraint> constraints, LocalProblem& problem, LocalRows& rows,
              const CoupledMass* coupled) {
  problem = LocalProblem{};
  rows = LocalRows{};
  const auto add_side = [&](int body, MatX H) {
    MatX Y = apply_inverse_mass(bodies.slot(body), free, H.transpose());
    rows.sides.push_back({body, std::move(H), std::move(Y)});
  };
  const auto end_constraint = [&] {
    if (coupled && !coupled->empty()) couple_sides(bodies, *coupled, static_cast<std::size_t>(rows.first.back()), rows);
    rows.first.push_back(static_cast<int>(rows.sides.size()));
  };
  RowArena arena;
  for (const RowBlock& block : blocks) {
    problem.law.push_back(block.law);
    problem.offset.push_back(problem.offset.back() + block.rows);
    for (int k = 0; k < block.side_count; ++k) {
      const RowSide& side = block.sides[static_cast<std::size_t>(k)];
      if (!bodies.can_move(side.body)) continue;
      arena.clear();
      add_side(side.body, side_rows(bodies, q_mid, block, side, arena).dense(bodies.slot(side.body).nu));
    }
    end_constraint();
  }
  for (const Constraint& c : constraints) {
    const LawKind law = c.law == LawKind::Coulomb && c.friction == 0 ? LawKind::Frictionless : c.law;
    problem.law.push_back({law, law == LawKind::Coulomb ? c.friction : 0});
    const int n = law_rows(law);
    problem.offset.push_back(problem.offset.back() + n);
    const auto fill = [&](const PlacedPoint& p, double sign) {
      if (!bodies.can_move(p.body)) return;
      arena.clear();
      const Mat3X J = bodies.point_rows(p, q_mid, arena).dense(bodies.slot(p.body).nu);
      add_side(p.body, sign * (c.frame.topRows(n) * J));
    };
    fill(c.placed_a(), 1);
    fill(c.placed_b(), -1);
    end_constraint();
  }
  problem.b.resize(problem.offset.back());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const int n = blocks[i].rows;
    problem.b.segment(problem.offset[i], n) = (blocks[i].U_free + blocks[i].shift).head(n);
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const std::size_t place = blocks.size() + i;
    const int n = problem.rows(static_cast<int>(place));
    problem.b.segment(problem.offset[place], n) = (constraints[i].U_free + constraints[i].shift).head(n);
  }
  problem.W = assemble_blocks(rows, problem.offset, bodies.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].compliance.isZero(0)) continue;
    BlockMatrix& W = problem.W;
    double* values = W.values.data() + W.start[problem.diagonal_place(static_cast<int>(i))];
    for (int l = 0; l < blocks[i].rows; ++l) values[l * (blocks[i].rows + 1)] += blocks[i].compliance[l];
  }
}

void recover(const Bodies& bodies, const FreeMotion& free, const LocalProblem& problem, const LocalRows& rows,
             const VecX& r, VecX& u_solved, VecX& reaction) {
  u_solved = free.u_free;
  reaction.setZero(free.u_free.size());
  for (std::size_t i = 0; i + 1 < rows.first.size(); ++i)
    for (const LocalRows::Side& side : rows.of(i)) {
      const Bodies::Slot& s = bodies.slot(side.body);
      const VecX impulse = r.segment(problem.offset[i], problem.rows(static_cast<int>(i)));
      u_solved.segment(s.u, s.nu) += side.Y * impulse;
      reaction.segment(s.u, s.nu) += side.H.transpose() * impulse;
    }
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
