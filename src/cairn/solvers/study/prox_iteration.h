// SPDX-License-Identifier: Apache-2.0
// JORprox and SORprox (Studer 2009, section 4.2): r_i <- prox_Ci(r_i - R_i^-1 U_i), law by law, where a contact is a
// unilateral normal law and friction discs (or ellipsoids) of size mu r_N with the newest r_N.
//
// Choices of R (Studer 4.2.4-4.2.6; alpha is `factor`):
//   diagonal    r_i = alpha / max of the diagonal of the law's rows of W          (recipe 1; SORprox)
//   row-sum     r_i = alpha / largest sum of |W| over the law's rows              (recipe 2; JORprox without dominance)
//   block       r_i = alpha / largest eigenvalue of the law's own block
//   r-equals-g  R_i = the law's own block / alpha: each law solved exactly for frozen others, a skewed projection
//   spectral    r_i = alpha 2 / (largest + smallest eigenvalue) / D_c, of W scaled by D_c: the best single r
// JORprox contracts where |1 - R^-1 W| < 1 and the sets do not move; SORprox has no proof and is the better one.
#pragma once
#include "cairn/solvers/study/scaled_problem.h"

namespace cairn {

enum class ProxStep { Diagonal, RowSum, Block, REqualsG, Spectral };
inline constexpr std::string_view prox_step_names[] = {"diagonal", "row-sum", "block", "r-equals-g", "spectral"};

/// Sweeps over the laws of one problem. Its memory is set up by prepare(); sweeps allocate nothing.
class ProxIteration {
 public:
  void prepare(const LocalProblem& problem, ProxStep step, double factor, double relaxation);

  /// All laws from U = W r + b of the old impulses (JORprox). Returns the largest change of an impulse.
  double sweep_jacobi(const VecX& U, VecX& r) const;
  /// One law after the other with the newest impulses (SORprox). Returns the largest change; `residual` gets
  /// |natural map| / |b| with the velocities met on the way: a cheap stand-in for residual.scaled.
  double sweep_gauss_seidel(VecX& r, bool forward, double& residual) const;
  /// residual.scaled of r with U = W r + b.
  double residual(const VecX& U, const VecX& r) const;

 private:
  /// What a law restricts r to: nothing, r >= 0, an interval, friction of a size that r_N or the law gives.
  enum class Set { Free, NonNegative, Interval, Friction };
  struct Part {
    Set set = Set::Free;
    int first = 0, rows = 0;        ///< rows of the constraint
    LawPart friction;               ///< its axes
    double step = 0;                ///< r_i
    double low = 0, high = 0;       ///< interval
    bool skewed = false;            ///< R = G couples its rows
    std::array<double, 36> Rinv{};  ///< R_i^-1, with R = G
    Mat3 turn = Mat3::Identity();   ///< friction with R = G: eigenvectors of A R A, A the axes,
    Vec3 root = Vec3::Ones();       ///< and the roots of its eigenvalues
  };
  void make_parts(const ConstraintLaw& law, int rows);
  void choose_step(int constraint, Part& part, double D, double spectral);
  double row_sum(int constraint, int row) const;
  void project(const Part& part, double r_N, double* x) const;
  void project_skewed(const Part& part, double r_N, double* x) const;
  /// New impulses of one part; Uc, rc: velocity and impulse of its constraint. Returns the largest change.
  double update(const Part& part, const double* Uc, double* rc) const;

  const LocalProblem* problem_ = nullptr;
  ProxStep step_ = ProxStep::Diagonal;
  double factor_ = 1, relaxation_ = 1, b_norm_ = 1;
  VecX D_;
  std::vector<Part> parts_;
  std::vector<int> part_start_;        ///< of each constraint
  std::vector<std::size_t> diagonal_;  ///< first value of its diagonal block; npos: none
};

struct ProxSettings : SolverLimits {
  ProxStep step = ProxStep::Diagonal;
  double factor = 1;
  double relaxation = 1;
  void describe_prox(ParameterVisitor& v);
};

class JorProx final : public Solver {
 public:
  struct Settings : ProxSettings {
    Settings() { step = ProxStep::RowSum, max_iterations = 100000; }
    void describe(ParameterVisitor& v) { describe_prox(v); }
  };
  explicit JorProx(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "jor-prox"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw&) const override { return true; }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  Settings settings_;
  ProxIteration iteration_;
  IterationRecord record_;
  VecX U_;
};

class SorProx final : public Solver {
 public:
  struct Settings : ProxSettings {
    bool symmetric = false;
    Settings() { max_iterations = 100000; }
    void describe(ParameterVisitor& v) {
      describe_prox(v);
      v.boolean("symmetric", symmetric, "alternate the direction of the sweeps (Studer's suggestion of an SSOR)");
    }
  };
  explicit SorProx(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "sor-prox"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw&) const override { return true; }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  Settings settings_;
  ProxIteration iteration_;
  IterationRecord record_;
  VecX U_;
};

}  // namespace cairn
