// SPDX-License-Identifier: Apache-2.0
// A spring given by a table of measured points, joined by a curve that rises and falls only where the points do.
//
// Piecewise cubic Hermite curve p(x) through the points with the slopes of Fritsch and Butland (SIAM J. Sci. Stat.
// Comput. 5, 1984): the weighted harmonic mean of the neighbouring secants, 0 where they differ in sign. Beyond the
// ends the curve goes on straight with the slope of the end. f = -p(x) - c v, V = the integral of p from 0 to x.
#pragma once
#include "cairn/base/parameters.h"
#include "cairn/laws/compliant_law.h"

#include <array>
#include <span>
#include <vector>

namespace cairn {

class TableSpring {
 public:
  double damping = 0;  ///< c [N s/m]

  /// Points (elongation [m], pull [N]), elongations rising. Throws Error naming `owner` and the first wrong point.
  explicit TableSpring(std::span<const std::array<double, 2>> points = {}, std::string_view owner = "table spring");
  void describe(ParameterVisitor& v);

  /// Pull p [N], its slope [N/m] and its integral from 0 to x [J].
  struct Curve {
    double value, slope, integral;
  };
  Curve evaluate(double x) const;

 private:
  Curve evaluate_from_first(double x) const;

  struct Node {
    double x, value, slope;
    double integral;  ///< from the first node to this one
  };
  std::vector<Node> nodes_;
  double integral_at_zero_ = 0;
};

CompliantForce compliant_force(const TableSpring& law, double x, double v);
double stored_energy(const TableSpring& law, double x);

}  // namespace cairn
