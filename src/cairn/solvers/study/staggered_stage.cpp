// SPDX-License-Identifier: Apache-2.0
// Contact and friction projections: see the header.
#include "cairn/solvers/study/staggered_stage.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// Proximal weight of the dual active-set method, relative to the diagonal: small enough for two or three steps.
constexpr double proximal_share = 1e-8;

}  // namespace

void StaggeredStage::add_set(StaggeredSet set, int first_row, Bound bound, double fallback_scale,
                             const LocalProblem& problem) {
  set.first = static_cast<int>(rows_.size());
  // Mean diagonal of W over the rows of the set.
  int constraint = static_cast<int>(std::upper_bound(problem.offset.begin(), problem.offset.end(), first_row) -
                                    problem.offset.begin() - 1);
  const MatX D = problem.diagonal(constraint);
  const int local = first_row - problem.offset[static_cast<std::size_t>(constraint)];
  double mean = 0;
  for (int i = 0; i < set.size; ++i) mean += D(local + i, local + i) / set.size;
  set_scale_.push_back(std::sqrt(mean > 1e-12 * fallback_scale ? mean : fallback_scale));
  for (int i = 0; i < set.size; ++i) rows_.push_back(first_row + i);
  bounds_.push_back(bound);
  pending_.push_back(set);
}

StaggeredStage::StaggeredStage(const LocalProblem& problem, Part part, const Options& options) : options_(options) {
  const VecX D = problem.scales();
  const StaggeredSetKind tangent = options.polygons ? StaggeredSetKind::Polygon : StaggeredSetKind::Disc;
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    const ConstraintLaw& law = problem.law[k];
    const int first = problem.offset[k], rows = problem.rows(i);
    if (part == Part::Contact) {
      if (law.kind == LawKind::Bilateral) {
        for (int l = 0; l < rows; ++l) add_set({StaggeredSetKind::Free}, first + l, {}, D[i], problem);
      } else if (law.kind != LawKind::Disc) {
        StaggeredSet set{StaggeredSetKind::Interval};
        if (law.kind == LawKind::Interval) set.lower = law.lower, set.upper = law.upper;
        add_set(set, first, {}, D[i], problem);
      }
      continue;
    }
    LawPart parts[max_parts];
    const int count = law_parts(law, rows, parts);
    for (int p = 0; p < count; ++p) {
      const LawPart& disc = parts[p];
      // An ellipse without height is a segment.
      int begin = 0, end = disc.count;
      while (begin < end && !(disc.axes[begin] > 0)) ++begin;
      while (end > begin && !(disc.axes[end - 1] > 0)) --end;
      if (begin == end) continue;
      StaggeredSet set{tangent};
      set.facets = options.facets;
      set.size = end - begin;
      const double size = disc.largest();
      Bound bound{disc.fixed ? -1 : first, size};
      for (int l = begin; !disc.round && l < end; ++l)
        bound.stretch[static_cast<std::size_t>(l - begin)] = disc.axes[l] / size;
      add_set(set, first + disc.first + begin, bound, D[i], problem);
    }
  }

  const int n = static_cast<int>(rows_.size());
  scale_.resize(n);
  std::vector<int> place(static_cast<std::size_t>(problem.offset.back()), -1);
  for (int p = 0; p < n; ++p) place[static_cast<std::size_t>(rows_[static_cast<std::size_t>(p)])] = p;
  for (std::size_t s = 0; s < pending_.size(); ++s) {
    // In units of its axes an ellipse is a disc.
    for (int l = 0; l < pending_[s].size; ++l)
      scale_[pending_[s].first + l] = set_scale_[s] / bounds_[s].stretch[static_cast<std::size_t>(l)];
    if (bounds_[s].normal_row < 0 && bounds_[s].mu > 0) pending_[s].radius = set_scale_[s] * bounds_[s].mu;
    // Bounds of interval laws are given once; those of friction follow the normal impulses.
    pending_[s].lower *= set_scale_[s];
    pending_[s].upper *= set_scale_[s];
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < problem.size(); ++i) {
    for (int k = problem.W.row_start[static_cast<std::size_t>(i)];
         k < problem.W.row_start[static_cast<std::size_t>(i) + 1]; ++k) {
      const auto block = problem.block(i, k);
      const int row = problem.offset[static_cast<std::size_t>(i)];
      const int column = problem.offset[static_cast<std::size_t>(problem.W.column[static_cast<std::size_t>(k)])];
      for (int c = 0; c < block.cols(); ++c) {
        for (int l = 0; l < block.rows(); ++l) {
          const int p = place[static_cast<std::size_t>(row + l)], q = place[static_cast<std::size_t>(column + c)];
          if (p < 0 || q < 0 || block(l, c) == 0) continue;
          const double half = 0.5 * block(l, c) / (scale_[p] * scale_[q]);
          entries.emplace_back(p, q, half);
          entries.emplace_back(q, p, half);
        }
      }
    }
  }
  StaggeredQuadratic::Matrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  bool polyhedral = true;
  for (const StaggeredSet& set : pending_) polyhedral &= set.kind != StaggeredSetKind::Disc || set.size == 1;
  direct_ = polyhedral && n <= options.direct_rows;
  quadratic_.set(std::move(A), std::move(pending_), scale_);
}

void StaggeredStage::set_bounds(const VecX& r) {
  for (std::size_t s = 0; s < bounds_.size(); ++s) {
    const Bound& bound = bounds_[s];
    if (bound.normal_row >= 0)
      quadratic_.sets()[s].radius = set_scale_[s] * bound.mu * std::max(0.0, r[bound.normal_row]);
  }
}

void StaggeredStage::clip(VecX& r) const {
  double x[max_rows];
  for (std::size_t s = 0; s < bounds_.size(); ++s) {
    const StaggeredSet& set = quadratic_.sets()[s];
    for (int i = 0; i < set.size; ++i) x[i] = scale_[set.first + i] * r[rows_[static_cast<std::size_t>(set.first + i)]];
    project_on_set(set, x, x);
    for (int i = 0; i < set.size; ++i) r[rows_[static_cast<std::size_t>(set.first + i)]] = x[i] / scale_[set.first + i];
  }
}

double StaggeredStage::residual(const VecX& U, const VecX& r) const {
  double x[max_rows], y[max_rows], sum = 0;
  for (std::size_t s = 0; s < bounds_.size(); ++s) {
    const StaggeredSet& set = quadratic_.sets()[s];
    for (int i = 0; i < set.size; ++i) {
      const int row = rows_[static_cast<std::size_t>(set.first + i)];
      x[i] = scale_[set.first + i] * r[row];
      y[i] = x[i] - U[row] / scale_[set.first + i];
    }
    project_on_set(set, y, y);
    for (int i = 0; i < set.size; ++i) sum += std::pow(scale_[set.first + i] * (x[i] - y[i]), 2);
  }
  return std::sqrt(sum);
}

double StaggeredStage::metric(const VecX& d) const {
  VecX x(static_cast<int>(rows_.size()));
  for (int p = 0; p < x.size(); ++p) x[p] = scale_[p] * d[rows_[static_cast<std::size_t>(p)]];
  return x.dot(quadratic_.matrix() * x);
}

StaggeredStage::Outcome StaggeredStage::project(const VecX& U, VecX& r, double residual, double seconds,
                                                const Budget& budget) {
  const int n = static_cast<int>(rows_.size());
  Outcome outcome{true, false};
  if (n == 0) return outcome;
  VecX x0(n), g0(n), x;
  for (int p = 0; p < n; ++p) {
    const int row = rows_[static_cast<std::size_t>(p)];
    x0[p] = scale_[p] * r[row];
    g0[p] = U[row] / scale_[p];
  }
  if (!direct_ || !solve_direct(x0, g0, x, outcome)) {
    outcome.solved = quadratic_.minimise(x0, g0, {residual, seconds}, budget, x).solved;
  }
  for (int p = 0; p < n; ++p) r[rows_[static_cast<std::size_t>(p)]] = x[p] / scale_[p];
  return outcome;
}

bool StaggeredStage::solve_direct(const VecX& x0, const VecX& g0, VecX& x, Outcome& outcome) {
  // Only what can be non-zero takes part (thesis 5.3.6: contacts that carry).
  std::vector<int> rows, place(static_cast<std::size_t>(x0.size()), -1);
  int constraints = 0;
  for (const StaggeredSet& set : quadratic_.sets()) {
    const bool round = set.kind == StaggeredSetKind::Disc || set.kind == StaggeredSetKind::Polygon;
    if (round && !(set.radius > 0)) continue;
    for (int i = 0; i < set.size; ++i) {
      place[static_cast<std::size_t>(set.first + i)] = static_cast<int>(rows.size());
      rows.push_back(set.first + i);
    }
    if (set.kind == StaggeredSetKind::Interval) {
      constraints += std::isfinite(set.lower) + std::isfinite(set.upper);
    } else if (round) {
      constraints += set.size == 1 ? 2 : set.facets;
    }
  }
  const int n = static_cast<int>(rows.size());
  x = VecX::Zero(x0.size());
  if (n == 0) return true;
  const VecX linear = g0 - quadratic_.matrix() * x0;
  if (!dual_ || rows != dual_rows_) {
    MatX G(n, n);
    const MatX dense(quadratic_.matrix());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) G(i, j) = dense(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]);
    dual_ = std::make_unique<DualActiveSet>(G, proximal_share);
    dual_rows_ = rows;
    last_active_.clear();
  }
  LinearConstraints inequalities{MatX::Zero(n, constraints), VecX::Zero(constraints)};
  int next = 0;
  for (const StaggeredSet& set : quadratic_.sets()) {
    const int p = place[static_cast<std::size_t>(set.first)];
    if (p < 0 || set.kind == StaggeredSetKind::Free) continue;
    const bool interval = set.kind == StaggeredSetKind::Interval;
    if (interval || set.size == 1) {
      const double lower = interval ? set.lower : -set.radius, upper = interval ? set.upper : set.radius;
      if (std::isfinite(lower)) inequalities.C(p, next) = 1, inequalities.c0[next++] = -lower;
      if (std::isfinite(upper)) inequalities.C(p, next) = -1, inequalities.c0[next++] = upper;
      continue;
    }
    for (int j = 0; j < set.facets; ++j, ++next) {
      const double angle = (2 * j + 1) * std::numbers::pi / set.facets;
      inequalities.C(p, next) = -std::cos(angle);
      inequalities.C(p + 1, next) = -std::sin(angle);
      inequalities.c0[next] = set.radius * std::cos(std::numbers::pi / set.facets);
    }
  }
  VecX a(n), start(n);
  for (int i = 0; i < n; ++i) {
    a[i] = linear[rows[static_cast<std::size_t>(i)]];
    start[i] = x0[rows[static_cast<std::size_t>(i)]];
  }
  const QuadraticSolution solution = dual_->solve(a, {MatX(n, 0), VecX(0)}, inequalities, start, last_active_);
  outcome.unbounded = solution.status == QuadraticStatus::Unbounded;
  if (solution.status != QuadraticStatus::Optimal || !solution.x.allFinite()) return false;
  last_active_ = solution.active;
  for (int i = 0; i < n; ++i) x[rows[static_cast<std::size_t>(i)]] = solution.x[i];
  // Rounding may leave a bound by a hair.
  for (const StaggeredSet& set : quadratic_.sets()) project_on_set(set, x.data() + set.first, x.data() + set.first);
  return true;
}

}  // namespace cairn
