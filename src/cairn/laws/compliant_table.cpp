// SPDX-License-Identifier: Apache-2.0
// A spring given by a table: slopes, evaluation, exact integral.
#include "cairn/laws/compliant_table.h"

#include <algorithm>
#include <cmath>

namespace cairn {

TableSpring::TableSpring(std::span<const std::array<double, 2>> points, std::string_view owner) {
  static constexpr std::array<std::array<double, 2>, 2> no_force{{{0, 0}, {1, 0}}};
  if (points.empty()) points = no_force;
  if (points.size() < 2) throw Error("{}: the table has 1 point; must have at least 2", owner);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [x, f] = points[i];
    if (!std::isfinite(x) || !std::isfinite(f)) {
      throw Error("{}: point {} of the table is ({}, {}); must be finite", owner, i + 1, x, f);
    }
    if (i > 0 && !(x > points[i - 1][0])) {
      throw Error("{}: point {} of the table is at {} m; must be beyond the point before, at {} m", owner, i + 1, x,
                  points[i - 1][0]);
    }
    nodes_.push_back({x, f, 0, 0});
  }

  const std::size_t last = nodes_.size() - 1;
  const auto width = [&](std::size_t i) { return nodes_[i + 1].x - nodes_[i].x; };
  const auto secant = [&](std::size_t i) { return (nodes_[i + 1].value - nodes_[i].value) / width(i); };
  nodes_[0].slope = secant(0);
  nodes_[last].slope = secant(last - 1);
  for (std::size_t i = 1; i < last; ++i) {
    const double a = secant(i - 1), b = secant(i);
    if (a * b <= 0) continue;  // a peak, a valley or a flat piece: 0
    const double wa = 2 * width(i) + width(i - 1), wb = width(i) + 2 * width(i - 1);
    nodes_[i].slope = (wa + wb) / (wa / a + wb / b);
  }
  // The integral of a Hermite cubic: trapezium plus a term of the slopes, exact.
  for (std::size_t i = 0; i < last; ++i) {
    const double h = width(i);
    nodes_[i + 1].integral = nodes_[i].integral + h * (nodes_[i].value + nodes_[i + 1].value) / 2 +
                             h * h * (nodes_[i].slope - nodes_[i + 1].slope) / 12;
  }
  integral_at_zero_ = evaluate_from_first(0).integral;
}

void TableSpring::describe(ParameterVisitor& v) {
  v.special("table", "pairs of numbers", "elongation [m] and pull [N], elongations rising");
  v.real("damping", damping, "N s/m", non_negative, "force per speed c");
}

TableSpring::Curve TableSpring::evaluate(double x) const {
  Curve curve = evaluate_from_first(x);
  curve.integral -= integral_at_zero_;
  return curve;
}

TableSpring::Curve TableSpring::evaluate_from_first(double x) const {
  const auto straight = [x](const Node& n) {
    const double s = x - n.x;
    return Curve{n.value + n.slope * s, n.slope, n.integral + s * (n.value + n.slope * s / 2)};
  };
  if (x <= nodes_.front().x) return straight(nodes_.front());
  if (x >= nodes_.back().x) return straight(nodes_.back());
  const auto above = std::upper_bound(nodes_.begin(), nodes_.end(), x, [](double y, const Node& n) { return y < n.x; });
  const Node &b = *above, &a = *(above - 1);

  // p = value + slope s + c2 s^2 + c3 s^3, s from the left node.
  const double h = b.x - a.x, s = x - a.x, secant = (b.value - a.value) / h;
  const double c2 = (3 * secant - 2 * a.slope - b.slope) / h, c3 = (a.slope + b.slope - 2 * secant) / (h * h);
  return {a.value + s * (a.slope + s * (c2 + s * c3)), a.slope + s * (2 * c2 + 3 * s * c3),
          a.integral + s * (a.value + s * (a.slope / 2 + s * (c2 / 3 + s * c3 / 4)))};
}

CompliantForce compliant_force(const TableSpring& law, double x, double v) {
  const auto curve = law.evaluate(x);
  return {-curve.value - law.damping * v, -curve.slope, -law.damping};
}

double stored_energy(const TableSpring& law, double x) { return law.evaluate(x).integral; }

}  // namespace cairn
