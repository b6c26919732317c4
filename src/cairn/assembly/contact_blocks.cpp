// SPDX-License-Identifier: Apache-2.0
// Blocks of contacts with moments and other friction.
#include "cairn/assembly/contact_blocks.h"

namespace cairn {

bool needs_block(const Constraint& c) {
  return c.contact && c.contact->kind != LawKind::Coulomb && c.contact->kind != LawKind::Frictionless;
}

ConstraintLaw law_of_step(const ContactLaw& law, double mu, bool touches, double h) {
  ConstraintLaw set{.kind = law.kind, .mu = mu};
  set.mu_2 = law.friction_2;
  set.mu_rolling = law.rolling_friction;
  set.mu_spinning = law.spinning_friction;
  set.limit = touches ? law.limit * h : 0;  // no friction before it touches
  return set;
}

RowBlock make_block(const Constraint& c, double h) {
  const ContactLaw& law = *c.contact;
  RowBlock block;
  block.law = law_of_step(law, c.friction, c.gap <= 0 || c.was_closed, h);
  block.rows = law_rows(law.kind);
  block.work = RowWork::Friction;
  const auto fill = [&](const PlacedPoint& point, double sign) {
    RowSide* side = block.add_side(point);
    if (!side) return;
    side->linear.topRows<3>() = sign * c.frame;
    int row = 3, rolling = 0;  // the spin is about the normal, rolling about the tangents
    for (const char moment : law.kind.type().moments)
      side->angular.row(row++) = sign * c.frame.row(moment == 'S' ? 0 : ++rolling);
  };
  fill(c.placed_a(), 1);
  fill(c.placed_b(), -1);
  block.shift.head<3>() = c.shift;
  return block;
}

Mat3 contact_frame_along(const Vec3& n, const Vec3& direction) {
  const Vec3 along = direction - n.dot(direction) * n;
  if (!(along.norm() > 1e-6 * direction.norm())) return contact_frame(n);  // square to the surface: no guide
  Mat3 frame;
  frame.row(0) = n;
  frame.row(1) = along.normalized();
  frame.row(2) = n.cross(Vec3(frame.row(1)));
  return frame;
}

}  // namespace cairn
