// SPDX-License-Identifier: Apache-2.0
// Rates and differences. Newton's and Euler's equations as they are, for schemes that work with accelerations:
//   m dv/dt = m g + F - k m v,    J dOmega/dt = T - Omega x J Omega - k J Omega.
#include "cairn/bodies/bodies.h"

#include "cairn/math/rotation.h"

#include <algorithm>

namespace cairn {

double Bodies::accelerations(const VecX& q, const VecX& u, const VecX& force, double time, const Vec3& gravity,
                             FreeMotion& free) const {
  factorise_mass(q, free);
  double damping = 0;
  for (std::size_t k = 0; k < mass_.size(); ++k) {
    const Slot& s = slots_[static_cast<std::size_t>(rigid_slots_[k])];
    if (s.mobility != BodyMobility::Dynamic) continue;
    const Vec3 v = u.segment<3>(s.u), omega = u.segment<3>(s.u + 3), momentum = inertia_[k] * omega;
    free.u_free.segment<3>(s.u) = gravity + force.segment<3>(s.u) / mass_[k] - linear_damping_[k] * v;
    free.u_free.segment<3>(s.u + 3) =
        inverse_inertia_[k] * (force.segment<3>(s.u + 3) - omega.cross(momentum)) - angular_damping_[k] * omega;
    damping -= linear_damping_[k] * mass_[k] * v.squaredNorm() + angular_damping_[k] * omega.dot(momentum);
  }
  for (std::size_t g = 0; g < general_.size(); ++g) {
    const Slot& s = slot(general_slots_[g]);
    BodyTerms& terms = free.terms[g];
    const BodyStatus status = evaluate(general_slots_[g], q, u, time, gravity, Terms::Force | Terms::Damping, terms);
    if (status != BodyStatus::Ok) free.status = status;
    if (terms.has_damping) damping -= u.segment(s.u, s.nu).dot(terms.damping * u.segment(s.u, s.nu));
    free.u_free.segment(s.u, s.nu) = terms.force + force.segment(s.u, s.nu);
    free.mass[g]->solve(free.u_free.segment(s.u, s.nu));
  }
  return damping;
}

void Bodies::rate_of_configuration(const VecX& q, const VecX& u, VecX& rate) const {
  rate.setZero(nq_);
  for (const Slot& s : slots_) {
    if (!s.rigid) {
      general(s.index).configuration_rate(q.segment(s.q, s.nq), u.segment(s.u, s.nu), rate.segment(s.q, s.nq));
      continue;
    }
    rate.segment<3>(s.q) = u.segment<3>(s.u);
    const Quat r = stored_orientation(q, s.q), w(0, 0.5 * u[s.u + 3], 0.5 * u[s.u + 4], 0.5 * u[s.u + 5]);
    store_orientation(r * w, s.q, rate);
  }
}

void Bodies::difference(const VecX& q_a, const VecX& q_b, VecX& u) const {
  u.resize(nu_);
  for (const Slot& s : slots_) {
    if (!s.rigid) {
      general(s.index).difference(q_a.segment(s.q, s.nq), q_b.segment(s.q, s.nq), u.segment(s.u, s.nu));
      continue;
    }
    u.segment<3>(s.u) = q_b.segment<3>(s.q) - q_a.segment<3>(s.q);
    const Quat turn = stored_orientation(q_a, s.q).conjugate() * stored_orientation(q_b, s.q);
    u.segment<3>(s.u + 3) = log_rotation(turn.normalized());
  }
}

double Bodies::largest_rotation(const VecX& difference) const {
  double angle = 0;
  for (const Slot& s : slots_)
    angle = std::max(angle, s.rigid ? difference.segment<3>(s.u + 3).norm()
                                    : general(s.index).largest_rotation(difference.segment(s.u, s.nu)));
  return angle;
}

void Bodies::normalise(VecX& q) const {
  for (const Slot& s : slots_) {
    if (s.rigid) {
      q.segment<4>(s.q + 3).normalize();
    } else {
      general(s.index).normalise(q.segment(s.q, s.nq));
    }
  }
}

}  // namespace cairn
