// SPDX-License-Identifier: Apache-2.0
// The interior point method with De Saxce's shift held: a convex problem, always solved, with impulses in the middle.
#include "cairn/solvers/interior_point.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/tower_problem.h"

namespace cairn {
namespace {

using namespace tower_problem;

struct Held {
  VecX x, U, shift;  ///< scaled; the shift of each contact at the start
  SolveReport report;
};

/// From the impulses that `sweeps` sweeps find.
Held solve_held(VelocitySpace& space, int bodies, int sweeps) {
  EXPECT_TRUE(space.set(tower(bodies)) && space.plan(1e9));
  Held held;
  held.x = VecX::Zero(space.laws().total());
  space.prepare_sweeps(held.x);
  for (int k = 0; k < sweeps; ++k) space.sweep(held.x, true);
  space.velocity(held.x, held.U);
  const int n = space.laws().size();
  held.shift.resize(n);
  for (int i = 0; i < n; ++i) held.shift[i] = mu * held.U.segment<2>(3 * i + 1).norm();
  InteriorPoint::Settings settings;
  settings.tolerance = 1e-10;
  settings.sweeps = 0;
  settings.shift = InteriorPoint::Shift::Held;
  InteriorPoint(settings).iterate(space, held.x, held.report, {});
  space.velocity(held.x, held.U);
  return held;
}

TEST(InteriorPointHeldShift, solves_the_convex_problem_of_the_shift_at_the_start) {
  for (const int sweeps : {0, 3, 20}) {
    VelocitySpace space;
    const Held held = solve_held(space, 5, sweeps);
    const double size = space.laws().b.norm();
    for (int i = 0; i < space.laws().size(); ++i) {
      const Vec3 r = held.x.segment<3>(3 * i);
      Vec3 U = held.U.segment<3>(3 * i);
      U[0] += held.shift[i];
      EXPECT_GE(mu * r[0] - r.tail<2>().norm(), -1e-8 * size) << "outside its cone";
      EXPECT_GE(U[0] - mu * U.tail<2>().norm(), -1e-8 * size) << "outside the dual cone";
      EXPECT_NEAR(r.dot(U), 0, 1e-8 * size * size) << "not orthogonal";
    }
  }
}

TEST(InteriorPointHeldShift, puts_impulses_that_are_not_unique_in_the_middle_of_their_cones) {
  // The shift of the sliding block is right after some sweeps; below it everything rests, and the load of each face can
  // be shared by its corners in many ways.
  VelocitySpace space;
  const Held held = solve_held(space, 4, 400);
  for (int i = 0; i < 4 * 3; ++i) {
    const Vec3 r = held.x.segment<3>(3 * i);
    EXPECT_LT(r.tail<2>().norm(), 0.99 * mu * r[0]) << "contact " << i;
  }
}

TEST(InteriorPointHeldShift, says_how_well_the_true_law_is_met_not_the_convex_one) {
  VelocitySpace space;
  const Held held = solve_held(space, 4, 0);  // from zero impulses: the shift of free fall, not of the solution
  EXPECT_NEAR(held.report.residual.scaled, space.laws().residual(held.x, held.U), 1e-15);
  EXPECT_GT(held.report.residual.scaled, 1e-6);
  EXPECT_NE(held.report.status, SolveStatus::Converged);
}

}  // namespace
}  // namespace cairn
