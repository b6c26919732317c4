// SPDX-License-Identifier: Apache-2.0
// The loop of event-driven integration: smooth motion up to the next event. See the header.
#include "cairn/steppers/event_driven.h"

#include "cairn/assembly/joint_step.h"
#include "cairn/assembly/step_accounts.h"
#include "cairn/base/stopwatch.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr int work_kinds = 4;
constexpr double still = 1e-9;  // velocities below this are zero [m/s]

[[noreturn]] void refuse(const std::string& what) {
  throw Error("stepper 'event-driven': {}; use moreau or augmented", what);
}

/// Root of f in (0, 1], f(0) >= 0 > f(1): regula falsi after Illinois, closed by bisection.
template <class F>
double find_root(F&& f, double at_begin, double at_end) {
  double a = 0, b = 1, fa = at_begin, fb = at_end;
  int side = 0;
  for (int i = 0; i < 100 && b - a > 1e-15; ++i) {
    double c = fa > fb ? (a * fb - b * fa) / (fb - fa) : 0.5 * (a + b);
    if (!(c > a && c < b) || i % 8 == 7) c = 0.5 * (a + b);
    const double fc = f(c);
    if (fc == 0) return c;
    if (fc > 0) {
      a = c, fa = fc;
      if (side == 1) fb /= 2;
      side = 1;
    } else {
      b = c, fb = fc;
      if (side == -1) fa /= 2;
      side = -1;
    }
  }
  return b;
}

}  // namespace

void EventDriven::check(const System& system, const Motion& motion, double h) const {
  check_step_length(h);
  require_plain(system, name());
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    const std::string_view kind = joint_info(joint.kind).name;
    if (std::isfinite(joint.stiffness)) refuse(fmt::format("joint {} ({}) is soft; take a bushing", j, kind));
    if (std::isfinite(joint.break_force) || std::isfinite(joint.break_torque))
      refuse(fmt::format("joint {} ({}) may break", j, kind));
  }
  for (std::size_t l = 0; l < system.coordinate_laws.size(); ++l)
    if (const auto kind = system.coordinate_laws[l].kind;
        kind == CoordinateLawKind::Motor || kind == CoordinateLawKind::Servo || kind == CoordinateLawKind::Clutch)
      refuse(fmt::format("law {} on a coordinate is a {}", l,
                         kind == CoordinateLawKind::Motor    ? "motor"
                         : kind == CoordinateLawKind::Clutch ? "clutch"
                                                             : "servo"));
  for (std::size_t l = 0; l < system.coordinate_laws.size(); ++l)
    if (system.coordinate_laws[l].own_force)
      refuse(fmt::format("friction {} on a coordinate depends on time, place or speed", l));
  if (!system.remote_actions.empty()) refuse("blows pass through bodies (remote action)");
  const auto require = [](const ContactLaw& law) {
    if (law.kind != LawKind::Coulomb && law.kind != LawKind::Frictionless)
      refuse(fmt::format("contacts have the law {}; it knows coulomb and frictionless", law_name(law.kind)));
    if (law.cohesion != 0 || law.adhesion != 0) refuse("contacts have cohesion or adhesion");
  };
  for (const MaterialId a : system.collider_material)
    for (const MaterialId b : system.collider_material) require(system.materials.pair(a, b));
  constexpr double later = 0.1234;  // any other time
  for (const auto& contact : system.own_contacts) {
    require(contact->law());
    if (contact->gap(system.bodies, motion.q, 0) != contact->gap(system.bodies, motion.q, later))
      refuse("an own contact moves in time by itself");
  }
  for (const auto& joint : system.own_joints)
    if (joint->error(system.bodies, motion.q, 0) != joint->error(system.bodies, motion.q, later))
      refuse("an own joint moves in time by itself");
}

void EventDriven::unpack(const System& system, double t, const VecX& y, VecX& q, VecX& u) const {
  const Bodies& bodies = system.bodies;
  q = y.head(bodies.nq());
  u = y.segment(bodies.nq(), bodies.nu());
  bodies.normalise(q);
  bodies.prescribe(t, q, u);
}

void EventDriven::rate(const System& system, double t, const VecX& y, VecX& dy) {
  const Bodies& bodies = system.bodies;
  VecX q, u, dq;
  unpack(system, t, y, q, u);
  HeldForces forces;
  motion_.compute(system, t, q, u, s_, active_, forces);
  if (forces.status != BodyStatus::Ok) body_status_ = forces.status;
  bodies.rate_of_configuration(q, u, dq);
  dy.resize(y.size());
  dy.head(bodies.nq()) = dq;
  dy.segment(bodies.nq(), bodies.nu()) = forces.a;
  dy.tail<work_kinds>() = Eigen::Vector4d(forces.friction, forces.loads, forces.damping, forces.drive);
}

double EventDriven::margin(const Call& call, double t, const VecX& y, Event event, const LawId& law) {
  VecX q, u;
  unpack(call.system, t, y, q, u);
  if (event == Event::Closes) {
    RowSet set;
    motion_.gather(call.system, q, s_, t, call.reach, set);
    const Touch* touch = set.find(law);
    return touch ? touch->gap : call.reach;
  }
  HeldForces forces;
  motion_.compute(call.system, t, q, u, s_, active_, forces);
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (active_[i].law != law || !forces.active[i].found) continue;
    const Touch& touch = forces.active[i].touch;
    const RowVector& f = forces.active[i].force;
    const int rows = touch.block.rows;
    if (event == Event::Pulls) return f[0];
    if (touch.is_friction())
      return event == Event::Slides ? touch.limit - std::abs(f[0]) : touch.block.U_begin[0] * active_[i].way[0];
    const Eigen::Vector2d U(touch.block.U_begin[1], rows > 2 ? touch.block.U_begin[2] : 0);
    if (event == Event::Stops) return U.dot(active_[i].way);
    return touch.contact->friction_at(0) * f[0] - std::hypot(f[1], rows > 2 ? f[2] : 0);
  }
  return 1;
}

EventDriven::Found EventDriven::find_event(const Call& call, double t, const VecX& y, double h, const VecX& y_end) {
  VecX q, u, q_begin, u_begin;
  unpack(call.system, t, y, q_begin, u_begin);
  unpack(call.system, t + h, y_end, q, u);
  Found first;
  VecX trial;
  const DormandPrince::Rate f = [&](double time, const VecX& x, VecX& dx) { rate(call.system, time, x, dx); };
  const auto state_at = [&](double share) -> const VecX& {
    scheme_.step(f, t, y, share * h, settings_.tolerance, trial);
    return trial;
  };
  const auto consider = [&](Event event, const LawId& law, double end) {
    const auto at = [&](double share) { return margin(call, t + share * h, state_at(share), event, law); };
    const double begin = std::max(margin(call, t, y, event, law), 0.0);
    const double share = find_root(at, begin, end);
    if (first.event == Event::None || share < first.share) first = {event, law, share};
  };
  // Gaps: those below zero now, and those that were below zero on the way.
  RowSet set, before;
  motion_.gather(call.system, q, s_, t + h, call.reach, set);
  motion_.gather(call.system, q_begin, s_, t, call.reach, before);
  for (const Touch& touch : set.touches) {
    const bool held = std::any_of(active_.begin(), active_.end(), [&](const Active& a) { return a.law == touch.law; });
    if (touch.is_friction() || held) continue;
    const double U = row_velocity(call.system.bodies, q, u, touch.block)[0];
    if (touch.gap < 0 && U < 0) {
      consider(Event::Closes, touch.law, touch.gap);
      continue;
    }
    const Touch* earlier = before.find(touch.law);
    if (touch.gap < 0 || U <= 0 || !earlier) continue;
    if (row_velocity(call.system.bodies, q_begin, u_begin, earlier->block)[0] >= -still) continue;
    // It came near and went away: the nearest place decides.
    const auto speed = [&](double share) {
      VecX q_at, u_at;
      unpack(call.system, t + share * h, state_at(share), q_at, u_at);
      RowSet near;
      motion_.gather(call.system, q_at, s_, t + share * h, call.reach, near);
      const Touch* now = near.find(touch.law);
      return now ? -row_velocity(call.system.bodies, q_at, u_at, now->block)[0] : -1.0;
    };
    const double nearest = find_root(speed, 1, -U);
    const double gap = margin(call, t + nearest * h, state_at(nearest), Event::Closes, touch.law);
    if (gap >= 0) continue;
    const auto scaled = [&](double share) {
      return margin(call, t + share * nearest * h, state_at(share * nearest), Event::Closes, touch.law);
    };
    const double share = nearest * find_root(scaled, std::max(0.0, earlier->gap), gap);
    if (first.event == Event::None || share < first.share) first = {Event::Closes, touch.law, share};
  }
  // Forces and sliding speeds of what holds.
  HeldForces forces;
  motion_.compute(call.system, t + h, q, u, s_, active_, forces);
  double largest = 1e-9;
  for (const ActiveForce& force : forces.active) largest = std::max(largest, force.force.norm());
  for (const Active& law : std::vector<Active>(active_)) {
    const auto below = [&](Event event, double limit) {
      const double end = margin(call, t + h, y_end, event, law.law);
      if (end < limit) consider(event, law.law, end);
    };
    if (law.friction == Mode::Slip) below(Event::Stops, 0);
    if (law.shared) continue;
    if (law.law.facet == LawFacet::Normal) below(Event::Pulls, -1e-13 * largest);
    if (law.friction == Mode::Stick) below(Event::Slides, -1e-13 * largest);
  }
  return first;
}

double EventDriven::find_change(const Call& call, double t, const VecX& y, double h, const VecX& y_end) {
  const std::vector<Active> held = active_;
  const std::vector<LawMode> before = modes();
  const DormandPrince::Rate f = [&](double time, const VecX& x, VecX& dx) { rate(call.system, time, x, dx); };
  VecX trial = y_end;
  const auto changes = [&](double share, bool ask) {
    if (share < 1) scheme_.step(f, t, y, share * h, settings_.tolerance, trial);
    unpack(call.system, t + share * h, trial, q_, u_);
    motion_.project(call.system, t + share * h, s_, active_, q_, u_);
    StepReport aside;
    const bool known = choose_modes(call, t + share * h, {}, aside, ask);
    const bool other = !known || !find_switches(before, modes()).empty();
    active_ = held;
    return other;
  };
  const auto bisect = [&](double same, double other, bool ask) {
    while (other - same > 1e-12) {
      const double middle = 0.5 * (same + other);
      (changes(middle, ask) ? other : same) = middle;
    }
    return other;
  };
  if (!changes(1, false) || !changes(1, true)) return 1;
  // First where the least forces leave their sets. Most often modes change there: a little later, where accelerations
  // stand above noise (the motion until then differs by the square of that). If other forces still hold, later.
  const double beyond = std::min(1.0, bisect(0, 1, false) + 1e-5);
  return changes(beyond, true) ? beyond : bisect(beyond, 1, true);
}

void EventDriven::stop_at_change(const Call& call, double t, const VecX& y, double d, VecX& y_end, Found& found) {
  const DormandPrince::Rate f = [&](double time, const VecX& x, VecX& dx) { rate(call.system, time, x, dx); };
  // Up to the event, but not quite: there modes change anyway.
  const double part = found.event == Event::None ? 1 : 0.999;
  const double reach = part * found.share * d;
  if (part < 1) scheme_.step(f, t, y, reach, settings_.tolerance, y_end);
  const double share = find_change(call, t, y, reach, y_end);
  // Modes that change back at once are passed by a whole step.
  const bool changes = share < 1 && t + share * reach > changed_ + 1e-6 * call.step_max;
  if (changes) {
    found = {Event::None, {}, share * reach / d};
    changed_ = t + share * reach;
  }
  if (changes || part < 1) scheme_.step(f, t, y, found.share * d, settings_.tolerance, y_end);
}

HeldForces EventDriven::follow_sliding(const System& system, double t) {
  // Sliding turns: events look from here on.
  HeldForces forces;
  motion_.compute(system, t, q_, u_, s_, active_, forces);
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (active_[i].friction != Mode::Slip || !forces.active[i].found || forces.active[i].touch.is_friction()) continue;
    const RowBlock& block = forces.active[i].touch.block;
    const Eigen::Vector2d U(block.U_begin[1], block.rows > 2 ? block.U_begin[2] : 0);
    if (U.norm() > still) active_[i].way = U.normalized();
  }
  return forces;
}

EventDriven::Call EventDriven::begin(const System& system, Solver& solver, double h, const Motion& motion) {
  q_ = motion.q;
  u_ = motion.u;
  s_ = motion.s;
  system.bodies.prescribe(motion.time, q_, u_);
  work_ = VecX::Zero(work_kinds);
  switches_.clear();
  contacts_.clear();
  last_hit_.clear();
  active_.clear();
  accumulated_ = false;
  changed_ = -1e300;
  body_status_ = BodyStatus::Ok;
  const double step_max = settings_.step_max > 0 ? settings_.step_max : h;
  double speed = 0;
  for (std::size_t c = 0; c < system.colliders.size(); ++c)
    speed = std::max(speed,
                     system.bodies.speed_bound(system.colliders[c].body, q_, u_, step_max, system.collider_radius[c]));
  return {system, solver, 2 * step_max * (speed + system.gravity.norm() * step_max) + 1e-6, step_max};
}

StepReport EventDriven::step(const System& system, Solver& solver, double h, Threads, Motion& motion, WarmStart&) {
  const Stopwatch whole;
  StepReport report;
  report.parts = 0;
  double t = motion.time;
  const double end = motion.time + h;
  const Call call = begin(system, solver, h, motion);
  hit(call, t, report);
  choose_modes(call, t, {}, report);
  switches_.clear();  // the modes of the start are no switches
  const DormandPrince::Rate f = [&](double time, const VecX& x, VecX& dx) { rate(system, time, x, dx); };
  VecX y(system.bodies.nq() + system.bodies.nu() + work_kinds), y_end;
  double d = std::min(call.step_max, h);
  for (int steps = 0; t < end && steps < settings_.max_steps; ++steps) {
    // A smooth step, short enough.
    y << q_, u_, work_;
    d = std::min({d, call.step_max, end - t});
    const double error = scheme_.step(f, t, y, d, settings_.tolerance, y_end);
    if (!y_end.allFinite() || body_status_ != BodyStatus::Ok) {
      report.status = body_status_ == BodyStatus::Inverted ? StepStatus::BodyInverted : StepStatus::NotFinite;
      return report;
    }
    const double grown = d * DormandPrince::growth(error);
    if (error > 1 && d > 1e-12 * h) {
      d = grown;
      continue;
    }
    // Up to the first event, or to where redundant rows change their modes.
    Found found = find_event(call, t, y, d, y_end);
    if (found.event != Event::None) scheme_.step(f, t, y, found.share * d, settings_.tolerance, y_end);
    const bool shared = std::any_of(active_.begin(), active_.end(), [](const Active& law) { return law.shared; });
    if (shared) stop_at_change(call, t, y, d, y_end, found);
    const bool last = found.event == Event::None && found.share == 1 && d >= end - t;
    t = last ? end : t + found.share * d;
    unpack(system, t, y_end, q_, u_);
    work_ = y_end.tail<work_kinds>();
    follow_coordinates(system.joints, system.bodies, q_, s_);
    motion_.project(system, t, s_, active_, q_, u_);
    ++report.parts;
    d = grown;
    if (found.event != Event::None || shared) {
      const std::vector<LawMode> before = modes();
      if (found.event == Event::Closes) hit(call, t, report);
      choose_modes(call, t, found, report);
      note_switches(t, before);
    }
    const HeldForces forces = follow_sliding(system, t);
    if (accumulated_) {
      report.status = StepStatus::Accumulation;
      return report;
    }
    if (last) give_out(system, h, forces);
  }
  if (t < end) {
    report.status = StepStatus::StepLimit;
    return report;
  }
  finish(system, end, motion, report);
  report.times.total = whole.seconds();
  return report;
}

void EventDriven::finish(const System& system, double end, Motion& motion, StepReport& report) const {
  motion.time = end;
  motion.q = q_;
  motion.u = u_;
  motion.s = s_;
  report.parts = std::max(report.parts, 1);
  report.work.friction += work_[0];
  report.work.loads += work_[1];
  report.work.damping += work_[2];
  report.work.drive += work_[3];
  report.contacts = static_cast<int>(contacts_.size());
  note_joint_errors(system, motion, report);
}

}  // namespace cairn
