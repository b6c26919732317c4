// SPDX-License-Identifier: Apache-2.0
// Assembly of the global form for rigid bodies, and recovery of velocities from its solution.
#include "cairn/problem/pair_problem.h"

#include "cairn/base/error.h"
#include "cairn/laws/law_type.h"

namespace cairn {
namespace {

constexpr std::size_t grain = 256;

Vec3 rigid_point_velocity(const Bodies::Slot& s, const VecX& q, const VecX& u, const Vec3& x) {
  const Vec3 omega = stored_orientation(q, s.q) * Vec3(u.segment<3>(s.u + 3));
  return u.segment<3>(s.u) + omega.cross(x - q.segment<3>(s.q));
}

/// `on`: of a body that is not rigid, the material point.
Vec3 velocity_of(const Bodies& bodies, int body, const VecX& q, const VecX& u, const Vec3& x, const MaterialPoint& on) {
  if (body < 0) return Vec3::Zero();
  const Bodies::Slot& s = bodies.slot(body);
  return s.rigid ? rigid_point_velocity(s, q, u, x) : bodies.point_velocity({{body, on.part, on.local}, x}, q, u);
}

/// Rows of H on the angular velocity in body axes, times L^-T: directions d give (rho x R'd)' L^-T.
Mat3 angular_rows(const Bodies::Slot& s, const VecX& q, const FreeMotion& free, const Mat3& frame, const Vec3& x) {
  const Mat3 R = stored_orientation(q, s.q).toRotationMatrix();
  const Vec3 arm = x - q.segment<3>(s.q);
  Mat3 rows;  // (arm x d)' R, one direction d per row
  for (int i = 0; i < 3; ++i) rows.row(i) = arm.cross(Vec3(frame.row(i))).transpose() * R;
  return rows * free.inverse_inertia_root[static_cast<std::size_t>(s.index)].transpose();
}

}  // namespace

void compute_local_velocities(const Bodies& bodies, const VecX& q_mid, const VecX& u_begin, const FreeMotion& free,
                              std::span<Constraint> constraints, Threads threads) {
  parallel_chunks(threads, constraints.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Constraint& c = constraints[i];
      const auto relative = [&](const VecX& u) {
        return Vec3(c.frame * (velocity_of(bodies, c.body_a, q_mid, u, c.point_a, c.on_a) -
                               velocity_of(bodies, c.body_b, q_mid, u, c.point_b, c.on_b)));
      };
      c.U_begin = relative(u_begin);
      c.U_free = relative(free.u_free);
    }
  });
}

void assemble(const Bodies& bodies, const VecX& q_mid, const FreeMotion& free, std::span<const Constraint> constraints,
              PairProblem& problem, Threads threads) {
  problem.block_count = bodies.rigid_count();
  problem.blocks.resize(constraints.size());
  parallel_chunks(threads, constraints.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Constraint& c = constraints[i];
      PairBlock& block = problem.blocks[i];
      if (c.law != LawKind::Coulomb && c.law != LawKind::Frictionless && c.law != LawKind::Bilateral) {
        throw Error("constraint {}: the form of pairs has no place for the law {}; the local form has", i,
                    law_name(c.law));
      }
      block.law = c.law;
      block.mu = c.law == LawKind::Coulomb ? c.friction : 0;
      block.b = c.U_free + c.shift;
      // The first block is a mobile one; B enters H with the opposite sign.
      const bool mobile_a = bodies.can_move(c.body_a);
      const double sign = mobile_a ? 1 : -1;
      const int first = mobile_a ? c.body_a : c.body_b, second = mobile_a ? c.body_b : -1;
      const Bodies::Slot& s1 = bodies.slot(first);
      const double root1 = free.inverse_mass_root[static_cast<std::size_t>(s1.index)];
      block.first = s1.index;
      block.D = sign * root1 * c.frame;
      block.G1 = sign * angular_rows(s1, q_mid, free, c.frame, mobile_a ? c.point_a : c.point_b);
      block.second = -1;
      block.beta = 0;
      if (bodies.can_move(second)) {
        const Bodies::Slot& s2 = bodies.slot(second);
        block.second = s2.index;
        block.beta = -free.inverse_mass_root[static_cast<std::size_t>(s2.index)] / root1;
        block.G2 = -angular_rows(s2, q_mid, free, c.frame, c.point_b);
      } else {
        block.G2.setZero();
      }
    }
  });
}

void recover(const Bodies& bodies, const FreeMotion& free, const PairProblem& problem, std::span<const Vec3> r,
             VecX& u_solved, VecX& reaction, std::vector<PairVelocity>& z) {
  z.assign(static_cast<std::size_t>(problem.block_count), PairVelocity{});
  for (std::size_t i = 0; i < problem.size(); ++i) apply_impulse(problem.blocks[i], r[i], z);
  u_solved = free.u_free;
  reaction.setZero(free.u_free.size());
  for (int body = 0; body < bodies.size(); ++body) {
    const Bodies::Slot& s = bodies.slot(body);
    if (!s.rigid || s.mobility != BodyMobility::Dynamic) continue;
    const std::size_t k = static_cast<std::size_t>(s.index);
    // M^^(-1/2) z on velocities, and H' r = M^^(1/2) z on impulses; the roots are L^-1 so J^ = L L', L^-T z = du.
    const Mat3& root = free.inverse_inertia_root[k];
    u_solved.segment<3>(s.u) += free.inverse_mass_root[k] * z[k].linear;
    u_solved.segment<3>(s.u + 3) += root.transpose() * z[k].angular;
    reaction.segment<3>(s.u) = z[k].linear / free.inverse_mass_root[k];
    reaction.segment<3>(s.u + 3) = root.triangularView<Eigen::Lower>().solve(z[k].angular);
  }
}

}  // namespace cairn
