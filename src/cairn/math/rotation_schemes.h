// SPDX-License-Identifier: Apache-2.0
// Time steps of a rigid rotation: Koziara's NEW1-3, split so that a contact solver fits in, and two for comparison.
// Source: Koziara, "Aspects of computational contact dynamics", eqs. 5.2.9-5.2.16; LIEMID[EA] after Krysl 2005 and the
// explicit scheme of Simo and Wong 1991 in the form restored for this project.
//
// Letters: Lambda rotation body -> space, Omega angular velocity [rad/s] and J inertia [kg m^2] in body axes,
// T torque [N m] in body axes at mid-step, Pi = J Omega angular momentum, h step [s].
//
// One constrained step of NEW1-3:
//   half = half_step(q, Omega, J, h);                                    geometry and forces at half.orientation_mid
//   omega_free = predict_velocity(half, Omega, J, J_inv, T, h);          the solver's free velocity
//   omega_1 = omega_free + J_inv * (H_rot^T R);                          the solver's result
//   end = finish_step(scheme, half, omega_1, h * T + H_rot^T R, J, J_inv, h);
#pragma once
#include <cmath>
#include <functional>
#include <span>
#include <string_view>

#include "cairn/math/rotation.h"
#include "cairn/math/types.h"

namespace cairn {

enum class RotationScheme { New1, New2, New3, LiemidEa, SimoWong };

struct RotationSchemeInfo {
  RotationScheme scheme;
  std::string_view name;
  std::string_view help;
  bool split;  ///< has the half_step / finish_step form that constraints need
};

/// All schemes, in the order of the enumeration.
std::span<const RotationSchemeInfo> rotation_schemes();
std::string_view to_string(RotationScheme scheme);
/// Throws Error naming the known schemes.
RotationScheme rotation_scheme_from_string(std::string_view name);

struct HalfStep {
  Quat orientation_mid;  ///< Lambda exp[(h/2) Omega]                                            (5.2.9)
  Vec3 momentum_mid;     ///< exp[-(h/2) Omega] J Omega, in the body axes of orientation_mid
};

struct RotationEnd {
  Quat orientation;
  Vec3 omega_body;
  int iterations;  ///< of Newton's method (NEW3), else 0
  bool converged;  ///< false: NEW3 found no solution and this is the step of NEW2 instead
};

/// The product of two unit quaternions, scaled back to unit length when it has drifted by more than a few roundings.
/// Scaling always would change last bits of a body that hardly turns, every step, for nothing.
inline Quat compose(const Quat& q, const Quat& turn) {
  Quat result = q * turn;
  const double n2 = result.squaredNorm();
  if (std::abs(n2 - 1) > 1e-15) result.coeffs() *= 1 / std::sqrt(n2);
  return result;
}

/// Rotates q by the body-axes rotation vector psi; zero psi returns q bit for bit.
inline Quat rotate_by(const Quat& q, const Vec3& psi) {
  if (psi.x() == 0 && psi.y() == 0 && psi.z() == 0) return q;
  return compose(q, exp_quaternion(psi));
}

/// True when J is an exact multiple of the identity (spheres): every NEW scheme is then the same scheme.
inline bool is_isotropic(const Mat3& J) {
  return J(0, 0) == J(1, 1) && J(1, 1) == J(2, 2) && J(0, 1) == 0 && J(0, 2) == 0 && J(1, 2) == 0 && J(1, 0) == 0 &&
         J(2, 0) == 0 && J(2, 1) == 0;
}

/// First half of the step: orientation at mid-step and the momentum carried there.
inline HalfStep half_step(const Quat& q, const Vec3& omega_body, const Mat3& J, double h) {
  if (omega_body.x() == 0 && omega_body.y() == 0 && omega_body.z() == 0) return {q, Vec3::Zero()};
  const Quat turn = exp_quaternion(0.5 * h * omega_body);
  const Quat mid = compose(q, turn);
  if (is_isotropic(J)) return {mid, J(0, 0) * omega_body};
  return {mid, turn.conjugate() * (J * omega_body)};
}

/// Omega_1 without constraint reactions (5.2.11-12); adding J^-1 H_rot^T R gives it with them.
inline Vec3 predict_velocity(const HalfStep& half, const Vec3& omega_body, const Mat3& J, const Mat3& J_inv,
                             const Vec3& torque_body_mid, double h) {
  if (is_isotropic(J)) return omega_body + h * (J_inv * torque_body_mid);
  const Vec3 momentum = half.momentum_mid + 0.5 * h * torque_body_mid;  // J Omega^{h/2}
  const Vec3 omega_mid = J_inv * momentum;
  return omega_body + h * (J_inv * (torque_body_mid - omega_mid.cross(momentum)));
}

/// Solves exp[(h/2) Omega] J Omega = g for Omega (5.2.15) from the given start.
struct New3Solution {
  Vec3 omega;
  int iterations;
  bool converged;
};
New3Solution solve_new3(const Vec3& g, const Vec3& omega_start, const Mat3& J, double h);

/// Second half of the step (5.2.13-16). omega_1 includes the reactions, and so does the angular impulse
/// h T + H_rot^T R, given in the body axes of mid-step. Throws Error for the schemes that are not split.
RotationEnd finish_step(RotationScheme scheme, const HalfStep& half, const Vec3& omega_1,
                        const Vec3& angular_impulse_body_mid, const Mat3& J, const Mat3& J_inv, double h);

/// Torque in space axes at time t and orientation Lambda.
using SpatialTorque = std::function<Vec3(double t, const Mat3& Lambda)>;

struct RotationState {
  Quat orientation = Quat::Identity();
  Vec3 omega_body = Vec3::Zero();
  Vec3 acceleration = Vec3::Zero();  ///< d(Omega)/dt; used and kept by Simo-Wong only
  double time = 0;
};

/// d(Omega)/dt from Euler's equation J Omega' + Omega x J Omega = Lambda^T t.
Vec3 angular_acceleration(const RotationState& state, const Mat3& J, const Mat3& J_inv, const SpatialTorque& torque);

/// One whole step of NEW1, NEW2 or NEW3 without constraints.
RotationState step_new(RotationScheme scheme, const RotationState& state, const Mat3& J, const Mat3& J_inv,
                       const SpatialTorque& torque, double h);
/// One step of Krysl's explicit midpoint Lie algorithm: torque impulses at both ends, two implicit half rotations.
RotationState step_liemid_ea(const RotationState& state, const Mat3& J, const Mat3& J_inv, const SpatialTorque& torque,
                             double h);
/// One step of Simo and Wong's explicit algorithm; state.acceleration must hold angular_acceleration(state).
RotationState step_simo_wong(const RotationState& state, const Mat3& J, const Mat3& J_inv, const SpatialTorque& torque,
                             double h);

/// Runs any scheme for a number of equal steps. An empty torque means none. The initial acceleration of Simo-Wong is
/// taken from the balance. Throws Error if J is not symmetric positive definite, h is not > 0, or an implicit solve
/// found no solution (the step is far too long: the message says so).
RotationState integrate_rotation(RotationScheme scheme, RotationState state, const Mat3& J, const SpatialTorque& torque,
                                 double h, long steps);

/// Residual and exact tangent of the implicit equations, for Newton's method and for tests.
struct RotationEquation {
  Vec3 residual;
  Mat3 tangent;
};
/// NEW3 (5.2.15) seen from the end of the step: r = J Omega - exp[-(h/2) Omega] g; derivative by Omega.
RotationEquation new3_equation(const Vec3& omega, const Vec3& g, const Mat3& J, double h);
/// Half step of LIEMID: r = J psi - (h/2) exp[-psi/2] P; derivative by psi.
RotationEquation liemid_equation(const Vec3& psi, const Vec3& P, const Mat3& J, double h);

}  // namespace cairn
