// SPDX-License-Identifier: Apache-2.0
// Pieces that the sets of several laws are made of: discs in some of the rows, the cone over discs, and the cone over a
// friction set of any convex shape,
//   K = { r_N >= 0, r_T in r_N F }.
// The point of K nearest to x has r_T = P_(r_N F)(x_T) = r_N P_F(x_T/r_N), and r_N is the root of
//   g(n) = n - x_N - sigma_F(x_T - P_(nF)(x_T)),
// sigma_F the support function: half the squared distance from x_T to n F falls by sigma_F(...) per n. g grows in n.
#pragma once
#include "cairn/laws/law_type.h"
#include "cairn/math/friction_cone.h"

namespace cairn {

/// Derivative of the projection on a disc in rows [first, n) of a block of n rows, or its symmetric square root.
void fill_disc_derivative(double radius, int first, int n, const double* x, bool root, double* D);

/// The cone of a law whose parts are all discs.
sets::DiscCone cone_over_discs(const ConstraintLaw& law, int rows);

/// Projection on r_N F of the rows after the first; `out` may be `x`.
void project_on_section(const ConstraintLaw& law, int rows, double r_N, const double* x, double* out);

/// Projection on the cone over F, to rounding; `out` may be `x`.
void project_on_cone_over_section(const ConstraintLaw& law, int rows, const double* x, double* out);

/// Its derivative or the square root of that, by central differences; exactly 0 and I where they are within rounding.
void cone_over_section_derivative(const ConstraintLaw& law, int rows, const double* x, double* D, bool root);

/// D = df/dx of f(x, out) with `rows` numbers each, by central differences.
template <class Map>
void differentiate(int rows, const double* x, double* D, const Map& f) {
  constexpr double relative = 1e-6;
  double size = 0, at[max_rows], plus[max_rows], minus[max_rows];
  for (int i = 0; i < rows; ++i) size = std::max(size, std::abs(x[i]));
  const double step = relative * (size > 0 ? size : 1);
  for (int j = 0; j < rows; ++j) {
    std::copy_n(x, rows, at);
    at[j] = x[j] + step;
    f(at, plus);
    at[j] = x[j] - step;
    f(at, minus);
    for (int i = 0; i < rows; ++i) D[i + rows * j] = (plus[i] - minus[i]) / (2 * step);
  }
}

}  // namespace cairn
