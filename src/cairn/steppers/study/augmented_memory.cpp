// SPDX-License-Identifier: Apache-2.0
// What augmented time-stepping keeps from call to call, as numbers in Motion::scheme: all of it is written with the
// state, so that a checkpoint goes on bit for bit.
#include "cairn/steppers/study/augmented.h"

namespace cairn {
namespace {

class Writer {
 public:
  explicit Writer(std::vector<double>& out) : out_(out) {}
  template <class Number>
  void number(Number x) {
    out_.push_back(static_cast<double>(x));
  }
  void vector(const VecX& x) {
    number(x.size());
    out_.insert(out_.end(), x.begin(), x.end());
  }
  void point(const Vec3& x) { out_.insert(out_.end(), x.begin(), x.end()); }

 private:
  std::vector<double>& out_;
};

class Reader {
 public:
  explicit Reader(const std::vector<double>& in) : in_(in) {}
  template <class Number>
  void number(Number& x) {
    x = static_cast<Number>(next());
  }
  std::size_t count() { return static_cast<std::size_t>(next()); }
  void vector(VecX& x) {
    x.resize(static_cast<Eigen::Index>(next()));
    for (double& value : x) value = next();
  }
  void point(Vec3& x) {
    for (double& value : x) value = next();
  }

 private:
  double next() {
    if (at_ == in_.size()) throw Error("the state does not fit the stepper 'augmented'");
    return in_[at_++];
  }
  const std::vector<double>& in_;
  std::size_t at_ = 0;
};

constexpr double mark = 6.5;  // the first number: the memory of this scheme (Studer 2009, section 6.5)

void write_modes(Writer& w, const std::vector<LawMode>& modes) {
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

void read_modes(Reader& r, std::vector<LawMode>& modes) {
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

void write_motion(Writer& w, const Motion& motion, const WarmStart& warm) {
  w.number(motion.time);
  w.vector(motion.q);
  w.vector(motion.u);
  w.vector(motion.s);
  for (const std::uint8_t broken : motion.broken) w.number(broken);
  w.vector(motion.memory);
  w.number(warm.begun);
  w.number(warm.contacts.size());
  for (const KeptContact& c : warm.contacts) {
    w.number(c.a);
    w.number(c.b);
    w.point(c.point);
    w.point(c.impulse);
    w.number(c.feature_a);
    w.number(c.feature_b);
    w.number(c.cohesion);
  }
  w.number(warm.joints.size());
  for (const double impulse : warm.joints) w.number(impulse);
}

void read_motion(Reader& r, std::size_t joints, Motion& motion, WarmStart& warm) {
  r.number(motion.time);
  r.vector(motion.q);
  r.vector(motion.u);
  r.vector(motion.s);
  motion.broken.resize(joints);
  for (std::uint8_t& broken : motion.broken) r.number(broken);
  r.vector(motion.memory);
  motion.scheme.clear();
  r.number(warm.begun);
  warm.contacts.resize(r.count());
  for (KeptContact& c : warm.contacts) {
    r.number(c.a);
    r.number(c.b);
    r.point(c.point);
    r.point(c.impulse);
    r.number(c.feature_a);
    r.number(c.feature_b);
    r.number(c.cohesion);
  }
  warm.joints.resize(r.count());
  for (double& impulse : warm.joints) r.number(impulse);
}

}  // namespace

void Augmented::save(Motion& motion) const {
  motion.scheme.clear();
  Writer w(motion.scheme);
  const Memory& m = memory_;
  w.number(mark);
  w.number(m.has_before);
  w.number(m.before_step);
  w.number(m.next_step);
  w.number(m.out_time);
  w.vector(m.out_q);
  w.vector(m.out_u);
  w.vector(m.out_sums);
  for (const Place* place : {&m.now, &m.before}) {
    if (place == &m.before && !m.has_before) break;
    write_motion(w, place->motion, place->warm);
    w.number(place->warm_step);
    w.number(place->modes_known);
    write_modes(w, place->modes);
    w.vector(place->sums);
  }
}

void Augmented::load(const Motion& motion, const WarmStart& warm, double step_max) {
  Memory& m = memory_;
  m = Memory{};
  if (!motion.scheme.empty() && motion.scheme[0] == mark) {
    Reader r(motion.scheme);
    double first = 0;
    r.number(first);
    r.number(m.has_before);
    r.number(m.before_step);
    r.number(m.next_step);
    r.number(m.out_time);
    r.vector(m.out_q);
    r.vector(m.out_u);
    r.vector(m.out_sums);
    // A state that somebody changed in between is a new start.
    if (m.out_time == motion.time && m.out_q == motion.q && m.out_u == motion.u) {
      for (Place* place : {&m.now, &m.before}) {
        if (place == &m.before && !m.has_before) break;
        read_motion(r, motion.broken.size(), place->motion, place->warm);
        r.number(place->warm_step);
        r.number(place->modes_known);
        read_modes(r, place->modes);
        r.vector(place->sums);
      }
      return;
    }
    m = Memory{};
  }
  m.now.motion = motion;
  m.now.motion.scheme.clear();
  m.now.warm = warm;
  m.next_step = step_max;
  m.out_time = motion.time;
}

}  // namespace cairn
