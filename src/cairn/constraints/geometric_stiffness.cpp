// SPDX-License-Identifier: Apache-2.0
// Geometric stiffness: exact for rigid bodies, by differences for others.
#include "cairn/constraints/geometric_stiffness.h"

namespace cairn {
namespace {

bool is_rigid(const Bodies& bodies, int body) { return body < 0 || bodies.slot(body).rigid; }

/// dz/dt = B u of one body: da_j/dt = R (Omega x e_j).
Eigen::Matrix<double, 12, 6> frame_rates(const Frame& z) {
  Eigen::Matrix<double, 12, 6> B = Eigen::Matrix<double, 12, 6>::Zero();
  B.block<3, 3>(0, 0).setIdentity();
  for (int j = 0; j < 3; ++j) B.block<3, 3>(3 + 3 * j, 3) = -z.rightCols<3>() * hat(Vec3::Unit(j));
  return B;
}

}  // namespace

bool are_rigid_terms(const Bodies& bodies, std::span<const NaturalTerm> terms) {
  for (const NaturalTerm& term : terms)
    if (!is_rigid(bodies, term.body_a) || !is_rigid(bodies, term.body_b)) return false;
  return true;
}

void add_geometric_stiffness(const Bodies& bodies, const VecX& q, std::span<const NaturalTerm> terms, double lambda,
                             StiffnessEntries& K) {
  if (lambda == 0) return;
  for (const NaturalTerm& term : terms) {
    const std::array<int, 2> body{term.body_a, term.body_b};
    FramePair Y;
    for (int k = 0; k < 2; ++k) {
      const int b = body[static_cast<std::size_t>(k)];
      Y.middleCols<4>(4 * k) = b < 0 ? world_frame() : natural_place(bodies.placement(b, q));
    }
    // The number of turns does not matter to derivatives.
    const FramePair G = lambda * term.evaluate(Y, VecX::Zero(std::max(term.coordinate + 1, 1))).gradient;
    Mat24 N = Mat24::Zero();
    term.add_hessian(Y, lambda, N);
    std::array<Eigen::Matrix<double, 12, 6>, 2> B;
    for (int k = 0; k < 2; ++k) B[static_cast<std::size_t>(k)] = frame_rates(Y.middleCols<4>(4 * k));
    for (int i = 0; i < 2; ++i) {
      const int row = body[static_cast<std::size_t>(i)];
      if (!bodies.can_move(row)) continue;
      for (int j = 0; j < 2; ++j) {
        const int column = body[static_cast<std::size_t>(j)];
        if (!bodies.can_move(column)) continue;
        Eigen::Matrix<double, 6, 6> block = B[static_cast<std::size_t>(i)].transpose() *
                                            N.block<12, 12>(12 * i, 12 * j) * B[static_cast<std::size_t>(j)];
        if (i == j) {
          const Mat3 R = Y.middleCols<3>(4 * i + 1);
          for (int a = 0; a < 3; ++a)
            block.bottomRightCorner<3, 3>() += hat(Vec3::Unit(a)) * hat(R.transpose() * G.col(4 * i + 1 + a));
        }
        for (int r = 0; r < 6; ++r)
          for (int c = 0; c < 6; ++c)
            if (block(r, c) != 0) K.emplace_back(bodies.slot(row).u + r, bodies.slot(column).u + c, block(r, c));
      }
    }
  }
}

void add_geometric_stiffness(const Bodies& bodies, const VecX& q, const Joint& joint, const RowVector& lambda,
                             StiffnessEntries& K) {
  if (!is_rigid(bodies, joint.body_a) || !is_rigid(bodies, joint.body_b)) {
    add_difference_stiffness(
        bodies, q, [&](const VecX& there, RowBlock& rows) { fill_rows(joint, place(joint, bodies, there), rows); },
        lambda, K);
    return;
  }
  const std::vector<NaturalTerms> rows = natural_rows(joint);
  for (std::size_t l = 0; l < rows.size(); ++l)
    add_geometric_stiffness(bodies, q, rows[l], lambda[static_cast<Eigen::Index>(l)], K);
}

void add_geometric_stiffness(const Bodies& bodies, const VecX& q, const CoordinateLaw& law,
                             std::span<const Joint> joints, double lambda, StiffnessEntries& K) {
  const NaturalTerms terms = natural_coordinate(law, joints);
  if (are_rigid_terms(bodies, terms)) return add_geometric_stiffness(bodies, q, terms, lambda, K);
  RowVector all = RowVector::Zero();
  all[0] = lambda;
  const auto rows = [&](const VecX& there, RowBlock& block) {
    std::vector<PlacedJoint> placed;
    for (const Joint& joint : joints) placed.push_back(place(joint, bodies, there));
    fill_row(law, joints, placed, 1, block);
  };
  add_difference_stiffness(bodies, q, rows, all, K);
}

void add_geometric_stiffness(const Bodies& bodies, const VecX& q, const OwnJoint& joint, double time,
                             const RowVector& lambda, StiffnessEntries& K) {
  if (const auto* known = dynamic_cast<const StiffOwnJoint*>(&joint))
    return known->add_stiffness(bodies, q, time, lambda, K);
  add_difference_stiffness(
      bodies, q, [&](const VecX& there, RowBlock& rows) { joint.fill_rows(bodies, there, time, rows); }, lambda, K);
}

void add_geometric_stiffness(const System& system, const VecX& q, const JointEquation& equation, double time,
                             const RowVector& lambda, StiffnessEntries& K) {
  const auto index = static_cast<std::size_t>(equation.owner.index);
  switch (equation.owner.kind) {
    case RowOwner::Kind::Joint: return add_geometric_stiffness(system.bodies, q, system.joints[index], lambda, K);
    case RowOwner::Kind::Law:
      return add_geometric_stiffness(system.bodies, q, system.coordinate_laws[index], system.joints, lambda[0], K);
    case RowOwner::Kind::OwnJoint:
      return add_geometric_stiffness(system.bodies, q, *system.own_joints[index], time, lambda, K);
    case RowOwner::Kind::OwnContact:
    case RowOwner::Kind::None: return;
  }
}

VecX row_force(const Bodies& bodies, const VecX& q, const RowBlock& block, const RowVector& lambda) {
  VecX force = VecX::Zero(bodies.nu());
  RowArena arena;
  for (int k = 0; k < block.side_count; ++k) {
    const RowSide& side = block.sides[static_cast<std::size_t>(k)];
    if (!bodies.can_move(side.body)) continue;
    const Bodies::Slot& s = bodies.slot(side.body);
    arena.clear();
    side_rows(bodies, q, block, side, arena).add_transposed(lambda.head(block.rows), force.segment(s.u, s.nu));
  }
  return force;
}

}  // namespace cairn
