// SPDX-License-Identifier: Apache-2.0
// The bodies of a system: adding them, asking them.
#include "cairn/bodies/bodies.h"

#include "cairn/base/error.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

namespace cairn {

BodyId Bodies::add_slot(BodyMobility mobility, bool rigid, int index, int nq, int nu) {
  slots_.push_back({mobility, rigid, index, nq_, nu_, nq, nu});
  nq_ += nq;
  nu_ += nu;
  return BodyId{static_cast<int>(slots_.size()) - 1};
}

BodyId Bodies::add_rigid_slot(BodyMobility mobility, const RigidSpec& spec) {
  rigid_slots_.push_back(static_cast<int>(slots_.size()));
  start_.push_back(spec);
  start_.back().orientation.normalize();
  mass_.push_back(spec.mass);
  linear_damping_.push_back(spec.linear_damping);
  angular_damping_.push_back(spec.angular_damping);
  inertia_.push_back(spec.inertia);
  const bool dynamic = mobility == BodyMobility::Dynamic;
  inverse_inertia_.push_back(dynamic ? Mat3(spec.inertia.inverse()) : Mat3::Zero());
  Mat3 root = Mat3::Zero();
  if (dynamic) {
    const Mat3 L = spec.inertia.llt().matrixL();
    root = L.inverse();
  }
  inverse_inertia_root_.push_back(root);
  return add_slot(mobility, true, static_cast<int>(mass_.size()) - 1, 7, 6);
}

BodyId Bodies::add_rigid(const RigidSpec& spec) {
  if (!(std::isfinite(spec.mass) && spec.mass > 0)) throw Error("mass is {} kg; must be > 0 and finite", spec.mass);
  if (!spec.inertia.allFinite()) throw Error("inertia is not finite; must be a symmetric positive definite matrix");
  const double scale = spec.inertia.norm();
  if ((spec.inertia - spec.inertia.transpose()).norm() > 1e-9 * scale) throw Error("inertia is not symmetric");
  const Vec3 principal = Eigen::SelfAdjointEigenSolver<Mat3>(spec.inertia, Eigen::EigenvaluesOnly).eigenvalues();
  if (!(principal[0] > 0)) throw Error("inertia has the principal value {} kg m^2; all must be > 0", principal[0]);
  if (principal[2] > (principal[0] + principal[1]) * (1 + 1e-9)) {
    throw Error(
        "principal inertias {}, {}, {} kg m^2 belong to no body: the largest may not exceed the sum of the others",
        principal[0], principal[1], principal[2]);
  }
  if (!spec.position.allFinite() || !spec.velocity.allFinite() || !spec.angular_velocity.allFinite()) {
    throw Error("position, velocity and angular velocity must be finite");
  }
  if (!(spec.orientation.norm() > 1e-9) || !spec.orientation.coeffs().allFinite()) {
    throw Error("orientation is not a quaternion that can be normalised");
  }
  if (!(spec.linear_damping >= 0) || !(spec.angular_damping >= 0)) throw Error("damping must be >= 0 1/s");
  return add_rigid_slot(BodyMobility::Dynamic, spec);
}

BodyId Bodies::add_fixed(const Vec3& position, const Quat& orientation) {
  RigidSpec spec;
  spec.position = position;
  spec.orientation = orientation;
  return add_rigid_slot(BodyMobility::Fixed, spec);
}

BodyId Bodies::add_prescribed(const Vec3& position, const Quat& orientation, PrescribedMotion motion) {
  RigidSpec spec;
  spec.position = position;
  spec.orientation = orientation;
  const BodyId id = add_rigid_slot(BodyMobility::Prescribed, spec);
  motions_.emplace_back(id.value, std::move(motion));
  return id;
}

BodyId Bodies::add(std::shared_ptr<const Body> body) {
  if (!body || body->nq() <= 0 || body->nu() <= 0) throw Error("a body needs at least one coordinate and one velocity");
  if (body->history_size() > 0)
    throw Error("body '{}' remembers {} numbers from step to step; no scheme carries them yet", body->kind(),
                body->history_size());
  VecX q(body->nq()), u(body->nu());
  body->initial(q, u);
  body->difference(q, q, u);  // tells at once of a body that is not flat and does not say how it moves
  general_.push_back(std::move(body));
  general_slots_.push_back(static_cast<int>(slots_.size()));
  const Body& b = *general_.back();
  return add_slot(BodyMobility::Dynamic, false, static_cast<int>(general_.size()) - 1, b.nq(), b.nu());
}

std::string_view Bodies::kind(int body) const {
  const Slot& s = slot(body);
  if (!s.rigid) return general(s.index).kind();
  switch (s.mobility) {
    case BodyMobility::Fixed: return "fixed";
    case BodyMobility::Prescribed: return "prescribed";
    default: return "rigid";
  }
}

double Bodies::mass(int body) const {
  const Slot& s = slot(body);
  if (!s.rigid || s.mobility != BodyMobility::Dynamic) return std::numeric_limits<double>::infinity();
  return mass_[static_cast<std::size_t>(s.index)];
}

void Bodies::initial(VecX& q, VecX& u) const {
  q.setZero(nq_);
  u.setZero(nu_);
  for (int body = 0; body < size(); ++body) {
    const Slot& s = slot(body);
    if (s.rigid) {
      const RigidSpec& start = start_[static_cast<std::size_t>(s.index)];
      initial(body, q);
      u.segment<3>(s.u) = start.velocity;
      u.segment<3>(s.u + 3) = start.orientation.conjugate() * start.angular_velocity;
    } else {
      general(s.index).initial(q.segment(s.q, s.nq), u.segment(s.u, s.nu));
    }
  }
  prescribe(0, q, u);
}

void Bodies::initial(int body, VecX& q) const {
  const Slot& s = slot(body);
  if (s.rigid) {
    const RigidSpec& start = start_[static_cast<std::size_t>(s.index)];
    q.segment<3>(s.q) = start.position;
    store_orientation(start.orientation, s.q, q);
    return;
  }
  VecX u(s.nu);
  general(s.index).initial(q.segment(s.q, s.nq), u);
}

void Bodies::prescribe(double time, const VecX& q, VecX& u) const {
  for (const auto& [body, motion] : motions_) {
    const Slot& s = slot(body);
    const Vec3 v = motion.velocity ? motion.velocity(time) : Vec3::Zero();
    const Vec3 w = motion.angular_velocity ? motion.angular_velocity(time) : Vec3::Zero();
    u.segment<3>(s.u) = v;
    u.segment<3>(s.u + 3) = stored_orientation(q, s.q).conjugate() * w;
  }
}

Placement Bodies::placement(int body, const VecX& q) const {
  const Slot& s = slot(body);
  if (s.rigid) return {stored_orientation(q, s.q).toRotationMatrix(), q.segment<3>(s.q)};
  return general(s.index).placement(q.segment(s.q, s.nq));
}

Energy Bodies::energy(const VecX& q, const VecX& u, const Vec3& gravity) const {
  Energy sum;
  for (const Slot& s : slots_) {
    if (s.mobility != BodyMobility::Dynamic) continue;
    if (s.rigid) {
      const std::size_t k = static_cast<std::size_t>(s.index);
      const Vec3 omega = u.segment<3>(s.u + 3);
      sum.kinetic += 0.5 * mass_[k] * u.segment<3>(s.u).squaredNorm() + 0.5 * omega.dot(inertia_[k] * omega);
      sum.gravity -= mass_[k] * gravity.dot(q.segment<3>(s.q));
    } else {
      sum += general(s.index).energy(q.segment(s.q, s.nq), u.segment(s.u, s.nu), gravity);
    }
  }
  return sum;
}

double Bodies::critical_step(int body, const VecX& q) const {
  const Slot& s = slot(body);
  return s.rigid ? std::numeric_limits<double>::infinity() : general(s.index).critical_step(q.segment(s.q, s.nq));
}

}  // namespace cairn
