// SPDX-License-Identifier: Apache-2.0
// Pairs of rigid bodies in their roots of mass; blocks of W for all others (Koziara, section 3.6 and appendix A.3).
#include "cairn/assembly/form_problem.h"

#include "cairn/base/error.h"

namespace cairn {
namespace {

constexpr std::size_t grain = 256;

Vec3 rigid_point_velocity(const Bodies::Slot& s, const VecX& q, const VecX& u, const Vec3& x) {
  const Vec3 omega = stored_orientation(q, s.q) * Vec3(u.segment<3>(s.u + 3));
  return u.segment<3>(s.u) + omega.cross(x - q.segment<3>(s.q));
}

Vec3 velocity_of(const Bodies& bodies, int body, const VecX& q, const VecX& u, const Vec3& x) {
  if (body < 0) return Vec3::Zero();
  const Bodies::Slot& s = bodies.slot(body);
  return s.rigid ? rigid_point_velocity(s, q, u, x) : bodies.point_velocity(body, q, u, x);
}

/// Rows of H on the angular velocity in body axes, times L^-T: directions d give (rho x R'd)' L^-T.
Mat3 angular_rows(const Bodies::Slot& s, const VecX& q, const FreeMotion& free, const Mat3& frame, const Vec3& x) {
  const Mat3 R = stored_orientation(q, s.q).toRotationMatrix();
  const Vec3 arm = x - q.segment<3>(s.q);
  Mat3 rows;  // (arm x d)' R, one direction d per row
  for (int i = 0; i < 3; ++i) rows.row(i) = arm.cross(Vec3(frame.row(i))).transpose() * R;
  return rows * free.inverse_inertia_root[static_cast<std::size_t>(s.index)].transpose();
}

MatX apply_inverse_mass(const Bodies::Slot& s, const FreeMotion& free, const MatX& Ht) {
  if (!s.rigid) return free.inverse_mass[static_cast<std::size_t>(s.index)] * Ht;
  const std::size_t k = static_cast<std::size_t>(s.index);
  const Mat3& root = free.inverse_inertia_root[k];
  MatX Y(6, Ht.cols());
  Y.topRows<3>() = free.inverse_mass_root[k] * free.inverse_mass_root[k] * Ht.topRows<3>();
  Y.bottomRows<3>() = root.transpose() * (root * Ht.bottomRows<3>());
  return Y;
}

/// Y of the last constraint's sides (from `first` on) on coupled bodies, and further sides for the rest of their
/// islands.
void couple_sides(const Bodies& bodies, const CoupledMass& coupled, std::size_t first, LocalRows& rows) {
  std::vector<int> islands;
  for (std::size_t k = first; k < rows.sides.size(); ++k)
    if (const int island = coupled.island_of(rows.sides[k].body); island >= 0) islands.push_back(island);
  std::sort(islands.begin(), islands.end());
  islands.erase(std::unique(islands.begin(), islands.end()), islands.end());
  for (const int island : islands) {
    const std::span<const int> members = coupled.bodies_of(island), places = coupled.places_of(island);
    const auto rows_count = [&] {
      for (std::size_t k = first;; ++k)
        if (coupled.island_of(rows.sides[k].body) == island) return rows.sides[k].H.rows();
    }();
    MatX Y = MatX::Zero(places.back(), rows_count);
    std::vector<int> side_of(members.size(), -1);
    for (std::size_t k = first; k < rows.sides.size(); ++k) {
      LocalRows::Side& side = rows.sides[k];
      if (coupled.island_of(side.body) != island) continue;
      const auto m =
          static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), side.body) - members.begin());
      Y.middleRows(places[m], side.H.cols()) += side.H.transpose();
      side.Y.setZero();
      if (side_of[m] < 0) side_of[m] = static_cast<int>(k);
    }
    VecX x;
    for (Eigen::Index l = 0; l < rows_count; ++l) {
      x = Y.col(l);
      coupled.solve(island, x);
      Y.col(l) = x;
    }
    for (std::size_t m = 0; m < members.size(); ++m) {
      const int nu = bodies.slot(members[m]).nu;
      if (side_of[m] >= 0) {
        rows.sides[static_cast<std::size_t>(side_of[m])].Y = Y.middleRows(places[m], nu);
      } else {
        rows.sides.push_back({members[m], MatX::Zero(rows_count, nu), Y.middleRows(places[m], nu)});
      }
    }
  }
}

}  // namespace

void compute_local_velocities(const Bodies& bodies, const VecX& q_mid, const VecX& u_begin, const FreeMotion& free,
                              std::span<Constraint> constraints, Threads threads) {
  parallel_chunks(threads, constraints.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Constraint& c = constraints[i];
      const auto relative = [&](const VecX& u) {
        return Vec3(c.frame * (velocity_of(bodies, c.body_a, q_mid, u, c.point_a) -
                               velocity_of(bodies, c.body_b, q_mid, u, c.point_b)));
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
                    law_kinds()[static_cast<std::size_t>(c.law)].name);
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

void recover(const Bodies& bodies, const FreeMotion& free, const PairProblem& problem, const VecX& r, VecX& u_solved,
             VecX& reaction, std::vector<PairVelocity>& z) {
  z.assign(static_cast<std::size_t>(problem.block_count), PairVelocity{});
  for (std::size_t i = 0; i < problem.size(); ++i)
    apply_impulse(problem.blocks[i], r.segment<3>(3 * static_cast<Eigen::Index>(i)), z);
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

void compute_local_velocities(const Bodies& bodies, const VecX& q_mid, const VecX& u_begin, const FreeMotion& free,
                              std::span<RowBlock> blocks) {
  for (RowBlock& block : blocks) {
    block.U_begin = row_velocity(bodies, q_mid, u_begin, block);
    block.U_free = row_velocity(bodies, q_mid, free.u_free, block);
  }
}

void assemble(const Bodies& bodies, const VecX& q_mid, const FreeMotion& free, std::span<const RowBlock> blocks,
              std::span<const Constraint> constraints, LocalProblem& problem, LocalRows& rows,
              const CoupledMass* coupled) {
  problem = LocalProblem{};
  rows = LocalRows{};
  const auto add_side = [&](int body, MatX H) {
    MatX Y = apply_inverse_mass(bodies.slot(body), free, H.transpose());
    rows.sides.push_back({body, std::move(H), std::move(Y)});
  };
  const auto end_constraint = [&] {
    if (coupled && !coupled->empty()) couple_sides(bodies, *coupled, static_cast<std::size_t>(rows.first.back()), rows);
    rows.first.push_back(static_cast<int>(rows.sides.size()));
  };
  Mat3X J, spin;
  for (const RowBlock& block : blocks) {
    problem.law.push_back(block.law);
    problem.offset.push_back(problem.offset.back() + block.rows);
    for (int k = 0; k < block.side_count; ++k) {
      const RowSide& side = block.sides[static_cast<std::size_t>(k)];
      if (!bodies.can_move(side.body)) continue;
      J.resize(3, bodies.slot(side.body).nu);
      spin.resize(3, J.cols());
      bodies.point_jacobian(side.body, q_mid, side.point, J);
      bodies.spin_jacobian(side.body, q_mid, spin);
      MatX H = side.linear.topRows(block.rows) * J + side.angular.topRows(block.rows) * spin;
      if (side.own.size() > 0) H += side.own;
      add_side(side.body, std::move(H));
    }
    end_constraint();
  }
  for (const Constraint& c : constraints) {
    const LawKind law = c.law == LawKind::Coulomb && c.friction == 0 ? LawKind::Frictionless : c.law;
    problem.law.push_back({law, law == LawKind::Coulomb ? c.friction : 0});
    const int n = law_rows(law);
    problem.offset.push_back(problem.offset.back() + n);
    const auto fill = [&](int body, const Vec3& x, double sign) {
      if (!bodies.can_move(body)) return;
      J.resize(3, bodies.slot(body).nu);
      bodies.point_jacobian(body, q_mid, x, J);
      add_side(body, sign * (c.frame.topRows(n) * J));
    };
    fill(c.body_a, c.point_a, 1);
    fill(c.body_b, c.point_b, -1);
    end_constraint();
  }
  problem.b.resize(problem.offset.back());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const int n = blocks[i].rows;
    problem.b.segment(problem.offset[i], n) = (blocks[i].U_free + blocks[i].shift).head(n);
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const std::size_t place = blocks.size() + i;
    const int n = problem.rows(static_cast<int>(place));
    problem.b.segment(problem.offset[place], n) = (constraints[i].U_free + constraints[i].shift).head(n);
  }
  problem.W = assemble_blocks(rows, problem.offset, bodies.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].compliance.isZero(0)) continue;
    BlockMatrix& W = problem.W;
    double* values = W.values.data() + W.start[problem.diagonal_place(static_cast<int>(i))];
    for (int l = 0; l < blocks[i].rows; ++l) values[l * (blocks[i].rows + 1)] += blocks[i].compliance[l];
  }
}

void recover(const Bodies& bodies, const FreeMotion& free, const LocalProblem& problem, const LocalRows& rows,
             const VecX& r, VecX& u_solved, VecX& reaction) {
  u_solved = free.u_free;
  reaction.setZero(free.u_free.size());
  for (std::size_t i = 0; i + 1 < rows.first.size(); ++i)
    for (const LocalRows::Side& side : rows.of(i)) {
      const Bodies::Slot& s = bodies.slot(side.body);
      const VecX impulse = r.segment(problem.offset[i], problem.rows(static_cast<int>(i)));
      u_solved.segment(s.u, s.nu) += side.Y * impulse;
      reaction.segment(s.u, s.nu) += side.H.transpose() * impulse;
    }
}

}  // namespace cairn
