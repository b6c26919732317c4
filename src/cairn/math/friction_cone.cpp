// SPDX-License-Identifier: Apache-2.0
// Cones over discs: see the header. The slope of the one-dimensional problem is piecewise linear and grows with n.
#include "cairn/math/friction_cone.h"

#include <cassert>

namespace cairn::sets {
namespace {

constexpr int most_rows = 6;

/// Where the projection lies: normal component, lengths of the parts of x, and which of them are cut.
struct ConePlace {
  double n = 0, size[DiscCone::most_parts] = {};
  bool cut[DiscCone::most_parts] = {};
};

ConePlace place_on_cone(const DiscCone& cone, const double* x) {
  ConePlace p;
  const int count = cone.count;
  const double* part = x + 1;
  for (int k = 0; k < count; part += cone.parts[k++].rows) p.size[k] = length(part, cone.parts[k].rows);
  // The slope n - x_n - sum of mu (|x_t| - mu n)+ grows with n: the root is in the regime it falls into. Rounding can
  // refuse all regimes where two of them meet; the one refused by least is then exact to rounding.
  double least = INFINITY;
  for (int regime = 0; regime < 1 << count; ++regime) {
    const auto cut = [&](int k) { return (regime >> (count - 1 - k) & 1) != 0; };
    double above = x[0], below = 1;
    for (int k = 0; k < count; ++k) {
      if (!cut(k)) continue;
      above += cone.parts[k].mu * p.size[k];
      below += cone.parts[k].mu * cone.parts[k].mu;
    }
    const double n = std::max(0.0, above / below);
    double wrong = -INFINITY;
    bool right = true;
    for (int k = 0; k < count; ++k) {
      const double over = p.size[k] - cone.parts[k].mu * n;
      wrong = std::max(wrong, cut(k) ? -over : over);
      right &= (over > 0) == cut(k);
    }
    if (!right && !(wrong < least)) continue;
    least = wrong;
    p.n = n;
    for (int k = 0; k < count; ++k) p.cut[k] = cut(k) && p.size[k] > 0;
    if (right) return p;
  }
  return p;
}

}  // namespace

void project(const DiscCone& cone, const double* x, double* out) {
  const ConePlace p = place_on_cone(cone, x);
  out[0] = p.n;
  int i = 1;
  for (int k = 0; k < cone.count; ++k) {
    const double scale = p.cut[k] ? cone.parts[k].mu * p.n / p.size[k] : 1;
    for (const int end = i + cone.parts[k].rows; i < end; ++i) out[i] = scale * x[i];
  }
  for (; i < cone.rows; ++i) out[i] = 0;
}

// D is a sum of orthogonal projectors with weights 1 and mu n/|x_t| <= 1 of each part: its root is as easy.
void project_derivative(const DiscCone& cone, const double* x, double* D, bool root) {
  const int rows = cone.rows;
  assert(rows <= most_rows);
  std::fill(D, D + rows * rows, 0.0);
  const auto at = [&](int i, int j) -> double& { return D[i + rows * j]; };
  const ConePlace p = place_on_cone(cone, x);
  if (p.n == 0) return;
  // dn = (dx_n + sum of mu e_t.dx_t) / (1 + sum of mu^2) over the parts that are cut.
  double gradient[most_rows] = {1, 0, 0, 0, 0, 0};
  double sum = 1;
  int used = 1;
  for (int k = 0; k < cone.count; used += cone.parts[k++].rows) {
    if (!p.cut[k]) continue;
    const double mu = cone.parts[k].mu;
    sum += mu * mu;
    for (int i = used; i < used + cone.parts[k].rows; ++i) gradient[i] = mu * x[i] / p.size[k];
  }
  for (int i = 0; i < used; ++i)
    for (int j = 0; j < used; ++j) at(i, j) = gradient[i] * gradient[j] / sum;
  int first = 1;
  for (int k = 0; k < cone.count; first += cone.parts[k++].rows) {
    const int end = first + cone.parts[k].rows;
    const double size = p.size[k], weight = p.cut[k] ? cone.parts[k].mu * p.n / size : 1;
    const double side = root ? std::sqrt(weight) : weight;
    for (int i = first; i < end; ++i) {
      at(i, i) += side;
      if (!p.cut[k]) continue;
      for (int j = first; j < end; ++j) at(i, j) -= side * x[i] * x[j] / (size * size);
    }
  }
}

}  // namespace cairn::sets
