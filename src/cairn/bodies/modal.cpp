// SPDX-License-Identifier: Apache-2.0
// Modal body: inertia, motion and forces; material points are in modal_points.cpp.
//
// Lagrange's equations of T(Omega, eta, xi) with Omega = J^-1 (A' L - C eta) put in, C eta' + C' eta' terms collected:
//   (1 - C' J^-1 C) d eta/dt = s + C' J^-1 (Omega x A'L + dJ/dt Omega) - omega^2 xi - (a + b omega^2) eta + forces
//   s_j = Omega' (dJ/dxi_j) Omega/2 - 2 Omega' sum_i eta_i int rho phi_i x phi_j
#include "cairn/bodies/modal.h"

#include "cairn/base/error.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

namespace cairn {
namespace {

auto xi_of(ConstVec q) { return q.tail(q.size() - 7); }
auto eta_of(ConstVec u) { return u.tail(u.size() - 6); }

Quat frame_of(ConstVec q) { return Quat(q[3], q[4], q[5], q[6]); }

void store(const Quat& r, MutVec q) { q.segment<4>(3) << r.w(), r.x(), r.y(), r.z(); }

/// int rho a b' of two fields given at the nodes, the second already multiplied by the mass matrix.
Mat3 moment(ConstVec a, ConstVec Mb) {
  Mat3 sum = Mat3::Zero();
  for (Eigen::Index i = 0; i < a.size(); i += 3) sum += a.segment<3>(i) * Mb.segment<3>(i).transpose();
  return sum;
}

Vec3 axial(const Mat3& T) { return {T(1, 2) - T(2, 1), T(2, 0) - T(0, 2), T(0, 1) - T(1, 0)}; }  // of a b': a x b

void check(const ModalSpec& spec) {
  if (spec.modes < 1) throw Error("modes is {}; must be 1 or more", spec.modes);
  if (!(std::isfinite(spec.mass_damping) && spec.mass_damping >= 0))
    throw Error("mass damping is {} 1/s; must be >= 0", spec.mass_damping);
  if (!(std::isfinite(spec.stiffness_damping) && spec.stiffness_damping >= 0))
    throw Error("stiffness damping is {} s; must be >= 0", spec.stiffness_damping);
  if (!spec.position.allFinite() || !spec.velocity.allFinite() || !spec.angular_velocity.allFinite())
    throw Error("position, velocity and angular velocity must be finite");
  if (!(std::abs(spec.orientation.norm() - 1) < 1e-6)) throw Error("orientation is no unit quaternion");
  for (const VecX* v : {&spec.amplitude, &spec.rate})
    if (v->size() > spec.modes || !v->allFinite())
      throw Error("amplitudes and rates at the start: at most {} finite numbers, one per mode", spec.modes);
}

}  // namespace

ModalBody::ModalBody(ModalSpec spec) : spec_(std::move(spec)) {
  check(spec_);
  modes_ = compute_elastic_modes(std::move(spec_.mesh), spec_.material, spec_.modes);
  spec_.mesh = {};
  triangles_ = find_boundary(modes_.mesh);
  integrate_inertia();
}

void ModalBody::integrate_inertia() {
  const auto n = static_cast<Eigen::Index>(modes_.mesh.nodes.size());
  const auto m = static_cast<std::size_t>(count());
  VecX X(3 * n);
  for (Eigen::Index i = 0; i < n; ++i) X.segment<3>(3 * i) = modes_.mesh.nodes[static_cast<std::size_t>(i)];
  const VecX MX = modes_.matrices.multiply_mass(X);
  const MatX MPhi = modes_.matrices.multiply_mass(modes_.shape);

  const Mat3 second = moment(X, MX);
  inertia_0_ = second.trace() * Mat3::Identity() - 0.5 * (second + second.transpose());
  mean_inertia_ = inertia_0_.trace() / 3;
  least_inertia_ = Eigen::SelfAdjointEigenSolver<Mat3>(inertia_0_).eigenvalues()[0];
  inertia_1_.resize(m), inertia_2_.resize(m * m), coupling_.resize(m * m);
  largest_shape_.setZero(count());
  for (std::size_t i = 0; i < m; ++i) {
    const auto phi = modes_.shape.col(static_cast<Eigen::Index>(i));
    const Mat3 first = moment(phi, MX);
    inertia_1_[i] = 2 * first.trace() * Mat3::Identity() - first - first.transpose();
    for (std::size_t j = 0; j < m; ++j) {
      const Mat3 product = moment(phi, MPhi.col(static_cast<Eigen::Index>(j)));
      inertia_2_[i * m + j] = product.trace() * Mat3::Identity() - 0.5 * (product + product.transpose());
      coupling_[i * m + j] = i == j ? Vec3(Vec3::Zero()) : axial(product);
    }
    for (Eigen::Index k = 0; k < n; ++k)
      largest_shape_[static_cast<Eigen::Index>(i)] =
          std::max(largest_shape_[static_cast<Eigen::Index>(i)], phi.segment<3>(3 * k).norm());
  }
}

ModalBody::Inertia ModalBody::inertia(ConstVec xi) const {
  const auto m = static_cast<std::size_t>(count());
  Inertia result{inertia_0_, Mat3X::Zero(3, count())};
  for (std::size_t i = 0; i < m; ++i) {
    const double a = xi[static_cast<Eigen::Index>(i)];
    if (a == 0) continue;
    result.J += a * inertia_1_[i];
    for (std::size_t j = 0; j < m; ++j) {
      result.J += a * xi[static_cast<Eigen::Index>(j)] * inertia_2_[i * m + j];
      result.C.col(static_cast<Eigen::Index>(j)) += a * coupling_[i * m + j];
    }
  }
  return result;
}

Mat3 ModalBody::inertia_rate(ConstVec xi, ConstVec eta) const {
  const auto m = static_cast<std::size_t>(count());
  Mat3 rate = Mat3::Zero();
  for (std::size_t i = 0; i < m; ++i) {
    Mat3 slope = inertia_1_[i];
    for (std::size_t j = 0; j < m; ++j) slope += 2 * xi[static_cast<Eigen::Index>(j)] * inertia_2_[i * m + j];
    rate += eta[static_cast<Eigen::Index>(i)] * slope;
  }
  return rate;
}

void ModalBody::initial(MutVec q, MutVec u) const {
  q.setZero(), u.setZero();
  q.head<3>() = spec_.position;
  store(spec_.orientation.normalized(), q);
  u.head<3>() = spec_.velocity;
  const Quat A = frame_of(q);
  q.segment(7, spec_.amplitude.size()) = spec_.amplitude;
  u.segment(6, spec_.rate.size()) = spec_.rate;
  const Inertia in = inertia(xi_of(q));
  u.segment<3>(3) = A * Vec3(in.J * (A.conjugate() * spec_.angular_velocity) + in.C * eta_of(u)) / mean_inertia_;
}

Vec3 ModalBody::angular_velocity(ConstVec q, ConstVec u) const {
  const Inertia in = inertia(xi_of(q));
  const Quat A = frame_of(q);
  return A * Vec3(in.J.inverse() * (A.conjugate() * Vec3(mean_inertia_ * u.segment<3>(3)) - in.C * eta_of(u)));
}

// The frame turns by Cayley's map of h Omega, A_b cay(h Omega), with the angular momentum at the mean of both frames:
//   (1 + h hat(Omega)/2) (J Omega + C eta) = A_b' L,   J, C at the mean xi
// which is symmetric in time and keeps the energy of a rigid body that turns with constant L.
void ModalBody::advance(ConstVec q, ConstVec u, double h, MutVec q_out) const {
  const VecX xi = xi_of(q), eta = eta_of(u);
  const Inertia in = inertia(xi + 0.5 * h * eta);
  const Quat A = frame_of(q);
  const Vec3 L = A.conjugate() * Vec3(mean_inertia_ * u.segment<3>(3)), Ceta = in.C * eta;
  Vec3 omega = in.J.inverse() * (L - Ceta);
  for (int i = 0; i < 50; ++i) {
    const Vec3 momentum = in.J * omega + Ceta;
    const Vec3 error = momentum + 0.5 * h * omega.cross(momentum) - L;
    const Mat3 slope = in.J + 0.5 * h * (hat(omega) * in.J - hat(momentum));
    const Vec3 change = slope.inverse() * error;
    omega -= change;
    if (!(change.norm() > 1e-15 * omega.norm())) break;
  }
  q_out.head<3>() = q.head<3>() + h * u.head<3>();
  const Vec3 half = 0.5 * h * omega;
  store((A * Quat(1, half.x(), half.y(), half.z())).normalized(), q_out);
  q_out.tail(count()) = xi + h * eta;
}

void ModalBody::difference(ConstVec q_a, ConstVec q_b, MutVec u) const {
  const VecX xi_a = xi_of(q_a), eta = xi_of(q_b) - xi_a;
  const Inertia in = inertia(xi_a + 0.5 * eta);
  const Quat A = frame_of(q_a), turn = A.conjugate() * frame_of(q_b);
  const Vec3 omega = 2 * turn.vec() / turn.w(), momentum = in.J * omega + in.C * eta;
  u.head<3>() = q_b.head<3>() - q_a.head<3>();
  u.segment<3>(3) = A * Vec3(momentum + 0.5 * omega.cross(momentum)) / mean_inertia_;
  u.tail(count()) = eta;
}

double ModalBody::largest_rotation(ConstVec u) const { return mean_inertia_ * u.segment<3>(3).norm() / least_inertia_; }

void ModalBody::configuration_rate(ConstVec q, ConstVec u, MutVec rate) const {
  const Quat A = frame_of(q);
  const Vec3 half = 0.5 * (A.conjugate() * angular_velocity(q, u));
  rate.head<3>() = u.head<3>();
  store(A * Quat(0, half.x(), half.y(), half.z()), rate);
  rate.tail(count()) = eta_of(u);
}

VecX ModalBody::modal_force(ConstVec q, ConstVec u) const {
  const auto m = static_cast<std::size_t>(count());
  const VecX xi = xi_of(q), eta = eta_of(u);
  const Inertia in = inertia(xi);
  const Mat3 inverse = in.J.inverse();
  const Vec3 L = frame_of(q).conjugate() * Vec3(mean_inertia_ * u.segment<3>(3));
  const Vec3 omega = inverse * (L - in.C * eta);
  VecX force = in.C.transpose() * (inverse * (omega.cross(L) + inertia_rate(xi, eta) * omega));
  for (std::size_t j = 0; j < m; ++j) {
    Mat3 slope = inertia_1_[j];
    Vec3 coriolis = Vec3::Zero();
    for (std::size_t i = 0; i < m; ++i) {
      slope += 2 * xi[static_cast<Eigen::Index>(i)] * inertia_2_[i * m + j];
      coriolis += eta[static_cast<Eigen::Index>(i)] * coupling_[i * m + j];
    }
    force[static_cast<Eigen::Index>(j)] += 0.5 * omega.dot(slope * omega) - 2 * omega.dot(coriolis);
  }
  return force;
}

BodyStatus ModalBody::evaluate(const BodyState& at, Terms wanted, BodyTerms& terms) const {
  const VecX stiffness = modes_.frequency.cwiseAbs2();
  const VecX damping = spec_.mass_damping + spec_.stiffness_damping * stiffness.array();
  if (wants(wanted, Terms::Mass)) {
    const Inertia in = inertia(xi_of(at.q));
    const Mat3 inverse = in.J.inverse(), A = frame_of(at.q).toRotationMatrix();
    terms.mass.topLeftCorner<3, 3>().diagonal().setConstant(modes_.mass);
    terms.mass.block<3, 3>(3, 3) = mean_inertia_ * mean_inertia_ * A * inverse * A.transpose();
    terms.mass.bottomRightCorner(count(), count()) =
        MatX::Identity(count(), count()) - in.C.transpose() * inverse * in.C;
  }
  if (wants(wanted, Terms::Force)) {
    terms.force.head<3>() = modes_.mass * at.gravity;
    terms.force.tail(count()) =
        modal_force(at.q, at.u) - stiffness.cwiseProduct(xi_of(at.q)) - damping.cwiseProduct(eta_of(at.u));
  }
  if (wants(wanted, Terms::Damping) && !damping.isZero(0)) {
    terms.damping.diagonal().tail(count()) = damping;
    terms.has_damping = true;
  }
  if (wants(wanted, Terms::Stiffness)) {
    terms.material.diagonal().tail(count()) = stiffness;
    terms.has_stiffness = true;
  }
  return BodyStatus::Ok;
}

Energy ModalBody::energy(ConstVec q, ConstVec u, const Vec3& gravity) const {
  const VecX xi = xi_of(q), eta = eta_of(u);
  const Inertia in = inertia(xi);
  const Vec3 omega = frame_of(q).conjugate() * angular_velocity(q, u);
  Energy e;
  e.kinetic = 0.5 * modes_.mass * u.head<3>().squaredNorm() + 0.5 * omega.dot(in.J * omega) + omega.dot(in.C * eta) +
              0.5 * eta.squaredNorm();
  e.gravity = -modes_.mass * gravity.dot(q.head<3>());
  e.elastic = 0.5 * modes_.frequency.cwiseProduct(xi).squaredNorm();
  return e;
}

double ModalBody::reach(ConstVec q, ConstVec u, double h, double radius) const {
  // |dy| <= sum |eta| max|phi|. J grows at least as its linear part does (the rest is positive), so |Omega| <=
  // |J Omega|/(least moment of inertia on the way), and |J Omega| <= |L| + |C eta|, C linear in xi.
  const VecX xi = xi_of(q), eta = eta_of(u), largest = xi.cwiseAbs().cwiseMax((xi + h * eta).cwiseAbs());
  const Inertia in = inertia(xi), end = inertia(xi + h * eta);
  const Mat3 rate = inertia_rate(xi, eta);
  const double least = 1 / in.J.inverse().norm() - h * rate.norm();
  const double momentum = mean_inertia_ * u.segment<3>(3).norm() + std::max((in.C * eta).norm(), (end.C * eta).norm());
  const double stretch = largest_shape_.dot(largest), swing = largest_shape_.dot(eta.cwiseAbs());
  const double turn = least > 0 ? std::min(h * momentum / least, 2.0) : 2.0;  // chord of a rotation: at most 2
  return h * u.head<3>().norm() + turn * (radius + stretch) + h * swing;
}

}  // namespace cairn
