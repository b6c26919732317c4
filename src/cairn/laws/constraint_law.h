// SPDX-License-Identifier: Apache-2.0
// The law of one constraint of a problem with its numbers, for any number of rows: projection, derivative, natural map.
//
// Rows are (N, T1, T2, M1, M2, S) or those of them that the law has, in the order of LawType::moments.
// Every law is
//   -U~ in the normal cone of K at r,   U~ = U + s(U) e_N,
// K the set of its impulses. Laws whose friction grows with r_N are not associated: De Saxce's shift s(U), the support
// function of the friction set with r_N = 1 at -U_T, makes up for it (De Saxce and Feng 1991); others have s = 0.
#pragma once
#include "cairn/laws/law_type.h"

namespace cairn {

/// The parts of a law in the order of their rows, which cover all rows but the normal one; returns how many there are.
/// Rows that carry nothing (frictionless in three rows) are a part of size 0. Equations and bounds have none; nor have
/// laws whose friction is no ellipsoid (ConstraintLaw::has_parts).
int law_parts(const ConstraintLaw& law, int rows, LawPart parts[max_parts]);

/// Throws Error naming `owner` unless the numbers are admissible and the law can have that many rows.
void check_law(const ConstraintLaw& law, int rows, std::string_view owner);

/// The law of r^ = factor r: impulses in other units.
inline void scale_law(ConstraintLaw& law, double factor) {
  law.lower *= factor;
  law.upper *= factor;
  law.limit *= factor;
}
/// The law of y where r = factor y row by row. Rows with one coefficient (T1, T2 but of laws with a direction; M1, M2)
/// must have one factor; all rows where the law has no parts.
void scale_law_rows(ConstraintLaw& law, int rows, const double* factor);

/// Euclidean projection on K; `out` may be `x`.
void project(const ConstraintLaw& law, int rows, const double* x, double* out);

/// One element of its generalised Jacobian at x: symmetric, 0 <= D <= I, rows x rows.
void project_derivative(const ConstraintLaw& law, int rows, const double* x, double* D);

/// Its symmetric square root: also 0 <= S <= I, and 0 or the identity where D is.
void project_derivative_root(const ConstraintLaw& law, int rows, const double* x, double* S);

/// Alart and Curnier's map: first the normal part on [0, inf), then the others on their ellipsoids with the result as
/// r_N. r = A(r - rho U) with any rho > 0 is the law without a shift. The same as project() for laws without one.
void project_by_parts(const ConstraintLaw& law, int rows, const double* x, double* out);
/// Its derivative, rows x rows, not symmetric.
void project_by_parts_derivative(const ConstraintLaw& law, int rows, const double* x, double* D);

/// One part of it: projection of its rows (x, out: `count` numbers) on the ellipsoid for the normal impulse r_N.
void project_part(const LawPart& part, double r_N, const double* x, double* out);
/// Derivatives of that by x (count x count) and by r_N (count numbers; 0 where the part does not grow).
void project_part_derivative(const LawPart& part, double r_N, const double* x, double* D, double* by_normal);

/// s(U): what De Saxce adds to the normal velocity, the sum of |axes U| over the parts that grow with r_N.
double velocity_shift(const ConstraintLaw& law, int rows, const double* U);
/// Its gradient, `rows` numbers; 0 for a part at rest, which is one of its subgradients.
void velocity_shift_gradient(const ConstraintLaw& law, int rows, const double* U, double* g);

/// Whether the friction of sliding has reached its limit (to 1e-9) at the normal impulse r_N: it slides, or is about
/// to. Only the tangents of r = (N, T1, T2) are looked at.
bool is_at_friction_limit(const ConstraintLaw& law, double r_N, const Vec3& r);

/// F = s r - P_{s K}(s r - U~), s = `scale` [1/kg] >= 0: zero exactly where the law holds. Returns |F|^2; F may be
/// null.
double natural_map(const ConstraintLaw& law, int rows, const double* U, const double* r, double scale, double* F);

}  // namespace cairn
