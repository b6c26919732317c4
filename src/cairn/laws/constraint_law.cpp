// SPDX-License-Identifier: Apache-2.0
// Projections on the sets of laws, their derivatives, and the maps made of them.
#include "cairn/laws/constraint_law.h"

#include "cairn/base/error.h"
#include "cairn/laws/law_sets.h"

#include <algorithm>
#include <cmath>

namespace cairn {

using sets::length;

void check_law(const ConstraintLaw& law, int rows, std::string_view owner) {
  const LawType& type = law.kind.type();
  const int most = type.most_rows > 0 ? type.most_rows : type.rows;
  if (rows < type.least_rows || rows > most)
    throw Error("{}: a {} law with {} rows; must have {}", owner, type.name, rows,
                most == type.least_rows ? fmt::format("{}", most) : fmt::format("{} to {}", type.least_rows, most));
  if (type.check) return type.check(law, owner);
  if (!type.describe_set) return;
  ParameterChecker checker(owner);
  ConstraintLaw scratch = law;
  type.describe_set(scratch, checker);
}

void scale_law_rows(ConstraintLaw& law, int rows, const double* factor) {
  const LawType& type = law.kind.type();
  if (rows > 1) law.mu *= factor[0] / factor[1];
  if (type.directed) law.mu_2 *= factor[0] / factor[2];
  for (std::size_t i = 0; i < type.moments.size(); ++i) {
    const double ratio = factor[0] / factor[3 + i];
    if (type.moments[i] == 'S') law.mu_spinning *= ratio;
    if (type.moments[i] == 'M' && (i == 0 || type.moments[i - 1] != 'M')) law.mu_rolling *= ratio;
  }
  law.limit /= factor[type.form == LawForm::Contact && rows > 1 ? 1 : 0];
  law.lower /= factor[0];
  law.upper /= factor[0];
}

void project(const ConstraintLaw& law, int rows, const double* x, double* out) {
  if (law.kind == LawKind::Coulomb && rows == 3) return sets::project_on_friction_cone(law.mu, x, out);
  const LawType& type = law.kind.type();
  if (type.project) return type.project(law, rows, x, out);
  if (type.parts) return sets::project(cone_over_discs(law, rows), x, out);
  project_on_cone_over_section(law, rows, x, out);
}

namespace {

void fill_derivative(const ConstraintLaw& law, int rows, const double* x, double* D, bool root) {
  const LawType& type = law.kind.type();
  if (type.derivative) return type.derivative(law, rows, x, D, root);
  if (type.parts) return sets::project_derivative(cone_over_discs(law, rows), x, D, root);
  cone_over_section_derivative(law, rows, x, D, root);
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
  } else if (!law.has_parts()) {
    project_on_section(law, rows, normal, x + 1, out + 1);
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
  if (!law.has_parts())
    return differentiate(rows, x, D, [&](const double* at, double* out) { project_by_parts(law, rows, at, out); });
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
  if (law.is_equation()) {
    for (int i = 0; i < rows; ++i) F[i] = U[i], square += U[i] * U[i];
    return square;
  }
  if (law.has_bounds()) {
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
