// SPDX-License-Identifier: Apache-2.0
// Choosing contacts and their rows, and what is kept and told of them: see the header.
#include "cairn/assembly/contact_stage.h"

#include "cairn/assembly/contact_blocks.h"
#include "cairn/assembly/form_problem.h"
#include "cairn/assembly/merge_contacts.h"
#include "cairn/collision/reduce_contacts.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// The principal direction of an orthotropic law: of the material that the law names first.
Vec3 principal_direction(const System& system, const ContactLaw& law, const ContactPoint& p, const Detection& found) {
  const MaterialId a = system.collider_material[static_cast<std::size_t>(p.a)];
  const MaterialId b = system.collider_material[static_cast<std::size_t>(p.b)];
  if (system.materials.names_first(a, b)) return found.placement(p.a).A * law.direction;
  if (system.materials.names_first(b, a)) return found.placement(p.b).A * law.direction;
  return law.direction;
}

}  // namespace

bool make_contact(const System& system, const Detection& found, std::size_t point, Constraint& c) {
  const ContactPoint& p = found.points()[point];
  c.body_a = system.colliders[static_cast<std::size_t>(p.a)].body;
  c.body_b = system.colliders[static_cast<std::size_t>(p.b)].body;
  if (!system.bodies.can_move(c.body_a) && !system.bodies.can_move(c.body_b)) return false;
  const ContactLaw& law = contact_law(system, p);
  c.point_a = c.point_b = p.point;
  c.frame = law.kind == LawKind::Orthotropic ? contact_frame_along(p.normal, principal_direction(system, law, p, found))
                                             : contact_frame(p.normal);
  c.contact = &law;
  c.friction = law.friction;
  c.restitution = law.restitution;
  c.gap = p.gap;
  c.source = static_cast<int>(point);
  return true;
}

LawId contact_id(const ContactPoint& p) {
  return {LawOwner::Contact, LawFacet::Normal, p.a, p.b, p.feature_a, p.feature_b};
}

ContactState contact_state(const Constraint& c, const Vec3& r, double holding, double h) {
  const ConstraintLaw law = law_of_step(*c.contact, c.friction, c.gap <= 0 || c.was_closed, h);
  const double normal = r[0] + holding;
  if (!(normal > 0)) return ContactState::Open;
  const double limit = law.kind == LawKind::Tresca ? law.limit : law.mu * normal;
  const double t = law.kind == LawKind::Orthotropic ? std::hypot(r[1], law.mu_2 > 0 ? r[2] * law.mu / law.mu_2 : 0)
                                                    : std::hypot(r[1], r[2]);
  // On the edge of the set to rounding means sliding (or about to).
  return t < limit * (1 - 1e-9) ? ContactState::Stick : ContactState::Slip;
}

double ContactStage::detect(const ContactRules& rules, const System& system, const VecX& q, const VecX& u, double h,
                            double reach, Threads threads) {
  contacts_.clear();
  found_.find(system, q, u, h, reach, threads);
  double lever = 0;
  if (rules.single_point) merge_contacts(system, found_.points());
  if (rules.contact_points > 0) lever = reduce_contacts(rules.contact_points, found_.points()).lever;
  detected_ = found_.points().size();
  return lever;
}

bool ContactStage::takes_part(const ContactRules& rules, const ContactPlace& at, std::size_t point,
                              Constraint& c) const {
  const ContactPoint& p = found_.points()[point];
  const ContactLaw& law = *c.contact;
  const KeptContact* kept = match_[point] >= 0 ? &at.warm.contacts[static_cast<std::size_t>(match_[point])] : nullptr;
  c.was_closed = kept && !kept->impulse.isZero(0);
  // Cohesion is given to the contacts of the first step, and wears.
  c.cohesion = !at.warm.begun ? law.cohesion : kept ? kept->cohesion : 0;
  c.holding = c.cohesion + (p.gap <= 0 || c.was_closed ? law.adhesion : 0);
  if (rules.open == OpenContacts::None &&
      ((rules.hold_closed && c.was_closed) || c.gap <= rules.gap_tolerance * smaller_size(at.system, p)))
    c.gap = std::min(c.gap, 0.0);
  const bool waits = rules.open == OpenContacts::None ||
                     (rules.open == OpenContacts::Inelastic && law.restitution > 0 && !c.was_closed);
  if (c.gap > rules.slack && c.holding == 0 && waits) return false;
  if (c.gap > rules.reach) return false;
  // Detection adds both margins; what matters is that one of the two is stopped while the other approaches.
  return !(p.gap > std::max(found_.margin(p.a), found_.margin(p.b)));
}

void ContactStage::choose(const ContactRules& rules, const ContactPlace& at) {
  found_.points().resize(detected_);
  contacts_.clear();
  h_ = at.h;
  match_contacts(at.warm.contacts, found_.points(), match_, taken_);
  for (std::size_t i = 0; i < found_.points().size(); ++i) {
    Constraint c;
    if (make_contact(at.system, found_, i, c) && takes_part(rules, at, i, c)) contacts_.push_back(c);
  }
  compute_local_velocities(at.system.bodies, at.q, at.u_begin, at.free, contacts_, at.threads);
  for (Constraint& c : contacts_) c.friction = c.contact->friction_at(c.U_begin.tail<2>().norm());
}

void ContactStage::couple_impacts(const System& system) {
  for (const RemoteAction& action : system.remote_actions) {
    // Of several contacts of a pair the one that approaches fastest stands for it.
    std::vector<Constraint*> of_pair(action.pairs.size(), nullptr);
    VecX approach = VecX::Zero(static_cast<Eigen::Index>(action.pairs.size()));
    for (std::size_t k = 0; k < action.pairs.size(); ++k) {
      const auto [a, b] = action.pairs[k];
      double& fastest = approach[static_cast<Eigen::Index>(k)];
      for (Constraint& c : contacts_) {
        const bool fits = (c.body_a == a && c.body_b == b) || (c.body_a == b && c.body_b == a);
        if (!fits || c.gap > 0) continue;
        if (!of_pair[k] || c.U_begin[0] < fastest) of_pair[k] = &c;
        fastest = std::min(fastest, c.U_begin[0]);
      }
    }
    if (!(approach.minCoeff() < 0)) continue;
    const VecX wanted = action.restitution * approach;
    for (std::size_t k = 0; k < of_pair.size(); ++k)
      if (of_pair[k]) of_pair[k]->shift[0] = wanted[static_cast<Eigen::Index>(k)];
  }
}

double ContactStage::clean_gap(const System& system, const Constraint& c) const {
  const double noise = resting_noise * smaller_size(system, point(c));
  return c.gap > noise ? c.gap - noise : c.gap < -noise ? c.gap + noise : 0;
}

void ContactStage::make_blocks(double h, std::vector<RowBlock>& blocks) const {
  blocks.clear();
  for (const Constraint& c : contacts_) {
    RowBlock& block = blocks.emplace_back(make_block(c, h));
    if (block.law.kind == LawKind::Coulomb && block.law.mu == 0) {
      block.law.kind = LawKind::Frictionless;
      block.rows = law_rows(LawKind::Frictionless);
    }
  }
}

Vec3 ContactStage::warm_impulse(const Constraint& c, const WarmStart& warm) const {
  const int m = match_[static_cast<std::size_t>(c.source)];
  if (m < 0) return Vec3::Zero();
  return project_on_cone(c.frame * warm.contacts[static_cast<std::size_t>(m)].impulse, c.friction);
}

bool ContactStage::is_any_held() const {
  return std::any_of(contacts_.begin(), contacts_.end(), [](const Constraint& c) { return c.holding > 0; });
}

void ContactStage::report_depths(bool compliant, StepReport& report) const {
  report.contacts = static_cast<int>(contacts_.size());
  for (const Constraint& c : contacts_) {
    double& depth = compliant || c.contact->stiffness > 0 ? report.compression : report.penetration;
    depth = std::max(depth, -c.gap);
  }
}

void ContactStage::keep(std::span<const Vec3> r, WarmStart& warm) const {
  warm.contacts.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Constraint& c = contacts_[i];
    const ContactPoint& p = point(c);
    warm.contacts[i] = {p.a, p.b, p.point, c.frame.transpose() * r[i], p.feature_a, p.feature_b, c.cohesion};
  }
  warm.begun = true;
}

void ContactStage::results(std::span<const Vec3> r, std::span<const Vec3> impacts,
                           std::vector<ContactResult>& out) const {
  out.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Constraint& c = contacts_[i];
    const Vec3 impulse = impacts.empty() ? r[i] : Vec3(r[i] + impacts[i]);
    ContactResult& result = out[i];
    result.body_a = c.body_a;
    result.body_b = c.body_b;
    result.point = c.point_a;
    result.normal = c.frame.row(0);
    result.impulse = c.frame.transpose() * impulse;
    result.gap = c.gap;
    result.friction = c.friction;
    result.area = point(c).weight;
    result.state = contact_state(c, impulse, h_ * c.holding, h_);
  }
}

std::span<const ContactPoint> ContactStage::find_at_end(const System& system, const VecX& q_end, Threads threads) {
  end_.find_within(system, q_end, found_.margins(), threads);
  return end_.points();
}

void ContactStage::find_again(const System& system, const VecX& q_end, Threads threads,
                              std::vector<const ContactPoint*>& found) {
  const std::span<const ContactPoint> points = find_at_end(system, q_end, threads);
  now_.clear();
  for (const Constraint& c : contacts_) {
    const ContactPoint& p = point(c);
    now_.push_back({p.a, p.b, p.point, Vec3::Zero(), p.feature_a, p.feature_b, 0});
  }
  match_contacts(now_, points, end_match_, taken_);
  found.assign(contacts_.size(), nullptr);
  for (std::size_t k = 0; k < points.size(); ++k)
    if (end_match_[k] >= 0) found[static_cast<std::size_t>(end_match_[k])] = &points[k];
}

}  // namespace cairn
