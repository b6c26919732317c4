// SPDX-License-Identifier: Apache-2.0
// Staggered Projections against answers known by formula, and against the residual of the exact law.
#include "cairn/solvers/study/staggered_projections.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>
#include <random>

#include "solvers/random_problem.h"

namespace cairn {
namespace {

using Settings = StaggeredProjections::Settings;

constexpr double g = 9.81, h = 1e-3;

Settings thesis_settings() {
  Settings s;
  s.acceleration = 0;
  s.adaptive = false;
  return s;
}

LocalProblem make_local(const MatX& W, const VecX& b, const std::vector<ConstraintLaw>& laws,
                        const std::vector<int>& rows) {
  LocalProblem p;
  p.law = laws;
  for (const int n : rows) p.offset.push_back(p.offset.back() + n);
  BlockMatrixBuilder builder(p.offset);
  for (int i = 0; i < W.rows(); ++i)
    for (int j = 0; j < W.cols(); ++j) builder.add(i, j, W(i, j));
  p.W = builder.finish();
  p.b = b;
  return p;
}

/// Contacts of `rows` rows each with rows H of a system with diagonal masses and free velocity u.
LocalProblem make_contacts(const MatX& H, const VecX& mass, const VecX& u, int rows, double mu) {
  const MatX W = H * mass.cwiseInverse().asDiagonal() * H.transpose();
  const std::size_t count = static_cast<std::size_t>(H.rows() / rows);
  return make_local(W, H * u, std::vector<ConstraintLaw>(count, {LawKind::Coulomb, mu}), std::vector<int>(count, rows));
}

/// Box of sides 2 with contact points at the corners of its lower face, at height 1 below the centre.
LocalProblem make_box(double m, const Vec3& velocity, double mu) {
  MatX H(12, 6);
  for (int i = 0; i < 4; ++i) {
    const Vec3 arm(i & 1 ? 1 : -1, i & 2 ? 1 : -1, -1);
    const Vec3 axes[] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
    for (int k = 0; k < 3; ++k) H.row(3 * i + k) << axes[k].transpose(), arm.cross(axes[k]).transpose();
  }
  VecX mass(6), u = VecX::Zero(6);
  mass << m, m, m, m * 2 / 3, m * 2 / 3, m * 2 / 3;
  u.head<3>() = velocity;
  return make_contacts(H, mass, u, 3, mu);
}

/// Kaufman's rod in coordinates (a, x, y) with m = 1, I = 1/3, tan a = -1/2, sliding with velocity vx under gravity.
LocalProblem make_rod(double vx, double mu) {
  const double a = -std::atan(0.5);
  MatX H(2, 3);
  H << std::sin(a), 0, 1, std::cos(a), 1, 0;
  return make_contacts(H, Vec3(1.0 / 3, 1, 1), Vec3(0, vx, -g * h), 2, mu);
}

SolveReport solve(const LocalProblem& p, const Settings& s, VecX& r) {
  if (r.size() == 0) r = VecX::Zero(p.b.size());
  const SolveReport report = StaggeredProjections(s).solve(p, r);
  EXPECT_EQ(report.residual.scaled, compute_residual(p, r).scaled);
  EXPECT_TRUE(report.status != SolveStatus::Converged || report.residual.scaled <= s.tolerance);
  return report;
}

TEST(StaggeredProjections, point_mass_is_exact_after_one_iteration_because_friction_and_contact_are_orthogonal) {
  // alpha = m (g h - v_N)+, beta = min(mu alpha, m |v_T|) against the motion.
  const double m = 2, mu = 0.5;
  for (const Vec3& v : {Vec3(-g * h, 0.001, 0.002), Vec3(-g * h, 3, -4), Vec3(-1, 0.2, 0), Vec3(0.5, 1, 1)}) {
    const LocalProblem p = make_contacts(Mat3::Identity(), Vec3(m, m, m), v, 3, mu);
    Settings s = thesis_settings();
    s.tolerance = 1e-12;
    VecX r;
    const SolveReport report = solve(p, s, r);
    EXPECT_EQ(report.status, SolveStatus::Converged);
    EXPECT_LE(report.iterations, 1);
    const double alpha = m * std::max(0.0, -v[0]), beta = std::min(mu * alpha, m * v.tail<2>().norm());
    EXPECT_NEAR(r[0], alpha, 1e-11);
    EXPECT_LT((r.tail<2>() + beta * v.tail<2>().normalized()).norm(), 1e-11);
  }
}

TEST(StaggeredProjections, box_pushed_less_than_friction_holds_stays_and_pushed_more_slides_on) {
  const double m = 5, mu = 0.4;
  for (const bool acceleration : {false, true}) {
    Settings s = thesis_settings();
    if (acceleration) s = Settings{};
    s.tolerance = 1e-11;
    VecX r;
    const LocalProblem held = make_box(m, Vec3(0.5 * mu * g * h, 0, -g * h), mu);
    EXPECT_EQ(solve(held, s, r).status, SolveStatus::Converged);
    EXPECT_LT(held.velocity(r).norm(), 1e-12);
    EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], m * g * h, 1e-12);

    // Sliding without tipping (mu < half width / height): v decreases by mu g h and nothing turns.
    const LocalProblem sliding = make_box(m, Vec3(0.6, 0.8, -g * h), mu);
    r = VecX();
    EXPECT_EQ(solve(sliding, s, r).status, SolveStatus::Converged);
    const VecX U = sliding.velocity(r);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(U[3 * i], 0, 1e-10);
      EXPECT_NEAR(U[3 * i + 1], 0.6 - 0.6 * mu * g * h, 1e-10);
      EXPECT_NEAR(U[3 * i + 2], 0.8 - 0.8 * mu * g * h, 1e-10);
    }
    EXPECT_NEAR(r[1] + r[4] + r[7] + r[10], -0.6 * mu * m * g * h, 1e-10);
  }
}

TEST(StaggeredProjections, painleve_rod_jams_beyond_the_critical_friction) {
  // One velocity-level step at mu = 2 > 4/3: stick, alpha = (3.4 g h + 1.2)/4, beta = (1.6 + 1.2 g h)/4.
  const LocalProblem p = make_rod(-1, 2);
  for (Settings s : {thesis_settings(), Settings{}}) {
    s.tolerance = 1e-12;
    VecX r;
    EXPECT_EQ(solve(p, s, r).status, SolveStatus::Converged);
    EXPECT_NEAR(r[0], (3.4 * g * h + 1.2) / 4, 1e-11);
    EXPECT_NEAR(r[1], (1.6 + 1.2 * g * h) / 4, 1e-11);
  }
}

TEST(StaggeredProjections, plain_iteration_cycles_on_the_rod_sliding_away_and_relaxation_or_acceleration_cures_it) {
  // Sliding the well-posed way: alpha = g h / (1.6 + 2 * 1.2), beta = -mu alpha. Factor mu / mu_crit = 1.5 > 1.
  const LocalProblem p = make_rod(1, 2);
  Settings s = thesis_settings();
  s.max_iterations = 500;
  s.tolerance = 1e-11;
  VecX r;
  EXPECT_EQ(solve(p, s, r).status, SolveStatus::IterationLimit);

  const auto expect_solution = [&](const Settings& settings) {
    VecX x;
    EXPECT_EQ(solve(p, settings, x).status, SolveStatus::Converged);
    EXPECT_NEAR(x[0], g * h / 4, 1e-10);
    EXPECT_NEAR(x[1], -2 * x[0], 1e-10);
  };
  s.relaxation = 0.5;  // 1/(1 + mu |cos|) is 0.49
  expect_solution(s);
  s.relaxation = 1;
  s.adaptive = true;
  expect_solution(s);
  s.adaptive = false;
  s.acceleration = 6;
  expect_solution(s);
}

TEST(StaggeredProjections, sliding_contracts_by_the_ratio_of_friction_to_critical_friction) {
  // mu = 1.2 of 4/3: each iteration multiplies the error by 0.9 (in either direction of sliding).
  const LocalProblem p = make_rod(1, 1.2);
  std::vector<HistoryPoint> history;
  Settings s = thesis_settings();
  s.tolerance = 1e-10;
  StaggeredProjections solver(s);
  solver.set_history(&history);
  VecX r = VecX::Zero(2);
  ASSERT_EQ(solver.solve(p, r).status, SolveStatus::Converged);
  ASSERT_GT(history.size(), 40u);
  for (std::size_t i = 20; i < 40; ++i) EXPECT_NEAR(history[i].residual / history[i - 1].residual, 0.9, 1e-3);
}

/// Two cards of mass and length 1 leaning on each other at `phi` from the vertical, on ground; plane contacts.
LocalProblem make_a_frame(double phi, double mu) {
  // Coordinates (x, y, turn) per card; contacts: left foot, right foot, apex (normal pushes the left card to the left).
  const double s = 0.5 * std::sin(phi), c = 0.5 * std::cos(phi);
  const auto point = [](double rx, double ry, const Vec2& axis) {
    return Eigen::RowVector3d(axis[0], axis[1], rx * axis[1] - ry * axis[0]);
  };
  MatX H = MatX::Zero(6, 6);
  const Vec2 ex = Vec2::UnitX(), ey = Vec2::UnitY();
  H.row(0).head<3>() = point(-s, -c, ey);
  H.row(1).head<3>() = point(-s, -c, ex);
  H.row(2).tail<3>() = point(s, -c, ey);
  H.row(3).tail<3>() = point(s, -c, ex);
  H.row(4).head<3>() = point(s, c, -ex);
  H.row(4).tail<3>() = -point(-s, c, -ex);
  H.row(5).head<3>() = point(s, c, ey);
  H.row(5).tail<3>() = -point(-s, c, ey);
  VecX mass(6), u(6);
  mass << 1, 1, 1.0 / 12, 1, 1, 1.0 / 12;
  u << 0, -g * h, 0, 0, -g * h, 0;
  return make_contacts(H, mass, u, 2, mu);
}

TEST(StaggeredProjections, two_cards_stand_if_friction_exceeds_half_the_tangent_of_their_slope_and_slip_otherwise) {
  // Statics: each foot carries m g h; friction at the feet and the force at the apex are m g h tan(phi) / 2.
  for (const double degrees : {15, 25, 35}) {
    const double phi = degrees * std::numbers::pi / 180, critical = 0.5 * std::tan(phi);
    Settings s;
    s.tolerance = 1e-12;
    VecX r;
    const LocalProblem standing = make_a_frame(phi, 0.8);
    EXPECT_EQ(solve(standing, s, r).status, SolveStatus::Converged);
    VecX expected(6);
    expected << 1, critical, 1, -critical, critical, 0;
    EXPECT_LT((r - g * h * expected).norm(), 1e-10 * g * h);
    EXPECT_LT(standing.velocity(r).norm(), 1e-10 * g * h);

    // Friction is the warm start: the same problem again is solved by one contact projection.
    VecX again = r;
    for (const int normal : {0, 2, 4}) again[normal] = 0;
    Settings warm = thesis_settings();
    EXPECT_EQ(solve(standing, warm, again).iterations, 1);

    VecX slipping;
    const LocalProblem weak = make_a_frame(phi, 0.9 * critical);
    EXPECT_EQ(solve(weak, s, slipping).status, SolveStatus::Converged);
    EXPECT_LT(weak.velocity(slipping)[1], -1e-3 * g * h);  // the left foot moves outwards
    EXPECT_NEAR(slipping[1], 0.9 * critical * slipping[0], 1e-12);
  }
}

TEST(StaggeredProjections, block_between_walls_falls_when_loose_and_stays_when_it_was_wedged_both_obey_coulomb) {
  // Normals push along +x and -x: any equal pair of normal impulses is in balance, so both answers are right.
  MatX H(4, 2);
  H << 1, 0, 0, 1, -1, 0, 0, 1;
  const double m = 3;
  const LocalProblem p = make_contacts(H, Vec2(m, m), Vec2(0, -g * h), 2, 0.5);
  for (const int direct_rows : {0, 24}) {
    Settings s;
    s.tolerance = 1e-12;
    s.direct_rows = direct_rows;
    VecX loose;
    EXPECT_EQ(solve(p, s, loose).status, SolveStatus::Converged);
    EXPECT_LT(loose.norm(), 1e-15);
    VecX wedged = Eigen::Vector4d(1, 0, 1, 0);  // more than m g h / (2 mu) each
    EXPECT_EQ(solve(p, s, wedged).status, SolveStatus::Converged);
    EXPECT_LT(p.velocity(wedged).norm(), 1e-12);
    EXPECT_NEAR(wedged[1] + wedged[3], m * g * h, 1e-12);
  }
}

TEST(StaggeredProjections, frictionless_and_jointed_contacts_need_one_projection) {
  // Masses 1 and 2 on top of each other, joined: the floor stops both. r_N = 3 v, joint = 2 v.
  MatX H(2, 2);
  H << 1, 0, -1, 1;
  const Vec2 mass(1, 2);
  const MatX W = H * mass.cwiseInverse().asDiagonal() * H.transpose();
  const LocalProblem p = make_local(W, H * Vec2(-0.7, -0.7), {{LawKind::Frictionless}, {LawKind::Bilateral}}, {1, 1});
  for (const int direct_rows : {0, 24}) {
    Settings s = thesis_settings();
    s.tolerance = 1e-13;
    s.direct_rows = direct_rows;
    VecX r;
    const SolveReport report = solve(p, s, r);
    EXPECT_EQ(report.status, SolveStatus::Converged);
    EXPECT_EQ(report.iterations, 1);
    EXPECT_NEAR(r[0], 3 * 0.7, 1e-12);
    EXPECT_NEAR(r[1], 2 * 0.7, 1e-12);
  }
}

TEST(StaggeredProjections, interval_and_rolling_laws_are_cut_where_their_bounds_say) {
  // Two interval rows, decoupled: r = clamp(-b / w).
  MatX W = MatX::Zero(7, 7);
  W.diagonal() << 2, 2, 1, 1, 1, 4, 4;
  VecX b(7);
  b << -1, 8, -0.5, 0.3, 0.4, 0.8, -0.6;
  const LocalProblem p = make_local(
      W, b, {{LawKind::Interval, 0, 0, -1, 0.2}, {LawKind::Interval, 0, 0, -1, 0.2}, {LawKind::Rolling, 0.4, 0.1}},
      {1, 1, 5});
  VecX r;
  EXPECT_EQ(solve(p, Settings{}, r).status, SolveStatus::Converged);
  EXPECT_NEAR(r[0], 0.2, 1e-12);
  EXPECT_NEAR(r[1], -1, 1e-12);
  EXPECT_NEAR(r[2], 0.5, 1e-12);
  // |b_T| = 0.5 > mu r_N = 0.2 and |b_M| / 4 = 0.25 > mu_r r_N = 0.05: both cut, against the motion.
  EXPECT_LT((r.segment<2>(3) - Vec2(-0.12, -0.16)).norm(), 1e-12);
  EXPECT_LT((r.segment<2>(5) - Vec2(-0.04, 0.03)).norm(), 1e-12);
}

TEST(StaggeredProjections, every_variant_obeys_the_exact_law_on_random_problems) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const LocalProblem p = to_local(random_problem(seed, 12, 16, 3, 0.3));
    VecX reference;
    for (int variant = 0; variant < 4; ++variant) {
      Settings s;
      s.tolerance = 1e-10;
      s.max_iterations = 5000;
      if (variant == 1) s.direct_rows = 0;
      if (variant == 2) s.order = StaggeredProjections::Order::Parallel;
      if (variant == 3) s.acceleration = 0;
      VecX r;
      const SolveReport report = solve(p, s, r);
      EXPECT_EQ(report.status, SolveStatus::Converged) << "seed " << seed << " variant " << variant;
      EXPECT_LT(report.residual.cone, 1e-14);
      // Fewer rows than freedoms and little friction: one solution.
      if (reference.size() == 0) reference = r;
      EXPECT_LT((r - reference).norm(), 1e-7 * reference.norm()) << "seed " << seed << " variant " << variant;
    }
  }
}

TEST(StaggeredProjections, redundant_contacts_of_many_bodies_are_solved_by_both_ways) {
  // 24 contacts between 4 bodies: W has rank 24 of 72 at most.
  const PairProblem pairs = random_problem(3, 4, 24, 0, 0.4);
  const LocalProblem free = to_local(pairs);
  std::mt19937 rng(1);
  std::normal_distribution<double> normal;
  // Free velocities that bodies can have: b = W y.
  LocalProblem p = free;
  p.b = free.velocity(VecX::NullaryExpr(free.b.size(), [&] { return normal(rng); })) - free.b;
  for (const int direct_rows : {0, 200}) {
    Settings s;
    s.direct_rows = direct_rows;
    VecX r;
    EXPECT_EQ(solve(p, s, r).status, SolveStatus::Converged) << direct_rows;
  }
}

TEST(StaggeredProjections, unsymmetric_matrix_is_solved_for_the_exact_law) {
  LocalProblem p = to_local(random_problem(11, 12, 16, 2, 0.3));
  std::mt19937 rng(2);
  std::uniform_real_distribution<double> noise(-0.01, 0.01);
  for (double& x : p.W.values) x *= 1 + noise(rng);
  VecX r;
  EXPECT_EQ(solve(p, Settings{}, r).status, SolveStatus::Converged);
}

TEST(StaggeredProjections, polygons_weaken_friction_between_their_corners_by_cosine_pi_over_facets) {
  const double mu = 0.3;
  for (const int direct_rows : {0, 24}) {
    for (const int facets : {4, 8, 16}) {
      Settings s;
      s.friction = StaggeredProjections::Friction::Polygon;
      s.facets = facets;
      s.direct_rows = direct_rows;
      const auto slide = [&](double angle, VecX& r) {
        const Vec3 v(-1, 5 * std::cos(angle), 5 * std::sin(angle));
        return solve(make_contacts(Mat3::Identity(), Vec3::Ones(), v, 3, mu), s, r);
      };
      VecX corner, facet;
      EXPECT_EQ(slide(2 * std::numbers::pi / facets, corner).status, SolveStatus::Converged);
      EXPECT_NEAR(corner.tail<2>().norm(), mu, 1e-9);
      EXPECT_EQ(slide(std::numbers::pi / facets, facet).status, SolveStatus::Stalled);
      EXPECT_NEAR(facet.tail<2>().norm(), mu * std::cos(std::numbers::pi / facets), 1e-9);
    }
  }
  Settings odd;
  odd.facets = 5;
  EXPECT_THROW(StaggeredProjections{odd}, Error);
}

TEST(StaggeredProjections, stopped_early_and_ended_with_contact_nothing_penetrates) {
  const LocalProblem p = to_local(random_problem(21, 8, 20, 0, 0.9));
  Settings s = thesis_settings();
  s.max_iterations = 1;
  s.tolerance = 1e-10;
  s.end_with_contact = true;
  VecX r;
  EXPECT_EQ(solve(p, s, r).status, SolveStatus::IterationLimit);
  const VecX U = p.velocity(r);
  for (int i = 0; i < p.size(); ++i) {
    EXPECT_GE(r[3 * i], 0);
    EXPECT_GE(U[3 * i], -1e-8);
    EXPECT_NEAR(r[3 * i] * U[3 * i], 0, 1e-8);
  }
}

TEST(StaggeredProjections, contacts_that_close_on_an_immovable_gap_are_called_infeasible) {
  // A block squeezed by two walls that approach each other: normal velocities add up to -2 whatever the impulses.
  MatX W(2, 2);
  W << 1, -1, -1, 1;
  const LocalProblem p = make_local(W, Vec2(-1, -1), {{LawKind::Frictionless}, {LawKind::Frictionless}}, {1, 1});
  VecX r;
  const SolveReport report = solve(p, Settings{}, r);
  EXPECT_EQ(report.status, SolveStatus::Infeasible);
  EXPECT_FALSE(report.message.empty());
  EXPECT_TRUE(r.allFinite());
}

TEST(StaggeredProjections, a_problem_with_nan_is_named_and_leaves_zero_impulses) {
  LocalProblem p = make_box(1, Vec3(0, 0, -1), 0.5);
  p.b[4] = std::nan("");
  VecX r = VecX::Ones(12);
  EXPECT_EQ(StaggeredProjections(Settings{}).solve(p, r).status, SolveStatus::NotFinite);
  EXPECT_EQ(r.norm(), 0);
}

TEST(StaggeredSets, polygon_projection_is_the_nearest_of_a_fine_sampling_and_its_derivative_that_of_differences) {
  std::mt19937 rng(4);
  std::normal_distribution<double> normal;
  for (const StaggeredSetKind kind : {StaggeredSetKind::Disc, StaggeredSetKind::Polygon}) {
    StaggeredSet set{kind, 0, 2};
    set.radius = 0.8;
    set.facets = 6;
    for (int trial = 0; trial < 200; ++trial) {
      const Vec2 y(normal(rng), normal(rng));
      Vec2 x;
      project_on_set(set, y.data(), x.data());
      // Variational inequality at the corners (or many points of the circle): (y - x).(c - x) <= 0, and x is inside.
      const int corners = kind == StaggeredSetKind::Polygon ? 6 : 500;
      for (int j = 0; j < corners; ++j) {
        const Vec2 corner(0.8 * std::cos(2 * std::numbers::pi * j / corners),
                          0.8 * std::sin(2 * std::numbers::pi * j / corners));
        EXPECT_LE((y - x).dot(corner - x), 1e-12);
      }
      EXPECT_LE(x.norm(), 0.8 + 1e-15);
      const StaggeredDerivative D = set_derivative(set, y.data());
      const Mat2 J = D.direction * D.weight.asDiagonal() * D.direction.transpose();
      for (int k = 0; k < 2; ++k) {
        const Vec2 step = 1e-6 * Vec2::Unit(k), plus = y + step, minus = y - step;
        Vec2 a, b;
        project_on_set(set, plus.data(), a.data());
        project_on_set(set, minus.data(), b.data());
        EXPECT_LT(((a - b) / 2e-6 - J.col(k)).norm(), 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace cairn
