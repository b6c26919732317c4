// SPDX-License-Identifier: Apache-2.0
// Exact regularisation: see the header.
#include "cairn/solvers/study/exact_regularisation.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// W with e on its diagonal, which may lack blocks.
LocalProblem add_compliance(const LocalProblem& problem, const VecX& e) {
  LocalProblem result = problem;
  BlockMatrixBuilder builder(result.offset);
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[c]; k < problem.W.row_start[c + 1]; ++k) {
      const auto block = problem.block(i, k);
      const std::size_t j = static_cast<std::size_t>(problem.W.column[static_cast<std::size_t>(k)]);
      for (int col = 0; col < block.cols(); ++col)
        for (int l = 0; l < block.rows(); ++l)
          builder.add(problem.offset[c] + l, problem.offset[j] + col, block(l, col));
    }
    for (int row = problem.offset[c]; row < problem.offset[c + 1]; ++row) builder.add(row, row, e[row]);
  }
  result.W = builder.finish();
  return result;
}

}  // namespace

void ExactRegularisation::Settings::describe(ParameterVisitor& v) {
  describe_limits(v);
  v.real("compliance", compliance, "", positive, "1 / (slope of the regularised laws), in units of the diagonal of W");
  v.choice("step", step, prox_step_names,
           "R of the sweeps that solve the regularised problem (docs/prox-iterations.md)");
  v.real("accuracy", accuracy, "", {0, 1, true},
         "residual of the regularised problem, as a share of the true one, at which the offsets are shifted");
  v.integer("max_sweeps", max_sweeps, {1, 1e9, false}, "sweeps after which the offsets are shifted in any case");
}

SolveReport ExactRegularisation::run(const ContactProblem& whole, VecX& r, const Budget& budget) {
  const LocalProblem& problem = whole.local();
  record_.start(settings_, problem, 10 * settings_.max_sweeps + 10000, budget);
  const VecX D = problem.scales();
  e_.resize(problem.b.size());
  for (int i = 0; i < problem.size(); ++i)
    e_.segment(problem.offset[static_cast<std::size_t>(i)], problem.rows(i)).setConstant(settings_.compliance * D[i]);
  regularised_ = add_compliance(problem, e_);
  iteration_.prepare(regularised_, settings_.step, 1, 1);
  measure_.prepare(problem, ProxStep::Diagonal, 1, 1);
  U_.resize(problem.b.size());
  offset_ = r;
  problem.velocity(r, U_);
  bool more = record_.proceed(r, measure_.residual(U_, r));
  while (more) {
    // The regularised problem, until its own error is small against the one the offsets leave.
    regularised_.b = problem.b - e_.cwiseProduct(offset_);
    for (int sweep = 1; more; ++sweep) {
      record_.count_iteration();
      double error = 0, shift = 0;
      iteration_.sweep_gauss_seidel(r, true, error);
      for (Eigen::Index k = 0; k < r.size(); ++k) shift += std::pow(e_[k] * (r[k] - offset_[k]), 2);
      shift = std::sqrt(shift) / std::max(problem.b.norm(), 1e-300);
      note(record_.iterations(), record_.seconds(), error + shift);
      if (error <= settings_.accuracy * std::max(shift, record_.target()) || sweep >= settings_.max_sweeps) break;
      more = record_.proceed_unmeasured(error + shift);
      if (more && error > 1e6 * std::max(1.0, record_.best())) {
        record_.stop(SolveStatus::Stalled, "the sweeps diverge: another step or more compliance is needed");
        more = false;
      }
    }
    if (!more) break;
    offset_ = r;
    problem.velocity(r, U_);
    more = record_.proceed(r, measure_.residual(U_, r));
  }
  return record_.finish(r);
}

}  // namespace cairn
