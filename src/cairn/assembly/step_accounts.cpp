// SPDX-License-Identifier: Apache-2.0
// Work by cause, and what most schemes check: see the header.
#include "cairn/assembly/step_accounts.h"

#include <cmath>

namespace cairn {

void add_row_work(RowWork kind, int rows, const double* U_begin, const double* U_end, const double* r, Work& work) {
  double first = 0, others = 0;
  for (int l = 0; l < rows; ++l) (l == 0 ? first : others) += 0.5 * (U_begin[l] + U_end[l]) * r[l];
  switch (kind) {
    case RowWork::Joint: work.joints += first + others; break;
    case RowWork::Stop: work.contact += first + others; break;
    case RowWork::Friction: work.friction += first + others; break;
    case RowWork::Drive: work.drive += first + others; break;
    case RowWork::Contact: work.contact += first, work.friction += others; break;
  }
}

void add_drive_work(const Bodies& bodies, const VecX& q, const VecX& u, const Constraint& c, const Vec3& r,
                    Work& work) {
  const auto is_driven = [&](int body) { return body >= 0 && bodies.slot(body).mobility == BodyMobility::Prescribed; };
  if (!is_driven(c.body_a) && !is_driven(c.body_b)) return;
  const Vec3 impulse = c.frame.transpose() * r;
  if (is_driven(c.body_a)) work.drive -= impulse.dot(bodies.point_velocity(c.placed_a(), q, u));
  if (is_driven(c.body_b)) work.drive += impulse.dot(bodies.point_velocity(c.placed_b(), q, u));
}

void add_drive_work(const Bodies& bodies, const VecX& q, const VecX& u, const RowBlock& block, const RowVector& r,
                    Work& work) {
  for (int k = 0; k < block.side_count; ++k) {
    const RowSide& side = block.sides[static_cast<std::size_t>(k)];
    if (bodies.slot(side.body).mobility != BodyMobility::Prescribed) continue;
    const Vec3 force = side.linear.transpose() * r, torque = side.angular.transpose() * r;
    work.drive -= force.dot(bodies.point_velocity(side, q, u)) + torque.dot(bodies.spin(side, q, u));
  }
}

void account_contacts(const Bodies& bodies, const VecX& q, const VecX& u_begin, std::span<const RowBlock> blocks,
                      int first_row, const VecX& r, const VecX& U, bool from_rest, Work& work,
                      std::vector<Vec3>& impulses) {
  impulses.assign(blocks.size(), Vec3::Zero());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const RowBlock& block = blocks[i];
    RowVector impulse = RowVector::Zero(), U_end = RowVector::Zero();
    for (int l = 0; l < block.rows; ++l, ++first_row) {
      impulse[l] = r[first_row];
      U_end[l] = U[first_row] - block.shift[l] - block.compliance[l] * impulse[l];
    }
    const RowVector U_begin = from_rest ? U_end : row_velocity(bodies, q, u_begin, block);
    add_row_work(RowWork::Contact, block.rows, U_begin.data(), U_end.data(), impulse.data(), work);
    add_drive_work(bodies, q, u_begin, block, impulse, work);
    impulses[i] = impulse.head<3>();
  }
}

void break_joints(const System& system, std::span<const JointImpulse> impulses, double h,
                  std::vector<std::uint8_t>& broken) {
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    if (impulses[j].force.norm() > joint.break_force * h || impulses[j].torque.norm() > joint.break_torque * h)
      broken[j] = 1;
  }
}

void check_step_length(double h) {
  if (!(std::isfinite(h) && h > 0)) throw Error("the time step is {} s; must be > 0", h);
}

void check_explicit_elasticity(const System& system, const Motion& motion, double h) {
  for (int body = 0; body < system.bodies.size(); ++body) {
    const double limit = system.bodies.critical_step(body, motion.q);
    if (h > limit)
      throw Error("body {} ({}): explicit elasticity is stable for steps up to {:.4g} s; the step is {:.4g} s", body,
                  system.bodies.kind(body), limit, h);
  }
}

void require_plain(const System& system, std::string_view stepper) {
  for (std::size_t i = 0; i < system.forces.size(); ++i)
    if (system.forces[i]->memory_size() > 0)
      throw Error("stepper '{}' does not take forces that remember (force {}, {}); moreau does", stepper, i,
                  system.forces[i]->kind());
  for (const MaterialId a : system.collider_material)
    for (const MaterialId b : system.collider_material)
      if (system.materials.pair(a, b).stiffness > 0)
        throw Error("stepper '{}' does not take contacts that yield (stiffness); moreau does", stepper);
}

void check_local_impacts(std::string_view stepper, const System& system) {
  if (!system.remote_actions.empty())
    throw Error(
        "stepper '{}' has no restitution, and so no impacts that act on each other (remote actions); use moreau",
        stepper);
}

}  // namespace cairn
