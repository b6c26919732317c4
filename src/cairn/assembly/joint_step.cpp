// SPDX-License-Identifier: Apache-2.0
// Blocks of joints in a midpoint step: see the header for the rows.
#include "cairn/assembly/joint_step.h"

#include "cairn/assembly/contact_blocks.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Central differences of rows reach over a fiftieth of the step.
double difference_time(double h) { return 0.01 * h; }

/// Shift of a unilateral row with the gap g, or nothing when it takes no part. `drift`: rate of g by time alone.
std::optional<double> unilateral_shift(const JointContext& step, double g, double restitution, bool was_closed,
                                       RowBlock& block, double drift = 0) {
  const bool yields = step.hold.rule == JointRule::Compliant;
  if (yields) {
    restitution = 0;
    block.compliance[0] = step.hold.stop_compliance / (step.h * (step.h + step.hold.stop_damping));
  }
  const double U_begin = block.U_begin[0] + drift, U_free = block.U_free[0] + drift, h = step.h;
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

/// Rule compliant: rows that yield, with the error g and its rate by time alone.
void soften(const JointContext& step, const RowVector& g, const RowVector& rate, RowBlock& block) {
  const double h = step.h, d = step.hold.damping;
  block.shift = g / (h + d) + rate;
  block.shift.tail(max_rows - block.rows).setZero();
  block.compliance.head(block.rows).setConstant(step.hold.compliance / (h * (h + d)));
}

/// Bounds the impulse of a row by a force.
void bound(double force, double h, RowBlock& block) {
  if (force < infinite) block.law = {.kind = LawKind::Interval, .lower = -h * force, .upper = h * force};
}

}  // namespace

bool JointStep::only_balls(const System& system) {
  return system.coordinate_laws.empty() && system.own_joints.empty() && system.own_contacts.empty() &&
         std::all_of(system.joints.begin(), system.joints.end(), [](const Joint& j) { return j.is_plain_ball(); });
}

bool JointStep::was_closed(const RowBlock& block, const WarmStart& warm) const {
  const std::size_t row = kept_row(block);
  return row < warm.joints.size() && warm.joints[row] > 0;
}

RowVector JointStep::plain_shift(const JointContext& step, const JointEquation& equation, const RowBlock& block,
                                 const RowVector& g) const {
  const double h = step.h;
  if (step.hold.rule == JointRule::Position) return g / (step.theta * h);  // a first guess: see JointStep::aim
  if (step.hold.rule != JointRule::Acceleration) return step.hold.reflection * block.U_begin;
  // dH/dt u_B by a central difference along u_B.
  const auto velocity = [&](const JointPlaces& at) -> RowVector {
    RowBlock there;
    fill_rows(equation, at, there);
    return row_velocity(step.system.bodies, *at.q, step.u_begin, there);
  };
  return -block.U_begin + h * (velocity(ahead_) - velocity(behind_)) / (2 * difference_time(h));
}

void JointStep::hold_equal(const JointContext& step, const JointEquation& equation, RowBlock& block) const {
  const JointRule rule = step.hold.rule;
  const double h = step.h, time = step.motion.time;
  const RowVector g_mid = equation_error(equation, mid_);
  if (equation.is_compliant()) {
    const double resistance = equation.stiffness * h + equation.damping;
    block.shift = equation.stiffness / resistance * g_mid;
    block.compliance.head(block.rows).setConstant(1 / (h * resistance));
    return;
  }
  // Equations that move in time: what they gain by that between two moments of the step, per second.
  const auto drift = [&](double from, double to) -> RowVector {
    return equation_drift(equation, mid_, time + from * h, time + to * h) / h;
  };
  if (rule == JointRule::Compliant) {
    soften(step, equation_error(equation, begin_), drift(0, 1), block);
    if (equation.force < infinite) block.compliance.setZero();  // the force is limited instead
    return;
  }
  const bool looks_back = step.hold.looks_back();
  if (step.hold.is_plain()) {
    block.shift = plain_shift(step, equation, block, g_mid);
  } else {
    RowVector rate_begin = RowVector::Zero(), g_begin = RowVector::Zero();
    if (looks_back) {
      RowBlock begin;
      fill_rows(equation, begin_, begin);
      rate_begin = row_velocity(step.system.bodies, step.motion.q, step.u_begin, begin);
      g_begin = equation_error(equation, begin_);
    }
    block.shift = joint_shift<RowVector>(step.hold, block.U_begin, rate_begin, drift(-0.5, 0.5), g_begin, g_mid, h);
  }
  // Curved, stabilised: the speed of the target at the end of the step, to second order; else its mean over the step.
  if (looks_back || rule == JointRule::Stabilised) block.shift += drift(step.place, 1 + step.place);
  if (rule == JointRule::Mean) block.shift += 2 * drift(0, 1);
  if (rule == JointRule::End || rule == JointRule::Ggl) block.shift += drift(0, 1);
  block.shift.tail(max_rows - block.rows).setZero();
}

bool JointStep::hold_one_sided(const JointContext& step, const JointEquation& equation, RowBlock& block) {
  const double h = step.h, time = step.motion.time;
  const bool contact = equation.owner.kind == RowOwner::Kind::OwnContact;
  const double g = equation_error(equation, mid_)[0];
  const double drift = equation_drift(equation, mid_, time, time + h)[0] / h;
  if (contact) penetration_ = std::max(penetration_, -g);
  const bool closed_before = was_closed(block, step.warm);
  const auto shift = unilateral_shift(step, g, equation.restitution, closed_before, block, drift);
  if (!shift) return false;
  block.shift[0] = *shift;
  block.law = {.kind = LawKind::Frictionless};
  if (!contact) return true;
  const ContactLaw& law = step.system.own_contacts[static_cast<std::size_t>(equation.owner.index)]->law();
  const Eigen::Index slides = std::min(block.rows - 1, 2);
  block.law = law_of_step(law, law.friction_at(block.U_begin.segment(1, slides).norm()), g <= 0 || closed_before, h);
  if (!closed_before && block.U_begin[0] + drift < 0)  // an impact
    block.shift.segment(1, slides) = law.tangential_restitution * block.U_begin.segment(1, slides);
  return true;
}

void JointStep::hold_rate(const JointContext& step, const JointEquation& equation, RowBlock& block) const {
  const double h = step.h, time = step.motion.time;
  const CoordinateLaw& law = step.system.coordinate_laws[static_cast<std::size_t>(equation.owner.index)];
  switch (equation.sense) {
    case EquationSense::Motor: {
      const double end = law.target(time + h);
      block.shift[0] = step.hold.rule == JointRule::Mean ? block.U_begin[0] - 2 * law.target(time + h / 2) : -end;
      if (equation.force < infinite) block.shift[0] = -end;  // U_B is no guide where the force may not suffice
      bound(equation.force, h, block);
      break;
    }
    case EquationSense::Friction:
      bound(friction_limit(law, time + h / 2, equation_error(equation, mid_)[0], std::abs(block.U_begin[0])), h, block);
      break;
    case EquationSense::Clutch:  // on velocities alone: it holds from wherever it stands
      block.law = {.kind = LawKind::Frictionless};
      if (equation.force < infinite) block.law = {.kind = LawKind::Interval, .lower = 0, .upper = h * equation.force};
      break;
    case EquationSense::Equal:
    case EquationSense::AtLeast: break;
  }
}

void JointStep::place_joints(const JointContext& step) {
  const System& system = step.system;
  const Motion& motion = step.motion;
  mid_.set(system, step.q_mid, motion.s, motion.time + step.place * step.h);
  if (step.hold.looks_back() || step.hold.rule == JointRule::Compliant)
    begin_.set(system, motion.q, motion.s, motion.time);
  if (step.hold.rule != JointRule::Acceleration) return;
  const double d = difference_time(step.h);
  q_ahead_.resize(system.bodies.nq());
  q_behind_.resize(system.bodies.nq());
  system.bodies.advance(step.q_mid, step.u_begin, d, q_ahead_, {});
  system.bodies.advance(step.q_mid, step.u_begin, -d, q_behind_, {});
  ahead_.set(system, q_ahead_, mid_.s, mid_.time);
  behind_.set(system, q_behind_, mid_.s, mid_.time);
}

void JointStep::form(const JointContext& step) {
  blocks_.clear();
  equation_of_.clear();
  penetration_ = 0;
  kept_.set(step.system);
  list_equations(step.system, equations_);
  place_joints(step);
  for (std::size_t i = 0; i < equations_.size(); ++i) {
    const JointEquation& equation = equations_[i];
    if (has_ended(equation, step.system, step.motion)) continue;
    RowBlock& block = blocks_.emplace_back();
    fill_rows(equation, mid_, block);
    compute_local_velocities(step.system.bodies, step.q_mid, step.u_begin, step.free, std::span(&block, 1));
    bool acts = true;
    if (equation.sense == EquationSense::Equal) {
      hold_equal(step, equation, block);
      bound(equation.force, step.h, block);
    } else if (equation.sense == EquationSense::AtLeast) {
      acts = hold_one_sided(step, equation, block);
    } else {
      hold_rate(step, equation, block);
    }
    if (acts) {
      equation_of_.push_back(i);
    } else {
      blocks_.pop_back();
    }
  }
}

void JointStep::start(const LocalProblem& problem, const WarmStart& warm, VecX& r) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    for (int l = 0; l < blocks_[i].rows; ++l) {
      const std::size_t row = kept_row(blocks_[i]) + static_cast<std::size_t>(l);
      r[problem.offset[i] + l] = row < warm.joints.size() ? warm.joints[row] : 0;
    }
}

void JointStep::finish(const System& system, const VecX& q_mid, const VecX& u_begin, const LocalProblem& problem,
                       const VecX& r, const VecX& U, Work& work, WarmStart& warm) {
  warm.joints.assign(static_cast<std::size_t>(kept_.size()), 0.0);
  impulses_.assign(system.joints.size(), {});
  coordinate_impulses_.assign(system.coordinate_laws.size(), 0.0);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const RowBlock& block = blocks_[i];
    RowVector impulse = RowVector::Zero();
    double done = 0, first_done = 0;
    for (int l = 0; l < block.rows; ++l) {
      const int place = problem.offset[i] + l;
      impulse[l] = r[place];
      warm.joints[kept_row(block) + static_cast<std::size_t>(l)] = r[place];
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
    const auto index = static_cast<std::size_t>(block.owner.index);
    if (block.owner.kind == RowOwner::Kind::Law) {
      // The two rows of a limit pull opposite ways along the coordinate. A one-sided coupling has no coordinate.
      const CoordinateLawKind law = system.coordinate_laws[index].kind;
      const double along = law == CoordinateLawKind::Coupling ? 1 : equation(i).sign;
      coordinate_impulses_[index] += along * impulse[0];
    }
    const bool of_joint = block.owner.kind == RowOwner::Kind::Joint;
    for (int k = 0; k < block.side_count; ++k) {
      const RowSide& side = block.sides[static_cast<std::size_t>(k)];
      const Vec3 force = side.linear.transpose() * impulse, torque = side.angular.transpose() * impulse;
      if (of_joint && side.body == system.joints[index].body_a && k == 0) impulses_[index] = {force, torque};
      // A joint to the world from its other side.
      if (of_joint && system.joints[index].body_a < 0) {
        const Vec3 arm = mid_.placed[index].gap();
        impulses_[index] = {-force, -torque + arm.cross(force)};
      }
      // Impulses on a driven body come from its drive: the moving bodies receive them on top of the relative work.
      if (system.bodies.slot(side.body).mobility == BodyMobility::Prescribed)
        work.drive -= force.dot(system.bodies.point_velocity(side, q_mid, u_begin)) +
                      torque.dot(system.bodies.spin(side, q_mid, u_begin));
    }
  }
}

double JointStep::aim(const JointContext& step, const VecX& q_end, const VecX& r, const VecX& U,
                      LocalProblem& problem) {
  const double way = step.theta * step.h;
  JointPlaces end;
  end.set(step.system, q_end, step.motion.s, step.motion.time + step.h);
  double worst = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    RowBlock& block = blocks_[i];
    const JointEquation& equation = this->equation(i);
    const bool one_sided = equation.sense == EquationSense::AtLeast;
    if (!one_sided && (!equation.is_position() || equation.is_compliant())) continue;  // on velocities
    const RowVector g = equation_error(equation, end);
    const int rows = equation.owner.kind == RowOwner::Kind::OwnContact ? 1 : block.rows;  // friction is on velocities
    for (int l = 0; l < rows; ++l) {
      const int place = problem.offset[i] + l;
      const double U_end = U[place] - block.shift[l];
      const double shift = g[l] / way - U_end;
      problem.b[place] += shift - block.shift[l];
      block.shift[l] = shift;
      if (!one_sided || r[place] > 0 || g[l] < 0) worst = std::max(worst, std::abs(g[l]));
    }
  }
  return worst;
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
    const bool broken = std::any_of(law.terms.begin(), law.terms.end(), [&](const CoordinateTerm& term) {
      return motion.broken[static_cast<std::size_t>(term.joint)] != 0;
    });
    if (law.kind != CoordinateLawKind::Coupling || law.sense != JointSense::Both || broken) continue;
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
