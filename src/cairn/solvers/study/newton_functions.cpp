// SPDX-License-Identifier: Apache-2.0
// Functions of the semismooth Newton solver and their derivatives: see the header.
#include "cairn/solvers/study/newton_functions.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

double length(const double* x, int n) {
  double square = 0;
  for (int i = 0; i < n; ++i) square += x[i] * x[i];
  return std::sqrt(square);
}

/// Writes entries of the blocks of one constraint.
struct Writer {
  int rows;
  NewtonBlocks& out;
  double& dU(int i, int j) { return out.dU[static_cast<std::size_t>(i + rows * j)]; }
  double& dr(int i, int j) { return out.dr[static_cast<std::size_t>(i + rows * j)]; }
  double& F(int i) { return out.F[static_cast<std::size_t>(i)]; }
  void clear() {
    std::fill_n(out.dU.begin(), rows * rows, 0.0);
    std::fill_n(out.dr.begin(), rows * rows, 0.0);
  }
  /// F_i = r_i.
  void no_impulse(int i, const double* r) { F(i) = r[i], dr(i, i) = 1; }
  /// F_i = rho U_i.
  void no_velocity(int i, const double* U, double rho) { F(i) = rho * U[i], dU(i, i) = rho; }
};

void natural_value(const NewtonPoint& at, double* y, double* F) {
  const double rho = at.rho_normal;
  for (int i = 0; i < at.rows; ++i) y[i] = at.r[i] - rho * at.U[i];
  y[0] -= rho * velocity_shift(at.law, at.rows, at.U);
  double P[max_rows];
  project(at.law, at.rows, y, P);
  for (int i = 0; i < at.rows; ++i) F[i] = at.r[i] - P[i];
}

void natural_blocks(const NewtonPoint& at, NewtonBlocks& out) {
  const int n = at.rows;
  double y[max_rows], g[max_rows], D[max_rows * max_rows];
  natural_value(at, y, out.F.data());
  project_derivative(at.law, n, y, D);
  velocity_shift_gradient(at.law, n, at.U, g);
  Writer w{n, out};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      w.dr(i, j) = (i == j ? 1 : 0) - D[i + n * j];
      w.dU(i, j) = at.rho_normal * (D[i + n * j] + D[i] * g[j]);
    }
}

/// Alart-Curnier (radius of d_N) and Jean-Moreau (radius of r_N); `out` null: only F.
void product_set(const NewtonPoint& at, bool jean_moreau, double* F, NewtonBlocks* out) {
  const int n = at.rows;
  const double *U = at.U, *r = at.r, rho_n = at.rho_normal, rho_t = at.rho_tangent;
  NewtonBlocks ignored;
  Writer w{n, out ? *out : ignored};
  if (out) w.clear();
  if (at.law.kind == LawKind::Interval) {
    const double d = r[0] - rho_n * U[0];
    F[0] = r[0] - std::clamp(d, at.law.lower, at.law.upper);
    if (out && d > at.law.lower && d < at.law.upper) w.dU(0, 0) = rho_n;
    if (out && !(d > at.law.lower && d < at.law.upper)) w.dr(0, 0) = 1;
    return;
  }
  // A contact has a normal row; dry friction by itself starts with its part.
  const bool contact = at.law.has_normal();
  const double d_n = contact ? r[0] - rho_n * U[0] : 0, rho = contact ? rho_t : rho_n;
  if (contact) {
    F[0] = r[0] - std::max(0.0, d_n);
    if (out) (d_n > 0 ? w.dU(0, 0) : w.dr(0, 0)) = d_n > 0 ? rho_n : 1;
  }
  LawPart parts[max_parts];
  const int count = law_parts(at.law, n, parts);
  for (int p = 0; p < count; ++p) {
    const LawPart& part = parts[p];
    const int first = part.first, size = part.count;
    const double bound = part.fixed ? 1 : std::max(0.0, jean_moreau ? r[0] : d_n);
    double d[max_rows], P[3], G[9], by_normal[3];
    for (int i = 0; i < size; ++i) d[i] = r[first + i] - rho * U[first + i];
    const double radius = part.axes[0] * bound;
    if (part.round && radius > 0 && length(d, size) <= radius) {  // sticks
      for (int i = first; i < first + size; ++i) {
        F[i] = rho * U[i];
        if (out) w.dU(i, i) = rho;
      }
      continue;
    }
    project_part(part, bound, d, P);
    for (int i = 0; i < size; ++i) F[first + i] = r[first + i] - P[i];
    if (!out) continue;
    project_part_derivative(part, bound, d, G, by_normal);
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        w.dr(first + i, first + j) = (i == j ? 1 : 0) - G[i + size * j];
        w.dU(first + i, first + j) = rho * G[i + size * j];
      }
      if (part.fixed || !(bound > 0)) continue;  // no friction: r_T = 0
      w.dr(first + i, 0) -= by_normal[i];
      if (!jean_moreau) w.dU(first + i, 0) += rho_n * by_normal[i];
    }
  }
}

/// Fischer-Burmeister of the second-order cone { x_0 >= |x_1..| } of dimension n, with the derivatives by x and y where
/// X is not null.
void cone_fischer_burmeister(int n, const double* x, const double* y, double* F, double* X, double* Y) {
  double w[max_rows] = {};
  for (int i = 0; i < n; ++i) w[0] += x[i] * x[i] + y[i] * y[i];
  for (int i = 1; i < n; ++i) w[i] = 2 * (x[0] * x[i] + y[0] * y[i]);
  const double size = length(w + 1, n - 1);
  // The smaller eigenvalue w_0 - |w_1..| as a sum of squares: the difference would cost half the digits near the
  // boundary.
  double e[max_rows] = {}, square = n == 1 ? w[0] : 0;
  for (int i = 1; i < n; ++i) {
    e[i] = size > 0 ? w[i] / size : i == 1 ? 1 : 0;
    square += (x[0] * e[i] - x[i]) * (x[0] * e[i] - x[i]) + (y[0] * e[i] - y[i]) * (y[0] * e[i] - y[i]);
  }
  const double high = std::sqrt(w[0] + size), low = std::sqrt(square);
  double z[max_rows];
  z[0] = 0.5 * (high + low);
  for (int i = 1; i < n; ++i) z[i] = 0.5 * (high - low) * e[i];
  for (int i = 0; i < n; ++i) F[i] = x[i] + y[i] - z[i];
  if (!X) return;
  if (w[0] == 0) {  // the apex: a^2 + b^2 = 1 gives an element
    for (int i = 0; i < n * n; ++i) X[i] = Y[i] = i % (n + 1) == 0 ? 1 - std::sqrt(0.5) : 0;
    return;
  }
  // 2 L_z dz = 2 L_x dx + 2 L_y dy with arrow matrices L. On the kink (low = 0) L_z is singular: a floor of rounding
  // size takes an element of the generalised derivative instead.
  const double floored = std::max(low, 1e-10 * high);
  z[0] = 0.5 * (high + floored);
  for (int i = 1; i < n; ++i) z[i] = 0.5 * (high - floored) * e[i];
  const double det = high * floored;
  const auto inverse = [&](int i, int j) {
    if (i == 0) return (j == 0 ? z[0] : -z[j]) / det;
    if (j == 0) return -z[i] / det;
    return (z[i] * z[j] / det + (i == j ? 1 : 0)) / z[0];
  };
  const auto arrow = [](const double* a, int i, int j) {
    if (i == j) return a[0];
    return i == 0 ? a[j] : j == 0 ? a[i] : 0.0;
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sx = i == j ? 1 : 0, sy = sx;
      for (int k = 0; k < n; ++k) sx -= inverse(i, k) * arrow(x, k, j), sy -= inverse(i, k) * arrow(y, k, j);
      X[i + n * j] = sx;
      Y[i + n * j] = sy;
    }
}

void fischer_burmeister(const NewtonPoint& at, double* F, NewtonBlocks* out) {
  const int n = at.rows;
  const double rho = at.rho_normal;
  NewtonBlocks ignored;
  Writer w{n, out ? *out : ignored};
  if (out) w.clear();
  // Axes in which the cone is self-dual: with the friction axes a and g the largest of them x = (g^1/2 r_N, g^1/2/a
  // r_T) and y = rho (g^-1/2 U~_N, a/g^1/2 U_T). Rows without friction carry nothing.
  LawPart part[max_parts];
  const int count = law_parts(at.law, n, part);
  const double g = count == 1 ? part[0].largest() : 0, root = g > 0 ? std::sqrt(g) : 1;
  int row[max_rows] = {0}, cone = 1;
  double axis[max_rows] = {root};
  for (int i = 1; i < n; ++i) {
    const double a = g > 0 ? part[0].axes[i - 1] : 0;
    if (a > 0) row[cone] = i, axis[cone++] = a == g ? 1 / root : root / a;
    F[i] = at.r[i];
    if (out && !(a > 0)) w.dr(i, i) = 1;
  }
  double x[max_rows], y[max_rows], gradient[max_rows], Fc[max_rows], X[max_rows * max_rows], Y[max_rows * max_rows];
  for (int i = 0; i < cone; ++i) {
    x[i] = axis[i] * at.r[row[i]];
    y[i] = rho / axis[i] * at.U[row[i]];
  }
  if (cone > 1) y[0] += rho / root * velocity_shift(at.law, n, at.U);
  cone_fischer_burmeister(cone, x, y, Fc, out ? X : nullptr, out ? Y : nullptr);
  for (int i = 0; i < cone; ++i) F[row[i]] = Fc[i];
  if (!out) return;
  velocity_shift_gradient(at.law, n, at.U, gradient);
  for (int i = 0; i < cone; ++i)
    for (int j = 0; j < cone; ++j) {
      w.dr(row[i], row[j]) = X[i + cone * j] * axis[j];
      w.dU(row[i], row[j]) = rho * (Y[i + cone * j] / axis[j] + Y[i] / root * gradient[row[j]]);
    }
}

/// U = 0, r free: the same for all functions.
bool bilateral(const NewtonPoint& at, double* F, NewtonBlocks* out) {
  if (at.law.kind != LawKind::Bilateral) return false;
  for (int i = 0; i < at.rows; ++i) F[i] = at.rho_normal * at.U[i];
  if (!out) return true;
  Writer w{at.rows, *out};
  w.clear();
  for (int i = 0; i < at.rows; ++i) w.dU(i, i) = at.rho_normal;
  return true;
}

}  // namespace

bool function_supports(NewtonFunction function, const ConstraintLaw& law) {
  if (function == NewtonFunction::NaturalMap) return true;
  if (function == NewtonFunction::FischerBurmeister) return law.is_equation() || law.is_one_cone();
  return law.has_parts();
}

void newton_value(NewtonFunction function, const NewtonPoint& at, double* F) {
  if (bilateral(at, F, nullptr)) return;
  double y[max_rows];
  switch (function) {
    case NewtonFunction::NaturalMap: return natural_value(at, y, F);
    case NewtonFunction::AlartCurnier: return product_set(at, false, F, nullptr);
    case NewtonFunction::JeanMoreau: return product_set(at, true, F, nullptr);
    case NewtonFunction::FischerBurmeister: return fischer_burmeister(at, F, nullptr);
  }
}

void newton_blocks(NewtonFunction function, const NewtonPoint& at, NewtonBlocks& out) {
  if (bilateral(at, out.F.data(), &out)) return;
  switch (function) {
    case NewtonFunction::NaturalMap: return natural_blocks(at, out);
    case NewtonFunction::AlartCurnier: return product_set(at, false, out.F.data(), &out);
    case NewtonFunction::JeanMoreau: return product_set(at, true, out.F.data(), &out);
    case NewtonFunction::FischerBurmeister: return fischer_burmeister(at, out.F.data(), &out);
  }
}

bool koziara_supports(KoziaraRows rows, const ConstraintLaw& law) {
  if (rows == KoziaraRows::Unil && law.kind == LawKind::Coulomb) return law.mu == 0;
  return law.kind == LawKind::Coulomb || law.kind == LawKind::Frictionless || law.kind == LawKind::Bilateral;
}

KoziaraBranch koziara_rows(KoziaraRows rows, const NewtonPoint& at, double bound, bool first, NewtonBlocks& out) {
  if (bilateral(at, out.F.data(), &out)) return KoziaraBranch::Stick;
  const int n = at.rows, tangents = n - 1;
  const double *U = at.U, *r = at.r, rho = at.rho_normal;
  const double mu = at.law.kind == LawKind::Coulomb && rows != KoziaraRows::Unil ? at.law.mu : 0;
  Writer w{n, out};
  w.clear();
  const double d_n = first ? 0 : r[0] - rho * U[0];
  if (d_n < 0) {
    for (int i = 0; i < n; ++i) w.no_impulse(i, r);
    return KoziaraBranch::Open;
  }
  w.no_velocity(0, U, rho);
  double d[max_rows];
  for (int i = 0; i < tangents; ++i) d[i] = r[1 + i] - rho * U[1 + i];
  const double t = length(d, tangents);
  // `test` decides between stick and slip, `dn` is the bound in the slip rows.
  const double test = rows == KoziaraRows::Fix ? bound : rows == KoziaraRows::Hyb ? r[0] : d_n;
  const double dn = rows == KoziaraRows::Fix ? bound : d_n;
  if (!first && t - mu * test < 0) {
    for (int i = 1; i < n; ++i) {
      w.no_velocity(i, U, rho);
      if (rows != KoziaraRows::Newt) continue;
      w.dr(i, 0) = rho * U[i] / d_n;
      w.F(i) *= 1 + rho * U[0] / d_n;
    }
    return KoziaraBranch::Stick;
  }
  if (first || mu * dn <= 0 || t == 0) {
    for (int i = 1; i < n; ++i) w.no_impulse(i, r);
    return KoziaraBranch::Slip;
  }
  // M = e (I - F~): with F~ cut by max(mu d_N, |R_T|), iterates stay near the cone.
  const double e = mu * dn / t, cut = std::max(mu * dn, length(r + 1, tangents)) * t;
  const double carried = rows == KoziaraRows::Fix ? bound : r[0];
  for (int i = 0; i < tangents; ++i) {
    for (int j = 0; j < tangents; ++j) {
      const double M = e * ((i == j ? 1 : 0) - r[1 + i] * d[j] / cut);
      w.dr(1 + i, 1 + j) = (i == j ? 1 : 0) - M;
      w.dU(1 + i, 1 + j) = rho * M;
    }
    const double v = d[i] / t;
    w.F(1 + i) = r[1 + i] - mu * v * carried;
    if (rows != KoziaraRows::Fix) w.dr(1 + i, 0) = -mu * v;
  }
  return KoziaraBranch::Slip;
}

void koziara_value(const NewtonPoint& at, double size, double* C) {
  if (bilateral(at, C, nullptr)) return;
  const int tangents = at.rows - 1;
  const double mu = at.law.kind == LawKind::Coulomb ? at.law.mu : 0;
  const double d_n = at.r[0] - at.rho_normal * at.U[0], closed = std::max(0.0, d_n);
  C[0] = at.r[0] - closed;
  if (mu == 0) {  // (10.3.33) would be r_T |d_T| = 0: the same law with a weaker root
    for (int i = 1; i < at.rows; ++i) C[i] = at.r[i];
    return;
  }
  double d[max_rows];
  for (int i = 0; i < tangents; ++i) d[i] = at.r[1 + i] - at.rho_normal * at.U[1 + i];
  const double bound = std::max(mu * d_n, length(d, tangents));
  for (int i = 0; i < tangents; ++i) C[1 + i] = (bound * at.r[1 + i] - mu * closed * d[i]) / size;
}

}  // namespace cairn
