// SPDX-License-Identifier: Apache-2.0
// Finding events.
#include "cairn/view/view_events.h"

#include <algorithm>

namespace cairn {
namespace {

std::string_view kind_name(ViewEventKind kind) {
  switch (kind) {
    case ViewEventKind::Impact: return "impact";
    case ViewEventKind::Separation: return "separation";
    case ViewEventKind::StickSlip: return "stick-slip";
    case ViewEventKind::Switch: return "switch";
    case ViewEventKind::Alarm: break;
  }
  return "alarm";
}

/// The order of a heap whose top is the weakest.
bool stronger(const ViewEvent& a, const ViewEvent& b) { return a.strength > b.strength; }

}  // namespace

EventScanner::EventScanner(std::vector<std::string> names, AlarmLimits limits, std::size_t most)
    : names_(std::move(names)), limits_(limits), most_(most) {}

std::string EventScanner::name(int body) const {
  return body < 0 ? "the world" : "'" + names_[static_cast<std::size_t>(body)] + "'";
}

void EventScanner::keep(ViewEvent event) {
  std::vector<ViewEvent>& list = kept_[event.kind];
  if (list.size() == most_) {
    if (list.front().strength >= event.strength) return;
    std::pop_heap(list.begin(), list.end(), stronger);
    list.back() = std::move(event);
  } else {
    list.push_back(std::move(event));
  }
  std::push_heap(list.begin(), list.end(), stronger);
}

void EventScanner::add_contacts(double time, const std::vector<FrameContact>& contacts) {
  std::map<std::pair<int, int>, Pair> now;
  for (const FrameContact& c : contacts) {
    if (c.state == ContactState::Open) continue;
    Pair& pair = now[std::minmax(c.body_a, c.body_b)];
    pair.force += c.force.dot(c.normal);
    if (c.state == ContactState::Stick) pair.slips = false;  // a pair slips when all its points do
  }
  if (begun_) {
    for (const auto& [bodies, pair] : now) {
      const auto before = pairs_.find(bodies);
      const std::string both = name(bodies.first) + " and " + name(bodies.second);
      if (before == pairs_.end()) {
        keep({time, ViewEventKind::Impact, fmt::format("{} touch ({:.3g} N)", both, pair.force), bodies.first,
              bodies.second, pair.force});
      } else if (before->second.slips != pair.slips) {
        keep({time, ViewEventKind::StickSlip, fmt::format("{} {}", both, pair.slips ? "begin to slip" : "stick"),
              bodies.first, bodies.second, pair.force});
      }
    }
    for (const auto& [bodies, pair] : pairs_)
      if (!now.contains(bodies))
        keep({time, ViewEventKind::Separation, fmt::format("{} and {} part", name(bodies.first), name(bodies.second)),
              bodies.first, bodies.second, pair.force});
  }
  pairs_ = std::move(now);
  // What touches in the first frame with contacts was not seen to meet; the very start has none yet.
  begun_ = begun_ || time > 0 || !contacts.empty();
}

void EventScanner::add_step(const Certificate& c) {
  std::string text;
  double strength = 0;
  if (c.status != StepStatus::Done) {
    text = fmt::format("the step failed: {}", to_string(c.status));
    strength = 1e300;
  } else if (!(c.residual <= limits_.residual)) {
    text = fmt::format("the residual is {:.3g}, above {:g}", c.residual, limits_.residual);
    strength = c.residual / limits_.residual;
  } else if (limits_.penetration > 0 && !(c.penetration <= limits_.penetration)) {
    text = fmt::format("the penetration is {:.3g} m, above {:.3g} m", c.penetration, limits_.penetration);
    strength = c.penetration / limits_.penetration;
  }
  // One event for steps in a row.
  if (!text.empty() && !alarmed_) keep({c.time, ViewEventKind::Alarm, text, -1, -1, strength});
  alarmed_ = !text.empty();
}

void EventScanner::add_switch(const RecordedSwitch& s, const std::vector<FrameJoint>& joints,
                              const std::vector<std::string>& laws) {
  std::string law;
  const auto at = static_cast<std::size_t>(std::max(s.a, 0));
  switch (s.owner) {
    case LawOwner::Contact: law = fmt::format("contact of {} and {}", name(s.a), name(s.b)); break;
    case LawOwner::Joint: law = fmt::format("joint '{}'", at < joints.size() ? joints[at].name : "?"); break;
    case LawOwner::CoordinateLaw: law = fmt::format("law '{}'", at < laws.size() ? laws[at] : "?"); break;
    case LawOwner::OwnContact: law = fmt::format("own contact {}", s.a); break;
  }
  const bool contact = s.owner == LawOwner::Contact;
  keep({s.time, ViewEventKind::Switch, fmt::format("{}: {} to {}", law, to_string(s.from), to_string(s.to)),
        contact ? s.a : -1, contact ? s.b : -1, 0});
}

std::vector<ViewEvent> EventScanner::events() const {
  std::vector<ViewEvent> all;
  for (const auto& [kind, list] : kept_) all.insert(all.end(), list.begin(), list.end());
  std::stable_sort(all.begin(), all.end(), [](const ViewEvent& a, const ViewEvent& b) { return a.time < b.time; });
  return all;
}

Json to_json(const std::vector<ViewEvent>& events) {
  Json list = Json::array();
  for (const ViewEvent& e : events)
    list.push_back({{"time", e.time}, {"kind", kind_name(e.kind)}, {"text", e.text}, {"bodies", {e.body_a, e.body_b}}});
  return list;
}

}  // namespace cairn
