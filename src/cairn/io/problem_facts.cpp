// SPDX-License-Identifier: Apache-2.0
// Numbers about W: rank by singular values, islands by union of coupled constraints.
#include "cairn/io/problem_facts.h"

#include "cairn/problem/residual.h"

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cairn {
namespace {

int count_islands(const LocalProblem& problem) {
  std::vector<int> parent(static_cast<std::size_t>(problem.size()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[static_cast<std::size_t>(i)] != i) i = parent[static_cast<std::size_t>(i)];
    return i;
  };
  int islands = problem.size();
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k) {
      if (problem.block(i, k).isZero(0)) continue;
      const int a = root(i), b = root(problem.W.column[static_cast<std::size_t>(k)]);
      if (a == b) continue;
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
      --islands;
    }
  }
  return islands;
}

int find_rank(const SparseMatrix& W) {
  if (W.size() == 0) return 0;
  const VecX values = Eigen::BDCSVD<MatX>(MatX(W)).singularValues();
  return static_cast<int>((values.array() > 1e-10 * values[0]).count());
}

double max_abs(const SparseMatrix& A) {
  double largest = 0;
  for (int k = 0; k < A.outerSize(); ++k)
    for (SparseMatrix::InnerIterator it(A, k); it; ++it) largest = std::max(largest, std::abs(it.value()));
  return largest;
}

}  // namespace

ProblemFacts find_facts(const ProblemFile& file, int max_rank_unknowns) {
  ProblemFacts facts;
  facts.constraints = file.constraints();
  facts.contacts = file.contacts();
  facts.unknowns = file.unknowns();
  facts.dofs = file.dofs;
  const double none = std::numeric_limits<double>::infinity();
  facts.friction_low = facts.rolling_low = none;
  for (const ConstraintLaw& law : file.law()) {
    if (law.kind == LawKind::Bilateral) ++facts.equations;
    if (law.kind == LawKind::Interval) ++facts.intervals;
    if (law.kind == LawKind::Coulomb || law.kind == LawKind::Rolling) {
      facts.friction_low = std::min(facts.friction_low, law.mu);
      facts.friction_high = std::max(facts.friction_high, law.mu);
    }
    if (law.kind == LawKind::Rolling) {
      facts.rolling_low = std::min(facts.rolling_low, law.mu_rolling);
      facts.rolling_high = std::max(facts.rolling_high, law.mu_rolling);
    }
  }
  if (facts.friction_low == none) facts.friction_low = 0;
  if (facts.rolling_low == none) facts.rolling_low = 0;

  const LocalProblem local = file.local();
  const SparseMatrix W = to_sparse(local);
  if (const double largest = max_abs(W); largest > 0) {
    facts.asymmetry = max_abs(SparseMatrix(W - SparseMatrix(W.transpose()))) / largest;
  }
  for (int i = 0; i < local.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    for (int k = local.W.row_start[row]; k < local.W.row_start[row + 1]; ++k)
      facts.blocks += !local.block(i, k).isZero(0);
  }
  const double all = static_cast<double>(local.size()) * local.size();
  facts.density = all > 0 ? static_cast<double>(facts.blocks) / all : 0;
  facts.islands = count_islands(local);
  if (facts.unknowns <= max_rank_unknowns) facts.rank = find_rank(W);
  if (!file.guesses.empty()) facts.guess_residual = compute_residual(local, file.guesses[0].r).scaled;
  if (file.solution) facts.solution_residual = compute_residual(local, file.solution->r).scaled;
  return facts;
}

}  // namespace cairn
