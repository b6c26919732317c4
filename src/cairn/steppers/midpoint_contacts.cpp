// SPDX-License-Identifier: Apache-2.0
// The rows of a midpoint step: which contacts take part, and what their laws ask of them.
#include "cairn/steppers/midpoint.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// What a contact asks of U_N at the end of the step: U_E + shift >= 0. Gaps below `noise` count as none; overlaps are
/// pushed out no faster than `fastest`.
double normal_shift(const MidpointRules& rules, const Constraint& c, double noise, double h, double fastest) {
  const double U_begin = c.U_begin[0], e = c.restitution;
  switch (rules.gap) {
    case GapRule::Newton: {
      if (c.gap > 0) return std::max(0.0, c.gap - noise) / h;
      const bool held = rules.hold_closed && c.was_closed;
      const double restitution = rules.impacts == ImpactRule::Simultaneous && !held ? e : 0;
      // Without a limit on recovery an impact would be given more than its restitution.
      if (std::isinf(rules.push_limit) && restitution > 0 && U_begin < 0 && !c.was_closed) return restitution * U_begin;
      // Recovery may not throw bodies: it is no faster than gravity could pull them in.
      const double push = std::min(rules.recovery * std::max(0.0, -c.gap - noise) / h, fastest);
      return std::min(restitution * std::min(0.0, U_begin), -push);
    }
    case GapRule::Linearised: {
      const double gap = c.gap + rules.slack;
      return (gap > 0 ? gap : rules.recovery * gap) / h;
    }
    case GapRule::Weighted:  // of a contact that lasts; an impact without restitution is U_E >= 0
      return c.was_closed ? (1 - rules.weight) / rules.weight * U_begin : 0;
    case GapRule::PaoliSchatzman: return (1 + e) * c.gap / h - e * U_begin;
    case GapRule::End: return (c.gap + rules.slack) / (rules.theta * h);
  }
  return 0;
}

}  // namespace

ContactRules MidpointRules::contact_rules() const {
  const bool waits = gap == GapRule::Weighted || (gap == GapRule::Newton && activation == Activation::Closed);
  return {.open = waits                    ? OpenContacts::None
                  : gap == GapRule::Newton ? OpenContacts::Inelastic
                                           : OpenContacts::All,
          .hold_closed = hold_closed,
          .gap_tolerance = gap_tolerance,
          .slack = slack,
          .reach = reach,
          .contact_points = contact_points};
}

void MidpointStep::form_rows(const Call& call) {
  const MidpointRules& rules = call.rules;
  const ContactPlace place{call.system, q_mid_, u_begin_, free_, call.h, call.warm, call.threads};
  form_->form_joints(joint_context(call));
  contacts_.choose(rules.contact_rules(), place);
  if (rules.gap == GapRule::Newton) contacts_.look_ahead(place);
  shift_contacts(call);
  if (rules.impacts == ImpactRule::Simultaneous) contacts_.couple_impacts(call.system);
}

void MidpointStep::shift_contacts(const Call& call) {
  const MidpointRules& rules = call.rules;
  const double fastest_push =
      std::isinf(rules.push_limit) ? rules.push_limit : rules.push_limit * call.system.gravity.norm() * call.h;
  for (Constraint& c : contacts_.contacts()) {
    if (c.contact->stiffness > 0) continue;  // its shift goes with its compliance
    // Gaps of resting contacts are rounding and solver noise. Below gap_tolerance they count as zero: otherwise noise
    // decides which of several redundant contacts carries the load, and the forces change from step to step.
    const double noise = rules.gap_tolerance * smaller_size(call.system, contacts_.point(c));
    c.shift[0] = normal_shift(rules, c, noise, call.h, fastest_push);
    // An impact: newly closed and approaching.
    if (c.gap <= 0 && c.contact->tangential_restitution != 0 && !c.was_closed && c.U_begin[0] < 0)
      c.shift.tail<2>() = c.contact->tangential_restitution * c.U_begin.tail<2>();
  }
}

}  // namespace cairn
