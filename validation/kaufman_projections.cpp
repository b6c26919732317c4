// SPDX-License-Identifier: Apache-2.0
// K3, K6: when Staggered Projections converge (Kaufman 2009, 6.6; A3 of the specification), and that the corrector of
// `two-step` is the LCP of Stewart and Trinkle: pivoting and projections give one motion, and the nonconvex objective
// (5.32), which is zero exactly at solutions, is zero.
#include "cairn/solvers/study/staggered_projections.h"
#include "cases.h"
#include "measure.h"

#include <cmath>
#include <numbers>

namespace cairn::validation {
namespace {

constexpr double pi = std::numbers::pi;

/// One contact with generalised normal and friction direction of unit length at the angle theta; x: negative momentum.
LocalProblem make_plane_problem(double theta, double mu, const Vec2& x) {
  const double c = std::cos(theta);
  LocalProblem p;
  p.law.push_back({LawKind::Coulomb, mu});
  p.offset.push_back(2);
  p.W.row_start = {0, 1};
  p.W.column = {0};
  p.W.start = {0};
  p.W.values = {1, c, c, 1};
  p.b.resize(2);
  p.b << -x[1], -(std::sin(theta) * x[0] + c * x[1]);
  return p;
}

/// Objective (5.32) with exact discs, r.U + sum of mu r_N |U_T|, over |r| |U without r|.
double objective(const GlobalProblem& p, const VecX& r) {
  const MassFactor mass(p.M);
  const auto velocity = [&](const VecX& x) -> VecX { return p.H.transpose() * global_velocity(p, mass, x) + p.w; };
  const VecX U = velocity(r);
  double sum = r.dot(U);
  for (std::size_t i = 0; i < p.law.size(); ++i)
    if (p.law[i].kind == LawKind::Coulomb) sum += p.law[i].mu * r[p.offset[i]] * U.segment<2>(p.offset[i] + 1).norm();
  const double size = r.norm() * velocity(VecX::Zero(r.size())).norm();
  return size > 0 ? std::abs(sum) / size : 0;
}

Model make_tumbling(const std::string& solver) {
  Model model;
  model.run.step = 2e-3;
  model.run.stepper = {"two-step"};
  model.run.solver = {solver, {{"tolerance", solver == "lemke" ? "1e-10" : "1e-8"}}};
  model.set_contact({.friction = 0.6, .restitution = 0.1});
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  model.add_rigid({.name = "brick",
                   .shape = Box{{0.2, 0.1, 0.05}},
                   .position = {0, 0, 0.3},
                   .orientation = Quat(Eigen::AngleAxisd(0.4, Vec3(1, 2, 0.5).normalized())),
                   .velocity = {1, 0.5, 0},
                   .angular_velocity = {2, 1, 3}});
  model.add_rigid({.name = "ball", .shape = Sphere{0.1}, .position = {0.5, 0.2, 0.1}});
  return model;
}

}  // namespace

CaseResult run_projection_maps(Effort effort) {
  CaseResult result;
  struct Row {
    double theta, mu, stick, slide;  ///< mean iterations; < 0: none converges
  };
  std::vector<Row> rows = {{2 * pi / 3, 0.4, 6.5, 6.5}, {2 * pi / 3, 1.0, 6.9, 12.7}, {pi / 5, 0.4, 15.9, 8.6},
                           {pi / 5, 1.0, 17.6, 35.5},   {pi / 9, 0.4, 39.2, 10.2},    {pi / 9, 0.8, 46.5, 26.8},
                           {pi / 5, 1.5, 17.7, -1},     {pi / 9, 1.2, 47.8, -1}};
  if (effort == Effort::Full) {
    rows.push_back({2 * pi / 3, 1.5, 7.0, 27.2});
    rows.push_back({2 * pi / 3, 2.0, 7.2, -1});
    rows.push_back({pi / 9, 1.0, 47.7, 108});
  }
  StaggeredProjections::Settings settings;
  settings.acceleration = 0;
  settings.adaptive = false;
  settings.relative_change = 1e-7;
  settings.tolerance = 1e-14;
  settings.max_iterations = effort == Effort::Full ? 2000 : 400;
  const int n = 61;
  for (const Row& row : rows) {
    double sum[2] = {0, 0};
    int done[2] = {0, 0}, count[2] = {0, 0};
    StaggeredProjections solver(settings);
    for (int i = n / 2 + 1; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const Vec2 x(-1 + 2.0 * j / (n - 1), -1 + 2.0 * i / (n - 1));
        const double beta = x[0] / std::sin(row.theta), alpha = x[1] - beta * std::cos(row.theta);
        const int slides = std::abs(beta) <= row.mu * alpha ? 0 : 1;
        if (slides && row.slide < 0 && effort == Effort::Short && (i * n + j) % 17 != 0) continue;
        const LocalProblem p = make_plane_problem(row.theta, row.mu, x);
        VecX r = VecX::Zero(2);
        const SolveReport report = solver.solve(p, r);
        ++count[slides];
        if (report.status != SolveStatus::Converged && report.status != SolveStatus::Stalled) continue;
        ++done[slides];
        sum[slides] += report.iterations;
      }
    const std::string name = fmt::format(", {:.0f} degrees, mu = {:g}", row.theta * 180 / pi, row.mu);
    result.quantities.push_back(check("iterations, stick" + name, sum[0] / done[0], {row.stick, 0.02, true}));
    if (row.slide >= 0) {
      result.quantities.push_back(check("iterations, slide" + name, sum[1] / done[1], {row.slide, 0.02, true}));
    } else {
      result.quantities.push_back(check("sliding points that converge" + name, done[1], {0, 0.5}));
    }
  }
  result.notes =
      "61 x 61 points of [-1, 1]^2, cold start, the thesis' algorithm to a relative change of 1e-7; maps as pictures "
      "in "
      "docs/staggered-projections.md. Sliding converges iff mu < 1/|cos theta|.";
  return result;
}

CaseResult run_two_step_lcp(Effort effort) {
  CaseResult result;
  Simulation projections(make_tumbling("staggered-projections")), pivots(make_tumbling("lemke"));
  projections.keep_problem(true);
  const int steps = effort == Effort::Full ? 1000 : 400;
  double difference = 0, worst = 0;
  for (int i = 0; i < steps; ++i) {
    // Both from the same state: the motion of a tumbling brick forgets nothing.
    const State before = projections.state();
    pivots.restore(before);
    projections.step();
    pivots.step();
    const VecX& u = projections.state().motion.u;
    difference = std::max(difference, (u - pivots.state().motion.u).norm() / std::max(1.0, u.norm()));
    if (const auto kept = projections.last_problem())
      worst = std::max(worst, objective(std::get<GlobalProblem>(kept->problem), kept->r));
  }
  record(result, "projections", projections);
  record(result, "pivots", pivots);
  result.quantities = {
      check("velocities, projections against pivoting", difference, {0, 1e-6}),
      check("objective (5.32) at the solutions", worst, {0, 1e-7}),
      check("share of steps not converged to 1e-8, projections",
            static_cast<double>(projections.summary().not_converged) / steps,
            {0, 0.05, false, {}, "", "convergence of projections is not assured (thesis 6.6)"}),
      check("steps not converged, pivoting", static_cast<double>(pivots.summary().not_converged), {0, 0.5}),
  };
  return result;
}

}  // namespace cairn::validation
