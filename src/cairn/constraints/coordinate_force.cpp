// SPDX-License-Identifier: Apache-2.0
// Springs, dampers and drives along joint coordinates.
#include "cairn/constraints/coordinate_force.h"

#include "cairn/base/error.h"

#include <cmath>

namespace cairn {

CoordinateForce::CoordinateForce(const Spec& spec) : spec_(spec) {
  if (!spec.law && !spec.given) throw Error("it has neither a spring nor a force");
  if (!std::isfinite(spec.rest)) throw Error("rest is {}; must be finite", spec.rest);
  if (spec.law) check_spring_law(*spec.law);
}

double CoordinateForce::elongation(const ForceView& at, const PlacedJoint& placed) const {
  return follow_coordinate(spec_.joint, placed, spec_.coordinate, at.memory[0]) - spec_.rest;
}

RowBlock CoordinateForce::row(const PlacedJoint& placed) const {
  RowBlock block;
  block.rows = 1;
  add_coordinate_row(spec_.joint, placed, spec_.coordinate, 1, block, 0);
  return block;
}

void CoordinateForce::add_forces(const ForceView& at, VecX& conservative, VecX& other) const {
  const PlacedJoint placed = place(spec_.joint, at.bodies, at.q);
  const RowBlock block = row(placed);
  double still = 0, rest = spec_.given ? spec_.given(at.t) : 0;
  if (spec_.law) {
    const double x = elongation(at, placed), v = row_velocity(at.bodies, at.q, at.u, block)[0];
    still = spring_force(*spec_.law, x, 0).force;
    rest += spring_force(*spec_.law, x, v).force - still;
  }
  const auto push = [&](double force, VecX& generalised) {
    if (force == 0) return;
    for (int k = 0; k < block.side_count; ++k) {
      const RowSide& side = block.sides[static_cast<std::size_t>(k)];
      at.bodies.add_point_force(side, at.q, force * side.linear.row(0).transpose(), generalised);
      at.bodies.add_torque(side, at.q, force * side.angular.row(0).transpose(), generalised);
    }
  };
  push(still, conservative);
  push(rest, other);
}

double CoordinateForce::energy(const ForceView& at) const {
  if (!spec_.law) return 0;
  const double x = elongation(at, place(spec_.joint, at.bodies, at.q));
  return std::visit([x](const auto& law) { return stored_energy(law, x); }, *spec_.law);
}

bool CoordinateForce::depends_on_velocity() const {
  return spec_.law && std::visit([](const auto& law) { return law.damping != 0; }, *spec_.law);
}

ForceTangent CoordinateForce::stiffest(const ForceView& at) const {
  ForceTangent result(at.bodies, acts_on());
  if (!spec_.law) return result;
  const PlacedJoint placed = place(spec_.joint, at.bodies, at.q);
  const RowBlock block = row(placed);
  VecX J = VecX::Zero(result.K.rows());
  RowArena arena;
  for (int k = 0; k < block.side_count; ++k) {
    const RowSide& side = block.sides[static_cast<std::size_t>(k)];
    const int nu = at.bodies.slot(side.body).nu;
    side_rows(at.bodies, at.q, block, side, arena)
        .add_transposed(VecX::Ones(1), J.segment(side.body == result.body[0] ? 0 : result.size[0], nu));
  }
  const CompliantForce f =
      spring_force(*spec_.law, elongation(at, placed), row_velocity(at.bodies, at.q, at.u, block)[0]);
  result.K = -f.per_gap * J * J.transpose();
  result.D = -f.per_speed * J * J.transpose();
  return result;
}

ForceTangent CoordinateForce::tangent(const ForceView& at) const {
  // J turns with the bodies: by differences; D has no such part.
  ForceTangent result = stiffest(at);
  result.K = difference_tangent(*this, at).K;
  return result;
}

void CoordinateForce::begin_memory(const Bodies& bodies, const VecX& q, std::span<double> turns) const {
  turns[0] = follow_coordinate(spec_.joint, place(spec_.joint, bodies, q), spec_.coordinate, spec_.start);
}

void CoordinateForce::update_memory(const ForceView& at, const VecX& q_end, std::span<double> turns) const {
  turns[0] = follow_coordinate(spec_.joint, place(spec_.joint, at.bodies, q_end), spec_.coordinate, at.memory[0]);
}

}  // namespace cairn
