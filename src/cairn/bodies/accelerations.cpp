// SPDX-License-Identifier: Apache-2.0
// Newton's and Euler's equations as they are, for schemes that work with accelerations:
//   m dv/dt = m g + F - k m v,    J dOmega/dt = T - Omega x J Omega - k J Omega.
#include "cairn/bodies/bodies.h"

#include <Eigen/Cholesky>
#include <cmath>

namespace cairn {

double Bodies::accelerations(const VecX& q, const VecX& u, const VecX& force, double time, const Vec3& gravity,
                             FreeMotion& free) const {
  free.u_free.setZero(nu_);
  free.inverse_mass_root.assign(mass_.size(), 0);
  free.inverse_inertia_root.assign(mass_.size(), Mat3::Zero());
  free.inverse_mass.resize(general_.size());
  free.status = BodyStatus::Ok;
  double damping = 0;
  for (std::size_t k = 0; k < mass_.size(); ++k) {
    const Slot& s = slots_[static_cast<std::size_t>(rigid_slots_[k])];
    if (s.mobility != BodyMobility::Dynamic) continue;
    const Vec3 v = u.segment<3>(s.u), omega = u.segment<3>(s.u + 3), momentum = inertia_[k] * omega;
    free.u_free.segment<3>(s.u) = gravity + force.segment<3>(s.u) / mass_[k] - linear_damping_[k] * v;
    free.u_free.segment<3>(s.u + 3) =
        inverse_inertia_[k] * (force.segment<3>(s.u + 3) - omega.cross(momentum)) - angular_damping_[k] * omega;
    free.inverse_mass_root[k] = 1 / std::sqrt(mass_[k]);
    free.inverse_inertia_root[k] = inverse_inertia_root_[k];
    damping -= linear_damping_[k] * mass_[k] * v.squaredNorm() + angular_damping_[k] * omega.dot(momentum);
  }
  // A general body tells M^ and h f of a step h. In a step too short for h^2 and h C to count, these are M and h f; a
  // power of two loses no digit of f.
  const double h = std::ldexp(1.0, -200);
  const StepContext step{time, h, gravity, false};
  for (std::size_t g = 0; g < general_.size(); ++g) {
    const Slot& s = slots_[static_cast<std::size_t>(general_slots_[g])];
    MatX M(s.nu, s.nu);
    VecX impulse(s.nu);
    const BodyStatus status = general_[g]->free_motion(q.segment(s.q, s.nq), u.segment(s.u, s.nu), step, M, impulse);
    if (status != BodyStatus::Ok) free.status = status;
    const Eigen::LLT<MatX> factor(M);
    free.inverse_mass[g] = factor.solve(MatX::Identity(s.nu, s.nu));
    free.u_free.segment(s.u, s.nu) = factor.solve(impulse / h + force.segment(s.u, s.nu));
  }
  return damping;
}

void Bodies::rate_of_configuration(const VecX& q, const VecX& u, VecX& rate) const {
  rate.setZero(nq_);
  for (const Slot& s : slots_) {
    if (s.rigid) {
      rate.segment<3>(s.q) = u.segment<3>(s.u);
      const Quat r = stored_orientation(q, s.q), w(0, 0.5 * u[s.u + 3], 0.5 * u[s.u + 4], 0.5 * u[s.u + 5]);
      const Quat turn = r * w;
      rate[s.q + 3] = turn.w();
      rate.segment<3>(s.q + 4) = turn.vec();
      continue;
    }
    const Body& body = general(s.index);
    const auto moved = [&](double h) {
      VecX out(s.nq);
      body.advance(q.segment(s.q, s.nq), u.segment(s.u, s.nu), h, out);
      return out;
    };
    // As many velocities as coordinates: q moves along u, and any step will do. Otherwise a manifold: differences.
    if (s.nq == s.nu) {
      rate.segment(s.q, s.nq) = moved(1) - q.segment(s.q, s.nq);
    } else {
      constexpr double h = 1e-3;
      rate.segment(s.q, s.nq) = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    }
  }
}

}  // namespace cairn
