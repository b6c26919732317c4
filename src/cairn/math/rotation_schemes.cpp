// SPDX-License-Identifier: Apache-2.0
// Time steps of a rigid rotation: NEW1-3 (Koziara, eqs. 5.2.9-5.2.16), LIEMID[EA] (Krysl 2005), Simo-Wong explicit.
#include "cairn/math/rotation_schemes.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <array>
#include <string>
#include <vector>

#include "cairn/base/error.h"
#include "cairn/base/text.h"

namespace cairn {

namespace {

constexpr std::array<RotationSchemeInfo, 5> kSchemes{{
    {RotationScheme::New1, "new1", "explicit; energy and momentum drift upwards: short runs, small steps", true},
    {RotationScheme::New2, "new2", "explicit; conserves momentum, slightly dissipative: robust in contact", true},
    {RotationScheme::New3, "new3", "one implicit solve; conserves momentum, no energy drift: long runs", true},
    {RotationScheme::LiemidEa, "liemid-ea", "Krysl's midpoint scheme; two implicit solves; free bodies only", false},
    {RotationScheme::SimoWong, "simo-wong", "Simo-Wong; conserves momentum, energy swells; free bodies only", false},
}};

// From a start with an error of O(h^2) one or two iterations are enough. More than this many means that the step turns
// the body by about half a turn or more, where the equations may have no solution nearby.
constexpr int kMaxIterations = 25;

// Newton's method on the equation of a rotation by x * angle_per_x. Both equations are linear but for exp[-psi] g,
// whose second derivative by psi is bounded by |g|: a correction by the angle d leaves a residual of at most |g| d^2.
// So the correction that turns by less than this angle is the last, and leaves less than a rounding, relative to |g|.
//
// One correction is always made. The specification stops at |r| <= 1e-12 |g| and tests the start, too; at small h the
// start passes, NEW3 silently becomes NEW1, and its momentum drifts by up to 1e-12 each step.
constexpr double kLastAngle = 1e-8;

struct NewtonResult {
  Vec3 x;
  int iterations;
  bool converged;
};

template <class Equation>
NewtonResult newton(const Equation& equation, Vec3 x, double angle_per_x) {
  for (int i = 1; i <= kMaxIterations; ++i) {
    const RotationEquation eq = equation(x);
    const Vec3 dx = eq.tangent.inverse() * eq.residual;
    const double angle = angle_per_x * dx.norm();
    if (!std::isfinite(angle)) return {x, i, false};
    x -= dx;
    if (angle <= kLastAngle) return {x, i, true};
  }
  return {x, kMaxIterations, false};
}

[[noreturn]] void throw_not_converged(RotationScheme scheme, double time, double h) {
  throw Error(
      "rotation scheme '{}': no solution of the implicit equation was found at t = {} s with a step of {} s; "
      "use a step that turns the body by less than half a turn",
      to_string(scheme), time, h);
}

// J is symmetric positive definite, so that the balance can be solved for the acceleration.
Mat3 checked_inverse(const Mat3& J) {
  const bool symmetric = J.allFinite() && (J - J.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * J.cwiseAbs().maxCoeff();
  if (!symmetric || J.llt().info() != Eigen::Success) {
    throw Error(
        "inertia of the rotation has rows ({} {} {}), ({} {} {}), ({} {} {}) kg m^2; "
        "must be symmetric positive definite",
        J(0, 0), J(0, 1), J(0, 2), J(1, 0), J(1, 1), J(1, 2), J(2, 0), J(2, 1), J(2, 2));
  }
  return J.inverse();
}

Vec3 torque_at(const SpatialTorque& torque, double t, const Quat& q) {
  return torque ? torque(t, q.toRotationMatrix()) : Vec3::Zero();
}

}  // namespace

std::span<const RotationSchemeInfo> rotation_schemes() { return kSchemes; }

std::string_view to_string(RotationScheme scheme) { return kSchemes[static_cast<std::size_t>(scheme)].name; }

RotationScheme rotation_scheme_from_string(std::string_view name) {
  std::vector<std::string> known;
  for (const RotationSchemeInfo& info : kSchemes) {
    if (info.name == name) return info.scheme;
    known.emplace_back(info.name);
  }
  throw Error("rotation scheme '{}' is unknown{}; must be one of {}", name, did_you_mean(name, known), join(known));
}

// --- the implicit equations ------------------------------------------------------------------------------------------

RotationEquation new3_equation(const Vec3& omega, const Vec3& g, const Mat3& J, double h) {
  // r = J Omega - exp[-psi] g, psi = (h/2) Omega. exp[-psi] turns by the spatial angle -T(-psi) d(psi), and
  // T(-psi) = T(psi)^T, so dr = (J - (h/2) hat(exp[-psi] g) T^T) d(Omega). The specification writes hat(J Omega), which
  // is the same at the solution; this is exact everywhere, as Newton's method wants it.
  const Vec3 psi = 0.5 * h * omega;
  const RotationCoefficients c = rotation_coefficients(psi.squaredNorm());
  // exp[-psi] g = g - sine psi x g + cosine psi x (psi x g)
  const Vec3 pg = psi.cross(g);
  const Vec3 turned = g - c.sine * pg + c.cosine * psi.cross(pg);
  return {J * omega - turned, J - hat(0.5 * h * turned) * tangent_map(psi).transpose()};
}

RotationEquation liemid_equation(const Vec3& psi, const Vec3& P, const Mat3& J, double h) {
  // r = J psi - (h/2) exp[-psi/2] P; dr = (J - (h/4) hat(exp[-psi/2] P) T(psi/2)^T) d(psi), as above.
  const Vec3 half = 0.5 * psi;
  const Vec3 turned = exp_quaternion(-half) * P;
  return {J * psi - 0.5 * h * turned, J - hat(0.25 * h * turned) * tangent_map(half).transpose()};
}

New3Solution solve_new3(const Vec3& g, const Vec3& omega_start, const Mat3& J, double h) {
  if (g.x() == 0 && g.y() == 0 && g.z() == 0) return {Vec3::Zero(), 0, true};
  const NewtonResult r = newton([&](const Vec3& x) { return new3_equation(x, g, J, h); }, omega_start, 0.5 * h);
  return {r.x, r.iterations, r.converged};
}

// --- NEW1, NEW2, NEW3 ------------------------------------------------------------------------------------------------

RotationEnd finish_step(RotationScheme scheme, const HalfStep& half, const Vec3& omega_1,
                        const Vec3& angular_impulse_body_mid, const Mat3& J, const Mat3& J_inv, double h) {
  int iterations = 0;
  bool converged = true;
  const bool isotropic = is_isotropic(J);  // J Omega is parallel to Omega: nothing to correct in NEW2 and NEW3
  switch (scheme) {
    case RotationScheme::New1: break;
    case RotationScheme::New3:
      if (!isotropic) {
        const New3Solution s = solve_new3(half.momentum_mid + angular_impulse_body_mid, omega_1, J, h);
        iterations = s.iterations;
        converged = s.converged;
        if (converged) return {rotate_by(half.orientation_mid, 0.5 * h * s.omega), s.omega, iterations, true};
      }
      [[fallthrough]];  // no solution: the step of NEW2, which always exists, and the status says so
    case RotationScheme::New2:
      if (!isotropic) {
        const Vec3 g = half.momentum_mid + angular_impulse_body_mid;
        if (omega_1.x() == 0 && omega_1.y() == 0 && omega_1.z() == 0)
          return {half.orientation_mid, J_inv * g, iterations, converged};
        const Quat turn = exp_quaternion(0.5 * h * omega_1);
        return {compose(half.orientation_mid, turn), J_inv * (turn.conjugate() * g), iterations, converged};
      }
      break;
    case RotationScheme::LiemidEa:
    case RotationScheme::SimoWong:
      throw Error("rotation scheme '{}' cannot carry contacts and joints; use new1, new2 or new3", to_string(scheme));
  }
  return {rotate_by(half.orientation_mid, 0.5 * h * omega_1), omega_1, iterations, converged};
}

RotationState step_new(RotationScheme scheme, const RotationState& state, const Mat3& J, const Mat3& J_inv,
                       const SpatialTorque& torque, double h) {
  const HalfStep half = half_step(state.orientation, state.omega_body, J, h);
  const Vec3 t = torque_at(torque, state.time + 0.5 * h, half.orientation_mid);
  const Vec3 T = half.orientation_mid.conjugate() * t;  // (5.2.10)
  const Vec3 omega_1 = predict_velocity(half, state.omega_body, J, J_inv, T, h);
  const RotationEnd end = finish_step(scheme, half, omega_1, h * T, J, J_inv, h);
  if (!end.converged) throw_not_converged(scheme, state.time, h);
  return {end.orientation, end.omega_body, Vec3::Zero(), state.time + h};
}

// --- the integrators to compare with ---------------------------------------------------------------------------------

Vec3 angular_acceleration(const RotationState& state, const Mat3& J, const Mat3& J_inv, const SpatialTorque& torque) {
  const Vec3 T = state.orientation.conjugate() * torque_at(torque, state.time, state.orientation);
  return J_inv * (T - state.omega_body.cross(J * state.omega_body));
}

RotationState step_liemid_ea(const RotationState& state, const Mat3& J, const Mat3& J_inv, const SpatialTorque& torque,
                             double h) {
  Quat q = state.orientation;
  // Impulse of half a step at the start, in body axes.
  Vec3 P = J * state.omega_body + 0.5 * h * (q.conjugate() * torque_at(torque, state.time, q));
  // Two half rotations, each by the implicit midpoint rule J psi = (h/2) exp[-psi/2] P.
  for (int part = 0; part < 2; ++part) {
    const NewtonResult psi =
        newton([&](const Vec3& x) { return liemid_equation(x, P, J, h); }, 0.5 * h * (J_inv * P), 0.5);
    if (!psi.converged) throw_not_converged(RotationScheme::LiemidEa, state.time, h);
    const Quat turn = exp_quaternion(psi.x);
    q = compose(q, turn);
    P = turn.conjugate() * P;
  }
  // Impulse of half a step at the end.
  P += 0.5 * h * (q.conjugate() * torque_at(torque, state.time + h, q));
  return {q, J_inv * P, Vec3::Zero(), state.time + h};
}

RotationState step_simo_wong(const RotationState& state, const Mat3& J, const Mat3& J_inv, const SpatialTorque& torque,
                             double h) {
  const Quat& q = state.orientation;
  RotationState end;
  end.time = state.time + h;
  end.orientation = rotate_by(q, h * state.omega_body + 0.5 * h * h * state.acceleration);
  // Trapezoidal impulse on the spatial momentum.
  const Vec3 impulse = 0.5 * h * (torque_at(torque, state.time, q) + torque_at(torque, end.time, end.orientation));
  end.omega_body = J_inv * (end.orientation.conjugate() * (q * (J * state.omega_body) + impulse));
  // The balance, not (2/h)(Omega+ - Omega) - A: that form does not show the published behaviour.
  end.acceleration = angular_acceleration(end, J, J_inv, torque);
  return end;
}

RotationState integrate_rotation(RotationScheme scheme, RotationState state, const Mat3& J, const SpatialTorque& torque,
                                 double h, long steps) {
  const Mat3 J_inv = checked_inverse(J);
  if (!(h > 0)) throw Error("step of the rotation is {} s; must be > 0", h);
  if (scheme == RotationScheme::SimoWong) state.acceleration = angular_acceleration(state, J, J_inv, torque);
  const double start = state.time;
  for (long i = 1; i <= steps; ++i) {
    switch (scheme) {
      case RotationScheme::LiemidEa: state = step_liemid_ea(state, J, J_inv, torque, h); break;
      case RotationScheme::SimoWong: state = step_simo_wong(state, J, J_inv, torque, h); break;
      default: state = step_new(scheme, state, J, J_inv, torque, h); break;
    }
    state.time = start + static_cast<double>(i) * h;  // sums of h would drift over a long run
  }
  return state;
}

}  // namespace cairn
