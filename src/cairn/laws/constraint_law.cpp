// SPDX-License-Identifier: Apache-2.0
// The sets of all laws, named for math/: projections, their derivatives, and the maps made of them.
#include "cairn/laws/constraint_law.h"

#include "cairn/base/error.h"
#include "cairn/math/elliptic_cone.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

using sets::length;

/// The cone of a contact law with discs; rows that carry nothing (frictionless in three rows) belong to none.
sets::DiscCone cone_of(const ConstraintLaw& law, int rows) {
  sets::DiscCone cone;
  cone.rows = rows;
  const auto add = [&cone](double mu, int count) { cone.parts[cone.count++] = {mu, count}; };
  switch (law.kind) {
    case LawKind::Coulomb: add(law.mu, rows - 1); break;
    case LawKind::Rolling: add(law.mu, 2), add(law.mu_rolling, 2); break;
    case LawKind::Spinning: add(law.mu, 2), add(law.mu_spinning, 1); break;
    case LawKind::RollingSpinning: add(law.mu, 2), add(law.mu_rolling, 2), add(law.mu_spinning, 1); break;
    default: break;
  }
  return cone;
}

}  // namespace

std::string_view law_name(LawKind kind) { return law_kinds()[static_cast<std::size_t>(kind)].name; }

ConstraintLaw make_example_law(LawKind kind) {
  ConstraintLaw law{kind, 0.5};
  switch (kind) {
    case LawKind::Frictionless:
    case LawKind::Bilateral: law.mu = 0; break;
    case LawKind::Coulomb: break;
    case LawKind::Rolling: law.mu_rolling = 0.1; break;
    case LawKind::Interval: law.mu = 0, law.lower = -0.5, law.upper = 1; break;
    case LawKind::Orthotropic: law.mu_2 = 0.3; break;
    case LawKind::Tresca:
    case LawKind::Disc: law.mu = 0, law.limit = 0.4; break;
    case LawKind::Spinning:
    case LawKind::Contensou: law.mu_spinning = 0.2; break;
    case LawKind::RollingSpinning:
    case LawKind::RollingContensou: law.mu_rolling = 0.1, law.mu_spinning = 0.2; break;
  }
  return law;
}

void check_law(const ConstraintLaw& law, int rows, std::string_view owner) {
  const auto expect = [&](bool right, std::string_view expected) {
    if (!right) throw Error("{}: a {} law with {} rows; must have {}", owner, law_name(law.kind), rows, expected);
  };
  const auto number = [&](std::string_view name, double x) {
    if (!(std::isfinite(x) && x >= 0)) throw Error("{}: {} is {}; must be >= 0", owner, name, x);
  };
  switch (law.kind) {
    case LawKind::Coulomb: expect(rows == 2 || rows == 3, "2 or 3"); break;
    case LawKind::Frictionless: return expect(rows >= 1 && rows <= 3, "1, or 3 of which only the normal one carries");
    case LawKind::Bilateral: return expect(rows >= 1 && rows <= max_rows, "1 to 6");
    case LawKind::Rolling:
      expect(rows == 5, "5");
      number("mu_r", law.mu_rolling);
      break;
    case LawKind::Interval:
      expect(rows == 1, "1");
      if (!(law.lower <= law.upper)) throw Error("{}: bounds [{}, {}] hold nothing", owner, law.lower, law.upper);
      return;
    case LawKind::Orthotropic:
      expect(rows == 3, "3");
      number("mu_2", law.mu_2);
      break;
    case LawKind::Tresca: expect(rows == 2 || rows == 3, "2 or 3"); return number("limit", law.limit);
    case LawKind::Disc: expect(rows == 2, "2"); return number("limit", law.limit);
    case LawKind::Spinning:
    case LawKind::Contensou:
      expect(rows == 4, "4");
      number("mu_s", law.mu_spinning);
      break;
    case LawKind::RollingSpinning:
    case LawKind::RollingContensou:
      expect(rows == 6, "6");
      number("mu_r", law.mu_rolling);
      number("mu_s", law.mu_spinning);
      break;
  }
  number("mu", law.mu);
}

void scale_law_rows(ConstraintLaw& law, int rows, const double* factor) {
  if (rows > 1) law.mu *= factor[0] / factor[1];
  if (law.kind == LawKind::Orthotropic) law.mu_2 *= factor[0] / factor[2];
  if (law.kind == LawKind::Rolling || law.kind == LawKind::RollingSpinning) law.mu_rolling *= factor[0] / factor[3];
  if (law.kind == LawKind::RollingContensou) {
    law.mu_spinning *= factor[0] / factor[3];
    law.mu_rolling *= factor[0] / factor[4];
    return;
  }
  law.mu_spinning *= factor[0] / factor[rows - 1];  // the last row of the other laws that have it
  law.limit /= factor[law.kind == LawKind::Tresca ? 1 : 0];
  law.lower /= factor[0];
  law.upper /= factor[0];
}

void project(const ConstraintLaw& law, int rows, const double* x, double* out) {
  if (law.kind == LawKind::Coulomb && rows == 3) return sets::project_on_friction_cone(law.mu, x, out);
  switch (law.kind) {
    case LawKind::Bilateral: return sets::project(sets::Free{rows}, x, out);
    case LawKind::Interval: return sets::project(sets::Interval{law.lower, law.upper}, x, out);
    case LawKind::Orthotropic: return sets::project(sets::EllipticCone{law.mu, law.mu_2}, x, out);
    case LawKind::Contensou: return sets::project(sets::ContensouCone{law.mu, law.mu_spinning}, x, out);
    case LawKind::RollingContensou:
      return sets::project(sets::RollingContensouCone{{law.mu, law.mu_spinning}, law.mu_rolling}, x, out);
    case LawKind::Tresca:
      out[0] = std::max(0.0, x[0]);
      return sets::project(sets::Disc{law.limit, rows - 1}, x + 1, out + 1);
    case LawKind::Disc: return sets::project(sets::Disc{law.limit, rows}, x, out);
    default: break;
  }
  sets::project(cone_of(law, rows), x, out);
}

namespace {

/// Derivative of a disc in rows [first, n) of a block of n rows.
void fill_disc(double radius, int first, int n, const double* x, bool root, double* D) {
  const double size = length(x + first, n - first);
  const bool inside = size <= radius && radius > 0;
  const double weight = inside ? 1 : size > 0 ? radius / size : 0, side = root ? std::sqrt(weight) : weight;
  for (int j = first; j < n; ++j)
    for (int i = first; i < n; ++i)
      D[i + n * j] = side * ((i == j ? 1 : 0) - (inside || size == 0 ? 0 : (x[i] / size) * (x[j] / size)));
}

void fill_derivative(const ConstraintLaw& law, int rows, const double* x, double* D, bool root) {
  switch (law.kind) {
    case LawKind::Bilateral: return sets::project_derivative(sets::Free{rows}, x, D);
    case LawKind::Interval: return sets::project_derivative(sets::Interval{law.lower, law.upper}, x, D);
    case LawKind::Orthotropic: return sets::project_derivative(sets::EllipticCone{law.mu, law.mu_2}, x, D, root);
    case LawKind::Contensou: return sets::project_derivative(sets::ContensouCone{law.mu, law.mu_spinning}, x, D, root);
    case LawKind::RollingContensou:
      return sets::project_derivative(sets::RollingContensouCone{{law.mu, law.mu_spinning}, law.mu_rolling}, x, D,
                                      root);
    case LawKind::Tresca:
      std::fill(D, D + rows * rows, 0.0);
      D[0] = x[0] > 0 ? 1 : 0;
      return fill_disc(law.limit, 1, rows, x, root, D);
    case LawKind::Disc: return fill_disc(law.limit, 0, rows, x, root, D);
    default: return sets::project_derivative(cone_of(law, rows), x, D, root);
  }
}

}  // namespace

void project_derivative(const ConstraintLaw& law, int rows, const double* x, double* D) {
  fill_derivative(law, rows, x, D, false);
}

void project_derivative_root(const ConstraintLaw& law, int rows, const double* x, double* S) {
  fill_derivative(law, rows, x, S, true);
}

void project_by_parts(const ConstraintLaw& law, int rows, const double* x, double* out) {
  if (!law.is_cone()) return project(law, rows, x, out);
  const double normal = std::max(0.0, x[0]);
  if (law.kind == LawKind::Coulomb) {  // the law of nearly all contacts
    const double size = length(x + 1, rows - 1), radius = law.mu * normal;
    const double scale = size > radius ? radius / size : 1;
    for (int i = 1; i < rows; ++i) out[i] = scale * x[i];
  } else {
    LawPart parts[max_parts];
    const int count = law_parts(law, rows, parts);
    for (int p = 0; p < count; ++p) project_part(parts[p], normal, x + parts[p].first, out + parts[p].first);
  }
  out[0] = normal;
}

void project_by_parts_derivative(const ConstraintLaw& law, int rows, const double* x, double* D) {
  if (!law.is_cone()) return project_derivative(law, rows, x, D);
  std::fill(D, D + rows * rows, 0.0);
  if (!(x[0] > 0)) return;
  D[0] = 1;
  if (law.kind == LawKind::Coulomb) {
    const double size = length(x + 1, rows - 1), radius = law.mu * x[0];
    const bool cut = size > radius || radius == 0;
    for (int i = 1; i < rows; ++i) {
      D[i + rows * i] = !cut ? 1 : size > 0 ? radius / size : 0;
      if (!cut || size == 0) continue;
      D[i] = law.mu * x[i] / size;
      for (int j = 1; j < rows; ++j) D[i + rows * j] -= radius * x[i] * x[j] / (size * size * size);
    }
    return;
  }
  LawPart parts[max_parts];
  const int count = law_parts(law, rows, parts);
  double block[9], by_normal[3];
  for (int p = 0; p < count; ++p) {
    const int first = parts[p].first, n = parts[p].count;
    project_part_derivative(parts[p], x[0], x + first, block, by_normal);
    for (int i = 0; i < n; ++i) {
      D[first + i] = by_normal[i];
      for (int j = 0; j < n; ++j) D[first + i + rows * (first + j)] = block[i + n * j];
    }
  }
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
  if (law.is_cone()) {
    project(law, rows, y, y);
  } else {
    ConstraintLaw scaled = law;
    scale_law(scaled, scale);
    project(scaled, rows, y, y);
  }
  for (int i = 0; i < rows; ++i) {
    F[i] = scale * r[i] - y[i];
    square += F[i] * F[i];
  }
  return square;
}

}  // namespace cairn
