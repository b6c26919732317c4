// SPDX-License-Identifier: Apache-2.0
// Blocks of joints in a midpoint step: see the header for the rows.
#include "cairn/assembly/joint_step.h"

#include "cairn/assembly/contact_blocks.h"
#include "cairn/assembly/form_problem.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Shift of a unilateral row with the gap g, or nothing when it takes no part. `drift`: rate of g by time alone.
std::optional<double> unilateral_shift(const JointContext& step, double g, double restitution, RowBlock& block,
                                       double drift = 0) {
  const bool yields = step.hold.rule == JointRule::Compliant;
  if (yields) {
    restitution = 0;
    block.compliance[0] = step.hold.stop_compliance / (step.h * (step.h + step.hold.stop_damping));
  }
  const double U_begin = block.U_begin[0] + drift, U_free = block.U_free[0] + drift, h = step.h;
  const auto kept = static_cast<std::size_t>(block.kept);
  const bool was_closed = kept < step.warm.joints.size() && step.warm.joints[kept] > 0;
  if (!step.predict && g <= step.gap_tolerance) g = std::min(g, 0.0);
  if (step.hold_closed && was_closed) g = std::min(g, 0.0), restitution = 0;
  if (g > 0) {
    if (!step.predict || (restitution > 0 && !was_closed)) return {};
    // Others may push it shut within the step: what is nearly closed takes part, however slow it is by itself.
    if (g > 2 * h * (std::abs(U_begin) + std::abs(U_free)) + 1e-6 && !was_closed) return {};
    return g / h + drift;
  }
  if (yields) return g / (h + step.hold.stop_damping) + drift;
  const double bounce = restitution * std::min(0.0, U_begin);
  return (step.predict && restitution == 0 ? g / h : bounce) + drift;
}

/// Shift of equality rows under the rules that know nothing of the begin of the step: index 1, 2 and 3. `rows_at` fills
/// them at another place.
template <class RowsAt>
RowVector plain_shift(const JointContext& step, const RowBlock& block, const RowVector& g, RowsAt&& rows_at) {
  const double h = step.h;
  if (step.hold.rule == JointRule::Position) return g / (step.theta * h);  // a first guess: see JointStep::aim
  if (step.hold.rule != JointRule::Acceleration) return step.hold.reflection * block.U_begin;
  // dH/dt u_B by a central difference along u_B, over a fiftieth of the step.
  const Bodies& bodies = step.system.bodies;
  const auto velocity = [&](double time) -> RowVector {
    VecX q(step.q_mid.size());
    bodies.advance(step.q_mid, step.u_begin, time, q, {});
    RowBlock there;
    rows_at(q, there);
    return row_velocity(bodies, q, step.u_begin, there);
  };
  const double way = 0.01 * h;
  return -block.U_begin + h * (velocity(way) - velocity(-way)) / (2 * way);
}

/// Rule compliant: rows that yield, with the error g and its rate by time alone.
void soften(const JointContext& step, const RowVector& g, const RowVector& rate, RowBlock& block) {
  const double h = step.h, d = step.hold.damping;
  block.shift = g / (h + d) + rate;
  block.shift.tail(max_rows - block.rows).setZero();
  block.compliance.head(block.rows).setConstant(step.hold.compliance / (h * (h + d)));
}

/// A law ends with any of its joints.
bool is_broken(const CoordinateLaw& law, const Motion& motion) {
  return std::any_of(law.terms.begin(), law.terms.end(), [&](const CoordinateTerm& term) {
    return motion.broken[static_cast<std::size_t>(term.joint)] != 0;
  });
}

}  // namespace

bool JointStep::only_balls(const System& system) {
  return system.coordinate_laws.empty() && system.own_joints.empty() && system.own_contacts.empty() &&
         std::all_of(system.joints.begin(), system.joints.end(), [](const Joint& j) { return j.is_plain_ball(); });
}

RowBlock& JointStep::add_block(RowWork work, std::size_t source, int kept) {
  RowBlock& block = blocks_.emplace_back();
  block.work = work;
  block.source = static_cast<int>(source);
  block.kept = kept;
  return block;
}

void JointStep::form_joint(const JointContext& step, std::size_t index) {
  const System& system = step.system;
  const Motion& motion = step.motion;
  const double h = step.h;
  const Joint& joint = system.joints[index];
  const bool unilateral = joint.sense != JointSense::Both;
  RowBlock& block = add_block(unilateral ? RowWork::Stop : RowWork::Joint, index, joint.first_row);
  fill_rows(joint, placed_[index], block);
  compute_local_velocities(system.bodies, step.q_mid, step.u_begin, step.free, std::span(&block, 1));
  const RowVector g = joint_error(joint, placed_[index], s_mid_);
  if (unilateral) {
    const auto shift = unilateral_shift(step, g[0], joint.restitution, block);
    if (!shift) {
      blocks_.pop_back();
      return;
    }
    block.law = {.kind = LawKind::Frictionless};
    block.shift[0] = *shift;
    return;
  }
  if (joint.stiffness < infinite) {
    const double resistance = joint.stiffness * h + joint.damping;
    block.shift = joint.stiffness / resistance * g;
    block.compliance.head(block.rows).setConstant(1 / (h * resistance));
    return;
  }
  if (step.hold.rule == JointRule::Compliant) return soften(step, g, RowVector::Zero(), block);
  if (step.hold.is_plain()) {
    block.shift = plain_shift(
        step, block, g, [&](const VecX& q, RowBlock& rows) { fill_rows(joint, place(joint, system.bodies, q), rows); });
    return;
  }
  RowVector rate_begin = RowVector::Zero(), g_begin = RowVector::Zero();
  if (step.hold.looks_back()) {
    RowBlock begin;
    fill_rows(joint, placed_begin_[index], begin);
    rate_begin = row_velocity(system.bodies, motion.q, step.u_begin, begin);
    g_begin = joint_error(joint, placed_begin_[index], motion.s);
  }
  block.shift = joint_shift<RowVector>(step.hold, block.U_begin, rate_begin, RowVector::Zero(), g_begin, g, h);
}

void JointStep::form_law(const JointContext& step, std::size_t index) {
  const JointRule rule = step.hold.rule;
  const bool looks_back = step.hold.looks_back();
  const System& system = step.system;
  const Motion& motion = step.motion;
  const double h = step.h;
  const double time = motion.time;
  const CoordinateLaw& law = system.coordinate_laws[index];
  const double sigma = combined_coordinate(law, system.joints, s_mid_);
  // What the row would ask to hold sigma at a target that moves by `way` in the step, and did by `way_before` in the
  // one before.
  const auto equality = [&](RowBlock& block, double error_begin, double error_mid, double way, double way_before) {
    if (rule == JointRule::Compliant) {
      RowVector g = RowVector::Zero(), rate = RowVector::Zero();
      g[0] = error_begin, rate[0] = -way / h;
      soften(step, g, rate, block);
      if (law.force < infinite) block.compliance.setZero();  // the force is limited instead
      return;
    }
    if (step.hold.is_plain()) {
      RowVector g = RowVector::Zero();
      g[0] = error_mid;
      block.shift = plain_shift(step, block, g, [&](const VecX& q, RowBlock& rows) {
        std::vector<PlacedJoint> placed;
        for (const Joint& joint : system.joints) placed.push_back(place(joint, system.bodies, q));
        fill_row(law, system.joints, placed, 1, rows);
      });
      if (rule == JointRule::End || rule == JointRule::Ggl) block.shift[0] -= way / h;
      return;
    }
    double rate_begin = 0;
    if (looks_back) {
      RowBlock begin;
      fill_row(law, system.joints, placed_begin_, 1, begin);
      rate_begin = row_velocity(system.bodies, motion.q, step.u_begin, begin)[0];
    }
    using Number = Eigen::Matrix<double, 1, 1>;
    const auto number = [](double x) -> Number { return Number::Constant(x); };
    block.shift[0] = joint_shift(step.hold, number(block.U_begin[0]), number(rate_begin), number(-way_before / h),
                                 number(error_begin), number(error_mid), h)[0];
    if (rule == JointRule::Mean) block.shift[0] -= 2 * way / h;
    if (looks_back) block.shift[0] -= way / h;
  };
  const auto make = [&](RowWork work, double sign, int part) -> RowBlock& {
    RowBlock& block = add_block(work, system.joints.size() + index, law.first_row + part);
    fill_row(law, system.joints, placed_, sign, block);
    compute_local_velocities(system.bodies, step.q_mid, step.u_begin, step.free, std::span(&block, 1));
    return block;
  };
  const auto add_stop = [&](double sign, double g, int part) {
    RowBlock& block = make(RowWork::Stop, sign, part);
    const auto shift = unilateral_shift(step, g, law.restitution, block);
    block.law = {.kind = LawKind::Frictionless};
    if (shift) {
      block.shift[0] = *shift;
    } else {
      blocks_.pop_back();
    }
  };
  const auto bound = [&](RowBlock& block, double force) {
    if (force < infinite) block.law = {.kind = LawKind::Interval, .lower = -h * force, .upper = h * force};
  };
  switch (law.kind) {
    case CoordinateLawKind::Limit:
      if (law.lower > -infinite) add_stop(1, sigma - law.lower, 0);
      if (law.upper < infinite) add_stop(-1, law.upper - sigma, 1);
      break;
    case CoordinateLawKind::Motor: {
      RowBlock& block = make(RowWork::Drive, 1, 0);
      const double end = law.target(time + h);
      block.shift[0] = rule == JointRule::Mean ? block.U_begin[0] - 2 * law.target(time + h / 2) : -end;
      if (law.force < infinite) block.shift[0] = -end;  // U_B is no guide where the force may not suffice
      bound(block, law.force);
      break;
    }
    case CoordinateLawKind::Servo: {
      RowBlock& block = make(RowWork::Drive, 1, 0);
      const auto target = [&](double steps) { return law.target(time + steps * h); };
      const double sigma_begin = combined_coordinate(law, system.joints, motion.s);
      // Curved: the speed at the end of the step, to second order; mean: that of the step.
      const double way = looks_back ? target(1.5) - target(0.5) : target(1) - target(0);
      equality(block, sigma_begin - target(0), sigma - target(1 + step.place), way, target(0.5) - target(-0.5));
      bound(block, law.force);
      break;
    }
    case CoordinateLawKind::Friction: {
      RowBlock& block = make(RowWork::Friction, 1, 0);
      bound(block, friction_limit(law, time + h / 2, sigma, std::abs(block.U_begin[0])));
      break;
    }
    case CoordinateLawKind::Clutch: {
      // On velocities alone: it holds from wherever it stands.
      RowBlock& block = make(RowWork::Stop, law.sense == JointSense::AtMost ? -1 : 1, 0);
      block.law = {.kind = LawKind::Frictionless};
      if (law.force < infinite) block.law = {.kind = LawKind::Interval, .lower = 0, .upper = h * law.force};
      break;
    }
    case CoordinateLawKind::Coupling: {
      if (law.sense != JointSense::Both) {
        const double sign = law.sense == JointSense::AtMost ? -1 : 1;
        add_stop(sign, sign * (sigma - law.value), 0);
        break;
      }
      RowBlock& block = make(RowWork::Joint, 1, 0);
      equality(block, combined_coordinate(law, system.joints, motion.s) - law.value, sigma - law.value, 0, 0);
      break;
    }
  }
}

void JointStep::form_own(const JointContext& step, const OwnJoint& joint, int kept) {
  const JointRule rule = step.hold.rule;
  const System& system = step.system;
  const Motion& motion = step.motion;
  const double h = step.h;
  RowBlock& block = add_block(RowWork::Joint, no_source, kept);
  const double middle = motion.time + step.place * h;
  joint.fill_rows(system.bodies, step.q_mid, middle, block);
  compute_local_velocities(system.bodies, step.q_mid, step.u_begin, step.free, std::span(&block, 1));
  RowBlock begin;
  joint.fill_rows(system.bodies, motion.q, motion.time, begin);
  const RowVector g_begin = joint.error(system.bodies, motion.q, motion.time);
  const RowVector g_mid = joint.error(system.bodies, step.q_mid, middle);
  // Equations that move in time: what they gain by that over a step, as for a target.
  const auto moved = [&](double from, double to) -> RowVector {
    return (joint.error(system.bodies, step.q_mid, motion.time + to * h) -
            joint.error(system.bodies, step.q_mid, motion.time + from * h)) /
           h;
  };
  if (rule == JointRule::Compliant) return soften(step, g_begin, moved(0, 1), block);
  if (step.hold.is_plain()) {
    block.shift = plain_shift(step, block, g_mid,
                              [&](const VecX& q, RowBlock& rows) { joint.fill_rows(system.bodies, q, middle, rows); });
  } else {
    block.shift =
        joint_shift<RowVector>(step.hold, block.U_begin, row_velocity(system.bodies, motion.q, step.u_begin, begin),
                               moved(-0.5, 0.5), g_begin, g_mid, h);
  }
  if (step.hold.looks_back() || rule == JointRule::Stabilised) block.shift += moved(step.place, 1 + step.place);
  if (rule == JointRule::Mean) block.shift += 2 * moved(0, 1);
  if (rule == JointRule::End || rule == JointRule::Ggl) block.shift += moved(0, 1);
  block.shift.tail(max_rows - block.rows).setZero();
}

void JointStep::form_contact(const JointContext& step, std::size_t index, int kept) {
  const System& system = step.system;
  const OwnContact& contact = *system.own_contacts[index];
  const ContactLaw& law = contact.law();
  const double time = step.motion.time, h = step.h;
  const double gap = contact.gap(system.bodies, step.q_mid, time + h / 2);
  penetration_ = std::max(penetration_, -gap);
  RowBlock& block = add_block(RowWork::Contact, own_contact_source + index, kept);
  contact.fill_rows(system.bodies, step.q_mid, time + h / 2, block);
  compute_local_velocities(system.bodies, step.q_mid, step.u_begin, step.free, std::span(&block, 1));
  const double drift =
      (contact.gap(system.bodies, step.q_mid, time + h) - contact.gap(system.bodies, step.q_mid, time)) / h;
  const auto shift = unilateral_shift(step, gap, law.restitution, block, drift);
  if (!shift) {
    blocks_.pop_back();
    return;
  }
  const Eigen::Index slides = std::min(block.rows - 1, 2);
  const auto first = static_cast<std::size_t>(kept);
  const bool was_closed = first < step.warm.joints.size() && step.warm.joints[first] > 0;
  block.law = law_of_step(law, law.friction_at(block.U_begin.segment(1, slides).norm()), gap <= 0 || was_closed, h);
  block.shift[0] = *shift;
  if (!was_closed && block.U_begin[0] + drift < 0)  // a blow
    block.shift.segment(1, slides) = law.tangential_restitution * block.U_begin.segment(1, slides);
}

void JointStep::form(const JointContext& step) {
  const System& system = step.system;
  const Motion& motion = step.motion;
  blocks_.clear();
  penetration_ = 0;
  s_mid_ = motion.s;
  follow_coordinates(system.joints, system.bodies, step.q_mid, s_mid_);
  placed_.clear();
  placed_begin_.clear();
  for (const Joint& joint : system.joints) {
    placed_.push_back(place(joint, system.bodies, step.q_mid));
    if (step.hold.looks_back()) placed_begin_.push_back(place(joint, system.bodies, motion.q));
  }
  for (std::size_t j = 0; j < system.joints.size(); ++j)
    if (!motion.broken[j] && system.joints[j].sense != JointSense::Free) form_joint(step, j);
  for (std::size_t l = 0; l < system.coordinate_laws.size(); ++l) {
    if (!is_broken(system.coordinate_laws[l], motion)) form_law(step, l);
  }
  int kept = 0;
  for (const Joint& joint : system.joints) kept += static_cast<int>(joint_info(joint.kind).rows.size());
  for (const CoordinateLaw& law : system.coordinate_laws) kept += law.rows();
  first_own_ = blocks_.size();
  for (const auto& joint : system.own_joints) {
    form_own(step, *joint, kept);
    kept += joint->rows();
  }
  for (std::size_t c = 0; c < system.own_contacts.size(); ++c) {
    form_contact(step, c, kept);
    kept += system.own_contacts[c]->rows();
  }
}

void JointStep::start(const LocalProblem& problem, const WarmStart& warm, VecX& r) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    for (int l = 0; l < blocks_[i].rows; ++l) {
      const auto kept = static_cast<std::size_t>(blocks_[i].kept + l);
      r[problem.offset[i] + l] = kept < warm.joints.size() ? warm.joints[kept] : 0;
    }
}

void JointStep::finish(const System& system, const VecX& q_mid, const VecX& u_begin, const LocalProblem& problem,
                       const VecX& r, const VecX& U, Work& work, WarmStart& warm) {
  std::size_t rows = 0;
  for (const Joint& joint : system.joints) rows += joint_info(joint.kind).rows.size();
  for (const CoordinateLaw& law : system.coordinate_laws) rows += static_cast<std::size_t>(law.rows());
  for (const auto& joint : system.own_joints) rows += static_cast<std::size_t>(joint->rows());
  for (const auto& contact : system.own_contacts) rows += static_cast<std::size_t>(contact->rows());
  warm.joints.assign(rows, 0.0);
  impulses_.assign(system.joints.size(), {});
  coordinate_impulses_.assign(system.coordinate_laws.size(), 0.0);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const RowBlock& block = blocks_[i];
    RowVector impulse = RowVector::Zero();
    double done = 0, first_done = 0;
    for (int l = 0; l < block.rows; ++l) {
      const int place = problem.offset[i] + l;
      impulse[l] = r[place];
      warm.joints[static_cast<std::size_t>(block.kept + l)] = r[place];
      const double U_end = U[place] - block.shift[l] - block.compliance[l] * r[place];
      done += 0.5 * (block.U_begin[l] + U_end) * r[place];
      if (l == 0) first_done = done;
    }
    switch (block.work) {
      case RowWork::Joint: work.joints += done; break;
      case RowWork::Stop: work.contact += done; break;
      case RowWork::Friction: work.friction += done; break;
      case RowWork::Drive: work.drive += done; break;
      case RowWork::Contact: work.contact += first_done, work.friction += done - first_done; break;
    }
    const auto source = static_cast<std::size_t>(block.source);
    if (source >= system.joints.size() && source < no_source) {
      // The two rows of a limit pull opposite ways along the coordinate.
      const CoordinateLaw& law = system.coordinate_laws[source - system.joints.size()];
      const bool upper =
          block.kept > law.first_row || (law.kind == CoordinateLawKind::Clutch && law.sense == JointSense::AtMost);
      coordinate_impulses_[source - system.joints.size()] += upper ? -impulse[0] : impulse[0];
    }
    for (int k = 0; k < block.side_count; ++k) {
      const RowSide& side = block.sides[static_cast<std::size_t>(k)];
      const Vec3 force = side.linear.transpose() * impulse, torque = side.angular.transpose() * impulse;
      if (source < system.joints.size() && side.body == system.joints[source].body_a && k == 0)
        impulses_[source] = {force, torque};
      // A joint to the world from its other side.
      if (source < system.joints.size() && system.joints[source].body_a < 0) {
        const Vec3 arm = placed_[source].point_a - placed_[source].point_b;
        impulses_[source] = {-force, -torque + arm.cross(force)};
      }
      // Impulses on a driven body come from its drive: the moving bodies receive them on top of the relative work.
      if (system.bodies.slot(side.body).mobility == BodyMobility::Prescribed)
        work.drive -= force.dot(system.bodies.point_velocity(side.body, q_mid, u_begin, side.point)) +
                      torque.dot(system.bodies.spin(side.body, q_mid, u_begin));
    }
  }
}

double JointStep::aim(const JointContext& step, const VecX& q_end, const VecX& r, const VecX& U,
                      LocalProblem& problem) {
  const System& system = step.system;
  const double time = step.motion.time + step.h, way = step.theta * step.h;
  VecX s_end = step.motion.s;
  follow_coordinates(system.joints, system.bodies, q_end, s_end);
  double worst = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    RowBlock& block = blocks_[i];
    const auto source = static_cast<std::size_t>(block.source);
    RowVector g;
    if (is_position(system, i)) {
      if (source < system.joints.size() && system.joints[source].stiffness < infinite) continue;
      g = position_error(system, i, q_end, s_end, time);
    } else if (source >= own_contact_source) {  // its gap; friction is on velocities
      g.setZero();
      g[0] = system.own_contacts[source - own_contact_source]->gap(system.bodies, q_end, time);
    } else if (source < system.joints.size()) {  // a rope or strut
      const Joint& joint = system.joints[source];
      g = joint_error(joint, place(joint, system.bodies, q_end), s_end);
    } else {
      const CoordinateLaw& law = system.coordinate_laws[source - system.joints.size()];
      const double sigma = combined_coordinate(law, system.joints, s_end);
      g.setZero();
      if (law.kind == CoordinateLawKind::Limit) {
        g[0] = block.kept == law.first_row ? sigma - law.lower : law.upper - sigma;
      } else if (law.kind == CoordinateLawKind::Coupling) {
        g[0] = (law.sense == JointSense::AtMost ? -1 : 1) * (sigma - law.value);
      } else {
        continue;  // laws on velocities
      }
    }
    const bool contact = source >= own_contact_source;
    const bool unilateral = contact || block.law.kind == LawKind::Frictionless;
    for (int l = 0; l < (contact ? 1 : block.rows); ++l) {
      const int place = problem.offset[i] + l;
      const double U_end = U[place] - block.shift[l];
      const double shift = g[l] / way - U_end;
      problem.b[place] += shift - block.shift[l];
      block.shift[l] = shift;
      if (!unilateral || r[place] > 0 || g[l] < 0) worst = std::max(worst, std::abs(g[l]));
    }
  }
  return worst;
}

bool JointStep::is_position(const System& system, std::size_t block) const {
  const auto source = static_cast<std::size_t>(blocks_[block].source);
  if (source >= no_source) return source == no_source;
  if (source < system.joints.size()) return system.joints[source].sense == JointSense::Both;
  const CoordinateLaw& law = system.coordinate_laws[source - system.joints.size()];
  return (law.kind == CoordinateLawKind::Coupling && law.sense == JointSense::Both) ||
         (law.kind == CoordinateLawKind::Servo && !(law.force < infinite));
}

RowVector JointStep::position_error(const System& system, std::size_t block, const VecX& q, const VecX& s,
                                    double time) const {
  const auto source = static_cast<std::size_t>(blocks_[block].source);
  if (source == no_source) return system.own_joints[block - first_own_]->error(system.bodies, q, time);
  if (source < system.joints.size()) {
    const Joint& joint = system.joints[source];
    return joint_error(joint, place(joint, system.bodies, q), s);
  }
  const CoordinateLaw& law = system.coordinate_laws[source - system.joints.size()];
  RowVector g = RowVector::Zero();
  g[0] = combined_coordinate(law, system.joints, s) -
         (law.kind == CoordinateLawKind::Servo ? law.target(time) : law.value);
  return g;
}

void JointStep::position_rows(const System& system, std::size_t block, const VecX& q, double time,
                              RowBlock& rows) const {
  const auto source = static_cast<std::size_t>(blocks_[block].source);
  if (source == no_source) return system.own_joints[block - first_own_]->fill_rows(system.bodies, q, time, rows);
  if (source < system.joints.size()) {
    const Joint& joint = system.joints[source];
    return fill_rows(joint, place(joint, system.bodies, q), rows);
  }
  const CoordinateLaw& law = system.coordinate_laws[source - system.joints.size()];
  std::vector<PlacedJoint> placed(system.joints.size());
  for (const CoordinateTerm& term : law.terms) {
    const auto j = static_cast<std::size_t>(term.joint);
    placed[j] = place(system.joints[j], system.bodies, q);
  }
  fill_row(law, system.joints, placed, 1, rows);
}

JointErrors measure_joint(const System& system, const Motion& motion, std::size_t index) {
  const Joint& joint = system.joints[index];
  if (motion.broken[index] || joint.stiffness < infinite || joint.sense == JointSense::Free) return {};
  RowVector g = joint_error(joint, place(joint, system.bodies, motion.q), motion.s);
  if (joint.sense != JointSense::Both) g[0] = std::min(g[0], 0.0);
  double drift = 0, tilt = 0;
  int row = 0;
  for (const JointRow kind : joint_info(joint.kind).rows) {
    (is_angular(kind) ? tilt : drift) += g[row] * g[row];
    ++row;
  }
  return {std::sqrt(drift), std::sqrt(tilt)};
}

JointErrors measure_joints(const System& system, const Motion& motion) {
  JointErrors worst;
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const JointErrors errors = measure_joint(system, motion, j);
    worst.drift = std::max(worst.drift, errors.drift);
    worst.tilt = std::max(worst.tilt, errors.tilt);
  }
  for (const CoordinateLaw& law : system.coordinate_laws) {
    if (law.kind != CoordinateLawKind::Coupling || law.sense != JointSense::Both || is_broken(law, motion)) continue;
    const CoordinateTerm& first = law.terms[0];
    const JointKind kind = system.joints[static_cast<std::size_t>(first.joint)].kind;
    double& error =
        is_angle(joint_info(kind).coordinates[static_cast<std::size_t>(first.coordinate)]) ? worst.tilt : worst.drift;
    error = std::max(error, std::abs((combined_coordinate(law, system.joints, motion.s) - law.value) / first.factor));
  }
  for (const auto& joint : system.own_joints)
    worst.drift = std::max(worst.drift, joint->error(system.bodies, motion.q, motion.time).norm());
  return worst;
}

void note_joint_errors(const System& system, const Motion& motion, StepReport& report) {
  if (system.joints.empty() && system.own_joints.empty()) return;
  const JointErrors errors = measure_joints(system, motion);
  report.joint_drift = errors.drift;
  report.joint_tilt = errors.tilt;
}

void end_motion(const System& system, double h, VecX& q_end, VecX& u_end, Motion& motion, StepReport& report) {
  motion.time += h;
  motion.q.swap(q_end);
  motion.u.swap(u_end);
  if (!system.joints.empty()) follow_coordinates(system.joints, system.bodies, motion.q, motion.s);
  note_joint_errors(system, motion, report);
}

}  // namespace cairn
