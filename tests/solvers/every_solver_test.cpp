// SPDX-License-Identifier: Apache-2.0
// Properties of every solver in the registry, over random problems of every law mix: it converges to the velocity all
// others find, or says honestly that it did not; what it reports is what one recomputes; never NaN.
#include <gtest/gtest.h>

#include <set>

#include "cairn/problem/dense_matrix.h"
#include "cairn/solvers/solver.h"
#include "solvers/random_problem.h"

namespace cairn {
namespace {

/// Those that must converge on every solvable problem here; the others may decline, stall or run out of iterations.
const std::set<std::string> kReliable{"auto", "gauss-seidel", "proximal-newton"};

VecX velocity_of(const PairProblem& problem, const VecX& r) { return ContactProblem(problem).velocity(r); }

/// Local problem W = A A' (+ skew) with the given laws, rows by law; rank deficient when freedoms < rows.
LocalProblem random_local(unsigned seed, const std::vector<std::pair<ConstraintLaw, int>>& constraints, int freedoms,
                          double skew, double mass_ratio) {
  std::mt19937 rng(seed);
  std::normal_distribution<double> d;
  LocalProblem problem;
  for (const auto& [law, rows] : constraints) {
    problem.law.push_back(law);
    problem.offset.push_back(problem.offset.back() + rows);
  }
  const int m = problem.offset.back();
  MatX A = MatX::NullaryExpr(m, freedoms, [&] { return d(rng); });
  // Freedoms of very different mass, and constraints that feel only some of them.
  for (int c = 0; c < freedoms; ++c) A.col(c) *= std::pow(mass_ratio, -0.5 * c / std::max(1, freedoms - 1));
  const VecX motion = VecX::NullaryExpr(freedoms, [&] { return d(rng); });
  MatX W = A * A.transpose();
  const double size = W.trace() / m;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < i; ++j) {
      const double x = skew * size * d(rng);
      W(i, j) += x;
      W(j, i) -= x;
    }
  BlockMatrixBuilder builder(problem.offset);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) builder.add(i, j, W(i, j));
  problem.W = builder.finish();
  problem.b = A * motion;  // in the range of A: rank deficient problems stay consistent
  return problem;
}

std::vector<std::pair<ConstraintLaw, int>> law_mix(unsigned seed, int count, double mu) {
  std::mt19937 rng(seed);
  std::vector<std::pair<ConstraintLaw, int>> mix;
  for (int i = 0; i < count; ++i) {
    switch (rng() % 6) {
      case 0: mix.push_back({{LawKind::Frictionless}, 1}); break;
      case 1: mix.push_back({{LawKind::Coulomb, mu}, 2}); break;
      case 2: mix.push_back({{LawKind::Bilateral}, 1 + static_cast<int>(rng() % 3)}); break;
      case 3: mix.push_back({{LawKind::Rolling, mu, 0.1 * mu}, 5}); break;
      case 4: mix.push_back({{LawKind::Interval, 0, 0, -0.5, 1}, 1}); break;
      default: mix.push_back({{LawKind::Coulomb, mu}, 3}); break;
    }
  }
  return mix;
}

/// What holds for any solver on any problem.
void expect_honest(const std::string& name, const LocalProblem& problem, const SolveReport& report, const VecX& r,
                   double tolerance) {
  ASSERT_TRUE(r.allFinite()) << name;
  const Residual again = compute_residual(problem, r);
  EXPECT_NEAR(again.scaled, report.residual.scaled, 1e-13 + 1e-9 * again.scaled) << name;
  EXPECT_NEAR(again.relative, report.residual.relative, 1e-13 + 1e-9 * again.relative) << name;
  EXPECT_EQ(report.status == SolveStatus::Converged, again.scaled <= tolerance)
      << name << " says " << to_string(report.status) << " at " << again.scaled;
}

TEST(EverySolver, finds_the_velocity_that_all_find_in_both_forms_of_random_problems) {
  int converged = 0, asked = 0;
  for (unsigned seed = 0; seed < 6; ++seed) {
    // Fewer rows than freedoms: impulses and velocities are then both unique for small friction.
    const PairProblem problem = random_problem(seed, 12, 14, 3, 0.3);
    const LocalProblem local = to_local(problem);
    VecX reference;
    for (const auto& entry : solvers().entries()) {
      const auto solver = entry.make({{"tolerance", "1e-8"}, {"max_seconds", "1"}});
      VecX r = VecX::Zero(3 * static_cast<int>(problem.size()));
      const SolveReport report = solver->solve(problem, r);
      VecX r_local = VecX::Zero(local.b.size());
      const SolveReport local_report = solver->solve(local, r_local);
      expect_honest(entry.name, local, local_report, r_local, 1e-8);
      ++asked;
      if (kReliable.contains(entry.name)) {
        EXPECT_EQ(report.status, SolveStatus::Converged) << entry.name << " seed " << seed;
        EXPECT_EQ(local_report.status, SolveStatus::Converged) << entry.name << " seed " << seed;
      }
      if (report.status != SolveStatus::Converged || local_report.status != SolveStatus::Converged) continue;
      ++converged;
      const VecX velocity = velocity_of(problem, r);
      if (reference.size() == 0) reference = velocity;
      EXPECT_LT((velocity - reference).norm(), 1e-5 * reference.norm()) << entry.name << " seed " << seed;
      EXPECT_LT((local.velocity(r_local) - reference).norm(), 1e-5 * reference.norm()) << entry.name;
    }
  }
  EXPECT_GT(converged, 0.7 * asked);  // most of them do most of these
}

bool knows_all(const Solver& solver, const LocalProblem& problem) {
  return std::all_of(problem.law.begin(), problem.law.end(), [&](const auto& law) { return solver.supports(law); });
}

TEST(EverySolver, is_honest_on_every_mix_of_laws_rank_asymmetry_and_mass_ratio) {
  unsigned seed = 100;
  for (const int count : {1, 3, 12}) {
    for (const double mu : {0.0, 0.4, 10.0}) {
      for (const double skew : {0.0, 1e-4}) {
        for (const double ratio : {1.0, 1e6}) {
          ++seed;
          const auto mix = law_mix(seed, count, mu);
          const LocalProblem problem = random_local(seed, mix, 6 + 2 * count, skew, ratio);
          for (const auto& entry : solvers().entries()) {
            const auto solver =
                entry.make({{"tolerance", "1e-6"}, {"max_iterations", "2000"}, {"max_seconds", "0.05"}});
            if (!knows_all(*solver, problem)) continue;  // law_support_test.cpp: refused with both names
            VecX r = VecX::Zero(problem.b.size());
            const SolveReport report = solver->solve(problem, r);
            expect_honest(entry.name, problem, report, r, 1e-6);
          }
        }
      }
    }
  }
}

TEST(EverySolver, is_honest_on_five_hundred_contacts_and_auto_solves_them) {
  // 250 bodies: impulses of 1500 rows over 1500 freedoms, several islands, some joints.
  const PairProblem problem = random_problem(7, 250, 500, 20, 0.5);
  const LocalProblem local = to_local(problem);
  for (const auto& entry : solvers().entries()) {
    const bool must = entry.name == "auto";
    const auto solver = entry.make({{"tolerance", "1e-6"}, {"max_seconds", must ? "20" : "0.1"}});
    VecX r = VecX::Zero(local.b.size());
    const SolveReport report = solver->solve(local, r);
    expect_honest(entry.name, local, report, r, 1e-6);
    if (must) {
      EXPECT_EQ(report.status, SolveStatus::Converged);
    }
  }
}

TEST(EverySolver, stands_duplicate_contacts_and_contacts_that_move_nothing) {
  // Contacts 0 to 3 come twice; contact 8 has zero rows and opens.
  const LocalProblem once = random_local(5, law_mix(5, 8, 0.4), 20, 0, 1);
  std::vector<int> from;
  for (int i = 0; i < 8; ++i) from.push_back(i);
  for (int i = 0; i < 4; ++i) from.push_back(i);
  LocalProblem problem;
  for (const int i : from) {
    problem.law.push_back(once.law[static_cast<std::size_t>(i)]);
    problem.offset.push_back(problem.offset.back() + once.rows(i));
  }
  problem.law.push_back({LawKind::Coulomb, 0.4});
  problem.offset.push_back(problem.offset.back() + 3);
  const MatX W = to_dense(once);
  BlockMatrixBuilder builder(problem.offset);
  problem.b = VecX::Zero(problem.offset.back());
  problem.b[problem.offset.back() - 3] = 0.5;
  for (std::size_t a = 0; a < from.size(); ++a)
    for (int l = 0; l < once.rows(from[a]); ++l) {
      const int row = once.offset[static_cast<std::size_t>(from[a])] + l;
      problem.b[problem.offset[a] + l] = once.b[row];
      for (std::size_t c = 0; c < from.size(); ++c)
        for (int m = 0; m < once.rows(from[c]); ++m)
          builder.add(problem.offset[a] + l, problem.offset[c] + m,
                      W(row, once.offset[static_cast<std::size_t>(from[c])] + m));
    }
  problem.W = builder.finish();
  for (const auto& entry : solvers().entries()) {
    const auto solver = entry.make({{"tolerance", "1e-7"}, {"max_seconds", "0.5"}});
    if (!knows_all(*solver, problem)) continue;
    VecX r = VecX::Zero(problem.b.size()), r_once = VecX::Zero(once.b.size());
    const SolveReport report = solver->solve(problem, r), report_once = solver->solve(once, r_once);
    expect_honest(entry.name, problem, report, r, 1e-7);
    if (entry.name == "auto") {
      EXPECT_EQ(report.status, SolveStatus::Converged);
      EXPECT_EQ(report_once.status, SolveStatus::Converged);
    }
    if (report.status != SolveStatus::Converged || report_once.status != SolveStatus::Converged) continue;
    EXPECT_LT((problem.velocity(r).head(once.b.size()) - once.velocity(r_once)).norm(), 1e-4 * once.b.norm())
        << entry.name;
  }
}

TEST(EverySolver, stands_a_four_legged_table_though_its_forces_are_not_unique) {
  const PairProblem problem = four_legged_table();
  for (const auto& entry : solvers().entries()) {
    const auto solver = entry.make({{"tolerance", "1e-9"}, {"max_seconds", "1"}});
    VecX r = VecX::Zero(12);
    const SolveReport report = solver->solve(problem, r);
    if (kReliable.contains(entry.name)) {
      EXPECT_EQ(report.status, SolveStatus::Converged) << entry.name;
    }
    if (report.status != SolveStatus::Converged) continue;
    EXPECT_LT(velocity_of(problem, r).norm(), 1e-9) << entry.name;
    EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], 0.1, 1e-9) << entry.name;
  }
}

TEST(EverySolver, solves_parts_side_by_side_as_if_each_were_alone) {
  const PairProblem pairs = random_problem(3, 8, 10, 0, 0.3);
  const LocalProblem general = random_local(9, law_mix(9, 4, 0.3), 20, 0, 1);
  const ContactProblem both(general, pairs, {});
  const int m = general.offset.back();
  for (const auto& entry : solvers().entries()) {
    const auto solver = entry.make({{"tolerance", "1e-6"}, {"max_iterations", "500"}});
    if (!knows_all(*solver, general)) continue;
    VecX r = VecX::Zero(both.row_count()), a = r.head(m), b = r.tail(r.size() - m);
    const SolveReport report = solver->solve(both, r), first = solver->solve(general, a),
                      second = solver->solve(pairs, b);
    EXPECT_EQ(VecX(r.head(m)), a) << entry.name;  // the same bits
    EXPECT_EQ(VecX(r.tail(b.size())), b) << entry.name;
    EXPECT_EQ(report.status == SolveStatus::Converged,
              first.status == SolveStatus::Converged && second.status == SolveStatus::Converged)
        << entry.name;
    EXPECT_NEAR(report.residual.scaled, both.residual(r).scaled, 1e-15) << entry.name;
    EXPECT_EQ(report.iterations, first.iterations + second.iterations) << entry.name;
  }
}

TEST(EverySolver, does_nothing_to_an_empty_problem) {
  for (const auto& entry : solvers().entries()) {
    const auto solver = entry.make({});
    VecX r;
    EXPECT_EQ(solver->solve(PairProblem{}, r).status, SolveStatus::Converged) << entry.name;
    VecX r_local;
    LocalProblem empty;
    empty.W.row_start.push_back(0);
    EXPECT_EQ(solver->solve(empty, r_local).status, SolveStatus::Converged) << entry.name;
  }
}

TEST(EverySolver, names_a_problem_with_nan_and_returns_zero_impulses) {
  for (const auto& entry : solvers().entries()) {
    PairProblem problem = random_problem(1, 3, 4, 0, 0.5);
    problem.blocks[2].b[1] = std::nan("");
    const auto solver = entry.make({});
    VecX r = VecX::Zero(3 * static_cast<int>(problem.size()));
    const SolveReport report = solver->solve(problem, r);
    EXPECT_EQ(report.status, SolveStatus::NotFinite) << entry.name;
    EXPECT_EQ(r, VecX::Zero(12)) << entry.name;
  }
}

TEST(EverySolver, gives_the_same_bits_for_the_same_input) {
  const LocalProblem problem = to_local(random_problem(9, 8, 12, 2, 0.5));
  for (const auto& entry : solvers().entries()) {
    VecX first = VecX::Zero(problem.b.size()), second = first;
    entry.make({{"max_iterations", "300"}})->solve(problem, first);
    const auto solver = entry.make({{"max_iterations", "300"}});
    VecX other = VecX::Ones(18);  // a solver that has solved another problem forgets it
    solver->solve(to_local(random_problem(10, 5, 6, 0, 0.2)), other);
    solver->solve(problem, second);
    EXPECT_EQ(first, second) << entry.name;
  }
}

TEST(EverySolver, gives_the_same_bits_on_one_and_two_threads) {
  const PairProblem problem = random_problem(9, 300, 600, 10, 0.5);  // enough for two chunks per colour
  std::vector<std::pair<std::string, ParameterValues>> variants;
  for (const auto& entry : solvers().entries()) variants.push_back({entry.name, {{"max_iterations", "15"}}});
  variants.push_back({"gauss-seidel", {{"max_iterations", "15"}, {"coloured", "true"}}});
  for (const auto& [name, parameters] : variants) {
    VecX one = VecX::Zero(3 * static_cast<int>(problem.size())), two = one;
    if (name == "lemke" || name == "block-pivoting" || name == "staggered-projections")
      continue;  // minutes; no threads
    solvers().make(name, parameters)->solve({problem, Threads{1}}, one);
    solvers().make(name, parameters)->solve({problem, Threads{2}}, two);
    EXPECT_EQ(one, two) << name;
  }
}

TEST(EverySolver, order_of_the_contacts_changes_nothing_beyond_the_tolerance) {
  PairProblem problem = random_problem(21, 10, 12, 0, 0.3), turned = problem;
  std::reverse(turned.blocks.begin(), turned.blocks.end());
  for (const auto& entry : solvers().entries()) {
    VecX r = VecX::Zero(3 * static_cast<int>(problem.size())), t = r;
    const SolveReport a = entry.make({{"tolerance", "1e-9"}, {"max_seconds", "1"}})->solve(problem, r);
    const SolveReport b = entry.make({{"tolerance", "1e-9"}, {"max_seconds", "1"}})->solve(turned, t);
    if (a.status != SolveStatus::Converged || b.status != SolveStatus::Converged) continue;
    for (int k = 0; k < 6; ++k) t.segment<3>(3 * k).swap(t.segment<3>(3 * (11 - k)));
    const VecX u = velocity_of(problem, r);
    EXPECT_LT((u - velocity_of(problem, t)).norm(), 1e-6 * u.norm()) << entry.name;
  }
}

TEST(EverySolver, solution_scales_with_the_units_of_impulse_and_velocity) {
  // Heavier bodies (H~ smaller by 2^-20) and faster ones (b larger by 2^10): the same answer, scaled.
  const PairProblem problem = random_problem(4, 5, 8, 1, 0.4);
  PairProblem scaled = problem;
  for (PairBlock& c : scaled.blocks) {
    c.D *= std::ldexp(1, -20), c.G1 *= std::ldexp(1, -20), c.G2 *= std::ldexp(1, -20), c.b *= std::ldexp(1, 10);
  }
  for (const auto& entry : solvers().entries()) {
    VecX r = VecX::Zero(3 * static_cast<int>(problem.size())), rs = r;
    const auto a = entry.make({{"tolerance", "1e-10"}, {"max_seconds", "1"}})->solve(problem, r);
    const auto b = entry.make({{"tolerance", "1e-10"}, {"max_seconds", "1"}})->solve(scaled, rs);
    EXPECT_EQ(a.status, b.status) << entry.name;
    if (a.status != SolveStatus::Converged) continue;
    for (int o = 0; o < r.size(); o += 3) {
      EXPECT_LT((std::ldexp(1, -50) * rs - r).segment<3>(o).norm(), 1e-6 * (1 + r.segment<3>(o).norm())) << entry.name;
    }
  }
}

TEST(EverySolver, infeasible_problems_are_not_called_solved) {
  // Two contacts press the same immovable point from both sides: U = b whatever r is.
  LocalProblem problem;
  problem.offset = {0, 3, 6};
  problem.law = {{LawKind::Coulomb, 0.5}, {LawKind::Coulomb, 0.5}};
  BlockMatrixBuilder builder(problem.offset);
  for (int i = 0; i < 3; ++i)
    for (const auto& [a, b, sign] : {std::tuple{0, 0, 1}, {3, 3, 1}, {0, 3, -1}, {3, 0, -1}})
      builder.add(a + i, b + i, sign);
  problem.W = builder.finish();
  problem.b = VecX::Zero(6);
  problem.b[0] = problem.b[3] = -1;  // both approach
  for (const auto& entry : solvers().entries()) {
    VecX r = VecX::Zero(6);
    const SolveReport report = entry.make({{"max_iterations", "500"}, {"max_seconds", "0.2"}})->solve(problem, r);
    EXPECT_NE(report.status, SolveStatus::Converged) << entry.name;
    EXPECT_TRUE(r.allFinite()) << entry.name;
  }
}

}  // namespace
}  // namespace cairn
