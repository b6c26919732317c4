// SPDX-License-Identifier: Apache-2.0
// The constraints of a midpoint step: which contacts take part, their rows and what their laws ask of them.
#include "cairn/assembly/contact_blocks.h"
#include "cairn/collision/mesh_pairs.h"
#include "cairn/collision/narrow_phase.h"
#include "cairn/steppers/midpoint.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// Gaps below this are rounding and solver noise [m].
double gap_noise(const MidpointRules& rules, const System& system, const ContactPoint& p) {
  const double radius_a = system.collider_radius[static_cast<std::size_t>(p.a)];
  const double radius_b = system.collider_radius[static_cast<std::size_t>(p.b)];
  const double size = radius_a > 0 && radius_b > 0 ? std::min(radius_a, radius_b) : std::max(radius_a, radius_b);
  return rules.gap_tolerance * size;
}

/// What a contact asks of U_N at the end of the step: U_E + shift >= 0. Gaps below `noise` count as none; overlaps are
/// pushed out no faster than `fastest`.
double normal_shift(const MidpointRules& rules, const Constraint& c, double noise, double h, double fastest) {
  const double U_begin = c.U_begin[0], e = c.restitution;
  switch (rules.gap) {
    case GapRule::Newton: {
      if (c.gap > 0) return std::max(0.0, c.gap - noise) / h;
      const bool held = rules.hold_closed && c.was_closed;
      const double restitution = rules.impacts == ImpactRule::Simultaneous && !held ? e : 0;
      // Without a limit on recovery a blow would be given more than its restitution.
      if (std::isinf(rules.push_limit) && restitution > 0 && U_begin < 0 && !c.was_closed) return restitution * U_begin;
      // Recovery may not throw bodies: it is no faster than gravity could pull them in.
      const double push = std::min(rules.recovery * std::max(0.0, -c.gap - noise) / h, fastest);
      return std::min(restitution * std::min(0.0, U_begin), -push);
    }
    case GapRule::Linearised: {
      const double gap = c.gap + rules.slack;
      return (gap > 0 ? gap : rules.recovery * gap) / h;
    }
    case GapRule::Weighted:  // of a contact that lasts; a blow without restitution is U_E >= 0
      return c.was_closed ? (1 - rules.weight) / rules.weight * U_begin : 0;
    case GapRule::PaoliSchatzman: return (1 + e) * c.gap / h - e * U_begin;
    case GapRule::End: return (c.gap + rules.slack) / (rules.theta * h);
  }
  return 0;
}

}  // namespace

void MidpointStep::form_constraints(const MidpointRules& rules, const System& system, const Motion& motion, double h,
                                    Threads threads, const WarmStart& warm) {
  const Bodies& bodies = system.bodies;
  constraints_.clear();
  if (general_) {
    joints_.form({rules.joints, rules.activation == Activation::Predicted, system, motion, q_mid_, u_begin_, free_, h,
                  warm, rules.evaluation_place(), rules.theta, rules.hold_closed,
                  rules.activation == Activation::Closed ? rules.gap_tolerance : 0});
  } else {
    for (std::size_t j = 0; j < system.joints.size(); ++j) {
      Constraint c = make_constraint(system.joints[j], bodies, q_mid_);
      c.source = static_cast<int>(j);
      constraints_.push_back(c);
    }
  }
  joint_count_ = constraints_.size();
  match_contacts(warm.contacts, points_, match_, taken_);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactPoint& p = points_[i];
    const std::size_t a = static_cast<std::size_t>(p.a), b = static_cast<std::size_t>(p.b);
    Constraint c;
    c.body_a = system.colliders[a].body;
    c.body_b = system.colliders[b].body;
    if (!bodies.can_move(c.body_a) && !bodies.can_move(c.body_b)) continue;
    const ContactLaw& law = system.materials.pair(system.collider_material[a], system.collider_material[b]);
    // An open contact takes part when it would close before the next detection. With restitution that would swallow
    // the bounce, so a new contact waits until it is closed; one that carried a force is treated as resting.
    const bool was_closed = match_[i] >= 0 && !warm.contacts[static_cast<std::size_t>(match_[i])].impulse.isZero(0);
    if (warm.begun) {
      c.cohesion = match_[i] >= 0 ? warm.contacts[static_cast<std::size_t>(match_[i])].cohesion : 0;
    } else {
      c.cohesion = law.cohesion;
    }
    c.holding = c.cohesion + (p.gap <= 0 || was_closed ? law.adhesion : 0);
    double gap = p.gap;
    if (rules.activation == Activation::Closed &&
        ((rules.hold_closed && was_closed) || gap <= gap_noise(rules, system, p)))
      gap = std::min(gap, 0.0);
    const bool waits = rules.gap == GapRule::Weighted ||
                       (rules.gap == GapRule::Newton &&
                        (rules.activation == Activation::Closed || (law.restitution > 0 && !was_closed)));
    if (gap > rules.slack && c.holding == 0 && waits) continue;
    if (gap > rules.reach) continue;
    // Detection adds both margins; what matters is that one of the two is stopped while the other comes on.
    if (p.gap > std::max(margins_[a], margins_[b])) continue;
    c.point_a = c.point_b = p.point;
    c.frame = law.kind == LawKind::Orthotropic ? contact_frame_along(p.normal, grain_direction(system, law, a, b))
                                               : contact_frame(p.normal);
    c.friction = law.friction;
    c.restitution = law.restitution;
    c.contact = &law;
    c.was_closed = was_closed;
    c.gap = gap;
    c.source = static_cast<int>(i);
    constraints_.push_back(c);
  }
  compute_local_velocities(bodies, q_mid_, u_begin_, free_, constraints_, threads);

  if (rules.gap == GapRule::Newton) look_ahead(system, h, threads);
  const double fastest_push =
      std::isinf(rules.push_limit) ? rules.push_limit : rules.push_limit * system.gravity.norm() * h;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    Constraint& c = constraints_[i];
    if (i < joint_count_) {
      Vec3 rate_begin = Vec3::Zero(), g_begin = Vec3::Zero();
      if (rules.joints.looks_back()) {
        const Constraint begin = make_constraint(system.joints[i], bodies, motion.q);
        g_begin = begin.point_a - begin.point_b;
        const auto velocity = [&](int body, const Vec3& x) -> Vec3 {
          return body < 0 ? Vec3::Zero() : bodies.point_velocity(body, motion.q, u_begin_, x);
        };
        rate_begin = velocity(c.body_a, begin.point_a) - velocity(c.body_b, begin.point_b);
      }
      c.shift = joint_shift<Vec3>(rules.joints, c.U_begin, rate_begin, Vec3::Zero(), g_begin, c.point_a - c.point_b, h);
      continue;
    }
    // Gaps of resting contacts are rounding and solver noise. Below gap_tolerance they count as zero: otherwise noise
    // decides which of several redundant contacts carries the load, and the forces change from step to step.
    const double noise = gap_noise(rules, system, points_[static_cast<std::size_t>(c.source)]);
    c.shift[0] =
        c.contact->stiffness > 0 ? 0 : normal_shift(rules, c, noise, h, fastest_push);  // yield_contacts() knows
    // A blow: newly closed and approaching.
    if (c.contact->stiffness == 0 && c.gap <= 0 && c.contact->tangential_restitution != 0 && !c.was_closed &&
        c.U_begin[0] < 0)
      c.shift.tail<2>() = c.contact->tangential_restitution * c.U_begin.tail<2>();
    c.friction = c.contact->friction_at(c.U_begin.tail<2>().norm());
  }
  if (rules.impacts == ImpactRule::Simultaneous)
    for (const RemoteAction& action : system.remote_actions) pass_on(action);
}

void MidpointStep::pass_on(const RemoteAction& action) {
  // Of several contacts of a pair the one that approaches fastest stands for it.
  const auto n = static_cast<Eigen::Index>(action.pairs.size());
  std::vector<std::size_t> contact(action.pairs.size(), constraints_.size());
  VecX approach = VecX::Zero(n);
  for (std::size_t k = 0; k < action.pairs.size(); ++k) {
    const auto [a, b] = action.pairs[k];
    for (std::size_t i = joint_count_; i < constraints_.size(); ++i) {
      const Constraint& c = constraints_[i];
      const bool of_pair = (c.body_a == a && c.body_b == b) || (c.body_a == b && c.body_b == a);
      double& fastest = approach[static_cast<Eigen::Index>(k)];
      if (!of_pair || c.gap > 0) continue;
      if (contact[k] == constraints_.size() || c.U_begin[0] < fastest) contact[k] = i;
      fastest = std::min(fastest, c.U_begin[0]);
    }
  }
  if (!(approach.minCoeff() < 0)) return;
  const VecX wanted = action.restitution * approach;
  for (std::size_t k = 0; k < action.pairs.size(); ++k)
    if (contact[k] < constraints_.size()) constraints_[contact[k]].shift[0] = wanted[static_cast<Eigen::Index>(k)];
}

Vec3 MidpointStep::grain_direction(const System& system, const ContactLaw& law, std::size_t a, std::size_t b) const {
  const MaterialId material_a = system.collider_material[a], material_b = system.collider_material[b];
  if (system.materials.names_first(material_a, material_b)) return placements_[a].A * law.direction;
  if (system.materials.names_first(material_b, material_a)) return placements_[b].A * law.direction;
  return law.direction;
}

void MidpointStep::look_ahead(const System& system, double h, Threads threads) {
  // The row of an open contact looks straight along its normal from mid-step on. Bodies that are about to pass each
  // other, edge by edge or off the end of a face, would be held by it though they never touch. Where such a row would
  // act, the bodies are moved on by the free velocity to the next mid-step. If they are apart there, the row is taken
  // from there: with n, g and the points of that place, n.(U - U_free) h + g >= 0. Bodies that move by more than half
  // of their thickness could be through by then: their rows stay.
  const Bodies& bodies = system.bodies;
  const auto acts = [&](const Constraint& c) {
    const ContactPoint& p = points_[static_cast<std::size_t>(c.source)];
    const double size = std::max(system.collider_radius[static_cast<std::size_t>(p.a)],
                                 system.collider_radius[static_cast<std::size_t>(p.b)]);
    return c.gap > 1e-6 * size && c.gap + h * c.U_free[0] < 0;  // nearer they touch: resting bodies are not looked at
  };
  bool moved = false;
  ahead_.clear();
  for (std::size_t i = joint_count_; i < constraints_.size();) {
    // The rows of one pair follow each other.
    const ContactPoint pair = points_[static_cast<std::size_t>(constraints_[i].source)];
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    std::size_t end = i;
    bool look = false;
    for (; end < constraints_.size(); ++end) {
      const ContactPoint& other = points_[static_cast<std::size_t>(constraints_[end].source)];
      if (other.a != pair.a || other.b != pair.b) break;
      look |= acts(constraints_[end]);
    }
    const double reach = margins_[a] + margins_[b];
    if (!look || reach > 0.5 * (system.collider_thickness[a] + system.collider_thickness[b])) {
      ahead_.insert(ahead_.end(), constraints_.begin() + static_cast<std::ptrdiff_t>(i),
                    constraints_.begin() + static_cast<std::ptrdiff_t>(end));
      i = end;
      continue;
    }
    if (!moved) {
      q_later_.resize(bodies.nq());
      bodies.advance(q_mid_, free_.u_free, h, q_later_, threads);
      moved = true;
    }
    const int body_a = system.colliders[a].body, body_b = system.colliders[b].body;
    const Placement later_a = bodies.placement(body_a, q_later_), later_b = bodies.placement(body_b, q_later_);
    later_.clear();
    collide(system.colliders[a].shape, later_a, system.colliders[b].shape, later_b, reach, later_);
    // What is not convex may overlap elsewhere: there only overlaps near the row count.
    const bool hollow = has_surface(system.colliders[a].shape) || has_surface(system.colliders[b].shape);
    bool dropped = false, kept = false;
    for (; i < end; ++i) {
      const Constraint& c = constraints_[i];
      const double near = 2 * h * c.U_free.norm() + c.gap;
      const bool needed = !acts(c) || std::any_of(later_.begin(), later_.end(), [&](const ContactPoint& o) {
        return o.gap <= 0 && (!hollow || (o.point - c.point_a).squaredNorm() <= near * near);
      });
      (needed ? kept : dropped) = true;
      if (needed) ahead_.push_back(c);
    }
    if (!dropped || kept) continue;
    for (const ContactPoint& o : later_) {
      Constraint c = constraints_[end - 1];
      const auto carry_back = [&](const Placement& later, std::size_t collider, const Vec3& x) {
        return placements_[collider].apply(later.A.partialPivLu().solve(x - later.c));
      };
      c.point_a = carry_back(later_a, a, o.point + 0.5 * o.gap * o.normal);
      c.point_b = carry_back(later_b, b, o.point - 0.5 * o.gap * o.normal);
      c.frame = contact_frame(o.normal);
      c.source = static_cast<int>(points_.size());
      compute_local_velocities(bodies, q_mid_, u_begin_, free_, std::span(&c, 1), {});
      c.gap = o.gap - h * c.U_free[0];
      if (!(c.gap > 0)) continue;
      points_.push_back(o);
      points_.back().a = pair.a;
      points_.back().b = pair.b;
      match_.push_back(-1);
      ahead_.push_back(c);
    }
  }
  constraints_.resize(joint_count_);
  constraints_.insert(constraints_.end(), ahead_.begin(), ahead_.end());
}

}  // namespace cairn
