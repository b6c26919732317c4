// SPDX-License-Identifier: Apache-2.0
// Contacts that yield: a linear spring and damper in the normal direction, one-sided, as a row of the contact problem.
//
//   r/h = max(0, -(k g + c dg/dt))  becomes  0 <= U_E + shift + compliance r  _|_  r >= 0   (compliance on W's
//   diagonal)
// With g_M at mid-step and w = H M^-1 H' of the normal row, two ways of taking g and dg/dt:
//   resolved, k h^2 w < 1:  g_M + h/4 (U_E - U_B) and (U_B + U_E)/2: the implicit midpoint rule, second order, no loss
//   stiff, otherwise:       g_M + h U_E (the next mid-step) and U_E: first order, and the rigid law as k grows; the
//                           midpoint rule would send stiff contacts back with -U_B
// Friction is that of the rigid law with the normal force of the spring. The certificate's residual is that of this
// law.
#pragma once

namespace cairn {

struct CompliantRow {
  double shift;       ///< [m/s]
  double compliance;  ///< [1/kg]
};
/// k, c: stiffness and damping; w: inverse mass the row feels; g: gap at mid-step; U_begin: its rate at the begin.
CompliantRow make_compliant_row(double k, double c, double w, double g, double U_begin, double h);

}  // namespace cairn
