// SPDX-License-Identifier: Apache-2.0
// A solver knows contact problems and nothing else. Every solver takes warm starts, an iteration cap and a time budget,
// and reports a residual recomputed from scratch.
#pragma once
#include "cairn/base/budget.h"
#include "cairn/base/registry.h"
#include "cairn/problem/contact_problem.h"

namespace cairn {

/// Stalled: no further progress, best iterate returned. TooCostly: a direct method declined the problem's size.
/// Infeasible: there is no solution, as `message` shows. Unsupported: a law it does not know, and was not asked to
/// solve.
enum class SolveStatus { Converged, IterationLimit, TimeLimit, Stalled, NotFinite, TooCostly, Infeasible, Unsupported };
std::string_view to_string(SolveStatus status);

struct SolveReport {
  SolveStatus status = SolveStatus::Converged;
  Residual residual;  ///< of the returned impulses
  int iterations = 0;
  double seconds = 0;
  std::string message = {};  ///< what more there is to say: which stage solved it, why it failed
};

/// One line of a solver's history: its own measure of progress, in the scale of residual.scaled.
struct HistoryPoint {
  int iteration = 0;
  double seconds = 0;
  double residual = 0;
};

/// Settings all solvers share; each solver's Settings derive from it.
struct SolverLimits {
  double tolerance = 1e-8;
  int max_iterations = 1000;
  double max_seconds = 0;

  void describe_limits(ParameterVisitor& v) {
    v.real("tolerance", tolerance, "", positive, "scaled residual at which the problem counts as solved");
    v.integer("max_iterations", max_iterations, {1, 1e9, false},
              "iterations after which it gives up (iteration-limit)");
    v.real("max_seconds", max_seconds, "s", non_negative, "time after which it gives up (time-limit); 0: none");
  }
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string_view name() const = 0;
  /// What "converged" means (residual.scaled <= tolerance), and when it gives up.
  virtual const SolverLimits& limits() const = 0;
  /// Whether it can solve problems with that law; given another it throws Error (require_laws).
  virtual bool supports(const ConstraintLaw& law) const = 0;

  /// r: warm start in (of the problem's size; numbers that are not finite count as zero), solution or best iterate out.
  SolveReport solve(const ContactProblem& problem, VecX& r);
  /// As a stage of another solver, within what that one's budget leaves.
  SolveReport solve(const ContactProblem& problem, VecX& r, const Budget& budget);

  /// Time budget of the following solves where that is less than the one of the settings; 0: none.
  void set_max_seconds(double seconds) { max_seconds_ = seconds; }
  /// Where to write the history of the next solves; null: nowhere.
  void set_history(std::vector<HistoryPoint>* history) { history_ = history; }

 protected:
  /// The method, from finite impulses.
  virtual SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) = 0;
  void note(int iteration, double seconds, double residual) {
    if (history_) history_->push_back({iteration, seconds, residual});
  }

 private:
  /// Parts that share no body: one after the other, as if each were alone. Converged means all are.
  SolveReport solve_parts(const ContactProblem& problem, VecX& r, const Budget& budget);

  double max_seconds_ = 0;
  std::vector<HistoryPoint>* history_ = nullptr;
};

/// All solvers by name.
const Registry<Solver>& solvers();

/// The first of the laws that the solver does not know; null: it knows them all.
const ConstraintLaw* find_unsupported(const Solver& solver, std::span<const ConstraintLaw> laws);
/// Throws Error naming the solver, the law it does not know and the solvers that do. `setting`: what of the solver's
/// settings decides, for the message.
void require_laws(const Solver& solver, std::span<const ConstraintLaw> laws, std::string_view setting = {});
/// Names of the solvers, with their defaults, that know the law.
std::vector<std::string> solvers_of_law(const ConstraintLaw& law);

}  // namespace cairn
