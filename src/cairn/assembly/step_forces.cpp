// SPDX-License-Identifier: Apache-2.0
// Forces of a step, explicit and implicit.
#include "cairn/assembly/step_forces.h"

#include "cairn/constraints/force_stability.h"

#include <algorithm>

namespace cairn {

void StepForces::begin(ForceRule rule, const System& system, const Motion& motion, const StepPlace& place,
                       const VecX& u_begin, double h) {
  const Bodies& bodies = system.bodies;
  const VecX& q = place.q;
  const double theta = place.theta;
  mass_.clear();
  damping_.clear();
  rest_.clear();
  later_.clear();
  implicit_.resize(0);
  conservative_.setZero(bodies.nu());
  other_.setZero(bodies.nu());
  if (system.forces.empty()) {
    force_.setZero(bodies.nu());
    return;
  }
  const std::vector<int> elements = rule == ForceRule::Auto ? count_forces(system) : std::vector<int>{};
  // Those that a second pass leaves as they are come first.
  for_each_force(system, motion, [&](const ForceElement& force, std::size_t i, auto memory) {
    const ForceView at{bodies, q, u_begin, place.time, memory, h};
    const bool stiff =
        rule == ForceRule::Implicit ||
        (rule == ForceRule::Auto && explicit_step(bodies, q, u_begin, force.stiffest(at), elements, h) < h);
    if (!stiff) {
      if (force.depends_on_velocity()) {
        later_.push_back(i);
      } else {
        add(force, at);
      }
      return;
    }
    add(force, at);
    const ForceTangent tangent = force.tangent(at);
    if (tangent.K.isZero(0) && tangent.D.isZero(0)) return;
    const MatX K = positive_part(tangent.K), D = positive_part(tangent.D);
    const double ahead = force.is_one_sided() ? h : theta * h;
    mass_.add(tangent, ahead * D + ahead * ahead * K);
    damping_.add(tangent, ahead * D);
    if (!(tangent.D - D).isZero(1e-12 * tangent.D.cwiseAbs().maxCoeff())) rest_.add(tangent, ahead * (tangent.D - D));
    if (force.is_one_sided()) {
      add_moved(bodies, tangent, -h * K, u_begin);
    } else if (theta != 0.5) {
      add_moved(bodies, tangent, h * (1 - 2 * theta) * K, u_begin);
    }
  });
  first_conservative_ = conservative_;
  first_other_ = other_;
  for_each_force(system, motion, [&](const ForceElement& force, std::size_t i, auto memory) {
    if (std::binary_search(later_.begin(), later_.end(), i)) add(force, {bodies, q, u_begin, place.time, memory, h});
  });
  force_ = conservative_ + other_;
}

void StepForces::add_moved(const Bodies& bodies, const ForceTangent& tangent, const MatX& factor, const VecX& u) {
  VecX there(tangent.size[0] + tangent.size[1]);
  for (int k = 0, row = 0; k < 2; row += tangent.size[static_cast<std::size_t>(k++)])
    if (const int n = tangent.size[static_cast<std::size_t>(k)])
      there.segment(row, n) = u.segment(bodies.slot(tangent.body[static_cast<std::size_t>(k)]).u, n);
  const VecX force = factor * there;
  for (int k = 0, row = 0; k < 2; row += tangent.size[static_cast<std::size_t>(k++)])
    if (const int n = tangent.size[static_cast<std::size_t>(k)])
      conservative_.segment(bodies.slot(tangent.body[static_cast<std::size_t>(k)]).u, n) += force.segment(row, n);
}

void StepForces::renew(const System& system, const Motion& motion, const StepPlace& place, const VecX& u_begin,
                       const VecX& u_end, double h) {
  const Bodies& bodies = system.bodies;
  conservative_ = first_conservative_;
  mean_.setZero(bodies.nu());
  rest_.add_impulse(bodies, u_begin, u_end, mean_);
  other_ = first_other_ + mean_ / h;
  mean_ = u_begin + place.theta * (u_end - u_begin);
  for_each_force(system, motion, [&](const ForceElement& force, std::size_t i, auto memory) {
    if (std::binary_search(later_.begin(), later_.end(), i))
      add(force, {bodies, place.q, mean_, place.time, memory, h});
  });
  force_ = conservative_ + other_;
}

void StepForces::couple(const Bodies& bodies, const VecX& u_begin, FreeMotion& free) {
  mass_.factor(bodies, free);
  mass_.correct(bodies, u_begin, free.u_free);
}

void StepForces::finish(const Bodies& bodies, const VecX& u_begin, const VecX& u_solved, double h, FreeMotion& free) {
  if (mass_.empty()) return;
  VecX impulse = VecX::Zero(bodies.nu());
  mass_.add_impulse(bodies, u_begin, u_solved, impulse);
  for (int body = 0; body < bodies.size(); ++body) {
    const Bodies::Slot& s = bodies.slot(body);
    if (s.rigid && bodies.can_move(body))
      free.torque_impulse[static_cast<std::size_t>(s.index)] += impulse.segment<3>(s.u + 3);
  }
  implicit_ = impulse;
  impulse.setZero();
  damping_.add_impulse(bodies, u_begin, u_solved, impulse);
  other_ += impulse / h;
}

double StepForces::work_on_driven(const Bodies& bodies, const VecX& u, double h) const {
  if (!bodies.has_prescribed()) return 0;
  double work = 0;
  for (int body = 0; body < bodies.size(); ++body) {
    const Bodies::Slot& s = bodies.slot(body);
    if (s.mobility != BodyMobility::Prescribed) continue;
    work += h * force_.segment(s.u, s.nu).dot(u.segment(s.u, s.nu));
    if (implicit_.size() > 0) work += implicit_.segment(s.u, s.nu).dot(u.segment(s.u, s.nu));
  }
  return work;
}

void StepForces::update_memory(const System& system, const VecX& q_mid, const VecX& u_begin, const VecX& q_end,
                               const VecX& u_end, double h, Motion& motion) const {
  if (motion.memory.size() == 0) return;
  const VecX mean = 0.5 * (u_begin + u_end);
  VecX next = motion.memory;
  for_each_force(system, motion, [&](const ForceElement& force, std::size_t, std::span<const double> z) {
    if (z.empty()) return;
    const std::span<double> out(next.data() + (z.data() - motion.memory.data()), z.size());
    force.update_memory({system.bodies, q_mid, mean, motion.time + h / 2, z, h}, q_end, out);
  });
  motion.memory = next;
}

}  // namespace cairn
