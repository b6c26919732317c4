// SPDX-License-Identifier: Apache-2.0
// Relaxation from rest under scaled inertia: see the header.
#include "cairn/steppers/quasi_static.h"

#include "cairn/base/stopwatch.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

Vec3 to_body(const Bodies& bodies, int body, const VecX& q, const Vec3& x) {
  if (body < 0) return x;
  const Placement p = bodies.placement(body, q);
  return p.A.partialPivLu().solve(x - p.c);
}

Vec3 to_world(const Bodies& bodies, int body, const VecX& q, const Vec3& X) {
  return body < 0 ? X : bodies.placement(body, q).apply(X);
}

}  // namespace

void QuasiStatic::Settings::describe(ParameterVisitor& v) {
  v.integer("iterations", iterations, {1, 100000, false}, "most relaxations per step");
  v.real("decay", decay, "", unit_interval,
         "share of the first logarithmic fall of kinetic energy below which the relaxation ends");
  v.real("largest_move", largest_move, "m", non_negative,
         "way of a body in one relaxation under the largest load, which sets the masses; 0: masses as they are");
  v.boolean("single_point", single_point,
            "one contact per pair of faces, at the middle of its points, none at edges (thesis, 13.3)");
}

void QuasiStatic::check(const System& system, const Motion&, double h) const {
  if (!(std::isfinite(h) && h > 0)) throw Error("the time step is {} s; must be > 0", h);
  check_scan(name(), system);
  require_plain(system, name());
  for (std::size_t l = 0; l < system.coordinate_laws.size(); ++l)
    if (system.coordinate_laws[l].kind == CoordinateLawKind::Motor)
      throw Error(
          "stepper 'quasi-static' knows no motors (law {} on joint coordinates); use a servo or a prescribed body", l);
}

SparseMatrix QuasiStatic::scaled_mass(const System& system, double h, const Motion& motion, const VecX& force) const {
  const Bodies& bodies = system.bodies;
  const SparseMatrix M = compute_mass(system, motion.q, u_given_, motion.time + h);
  const SparseMatrix stiff = compute_step_mass(system, motion.q, u_given_, motion.time + h, 0, h * h) - M;
  // Freedoms on which no elasticity of the body acts carry it as a whole.
  const auto is_elastic = [&](const Bodies::Slot& s, int i) {
    if (s.rigid) return false;
    for (SparseMatrix::InnerIterator it(stiff, s.u + i); it; ++it)
      if (it.value() != 0 && it.row() >= s.u && it.row() < s.u + s.nu) return true;
    return false;
  };
  double largest = 0;
  for (int body = 0; body < bodies.size(); ++body) {
    const Bodies::Slot& s = bodies.slot(body);
    if (!bodies.can_move(body)) continue;
    double sum = 0;
    for (int i = 0; i < s.nu; ++i)
      if (!is_elastic(s, i) && !(s.rigid && i >= 3)) sum += force[s.u + i] * force[s.u + i];
    largest = std::max(largest, std::sqrt(sum));
  }
  const double wanted = settings_.largest_move > 0 ? largest * h * h / settings_.largest_move : 0;
  VecX factor = VecX::Ones(bodies.nu());
  for (int body = 0; body < bodies.size(); ++body) {
    const Bodies::Slot& s = bodies.slot(body);
    if (!bodies.can_move(body)) continue;
    const double limit = bodies.critical_step(body, motion.q);  // 2/sqrt(lambda_max)
    for (int i = 0; i < s.nu; ++i) {
      const double own = s.rigid ? bodies.mass(body) : M.coeff(s.u + i, s.u + i);
      if (is_elastic(s, i)) {
        factor[s.u + i] = std::isfinite(limit) ? h * h / (limit * limit) : 1;
      } else if (wanted > 0) {
        factor[s.u + i] = wanted / own;
      }
    }
  }
  const VecX root = factor.cwiseSqrt();
  return root.asDiagonal() * M * root.asDiagonal();
}

void QuasiStatic::move_contacts(const System& system, const VecX& q) {
  const std::span<Constraint> contacts = scan_.contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Constraint& c = contacts[i];
    c.point_a = to_world(system.bodies, c.body_a, q, carried_[i].a);
    c.point_b = to_world(system.bodies, c.body_b, q, carried_[i].b);
    c.gap = carried_[i].gap + c.frame.row(0).dot(c.point_a - c.point_b);
  }
}

double QuasiStatic::centre_energy(const System& system, const VecX& q, const VecX& u) const {
  const Bodies& bodies = system.bodies;
  double energy = 0;
  for (int body = 0; body < bodies.size(); ++body) {
    if (!bodies.can_move(body)) continue;
    const Bodies::Slot& s = bodies.slot(body);
    const Vec3 v = bodies.point_velocity(body, q, u, bodies.placement(body, q).c);
    const int place = s.rigid ? s.u : s.u + s.nu - 1;  // general bodies: what stands for their mass
    energy += 0.5 * mass_.coeff(place, place) * v.squaredNorm();
  }
  return energy;
}

void QuasiStatic::account(const System& system, double h, Motion& motion, const VecX& u, Work& work, WarmStart& warm) {
  // Forces r/h over ways h U: the work is r . U. JointStep takes the mean with U_begin, which is not there.
  const VecX U = rows_.row_velocity(u, r_);
  Work half;
  joints_.finish(system, motion.q, u_given_, rows_.layout(), r_, U, half, warm);
  work.joints += 2 * half.joints;
  work.contact += 2 * half.contact;
  work.friction += 2 * half.friction;
  work.drive += half.drive;
  const std::size_t first = joints_.blocks().size();
  r_contact_.assign(contact_blocks_.size(), Vec3::Zero());
  for (std::size_t i = 0; i < contact_blocks_.size(); ++i) {
    const RowBlock& block = contact_blocks_[i];
    const int row = rows_.row(first + i);
    RowVector impulse = RowVector::Zero();
    for (int l = 0; l < block.rows; ++l) {
      impulse[l] = r_[row + l];
      (l == 0 ? work.contact : work.friction) += (U[row + l] - block.shift[l]) * impulse[l];
    }
    r_contact_[i] = impulse.head<3>();
    for (int k = 0; k < block.side_count; ++k) {
      const RowSide& side = block.sides[static_cast<std::size_t>(k)];
      if (system.bodies.slot(side.body).mobility != BodyMobility::Prescribed) continue;
      const Vec3 force = side.linear.transpose() * impulse, torque = side.angular.transpose() * impulse;
      work.drive -= force.dot(system.bodies.point_velocity(side.body, motion.q, u_given_, side.point)) +
                    torque.dot(system.bodies.spin(side.body, motion.q, u_given_));
    }
  }
  work.loads += h * u.dot(forces_.loads);
}

StepStatus QuasiStatic::relax(const System& system, Solver& solver, double h, Motion& motion, WarmStart& warm,
                              bool first, StepReport& report) {
  const Bodies& bodies = system.bodies;
  const double t = motion.time + h;
  compute_smooth_forces(system, motion.q, u_given_, t, forces_);
  if (forces_.status == BodyStatus::Inverted) return StepStatus::BodyInverted;
  if (forces_.status != BodyStatus::Ok) return StepStatus::IndefiniteStiffness;
  if (first) mass_ = scaled_mass(system, h, motion, forces_.all);

  // Rows where the bodies are now.
  move_contacts(system, motion.q);
  scan_.make_blocks(h, contact_blocks_);
  for (std::size_t i = 0; i < contact_blocks_.size(); ++i)
    contact_blocks_[i].shift[0] = std::max(0.0, scan_.clean_gap(system, scan_.contacts()[i])) / h;
  FreeMotion free;
  free.u_free = u_given_;
  joints_.form({{JointRule::Stabilised}, true, system, motion, motion.q, u_given_, free, h, warm});
  rows_.begin(bodies, u_given_);
  rows_.add(bodies, motion.q, joints_.blocks());
  rows_.add(bodies, motion.q, contact_blocks_);
  rows_.finish();
  const std::size_t begin = joints_.blocks().size();
  r_.setZero(rows_.row_count());
  joints_.start(rows_.layout(), warm, r_);
  for (std::size_t i = 0; i < contact_blocks_.size(); ++i) {
    const int n = std::min(3, contact_blocks_[i].rows);
    const Vec3 last = first ? scan_.warm_impulse(scan_.contacts()[i], warm) : r_contact_[i];
    r_.segment(rows_.row(begin + i), n) = last.head(n);
  }

  // A u = h f + H' r.
  const SparseMatrix K =
      compute_step_mass(system, motion.q, u_given_, t, 0, h * h) - compute_mass(system, motion.q, u_given_, t);
  if (!rows_.set_mass(mass_ + K)) return StepStatus::IndefiniteStiffness;
  VecX p = h * forces_.all;
  for (int body = 0; body < bodies.size(); ++body)
    if (const Bodies::Slot& s = bodies.slot(body); !bodies.can_move(body))
      p.segment(s.u, s.nu) = u_given_.segment(s.u, s.nu);
  rows_.set_momentum(p);
  SolveReport solve;
  if (!rows_.empty()) {
    if (keep_problem_) start_ = r_;
    solve = solver.solve(rows_.problem(), r_);
  }
  const VecX u = rows_.velocity(r_);
  if (solve.status == SolveStatus::NotFinite || !u.allFinite()) return StepStatus::NotFinite;

  StepReport part;
  part.solve = solve;
  part.contacts = static_cast<int>(contact_blocks_.size());
  part.penetration = scan_.penetration();
  account(system, h, motion, u, part.work, warm);
  report.add(part);
  VecX q(bodies.nq());
  bodies.advance(motion.q, u, h, q, {});
  if (!q.allFinite()) return StepStatus::NotFinite;
  motion.q = q;
  motion.u = u;
  if (!system.joints.empty()) follow_coordinates(system.joints, bodies, motion.q, motion.s);
  return StepStatus::Done;
}

StepReport QuasiStatic::step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                             WarmStart& warm) {
  Stopwatch whole, clock;
  StepReport report;
  report.parts = 0;
  const Bodies& bodies = system.bodies;
  start_.resize(0);
  Motion next = motion;
  WarmStart kept = warm;
  u_given_.setZero(bodies.nu());
  bodies.prescribe(motion.time + h / 2, motion.q, u_given_);

  // Contacts within reach of the largest moves and of bodies with a given motion.
  double reach = 2 * settings_.largest_move;
  for (std::size_t i = 0; i < system.colliders.size(); ++i)
    reach = std::max(reach,
                     h * bodies.speed_bound(system.colliders[i].body, motion.q, u_given_, system.collider_radius[i]) +
                         2 * settings_.largest_move);
  scan_.find(system, motion.q, u_given_, 0, reach, threads);
  scan_.choose({.all = true, .single_point = settings_.single_point}, system, motion.q, u_given_, warm, threads);
  carried_.clear();
  for (const Constraint& c : scan_.contacts())
    carried_.push_back(
        {to_body(bodies, c.body_a, motion.q, c.point_a), to_body(bodies, c.body_b, motion.q, c.point_b), c.gap});
  report.times.detection = clock.lap();

  double first_fall = 0, last = 0;
  for (int k = 1; k <= settings_.iterations; ++k) {
    const StepStatus status = relax(system, solver, h, next, kept, k == 1, report);
    if (status != StepStatus::Done) {
      report.status = status;
      return report;
    }
    const double energy = centre_energy(system, next.q, next.u);
    const double fall = k > 1 && energy > 0 ? std::log(last / energy) : 0;
    if (k == 2) first_fall = std::max(fall, 0.0);
    last = energy;
    if (k == 1) {  // given motions are made once
      u_given_.setZero();
      continue;
    }
    if (!(energy > 0) || (k > 2 && fall < settings_.decay * first_fall)) break;
  }
  scan_.keep(r_contact_, kept);
  next.time += h;
  next.u.setZero();
  joints_.break_joints(system, h, next.broken);
  motion = next;
  warm = kept;
  note_joint_errors(system, motion, report);
  report.times.solve = clock.lap();
  report.times.total = whole.lap();
  return report;
}

std::optional<StepProblem> QuasiStatic::last_problem(const System&) const {
  if (start_.size() == 0) return {};
  return StepProblem{rows_.problem(), start_, r_};
}

}  // namespace cairn
