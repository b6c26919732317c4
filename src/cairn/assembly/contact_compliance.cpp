// SPDX-License-Identifier: Apache-2.0
// The row of a contact that yields.
#include "cairn/assembly/contact_compliance.h"

namespace cairn {

CompliantRow make_compliant_row(double k, double c, double w, double g, double U_begin, double h) {
  if (k * h * h * w < 1) {
    const double resistance = k * h / 4 + c / 2;
    return {(k * g - (k * h / 4 - c / 2) * U_begin) / resistance, 1 / (h * resistance)};
  }
  const double resistance = k * h + c;
  return {k * g / resistance, 1 / (h * resistance)};
}

}  // namespace cairn
