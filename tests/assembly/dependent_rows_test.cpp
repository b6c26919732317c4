// SPDX-License-Identifier: Apache-2.0
// Mechanisms with more equations than they need: those that only nearly depend on each other are left out of a step.
#include "cairn/assembly/dependent_rows.h"
#include "cairn/sim/simulation.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

/// Bricard's mechanism: five rods along the edges of a cube, hinges with axes square to both rods.
Model make_bricard(double h) {
  Model model;
  model.set_gravity({0, -9.81, 0});
  model.run.step = h;
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  for (std::size_t i = 0; i < 5; ++i)
    model.add_rigid({.name = fmt::format("rod {}", i),
                     .position = 0.5 * (points[i] + points[i + 1]),
                     .mass = 1.0,
                     .inertia = Mat3(0.08 * Mat3::Identity())});
  for (std::size_t i = 0; i < 6; ++i)
    model.add_joint({.kind = JointKind::Revolute,
                     .body_a = i < 5 ? fmt::format("rod {}", i) : std::string(),
                     .body_b = i > 0 ? fmt::format("rod {}", i - 1) : std::string(),
                     .position = points[i],
                     .axis = Vec3::Unit(static_cast<int>(i + 1) % 3)});
  return model;
}

/// Equalities of one row each, with W = H H' and b = H v.
struct Rows {
  LocalProblem problem;
  std::vector<RowBlock> blocks;
  explicit Rows(const MatX& H, const VecX& b) {
    const int n = static_cast<int>(H.rows());
    const MatX W = H * H.transpose();
    for (int i = 0; i < n; ++i) {
      problem.offset.push_back(i + 1);
      problem.law.push_back({.kind = LawKind::Bilateral});
      RowBlock& block = blocks.emplace_back();
      block.rows = 1;
    }
    BlockMatrixBuilder builder(problem.offset);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) builder.add(i, j, W(i, j));
    problem.W = builder.finish();
    problem.b = b;
  }
};

MatX three_rows(double beside) {
  MatX H(3, 3);
  H << 1, 0, 0, 1, 1, 0, 2, 1, beside;  // the third is the sum of the others, but for `beside`
  return H;
}

}  // namespace

TEST(DependentRows, a_row_that_nearly_depends_on_others_and_contradicts_them_is_left_out) {
  const MatX H = three_rows(1e-6);
  Rows rows(H, Vec3(1, 2, 3 + 1e-3));
  DependentRows dependent;
  ASSERT_EQ(dependent.leave_out(rows.blocks, rows.problem), 1);
  EXPECT_EQ(dependent.left_out()[0], 2);
  EXPECT_EQ(rows.problem.b[2], 0);
  const VecX U = rows.problem.velocity(Vec3(1, 1, 0));
  EXPECT_EQ(U[2], 0);
  // Spread impulses have the same effect, to the part that makes the row independent, and are smaller.
  VecX r = Vec3(1, 1, 0);
  const VecX D = (H * H.transpose()).diagonal(), effect = H.transpose() * r;
  const double before = r.dot(D.cwiseProduct(r));
  dependent.spread(r);
  EXPECT_LT((H.transpose() * r - effect).norm(), 1e-5);
  EXPECT_LT(r.dot(D.cwiseProduct(r)), before);
  // Least r'D r: what has no effect is square to it.
  EXPECT_NEAR(r.dot(D.cwiseProduct(VecX(Vec3(1, 1, -1)))), 0, 1e-5);
}

TEST(DependentRows, rows_that_agree_or_are_independent_stay) {
  DependentRows dependent;
  Rows agree(three_rows(0), Vec3(1, 2, 3));
  EXPECT_EQ(dependent.leave_out(agree.blocks, agree.problem), 0);
  EXPECT_EQ(agree.problem.b[2], 3);
  Rows independent(three_rows(0.1), Vec3(1, 2, 7));
  EXPECT_EQ(dependent.leave_out(independent.blocks, independent.problem), 0);
}

TEST(DependentRows, a_contradiction_of_the_model_itself_stays_for_the_solver_to_report) {
  DependentRows dependent;
  Rows rows(three_rows(0), Vec3(1, 2, 4));
  EXPECT_EQ(dependent.leave_out(rows.blocks, rows.problem), 0);
  EXPECT_EQ(rows.problem.b[2], 4);
}

TEST(DependentRows, loops_are_seen_with_the_ground_as_one_body) {
  const Model model = make_bricard(1e-3);
  std::vector<RowBlock> blocks;
  for (const Joint& joint : model.system().joints) {
    VecX q, u;
    model.system().bodies.initial(q, u);
    fill_rows(joint, place(joint, model.system().bodies, q), blocks.emplace_back());
  }
  EXPECT_TRUE(have_loops(model.system().bodies, blocks));
  blocks.pop_back();
  EXPECT_FALSE(have_loops(model.system().bodies, blocks));
}

TEST(DependentRows, bricards_mechanism_moves_and_keeps_its_energy_to_second_order) {
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    Simulation s(make_bricard(k == 0 ? 4e-3 : 2e-3));
    const double start = s.energy().total();
    double worst = 0;
    s.run(1, [&](const Simulation& now) {
      worst = std::max(worst, std::abs(now.energy().total() - start));
      return true;
    });
    errors[k] = worst;
    EXPECT_GT(s.energy().kinetic, 1) << "it falls";
    EXPECT_EQ(s.summary().not_converged, 0);
    EXPECT_LT(s.summary().joint_drift, 1e-4);
  }
  EXPECT_LT(errors[1], 0.3 * errors[0]);
}

}  // namespace cairn
