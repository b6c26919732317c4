// SPDX-License-Identifier: Apache-2.0
// Tangents of a force by differences.
#include "cairn/constraints/force_element.h"

namespace cairn {

ForceTangent::ForceTangent(const Bodies& bodies, std::array<int, 2> on) : body(on) {
  for (std::size_t i = 0; i < 2; ++i) size[i] = on[i] >= 0 ? bodies.slot(on[i]).nu : 0;
  K = D = MatX::Zero(size[0] + size[1], size[0] + size[1]);
}

ForceTangent ForceElement::tangent(const ForceView& at) const { return difference_tangent(*this, at); }

ForceTangent difference_tangent(const ForceElement& element, const ForceView& at, double step) {
  const Bodies& bodies = at.bodies;
  ForceTangent result(bodies, element.acts_on());
  // Rows and columns of the element within u.
  std::vector<int> places;
  for (std::size_t i = 0; i < 2; ++i)
    for (int k = 0; k < result.size[i]; ++k) places.push_back(bodies.slot(result.body[i]).u + k);
  const auto force = [&](const VecX& at_q, const VecX& at_u) {
    VecX conservative = VecX::Zero(bodies.nu()), other = conservative;
    element.add_forces({bodies, at_q, at_u, at.t, at.memory, at.h}, conservative, other);
    return VecX((conservative + other)(places));
  };
  VecX forward(at.q.size()), backward(at.q.size()), direction(at.u.size());
  for (std::size_t j = 0; j < places.size(); ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    direction.setZero();
    direction[places[j]] = 1;
    bodies.advance(at.q, direction, step, forward, {});
    bodies.advance(at.q, direction, -step, backward, {});
    result.K.col(column) = (force(backward, at.u) - force(forward, at.u)) / (2 * step);
    result.D.col(column) = (force(at.q, at.u - step * direction) - force(at.q, at.u + step * direction)) / (2 * step);
  }
  return result;
}

}  // namespace cairn
