// SPDX-License-Identifier: Apache-2.0
// Equations of joints: gathered, met, counted.
#include "cairn/assembly/joint_projection.h"

#include "cairn/assembly/form_problem.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

bool has_broken(const CoordinateLaw& law, const Motion& motion) {
  for (const CoordinateTerm& term : law.terms)
    if (motion.broken[static_cast<std::size_t>(term.joint)] != 0) return true;
  return false;
}

/// Largest distance of a body's origin from the first: what errors are compared with.
double extent(const Bodies& bodies, const VecX& q) {
  double size = 0;
  for (int body = 1; body < bodies.size(); ++body)
    size = std::max(size, (bodies.placement(body, q).c - bodies.placement(0, q).c).norm());
  return std::max(size, 1.0);
}

}  // namespace

int JointEquations::rows() const {
  int sum = 0;
  for (const RowBlock& block : blocks) sum += block.rows;
  return sum;
}

void JointEquations::gather(const System& system, const Motion& motion, bool servos) {
  blocks.clear();
  errors.clear();
  rates.clear();
  std::vector<PlacedJoint> placed;
  for (const Joint& joint : system.joints) placed.push_back(place(joint, system.bodies, motion.q));
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    if (motion.broken[j] != 0 || joint.sense == JointSense::Free || joint.stiffness < infinite) continue;
    const RowVector g = joint_error(joint, placed[j], motion.s);
    if (joint.sense != JointSense::Both && g[0] >= 0) continue;
    fill_rows(joint, placed[j], blocks.emplace_back());
    errors.push_back(g);
    rates.push_back(RowVector::Zero());
  }
  for (const CoordinateLaw& law : system.coordinate_laws) {
    const bool coupling = law.kind == CoordinateLawKind::Coupling && law.sense == JointSense::Both;
    const bool servo = servos && law.kind == CoordinateLawKind::Servo && law.force == infinite;
    if ((!coupling && !servo) || has_broken(law, motion)) continue;
    fill_row(law, system.joints, placed, 1, blocks.emplace_back());
    RowVector g = RowVector::Zero(), rate = RowVector::Zero();
    g[0] = combined_coordinate(law, system.joints, motion.s) - (servo ? law.target(motion.time) : law.value);
    // 1e-5 s: the speed of the target by central differences.
    if (servo) rate[0] = (law.target(motion.time - 1e-5) - law.target(motion.time + 1e-5)) / 2e-5;
    errors.push_back(g);
    rates.push_back(rate);
  }
  for (const auto& joint : system.own_joints) {
    joint->fill_rows(system.bodies, motion.q, motion.time, blocks.emplace_back());
    errors.push_back(joint->error(system.bodies, motion.q, motion.time));
    rates.push_back((joint->error(system.bodies, motion.q, motion.time + 1e-5) -
                     joint->error(system.bodies, motion.q, motion.time - 1e-5)) /
                    2e-5);
  }
}

void JointProjection::solve(const System& system, const VecX& q, const std::vector<RowBlock>& blocks,
                            const VecX& given) {
  const VecX none = VecX::Zero(system.bodies.nu());
  system.bodies.free_motion(q, none, none, StepContext{0, 1e-12, Vec3::Zero(), false}, free_, {});
  free_.u_free = given;
  assemble(system.bodies, q, free_, blocks, {}, problem_, rows_);
  r_.setZero(problem_.b.size());
  solver_.solve(problem_, r_);
  recover(system.bodies, free_, problem_, rows_, r_, way_, reaction_);
}

bool JointProjection::project(const System& system, const VecX* q_rows, Motion& motion) {
  const Bodies& bodies = system.bodies;
  const VecX none = VecX::Zero(bodies.nu());
  const double size = extent(bodies, motion.q);
  next_.resize(bodies.nq());
  if (q_rows) {
    Motion at;
    at.time = motion.time, at.q = *q_rows, at.u = motion.u, at.s = motion.s, at.broken = motion.broken;
    follow_coordinates(system.joints, bodies, at.q, at.s);
    along_.gather(system, at, true);
  }
  double before = infinite;
  for (int i = 0; i < 50; ++i) {
    follow_coordinates(system.joints, bodies, motion.q, motion.s);
    equations_.gather(system, motion, true);
    if (equations_.blocks.empty()) return true;
    double error = 0;
    for (const RowVector& g : equations_.errors) error = std::max(error, g.cwiseAbs().maxCoeff());
    if (error <= 1e-14 * size) return true;
    if (!(error < 0.5 * before)) return error <= 1e-10 * size;  // no more to win: rounding, or they contradict
    before = error;
    std::vector<RowBlock>& blocks =
        q_rows && along_.blocks.size() == equations_.blocks.size() ? along_.blocks : equations_.blocks;
    for (std::size_t k = 0; k < blocks.size(); ++k) blocks[k].U_free = equations_.errors[k];
    solve(system, &blocks == &along_.blocks ? *q_rows : motion.q, blocks, none);
    if (!way_.allFinite()) return false;
    bodies.advance(motion.q, way_, 1, next_, {});
    motion.q.swap(next_);
  }
  return false;
}

void JointProjection::project_velocity(const System& system, Motion& motion) {
  equations_.gather(system, motion, true);
  if (equations_.blocks.empty()) return;
  for (std::size_t k = 0; k < equations_.blocks.size(); ++k)
    equations_.blocks[k].U_free =
        row_velocity(system.bodies, motion.q, motion.u, equations_.blocks[k]) + equations_.rates[k];
  solve(system, motion.q, equations_.blocks, motion.u);
  motion.u = way_;
}

MechanismRank compute_rank(const System& system, const Motion& motion) {
  const Bodies& bodies = system.bodies;
  MechanismRank result;
  for (int body = 0; body < bodies.size(); ++body)
    if (bodies.can_move(body)) result.freedoms += bodies.slot(body).nu;
  JointEquations equations;
  equations.gather(system, motion, true);
  result.rows = equations.rows();
  if (result.rows == 0) return result;
  // Rank of W = H M^-1 H' with its diagonal scaled to 1: independent of units.
  const VecX none = VecX::Zero(bodies.nu());
  FreeMotion free;
  LocalProblem problem;
  LocalRows rows;
  bodies.free_motion(motion.q, none, none, StepContext{0, 1e-12, Vec3::Zero(), false}, free, {});
  assemble(bodies, motion.q, free, equations.blocks, {}, problem, rows);
  MatX W = MatX::Zero(result.rows, result.rows);
  for (int i = 0; i < problem.size(); ++i)
    for (int k = problem.W.row_start[static_cast<std::size_t>(i)];
         k < problem.W.row_start[static_cast<std::size_t>(i) + 1]; ++k) {
      const auto j = static_cast<std::size_t>(problem.W.column[static_cast<std::size_t>(k)]);
      const Eigen::Map<const MatX> block = problem.block(i, k);
      W.block(problem.offset[static_cast<std::size_t>(i)], problem.offset[j], block.rows(), block.cols()) = block;
    }
  const VecX scale = W.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const MatX scaled = scale.asDiagonal() * W * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(0.5 * (scaled + scaled.transpose()), Eigen::EigenvaluesOnly);
  // Eigenvalues are squares of singular values of H: below 1e-10 of the largest a row is dependent to 1e-5.
  for (const double x : eigen.eigenvalues())
    if (x > 1e-10 * eigen.eigenvalues().maxCoeff()) ++result.rank;
  return result;
}

}  // namespace cairn
