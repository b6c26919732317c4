// SPDX-License-Identifier: Apache-2.0
// Rows of blocks as a global problem.
#include "cairn/assembly/row_problem.h"

namespace cairn {

SparseMatrix select_columns(const SparseMatrix& X, const std::vector<int>& columns) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (SparseMatrix::InnerIterator it(X, columns[c]); it; ++it)
      entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(c), it.value());
  SparseMatrix result(X.rows(), static_cast<Eigen::Index>(columns.size()));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

VecX select_rows(const VecX& x, const std::vector<int>& rows) {
  VecX result(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) result[static_cast<Eigen::Index>(i)] = x[rows[i]];
  return result;
}

void RowProblem::begin(const Bodies& bodies, const VecX& u) {
  problem_ = GlobalProblem{};
  entries_.clear();
  given_.clear(), shift_.clear(), compliance_.clear();
  u_given_ = u;
  for (int body = 0; body < bodies.size(); ++body)
    if (bodies.can_move(body)) u_given_.segment(bodies.slot(body).u, bodies.slot(body).nu).setZero();
}

void RowProblem::add(const Bodies& bodies, const VecX& q, std::span<const RowBlock> blocks) {
  for (const RowBlock& block : blocks) {
    const int first = problem_.offset.back();
    problem_.law.push_back(block.law);
    problem_.offset.push_back(first + block.rows);
    const RowVector given = cairn::row_velocity(bodies, q, u_given_, block);
    for (int l = 0; l < block.rows; ++l) {
      given_.push_back(given[l]);
      shift_.push_back(block.shift[l]);
      compliance_.push_back(block.compliance[l]);
    }
    for (int k = 0; k < block.side_count; ++k) {
      const RowSide& side = block.sides[static_cast<std::size_t>(k)];
      if (!bodies.can_move(side.body)) continue;
      const Bodies::Slot& s = bodies.slot(side.body);
      arena_.clear();
      const SparseRows H = side_rows(bodies, q, block, side, arena_);
      for (int l = 0; l < block.rows; ++l)
        for (std::size_t j = 0; j < H.dof.size(); ++j)
          if (const double value = H.J()(l, static_cast<Eigen::Index>(j)); value != 0)
            entries_.emplace_back(s.u + H.dof[j], first + l, value);
    }
  }
}

void RowProblem::finish() {
  problem_.H.resize(u_given_.size(), row_count());
  problem_.H.setFromTriplets(entries_.begin(), entries_.end());
  problem_.w = VecX::Map(given_.data(), row_count()) + VecX::Map(shift_.data(), row_count());
  problem_.compliance = VecX::Map(compliance_.data(), row_count());
  if (problem_.compliance.isZero(0)) problem_.compliance.resize(0);
  layout_.offset = problem_.offset;
  layout_.law = problem_.law;
}

void RowProblem::update_shifts(std::size_t first, std::span<const RowBlock> blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (int l = 0; l < blocks[i].rows; ++l) {
      const int place = row(first + i) + l;
      problem_.w[place] = given_[static_cast<std::size_t>(place)] + blocks[i].shift[l];
    }
}

void RowProblem::shift_unknown(const VecX& c) {
  problem_.f -= problem_.H * c;
  if (problem_.compliance.size() > 0) problem_.w -= problem_.compliance.cwiseProduct(c);
}

bool RowProblem::set_mass(const SparseMatrix& A) {
  problem_.M = A;
  symmetric_ = true;
  factor_.compute(A);
  return factor_.info() == Eigen::Success;
}

bool RowProblem::set_unsymmetric_mass(const SparseMatrix& A) {
  problem_.M = A;
  symmetric_ = false;
  problem_.M.makeCompressed();
  lu_.compute(problem_.M);
  return lu_.info() == Eigen::Success;
}

VecX RowProblem::solve_mass(const VecX& x) const { return symmetric_ ? VecX(factor_.solve(x)) : VecX(lu_.solve(x)); }

SparseMatrix RowProblem::solve_mass(const SparseMatrix& X) const {
  return symmetric_ ? SparseMatrix(factor_.solve(X)) : SparseMatrix(lu_.solve(X));
}

VecX RowProblem::row_velocity(const VecX& u, const VecX& r) const {
  VecX U = problem_.H.transpose() * u + problem_.w;
  if (problem_.compliance.size() > 0) U += problem_.compliance.cwiseProduct(r);
  return U;
}

}  // namespace cairn
