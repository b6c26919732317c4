// SPDX-License-Identifier: Apache-2.0
// The friction of every law as ellipsoids over groups of rows: what Alart and Curnier's map, De Saxce's shift and the
// solvers that take a law apart are made of (constraint_law.h).
#include "cairn/laws/constraint_law.h"
#include "cairn/math/ellipsoid_set.h"

#include <cmath>

namespace cairn {
namespace {

LawPart round_part(int first, int count, double mu, bool fixed = false) {
  LawPart part{first, count, {}, fixed, true};
  std::fill_n(part.axes, count, mu);
  return part;
}

}  // namespace

int law_parts(const ConstraintLaw& law, int rows, LawPart parts[max_parts]) {
  switch (law.kind) {
    case LawKind::Bilateral:
    case LawKind::Interval: return 0;
    case LawKind::Coulomb:
    case LawKind::Frictionless:
      parts[0] = round_part(1, rows - 1, law.kind == LawKind::Coulomb ? law.mu : 0);
      return rows > 1 ? 1 : 0;
    case LawKind::Rolling:
      parts[0] = round_part(1, 2, law.mu);
      parts[1] = round_part(3, 2, law.mu_rolling);
      return 2;
    case LawKind::Orthotropic: parts[0] = {1, 2, {law.mu, law.mu_2, 0}, false, false}; return 1;
    case LawKind::Tresca: parts[0] = round_part(1, rows - 1, law.limit, true); return 1;
    case LawKind::Disc: parts[0] = round_part(0, rows, law.limit, true); return 1;
    case LawKind::Spinning:
      parts[0] = round_part(1, 2, law.mu);
      parts[1] = round_part(3, 1, law.mu_spinning);
      return 2;
    case LawKind::RollingSpinning:
      parts[0] = round_part(1, 2, law.mu);
      parts[1] = round_part(3, 2, law.mu_rolling);
      parts[2] = round_part(5, 1, law.mu_spinning);
      return 3;
    case LawKind::Contensou: parts[0] = {1, 3, {law.mu, law.mu, law.mu_spinning}, false, false}; return 1;
    case LawKind::RollingContensou:
      parts[0] = {1, 3, {law.mu, law.mu, law.mu_spinning}, false, false};
      parts[1] = round_part(4, 2, law.mu_rolling);
      return 2;
  }
  return 0;
}

void project_part(const LawPart& part, double r_N, const double* x, double* out) {
  const double size = part.fixed ? 1 : std::max(0.0, r_N);
  if (part.round) return sets::project(sets::Disc{part.axes[0] * size, part.count}, x, out);
  double axes[3], shrink[3];
  for (int i = 0; i < part.count; ++i) axes[i] = size * part.axes[i];
  sets::shrink_to_ellipsoid(part.count, axes, x, shrink);
  for (int i = 0; i < part.count; ++i) out[i] = shrink[i] * x[i];
}

// The ellipsoid grows in proportion to r_N, so the projection P is homogeneous: r_N dP/dr_N + dP/dx x = P.
void project_part_derivative(const LawPart& part, double r_N, const double* x, double* D, double* by_normal) {
  const int n = part.count;
  const double size = part.fixed ? 1 : std::max(0.0, r_N);
  std::fill_n(by_normal, n, 0.0);
  if (part.round) {
    const double radius = part.axes[0] * size, length = sets::length(x, n);
    sets::project_derivative(sets::Disc{radius, n}, x, D);
    if (part.fixed || !(length > radius)) return;
    for (int i = 0; i < n; ++i) by_normal[i] = part.axes[0] * x[i] / length;
    return;
  }
  double axes[3], shrink[3];
  for (int i = 0; i < n; ++i) axes[i] = size * part.axes[i];
  sets::shrink_to_ellipsoid(n, axes, x, shrink);
  sets::shrink_derivative(n, axes, x, shrink, D);
  if (part.fixed || !(size > 0)) return;
  for (int i = 0; i < n; ++i) {
    by_normal[i] = shrink[i] * x[i];
    for (int j = 0; j < n; ++j) by_normal[i] -= D[i + n * j] * x[j];
    by_normal[i] /= size;
  }
}

double velocity_shift(const ConstraintLaw& law, int rows, const double* U) {
  if (law.kind == LawKind::Coulomb) return law.mu * sets::length(U + 1, rows - 1);
  if (!law.is_cone()) return 0;
  LawPart parts[max_parts];
  const int count = law_parts(law, rows, parts);
  double sum = 0;
  for (int p = 0; p < count; ++p) {
    const LawPart& part = parts[p];
    double square = 0;
    for (int i = 0; i < part.count; ++i) {
      const double x = part.round ? U[part.first + i] : part.axes[i] * U[part.first + i];
      square += x * x;
    }
    sum += (part.round ? part.axes[0] : 1) * std::sqrt(square);
  }
  return sum;
}

void velocity_shift_gradient(const ConstraintLaw& law, int rows, const double* U, double* g) {
  std::fill_n(g, rows, 0.0);
  if (!law.is_cone()) return;
  if (law.kind == LawKind::Coulomb) {  // the law of nearly all contacts
    const double size = sets::length(U + 1, rows - 1);
    for (int i = 1; size > 0 && i < rows; ++i) g[i] = law.mu * U[i] / size;
    return;
  }
  LawPart parts[max_parts];
  const int count = law_parts(law, rows, parts);
  for (int p = 0; p < count; ++p) {
    const LawPart& part = parts[p];
    double square = 0;
    for (int i = 0; i < part.count; ++i) {
      const double x = part.axes[i] * U[part.first + i];
      square += x * x;
    }
    if (!(square > 0)) continue;
    const double inverse = 1 / std::sqrt(square);
    for (int i = 0; i < part.count; ++i) g[part.first + i] = part.axes[i] * part.axes[i] * U[part.first + i] * inverse;
  }
}

}  // namespace cairn
