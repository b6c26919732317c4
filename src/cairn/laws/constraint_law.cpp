// SPDX-License-Identifier: Apache-2.0
// Projections on the sets of all laws. Friction cones: with r_N = n given, the best r_T and r_M are cut to mu n and
// mu_r n, so P_K minimises the convex (n - x_N)^2 + max(0, |x_T| - mu n)^2 + max(0, |x_M| - mu_r n)^2 over n >= 0.
#include "cairn/laws/constraint_law.h"

#include "cairn/base/error.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

double length(const double* x, int n) {
  double square = 0;
  for (int i = 0; i < n; ++i) square += x[i] * x[i];
  return std::sqrt(square);
}

/// Where P_K lies: normal component, lengths of the two tangential parts, and which of them are cut.
struct ConePlace {
  double n = 0, t = 0, m = 0;
  int tangents = 0, moments = 0;
  bool cut_t = false, cut_m = false;
};

/// The most frequent of them: three rows.
inline void project_spatial(double mu, const double* x, double* out) {
  const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  double normal = x[0], scale = 1;
  if (mu * t <= -x[0]) {  // first: with mu = 0 the negative axis belongs here
    normal = scale = 0;
  } else if (t > mu * x[0]) {
    normal = (x[0] + mu * t) / (1 + mu * mu);
    scale = mu * normal / t;
  }
  out[0] = normal, out[1] = scale * x[1], out[2] = scale * x[2];
}

ConePlace place_on_cone(const ConstraintLaw& law, int rows, const double* x) {
  ConePlace p;
  p.moments = law.kind == LawKind::Rolling ? 2 : 0;
  p.tangents = law.kind == LawKind::Frictionless ? 0 : rows - 1 - p.moments;
  p.t = length(x + 1, p.tangents);
  p.m = length(x + 1 + p.tangents, p.moments);
  const double mu = law.mu, mr = law.mu_rolling;
  // The slope n - x_N - mu (t - mu n)+ - mu_r (m - mu_r n)+ grows with n: the root is in the regime it falls into.
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
  if (law.kind == LawKind::Bilateral) {
    std::copy(x, x + rows, out);
    return;
  }
  if (law.kind == LawKind::Interval) {
    out[0] = std::clamp(x[0], law.lower, law.upper);
    return;
  }
  if (law.kind == LawKind::Coulomb && rows == 3) return project_spatial(law.mu, x, out);
  const ConePlace p = place_on_cone(law, rows, x);
  const double scale_t = p.cut_t ? law.mu * p.n / p.t : 1, scale_m = p.cut_m ? law.mu_rolling * p.n / p.m : 1;
  out[0] = p.n;
  int i = 1;
  for (; i <= p.tangents; ++i) out[i] = scale_t * x[i];
  for (; i <= p.tangents + p.moments; ++i) out[i] = scale_m * x[i];
  for (; i < rows; ++i) out[i] = 0;  // frictionless in three rows
}

namespace {

/// D, or its square root: D is a sum of orthogonal projectors with weights 1 and mu n/|x_T|, mu_r n/|x_M| <= 1.
void fill_derivative(const ConstraintLaw& law, int rows, const double* x, double* D, bool root) {
  std::fill(D, D + rows * rows, 0.0);
  const auto at = [&](int i, int j) -> double& { return D[i + rows * j]; };
  if (law.kind == LawKind::Bilateral) {
    for (int i = 0; i < rows; ++i) at(i, i) = 1;
    return;
  }
  if (law.kind == LawKind::Interval) {
    D[0] = x[0] > law.lower && x[0] < law.upper ? 1 : 0;
    return;
  }
  const ConePlace p = place_on_cone(law, rows, x);
  if (p.n == 0) return;
  // dn = (dx_N + mu e_T.dx_T + mu_r e_M.dx_M) / (1 + mu^2 + mu_r^2) over the parts that are cut.
  double gradient[max_rows] = {1, 0, 0, 0, 0, 0};
  double sum = 1;
  const auto add_part = [&](bool cut, double mu, double size, int first, int count) {
    if (!cut) return;
    sum += mu * mu;
    for (int i = 0; i < count; ++i) gradient[first + i] = mu * x[first + i] / size;
  };
  add_part(p.cut_t, law.mu, p.t, 1, p.tangents);
  add_part(p.cut_m, law.mu_rolling, p.m, 1 + p.tangents, p.moments);
  const int used = 1 + p.tangents + p.moments;
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
  add_side(p.cut_t, law.mu, p.t, 1, p.tangents);
  add_side(p.cut_m, law.mu_rolling, p.m, 1 + p.tangents, p.moments);
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
    project_spatial(law.mu, y, y);
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
