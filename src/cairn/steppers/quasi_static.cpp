// SPDX-License-Identifier: Apache-2.0
// Relaxation from rest under scaled inertia: see the header.
#include "cairn/steppers/quasi_static.h"

#include "cairn/assembly/step_accounts.h"
#include "cairn/base/stopwatch.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace cairn {
namespace {}  // namespace

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
  check_step_length(h);
  check_local_impacts(name(), system);
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
  const std::span<Constraint> contacts = rows_.contacts.contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Constraint& c = contacts[i];
    c.on_a = carried_[i].a;
    c.on_b = carried_[i].b;
    c.point_a = system.bodies.position(c.on_a, q);
    c.point_b = system.bodies.position(c.on_b, q);
    c.gap = carried_[i].gap + c.frame.row(0).dot(c.point_a - c.point_b);
  }
}

double QuasiStatic::centre_energy(const System& system, const VecX& q, const VecX& u) const {
  const Bodies& bodies = system.bodies;
  double energy = 0;
  for (int body = 0; body < bodies.size(); ++body) {
    if (!bodies.can_move(body)) continue;
    const Bodies::Slot& s = bodies.slot(body);
    const PlacedPoint centre = bodies.centre(body, q);
    const double mass =
        s.rigid ? mass_.coeff(s.u, s.u) : bodies.mass_at(centre, q, MatX(mass_.block(s.u, s.u, s.nu, s.nu)));
    energy += 0.5 * mass * bodies.point_velocity(centre, q, u).squaredNorm();
  }
  return energy;
}

void QuasiStatic::form_rows(const System& system, double h, const Motion& motion, const WarmStart& warm, bool first) {
  // Where the bodies are now.
  move_contacts(system, motion.q);
  rows_.contacts.make_blocks(h, rows_.contact_blocks);
  for (std::size_t i = 0; i < rows_.contacts.size(); ++i)
    rows_.contact_blocks[i].shift[0] =
        std::max(0.0, rows_.contacts.clean_gap(system, rows_.contacts.contacts()[i])) / h;
  still_.u_free = u_given_;
  rows_.form(joint_context(system, h, motion, warm), motion.q);
  rows_.start(warm, !first);
}

bool QuasiStatic::form_mass(const System& system, double h, const Motion& motion) {
  const Bodies& bodies = system.bodies;
  const double t = motion.time + h;
  const SparseMatrix K =
      compute_step_mass(system, motion.q, u_given_, t, 0, h * h) - compute_mass(system, motion.q, u_given_, t);
  if (!rows_.rows.set_mass(mass_ + K)) return false;
  VecX p = h * forces_.all;
  for (int body = 0; body < bodies.size(); ++body)
    if (const Bodies::Slot& s = bodies.slot(body); !bodies.can_move(body))
      p.segment(s.u, s.nu) = u_given_.segment(s.u, s.nu);
  rows_.rows.set_momentum(p);
  return true;
}

StepStatus QuasiStatic::relax(const System& system, Solver& solver, double h, Motion& motion, WarmStart& warm,
                              bool first, StepReport& report) {
  const Bodies& bodies = system.bodies;
  compute_smooth_forces(system, motion.q, u_given_, motion.time + h, forces_);
  if (forces_.status != BodyStatus::Ok) return to_step_status(forces_.status);
  if (first) mass_ = scaled_mass(system, h, motion, forces_.all);
  form_rows(system, h, motion, warm, first);
  if (!form_mass(system, h, motion)) return StepStatus::IndefiniteStiffness;

  // A u = h f + H' r.
  StepReport part;
  if (!rows_.rows.empty()) {
    rows_.hold();
    if (keep_problem_) start_ = rows_.r;
    part.solve = solver.solve(rows_.rows.problem(), rows_.r);
    rows_.release();
  }
  const VecX u = rows_.rows.velocity(rows_.r);
  if (part.solve.status == SolveStatus::NotFinite || !u.allFinite()) return StepStatus::NotFinite;

  // Forces r/h over ways h U: the work is r . U.
  rows_.account(joint_context(system, h, motion, warm), motion.q, u, true, part.work, warm);
  part.work.loads += h * u.dot(forces_.loads);
  rows_.contacts.report_depths(false, part);
  report.add(part);
  VecX q(bodies.nq());
  bodies.advance(motion.q, u, h, q, {});
  if (!q.allFinite()) return StepStatus::NotFinite;
  motion.q = q;
  motion.u = u;
  if (!system.joints.empty()) follow_coordinates(system.joints, bodies, motion.q, motion.s);
  return StepStatus::Done;
}

void QuasiStatic::find_contacts(const System& system, double h, Threads threads, const Motion& motion,
                                const WarmStart& warm) {
  // Within reach of the largest moves and of bodies with a given motion.
  const Bodies& bodies = system.bodies;
  double fastest = 0;
  for (std::size_t i = 0; i < system.colliders.size(); ++i)
    fastest = std::max(fastest,
                       bodies.speed_bound(system.colliders[i].body, motion.q, u_given_, h, system.collider_radius[i]));
  const double reach = h * fastest + 2 * settings_.largest_move;
  const ContactRules rules{.open = OpenContacts::All, .single_point = settings_.single_point};
  rows_.contacts.detect(rules, system, motion.q, u_given_, 0, reach, threads);
  still_.u_free = u_given_;
  rows_.contacts.choose(rules, {system, motion.q, u_given_, still_, h, warm, threads});
  carried_.clear();
  for (const Constraint& c : rows_.contacts.contacts())
    carried_.push_back(
        {bodies.locate(c.body_a, motion.q, c.point_a), bodies.locate(c.body_b, motion.q, c.point_b), c.gap});
}

StepReport QuasiStatic::step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                             WarmStart& warm) {
  Stopwatch whole, clock;
  StepReport report;
  report.parts = 0;
  start_.resize(0);
  Motion next = motion;
  WarmStart kept = warm;
  u_given_.setZero(system.bodies.nu());
  system.bodies.prescribe(motion.time + h / 2, motion.q, u_given_);
  find_contacts(system, h, threads, motion, warm);
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
  rows_.contacts.keep(rows_.r_contact, kept);
  next.time += h;
  next.u.setZero();
  break_joints(system, rows_.joints.impulses(), h, next.broken);
  motion = next;
  warm = kept;
  note_joint_errors(system, motion, report);
  report.times.solve = clock.lap();
  report.times.total = whole.lap();
  return report;
}

std::optional<StepProblem> QuasiStatic::last_problem(const System&) const {
  if (start_.size() == 0) return {};
  return StepProblem{rows_.rows.problem(), start_, rows_.r};
}

}  // namespace cairn
