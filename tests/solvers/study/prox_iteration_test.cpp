// SPDX-License-Identifier: Apache-2.0
// JORprox, SORprox and exact regularisation on Studer's examples (2009, 4.2.7; benchmarks B1 and B2 of his method's
// restoration) and against the theory of their convergence.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "cairn/solvers/study/exact_regularisation.h"
#include "cairn/solvers/study/prox_iteration.h"
#include "solvers/random_problem.h"

namespace cairn {
namespace {

constexpr std::array all_steps = {ProxStep::Diagonal, ProxStep::RowSum, ProxStep::Block, ProxStep::REqualsG,
                                  ProxStep::Spectral};

LocalProblem make_problem(const MatX& W, const VecX& b, const std::vector<ConstraintLaw>& laws, int rows) {
  LocalProblem problem;
  problem.law = laws;
  for (std::size_t i = 0; i < laws.size(); ++i) problem.offset.push_back(problem.offset.back() + rows);
  BlockMatrixBuilder builder(problem.offset);
  for (int j = 0; j < W.cols(); ++j)
    for (int i = 0; i < W.rows(); ++i) builder.add(i, j, W(i, j));
  problem.W = builder.finish();
  problem.b = b;
  return problem;
}

/// Bar on two bearings (4.2.7.1): G = [4 1.6; 1.6 1.12].
LocalProblem make_bar(double force, double torque) {
  MatX H(2, 2);
  H << 1, 0.5, 1, 0.1;
  const Vec2 inverse_mass(1, 12);
  return make_problem(H * inverse_mass.asDiagonal() * H.transpose(), H * inverse_mass.cwiseProduct(Vec2(force, torque)),
                      {{LawKind::Frictionless}, {LawKind::Frictionless}}, 1);
}

/// Block on two feet (4.2.7.2) with friction 0.3: W has rank 3 of 4.
struct Block {
  MatX H{4, 3};
  Vec3 inverse_mass{1 / 2.1, 1 / 2.1, 1 / 0.018};
  Vec3 load;
  explicit Block(const Vec3& f) : load(f) { H << 0, 1, -0.15, 1, 0, 0.05, 0, 1, 0.15, 1, 0, 0.05; }
  LocalProblem problem() const {
    return make_problem(H * inverse_mass.asDiagonal() * H.transpose(), H * inverse_mass.cwiseProduct(load),
                        {{LawKind::Coulomb, 0.3}, {LawKind::Coulomb, 0.3}}, 2);
  }
  Vec3 acceleration(const VecX& r) const { return inverse_mass.cwiseProduct(load + H.transpose() * r); }
};

int count_sweeps(const LocalProblem& problem, bool sequential, ProxStep step, VecX& r) {
  ProxIteration iteration;
  iteration.prepare(problem, step, 1, 1);
  r.setZero(problem.b.size());
  VecX U(problem.b.size());
  for (int sweep = 1; sweep < 10000; ++sweep) {
    double residual = 0, change = 0;
    if (sequential) {
      change = iteration.sweep_gauss_seidel(r, true, residual);
    } else {
      problem.velocity(r, U);
      change = iteration.sweep_jacobi(U, r);
    }
    if (change <= 1e-10) return sweep;
  }
  return -1;
}

TEST(ProxIteration, bar_on_two_bearings_opens_and_closes_with_the_published_number_of_sweeps) {
  // Impulses by hand: one contact open gives r = -b/G of the other; both closed solve G r = -b.
  struct Case {
    double force, torque;
    Vec2 r;
    int sor, jor;
  };
  const Case cases[] = {{-0.6, 0.2, {0, 0.36 / 1.12}, 2, 41},
                        {-1.2, -1, {7.2 / 4, 0}, 2, 23},
                        {0.6, 0, {0, 0}, 1, 1},
                        {-1.2, -0.15, {0.075, 1.125}, 41, 154}};
  for (const Case& c : cases) {
    const LocalProblem problem = make_bar(c.force, c.torque);
    VecX r;
    EXPECT_EQ(count_sweeps(problem, true, ProxStep::Diagonal, r), c.sor);
    EXPECT_LT((r - c.r).norm(), 1e-9);
    EXPECT_EQ(count_sweeps(problem, false, ProxStep::RowSum, r), c.jor);
    EXPECT_LT((r - c.r).norm(), 1e-9);
  }
}

TEST(ProxIteration, block_on_a_surface_sticks_slides_and_tips_as_in_the_source) {
  struct Case {
    Vec3 load, acceleration;
  };
  // Sliding: all weight on sliding feet, x'' = (12 - 0.3 * 20.601) / 2.1. The others from the source (B2).
  const Case cases[] = {{{2, -20.601, 0}, {0, 0, 0}},
                        {{12, -20.601, 0}, {(12 - 0.3 * 20.601) / 2.1, 0, 0}},
                        {{0, -20.601, 3.6}, {-0.36160, 1.08479, 7.23191}}};
  for (const Case& c : cases) {
    const Block block(c.load);
    const LocalProblem problem = block.problem();
    SorProx::Settings settings;
    settings.tolerance = 1e-10;
    for (const ProxStep step : all_steps) {
      settings.step = step;
      SorProx solver(settings);
      VecX r = VecX::Zero(4);
      EXPECT_EQ(solver.solve(problem, r).status, SolveStatus::Converged);
      EXPECT_LT((block.acceleration(r) - c.acceleration).norm(), 2e-5) << static_cast<int>(step);
    }
    ExactRegularisation::Settings exact;
    exact.tolerance = 1e-10;
    for (const double compliance : {10.0, 0.3, 0.01}) {
      // The limit does not depend on the slope: that is what makes the regularisation exact.
      exact.compliance = compliance;
      VecX r = VecX::Zero(4);
      EXPECT_EQ(ExactRegularisation(exact).solve(problem, r).status, SolveStatus::Converged) << compliance;
      EXPECT_LT((block.acceleration(r) - c.acceleration).norm(), 2e-5) << compliance;
    }
  }
}

TEST(ProxIteration, jacobi_diverges_on_the_sticking_block_at_the_published_factor_and_says_so) {
  const LocalProblem problem = Block({2, -20.601, 0}).problem();
  JorProx::Settings settings;
  settings.step = ProxStep::Diagonal;
  for (const double factor : {0.6, 0.8, 1.0}) {
    settings.factor = factor;
    VecX r = VecX::Zero(4);
    const SolveReport report = JorProx(settings).solve(problem, r);
    EXPECT_EQ(report.status, factor < 0.7 ? SolveStatus::Converged : SolveStatus::Stalled) << factor;
    EXPECT_TRUE(r.allFinite());
    EXPECT_LE(report.residual.scaled, compute_residual(problem, VecX::Zero(4)).scaled);
    EXPECT_EQ(report.message.empty(), factor < 0.7);
  }
  // A two-row problem without any set to hold it back: |1 - r W| > 1, the impulses grow without bound.
  MatX W(2, 2);
  W << 1, 0.9, 0.9, 1;
  settings.factor = 2;
  VecX r = VecX::Zero(2);
  const LocalProblem free = make_problem(W, VecX::Ones(2), {{LawKind::Bilateral}, {LawKind::Bilateral}}, 1);
  const SolveReport report = JorProx(settings).solve(free, r);
  EXPECT_EQ(report.status, SolveStatus::Stalled);
  EXPECT_NE(report.message.find("diverges"), std::string::npos);
  EXPECT_TRUE(r.allFinite());
}

TEST(ProxIteration, jacobi_with_the_best_single_step_contracts_at_the_rate_of_the_spectrum) {
  // Free rows with a unit diagonal (D = 1): the error falls by (l_max - l_min) / (l_max + l_min) per sweep.
  MatX W(4, 4);
  W << 1, 0.4, 0.1, 0, 0.4, 1, 0.3, -0.2, 0.1, 0.3, 1, 0.25, 0, -0.2, 0.25, 1;
  const VecX lambda = Eigen::SelfAdjointEigenSolver<MatX>(W).eigenvalues();
  const double expected = (lambda[3] - lambda[0]) / (lambda[3] + lambda[0]);
  const LocalProblem problem = make_problem(W, VecX::Ones(4), std::vector<ConstraintLaw>(4, {LawKind::Bilateral}), 1);
  ProxIteration iteration;
  iteration.prepare(problem, ProxStep::Spectral, 1, 1);
  const VecX exact = W.ldlt().solve(-VecX::Ones(4));
  VecX r = VecX::Zero(4), U(4);
  double last = exact.norm(), first = last;
  int sweeps = 0;
  for (; sweeps < 60 && last > 1e-10; ++sweeps) {
    problem.velocity(r, U);
    iteration.sweep_jacobi(U, r);
    const double error = (r - exact).norm();
    EXPECT_LE(error, last * expected * (1 + 1e-4));
    last = error;
  }
  EXPECT_GT(last, first * std::pow(expected, sweeps) * 1e-3);
}

TEST(ProxIteration, r_equals_g_solves_an_uncoupled_contact_in_one_sweep_also_with_a_skewed_friction_block) {
  std::mt19937 rng(3);
  std::normal_distribution<double> d;
  for (int k = 0; k < 200; ++k) {
    const double c = 3 * std::tanh(d(rng));
    MatX W = MatX::Zero(3, 3);
    W(0, 0) = 2, W(1, 1) = 10, W(2, 2) = 1;
    W(1, 2) = W(2, 1) = c;
    const LocalProblem problem =
        make_problem(W, Vec3(-1, 3 * d(rng), 3 * d(rng)), {{LawKind::Coulomb, std::abs(d(rng))}}, 3);
    ProxIteration iteration;
    iteration.prepare(problem, ProxStep::REqualsG, 1, 1);
    VecX r = VecX::Zero(3);
    double unused = 0;
    iteration.sweep_gauss_seidel(r, true, unused);
    EXPECT_LT(compute_residual(problem, r).scaled, 1e-12) << k;
  }
}

TEST(ProxIteration, every_step_of_both_methods_ends_at_the_same_velocity_with_joints_and_friction) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const LocalProblem problem = to_local(random_problem(seed, 12, 10, 2, 0.3));
    VecX reference;
    const auto compare = [&](Solver& solver, const char* what, int step) {
      VecX r = VecX::Zero(problem.b.size());
      const SolveReport report = solver.solve(problem, r);
      EXPECT_EQ(report.status, SolveStatus::Converged) << what << " " << step << ": " << report.message;
      EXPECT_LE(compute_residual(problem, r).scaled, 1e-10);
      const VecX U = problem.velocity(r);
      if (reference.size() == 0) reference = U;
      EXPECT_LT((U - reference).norm(), 1e-6 * problem.b.norm()) << what << " " << step;
    };
    for (const ProxStep step : all_steps) {
      SorProx::Settings sor;
      sor.tolerance = 1e-10, sor.step = step, sor.factor = step == ProxStep::Spectral ? 0.5 : 1;
      SorProx s(sor);
      compare(s, "sor", static_cast<int>(step));
      sor.symmetric = true, sor.relaxation = 0.8;
      SorProx relaxed(sor);
      compare(relaxed, "symmetric, relaxed sor", static_cast<int>(step));
      JorProx::Settings jor;
      jor.tolerance = 1e-10, jor.step = step;
      // Row sums and the spectrum are safe as they are; a law's own rows say nothing about the others.
      jor.factor = step == ProxStep::RowSum || step == ProxStep::Spectral ? 1 : 0.2;
      JorProx j(jor);
      compare(j, "jor", static_cast<int>(step));
    }
    ExactRegularisation::Settings exact;
    exact.tolerance = 1e-10;
    ExactRegularisation e(exact);
    compare(e, "exact", 0);
  }
}

TEST(ProxIteration, handles_intervals_rolling_and_frictionless_rows_by_their_formulas) {
  // W diagonal: every part by itself, r = cut(-b/w).
  LocalProblem problem;
  problem.law = {{LawKind::Interval, 0, 0, -1, 2}, {LawKind::Rolling, 0.5, 0.1}, {LawKind::Frictionless}};
  problem.offset = {0, 1, 6, 9};
  BlockMatrixBuilder builder(problem.offset);
  const double w[] = {2, 1, 3, 3, 40, 40, 0.5, 1, 1};
  for (int i = 0; i < 9; ++i) builder.add(i, i, w[i]);
  problem.W = builder.finish();
  problem.b.resize(9);
  problem.b << -6, -4, 9, 0, 4, 0, -1, 7, 7;
  VecX expected(9);
  expected << 2, 4, -2, 0, -0.1, 0, 2, 0, 0;  // upper bound; r_N = 4; sliding at mu r_N; rolls: -b/w within 0.4
  const auto check = [&](Solver& solver) {
    VecX r = VecX::Zero(9);
    EXPECT_EQ(solver.solve(problem, r).status, SolveStatus::Converged);
    EXPECT_LT((r - expected).norm(), 1e-6) << solver.name() << " " << r.transpose();
  };
  SorProx sor{SorProx::Settings{}};
  JorProx jor{JorProx::Settings{}};
  ExactRegularisation exact{ExactRegularisation::Settings{}};
  check(sor);
  check(jor);
  check(exact);
}

}  // namespace
}  // namespace cairn
