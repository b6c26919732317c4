// SPDX-License-Identifier: Apache-2.0
// What augmented time-stepping keeps from call to call, as numbers in Motion::scheme: all of it is written with the
// state, so that a checkpoint goes on bit for bit.
#include "cairn/assembly/numbers.h"
#include "cairn/steppers/study/augmented.h"

namespace cairn {
namespace {

constexpr std::string_view memory_name = "augmented";
constexpr int memory_version = 1;

void write_modes(NumberWriter& w, const std::vector<LawMode>& modes) {
  w.number(modes.size());
  for (const LawMode& m : modes) {
    w.number(m.law.owner);
    w.number(m.law.facet);
    w.number(m.law.a);
    w.number(m.law.b);
    w.number(m.law.feature_a);
    w.number(m.law.feature_b);
    w.number(m.mode);
    w.point(m.way);
  }
}

void read_modes(NumberReader& r, std::vector<LawMode>& modes) {
  modes.resize(r.count());
  for (LawMode& m : modes) {
    r.number(m.law.owner);
    r.number(m.law.facet);
    r.number(m.law.a);
    r.number(m.law.b);
    r.number(m.law.feature_a);
    r.number(m.law.feature_b);
    r.number(m.mode);
    r.point(m.way);
  }
}

}  // namespace

void Augmented::save(Motion& motion) const {
  NumberWriter w = keep_memory(motion.scheme, memory_name, memory_version);
  const Memory& m = memory_;
  w.number(m.has_before);
  w.number(m.before_step);
  w.number(m.next_step);
  w.number(m.out_time);
  w.vector(m.out_q);
  w.vector(m.out_u);
  w.vector(m.out_sums);
  for (const Place* place : {&m.now, &m.before}) {
    if (place == &m.before && !m.has_before) break;
    w.motion(place->motion);
    w.warm_start(place->warm);
    w.number(place->warm_step);
    w.number(place->modes_known);
    write_modes(w, place->modes);
    w.vector(place->sums);
  }
}

void Augmented::load(const Motion& motion, const WarmStart& warm, double step_max) {
  Memory& m = memory_;
  m = Memory{};
  if (auto r = open_memory(motion.scheme, memory_name, memory_version)) {
    r->number(m.has_before);
    r->number(m.before_step);
    r->number(m.next_step);
    r->number(m.out_time);
    r->vector(m.out_q);
    r->vector(m.out_u);
    r->vector(m.out_sums);
    // A state that somebody changed in between is a new start.
    const bool fits = m.out_q.size() == motion.q.size() && m.out_u.size() == motion.u.size();
    if (fits && m.out_time == motion.time && m.out_q == motion.q && m.out_u == motion.u) {
      for (Place* place : {&m.now, &m.before}) {
        if (place == &m.before && !m.has_before) break;
        r->motion(place->motion);
        r->warm_start(place->warm);
        r->number(place->warm_step);
        r->number(place->modes_known);
        read_modes(*r, place->modes);
        r->vector(place->sums);
      }
      r->finish();
      return;
    }
    m = Memory{};
  }
  m.now.motion = motion;
  m.now.motion.scheme = {};
  m.now.warm = warm;
  m.next_step = step_max;
  m.out_time = motion.time;
}

}  // namespace cairn
