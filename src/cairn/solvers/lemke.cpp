// SPDX-License-Identifier: Apache-2.0
// Lemke's method for contact problems: see the header.
#include "cairn/solvers/lemke.h"

#include "cairn/solvers/lemke_tableau.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace cairn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The k-th covering vector: ones, then numbers between 1/4 and 4 that repeat in no two places.
VecX make_cover(Eigen::Index n, int k) {
  VecX cover = VecX::Ones(n);
  if (k == 0) return cover;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double x = static_cast<double>(i + 1) * (0.6180339887498949 + 0.137 * k);
    cover[i] = std::exp2(4 * (x - std::floor(x)) - 2);
  }
  return cover;
}

/// Follows paths on the equilibrated standard form and keeps the best answer in terms of the Mlcp.
class LemkeSearch {
 public:
  LemkeSearch(const Mlcp& problem, double goal, int max_pivots, const std::function<bool()>& expired)
      : problem_(problem), reduction_(problem), goal_(goal), max_pivots_(max_pivots), expired_(expired) {
    VecX row;
    equilibrate(reduction_.M(), row, column_);
    M_ = row.asDiagonal() * reduction_.M() * column_.asDiagonal();
    q_ = row.cwiseProduct(reduction_.q());
    unit_ = q_.size() > 0 && q_.cwiseAbs().maxCoeff() > 0 ? q_.cwiseAbs().maxCoeff() : 1;
    q_ /= unit_;
    answer_.residual = infinity;
  }

  bool done() const { return answer_.residual <= goal_; }

  LemkeRun follow(const LemkeStart& start, std::string_view how) {
    LemkeRun run = run_lemke(M_, q_, start, max_pivots_ - answer_.pivots, expired_);
    answer_.pivots += run.pivots;
    answer_.ray = run.outcome == LemkeOutcome::Ray;
    answer_.expired = run.outcome == LemkeOutcome::Limit;
    consider(run.y, how);
    // Rounding may have left a basis that is nearly right: start again from there, with fresh numbers.
    if (run.outcome == LemkeOutcome::Solved && !done() && !start_again_) {
      start_again_ = true;
      follow({run.basis, {}}, how);
      start_again_ = false;
    }
    return run;
  }

  /// Keeps y if it is the best so far, refined in the variables of the Mlcp.
  void consider(const VecX& y, std::string_view how) {
    VecX z = reduction_.recover(unit_ * column_.cwiseProduct(y).cwiseMax(0));
    if (!z.allFinite()) return;
    refine_on_active_set(problem_, z);
    const double residual = compute_residual(problem_, z);
    if (!(residual < answer_.residual)) return;
    answer_.z = z;
    answer_.residual = residual;
    answer_.how = how;
  }

  MlcpAnswer search(const VecX& warm) {
    const Eigen::Index n = q_.size();
    if (reduction_.contradictory()) answer_.infeasible = true;
    if (warm.size() == problem_.size()) follow({reduction_.find_basis(warm), {}}, "warm start");
    VecX best = VecX::Zero(n);
    constexpr int covers = 6;
    for (int k = 0; k < covers && !done() && !answer_.expired && !answer_.infeasible; ++k) {
      const LemkeRun run = follow({{}, make_cover(n, k)}, k == 0 ? "first path" : "another covering vector");
      if (lcp_natural_map(M_, q_, run.y) < lcp_natural_map(M_, q_, best)) best = run.y;
      // For monotone problems a ray proves that there is none (Cottle, Pang and Stone, theorem 4.4.13).
      if (k == 0 && answer_.ray && is_monotone(reduction_.M())) {
        answer_.infeasible = true;
        break;
      }
    }
    if (!done() && !answer_.expired && !answer_.infeasible) search_by_newton(best);
    if (answer_.z.size() == 0)
      answer_.z = VecX::Zero(problem_.size()).cwiseMax(problem_.lower).cwiseMin(problem_.upper);
    if (!std::isfinite(answer_.residual)) answer_.residual = compute_residual(problem_, answer_.z);
    if (!done() && !reduction_.remark().empty()) answer_.how = reduction_.remark();
    return answer_;
  }

 private:
  /// Newton on Fischer-Burmeister from the best point, from zero and from ones; then the path from the basis it finds.
  void search_by_newton(const VecX& best) {
    const Eigen::Index n = q_.size();
    for (VecX y : {best, VecX(VecX::Zero(n)), VecX(VecX::Ones(n))}) {
      fischer_burmeister_newton(M_, q_, y, 200, expired_);
      if (!y.allFinite()) continue;
      consider(y, "Fischer-Burmeister Newton");
      if (done() || expired_()) return;
      const VecX t = M_ * y + q_;
      std::vector<char> basis;
      for (Eigen::Index i = 0; i < n; ++i) basis.push_back(y[i] > t[i]);
      if (VecX exact; solve_basis(M_, q_, basis, exact)) consider(exact, "Fischer-Burmeister Newton");
      if (!done()) follow({basis, {}}, "path from a Fischer-Burmeister point");
      if (done() || answer_.expired) return;
    }
  }

  const Mlcp& problem_;
  LcpReduction reduction_;
  double goal_;
  int max_pivots_;
  const std::function<bool()>& expired_;
  MatX M_;
  VecX q_, column_;
  double unit_ = 1;
  bool start_again_ = false;
  MlcpAnswer answer_;
};

/// Where the impulse and the sliding velocity of a disc point, and whether the contact is at its friction limit.
struct Sliding {
  double angle = 0;
  bool limit = false;
};

Sliding find_sliding(const FrictionDisc& disc, const VecX& r, const VecX& U) {
  const Vec2 t = disc.to_round(r), v = -disc.stretch.cwiseProduct(U.segment<2>(disc.first));
  const double radius = disc.bound(r);
  Sliding sliding;
  if (!(radius > 0)) return sliding;
  // At the limit when the impulse is beyond the polygon's inner circle. The velocity says where to only if it is more
  // than what an inexact warm start leaves of a sticking one.
  sliding.limit = t.norm() > 0.7 * radius;
  Vec2 direction = t.norm() > 0 ? Vec2(t / t.norm()) : Vec2::Zero();
  if (v.norm() > 1e-4 * radius) direction += v / v.norm();
  if (direction.norm() < 1e-6) direction = t;
  sliding.angle = std::atan2(direction[1], direction[0]);
  return sliding;
}

/// About half of the directions within `spread` of one another around `angle`, the others evenly over the rest.
std::vector<double> make_fan(double angle, int facets, double spread) {
  const int side = std::max(1, facets / 4), others = facets - 1 - 2 * side;
  std::vector<double> angles;
  for (int j = -side; j <= side; ++j) angles.push_back(angle + j * spread);
  const double gap = (2 * std::numbers::pi - 2 * side * spread) / (others + 1);
  for (int j = 1; j <= others; ++j) angles.push_back(angle + side * spread + j * gap);
  return angles;
}

/// Fans where contacts slide or are about to.
void turn_facets(const BalancedProblem& problem, const VecX& r, int facets, double spread,
                 std::vector<FrictionDisc>& discs) {
  const VecX U = problem.W * r + problem.b;
  for (FrictionDisc& disc : discs) {
    if (disc.tangents < 2) continue;
    const Sliding sliding = find_sliding(disc, r, U);
    if (sliding.limit) disc.angles = make_fan(sliding.angle, facets, spread);
  }
}

}  // namespace

MlcpAnswer solve_by_lemke(const Mlcp& problem, const VecX& warm, double goal, int max_pivots,
                          const std::function<bool()>& expired) {
  return LemkeSearch(problem, goal, max_pivots, expired).search(warm);
}

double finish_on_cone(const BalancedProblem& problem, VecX& r, double goal, int max_iterations) {
  const Eigen::Index n = r.size();
  VecX F, x = r;
  double best = problem.natural_map(r), now = problem.natural_map(x, &F);
  for (int iteration = 0; iteration < max_iterations && now > goal; ++iteration) {
    // J = 1 - D (1 - A W), D the derivative of the projection at r - U~, A = dU~/dU.
    const VecX U = problem.W * x + problem.b;
    MatX J = MatX::Identity(n, n);
    for (int i = 0; i < problem.size(); ++i) {
      const std::size_t k = static_cast<std::size_t>(i);
      const ConstraintLaw& law = problem.law[k];
      const int rows = problem.rows(i), first = problem.offset[k];
      if (law.kind == LawKind::Bilateral) {
        J.middleRows(first, rows) = problem.W.middleRows(first, rows);
        continue;
      }
      double y[max_rows], D[max_rows * max_rows];
      for (int l = 0; l < rows; ++l) y[l] = x[first + l] - U[first + l];
      y[0] -= velocity_shift(law, rows, U.data() + first);
      project_derivative(law, rows, y, D);
      double slope[max_rows];
      velocity_shift_gradient(law, rows, U.data() + first, slope);
      MatX AW = problem.W.middleRows(first, rows);
      AW.row(0) += Eigen::Map<const VecX>(slope, rows).transpose() * problem.W.middleRows(first, rows);
      const Eigen::Map<const MatX> derivative(D, rows, rows);
      MatX inner = -AW;
      inner.middleCols(first, rows) += MatX::Identity(rows, rows);
      J.middleRows(first, rows) -= derivative * inner;
    }
    J.diagonal().array() += 1e-10;  // impulses need not be unique: any of the nearest will do
    const VecX d = -Eigen::PartialPivLU<MatX>(J).solve(F);
    if (!d.allFinite()) break;
    bool moved = false;
    double step = 1;
    for (int cut = 0; cut < 12; ++cut, step /= 2) {
      VecX G;
      const VecX next = x + step * d;
      const double norm = problem.natural_map(next, &G);
      if (!(norm <= (1 - 1e-4 * step) * now)) continue;
      moved = true;
      x = next, F = G, now = norm;
      break;
    }
    if (!moved) break;
  }
  if (now < best) {
    best = now;
    r = x;
  }
  return best;
}

Lemke::Lemke(const Settings& settings) : settings_(settings) {
  if (settings.facets < 4 || settings.facets % 2 != 0) {
    throw Error("lemke: facets is {}; must be even and at least 4", settings.facets);
  }
}

SolveReport Lemke::run(const ContactProblem& whole, VecX& r, const Budget& budget) {
  const LocalProblem& problem = whole.local();
  require_laws(*this, problem.law);
  SolveReport report;
  report.residual = compute_residual(problem, r);
  const FrictionModel model{FrictionModel::Kind::Pyramid, settings_.facets};
  const int unknowns = count_unknowns(problem, model);
  const auto finish = [&](SolveStatus status, std::string message) {
    report.status = report.residual.scaled <= settings_.tolerance ? SolveStatus::Converged : status;
    report.message = std::move(message);
    return report;
  };
  if (!std::isfinite(report.residual.scaled)) {
    r.setZero();
    return finish(SolveStatus::NotFinite, "the problem holds numbers that are not finite");
  }
  if (unknowns > settings_.max_unknowns) {
    return finish(SolveStatus::TooCostly,
                  fmt::format("{} unknowns, more than max_unknowns {}", unknowns, settings_.max_unknowns));
  }
  if (report.residual.scaled <= settings_.tolerance) return finish(SolveStatus::Converged, "warm start is good enough");
  const auto expired = [&] { return budget.over(); };
  const auto consider = [&](const VecX& candidate) {
    if (!candidate.allFinite()) return;
    const Residual residual = compute_residual(problem, candidate);
    if (residual.scaled < report.residual.scaled || !std::isfinite(report.residual.scaled)) {
      r = candidate;
      report.residual = residual;
    }
  };

  const bool warm = r.allFinite() && !r.isZero();
  if (!r.allFinite()) {
    r.setZero();
    report.residual = compute_residual(problem, r);
  }
  const BalancedProblem scaled(problem);
  const double goal = std::min(1e-11, 0.01 * settings_.tolerance);
  std::vector<FrictionDisc> discs = make_discs(scaled, settings_.facets);
  const bool spatial = has_spatial_friction(problem);
  constexpr int most_turns = 12;
  double spread = std::numbers::pi / (2 * settings_.facets), model_residual = 0;
  MlcpAnswer answer;
  int turns = 0;
  bool by_newton = false;
  VecX x = scaled.to_scaled(r);
  if (warm && settings_.refine) turn_facets(scaled, x, settings_.facets, spread, discs);
  for (int turn = 0;; ++turn) {
    const PolyhedralModel polyhedral = to_mlcp(scaled, model, discs);
    const VecX start = warm || turn > 0 ? find_unknowns(polyhedral, scaled, x) : VecX();
    answer = solve_by_lemke(polyhedral.mlcp, start, goal, settings_.max_iterations - report.iterations, expired);
    report.iterations += answer.pivots;
    model_residual = answer.residual;
    x = from_mlcp(polyhedral, answer.z);
    consider(scaled.from_scaled(x));
    note(report.iterations, budget.seconds(), report.residual.scaled);
    const auto good = [&] { return report.residual.scaled <= settings_.tolerance; };
    if (good() || !settings_.refine) break;

    // The planes have found who sticks, slides and opens: Newton on the true cone from there.
    VecX finished = x;
    finish_on_cone(scaled, finished, 1e-14, 30);
    consider(scaled.from_scaled(finished));
    by_newton = good();
    turns = turn;
    if (good() || !spatial || turn == most_turns || answer.expired || answer.residual > 1e-6) break;
    turn_facets(scaled, x, settings_.facets, spread, discs);
    spread *= 0.4;
  }

  std::string message =
      describe_model(problem, model, model_residual) + fmt::format(" in {} pivots", report.iterations);
  if (spatial) message += fmt::format("; true cone {:.0e}", report.residual.scaled);
  if (by_newton) message += fmt::format(" by Newton after {} turns of the facets", turns);
  if (!answer.how.empty()) message += "; " + answer.how;
  if (answer.expired) return finish(expired() ? SolveStatus::TimeLimit : SolveStatus::IterationLimit, message);
  if (answer.infeasible && answer.ray) {
    return finish(SolveStatus::Infeasible,
                  fmt::format("no solution: secondary ray after {} pivots with M copositive-plus "
                              "(its symmetric part is positive semidefinite)",
                              report.iterations));
  }
  if (answer.infeasible) return finish(SolveStatus::Infeasible, "no solution: " + answer.how);
  if (answer.ray && model_residual > goal) message = "ray: " + message;
  return finish(SolveStatus::Stalled, message);
}

}  // namespace cairn
