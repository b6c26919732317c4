// SPDX-License-Identifier: Apache-2.0
// Equations of joints: gathered, met, counted.
#include "cairn/assembly/joint_projection.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

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
  constexpr double d = 1e-5;  // s: the speed of what moves in time, by central differences
  blocks.clear();
  errors.clear();
  rates.clear();
  list_equations(system, list_);
  at_.set(system, motion.q, motion.s, motion.time);
  for (const JointEquation& equation : list_) {
    if (has_ended(equation, system, motion) || equation.is_compliant()) continue;
    const bool stretched = equation.sense == EquationSense::AtLeast && equation.owner.kind == RowOwner::Kind::Joint;
    const bool moves = equation.work == RowWork::Drive;
    if (!stretched && (!equation.is_position() || (moves && !servos))) continue;
    const RowVector g = equation_error(equation, at_);
    if (stretched && g[0] >= 0) continue;  // a rope that is slack
    fill_rows(equation, at_, blocks.emplace_back());
    errors.push_back(g);
    rates.push_back(equation_drift(equation, at_, motion.time - d, motion.time + d) / (2 * d));
  }
}

void JointProjection::solve(const System& system, const VecX& q, const std::vector<RowBlock>& blocks,
                            const VecX& given) {
  system.bodies.factorise_mass(q, free_);
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
  FreeMotion free;
  LocalProblem problem;
  LocalRows rows;
  bodies.factorise_mass(motion.q, free);
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
