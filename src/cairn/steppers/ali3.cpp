// SPDX-License-Identifier: Apache-2.0
// One step of the augmented Lagrangian in natural coordinates, and of its penalty form: see the header for the
// equations.
#include "cairn/steppers/ali3.h"

#include "cairn/assembly/joint_step.h"
#include "cairn/assembly/numbers.h"
#include "cairn/assembly/step_accounts.h"
#include "cairn/base/error.h"
#include "cairn/base/stopwatch.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr std::string_view memory_name = "natural";
constexpr int memory_version = 1;  // z'', a, lambda

double largest(const VecX& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

}  // namespace

void NaturalStepper::check(const System& system, const Motion&, double h) const {
  check_step_length(h);
  if (rules_.integrator == AlphaKind::Hht && rules_.rho < 0.5)
    throw Error("stepper '{}': rho is {}; hht has at least 0.5 (generalised-alpha goes down to 0)", name_, rules_.rho);
  check_natural_system(system, name_);
  require_plain(system, name_);
  if (!system.own_contacts.empty()) throw Error("stepper '{}' does not take contacts of one's own; moreau does", name_);
}

bool NaturalStepper::load(const Motion& motion, Point& at) const {
  auto kept = open_memory(motion.scheme, memory_name, memory_version);
  if (!kept) return false;
  for (VecX* x : {&at.acceleration, &at.a, &at.lambda}) kept->vector(*x);
  kept->finish();
  // Rows and bodies may have become others since.
  return at.a.size() == system_.size() && at.acceleration.size() == at.a.size() &&
         at.lambda.size() == static_cast<Eigen::Index>(system_.rows().size());
}

void NaturalStepper::store(const Point& at, Motion& motion) const {
  NumberWriter kept = keep_memory(motion.scheme, memory_name, memory_version);
  for (const VecX* x : {&at.acceleration, &at.a, &at.lambda}) kept.vector(*x);
}

void NaturalStepper::make_pulls(const Point& at, double b) {
  set_reactions(at);
  const auto rows = system_.rows();
  alpha_.setZero(static_cast<Eigen::Index>(rows.size()));
  const double omega = rules_.frequency;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].active || rows[i].yields()) continue;
    const auto k = static_cast<Eigen::Index>(i);
    alpha_[k] = rules_.penalty * rows[i].mass / b;
    if (rules_.multipliers) {
      pulls_[i].c = alpha_[k];
    } else {
      // Errors carry the load here, also that of small bodies far from their joints: not by the inertia of directions.
      const double m = rules_.penalty * rows[i].body_mass;
      pulls_[i] = {0, m, 2 * rules_.damping_ratio * omega * m, omega * omega * m};
    }
  }
}

void NaturalStepper::set_reactions(const Point& at) {
  const auto rows = system_.rows();
  pulls_.assign(rows.size(), {});
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].active)
      pulls_[i] = rows[i].yields() ? RowPull{0, 0, rows[i].damping, rows[i].stiffness}
                                   : RowPull{.force = at.lambda[static_cast<Eigen::Index>(i)]};
}

// Accelerations and multipliers that fit the start: M z'' + Phi_z' lambda = Q with d2Phi/dt2 = 0, by the same iteration
// at the level of accelerations. Redundant equations share by their masses.
void NaturalStepper::start(Point& at) {
  at.a = at.acceleration = VecX::Zero(at.z.size());
  at.lambda.setZero(static_cast<Eigen::Index>(system_.rows().size()));
  if (at.z.size() == 0) return;
  system_.evaluate(at.z, at.rate, at.acceleration);
  constexpr double penalty = 1e6;
  std::vector<RowPull> pulls(system_.rows().size());
  for (std::size_t i = 0; i < pulls.size(); ++i) {
    const NaturalRow& row = system_.rows()[i];
    if (row.active)
      pulls[i] = row.yields() ? RowPull{0, 0, row.damping, row.stiffness} : RowPull{0, penalty * row.mass, 0, 0};
  }
  system_.tangent(pulls, {}, T_);
  if (!T_.factor()) return;
  const VecX Q = system_.narrow(system_.forces().sum());
  for (int i = 0; i < 20; ++i) {
    for (std::size_t k = 0; k < pulls.size(); ++k)
      if (pulls[k].a > 0) pulls[k].force = at.lambda[static_cast<Eigen::Index>(k)];
    VecX dz = Q - system_.mass_product(at.acceleration) - system_.narrow(system_.transposed(system_.pull(pulls)));
    T_.solve(dz);
    at.acceleration += dz;
    system_.evaluate_motion(at.rate, at.acceleration);
    const VecX error = system_.accelerations();
    for (std::size_t k = 0; k < pulls.size(); ++k)
      at.lambda[static_cast<Eigen::Index>(k)] += pulls[k].a * error[static_cast<Eigen::Index>(k)];
    if (largest(dz) <= 1e-14 * std::max(1.0, largest(at.acceleration))) break;
  }
  at.a = at.acceleration;
}

// Newton's method. A correction is halved while the next one, found with the same factors, is not smaller (natural
// monotonicity, Deuflhard 2011, section 3.3): friction that turns round and contacts that open need it.
bool NaturalStepper::iterate(double h, Point& at, StepReport& report) {
  if (system_.size() == 0) return true;
  const double b = 1 / family_.acceleration_per_place(h), rate_per_place = family_.rate_per_place(h);
  const TangentWeights weights{1, b * rate_per_place, b};
  const auto residual = [&](const Point& p) {
    system_.evaluate(p.z, p.rate, p.acceleration);
    make_pulls(p, b);
    VecX r = system_.narrow(system_.forces().sum() - system_.transposed(system_.pull(pulls_)));
    r -= system_.mass_product(p.acceleration);
    return VecX(b * r);
  };
  // A correction with what it does to the multipliers; Phi as it would be after all of it.
  struct Correction {
    VecX dz, lambda;
    double rest = 0;
  };
  const auto correct = [&](VecX r) {
    T_.solve(r);
    Correction c{r, VecX::Zero(at.lambda.size())};
    if (!rules_.multipliers) return c;
    const VecX phi = system_.values() + system_.product(c.dz);
    c.lambda = alpha_.cwiseProduct(phi);
    for (Eigen::Index k = 0; k < phi.size(); ++k)
      if (alpha_[k] != 0) c.rest = std::max(c.rest, std::abs(phi[k]));
    return c;
  };
  const auto moved = [&](Point p, const Correction& c, double share) {
    p.z += share * c.dz;
    p.rate += share * rate_per_place * c.dz;
    p.acceleration += share / b * c.dz;
    p.a += share / (family_.beta * h * h) * c.dz;
    p.lambda += share * c.lambda;
    return p;
  };
  const auto is_small = [&](const Correction& c) { return std::max(largest(c.dz), c.rest) <= limit(largest(at.z)); };

  VecX r = residual(at);
  for (int i = 0; i < rules_.max_iterations; ++i) {
    ++report.solve.iterations;
    system_.tangent(pulls_, weights, T_);
    if (!T_.factor()) return false;
    const Correction c = correct(r);
    if (!c.dz.allFinite()) return false;
    if (is_small(c)) {
      at = moved(at, c, 1);
      system_.evaluate(at.z, at.rate, at.acceleration);
      return true;
    }
    Point next;
    for (double share = 1;; share /= 2) {
      next = moved(at, c, share);
      r = residual(next);
      if (system_.contacts().empty() || share < 0.02) break;
      const Correction then = correct(r);
      if (is_small(then) || largest(then.dz) <= (1 - 0.25 * share) * largest(c.dz)) break;
    }
    at = next;
  }
  return false;
}

// From T dz'' = -b Phi_z' alpha e follows (T - b Phi_z' alpha Phi_z) dz'' = -b Phi_z' alpha (e + Phi_z dz''): what
// stands on the right is the reaction that the projection adds. Without it lambda would be of order 1 only: the
// acceleration of the step is off by h/3 of its rate, since it goes with the projected one where the step begins.
void NaturalStepper::project(double h, Point& at) {
  const double b = 1 / family_.acceleration_per_place(h);
  const auto held = [&](VecX x) {
    for (Eigen::Index k = 0; k < x.size(); ++k)
      if (alpha_[k] == 0) x[k] = 0;
    return x;
  };
  const auto correction = [&](const VecX& error) {
    VecX dz = -b * system_.narrow(system_.transposed(alpha_.cwiseProduct(error)));
    T_.solve(dz);
    return dz;
  };
  // Repeated while it helps: near singular positions the equations close in slowly.
  const auto repeat = [&](double size, const auto& error_now, const auto& correct) {
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 50; ++i) {
      const VecX error = held(error_now());
      const double now = largest(error);
      if (now <= 0.1 * limit(size) || !(now < last)) break;
      last = now;
      correct(correction(error));
      system_.evaluate_motion(at.rate, at.acceleration);
    }
  };
  if (rules_.projections) {
    repeat(
        largest(at.rate), [&] { return system_.rates(); }, [&](const VecX& dz) { at.rate += dz; });
    const double share = (1 - family_.alpha_f) / (1 - family_.alpha_m);
    VecX error;
    repeat(
        largest(at.acceleration), [&] { return error = held(system_.accelerations()); },
        [&](const VecX& dz) {
          at.acceleration += dz;
          at.a += share * dz;
          at.lambda += b * alpha_.cwiseProduct(error + held(system_.product(dz)));
        });
  }
  errors_ = {largest(held(system_.values())), largest(held(system_.rates())), largest(held(system_.accelerations()))};
}

void NaturalStepper::measure_residual(const Point& at, StepReport& report) const {
  const VecX inertia = system_.mass_product(at.acceleration), forces = system_.narrow(system_.forces().sum());
  const VecX reactions = system_.narrow(system_.transposed(system_.pull(pulls_)));
  const double scale = inertia.norm() + forces.norm() + reactions.norm();
  const double residual = (inertia + reactions - forces).norm();
  report.solve.residual.scaled = report.solve.residual.relative = scale > 0 ? residual / scale : 0;
}

VecX NaturalStepper::row_forces(RowWork work, const VecX& mu) const {
  VecX kept = -mu;
  for (std::size_t i = 0; i < system_.rows().size(); ++i)
    if (system_.rows()[i].work != work) kept[static_cast<Eigen::Index>(i)] = 0;
  return system_.transposed(kept);
}

void NaturalStepper::note_impulses(const System& system, double h, const Motion& motion, const VecX& mu) {
  const auto rows = system_.rows();
  for (std::size_t i = 0; i < rows.size();) {
    if (rows[i].law >= 0)
      coordinate_impulses_[static_cast<std::size_t>(rows[i].law)] -= h * mu[static_cast<Eigen::Index>(i)];
    if (rows[i].joint < 0) {
      ++i;
      continue;
    }
    const int index = rows[i].joint;
    const Joint& joint = system.joints[static_cast<std::size_t>(index)];
    const PlacedJoint at = place(joint, system.bodies, motion.q);
    RowBlock block;
    fill_rows(joint, at, block);
    RowVector impulse = RowVector::Zero();
    for (int row = 0; row < block.rows; ++row, ++i)
      if (rows[i].active) impulse[row] = -h * mu[static_cast<Eigen::Index>(i)];
    JointImpulse& out = joint_impulses_[static_cast<std::size_t>(index)];
    if (block.side_count == 0) continue;
    const RowSide& side = block.sides[0];
    const Vec3 force = side.linear.transpose() * impulse, torque = side.angular.transpose() * impulse;
    if (joint.body_a >= 0) {
      out.force += force;
      out.torque += torque;
    } else {  // a joint of the world from its other side
      out.force -= force;
      out.torque += at.gap().cross(force) - torque;
    }
  }
}

void NaturalStepper::note_contacts(double h, StepReport& report) {
  contact_results_.clear();
  for (const NaturalContact& contact : system_.contacts()) {
    const NaturalContactForce f = system_.contact_force(contact);
    report.penetration = std::max(report.penetration, -f.gap);
    ContactResult& out = contact_results_.emplace_back();
    out.body_a = contact.body_a;
    out.body_b = contact.body_b;
    out.point = system_.contact_point(contact);
    out.normal = contact.frame.row(0);
    out.impulse = h * (f.normal + f.friction);
    out.gap = f.gap;
    out.friction = contact.friction.friction.kinetic_friction;
    // The ramp of friction counts as sticking up to nine tenths of its limit.
    const double most = contact.friction.friction.kinetic_friction * f.normal.norm();
    out.state = f.normal.isZero(0)               ? ContactState::Open
                : f.friction.norm() < 0.9 * most ? ContactState::Stick
                                                 : ContactState::Slip;
  }
  report.contacts = static_cast<int>(contact_results_.size());
}

StepReport NaturalStepper::part(const System& system, double h, Threads threads, Motion& motion) {
  StepReport report;
  Stopwatch clock;
  Point at;
  system_.begin(system, motion, h);
  system_.read(at.z, at.rate);
  if (!load(motion, at)) {
    system_.evaluate(at.z, at.rate, VecX::Zero(at.z.size()));
    system_.find_contacts(rules_.contact, threads);
    start(at);
  }
  const Point begin = at;

  // Prediction with the acceleration kept, and the contacts there.
  const AlphaFamily& f = family_;
  const VecX& a = begin.a;
  at.a = (begin.acceleration - f.alpha_m * a) / (1 - f.alpha_m);
  at.z += h * begin.rate + h * h * ((0.5 - f.beta) * a + f.beta * at.a);
  at.rate += h * ((1 - f.gamma) * a + f.gamma * at.a);
  system_.drive(h);
  system_.evaluate(at.z, at.rate, at.acceleration);
  system_.find_contacts(rules_.contact, threads);
  report.times.detection = clock.lap();

  // Forces where the step begins, for the accounts.
  system_.drive(0);
  system_.evaluate(begin.z, begin.rate, begin.acceleration);
  set_reactions(begin);
  const VecX place = system_.wide_place(), mu_begin = system_.pull(pulls_);
  const NaturalForces forces_begin = system_.forces();
  const VecX joints_begin = row_forces(RowWork::Joint, mu_begin), drives_begin = row_forces(RowWork::Drive, mu_begin);
  report.times.assembly = clock.lap();

  system_.drive(h);
  const bool converged = iterate(h, at, report);
  if (!at.z.allFinite() || !at.rate.allFinite() || !at.acceleration.allFinite()) {
    report.status = StepStatus::NotFinite;
    return report;
  }
  if (!converged) report.solve.status = SolveStatus::IterationLimit;
  if (!rules_.multipliers) {
    make_pulls(at, 1 / f.acceleration_per_place(h));
    at.lambda = system_.pull(pulls_);
  }
  set_reactions(at);
  measure_residual(at, report);
  project(h, at);
  set_reactions(at);

  // Accounts: half of the forces at both ends, along the way; on driven bodies they are the work of the drive.
  const VecX way = system_.wide_place() - place, mu = system_.pull(pulls_);
  const NaturalForces forces = system_.forces();
  const auto account = [&](const VecX& from, const VecX& to, double& work) {
    const VecX mean = 0.5 * (from + to);
    work += mean.dot(way);
    report.work.drive -= system_.driven_work(mean, way);
  };
  double stored = 0;
  account(forces_begin.conservative, forces.conservative, stored);
  account(forces_begin.loads, forces.loads, report.work.loads);
  account(forces_begin.damping, forces.damping, report.work.damping);
  account(forces_begin.contact, forces.contact, report.work.contact);
  account(forces_begin.friction, forces.friction, report.work.friction);
  account(joints_begin, row_forces(RowWork::Joint, mu), report.work.joints);
  account(drives_begin, row_forces(RowWork::Drive, mu), report.work.drive);
  note_contacts(h, report);

  motion.time += h;
  motion.q = system_.q();
  motion.u = system_.u();
  follow_coordinates(system.joints, system.bodies, motion.q, motion.s);
  store(at, motion);
  note_impulses(system, h, motion, mu);
  note_joint_errors(system, motion, report);
  report.times.solve = clock.lap();
  return report;
}

StepReport NaturalStepper::step(const System& system, Solver&, double h, Threads threads, Motion& motion,
                                WarmStart& warm) {
  Stopwatch whole;
  StepReport report;
  for (int halving = 0; halving <= rules_.halvings; ++halving) {
    const double d = h / (1 << halving);
    bool good = true;
    report = parts_.run(
        system, h, motion, warm, [&](double) { return d; },
        [&](double) {
          joint_impulses_.assign(system.joints.size(), {});
          coordinate_impulses_.assign(system.coordinate_laws.size(), 0.0);
          const StepReport one = part(system, d, threads, motion);
          good = one.status == StepStatus::Done && one.solve.status == SolveStatus::Converged;
          if (one.status != StepStatus::Done || (!good && halving < rules_.halvings)) return parts_.fail(one);
          parts_.add(one, joint_impulses_, coordinate_impulses_);
          return Substeps::Verdict::Keep;
        });
    if (good) break;
  }
  report.times.total = whole.lap();
  if (report.status != StepStatus::Done) return report;
  break_joints(system, joint_impulses(), h, motion.broken);
  warm.contacts.clear();
  warm.joints.clear();
  warm.begun = true;
  return report;
}

}  // namespace cairn
