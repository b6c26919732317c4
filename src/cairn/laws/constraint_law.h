// SPDX-License-Identifier: Apache-2.0
// The law of one constraint of a problem with its numbers, for any number of rows: projection, derivative, natural map.
//
// Rows are (N, T...) or (N, T1, T2, M1, M2): Coulomb has 1 to 3 of them (2: plane friction), rolling five, interval
// one, bilateral any number. Every law is  -U~ in the normal cone of K at r,  U~ = U + (mu |U_T| + mu_r |U_M|) e_N.
#pragma once
#include "cairn/laws/law.h"

#include <limits>

namespace cairn {

/// Most rows a constraint can have.
inline constexpr int max_rows = 6;

struct ConstraintLaw {
  LawKind kind = LawKind::Coulomb;
  double mu = 0;          ///< coulomb, rolling
  double mu_rolling = 0;  ///< rolling [m]
  double lower = -std::numeric_limits<double>::infinity(),
         upper = std::numeric_limits<double>::infinity();  ///< interval

  bool is_cone() const { return kind == LawKind::Coulomb || kind == LawKind::Frictionless || kind == LawKind::Rolling; }
  bool operator==(const ConstraintLaw&) const = default;
};

/// Throws Error naming `owner` unless the numbers are admissible and the law can have that many rows.
void check_law(const ConstraintLaw& law, int rows, std::string_view owner);

/// Euclidean projection on K; `out` may be `x`.
void project(const ConstraintLaw& law, int rows, const double* x, double* out);

/// One element of its generalised Jacobian at x: symmetric, 0 <= D <= I, rows x rows.
void project_derivative(const ConstraintLaw& law, int rows, const double* x, double* D);

/// Its symmetric square root: also 0 <= S <= I, and 0 or the identity where D is.
void project_derivative_root(const ConstraintLaw& law, int rows, const double* x, double* S);

/// Alart and Curnier's map: first the normal part on [0, inf), then the others on discs of radius mu (mu_r) times the
/// result. r = A(r - rho U) with any rho > 0 is Coulomb's law without a shift. The same as project() for other laws.
void project_by_parts(const ConstraintLaw& law, int rows, const double* x, double* out);
/// Its derivative, rows x rows, not symmetric.
void project_by_parts_derivative(const ConstraintLaw& law, int rows, const double* x, double* D);

/// mu |U_T| + mu_r |U_M|: what De Saxce adds to the normal velocity; 0 for other laws.
double velocity_shift(const ConstraintLaw& law, int rows, const double* U);

/// F = s r - P_{s K}(s r - U~), s = `scale` [1/kg] >= 0: zero exactly where the law holds. Returns |F|^2; F may be
/// null.
double natural_map(const ConstraintLaw& law, int rows, const double* U, const double* r, double scale, double* F);

}  // namespace cairn
