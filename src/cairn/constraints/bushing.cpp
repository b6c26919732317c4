// SPDX-License-Identifier: Apache-2.0
// Bushings: force, moment, energy and exact tangents.
#include "cairn/constraints/bushing.h"

#include "cairn/base/error.h"
#include "cairn/math/rotation.h"

#include <cmath>

namespace cairn {
namespace {

/// b in T^-1 = 1 - psi^/2 + b psi^ psi^, as a function of s = |psi|^2, and its slope db/ds.
struct InverseMap {
  double b, slope;
};

InverseMap inverse_map(double s) {
  if (s < 0.25) {
    // b = sum of |B_2k|/(2k)! s^(k-1), Bernoulli numbers; the first term left out is below 1e-17 of b.
    constexpr std::array<double, 8> c{1.0 / 12,          1.0 / 720,
                                      1.0 / 30240,       1.0 / 1209600,
                                      1.0 / 47900160,    691.0 / 1307674368000,
                                      1.0 / 74724249600, 3617.0 / 10670622842880000};
    InverseMap m{0, 0};
    for (std::size_t k = c.size(); k-- > 0;) {
      m.b = m.b * s + c[k];
      if (k > 0) m.slope = m.slope * s + static_cast<double>(k) * c[k];
    }
    return m;
  }
  // b = 1/s - cot(a/2)/(2 a) with a = |psi|.
  const double a = std::sqrt(s), cotangent = 1 / std::tan(a / 2);
  const double b = 1 / s - cotangent / (2 * a);
  const double by_angle = -2 / (s * a) + cotangent / (2 * s) + (1 + cotangent * cotangent) / (4 * a);
  return {b, by_angle / (2 * a)};
}

/// g = T^-T w = w + psi x w/2 + b psi x (psi x w) with w = kt psi, and dg/dpsi.
struct Moment {
  Vec3 value;
  Mat3 tangent;
};

Moment elastic_moment(const Vec3& stiffness, const Vec3& psi) {
  const Vec3 w = stiffness.cwiseProduct(psi), cross = psi.cross(w), twice = psi.cross(cross);
  const Mat3 P = hat(psi), k = stiffness.asDiagonal();
  const auto [b, slope] = inverse_map(psi.squaredNorm());
  return {w + 0.5 * cross + b * twice,
          k + 0.5 * (P * k - hat(w)) - b * (hat(cross) + P * hat(w) - P * P * k) + 2 * slope * twice * psi.transpose()};
}

Quat orientation_of(const Bodies& bodies, int body, const VecX& q) {
  return body < 0 ? Quat::Identity() : stored_orientation(q, bodies.slot(body).q);
}

Vec3 spin_of(const Bodies& bodies, int body, const VecX& u) {
  return body < 0 ? Vec3::Zero() : Vec3(u.segment<3>(bodies.slot(body).u + 3));
}

void check_numbers(std::string_view name, const Vec3& x, std::string_view unit) {
  if (!x.allFinite() || x.minCoeff() < 0)
    throw Error("{} is [{}, {}, {}] {}; each must be >= 0", name, x.x(), x.y(), x.z(), unit);
}

}  // namespace

Bushing::Bushing(const Spec& spec) : spec_(spec) {
  check_numbers("stiffness", spec.stiffness, "N/m");
  check_numbers("damping", spec.damping, "N s/m");
  check_numbers("torsional_stiffness", spec.torsional_stiffness, "N m/rad");
  check_numbers("torsional_damping", spec.torsional_damping, "N m s/rad");
  if (!spec.a.local.allFinite() || !spec.b.local.allFinite()) throw Error("anchors must be finite");
  for (Quat* axes : {&spec_.axes_a, &spec_.axes_b}) {
    if (!axes->coeffs().allFinite() || !(axes->norm() > 1e-9)) throw Error("the axes are no rotation");
    axes->normalize();
  }
  if (spec.a.body == spec.b.body) throw Error("both ends are on the same body");
  frame_ = {spec.a.body, spec.a.local, spec_.axes_a.toRotationMatrix()};
}

Vec3 Bushing::rotation(const Bodies& bodies, const VecX& q) const {
  const Quat a = orientation_of(bodies, spec_.a.body, q) * spec_.axes_a;
  const Quat b = orientation_of(bodies, spec_.b.body, q) * spec_.axes_b;
  return log_rotation(Quat(a.conjugate() * b));
}

void Bushing::add_forces(const ForceView& at, VecX& conservative, VecX& other) const {
  const Bodies& bodies = at.bodies;
  const VecX &q = at.q, &u = at.u;
  const CarriedPoint point = see_point(bodies, frame_, spec_.b, q, u);
  add_carried_force(bodies, point, q, -spec_.stiffness.cwiseProduct(point.place), conservative);
  if (!spec_.damping.isZero(0)) add_carried_force(bodies, point, q, -spec_.damping.cwiseProduct(point.speed), other);

  const Quat a = orientation_of(bodies, spec_.a.body, q), b = orientation_of(bodies, spec_.b.body, q);
  const auto turn = [&](const Vec3& moment, VecX& generalised) {  // in A's axes, on B
    const Vec3 in_a = spec_.axes_a * moment;
    if (spec_.a.body >= 0) generalised.segment<3>(bodies.slot(spec_.a.body).u + 3) -= in_a;
    if (spec_.b.body >= 0) generalised.segment<3>(bodies.slot(spec_.b.body).u + 3) += b.conjugate() * (a * in_a);
  };
  if (!spec_.torsional_stiffness.isZero(0))
    turn(-elastic_moment(spec_.torsional_stiffness, rotation(bodies, q)).value, conservative);
  if (!spec_.torsional_damping.isZero(0)) {
    const Vec3 in_a = a.conjugate() * (b * spin_of(bodies, spec_.b.body, u)) - spin_of(bodies, spec_.a.body, u);
    turn(-spec_.torsional_damping.cwiseProduct(spec_.axes_a.conjugate() * in_a), other);
  }
}

bool Bushing::depends_on_velocity() const { return !spec_.damping.isZero(0) || !spec_.torsional_damping.isZero(0); }

double Bushing::energy(const ForceView& at) const {
  const Vec3 d = see_place(at.bodies, frame_, spec_.b, at.q).place;
  const Vec3 psi = rotation(at.bodies, at.q);
  return 0.5 * d.dot(spec_.stiffness.cwiseProduct(d)) + 0.5 * psi.dot(spec_.torsional_stiffness.cwiseProduct(psi));
}

void Bushing::add_rotation_tangent(const Bodies& bodies, const VecX& q, const VecX& u, ForceTangent& tangent) const {
  // omega = L u and F = L' m with L = [-S' | Q] on the two spins, Q = S' R_A' R_B; psi moves by T^-1 L d.
  const Mat3 S = spec_.axes_a.toRotationMatrix();
  const Quat a = orientation_of(bodies, spec_.a.body, q), b = orientation_of(bodies, spec_.b.body, q);
  const Mat3 Q = S.transpose() * (a.conjugate() * b).toRotationMatrix();
  const Vec3 spin_b = spin_of(bodies, spec_.b.body, u), spin_a = spin_of(bodies, spec_.a.body, u);
  const Vec3 psi = rotation(bodies, q), omega = Q * spin_b - S.transpose() * spin_a;
  const Moment elastic = elastic_moment(spec_.torsional_stiffness, psi);
  const Mat3 damping = spec_.torsional_damping.asDiagonal();
  const Vec3 m = -elastic.value - damping * omega;
  const Mat3 P = hat(psi);
  const Mat3 inverse = Mat3::Identity() - 0.5 * P + inverse_map(psi.squaredNorm()).b * P * P;

  const int na = tangent.size[0], nb = tangent.size[1];
  Mat3X L = Mat3X::Zero(3, na + nb), change = L;  // d(L u)/dd
  if (na > 0) L.middleCols<3>(3) = -S.transpose(), change.middleCols<3>(3) = hat(Q * spin_b) * S.transpose();
  if (nb > 0) L.rightCols<3>() = Q, change.rightCols<3>() = -Q * hat(spin_b);
  tangent.D += L.transpose() * damping * L;
  tangent.K += L.transpose() * (elastic.tangent * inverse * L + damping * change);
  // L' itself: the moment on B is given in its own axes, which turn against those of A.
  if (nb > 0) tangent.K.bottomRightCorner<3, 3>() -= hat(Q.transpose() * m);
  if (na > 0 && nb > 0) tangent.K.block<3, 3>(na + 3, 3) += Q.transpose() * hat(m) * S.transpose();
}

ForceTangent Bushing::tangent(const ForceView& at) const {
  const Bodies& bodies = at.bodies;
  const VecX &q = at.q, &u = at.u;
  ForceTangent result(bodies, acts_on());
  const CarriedPoint point = see_point(bodies, frame_, spec_.b, q, u);
  CarriedForce f;
  f.force = -spec_.stiffness.cwiseProduct(point.place) - spec_.damping.cwiseProduct(point.speed);
  f.per_place = -Mat3(spec_.stiffness.asDiagonal());
  f.per_speed = -Mat3(spec_.damping.asDiagonal());
  add_carried_tangent(bodies, frame_, spec_.b, q, u, f, result);
  add_rotation_tangent(bodies, q, u, result);
  return result;
}

}  // namespace cairn
