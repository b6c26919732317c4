// SPDX-License-Identifier: Apache-2.0
// Rows of contacts that are about to close, checked against where the bodies go.
//
// The row of an open contact looks straight along its normal from its configuration on. Bodies that are about to pass
// each other, edge by edge or off the end of a face, would be held by it though they never touch. Where such a row
// would act, the bodies are moved on by the free velocity to the next evaluation point. If they are apart there, the
// row is taken from there: with n, g and the points of that place, n.(U - U_free) h + g >= 0. Bodies that move by more
// than half of their thickness could be through by then: their rows stay.
#include "cairn/assembly/contact_stage.h"
#include "cairn/assembly/form_problem.h"
#include "cairn/collision/mesh_pairs.h"
#include "cairn/collision/narrow_phase.h"

#include <Eigen/LU>
#include <algorithm>

namespace cairn {

bool ContactStage::acts(const ContactPlace& at, const Constraint& c) const {
  // Nearer than this they touch: resting bodies are not looked at.
  return c.gap > 1e-6 * larger_size(at.system, point(c)) && c.gap + at.h * c.U_free[0] < 0;
}

void ContactStage::look_ahead(const ContactPlace& at) {
  const System& system = at.system;
  bool moved = false;
  for (std::size_t i = 0; i < contacts_.size();) {
    // The rows of one pair follow each other.
    const int a = point(contacts_[i]).a, b = point(contacts_[i]).b;
    std::size_t end = i;
    bool active = false;
    for (; end < contacts_.size(); ++end) {
      const ContactPoint& other = point(contacts_[end]);
      if (other.a != a || other.b != b) break;
      active |= acts(at, contacts_[end]);
    }
    const double thickness =
        system.collider_thickness[static_cast<std::size_t>(a)] + system.collider_thickness[static_cast<std::size_t>(b)];
    const bool looks = active && !(found_.margin(a) + found_.margin(b) > 0.5 * thickness);
    if (looks && !moved) {
      q_later_.resize(system.bodies.nq());
      system.bodies.advance(at.q, at.free.u_free, at.h, q_later_, at.threads);
      ahead_.assign(contacts_.begin(), contacts_.begin() + static_cast<std::ptrdiff_t>(i));
      moved = true;
    }
    if (looks) {
      look_at_pair(at, i, end);
    } else if (moved) {
      ahead_.insert(ahead_.end(), contacts_.begin() + static_cast<std::ptrdiff_t>(i),
                    contacts_.begin() + static_cast<std::ptrdiff_t>(end));
    }
    i = end;
  }
  if (moved) contacts_.swap(ahead_);
}

void ContactStage::look_at_pair(const ContactPlace& at, std::size_t begin, std::size_t end) {
  const System& system = at.system;
  const ContactPoint pair = point(contacts_[begin]);
  const Collider& a = system.colliders[static_cast<std::size_t>(pair.a)];
  const Collider& b = system.colliders[static_cast<std::size_t>(pair.b)];
  const Placement later_a = system.bodies.placement(a.body, q_later_);
  const Placement later_b = system.bodies.placement(b.body, q_later_);
  later_.clear();
  collide(a.shape, later_a, b.shape, later_b, found_.margin(pair.a) + found_.margin(pair.b), later_);

  // Rows that do not act stay, and those of bodies that overlap then. What is not convex may overlap elsewhere: there
  // only overlaps near the row count.
  const bool convex = !has_surface(a.shape) && !has_surface(b.shape);
  bool dropped = false, kept = false;
  for (std::size_t i = begin; i < end; ++i) {
    const Constraint& c = contacts_[i];
    const double near = 2 * at.h * c.U_free.norm() + c.gap;
    const bool needed = !acts(at, c) || std::any_of(later_.begin(), later_.end(), [&](const ContactPoint& o) {
      return o.gap <= 0 && (convex || (o.point - c.point_a).squaredNorm() <= near * near);
    });
    (needed ? kept : dropped) = true;
    if (needed) ahead_.push_back(c);
  }
  if (!dropped || kept) return;

  // Rows from there, carried back with the bodies.
  const auto carry_back = [&](const Placement& later, int collider, const Vec3& x) {
    return found_.placement(collider).apply(later.A.partialPivLu().solve(x - later.c));
  };
  for (const ContactPoint& o : later_) {
    Constraint c = contacts_[end - 1];
    c.point_a = carry_back(later_a, pair.a, o.point + 0.5 * o.gap * o.normal);
    c.point_b = carry_back(later_b, pair.b, o.point - 0.5 * o.gap * o.normal);
    c.frame = contact_frame(o.normal);
    c.source = static_cast<int>(found_.points().size());
    compute_local_velocities(system.bodies, at.q, at.u_begin, at.free, std::span(&c, 1), {});
    c.friction = c.contact->friction_at(c.U_begin.tail<2>().norm());
    c.gap = o.gap - at.h * c.U_free[0];
    if (!(c.gap > 0)) continue;
    found_.points().push_back(o);
    found_.points().back().a = pair.a;
    found_.points().back().b = pair.b;
    match_.push_back(-1);
    ahead_.push_back(c);
  }
}

}  // namespace cairn
