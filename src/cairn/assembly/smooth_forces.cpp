// SPDX-License-Identifier: Apache-2.0
// Forces, mass and tangents of a whole system.
#include "cairn/assembly/smooth_forces.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

namespace cairn {
namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

void add_block(const MatX& block, int first, Entries& entries) {
  for (int i = 0; i < block.rows(); ++i)
    for (int j = 0; j < block.cols(); ++j)
      if (block(i, j) != 0) entries.emplace_back(first + i, first + j, block(i, j));
}

/// Symmetric part, if asked for without its negative eigenvalues.
MatX symmetric(const MatX& A, bool definite) {
  const MatX S = 0.5 * (A + A.transpose());
  if (!definite) return S;
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(S);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
}

/// f(force, what it sees) for every force at (q, u, t).
template <class Function>
void for_each(const System& system, const ForceMemory& memory, const VecX& q, const VecX& u, double t, Function&& f) {
  if (!memory.motion) {
    for (const auto& force : system.forces) f(*force, ForceView{system.bodies, q, u, t});
    return;
  }
  for_each_force(system, *memory.motion, [&](const ForceElement& force, std::size_t, std::span<const double> z) {
    f(force, ForceView{system.bodies, q, u, t, z, memory.h});
  });
}

SparseMatrix body_masses(const System& system, const VecX& q, const VecX& u, double t, double d, double k,
                         bool definite) {
  const Bodies& bodies = system.bodies;
  Entries entries;
  BodyTerms terms;
  const Terms wanted = Terms::Mass | Terms::Damping;
  for (int body = 0; body < bodies.size(); ++body) {
    const Bodies::Slot& s = bodies.slot(body);
    if (!bodies.can_move(body)) {
      for (int i = 0; i < s.nu; ++i) entries.emplace_back(s.u + i, s.u + i, 1.0);
      continue;
    }
    if (s.rigid) {
      const double m = bodies.mass(body) * (1 + d * bodies.linear_damping(body));
      for (int i = 0; i < 3; ++i) entries.emplace_back(s.u + i, s.u + i, m);
      add_block(bodies.inertia(body) * (1 + d * bodies.angular_damping(body)), s.u + 3, entries);
      continue;
    }
    bodies.evaluate(body, q, u, t, system.gravity, k > 0 ? wanted | Terms::Stiffness : wanted, terms);
    if (terms.has_damping) terms.mass += d * terms.damping;
    if (k > 0 && terms.has_stiffness) terms.mass += symmetric(k * (terms.material + terms.geometric), definite);
    add_block(terms.mass, s.u, entries);
  }
  SparseMatrix result(bodies.nu(), bodies.nu());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace

VecX moved(const Bodies& bodies, const VecX& q, const VecX& way, Threads threads) {
  VecX result(bodies.nq());
  bodies.advance(q, way, 1, result, threads);
  return result;
}

void compute_smooth_forces(const System& system, const VecX& q, const VecX& u, double t, SmoothForces& f,
                           ForceMemory memory) {
  const Bodies& bodies = system.bodies;
  f.all.setZero(bodies.nu());
  f.loads.setZero(bodies.nu());
  f.damping.setZero(bodies.nu());
  f.status = BodyStatus::Ok;
  for_each(system, memory, q, u, t,
           [&](const ForceElement& force, const ForceView& at) { force.add_forces(at, f.all, f.loads); });
  f.all += f.loads;
  BodyTerms terms;
  for (int body = 0; body < bodies.size(); ++body) {
    const Bodies::Slot& s = bodies.slot(body);
    if (!bodies.can_move(body)) {
      f.all.segment(s.u, s.nu).setZero();
      f.loads.segment(s.u, s.nu).setZero();
      continue;
    }
    if (!s.rigid) {
      const BodyStatus status = bodies.evaluate(body, q, u, t, system.gravity, Terms::Force | Terms::Damping, terms);
      if (status != BodyStatus::Ok) f.status = status;
      f.all.segment(s.u, s.nu) += terms.force;
      if (terms.has_damping) f.damping.segment(s.u, s.nu) = -terms.damping * u.segment(s.u, s.nu);
      continue;
    }
    const double m = bodies.mass(body);
    const Vec3 omega = u.segment<3>(s.u + 3), spin = bodies.inertia(body) * omega;
    f.damping.segment<3>(s.u) = -bodies.linear_damping(body) * m * u.segment<3>(s.u);
    f.damping.segment<3>(s.u + 3) = -bodies.angular_damping(body) * spin;
    f.all.segment<6>(s.u) += f.damping.segment<6>(s.u);
    f.all.segment<3>(s.u) += m * system.gravity;
    f.all.segment<3>(s.u + 3) -= omega.cross(spin);
  }
}

VecX predict_momentum(const System& system, const VecX& q, const VecX& u, double t, double h, double d, SmoothForces& f,
                      ForceMemory memory) {
  const Bodies& bodies = system.bodies;
  compute_smooth_forces(system, q, u, t, f, memory);
  for (int body = 0; body < bodies.size(); ++body) {
    const Bodies::Slot& s = bodies.slot(body);
    if (!s.rigid || !bodies.can_move(body)) continue;
    const Mat3& J = bodies.inertia(body);
    const Vec3 omega = u.segment<3>(s.u + 3);
    const Vec3 half = omega + 0.5 * h * (J.inverse() * f.all.segment<3>(s.u + 3));
    f.all.segment<3>(s.u + 3) += omega.cross(J * omega) - half.cross(J * half);
  }
  return compute_step_mass(system, q, u, t, d, 0, false, memory) * u + h * f.all;
}

SparseMatrix compute_mass(const System& system, const VecX& q, const VecX& u, double t) {
  return body_masses(system, q, u, t, 0, 0, false);
}

SparseMatrix compute_step_mass(const System& system, const VecX& q, const VecX& u, double t, double d, double k,
                               bool definite, ForceMemory memory) {
  const SparseMatrix A = body_masses(system, q, u, t, d, k, definite);
  const Bodies& bodies = system.bodies;
  Entries entries;
  if (d == 0 && k == 0) return A;
  for_each(system, memory, q, u, t, [&](const ForceElement& force, const ForceView& at) {
    const ForceTangent tangent = force.tangent(at);
    const MatX S = symmetric(d * tangent.D + k * tangent.K, definite);
    std::vector<int> places;  // in u; -1: cannot move
    for (std::size_t i = 0; i < 2; ++i)
      for (int j = 0; j < tangent.size[i]; ++j)
        places.push_back(bodies.can_move(tangent.body[i]) ? bodies.slot(tangent.body[i]).u + j : -1);
    for (int i = 0; i < S.rows(); ++i)
      for (int j = 0; j < S.cols(); ++j) {
        const int row = places[static_cast<std::size_t>(i)], column = places[static_cast<std::size_t>(j)];
        if (row >= 0 && column >= 0 && S(i, j) != 0) entries.emplace_back(row, column, S(i, j));
      }
  });
  if (entries.empty()) return A;
  SparseMatrix forces(bodies.nu(), bodies.nu());
  forces.setFromTriplets(entries.begin(), entries.end());
  return A + forces;
}

}  // namespace cairn
