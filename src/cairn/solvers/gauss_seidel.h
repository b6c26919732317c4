// SPDX-License-Identifier: Apache-2.0
// Block Gauss-Seidel: one constraint after the other, each solved exactly (Koziara 2008, alg. 11.3.1; NSGS of Jean and
// Moreau). Converges whatever the rank of W, slowly when forces must travel far.
#pragma once
#include "cairn/solvers/island_sweeps.h"
#include "cairn/solvers/solver.h"

namespace cairn {

class GaussSeidel final : public Solver {
 public:
  struct Settings : SolverLimits {
    int min_iterations = 1;
    double relaxation = 1;
    bool symmetric = false;
    bool accelerated = true;
    bool coloured = false;

    Settings() { max_iterations = 2000; }
    void describe(ParameterVisitor& v) {
      describe_limits(v);
      v.integer("min_iterations", min_iterations, {0, 1e9, false},
                "sweeps made even when the warm start is good enough: lets resting scenes settle to rounding");
      v.real("relaxation", relaxation, "", {0.05, 1.95, false},
             "over-relaxation of each update; 1 is plain Gauss-Seidel");
      v.boolean("symmetric", symmetric, "alternate the direction of the sweeps");
      v.boolean("accelerated", accelerated, "start each sweep from a mixture of the last three (Anderson)");
      v.boolean("coloured", coloured,
                "order constraints by colours, none of which holds two that share a body; threads then share the work");
    }
  };

  explicit GaussSeidel(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "gauss-seidel"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw&) const override { return true; }
  void set_max_iterations(int sweeps) { settings_.max_iterations = sweeps; }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  /// What a sweep needs of one constraint besides its rows.
  struct Local {
    SingleContact contact;
    Mat3 W = Mat3::Zero();  ///< diagonal block of a contact; for a bilateral constraint its inverse
    double lambda = 0;      ///< sliding rate of the last sweep
    double scale = 0;       ///< trace(W) / rows
  };
  void prepare(Local& local, const Mat3& W, LawKind law, int rows) const;
  Vec3 solve_one(Local& local, LawKind law, double mu, const Vec3& U, const Vec3& r) const;
  /// Colours of the constraints into order_ and colour_start_.
  void order_by_colour(const PairProblem& problem);
  SolveReport run_pairs(const PairProblem& problem, VecX& r, Threads threads, const Budget& budget);
  SolveReport run_local(const LocalProblem& problem, VecX& r, const Budget& budget);
  void update(const PairProblem& problem, std::size_t i, VecX& r);
  /// One sweep; F_ gets D dr. Returns |F|.
  double sweep(const PairProblem& problem, VecX& r, bool forward, Threads threads);
  void mix(const PairProblem& problem, VecX& r);

  Settings settings_;
  IslandSweeps sweeps_;
  VecX warm_;
  std::vector<Local> local_;
  std::vector<PairVelocity> z_;
  VecX U_, F_;
  std::vector<int> order_, colour_start_;
  Mixing mixing_;
  MixingState mixing_state_;
};

}  // namespace cairn
