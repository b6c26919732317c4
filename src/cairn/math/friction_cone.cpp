// SPDX-License-Identifier: Apache-2.0
// Cones over discs: see the header. The slope of the one-dimensional problem is piecewise linear and grows with n.
#include "cairn/math/friction_cone.h"

#include <cassert>

namespace cairn::sets {
namespace {

/// Where the projection lies: normal component, lengths of the two tangential parts of x, and which of them are cut.
struct ConePlace {
  double n = 0, t = 0, m = 0;
  bool cut_t = false, cut_m = false;
};

ConePlace place_on_cone(const DiscCone& cone, const double* x) {
  ConePlace p;
  p.t = length(x + 1, cone.tangents);
  p.m = length(x + 1 + cone.tangents, cone.moments);
  const double mu = cone.mu, mr = cone.mu_rolling;
  // The slope n - x_n - mu (t - mu n)+ - mu_r (m - mu_r n)+ grows with n: the root is in the regime it falls into.
  const auto root = [&](bool cut_t, bool cut_m) {
    return (x[0] + (cut_t ? mu * p.t : 0) + (cut_m ? mr * p.m : 0)) /
           (1 + (cut_t ? mu * mu : 0) + (cut_m ? mr * mr : 0));
  };
  // Rounding can refuse all regimes where two of them meet; the one refused by least is then exact to rounding.
  double least = INFINITY;
  for (const bool cut_t : {false, true}) {
    for (const bool cut_m : {false, true}) {
      const double n = std::max(0.0, root(cut_t, cut_m));
      const double over_t = p.t - mu * n, over_m = p.m - mr * n;
      const double wrong = std::max(cut_t ? -over_t : over_t, cut_m ? -over_m : over_m);
      const bool right = (over_t > 0) == cut_t && (over_m > 0) == cut_m;
      if (!right && !(wrong < least)) continue;
      least = right ? -INFINITY : wrong;
      p.n = n, p.cut_t = cut_t && p.t > 0, p.cut_m = cut_m && p.m > 0;
      if (right) return p;
    }
  }
  return p;
}

constexpr int most_rows = 6;

}  // namespace

void project(const DiscCone& cone, const double* x, double* out) {
  const ConePlace p = place_on_cone(cone, x);
  const double scale_t = p.cut_t ? cone.mu * p.n / p.t : 1, scale_m = p.cut_m ? cone.mu_rolling * p.n / p.m : 1;
  out[0] = p.n;
  int i = 1;
  for (; i <= cone.tangents; ++i) out[i] = scale_t * x[i];
  for (; i <= cone.tangents + cone.moments; ++i) out[i] = scale_m * x[i];
  for (; i < cone.rows; ++i) out[i] = 0;
}

// D is a sum of orthogonal projectors with weights 1 and mu n/|x_t|, mu_r n/|x_m| <= 1: its root is as easy.
void project_derivative(const DiscCone& cone, const double* x, double* D, bool root) {
  const int rows = cone.rows;
  assert(rows <= most_rows);
  std::fill(D, D + rows * rows, 0.0);
  const auto at = [&](int i, int j) -> double& { return D[i + rows * j]; };
  const ConePlace p = place_on_cone(cone, x);
  if (p.n == 0) return;
  // dn = (dx_n + mu e_t.dx_t + mu_r e_m.dx_m) / (1 + mu^2 + mu_r^2) over the parts that are cut.
  double gradient[most_rows] = {1, 0, 0, 0, 0, 0};
  double sum = 1;
  const auto add_part = [&](bool cut, double mu, double size, int first, int count) {
    if (!cut) return;
    sum += mu * mu;
    for (int i = 0; i < count; ++i) gradient[first + i] = mu * x[first + i] / size;
  };
  add_part(p.cut_t, cone.mu, p.t, 1, cone.tangents);
  add_part(p.cut_m, cone.mu_rolling, p.m, 1 + cone.tangents, cone.moments);
  const int used = 1 + cone.tangents + cone.moments;
  for (int i = 0; i < used; ++i)
    for (int j = 0; j < used; ++j) at(i, j) = gradient[i] * gradient[j] / sum;
  const auto add_side = [&](bool cut, double mu, double size, int first, int count) {
    const double weight = cut ? mu * p.n / size : 1;
    const double side = root ? std::sqrt(weight) : weight;
    for (int i = 0; i < count; ++i) {
      at(first + i, first + i) += side;
      if (!cut) continue;
      for (int j = 0; j < count; ++j) at(first + i, first + j) -= side * x[first + i] * x[first + j] / (size * size);
    }
  };
  add_side(p.cut_t, cone.mu, p.t, 1, cone.tangents);
  add_side(p.cut_m, cone.mu_rolling, p.m, 1 + cone.tangents, cone.moments);
}

namespace {

DiscCone numbers(const FrictionCone& set) { return {set.mu, 0, set.tangents, 0, 1 + set.tangents}; }
DiscCone numbers(const RollingCone& set) { return {set.mu, set.mu_rolling, 2, 2, 5}; }

}  // namespace

void project(const FrictionCone& set, const double* x, double* out) {
  if (set.tangents == 2) return project_on_friction_cone(set.mu, x, out);
  project(numbers(set), x, out);
}

void project(const RollingCone& set, const double* x, double* out) { project(numbers(set), x, out); }

void project_derivative(const FrictionCone& set, const double* x, double* D) {
  if (set.tangents == 2) {
    Eigen::Map<Mat3>{D} = friction_cone_derivative(set.mu, x);
    return;
  }
  project_derivative(numbers(set), x, D);
}

void project_derivative(const RollingCone& set, const double* x, double* D) { project_derivative(numbers(set), x, D); }

double support(const FrictionCone& set, const double* y) {
  return cone_support(y[0], set.mu * length(y + 1, set.tangents));
}

double support(const RollingCone& set, const double* y) {
  return cone_support(y[0], set.mu * length(y + 1, 2) + set.mu_rolling * length(y + 3, 2));
}

}  // namespace cairn::sets
