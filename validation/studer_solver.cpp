// SPDX-License-Identifier: Apache-2.0
// B1 and B2: Studer's two examples of inclusion problems (2009, 4.2.7): a bar on two bearings, and a block that sticks,
// slides or tips on two corners, with more friction forces than equations. Every solver that knows their laws.
#include "cases.h"
#include "measure.h"

#include "cairn/solvers/solver.h"

#include <Eigen/LU>
#include <cmath>

namespace cairn::validation {
namespace {

LocalProblem make_problem(const MatX& G, const VecX& c, const std::vector<ConstraintLaw>& laws) {
  LocalProblem problem;
  const int rows = static_cast<int>(c.size()) / static_cast<int>(laws.size());
  for (const ConstraintLaw& law : laws) {
    problem.law.push_back(law);
    problem.offset.push_back(problem.offset.back() + rows);
  }
  BlockMatrixBuilder builder(problem.offset);
  for (int i = 0; i < G.rows(); ++i)
    for (int j = 0; j < G.cols(); ++j) builder.add(i, j, G(i, j));
  problem.W = builder.finish();
  problem.b = c;
  return problem;
}

/// Worst difference of what the impulses do, map r, from the reference, over all solvers; and those that did not
/// converge by their own account.
struct Compared {
  double worst = 0;
  std::string solver, missed;
  int solvers = 0;
};

Compared solve_with_all(const LocalProblem& problem, const MatX& map, const VecX& expected) {
  Compared compared;
  for (const auto& entry : solvers().entries()) {
    const auto solver = entry.make({{"tolerance", "1e-9"}});
    if (find_unsupported(*solver, problem.law)) continue;
    VecX r = VecX::Zero(problem.b.size());
    const SolveReport report = solver->solve(problem, r);
    const double error = (map * r - expected).cwiseAbs().maxCoeff();
    ++compared.solvers;
    if (error >= compared.worst) compared.worst = error, compared.solver = entry.name;
    if (report.status != SolveStatus::Converged)
      compared.missed += fmt::format("; {} {}", entry.name, to_string(report.status));
  }
  return compared;
}

}  // namespace

CaseResult run_bar_on_bearings(Effort) {
  CaseResult result;
  constexpr double a = 0.5, b = 0.1, m = 1, J = 1.0 / 12;
  Mat2 G;
  G << J + m * a * a, J + m * a * b, J + m * a * b, J + m * b * b;
  G /= m * J;
  struct Load {
    const char* name;
    double force, moment;
    Vec2 reaction;
  };
  // Closed bearings by hand: one alone -c/G_ii, both -G^-1 c.
  const Load loads[] = {{"first bearing opens", -0.6, 0.2, {0, 0.36 / 1.12}},
                        {"second bearing opens", -1.2, -1, {1.8, 0}},
                        {"both open", 0.6, 0, {0, 0}},
                        {"both stay closed", -1.2, -0.15, {0.075, 1.125}}};
  result.quantities = {check("G11", G(0, 0), {4, 1e-12}), check("G12", G(0, 1), {1.6, 1e-12}),
                       check("G22", G(1, 1), {1.12, 1e-12})};
  int solvers_run = 0;
  for (const Load& load : loads) {
    const Vec2 c((J * load.force + m * a * load.moment) / (m * J), (J * load.force + m * b * load.moment) / (m * J));
    const ConstraintLaw contact{LawKind::Frictionless};
    const Compared all = solve_with_all(make_problem(G, c, {contact, contact}), MatX::Identity(2, 2), load.reaction);
    solvers_run = all.solvers;
    result.quantities.push_back(check(fmt::format("worst reaction of all solvers, {}", load.name), all.worst,
                                      {0, 1e-7, false, {}, "N", "worst: " + all.solver + all.missed}));
  }
  result.notes = fmt::format(
      "{} solvers. Sweeps of SORprox and JORprox, 2/2/1/41 and 41/23/1/154 as in the source, are in "
      "docs/prox-iterations.md.",
      solvers_run);
  return result;
}

CaseResult run_block_on_corners(Effort) {
  CaseResult result;
  constexpr double m = 2.1, J = 0.018, l = 0.15, h = 0.05, mu = 0.3, weight = 20.601;
  // Rows N1, T1, N2, T2 against (x, y, phi).
  Eigen::Matrix<double, 4, 3> H;
  H << 0, 1, -l, 1, 0, h, 0, 1, l, 1, 0, h;
  const Mat3 inverse = Vec3(1 / m, 1 / m, 1 / J).asDiagonal();
  const MatX G = H * inverse * H.transpose();
  result.quantities = {check("G of N1", G(0, 0), {1.72619, 5e-6}), check("G of T1", G(1, 1), {0.61508, 5e-6}),
                       check("G of N1 and N2", G(0, 2), {-0.77381, 5e-6}),
                       check("G of N1 and T1", G(0, 1), {-0.41667, 5e-6})};
  struct Load {
    const char* name;
    Vec3 force, acceleration;
  };
  // Sticks: nothing moves. Slides: mu of the weight, without turning. Tips about the first corner, which sticks.
  Vec3 tip;
  {
    const Eigen::Matrix<double, 2, 3> first = H.topRows<2>();
    const Mat2 W = first * inverse * first.transpose();
    const Vec3 force(0, -weight, 3.6), free = inverse * force;
    tip = free - inverse * first.transpose() * W.inverse() * first * free;
  }
  const Load loads[] = {{"sticks", {2, -weight, 0}, Vec3::Zero()},
                        {"slides", {12, -weight, 0}, {(12 - mu * weight) / m, 0, 0}},
                        {"tips", {0, -weight, 3.6}, tip}};
  int solvers_run = 0;
  for (const Load& load : loads) {
    const Vec3 free = inverse * load.force;
    const ConstraintLaw contact{LawKind::Coulomb, mu};
    const LocalProblem problem = make_problem(G, H * free, {contact, contact});
    const MatX map = inverse * H.transpose();
    const Compared all = solve_with_all(problem, map, load.acceleration - free);
    solvers_run = all.solvers;
    result.quantities.push_back(
        check(fmt::format("worst acceleration of all solvers over that without contact, {}", load.name),
              all.worst / free.norm(), {0, 1e-7, false, {}, "", "worst: " + all.solver + all.missed}));
    VecX r = VecX::Zero(4);
    solvers().make("auto", {{"tolerance", "1e-12"}})->solve(problem, r);
    // Normal forces are unique in all three: moments about the centre.
    const double friction = r[1] + r[3];
    if (std::string(load.name) != "tips") {
      const double difference = -h * friction / l;
      result.quantities.push_back(
          check(fmt::format("N1, {}", load.name), r[0], {(weight - difference) / 2, 1e-7, false, {}, "N"}));
      result.quantities.push_back(
          check(fmt::format("N2, {}", load.name), r[2], {(weight + difference) / 2, 1e-7, false, {}, "N"}));
    } else {
      result.quantities.push_back(check("N1, tips", r[0], {22.87905, 5e-6, false, {}, "N"}));
      result.quantities.push_back(check("T1, tips", r[1], {-0.75935, 5e-6, false, {}, "N"}));
      result.quantities.push_back(check("N2, tips", r[2], {0, 1e-9, false, {}, "N"}));
    }
  }
  result.notes = fmt::format(
      "{} solvers. W has rank 3 of 4: where the block sticks only the sum of the two friction forces is unique. Sweeps "
      "against omega are in docs/prox-iterations.md.",
      solvers_run);
  return result;
}

}  // namespace cairn::validation
