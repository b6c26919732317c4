// SPDX-License-Identifier: Apache-2.0
// Assembly of W and b over the bodies that constraints share (Koziara, section 3.6 and appendix A.3).
#include "cairn/problem/local_problem.h"

#include <algorithm>

namespace cairn {
namespace {

/// Builds W = sum over shared bodies of H_i Y_j from the sides of all constraints.
BlockMatrix assemble_blocks(const std::vector<std::array<LocalRows::Side, 2>>& sides, const std::vector<int>& offset,
                            int body_count) {
  std::vector<std::vector<std::pair<int, int>>> of_body(static_cast<std::size_t>(body_count));  // (constraint, side)
  for (std::size_t i = 0; i < sides.size(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int body = sides[i][static_cast<std::size_t>(side)].body;
      if (body >= 0) of_body[static_cast<std::size_t>(body)].emplace_back(static_cast<int>(i), side);
    }
  BlockMatrix W;
  W.row_start.push_back(0);
  std::vector<int> columns;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    columns.clear();
    for (const LocalRows::Side& side : sides[i]) {
      if (side.body < 0) continue;
      for (const auto& [j, unused] : of_body[static_cast<std::size_t>(side.body)]) columns.push_back(j);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const int rows = offset[i + 1] - offset[i];
    for (const int j : columns) {
      W.column.push_back(j);
      W.start.push_back(W.values.size());
      const int width = offset[static_cast<std::size_t>(j) + 1] - offset[static_cast<std::size_t>(j)];
      MatX block = MatX::Zero(rows, width);
      // Signed sides make the sign rule (7.1.7) automatic, also for frames that share both bodies.
      for (const LocalRows::Side& a : sides[i])
        for (const LocalRows::Side& b : sides[static_cast<std::size_t>(j)])
          if (a.body >= 0 && a.body == b.body) block.noalias() += a.H * b.Y;
      W.values.insert(W.values.end(), block.data(), block.data() + block.size());
    }
    W.row_start.push_back(static_cast<int>(W.column.size()));
  }
  return W;
}

MatX apply_inverse_mass(const Bodies::Slot& s, const FreeMotion& free, const MatX& Ht) {
  if (!s.rigid) return free.inverse_mass[static_cast<std::size_t>(s.index)] * Ht;
  const std::size_t k = static_cast<std::size_t>(s.index);
  const Mat3& root = free.inverse_inertia_root[k];
  MatX Y(6, Ht.cols());
  Y.topRows<3>() = free.inverse_mass_root[k] * free.inverse_mass_root[k] * Ht.topRows<3>();
  Y.bottomRows<3>() = root.transpose() * (root * Ht.bottomRows<3>());
  return Y;
}

}  // namespace

VecX LocalProblem::velocity(const VecX& r) const {
  VecX U = b;
  for (int i = 0; i < size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    for (int k = W.row_start[row]; k < W.row_start[row + 1]; ++k) {
      const int j = W.column[static_cast<std::size_t>(k)];
      U.segment(offset[row], rows(i)).noalias() +=
          block(i, k) * r.segment(offset[static_cast<std::size_t>(j)], rows(j));
    }
  }
  return U;
}

MatX LocalProblem::diagonal(int i) const {
  const std::size_t row = static_cast<std::size_t>(i);
  for (int k = W.row_start[row]; k < W.row_start[row + 1]; ++k)
    if (W.column[static_cast<std::size_t>(k)] == i) return block(i, k);
  return MatX::Zero(rows(i), rows(i));
}

void assemble(const Bodies& bodies, const VecX& q_mid, const FreeMotion& free, std::span<const Constraint> constraints,
              LocalProblem& problem, LocalRows& rows) {
  problem = LocalProblem{};
  rows.sides.assign(constraints.size(), {});
  for (const Constraint& c : constraints) {
    const LawKind law = c.law == LawKind::Coulomb && c.friction == 0 ? LawKind::Frictionless : c.law;
    problem.law.push_back(law);
    problem.mu.push_back(law == LawKind::Coulomb ? c.friction : 0);
    problem.offset.push_back(problem.offset.back() + law_rows(law));
  }
  problem.b.resize(problem.offset.back());
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const Constraint& c = constraints[i];
    const int n = problem.rows(static_cast<int>(i));
    problem.b.segment(problem.offset[i], n) = (c.U_free + c.shift).head(n);
    const auto fill = [&](LocalRows::Side& side, int body, const Vec3& x, double sign) {
      if (body < 0 || bodies.slot(body).mobility != BodyMobility::Dynamic) return;
      const Bodies::Slot& s = bodies.slot(body);
      Mat3X J(3, s.nu);
      bodies.point_jacobian(body, q_mid, x, J);
      side.body = body;
      side.H = sign * (c.frame.topRows(n) * J);
      side.Y = apply_inverse_mass(s, free, side.H.transpose());
    };
    fill(rows.sides[i][0], c.body_a, c.point_a, 1);
    fill(rows.sides[i][1], c.body_b, c.point_b, -1);
  }
  problem.W = assemble_blocks(rows.sides, problem.offset, bodies.size());
}

void recover(const Bodies& bodies, const FreeMotion& free, const LocalProblem& problem, const LocalRows& rows,
             const VecX& r, VecX& u_solved, VecX& reaction) {
  u_solved = free.u_free;
  reaction.setZero(free.u_free.size());
  for (std::size_t i = 0; i < rows.sides.size(); ++i)
    for (const LocalRows::Side& side : rows.sides[i]) {
      if (side.body < 0) continue;
      const Bodies::Slot& s = bodies.slot(side.body);
      const VecX impulse = r.segment(problem.offset[i], problem.rows(static_cast<int>(i)));
      u_solved.segment(s.u, s.nu) += side.Y * impulse;
      reaction.segment(s.u, s.nu) += side.H.transpose() * impulse;
    }
}

LocalProblem to_local(const PairProblem& problem) {
  LocalProblem local;
  std::vector<std::array<LocalRows::Side, 2>> sides(problem.size());
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const PairBlock& c = problem.blocks[i];
    local.law.push_back(c.law);
    local.mu.push_back(c.mu);
    local.offset.push_back(local.offset.back() + 3);
    sides[i][0].body = c.first;
    sides[i][0].H = MatX(3, 6);
    sides[i][0].H << c.D, c.G1;
    sides[i][0].Y = sides[i][0].H.transpose();
    if (c.second < 0) continue;
    sides[i][1].body = c.second;
    sides[i][1].H = MatX(3, 6);
    sides[i][1].H << c.beta * c.D, c.G2;
    sides[i][1].Y = sides[i][1].H.transpose();
  }
  local.b.resize(local.offset.back());
  for (std::size_t i = 0; i < problem.size(); ++i) local.b.segment<3>(3 * static_cast<int>(i)) = problem.blocks[i].b;
  local.W = assemble_blocks(sides, local.offset, problem.block_count);
  return local;
}

}  // namespace cairn
