// SPDX-License-Identifier: Apache-2.0
// The semismooth Newton solver: every function and variant on problems with known or checkable answers, and its linear
// systems.
#include "cairn/solvers/study/newton.h"

#include "cairn/base/error.h"
#include "cairn/solvers/study/newton_linear.h"
#include "solvers/random_problem.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

std::vector<Newton::Settings> functions(double tolerance) {
  std::vector<Newton::Settings> all;
  for (const NewtonFunction function : {NewtonFunction::NaturalMap, NewtonFunction::AlartCurnier,
                                        NewtonFunction::JeanMoreau, NewtonFunction::FischerBurmeister}) {
    Newton::Settings settings;
    settings.function = function;
    settings.tolerance = tolerance;
    all.push_back(settings);
  }
  return all;
}

Newton::Settings koziara(Newton::Variant variant, double tolerance) {
  Newton::Settings settings;
  settings.function = NewtonFunction::AlartCurnier;
  settings.variant = variant;
  settings.globalisation = Newton::Globalisation::Scsol;
  settings.rho = Newton::Rho::Spectral;
  settings.sweeps = 0;
  settings.proximal = 0;
  settings.tolerance = tolerance;
  settings.max_iterations = 1000;
  return settings;
}

LocalProblem make_problem(const std::vector<ConstraintLaw>& law, const std::vector<int>& rows, const MatX& W,
                          const VecX& b) {
  LocalProblem problem;
  problem.law = law;
  for (const int n : rows) problem.offset.push_back(problem.offset.back() + n);
  BlockMatrixBuilder builder(problem.offset);
  for (int i = 0; i < W.rows(); ++i)
    for (int j = 0; j < W.cols(); ++j)
      if (W(i, j) != 0) builder.add(i, j, W(i, j));
  problem.W = builder.finish();
  problem.b = b;
  return problem;
}

MatX random_matrix(std::mt19937& rng, int rows, int columns) {
  std::normal_distribution<double> d;
  MatX A(rows, columns);
  for (double& x : A.reshaped()) x = d(rng);
  return A;
}

TEST(Newton, finds_stick_slip_and_separation_of_one_contact_in_closed_form) {
  // W = diag(2, 1/2, 1/2), mu = 0.3: stick r = -b/W; slip r_N = -b_N/2, r_T = -mu r_N b_T/|b_T|.
  const MatX W = Vec3(2, 0.5, 0.5).asDiagonal();
  const ConstraintLaw law{LawKind::Coulomb, 0.3};
  const std::pair<Vec3, Vec3> cases[] = {
      {{0.1, 3, 4}, {0, 0, 0}}, {{-4, 0.1, -0.2}, {2, -0.2, 0.4}}, {{-4, 3, 4}, {2, -0.6 * 0.6, -0.6 * 0.8}}};
  std::vector<Newton::Settings> all = functions(1e-12);
  for (const auto variant : {Newton::Variant::Newt, Newton::Variant::Hyb, Newton::Variant::Fix})
    all.push_back(koziara(variant, 1e-12));
  for (const Newton::Settings& settings : all)
    for (const auto& [b, expected] : cases) {
      Newton solver(settings);
      VecX r = VecX::Zero(3);
      const SolveReport report = solver.solve(make_problem({law}, {3}, W, b), r);
      EXPECT_EQ(report.status, SolveStatus::Converged) << report.message;
      EXPECT_LT((r - expected).norm(), 1e-10) << report.message;
    }
}

TEST(Newton, reaches_the_same_velocity_with_every_function_and_stays_in_the_cones) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    // Fewer rows than freedoms and little friction: the solution is unique.
    const LocalProblem problem = to_local(random_problem(seed, 12, 14, 3, 0.3));
    VecX reference;
    for (const Newton::Settings& settings : functions(1e-11)) {
      Newton solver(settings);
      VecX r = VecX::Zero(problem.b.size());
      const SolveReport report = solver.solve(problem, r);
      EXPECT_EQ(report.status, SolveStatus::Converged) << report.message << " seed " << seed;
      const Residual again = compute_residual(problem, r);
      EXPECT_EQ(again.scaled, report.residual.scaled);
      EXPECT_LE(again.scaled, 1e-11);
      EXPECT_LE(again.cone, 1e-14);
      const VecX U = problem.velocity(r);
      if (reference.size() == 0) reference = U;
      EXPECT_LT((U - reference).norm(), 1e-7 * reference.norm()) << report.message << " seed " << seed;
    }
  }
}

TEST(Newton, carries_a_four_legged_table_whose_forces_are_not_unique) {
  const LocalProblem problem = to_local(four_legged_table());
  for (const Newton::Settings& settings : functions(1e-10)) {
    Newton solver(settings);
    VecX r = VecX::Zero(12);
    const SolveReport report = solver.solve(problem, r);
    EXPECT_EQ(report.status, SolveStatus::Converged) << report.message;
    EXPECT_LT(problem.velocity(r).norm(), 1e-10);
    EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], 0.1, 1e-9);
  }
}

TEST(Newton, unil_agrees_with_the_enumeration_of_active_sets) {
  std::mt19937 rng(7);
  for (int trial = 0; trial < 30; ++trial) {
    const int n = 6;
    const MatX A = random_matrix(rng, n, n + 3);
    const MatX W = A * A.transpose();
    const VecX b = random_matrix(rng, n, 1);
    // The one subset whose contacts carry non-negative impulses while the others separate.
    VecX expected;
    for (unsigned set = 0; set < 1u << n; ++set) {
      std::vector<int> active;
      for (int i = 0; i < n; ++i)
        if (set >> i & 1u) active.push_back(i);
      VecX r = VecX::Zero(n);
      if (!active.empty()) {
        const VecX x = MatX(W(active, active)).partialPivLu().solve(VecX(-b(active)));
        for (std::size_t i = 0; i < active.size(); ++i) r[active[i]] = x[static_cast<int>(i)];
      }
      if (r.minCoeff() >= 0 && (W * r + b).minCoeff() >= -1e-10) expected = r;
    }
    ASSERT_EQ(expected.size(), n);
    const LocalProblem problem =
        make_problem(std::vector<ConstraintLaw>(n, {LawKind::Frictionless}), std::vector<int>(n, 1), W, b);
    Newton solver(koziara(Newton::Variant::Unil, 1e-12));
    VecX r = VecX::Zero(n);
    EXPECT_EQ(solver.solve(problem, r).status, SolveStatus::Converged);
    EXPECT_LT((r - expected).norm(), 1e-8 * (1 + expected.norm()));
  }
}

TEST(Newton, koziaras_directions_solve_his_readers_random_problems) {
  // Spec, 9.4: W = H H'/m, 3-40 contacts, mu in {1/3, 2/3, 1}: NEWT and HYB failed on 1 problem of 180, FIX on 4.
  std::mt19937 rng(9);
  int failed[3] = {}, runs = 0;
  for (const double mu : {1.0 / 3, 2.0 / 3, 1.0})
    for (const int contacts : {3, 8, 20, 40})
      for (int trial = 0; trial < 3; ++trial) {
        const int n = 3 * contacts, m = 2 * n;
        const MatX H = random_matrix(rng, n, m);
        const LocalProblem problem = make_problem(
            std::vector<ConstraintLaw>(static_cast<std::size_t>(contacts), {LawKind::Coulomb, mu}),
            std::vector<int>(static_cast<std::size_t>(contacts), 3), H * H.transpose() / m, random_matrix(rng, n, 1));
        ++runs;
        VecX reference;
        for (const auto variant : {Newton::Variant::Newt, Newton::Variant::Hyb, Newton::Variant::Fix}) {
          Newton solver(koziara(variant, 1e-10));
          VecX r = VecX::Zero(n);
          const SolveReport report = solver.solve(problem, r);
          if (report.status != SolveStatus::Converged) {
            ++failed[static_cast<int>(variant) - 1];
            continue;
          }
          if (reference.size() == 0) reference = r;
          EXPECT_LT((r - reference).norm(), 1e-6 * (1 + reference.norm())) << report.message;
          EXPECT_LE(report.iterations, variant == Newton::Variant::Fix ? 300 : 30);
        }
      }
  EXPECT_EQ(runs, 36);
  EXPECT_LE(failed[0], 2);
  EXPECT_LE(failed[1], 2);
  EXPECT_LE(failed[2], 4);
}

TEST(Newton, solves_rolling_plane_friction_intervals_and_joints_together) {
  std::mt19937 rng(11);
  const std::vector<ConstraintLaw> law{
      {LawKind::Rolling, 0.6, 0.2}, {LawKind::Coulomb, 0.4}, {LawKind::Interval, 0, 0, -0.1, 0.2},
      {LawKind::Bilateral},         {LawKind::Frictionless}, {LawKind::Coulomb, 0.0}};
  const std::vector<int> rows{5, 2, 1, 4, 3, 3};
  for (int trial = 0; trial < 20; ++trial) {
    const MatX A = random_matrix(rng, 18, 30);
    MatX W = A * A.transpose() / 30;
    W += 1e-3 * random_matrix(rng, 18, 18);  // gyroscopic terms make W unsymmetric
    const LocalProblem problem = make_problem(law, rows, W, random_matrix(rng, 18, 1));
    for (const auto function : {NewtonFunction::NaturalMap, NewtonFunction::AlartCurnier, NewtonFunction::JeanMoreau}) {
      Newton::Settings settings;
      settings.function = function;
      settings.tolerance = 1e-10;
      Newton solver(settings);
      VecX r = VecX::Zero(18);
      const SolveReport report = solver.solve(problem, r);
      EXPECT_EQ(report.status, SolveStatus::Converged) << report.message << " trial " << trial;
      EXPECT_LE(compute_residual(problem, r).scaled, 1e-10);
    }
  }
}

TEST(Newton, takes_no_step_from_a_solution_and_solves_scaled_units_alike) {
  const LocalProblem problem = to_local(random_problem(4, 12, 14, 1, 0.4));
  Newton solver(functions(1e-10)[0]);
  VecX r = VecX::Zero(problem.b.size());
  ASSERT_EQ(solver.solve(problem, r).status, SolveStatus::Converged);
  VecX again = r;
  EXPECT_EQ(solver.solve(problem, again).iterations, 0);
  EXPECT_EQ(again, r);
  // Bodies 2^40 times heavier and 2^10 times faster.
  LocalProblem scaled = problem;
  for (double& x : scaled.W.values) x = std::ldexp(x, -40);
  scaled.b *= std::ldexp(1, 10);
  VecX heavy = VecX::Zero(problem.b.size());
  ASSERT_EQ(solver.solve(scaled, heavy).status, SolveStatus::Converged);
  EXPECT_LT((std::ldexp(1, -50) * heavy - r).norm(), 1e-8 * r.norm());
}

TEST(Newton, refuses_laws_and_combinations_it_does_not_know) {
  const LocalProblem rolling =
      make_problem({{LawKind::Rolling, 0.5, 0.1}}, {5}, MatX::Identity(5, 5), VecX::Constant(5, -1));
  Newton fischer_burmeister(functions(1e-8)[3]);
  VecX r = VecX::Constant(5, 0.25);
  EXPECT_THROW(fischer_burmeister.solve(rolling, r), Error);
  EXPECT_EQ(r, VecX(VecX::Constant(5, 0.25)));
  EXPECT_FALSE(fischer_burmeister.supports({LawKind::Rolling}));

  const LocalProblem friction =
      make_problem({{LawKind::Coulomb, 0.5}}, {3}, MatX::Identity(3, 3), VecX::Constant(3, -1));
  Newton unil(koziara(Newton::Variant::Unil, 1e-8));
  VecX x = VecX::Zero(3);
  EXPECT_THROW(unil.solve(friction, x), Error);

  Newton::Settings wrong;
  wrong.variant = Newton::Variant::Hyb;
  EXPECT_THROW(Newton{wrong}, Error);
}

TEST(Newton, tells_limits_and_bad_numbers_apart) {
  LocalProblem problem = to_local(random_problem(2, 4, 30, 0, 0.8));
  Newton::Settings settings = functions(1e-14)[1];
  settings.max_iterations = 2;
  VecX r = VecX::Zero(problem.b.size());
  const double before = compute_residual(problem, r).scaled;
  SolveReport report = Newton(settings).solve(problem, r);
  EXPECT_EQ(report.status, SolveStatus::IterationLimit);
  EXPECT_EQ(report.iterations, 2);
  EXPECT_LT(report.residual.scaled, before);
  EXPECT_EQ(report.residual.scaled, compute_residual(problem, r).scaled);

  settings.max_iterations = 1000;
  settings.max_seconds = 1e-9;
  r.setZero();
  EXPECT_EQ(Newton(settings).solve(problem, r).status, SolveStatus::TimeLimit);

  problem.b[4] = std::nan("");
  report = Newton(settings).solve(problem, r);
  EXPECT_EQ(report.status, SolveStatus::NotFinite);
  EXPECT_TRUE(r.isZero(0));

  // Nothing to push against: only r = 0 is exact.
  problem.b.setZero();
  r.setOnes();
  EXPECT_EQ(Newton(settings).solve(problem, r).status, SolveStatus::Converged);
  EXPECT_TRUE(r.isZero(0));
}

TEST(NewtonLinear, dense_and_sparse_systems_are_solved_to_rounding) {
  std::mt19937 rng(13);
  for (const int count : {5, 120}) {
    // A chain of constraints with 1 to 5 rows; one has no diagonal block.
    std::vector<ConstraintLaw> law(static_cast<std::size_t>(count), {LawKind::Bilateral});
    std::vector<int> rows, offset{0};
    for (int i = 0; i < count; ++i) rows.push_back(1 + i % 5), offset.push_back(offset.back() + rows.back());
    const int n = offset.back();
    MatX W = MatX::Zero(n, n);
    for (int i = 0; i < count; ++i)
      for (int j = std::max(0, i - 2); j < std::min(count, i + 3); ++j)
        if (i != 3 || j != 3) {
          const std::size_t a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
          W.block(offset[a], offset[b], rows[a], rows[b]) = random_matrix(rng, rows[a], rows[b]);
        }
    const LocalProblem problem = make_problem(law, rows, W, VecX::Zero(n));
    std::vector<NewtonBlocks> blocks(static_cast<std::size_t>(count));
    MatX A = MatX::Zero(n, n), B = A;
    VecX F(n);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const int o = offset[i], m = rows[i];
      A.block(o, o, m, m) = random_matrix(rng, m, m);
      B.block(o, o, m, m) = 5 * random_matrix(rng, m, m);
      F.segment(o, m) = random_matrix(rng, m, 1);
      Eigen::Map<MatX>(blocks[i].dU.data(), m, m) = A.block(o, o, m, m);
      Eigen::Map<MatX>(blocks[i].dr.data(), m, m) = B.block(o, o, m, m);
      Eigen::Map<VecX>(blocks[i].F.data(), m) = F.segment(o, m);
    }
    NewtonLinear linear;
    linear.plan(problem);
    EXPECT_EQ(linear.dense(), count == 5);
    for (const double eps : {0.0, 0.1}) {  // the second uses the same plan
      VecX x;
      ASSERT_TRUE(linear.factor(blocks, eps));
      ASSERT_TRUE(linear.solve(blocks, x));
      const MatX J = A * (W + eps * MatX::Identity(n, n)) + B;
      EXPECT_LT((J * x + F).norm(), 1e-9 * F.norm()) << count << " eps " << eps;
    }
    // A system without any entries is singular.
    for (NewtonBlocks& block : blocks) block.dU.fill(0), block.dr.fill(0);
    VecX x;
    EXPECT_FALSE(linear.factor(blocks, 0) && linear.solve(blocks, x));
  }
}

}  // namespace
}  // namespace cairn
