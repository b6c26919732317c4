// SPDX-License-Identifier: Apache-2.0
// The friction of every law as ellipsoids over groups of rows: what Alart and Curnier's map, De Saxce's shift and the
// solvers that take a law apart are made of (constraint_law.h).
#include "cairn/laws/constraint_law.h"
#include "cairn/laws/law_sets.h"
#include "cairn/math/ellipsoid_set.h"

#include <cmath>

namespace cairn {

LawPart round_part(int first, int count, double radius, bool fixed) {
  LawPart part{first, count, {}, fixed, true};
  std::fill_n(part.axes, count, radius);
  return part;
}

int law_parts(const ConstraintLaw& law, int rows, LawPart parts[max_parts]) {
  const LawType& type = law.kind.type();
  return type.parts ? type.parts(law, rows, parts) : 0;
}

bool ConstraintLaw::is_planar() const {
  LawPart parts[max_parts];
  const int count = law_parts(*this, law_rows(kind), parts);
  return has_parts() && std::all_of(parts, parts + count, [](const LawPart& part) { return part.count <= 2; });
}

bool ConstraintLaw::is_one_cone() const {
  LawPart parts[max_parts];
  return is_cone() && has_parts() && law_parts(*this, law_rows(kind), parts) <= 1;
}

bool is_at_friction_limit(const ConstraintLaw& law, double r_N, const Vec3& r) {
  constexpr double rounding = 1e-9;
  if (!law.has_parts()) {
    double longer[max_rows] = {(1 + rounding) * r[1], (1 + rounding) * r[2]}, projected[max_rows];
    project_on_section(law, law_rows(law.kind), r_N, longer, projected);
    return longer[0] != projected[0] || longer[1] != projected[1];
  }
  LawPart parts[max_parts];
  if (law_parts(law, law_rows(law.kind), parts) == 0) return true;
  const LawPart& part = parts[0];
  const double ratio = part.round ? 1 : part.axes[1] > 0 ? part.axes[0] / part.axes[1] : 0;
  return !(std::hypot(r[1], ratio * r[2]) < part.axes[0] * (part.fixed ? 1 : r_N) * (1 - rounding));
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
  if (!law.has_parts()) {
    double against[max_rows];
    for (int i = 1; i < rows; ++i) against[i - 1] = -U[i];
    return law.kind.type().support(law, against);
  }
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
  if (!law.has_parts()) {
    constexpr double relative = 1e-6;
    double at[max_rows];
    std::copy_n(U, rows, at);
    const double step = relative * sets::length(U + 1, rows - 1);
    for (int i = 1; step > 0 && i < rows; ++i) {
      at[i] = U[i] + step;
      const double plus = velocity_shift(law, rows, at);
      at[i] = U[i] - step;
      g[i] = (plus - velocity_shift(law, rows, at)) / (2 * step);
      at[i] = U[i];
    }
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
