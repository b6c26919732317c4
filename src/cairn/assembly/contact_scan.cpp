// SPDX-License-Identifier: Apache-2.0
// Finding and choosing contacts: see the header for the rule.
#include "cairn/assembly/contact_scan.h"

#include "cairn/assembly/contact_blocks.h"
#include "cairn/problem/pair_problem.h"

#include <algorithm>
#include <cmath>

namespace cairn {

void ContactScan::find(const System& system, const VecX& q, const VecX& u, double h, double reach, Threads threads) {
  const std::size_t n = system.colliders.size();
  placements_.resize(n);
  margins_.resize(n);
  const double gravity = system.gravity.norm() * h * h;
  parallel_chunks(threads, n, 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const int body = system.colliders[i].body;
      placements_[i] = system.bodies.placement(body, q);
      const double radius = system.collider_radius[i];
      const double speed = system.bodies.speed_bound(body, q, u, radius);
      margins_[i] = h * speed + (system.colliders[i].mobile ? gravity + reach + 1e-4 * radius : 0);
    }
  });
  manager_.find_contacts(system.colliders, placements_, margins_, system.filter, threads, points_);
}

void ContactScan::merge_points(const System& system) {
  // One point per pair and normal, where the resultant of an even pressure acts.
  std::vector<ContactPoint> merged;
  std::vector<double> areas;
  for (const ContactPoint& p : points_) {
    // Points of one pair follow each other; a face has few normals.
    std::size_t k = merged.size();
    for (std::size_t j = merged.size(); j-- > 0 && merged[j].a == p.a && merged[j].b == p.b;)
      if (merged[j].normal.dot(p.normal) > 0.999) k = j;
    const double area = p.weight > 0 ? p.weight : 1e-30;
    if (k == merged.size()) {
      merged.push_back(p);
      merged.back().point *= area;
      areas.push_back(area);
      continue;
    }
    merged[k].point += area * p.point;
    merged[k].gap = std::min(merged[k].gap, p.gap);
    areas[k] += area;
  }
  // Bricks laid corner to corner touch along edges too: what has no area there carries nothing. Round shapes have none.
  points_.clear();
  for (std::size_t k = 0; k < merged.size(); ++k) {
    ContactPoint& p = merged[k];
    const double a = system.collider_radius[static_cast<std::size_t>(p.a)];
    const double b = system.collider_radius[static_cast<std::size_t>(p.b)];
    const double size = a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
    const auto is_round = [](std::uint32_t feature) { return (feature >> 28) == 0; };
    if (areas[k] < 0.01 * size * size && !is_round(p.feature_a) && !is_round(p.feature_b)) continue;
    p.point /= areas[k];
    points_.push_back(p);
  }
}

Vec3 ContactScan::grain_direction(const System& system, const ContactLaw& law, std::size_t a, std::size_t b) const {
  const MaterialId material_a = system.collider_material[a], material_b = system.collider_material[b];
  if (system.materials.names_first(material_a, material_b)) return placements_[a].A * law.direction;
  if (system.materials.names_first(material_b, material_a)) return placements_[b].A * law.direction;
  return law.direction;
}

void ContactScan::choose(const ScanRules& rules, const System& system, const VecX& q, const VecX& u,
                         const WarmStart& warm, Threads threads) {
  contacts_.clear();
  if (rules.single_point) merge_points(system);
  match_contacts(warm.contacts, points_, match_, taken_);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactPoint& p = points_[i];
    const std::size_t a = static_cast<std::size_t>(p.a), b = static_cast<std::size_t>(p.b);
    Constraint c;
    c.body_a = system.colliders[a].body;
    c.body_b = system.colliders[b].body;
    if (!system.bodies.can_move(c.body_a) && !system.bodies.can_move(c.body_b)) continue;
    // Detection adds both margins; what matters is that one of the two is stopped while the other comes on.
    if (p.gap > std::max(margins_[a], margins_[b])) continue;
    const ContactLaw& law = system.materials.pair(system.collider_material[a], system.collider_material[b]);
    c.was_closed = match_[i] >= 0 && !warm.contacts[static_cast<std::size_t>(match_[i])].impulse.isZero(0);
    const bool waits = !rules.all && (!rules.predicted || (law.restitution > 0 && !c.was_closed));
    if (p.gap > 0 && waits) continue;
    c.point_a = c.point_b = p.point;
    c.frame = law.kind == LawKind::Orthotropic ? contact_frame_along(p.normal, grain_direction(system, law, a, b))
                                               : contact_frame(p.normal);
    c.restitution = law.restitution;
    c.contact = &law;
    c.gap = p.gap;
    c.source = static_cast<int>(i);
    contacts_.push_back(c);
  }
  FreeMotion free;
  free.u_free = u;
  compute_local_velocities(system.bodies, q, u, free, contacts_, threads);
  for (Constraint& c : contacts_) c.friction = c.contact->friction_at(c.U_begin.tail<2>().norm());
}

double ContactScan::clean_gap(const System& system, const Constraint& c) const {
  const ContactPoint& p = points_[static_cast<std::size_t>(c.source)];
  const double a = system.collider_radius[static_cast<std::size_t>(p.a)];
  const double b = system.collider_radius[static_cast<std::size_t>(p.b)];
  const double noise = 5e-10 * (a > 0 && b > 0 ? std::min(a, b) : std::max(a, b));
  return c.gap > noise ? c.gap - noise : c.gap < -noise ? c.gap + noise : 0;
}

void ContactScan::make_blocks(double h, std::vector<RowBlock>& blocks) const {
  blocks.clear();
  for (const Constraint& c : contacts_) {
    RowBlock& block = blocks.emplace_back(make_block(c, h));
    if (block.law.kind == LawKind::Coulomb && block.law.mu == 0) {
      block.law.kind = LawKind::Frictionless;
      block.rows = law_rows(LawKind::Frictionless);
    }
  }
}

Vec3 ContactScan::warm_impulse(const Constraint& c, const WarmStart& warm) const {
  const int m = match_[static_cast<std::size_t>(c.source)];
  if (m < 0) return Vec3::Zero();
  return project_on_cone(c.frame * warm.contacts[static_cast<std::size_t>(m)].impulse, c.friction);
}

void ContactScan::keep(std::span<const Vec3> r, WarmStart& warm) const {
  warm.contacts.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const ContactPoint& p = points_[static_cast<std::size_t>(contacts_[i].source)];
    warm.contacts[i] = {p.a, p.b, p.point, contacts_[i].frame.transpose() * r[i], p.feature_a, p.feature_b, 0};
  }
  warm.begun = true;
}

void ContactScan::results(std::span<const RowBlock> blocks, std::span<const Vec3> r,
                          std::vector<ContactResult>& out) const {
  out.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Constraint& c = contacts_[i];
    out[i] = {c.body_a,
              c.body_b,
              c.point_a,
              c.frame.row(0),
              c.frame.transpose() * r[i],
              c.gap,
              ContactState::Open,
              c.friction,
              points_[static_cast<std::size_t>(c.source)].weight};
    double t = std::hypot(r[i][1], r[i][2]), limit = c.friction * r[i][0];
    if (c.contact->kind == LawKind::Tresca) limit = blocks[i].law.limit;
    if (c.contact->kind == LawKind::Orthotropic)
      t = std::hypot(r[i][1], c.contact->friction_2 > 0 ? r[i][2] * c.friction / c.contact->friction_2 : 0);
    // On the edge of the set to rounding means sliding (or about to).
    if (r[i][0] > 0) out[i].state = t < limit * (1 - 1e-9) ? ContactState::Stick : ContactState::Slip;
  }
}

double ContactScan::penetration() const {
  double deepest = 0;
  for (const Constraint& c : contacts_) deepest = std::max(deepest, -c.gap);
  return deepest;
}

void account_contacts(const System& system, const VecX& q, const VecX& u_begin, std::span<const RowBlock> blocks,
                      int first_row, const VecX& r, const VecX& U, Work& work, std::vector<Vec3>& impulses) {
  impulses.assign(blocks.size(), Vec3::Zero());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const RowBlock& block = blocks[i];
    const RowVector U_begin = row_velocity(system.bodies, q, u_begin, block);
    RowVector impulse = RowVector::Zero();
    for (int l = 0; l < block.rows; ++l, ++first_row) {
      impulse[l] = r[first_row];
      const double U_end = U[first_row] - block.shift[l] - block.compliance[l] * impulse[l];
      (l == 0 ? work.contact : work.friction) += 0.5 * (U_begin[l] + U_end) * impulse[l];
    }
    impulses[i] = impulse.head<3>();
    // Impulses on a driven body come from its drive: the moving bodies receive them on top of the relative work.
    for (int k = 0; k < block.side_count; ++k) {
      const RowSide& side = block.sides[static_cast<std::size_t>(k)];
      if (system.bodies.slot(side.body).mobility != BodyMobility::Prescribed) continue;
      const Vec3 force = side.linear.transpose() * impulse, torque = side.angular.transpose() * impulse;
      work.drive -= force.dot(system.bodies.point_velocity(side.body, q, u_begin, side.point)) +
                    torque.dot(system.bodies.spin(side.body, q, u_begin));
    }
  }
}

void check_scan(std::string_view stepper, const System& system) {
  if (!system.remote_actions.empty())
    throw Error("stepper '{}' knows no remote action (blows that pass through bodies); use moreau or koziara", stepper);
  const Materials& materials = system.materials;
  for (int a = 0; a < materials.size(); ++a)
    for (int b = a; b < materials.size(); ++b) {
      const ContactLaw& law = materials.pair({a}, {b});
      if (law.cohesion > 0 || law.adhesion > 0)
        throw Error("contact of '{}' with '{}': stepper '{}' knows no cohesion or adhesion; use moreau or koziara",
                    materials[{a}].name, materials[{b}].name, stepper);
    }
}

}  // namespace cairn
