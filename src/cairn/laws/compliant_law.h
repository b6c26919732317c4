// SPDX-License-Identifier: Apache-2.0
// What a compliant law gives: a force and its tangents. The sign rule of all compliant laws.
//
// x is a gap or an elongation [m], v = dx/dt [m/s] its speed. The force f acts in the direction of growing x: it pushes
// apart when f > 0, as r_N does, and its power on the bodies is f v. What derives from stored energy V(x) is -dV/dx;
// the rest never adds energy: (f + dV/dx) v <= 0. Contacts have the depth d = -x > 0 when they touch and f >= 0: they
// never pull. A law for an angle reads rad for m and N m for N.
//
// Every law is a plain value with describe(); check_parameters("spring", law) throws Error for a wrong one. The
// functions below a law do not check: they are made for loops. At a kink the tangent is that of one side.
#pragma once

namespace cairn {

struct CompliantForce {
  double force = 0;      ///< f [N]
  double per_gap = 0;    ///< df/dx [N/m]
  double per_speed = 0;  ///< df/dv [N s/m]
};

}  // namespace cairn
