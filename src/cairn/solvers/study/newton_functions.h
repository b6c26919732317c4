// SPDX-License-Identifier: Apache-2.0
// Functions F(U, r) of one constraint that vanish exactly where its law holds, with one element of their generalised
// derivatives, for semismooth Newton methods.
//
//   natural map         r - P_K(r - rho U~)                                      (De Saxce and Feng 1991)
//   Alart-Curnier       [r_N - (d_N)+;  r_T - P_B(mu (d_N)+)(d_T)],  d = r - rho U  (Alart and Curnier 1991), with the
//                       ellipsoid of each part of the law for the disc
//   Jean-Moreau         the same with the disc of radius mu (r_N)+              (Jean and Moreau 1987)
//   Fischer-Burmeister  x + y - (x^2 + y^2)^1/2 in the Jordan algebra of the second-order cone, where x is r and y is
//                       rho U~ in axes that make K_mu self-dual                 (Fukushima, Luo and Tseng 2002)
// and the rows of Koziara's directions NEWT, HYB, FIX and UNIL (thesis, section 11.2), which are no derivatives.
#pragma once
#include "cairn/laws/constraint_law.h"

#include <array>

namespace cairn {

enum class NewtonFunction { NaturalMap, AlartCurnier, JeanMoreau, FischerBurmeister };

/// Where a function is evaluated. rho > 0 makes an impulse of a velocity; the natural map and Fischer-Burmeister have
/// one, the others one per part.
struct NewtonPoint {
  const ConstraintLaw& law;
  int rows;
  const double* U;
  const double* r;
  double rho_normal, rho_tangent;
};

/// F and its derivatives, rows x rows, column-major.
struct NewtonBlocks {
  std::array<double, max_rows> F;
  std::array<double, max_rows * max_rows> dU, dr;
};

bool function_supports(NewtonFunction function, const ConstraintLaw& law);

/// F alone.
void newton_value(NewtonFunction function, const NewtonPoint& at, double* F);
/// F, dF/dU and dF/dr.
void newton_blocks(NewtonFunction function, const NewtonPoint& at, NewtonBlocks& out);

enum class KoziaraRows { Newt, Hyb, Fix, Unil };
enum class KoziaraBranch : char { Open, Stick, Slip };

bool koziara_supports(KoziaraRows rows, const ConstraintLaw& law);

/// Rows (dU W + dr) dr = -F of table 3.10.3 with U = W r + b. `bound` is b_N of FIX. Where `first`, the state is that
/// of zero impulse and zero velocity: all contacts closed, no friction, so that the first iterate carries all loads.
KoziaraBranch koziara_rows(KoziaraRows rows, const NewtonPoint& at, double bound, bool first, NewtonBlocks& out);

/// The function of Koziara's merit, (10.3.33): C_T is quadratic in impulses, so it is divided by the impulse `size`.
void koziara_value(const NewtonPoint& at, double size, double* C);

}  // namespace cairn
