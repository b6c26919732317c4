// SPDX-License-Identifier: Apache-2.0
// Projected Gauss-Seidel: see the header.
#include "cairn/solvers/pgs_lcp.h"

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
    const auto step = [&](int row, double D) {
      return D > 0 ? r[first + row] - settings_.relaxation * velocity(row) / D : r[first + row];
    };
    const auto plain_step = [&](int row) { return step(row, diagonal[first + row]); };
    if (!law.is_cone()) {
      for (int k = 0; k < rows; ++k) r[first + k] = std::clamp(plain_step(k), law.lower, law.upper);
      continue;
    }
    r[first] = std::max(0.0, plain_step(0));
    const auto rub = [&](int begin, int tangents, double radius) {
      double t[2] = {0, 0};
      if (tangents == 2 && settings_.friction == FrictionModel::Kind::Pyramid) {
        const double D = diagonal.segment(first + begin, 2).maxCoeff();
        t[0] = step(begin, D), t[1] = step(begin + 1, D);
        project_friction(radius, 2, t);
        r[first + begin] = t[0], r[first + begin + 1] = t[1];
        return;
      }
      for (int k = 0; k < tangents; ++k) r[first + begin + k] = std::clamp(plain_step(begin + k), -radius, radius);
    };
    if (law.kind == LawKind::Coulomb) rub(1, rows - 1, law.mu * r[first]);
    if (law.kind == LawKind::Rolling) rub(1, 2, law.mu * r[first]), rub(3, 2, law.mu_rolling * r[first]);
    if (law.kind == LawKind::Frictionless) r.segment(first + 1, rows - 1).setZero();
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
    if (!law.is_cone()) {
      square += natural_map(law, rows, U.data() + first, r.data() + first, D, nullptr);
      continue;
    }
    const double F = D * r[first] - std::max(0.0, D * r[first] - U[first]);
    square += F * F;
    const auto add = [&](int begin, int tangents, double radius) {
      double t[2] = {0, 0};
      for (int k = 0; k < tangents; ++k) t[k] = D * r[first + begin + k] - U[first + begin + k];
      project_friction(D * radius, tangents, t);
      for (int k = 0; k < tangents; ++k) square += std::pow(D * r[first + begin + k] - t[k], 2);
    };
    if (law.kind == LawKind::Coulomb) add(1, rows - 1, law.mu * r[first]);
    if (law.kind == LawKind::Rolling) add(1, 2, law.mu * r[first]), add(3, 2, law.mu_rolling * r[first]);
  }
  const double b = problem.b.norm();
  return square == 0 ? 0 : std::sqrt(square) / b;
}

SolveReport PgsLcp::solve(const LocalProblem& problem, VecX& r) {
  const Stopwatch stopwatch;
  SolveReport report;
  if (!r.allFinite()) r.setZero();
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
    note(report.iterations, stopwatch.seconds(), residual.scaled);
    model = model_residual(problem, scales, x, U);
    if (good()) break;
    if (still || model <= 0.01 * settings_.tolerance) {
      status = SolveStatus::Stalled;
      break;
    }
    if (settings_.max_seconds > 0 && stopwatch.seconds() > settings_.max_seconds) {
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
  report.seconds = stopwatch.seconds();
  return report;
}

}  // namespace cairn
