// SPDX-License-Identifier: Apache-2.0
// Properties of every solver in the registry, and of the single-contact solution.
#include <gtest/gtest.h>

#include "cairn/solvers/single_contact.h"
#include "cairn/solvers/solver.h"
#include "solvers/random_problem.h"

namespace cairn {
namespace {

Mat3 random_spd(std::mt19937& rng) {
  std::normal_distribution<double> d;
  Mat3 A;
  for (double& x : A.reshaped()) x = d(rng);
  return A * A.transpose() + 0.05 * Mat3::Identity();
}

TEST(SingleContact, solves_random_contacts_exactly) {
  std::mt19937 rng(11);
  std::normal_distribution<double> d;
  int open = 0, stick = 0, slip = 0;
  for (int i = 0; i < 20000; ++i) {
    const Mat3 W = random_spd(rng);
    const Vec3 b(d(rng), d(rng), d(rng));
    const double mu = std::abs(d(rng));
    SingleContact contact;
    contact.prepare(W);
    double lambda = i % 2 ? 0 : std::exp(5 * d(rng));  // any start
    const Vec3 r = contact.solve(b, mu, lambda), U = W * r + b;
    EXPECT_LT(natural_map(LawKind::Coulomb, mu, U, r, 1 / W.trace()).norm(), 1e-11 * (b.norm() + 1)) << i;
    (r.isZero(0) ? open : std::hypot(r[1], r[2]) < mu * r[0] * (1 - 1e-9) ? stick : slip)++;
  }
  EXPECT_GT(open, 1000);
  EXPECT_GT(stick, 1000);
  EXPECT_GT(slip, 1000);
}

TEST(SingleContact, agrees_with_the_closed_form_for_diagonal_w) {
  // Validation problem N1: W = diag(wn, wt, wt).
  SingleContact contact;
  const double wn = 2, wt = 0.5, mu = 0.3;
  contact.prepare(Vec3(wn, wt, wt).asDiagonal());
  double lambda = 0;
  EXPECT_EQ(contact.solve({0.1, 3, 4}, mu, lambda), Vec3::Zero());
  EXPECT_LT((contact.solve({-4, 0.1, -0.2}, mu, lambda) - Vec3(2, -0.2, 0.4)).norm(), 1e-15);
  EXPECT_LT((contact.solve({-4, 3, 4}, mu, lambda) - Vec3(2, -0.6 * 0.6, -0.6 * 0.8)).norm(), 1e-14);
}

TEST(EverySolver, reaches_its_tolerance_on_random_problems_in_both_forms_with_the_same_velocity) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    // Fewer rows than freedoms: impulses and velocities are then both unique for small friction.
    const PairProblem problem = random_problem(seed, 12, 14, 3, 0.3);
    const LocalProblem local = to_local(problem);
    VecX reference;
    for (const auto& entry : solvers().entries()) {
      const auto solver = entry.make({{"tolerance", "1e-10"}, {"max_iterations", "5000"}});
      std::vector<Vec3> r(problem.size(), Vec3::Zero()), U;
      std::vector<PairVelocity> z;
      const SolveReport report = solver->solve(problem, r, {});
      EXPECT_EQ(report.status, SolveStatus::Converged) << entry.name << " seed " << seed;
      const Residual again = compute_residual(problem, r, z, U);
      EXPECT_LE(again.scaled, 1e-10) << entry.name;
      EXPECT_EQ(again.scaled, report.residual.scaled) << entry.name;
      EXPECT_LE(again.cone, 1e-14) << entry.name;
      VecX velocity(3 * static_cast<int>(U.size()));
      for (std::size_t i = 0; i < U.size(); ++i) velocity.segment<3>(3 * static_cast<int>(i)) = U[i];
      if (reference.size() == 0) reference = velocity;
      EXPECT_LT((velocity - reference).norm(), 1e-6 * reference.norm()) << entry.name << " seed " << seed;

      VecX r_local = VecX::Zero(local.b.size());
      const SolveReport local_report = solver->solve(local, r_local);
      EXPECT_EQ(local_report.status, SolveStatus::Converged) << entry.name << " seed " << seed;
      EXPECT_LT((local.velocity(r_local) - reference).norm(), 1e-6 * reference.norm())
          << entry.name << " seed " << seed;
    }
  }
}

TEST(EverySolver, stands_a_four_legged_table_though_its_forces_are_not_unique) {
  // One block on four points in a square: W has rank 6 of 12 (validation problem N4). The weight must be carried.
  PairProblem problem;
  problem.block_count = 1;
  for (int i = 0; i < 4; ++i) {
    PairBlock c;
    c.first = 0;
    const Vec3 arm(i & 1 ? 1 : -1, i & 2 ? 1 : -1, -0.5);
    c.D = contact_frame(Vec3::UnitZ());
    for (int k = 0; k < 3; ++k) c.G1.row(k) = arm.cross(Vec3(c.D.row(k)));
    c.G2.setZero();
    c.mu = 0.6;
    c.b = c.D * Vec3(0.05, 0, -0.1);  // pressed down and pushed sideways, inside the cone
    problem.blocks.push_back(c);
  }
  for (const auto& entry : solvers().entries()) {
    const auto solver = entry.make({{"tolerance", "1e-9"}});
    std::vector<Vec3> r(4, Vec3::Zero()), U;
    std::vector<PairVelocity> z;
    EXPECT_EQ(solver->solve(problem, r, {}).status, SolveStatus::Converged) << entry.name;
    compute_residual(problem, r, z, U);
    for (const Vec3& velocity : U) EXPECT_LT(velocity.norm(), 1e-9) << entry.name;
    EXPECT_NEAR(r[0][0] + r[1][0] + r[2][0] + r[3][0], 0.1, 1e-9) << entry.name;
  }
}

TEST(EverySolver, does_nothing_to_an_empty_problem) {
  for (const auto& entry : solvers().entries()) {
    const auto solver = entry.make({});
    std::vector<Vec3> r;
    EXPECT_EQ(solver->solve(PairProblem{}, r, {}).status, SolveStatus::Converged);
    VecX r_local;
    LocalProblem empty;
    empty.W.row_start.push_back(0);
    EXPECT_EQ(solver->solve(empty, r_local).status, SolveStatus::Converged);
  }
}

TEST(EverySolver, names_a_problem_with_nan_and_returns_zero_impulses) {
  for (const auto& entry : solvers().entries()) {
    PairProblem problem = random_problem(1, 3, 4, 0, 0.5);
    problem.blocks[2].b[1] = std::nan("");
    const auto solver = entry.make({});
    std::vector<Vec3> r(problem.size(), Vec3::Zero());
    const SolveReport report = solver->solve(problem, r, {});
    EXPECT_EQ(report.status, SolveStatus::NotFinite) << entry.name;
    for (const Vec3& x : r) EXPECT_TRUE(x.allFinite()) << entry.name;
  }
}

TEST(GaussSeidel, says_when_the_iteration_limit_was_reached) {
  const PairProblem problem = random_problem(2, 4, 30, 0, 0.8);
  const auto solver = solvers().make("gauss-seidel", {{"max_iterations", "2"}, {"tolerance", "1e-14"}});
  std::vector<Vec3> r(problem.size(), Vec3::Zero());
  const SolveReport report = solver->solve(problem, r, {});
  EXPECT_EQ(report.status, SolveStatus::IterationLimit);
  EXPECT_EQ(report.iterations, 2);
}

TEST(EverySolver, solution_scales_with_the_units_of_impulse_and_velocity) {
  // Heavier bodies (H~ smaller by 2^-20) and faster ones (b larger by 2^10): the same sweeps, exactly scaled.
  const PairProblem problem = random_problem(4, 5, 8, 1, 0.4);
  PairProblem scaled = problem;
  for (PairBlock& c : scaled.blocks) {
    c.D *= std::ldexp(1, -20), c.G1 *= std::ldexp(1, -20), c.G2 *= std::ldexp(1, -20), c.b *= std::ldexp(1, 10);
  }
  for (const auto& entry : solvers().entries()) {
    std::vector<Vec3> r(problem.size(), Vec3::Zero()), rs = r;
    entry.make({})->solve(problem, r, {});
    entry.make({})->solve(scaled, rs, {});
    for (std::size_t i = 0; i < r.size(); ++i) {
      EXPECT_LT((std::ldexp(1, -50) * rs[i] - r[i]).norm(), 1e-10 * (1 + r[i].norm())) << entry.name;
    }
  }
}

}  // namespace
}  // namespace cairn
