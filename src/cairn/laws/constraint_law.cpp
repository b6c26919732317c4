// SPDX-License-Identifier: Apache-2.0
// The sets of all laws, named for math/: projections, their derivatives, and the maps made of them.
#include "cairn/laws/constraint_law.h"

#include "cairn/base/error.h"
#include "cairn/math/friction_cone.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

using sets::length;

/// The cone of a contact law; rows that carry nothing (frictionless in three rows) are neither tangents nor moments.
sets::DiscCone cone_of(const ConstraintLaw& law, int rows) {
  const int moments = law.kind == LawKind::Rolling ? 2 : 0;
  const int tangents = law.kind == LawKind::Frictionless ? 0 : rows - 1 - moments;
  return {law.mu, law.mu_rolling, tangents, moments, rows};
}

}  // namespace

void check_law(const ConstraintLaw& law, int rows, std::string_view owner) {
  const auto refuse = [&](std::string_view expected) {
    throw Error("{}: a {} law with {} rows; must have {}", owner, law_kinds()[static_cast<std::size_t>(law.kind)].name,
                rows, expected);
  };
  const auto number = [&](std::string_view name, double x) {
    if (!(std::isfinite(x) && x >= 0)) throw Error("{}: {} is {}; must be >= 0", owner, name, x);
  };
  switch (law.kind) {
    case LawKind::Coulomb:
      if (rows < 2 || rows > 3) refuse("2 or 3");
      number("mu", law.mu);
      break;
    case LawKind::Frictionless:
      if (rows < 1 || rows > 3) refuse("1, or 3 of which only the normal one carries");
      break;
    case LawKind::Bilateral:
      if (rows < 1 || rows > max_rows) refuse("1 to 6");
      break;
    case LawKind::Rolling:
      if (rows != 5) refuse("5");
      number("mu", law.mu);
      number("mu_r", law.mu_rolling);
      break;
    case LawKind::Interval:
      if (rows != 1) refuse("1");
      if (!(law.lower <= law.upper)) throw Error("{}: bounds [{}, {}] hold nothing", owner, law.lower, law.upper);
      break;
  }
}

void project(const ConstraintLaw& law, int rows, const double* x, double* out) {
  if (law.kind == LawKind::Bilateral) return sets::project(sets::Free{rows}, x, out);
  if (law.kind == LawKind::Interval) return sets::project(sets::Interval{law.lower, law.upper}, x, out);
  if (law.kind == LawKind::Coulomb && rows == 3) return sets::project_on_friction_cone(law.mu, x, out);
  sets::project(cone_of(law, rows), x, out);
}

namespace {

void fill_derivative(const ConstraintLaw& law, int rows, const double* x, double* D, bool root) {
  if (law.kind == LawKind::Bilateral) return sets::project_derivative(sets::Free{rows}, x, D);
  if (law.kind == LawKind::Interval) return sets::project_derivative(sets::Interval{law.lower, law.upper}, x, D);
  sets::project_derivative(cone_of(law, rows), x, D, root);
}

}  // namespace

void project_derivative(const ConstraintLaw& law, int rows, const double* x, double* D) {
  fill_derivative(law, rows, x, D, false);
}

void project_derivative_root(const ConstraintLaw& law, int rows, const double* x, double* S) {
  fill_derivative(law, rows, x, S, true);
}

namespace {

/// The parts of a contact that are cut to a disc: first row, rows, coefficient.
struct DiscPart {
  int first, count;
  double mu;
};

int disc_parts(const ConstraintLaw& law, int rows, DiscPart* parts) {
  if (law.kind == LawKind::Coulomb) {
    parts[0] = {1, rows - 1, law.mu};
    return 1;
  }
  if (law.kind != LawKind::Rolling) return 0;
  parts[0] = {1, 2, law.mu};
  parts[1] = {3, 2, law.mu_rolling};
  return 2;
}

}  // namespace

void project_by_parts(const ConstraintLaw& law, int rows, const double* x, double* out) {
  if (!law.is_cone()) {
    project(law, rows, x, out);
    return;
  }
  const double normal = std::max(0.0, x[0]);
  DiscPart parts[2];
  const int count = disc_parts(law, rows, parts);
  for (int p = 0; p < count; ++p) {
    const double size = length(x + parts[p].first, parts[p].count), radius = parts[p].mu * normal;
    const double scale = size > radius ? radius / size : 1;
    for (int i = parts[p].first; i < parts[p].first + parts[p].count; ++i) out[i] = scale * x[i];
  }
  if (count == 0) std::fill(out + 1, out + rows, 0.0);
  out[0] = normal;
}

void project_by_parts_derivative(const ConstraintLaw& law, int rows, const double* x, double* D) {
  if (!law.is_cone()) {
    project_derivative(law, rows, x, D);
    return;
  }
  std::fill(D, D + rows * rows, 0.0);
  if (!(x[0] > 0)) return;
  D[0] = 1;
  DiscPart parts[2];
  const int count = disc_parts(law, rows, parts);
  for (int p = 0; p < count; ++p) {
    const int first = parts[p].first, n = parts[p].count;
    const double size = length(x + first, n), radius = parts[p].mu * x[0];
    const bool cut = size > radius;
    for (int i = first; i < first + n; ++i) {
      D[i + rows * i] = cut ? radius / size : 1;
      if (!cut) continue;
      D[i] = parts[p].mu * x[i] / size;
      for (int j = first; j < first + n; ++j) D[i + rows * j] -= radius * x[i] * x[j] / (size * size * size);
    }
  }
}

double velocity_shift(const ConstraintLaw& law, int rows, const double* U) {
  if (law.kind == LawKind::Coulomb) return law.mu * length(U + 1, rows - 1);
  if (law.kind == LawKind::Rolling) return law.mu * length(U + 1, 2) + law.mu_rolling * length(U + 3, 2);
  return 0;
}

double natural_map(const ConstraintLaw& law, int rows, const double* U, const double* r, double scale, double* F) {
  double y[max_rows], local[max_rows];
  if (!F) F = local;
  double square = 0;
  if (law.kind == LawKind::Bilateral) {
    for (int i = 0; i < rows; ++i) F[i] = U[i], square += U[i] * U[i];
    return square;
  }
  if (law.kind == LawKind::Interval) {
    F[0] = scale > 0 ? scale * (r[0] - std::clamp(r[0] - U[0] / scale, law.lower, law.upper)) : U[0];
    return F[0] * F[0];
  }
  if (law.kind == LawKind::Coulomb && rows == 3) {
    if (r[0] == 0 && U[0] >= 0 && r[1] == 0 && r[2] == 0) {  // open: half of the contacts of many problems
      F[0] = F[1] = F[2] = 0;
      return 0;
    }
    for (int i = 0; i < 3; ++i) y[i] = scale * r[i] - U[i];
    y[0] -= law.mu * std::sqrt(U[1] * U[1] + U[2] * U[2]);
    sets::project_on_friction_cone(law.mu, y, y);
    for (int i = 0; i < 3; ++i) {
      F[i] = scale * r[i] - y[i];
      square += F[i] * F[i];
    }
    return square;
  }
  for (int i = 0; i < rows; ++i) y[i] = scale * r[i] - U[i];
  y[0] -= velocity_shift(law, rows, U);
  project(law, rows, y, y);
  for (int i = 0; i < rows; ++i) {
    F[i] = scale * r[i] - y[i];
    square += F[i] * F[i];
  }
  return square;
}

}  // namespace cairn
