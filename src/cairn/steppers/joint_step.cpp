// SPDX-License-Identifier: Apache-2.0
// Blocks of joints in a midpoint step: see the header for the rows.
#include "cairn/steppers/joint_step.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr std::size_t no_source = 1u << 30;  // of blocks that are neither joints nor laws on them
constexpr double infinite = std::numeric_limits<double>::infinity();

/// Shift of a unilateral row with the gap g, or nothing when it takes no part.
std::optional<double> unilateral_shift(bool predict, double g, double restitution, const RowBlock& block, double h,
                                       bool was_closed) {
  const double U_begin = block.U_begin[0], U_free = block.U_free[0];
  if (g > 0) {
    if (!predict || (restitution > 0 && !was_closed)) return {};
    // Others may push it shut within the step: what is nearly closed takes part, however slow it is by itself.
    if (g > 2 * h * (std::abs(U_begin) + std::abs(U_free)) + 1e-6 && !was_closed) return {};
    return g / h;
  }
  const double bounce = restitution * std::min(0.0, U_begin);
  return predict && restitution == 0 ? g / h : bounce;
}

/// A law ends with any of its joints.
bool is_broken(const CoordinateLaw& law, const Motion& motion) {
  return std::any_of(law.terms.begin(), law.terms.end(), [&](const CoordinateTerm& term) {
    return motion.broken[static_cast<std::size_t>(term.joint)] != 0;
  });
}

}  // namespace

bool JointStep::only_balls(const System& system) {
  return system.coordinate_laws.empty() && system.own_joints.empty() &&
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
  const JointRule rule = step.rule;
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
    const auto kept = static_cast<std::size_t>(joint.first_row);
    const bool was_closed = kept < step.warm.joints.size() && step.warm.joints[kept] > 0;
    const auto shift = unilateral_shift(step.predict, g[0], joint.restitution, block, h, was_closed);
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
  RowVector rate_begin = RowVector::Zero(), g_begin = RowVector::Zero();
  if (rule == JointRule::Curved) {
    RowBlock begin;
    fill_rows(joint, placed_begin_[index], begin);
    rate_begin = row_velocity(system.bodies, motion.q, step.u_begin, begin);
    g_begin = joint_error(joint, placed_begin_[index], motion.s);
  }
  block.shift = joint_shift(rule, block.U_begin, rate_begin, g_begin, g, h);
}

void JointStep::form_law(const JointContext& step, std::size_t index) {
  const JointRule rule = step.rule;
  const System& system = step.system;
  const Motion& motion = step.motion;
  const double h = step.h;
  const double time = motion.time;
  const CoordinateLaw& law = system.coordinate_laws[index];
  const double sigma = combined_coordinate(law, system.joints, s_mid_);
  // What the row would ask to hold sigma at a target that moves by `way` in the step.
  const auto equality = [&](RowBlock& block, double error_begin, double error_mid, double way) {
    double rate_begin = 0;
    if (rule == JointRule::Curved) {
      RowBlock begin;
      fill_row(law, system.joints, placed_begin_, 1, begin);
      rate_begin = row_velocity(system.bodies, motion.q, step.u_begin, begin)[0];
    }
    using Number = Eigen::Matrix<double, 1, 1>;
    const auto number = [](double x) -> Number { return Number::Constant(x); };
    block.shift[0] =
        joint_shift(rule, number(block.U_begin[0]), number(rate_begin), number(error_begin), number(error_mid), h)[0];
    if (rule == JointRule::Mean) block.shift[0] -= 2 * way / h;
    if (rule == JointRule::Curved || rule == JointRule::End) block.shift[0] -= way / h;
  };
  const auto make = [&](RowWork work, double sign, int part) -> RowBlock& {
    RowBlock& block = add_block(work, system.joints.size() + index, law.first_row + part);
    fill_row(law, system.joints, placed_, sign, block);
    compute_local_velocities(system.bodies, step.q_mid, step.u_begin, step.free, std::span(&block, 1));
    return block;
  };
  const auto add_stop = [&](double sign, double g, int part) {
    RowBlock& block = make(RowWork::Stop, sign, part);
    const auto kept = static_cast<std::size_t>(block.kept);
    const bool was_closed = kept < step.warm.joints.size() && step.warm.joints[kept] > 0;
    const auto shift = unilateral_shift(step.predict, g, law.restitution, block, h, was_closed);
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
      const double way = rule == JointRule::Curved ? target(1.5) - target(0.5) : target(1) - target(0);
      equality(block, sigma_begin - target(0), sigma - target(1.5), way);
      bound(block, law.force);
      break;
    }
    case CoordinateLawKind::Friction: {
      RowBlock& block = make(RowWork::Friction, 1, 0);
      bound(block, friction_limit(law, time + h / 2, sigma, std::abs(block.U_begin[0])));
      break;
    }
    case CoordinateLawKind::Coupling: {
      if (law.sense != JointSense::Both) {
        const double sign = law.sense == JointSense::AtMost ? -1 : 1;
        add_stop(sign, sign * (sigma - law.value), 0);
        break;
      }
      RowBlock& block = make(RowWork::Joint, 1, 0);
      equality(block, combined_coordinate(law, system.joints, motion.s) - law.value, sigma - law.value, 0);
      break;
    }
  }
}

void JointStep::form_own(const JointContext& step, const OwnJoint& joint, int kept) {
  const JointRule rule = step.rule;
  const System& system = step.system;
  const Motion& motion = step.motion;
  const double h = step.h;
  RowBlock& block = add_block(RowWork::Joint, no_source, kept);
  const double middle = motion.time + h / 2;
  joint.fill_rows(system.bodies, step.q_mid, middle, block);
  compute_local_velocities(system.bodies, step.q_mid, step.u_begin, step.free, std::span(&block, 1));
  RowBlock begin;
  joint.fill_rows(system.bodies, motion.q, motion.time, begin);
  const RowVector g_begin = joint.error(system.bodies, motion.q, motion.time);
  const RowVector g_mid = joint.error(system.bodies, step.q_mid, middle);
  block.shift =
      joint_shift(rule, block.U_begin, row_velocity(system.bodies, motion.q, step.u_begin, begin), g_begin, g_mid, h);
  // Equations that move in time: what they gain by that over a step, as for a target.
  const auto moved = [&](double from, double to) -> RowVector {
    return (joint.error(system.bodies, step.q_mid, motion.time + to * h) -
            joint.error(system.bodies, step.q_mid, motion.time + from * h)) /
           h;
  };
  if (rule == JointRule::Curved || rule == JointRule::Stabilised) block.shift += moved(0.5, 1.5);
  if (rule == JointRule::Mean) block.shift += 2 * moved(0, 1);
  if (rule == JointRule::End) block.shift += moved(0, 1);
  block.shift.tail(max_rows - block.rows).setZero();
}

void JointStep::form(const JointContext& step) {
  const System& system = step.system;
  const Motion& motion = step.motion;
  blocks_.clear();
  s_mid_ = motion.s;
  follow_coordinates(system.joints, system.bodies, step.q_mid, s_mid_);
  placed_.clear();
  placed_begin_.clear();
  for (const Joint& joint : system.joints) {
    placed_.push_back(place(joint, system.bodies, step.q_mid));
    if (step.rule == JointRule::Curved) placed_begin_.push_back(place(joint, system.bodies, motion.q));
  }
  for (std::size_t j = 0; j < system.joints.size(); ++j)
    if (!motion.broken[j] && system.joints[j].sense != JointSense::Free) form_joint(step, j);
  for (std::size_t l = 0; l < system.coordinate_laws.size(); ++l) {
    if (!is_broken(system.coordinate_laws[l], motion)) form_law(step, l);
  }
  int kept = 0;
  for (const Joint& joint : system.joints) kept += static_cast<int>(joint_info(joint.kind).rows.size());
  for (const CoordinateLaw& law : system.coordinate_laws) kept += law.rows();
  for (const auto& joint : system.own_joints) {
    form_own(step, *joint, kept);
    kept += joint->rows();
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
  warm.joints.assign(rows, 0.0);
  impulses_.assign(system.joints.size(), {});
  coordinate_impulses_.assign(system.coordinate_laws.size(), 0.0);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const RowBlock& block = blocks_[i];
    RowVector impulse = RowVector::Zero();
    double done = 0;
    for (int l = 0; l < block.rows; ++l) {
      const int place = problem.offset[i] + l;
      impulse[l] = r[place];
      warm.joints[static_cast<std::size_t>(block.kept + l)] = r[place];
      const double U_end = U[place] - block.shift[l] - block.compliance[l] * r[place];
      done += 0.5 * (block.U_begin[l] + U_end) * r[place];
    }
    switch (block.work) {
      case RowWork::Joint: work.joints += done; break;
      case RowWork::Stop: work.contact += done; break;
      case RowWork::Friction: work.friction += done; break;
      case RowWork::Drive: work.drive += done; break;
    }
    const auto source = static_cast<std::size_t>(block.source);
    if (source >= system.joints.size() && source != no_source) {
      // The two rows of a limit pull opposite ways along the coordinate.
      const bool upper = block.kept > system.coordinate_laws[source - system.joints.size()].first_row;
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

void JointStep::break_joints(const System& system, double h, std::vector<std::uint8_t>& broken) const {
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    if (impulses_[j].force.norm() > joint.break_force * h || impulses_[j].torque.norm() > joint.break_torque * h)
      broken[j] = 1;
  }
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

}  // namespace cairn
