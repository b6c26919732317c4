// SPDX-License-Identifier: Apache-2.0
// Projected Gauss-Seidel: see the header.
#include "cairn/solvers/study/pgs_lcp.h"

#include "cairn/math/polygon.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {

Vec2 project_on_polygon(const Vec2& x, double radius, int facets) {
  Vec2 out;
  sets::project(sets::Polygon{radius, facets}, x.data(), out.data());
  return out;
}

PgsLcp::PgsLcp(const Settings& settings) : settings_(settings) {
  if (settings.facets < 4 || settings.facets % 2 != 0) {
    throw Error("pgs-lcp: facets is {}; must be even and at least 4", settings.facets);
  }
}

void PgsLcp::project_friction(double radius, int tangents, double* t) const {
  if (tangents == 2 && settings_.friction == FrictionModel::Kind::Pyramid) {
    const Vec2 p = project_on_polygon({t[0], t[1]}, radius, settings_.facets);
    t[0] = p[0], t[1] = p[1];
    return;
  }
  for (int k = 0; k < tangents; ++k) t[k] = std::clamp(t[k], -radius, radius);
}

void PgsLcp::sweep(const LocalProblem& problem, const VecX& diagonal, VecX& r) const {
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(i);
    const ConstraintLaw& law = problem.law[c];
    const int rows = problem.rows(i), first = problem.offset[c];
    const auto velocity = [&](int row) {
      double U = problem.b[first + row];
      for (int k = problem.W.row_start[c]; k < problem.W.row_start[c + 1]; ++k) {
        const int j = problem.W.column[static_cast<std::size_t>(k)];
        U += problem.block(i, k).row(row).dot(r.segment(problem.offset[static_cast<std::size_t>(j)], problem.rows(j)));
      }
      return U;
    };
    // A row without diagonal cannot be moved by itself.
    const auto plain_step = [&](int row) {
      const double D = diagonal[first + row];
      return D > 0 ? r[first + row] - settings_.relaxation * velocity(row) / D : r[first + row];
    };
    if (law.kind == LawKind::Bilateral || law.kind == LawKind::Interval) {
      for (int k = 0; k < rows; ++k) r[first + k] = std::clamp(plain_step(k), law.lower, law.upper);
      continue;
    }
    if (law.has_normal()) r[first] = std::max(0.0, plain_step(0));
    const auto rub = [&](const LawPart& part) {
      const int begin = part.first;
      const double size = part.fixed ? 1 : r[first];
      // Together in a polygon (a stretched one for an ellipse), or each by itself.
      if (part.count == 2 && settings_.friction == FrictionModel::Kind::Pyramid) {
        const Vec2 axes(part.axes[0], part.axes[1]);
        const Vec2 stretch = part.round || !(axes.maxCoeff() > 0) ? Vec2(1, 1) : Vec2(axes / axes.maxCoeff());
        const double D = stretch.cwiseAbs2().cwiseProduct(diagonal.segment<2>(first + begin)).maxCoeff();
        double t[2] = {0, 0};
        for (int k = 0; k < 2; ++k) {
          const double x = r[first + begin + k];
          if (!(stretch[k] > 0)) continue;
          t[k] = D > 0 ? x / stretch[k] - settings_.relaxation * stretch[k] * velocity(begin + k) / D : x / stretch[k];
        }
        project_friction(size * axes.maxCoeff(), 2, t);
        for (int k = 0; k < 2; ++k) r[first + begin + k] = stretch[k] * t[k];
        return;
      }
      for (int k = 0; k < part.count; ++k) {
        const double bound = part.axes[k] * size;
        r[first + begin + k] = std::clamp(plain_step(begin + k), -bound, bound);
      }
    };
    LawPart parts[max_parts];
    const int count = law_parts(law, rows, parts);
    for (int p = 0; p < count; ++p) rub(parts[p]);
  }
}

double PgsLcp::model_residual(const LocalProblem& problem, const VecX& scales, const VecX& r, VecX& U) const {
  problem.velocity(r, U);
  double square = 0;
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(i);
    const ConstraintLaw& law = problem.law[c];
    const int rows = problem.rows(i), first = problem.offset[c];
    const double D = scales[i];
    if (law.kind == LawKind::Bilateral || law.kind == LawKind::Interval) {
      square += natural_map(law, rows, U.data() + first, r.data() + first, D, nullptr);
      continue;
    }
    if (law.has_normal()) {
      const double F = D * r[first] - std::max(0.0, D * r[first] - U[first]);
      square += F * F;
    }
    const auto add = [&](const LawPart& part) {
      const double size = D * (part.fixed ? 1 : r[first]), largest = part.largest();
      double t[2] = {0, 0}, stretch[2] = {1, 1};
      for (int k = 0; k < part.count; ++k) {
        const int row = first + part.first + k;
        if (!part.round && largest > 0) stretch[k] = part.axes[k] / largest;
        t[k] = stretch[k] > 0 ? D * r[row] / stretch[k] - stretch[k] * U[row] : 0;
      }
      project_friction(size * largest, part.count, t);
      for (int k = 0; k < part.count; ++k) square += std::pow(D * r[first + part.first + k] - stretch[k] * t[k], 2);
    };
    LawPart parts[max_parts];
    const int count = law_parts(law, rows, parts);
    for (int p = 0; p < count; ++p) add(parts[p]);
  }
  const double b = problem.b.norm();
  return square == 0 ? 0 : std::sqrt(square) / b;
}

SolveReport PgsLcp::run(const ContactProblem& whole, VecX& r, const Budget& budget) {
  const LocalProblem& problem = whole.local();
  require_laws(*this, problem.law);
  SolveReport report;
  const VecX scales = problem.scales();
  VecX diagonal(problem.b.size()), U(problem.b.size()), x = r;
  for (int i = 0; i < problem.size(); ++i) {
    diagonal.segment(problem.offset[static_cast<std::size_t>(i)], problem.rows(i)) = problem.diagonal(i).diagonal();
  }
  report.residual = compute_residual(problem, scales, r, U);
  const auto good = [&] { return report.residual.scaled <= settings_.tolerance; };
  double model = std::numeric_limits<double>::infinity();
  bool still = false;
  SolveStatus status = SolveStatus::IterationLimit;
  while (!good() && report.iterations < settings_.max_iterations) {
    const VecX before = x;
    sweep(problem, diagonal, x);
    ++report.iterations;
    const double size = x.norm();
    if (!std::isfinite(size)) {
      status = SolveStatus::NotFinite;
      break;
    }
    still = (x - before).norm() <= 1e-15 * size;
    // The residual costs a sweep: often at first, then every eighth.
    if (report.iterations > 8 && report.iterations % 8 != 0 && report.iterations < settings_.max_iterations && !still) {
      continue;
    }
    const Residual residual = compute_residual(problem, scales, x, U);
    if (residual.scaled < report.residual.scaled) {
      r = x;
      report.residual = residual;
    }
    note(report.iterations, budget.seconds(), residual.scaled);
    model = model_residual(problem, scales, x, U);
    if (good()) break;
    if (still || model <= 0.01 * settings_.tolerance) {
      status = SolveStatus::Stalled;
      break;
    }
    if (budget.over()) {
      status = SolveStatus::TimeLimit;
      break;
    }
  }
  if (status == SolveStatus::NotFinite) {
    r.setZero();
    report.residual = compute_residual(problem, scales, r, U);
  }
  report.status = good() ? SolveStatus::Converged : status;
  const FrictionModel friction{settings_.friction, settings_.facets};
  if (status == SolveStatus::NotFinite) {
    report.message = fmt::format("diverged after {} sweeps", report.iterations);
  } else if (std::isfinite(model)) {
    report.message = describe_model(problem, friction, model);
    if (has_spatial_friction(problem)) report.message += fmt::format("; true cone {:.0e}", report.residual.scaled);
    if (still && model > settings_.tolerance) report.message += "; no sweep moves it any further";
  }
  return report;
}

}  // namespace cairn
