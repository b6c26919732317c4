// SPDX-License-Identifier: Apache-2.0
// Rows of any kind over the velocities of bodies, and their rates.
#include "cairn/constraints/row_block.h"

#include <algorithm>

namespace cairn {
namespace {

int own_dof(const RowSide& side, Eigen::Index column) {
  return side.own_dof.empty() ? static_cast<int>(column) : side.own_dof[static_cast<std::size_t>(column)];
}

}  // namespace

SparseRows side_rows(const Bodies& bodies, const VecX& q, const RowBlock& block, const RowSide& side, RowArena& arena) {
  const bool pulls = !side.linear.isZero(0), turns = !side.angular.isZero(0);
  const SparseRows point = pulls ? bodies.point_rows(side, q, arena) : SparseRows{};
  const SparseRows spin = turns ? bodies.spin_rows(side, q, arena) : SparseRows{};
  // Products go through matrices of their own: how Eigen rounds them depends on the alignment of what they are put in.
  if (bodies.slot(side.body).rigid && side.own.size() == 0) {
    Mat3X P = Mat3X::Zero(3, 6), S = P;
    if (pulls) P = point.J();
    if (turns) S.rightCols<3>() = spin.J();
    const MatX H = side.linear.topRows(block.rows) * P + side.angular.topRows(block.rows) * S;
    const SparseRows rows = arena.rows(block.rows, 0, 6);
    rows.J() = H;
    return rows;
  }
  MatX pull, turn;
  if (pulls) pull = side.linear.topRows(block.rows) * Mat3X(point.J());
  if (turns) turn = side.angular.topRows(block.rows) * Mat3X(spin.J());
  // The velocities that any of them touches, each once.
  std::vector<int> dof(point.dof.begin(), point.dof.end());
  dof.insert(dof.end(), spin.dof.begin(), spin.dof.end());
  for (Eigen::Index j = 0; j < side.own.cols(); ++j) dof.push_back(own_dof(side, j));
  std::sort(dof.begin(), dof.end());
  dof.erase(std::unique(dof.begin(), dof.end()), dof.end());
  const SparseRows rows = arena.rows(block.rows, dof);
  const auto column_of = [&](int d) { return std::lower_bound(dof.begin(), dof.end(), d) - dof.begin(); };
  const auto add = [&](const MatX& values, std::span<const int> at) {
    for (std::size_t k = 0; k < at.size(); ++k)
      rows.J().col(column_of(at[k])) += values.col(static_cast<Eigen::Index>(k));
  };
  if (pulls) add(pull, point.dof);
  if (turns) add(turn, spin.dof);
  for (Eigen::Index j = 0; j < side.own.cols(); ++j)
    rows.J().col(column_of(own_dof(side, j))).head(side.own.rows()) += side.own.col(j);
  return rows;
}

RowVector row_velocity(const Bodies& bodies, const VecX& q, const VecX& u, const RowBlock& block) {
  RowVector U = RowVector::Zero();
  for (int k = 0; k < block.side_count; ++k) {
    const RowSide& side = block.sides[static_cast<std::size_t>(k)];
    RowVector V = RowVector::Zero();
    if (!side.linear.isZero(0)) V = side.linear * bodies.point_velocity(side, q, u);
    if (!side.angular.isZero(0)) V += side.angular * bodies.spin(side, q, u);
    U += V;
    const Bodies::Slot& s = bodies.slot(side.body);
    for (Eigen::Index j = 0; j < side.own.cols(); ++j)
      U.head(side.own.rows()) += side.own.col(j) * u[s.u + own_dof(side, j)];
  }
  return U;
}

}  // namespace cairn
