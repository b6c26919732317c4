// SPDX-License-Identifier: Apache-2.0
// The part of a step that bodies do themselves: moving on with a constant velocity, free motion, end of step.
// Rigid rotations of the midpoint rule: Koziara eqs. 5.2.9-5.2.16 (math/rotation_schemes.h); of other theta the
// gyroscopic torque is a force like others, at the velocity of the begin. Linear damping and elasticity are linearly
// implicit: M^ = M + theta h D + theta^2 h^2 K (Studer 2009, eq. 5.30 with alpha = beta = theta). Of a general body the
// force is evaluated at (q_mid, u_begin); with K, f at theta (end) + 1 - theta (start) adds (1 - 2 theta) h^2 K u_begin
// to its impulse, as q_start is (1 - theta) h u_begin before q_mid and q_end theta h u_end beyond it.
#include "cairn/bodies/bodies.h"

#include <cmath>

namespace cairn {
namespace {

constexpr std::size_t grain = 512;  // bodies per task: below this a task costs more than its work

}  // namespace

void Bodies::advance(const VecX& q, const VecX& u, double h, VecX& q_out, Threads threads) const {
  parallel_chunks(threads, slots_.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Slot& s = slots_[i];
      if (!s.rigid) {
        general(s.index).advance(q.segment(s.q, s.nq), u.segment(s.u, s.nu), h, q_out.segment(s.q, s.nq));
        continue;
      }
      q_out.segment<3>(s.q) = q.segment<3>(s.q) + h * u.segment<3>(s.u);
      store_orientation(rotate_by(stored_orientation(q, s.q), h * u.segment<3>(s.u + 3)), s.q, q_out);
    }
  });
}

void Bodies::free_motion(const VecX& q_mid, const VecX& u, const VecX& force, const StepContext& step, FreeMotion& free,
                         Threads threads) const {
  const double h = step.h;
  free.u_free.resize(nu_);
  free.inverse_mass_root.resize(mass_.size());
  free.inverse_inertia_root.resize(mass_.size());
  free.momentum_mid.resize(mass_.size());
  free.torque_impulse.resize(mass_.size());
  free.status = BodyStatus::Ok;
  parallel_chunks(threads, mass_.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const Slot& s = slots_[static_cast<std::size_t>(rigid_slots_[k])];
      if (s.mobility != BodyMobility::Dynamic) {
        free.u_free.segment<6>(s.u) = u.segment<6>(s.u);
        free.inverse_mass_root[k] = 0;
        free.inverse_inertia_root[k].setZero();
        continue;
      }
      const double m = mass_[k];
      const double linear = 1 + step.theta * h * linear_damping_[k], angular = 1 + step.theta * h * angular_damping_[k];
      const Vec3 v = u.segment<3>(s.u), omega = u.segment<3>(s.u + 3);
      free.u_free.segment<3>(s.u) =
          v + h / linear * (step.gravity + force.segment<3>(s.u) / m - linear_damping_[k] * v);
      // Momentum carried to mid-step (5.2.11): exp[-(h/2) Omega] J Omega.
      HalfStep half{Quat::Identity(), inertia_[k] * omega};
      if (!omega.isZero(0) && !is_isotropic(inertia_[k])) {
        half.momentum_mid = exp_quaternion(-0.5 * h * omega) * half.momentum_mid;
      }
      Vec3 torque = force.segment<3>(s.u + 3);
      if (angular_damping_[k] > 0) torque -= angular_damping_[k] * (inertia_[k] * omega);
      const Vec3 omega_free =
          step.theta == 0.5 ? predict_velocity(half, omega, inertia_[k], inverse_inertia_[k], torque, h)
                            : Vec3(omega + h * (inverse_inertia_[k] * (torque - omega.cross(inertia_[k] * omega))));
      free.u_free.segment<3>(s.u + 3) = omega + (omega_free - omega) / angular;
      free.momentum_mid[k] = half.momentum_mid;
      free.torque_impulse[k] = h * torque;
      free.inverse_mass_root[k] = 1 / std::sqrt(m * linear);
      free.inverse_inertia_root[k] =
          angular_damping_[k] > 0 ? Mat3(inverse_inertia_root_[k] / std::sqrt(angular)) : inverse_inertia_root_[k];
    }
  });
  const double theta = step.theta;
  for (std::size_t g = 0; g < general_.size(); ++g) {
    const int body = general_slots_[g];
    const Slot& s = slot(body);
    MassOperator& mass = own_mass(g, free);
    BodyTerms& terms = free.terms[g];
    const Terms wanted = Terms::Force | Terms::Mass | Terms::Damping;
    const BodyStatus status = evaluate(body, q_mid, u, step.time_mid, step.gravity,
                                       step.implicit_elasticity ? wanted | Terms::Stiffness : wanted, terms);
    if (status != BodyStatus::Ok && free.status == BodyStatus::Ok) free.status = status;
    const BodyStatus factor = mass.set(terms, theta * h, step.implicit_elasticity ? theta * theta * h * h : 0);
    if (factor != BodyStatus::Ok && free.status == BodyStatus::Ok) free.status = factor;
    auto change = free.u_free.segment(s.u, s.nu);
    change = h * (terms.force + force.segment(s.u, s.nu));
    if (step.implicit_elasticity && theta != 0.5 && terms.has_stiffness)
      change += (1 - 2 * theta) * h * h * ((terms.material + terms.geometric) * u.segment(s.u, s.nu));
    mass.solve(change);
    change += u.segment(s.u, s.nu);
  }
}

MassOperator& Bodies::own_mass(std::size_t general, FreeMotion& free) const {
  free.mass.resize(general_.size());
  free.terms.resize(general_.size());
  std::shared_ptr<MassOperator>& mass = free.mass[general];
  if (!mass || mass.use_count() > 1) mass = general_[general]->make_mass();
  return *mass;
}

void Bodies::factorise_mass(const VecX& q, FreeMotion& free) const {
  free.u_free.setZero(nu_);
  free.inverse_mass_root.assign(mass_.size(), 0);
  free.inverse_inertia_root.assign(mass_.size(), Mat3::Zero());
  free.status = BodyStatus::Ok;
  for (std::size_t k = 0; k < mass_.size(); ++k) {
    if (slot(rigid_slots_[k]).mobility != BodyMobility::Dynamic) continue;
    free.inverse_mass_root[k] = 1 / std::sqrt(mass_[k]);
    free.inverse_inertia_root[k] = inverse_inertia_root_[k];
  }
  for (std::size_t g = 0; g < general_.size(); ++g) {
    MassOperator& mass = own_mass(g, free);
    evaluate(general_slots_[g], q, free.u_free, 0, Vec3::Zero(), Terms::Mass, free.terms[g]);
    if (mass.set(free.terms[g], 0, 0) != BodyStatus::Ok) free.status = BodyStatus::IndefiniteStiffness;
  }
}

void Bodies::finish(RotationScheme scheme, const VecX& q_mid, const VecX& u_begin, const VecX& u_solved,
                    const VecX& reaction, const StepContext& step, FreeMotion& free, VecX& q_end, VecX& u_end,
                    Threads threads) const {
  const double h = step.h;
  parallel_chunks(threads, slots_.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Slot& s = slots_[i];
      if (!s.rigid) {
        u_end.segment(s.u, s.nu) = u_solved.segment(s.u, s.nu);
        general(s.index).advance(q_mid.segment(s.q, s.nq), u_solved.segment(s.u, s.nu), step.theta * h,
                                 q_end.segment(s.q, s.nq));
        continue;
      }
      const std::size_t k = static_cast<std::size_t>(s.index);
      const Quat mid = stored_orientation(q_mid, s.q);
      u_end.segment<3>(s.u) = u_solved.segment<3>(s.u);
      q_end.segment<3>(s.q) = q_mid.segment<3>(s.q) + step.theta * h * u_solved.segment<3>(s.u);
      const Vec3 omega_1 = u_solved.segment<3>(s.u + 3);
      if (s.mobility != BodyMobility::Dynamic || angular_damping_[k] > 0 || step.theta != 0.5) {
        // Angular damping makes the momentum balance implicit; the velocity of the solve is then final (NEW1).
        u_end.segment<3>(s.u + 3) = omega_1;
        store_orientation(rotate_by(mid, step.theta * h * omega_1), s.q, q_end);
        continue;
      }
      const RotationEnd end_state =
          finish_step(scheme, {mid, free.momentum_mid[k]}, omega_1,
                      free.torque_impulse[k] + reaction.segment<3>(s.u + 3), inertia_[k], inverse_inertia_[k], h);
      u_end.segment<3>(s.u + 3) = end_state.omega_body;
      store_orientation(end_state.orientation, s.q, q_end);
    }
  });
  // Work of damping over the step: its force at (1 - theta) u_B + theta u_E times the mean velocity, which is
  // exact for the implicit form used above.
  free.damping_work = 0;
  for (std::size_t k = 0; k < mass_.size(); ++k) {
    const Slot& s = slots_[static_cast<std::size_t>(rigid_slots_[k])];
    if (s.mobility != BodyMobility::Dynamic) continue;
    if (linear_damping_[k] > 0) {
      const Vec3 begin = u_begin.segment<3>(s.u), end = u_end.segment<3>(s.u);
      const Vec3 mean = 0.5 * (begin + end), at = begin + step.theta * (end - begin);
      free.damping_work -= h * linear_damping_[k] * mass_[k] * mean.dot(at);
    }
    if (angular_damping_[k] > 0) {
      const Vec3 begin = u_begin.segment<3>(s.u + 3), end = u_end.segment<3>(s.u + 3);
      const Vec3 mean = 0.5 * (begin + end), at = begin + step.theta * (end - begin);
      free.damping_work -= h * angular_damping_[k] * mean.dot(inertia_[k] * at);
    }
  }
  for (std::size_t g = 0; g < general_.size(); ++g) {
    if (!free.terms[g].has_damping) continue;
    const Slot& s = slot(general_slots_[g]);
    const ConstVec begin = u_begin.segment(s.u, s.nu), end = u_end.segment(s.u, s.nu);
    free.damping_work -= h * (0.5 * (begin + end)).dot(free.terms[g].damping * (begin + step.theta * (end - begin)));
  }
}

}  // namespace cairn
