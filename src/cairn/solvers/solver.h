// SPDX-License-Identifier: Apache-2.0
// A solver knows contact problems and nothing else. Every solver takes warm starts and reports a recomputed residual.
#pragma once
#include "cairn/base/registry.h"
#include "cairn/problem/residual.h"

namespace cairn {

/// TooCostly: a direct method declined the problem's size.
enum class SolveStatus { Converged, IterationLimit, NotFinite, TooCostly };
std::string_view to_string(SolveStatus status);

struct SolveReport {
  SolveStatus status = SolveStatus::Converged;
  Residual residual;
  int iterations = 0;
  double seconds = 0;
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string_view name() const = 0;
  /// What "converged" means: residual.scaled <= tolerance.
  virtual double tolerance() const = 0;
  virtual bool supports(LawKind law) const = 0;

  /// r: warm start in, solution out.
  virtual SolveReport solve(const LocalProblem& problem, VecX& r) = 0;
  virtual SolveReport solve(const PairProblem& problem, std::vector<Vec3>& r, Threads threads) = 0;
};

/// All solvers by name.
const Registry<Solver>& solvers();

}  // namespace cairn
