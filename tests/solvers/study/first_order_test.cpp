// SPDX-License-Identifier: Apache-2.0
// ADMM, APGD, spectral gradient and extragradient: the true law by closed forms, the convex relaxation, any rank, any
// units, limits and failures.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "cairn/solvers/study/admm.h"
#include "cairn/solvers/study/apgd.h"
#include "cairn/solvers/study/extragradient.h"
#include "cairn/solvers/study/spectral_gradient.h"
#include "solvers/random_problem.h"

namespace cairn {
namespace {

const Registry<Solver>& first_order() {
  static const Registry<Solver> registry = [] {
    Registry<Solver> r("solver");
    r.add<Admm>("admm", "");
    r.add<Apgd>("apgd", "");
    r.add<SpectralGradient>("spectral-gradient", "");
    r.add<Extragradient>("extragradient", "");
    return r;
  }();
  return registry;
}

template <class Test>
void for_each(const ParameterValues& values, Test&& test) {
  for (const auto& entry : first_order().entries()) {
    SCOPED_TRACE(entry.name);
    test(*entry.make(values));
  }
}

LocalProblem make_problem(const MatX& W, const VecX& b, const std::vector<ConstraintLaw>& laws,
                          const std::vector<int>& rows) {
  LocalProblem problem;
  problem.law = laws;
  for (const int n : rows) problem.offset.push_back(problem.offset.back() + n);
  BlockMatrixBuilder builder(problem.offset);
  for (int j = 0; j < W.cols(); ++j)
    for (int i = 0; i < W.rows(); ++i) builder.add(i, j, W(i, j));
  problem.W = builder.finish();
  problem.b = b;
  return problem;
}

/// A box on its four lower corners, pushed sideways: 12 impulses for 6 freedoms.
LocalProblem make_box(double push, double mu, double skew) {
  const Vec3 half(0.4, 0.3, 0.2);
  const double mass = 3, h = 0.01;
  const Vec3 inertia = mass / 3 *
                       Vec3(half.y() * half.y() + half.z() * half.z(), half.x() * half.x() + half.z() * half.z(),
                            half.x() * half.x() + half.y() * half.y());
  MatX H(12, 6);
  int row = 0;
  for (const double x : {-half.x(), half.x()})
    for (const double y : {-half.y(), half.y()})
      for (const Vec3& axis : {Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(0, 1, 0)}) {
        H.row(row).head<3>() = axis;
        H.row(row++).tail<3>() = Vec3(x, y, -half.z()).cross(axis);
      }
  Vec6 weight, velocity;
  weight << Vec3::Constant(1 / mass), inertia.cwiseInverse();
  velocity << push, 0, -9.81 * h, 0, 0, 0;
  MatX M_inverse = weight.asDiagonal();
  // As a gyroscopic term makes it: W loses its symmetry.
  M_inverse(3, 4) += skew * M_inverse(3, 3);
  M_inverse(4, 3) -= skew * M_inverse(3, 3);
  return make_problem(H * M_inverse * H.transpose(), H * velocity,
                      std::vector<ConstraintLaw>(4, {LawKind::Coulomb, mu}), {3, 3, 3, 3});
}

TEST(FirstOrder, one_contact_opens_sticks_and_slides_by_its_closed_form) {
  // Validation problem N1: W = diag(wn, wt, wt).
  const double wn = 2, wt = 0.5, mu = 0.3;
  const MatX W = Vec3(wn, wt, wt).asDiagonal();
  const std::pair<Vec3, Vec3> cases[] = {
      {{0.1, 3, 4}, {0, 0, 0}}, {{-4, 0.1, -0.2}, {2, -0.2, 0.4}}, {{-4, 3, 4}, {2, -0.6 * 0.6, -0.6 * 0.8}}};
  for_each({{"tolerance", "1e-11"}}, [&](Solver& solver) {
    for (const auto& [b, expected] : cases) {
      VecX r = VecX::Zero(3);
      EXPECT_EQ(solver.solve(make_problem(W, b, {{LawKind::Coulomb, mu}}, {3}), r).status, SolveStatus::Converged);
      EXPECT_LT((r - expected).norm(), 1e-9);
    }
  });
}

TEST(FirstOrder, every_law_is_met_where_w_is_diagonal_and_each_part_stands_alone) {
  const VecX w = (VecX(14) << 2, 1, 3, 3, 40, 40, 0.5, 1, 1, 4, 100, 0.01, 1, 2).finished();
  VecX b(14), expected(14);
  b << -6, -4, 9, 0, 4, 0, -1, 7, 7, 8, 5, 0.02, -3, 8;
  // interval at its upper bound | rolling: normal 4, sliding at mu r_N, no rolling: -b/w within 0.4 | frictionless in 3
  // rows | three free rows of very different size | plane friction: sliding at mu r_N = 1.2
  expected << 2, 4, -2, 0, -0.1, 0, 2, 0, 0, -2, -0.05, -2, 3, -1.2;
  const LocalProblem problem = make_problem(w.asDiagonal(), b,
                                            {{LawKind::Interval, 0, 0, -1, 2},
                                             {LawKind::Rolling, 0.5, 0.1},
                                             {LawKind::Frictionless},
                                             {LawKind::Bilateral},
                                             {LawKind::Coulomb, 0.4}},
                                            {1, 5, 3, 3, 2});
  for_each({{"tolerance", "1e-11"}}, [&](Solver& solver) {
    VecX r = VecX::Zero(14);
    const SolveReport report = solver.solve(problem, r);
    EXPECT_EQ(report.status, SolveStatus::Converged) << report.message;
    EXPECT_LT((r - expected).norm(), 1e-7) << r.transpose();
  });
}

TEST(FirstOrder, convex_relaxation_is_the_projection_where_w_is_the_identity_and_is_not_called_converged) {
  // min |r + b|^2 over K is P_K(-b); for this sliding contact it is not Coulomb's answer (1, -0.5, 0).
  const Vec3 b(-1, 2, 0);
  const LocalProblem problem = make_problem(Mat3::Identity(), b, {{LawKind::Coulomb, 0.5}}, {3});
  for_each({{"relaxation_model", "convex"}, {"tolerance", "1e-10"}}, [&](Solver& solver) {
    VecX r = VecX::Zero(3);
    const SolveReport report = solver.solve(problem, r);
    EXPECT_LT((r - project_on_cone(-b, 0.5)).norm(), 1e-8);
    EXPECT_EQ(report.status, SolveStatus::Stalled);
    EXPECT_NE(report.message.find("convex relaxation"), std::string::npos);
    EXPECT_GT(report.residual.scaled, 1e-3);
  });
  for_each({{"tolerance", "1e-10"}}, [&](Solver& solver) {
    VecX r = VecX::Zero(3);
    EXPECT_EQ(solver.solve(problem, r).status, SolveStatus::Converged);
    EXPECT_LT((r - Vec3(1, -0.5, 0)).norm(), 1e-8);
  });
}

TEST(FirstOrder, a_box_on_four_corners_sticks_or_slides_as_one_mass_although_w_has_half_rank) {
  // Stuck: U = 0. Sliding without tipping: all corners move with push - mu g h; the weight m g h is carried.
  const double h = 0.01, mu = 0.3, mass = 3;
  for_each({{"tolerance", "1e-9"}}, [&](Solver& solver) {
    for (const double push : {0.02, 0.1}) {
      const LocalProblem problem = make_box(push, mu, 0);
      VecX r = VecX::Zero(12);
      EXPECT_EQ(solver.solve(problem, r).status, SolveStatus::Converged);
      const VecX U = problem.velocity(r);
      const double slip = std::max(0.0, push - mu * 9.81 * h);
      double carried = 0;
      for (int c = 0; c < 4; ++c) {
        EXPECT_LT((U.segment<3>(3 * c) - Vec3(0, slip, 0)).norm(), 1e-8);
        carried += r[3 * c];
      }
      EXPECT_NEAR(carried, mass * 9.81 * h, 1e-7);
    }
  });
}

TEST(FirstOrder, unsymmetric_w_is_solved_as_it_is_by_dense_and_sparse_factors) {
  const LocalProblem problem = make_box(0.05, 0.3, 0.2);
  ASSERT_GT((problem.block(0, 1) - problem.block(1, 0).transpose()).norm(), 0);
  VecX reference;
  const auto compare = [&](Solver& solver) {
    VecX r = VecX::Zero(12);
    EXPECT_EQ(solver.solve(problem, r).status, SolveStatus::Converged);
    const VecX U = problem.velocity(r);
    if (reference.size() == 0) reference = U;
    EXPECT_LT((U - reference).norm(), 1e-7);
  };
  for_each({{"tolerance", "1e-9"}}, compare);
  Admm::Settings sparse;
  sparse.tolerance = 1e-9;
  sparse.dense_rows = 0;
  sparse.dense_fill = 1;
  Admm admm(sparse);
  compare(admm);
}

TEST(FirstOrder, random_nets_with_joints_end_at_one_velocity) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const LocalProblem problem = to_local(random_problem(seed, 12, 14, 3, 0.3));
    VecX reference;
    for_each({{"tolerance", "1e-10"}}, [&](Solver& solver) {
      VecX r = VecX::Zero(problem.b.size());
      const SolveReport report = solver.solve(problem, r);
      EXPECT_EQ(report.status, SolveStatus::Converged) << seed << ": " << report.message;
      EXPECT_EQ(compute_residual(problem, r).scaled, report.residual.scaled);
      const VecX U = problem.velocity(r);
      if (reference.size() == 0) reference = U;
      EXPECT_LT((U - reference).norm(), 1e-6 * problem.b.norm()) << seed;
    });
  }
}

TEST(FirstOrder, a_change_of_units_changes_nothing_but_the_numbers) {
  // Masses in units 2^20 times smaller: W shrinks by 2^20, impulses grow by it, in every bit.
  const LocalProblem problem = to_local(random_problem(5, 12, 14, 3, 0.3));
  LocalProblem other = problem;
  const double unit = std::ldexp(1.0, 20);
  for (double& x : other.W.values) x /= unit;
  for_each({}, [&](Solver& solver) {
    VecX r = VecX::Zero(problem.b.size()), s = r;
    const SolveReport a = solver.solve(problem, r), b = solver.solve(other, s);
    EXPECT_EQ(a.iterations, b.iterations);
    EXPECT_EQ(s, unit * r);
  });
}

TEST(FirstOrder, a_solution_is_recognised_and_limits_are_kept) {
  const LocalProblem problem = to_local(random_problem(2, 12, 14, 3, 0.3));
  for_each({}, [&](Solver& solver) {
    VecX r = VecX::Zero(problem.b.size());
    ASSERT_EQ(solver.solve(problem, r).status, SolveStatus::Converged);
    EXPECT_LE(solver.solve(problem, r).iterations, 1);
    VecX bad = VecX::Constant(problem.b.size(), std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(solver.solve(problem, bad).status, SolveStatus::Converged);
    EXPECT_TRUE(bad.allFinite());
    VecX none;
    EXPECT_EQ(solver.solve(LocalProblem{}, none).status, SolveStatus::Converged);
  });
  for_each({{"max_iterations", "3"}}, [&](Solver& solver) {
    std::vector<HistoryPoint> history;
    solver.set_history(&history);
    VecX r = VecX::Zero(problem.b.size());
    const double start = compute_residual(problem, r).scaled;
    const SolveReport report = solver.solve(problem, r);
    EXPECT_EQ(report.status, SolveStatus::IterationLimit);
    EXPECT_EQ(report.iterations, 3);
    EXPECT_LE(report.residual.scaled, start);
    EXPECT_GE(history.size(), 3u);
  });
  for_each({{"max_seconds", "1e-9"}}, [&](Solver& solver) {
    VecX r = VecX::Zero(problem.b.size());
    EXPECT_EQ(solver.solve(problem, r).status, SolveStatus::TimeLimit);
  });
}

}  // namespace
}  // namespace cairn
