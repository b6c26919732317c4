// SPDX-License-Identifier: Apache-2.0
// Islands of bodies that implicit forces couple, and their M^.
#include "cairn/assembly/coupled_mass.h"

#include "cairn/base/error.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <numeric>

namespace cairn {
namespace {

MatX mass_of(const Bodies& bodies, int body, const FreeMotion& free) {
  const Bodies::Slot& s = bodies.slot(body);
  const auto k = static_cast<std::size_t>(s.index);
  if (!s.rigid) return free.inverse_mass[k].inverse();
  MatX M = MatX::Zero(6, 6);
  M.diagonal().head<3>().setConstant(1 / (free.inverse_mass_root[k] * free.inverse_mass_root[k]));
  const Mat3& root = free.inverse_inertia_root[k];
  M.bottomRightCorner<3, 3>() = Mat3(root.transpose() * root).inverse();
  return M;
}

}  // namespace

MatX positive_part(const MatX& A) {
  const MatX S = 0.5 * (A + A.transpose());
  const double size = S.cwiseAbs().maxCoeff();
  if (size == 0) return S;
  // Nearly all are: a shift by rounding makes the factorisation of a singular one pass.
  if (Eigen::LLT<MatX>(S + 1e-13 * size * static_cast<double>(S.rows()) * MatX::Identity(S.rows(), S.rows())).info() ==
      Eigen::Success)
    return S;
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(S);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
}

void CoupledMass::add(const ForceTangent& on, MatX S) { added_.push_back({on.body, on.size, std::move(S)}); }

void CoupledMass::factor(const Bodies& bodies, const FreeMotion& free) {
  islands_.clear();
  island_of_.clear();
  if (added_.empty()) return;
  // Union of the bodies of each element, the lowest of an island stands for it.
  std::vector<int> root(static_cast<std::size_t>(bodies.size()));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int body) {
    while (root[static_cast<std::size_t>(body)] != body) body = root[static_cast<std::size_t>(body)];
    return body;
  };
  std::vector<char> taken(root.size(), 0);
  for (const Added& a : added_) {
    for (const int body : a.body)
      if (bodies.can_move(body)) taken[static_cast<std::size_t>(body)] = 1;
    if (!bodies.can_move(a.body[0]) || !bodies.can_move(a.body[1])) continue;
    const int first = find(a.body[0]), second = find(a.body[1]);
    root[static_cast<std::size_t>(std::max(first, second))] = std::min(first, second);
  }
  island_of_.assign(root.size(), -1);
  node_of_.assign(root.size(), -1);
  for (int body = 0; body < bodies.size(); ++body) {
    if (!taken[static_cast<std::size_t>(body)]) continue;
    const auto head = static_cast<std::size_t>(find(body));
    if (static_cast<int>(head) == body) {
      island_of_[head] = static_cast<int>(islands_.size());
      islands_.emplace_back().start.push_back(0);
    }
    Island& island = islands_[static_cast<std::size_t>(island_of_[head])];
    island_of_[static_cast<std::size_t>(body)] = island_of_[head];
    node_of_[static_cast<std::size_t>(body)] = static_cast<int>(island.bodies.size());
    island.bodies.push_back(body);
    island.sizes.push_back(bodies.slot(body).nu);
    island.start.push_back(island.start.back() + bodies.slot(body).nu);
    island.mass.push_back(mass_of(bodies, body, free));
  }
  const auto pair_of = [&](const Added& a) {
    const int i = node_of_[static_cast<std::size_t>(a.body[0])], j = node_of_[static_cast<std::size_t>(a.body[1])];
    return std::pair(std::min(i, j), std::max(i, j));
  };
  const auto is_pair = [&](const Added& a) { return bodies.can_move(a.body[0]) && bodies.can_move(a.body[1]); };
  const auto island_of = [&](const Added& a) -> Island& {
    const int body = bodies.can_move(a.body[0]) ? a.body[0] : a.body[1];
    return islands_[static_cast<std::size_t>(island_of_[static_cast<std::size_t>(body)])];
  };
  for (const Added& a : added_)
    if (is_pair(a)) island_of(a).pairs.push_back(pair_of(a));
  for (Island& island : islands_) {
    std::sort(island.pairs.begin(), island.pairs.end());
    island.pairs.erase(std::unique(island.pairs.begin(), island.pairs.end()), island.pairs.end());
    island.factor.plan(island.sizes, island.pairs);
    island.factor.set_zero();
    for (std::size_t i = 0; i < island.bodies.size(); ++i)
      island.factor.add_diagonal(static_cast<int>(i), island.mass[i]);
  }
  for (const Added& a : added_) {
    int row = 0;
    for (std::size_t k = 0; k < 2; row += a.size[k++])
      if (bodies.can_move(a.body[k]))
        island_of(a).factor.add_diagonal(node_of_[static_cast<std::size_t>(a.body[k])],
                                         a.S.block(row, row, a.size[k], a.size[k]));
    if (!is_pair(a)) continue;
    Island& island = island_of(a);
    const auto pair = pair_of(a);
    const auto place = std::lower_bound(island.pairs.begin(), island.pairs.end(), pair) - island.pairs.begin();
    const bool turned = node_of_[static_cast<std::size_t>(a.body[0])] != pair.first;
    const MatX block =
        turned ? MatX(a.S.bottomLeftCorner(a.size[1], a.size[0])) : MatX(a.S.topRightCorner(a.size[0], a.size[1]));
    island.factor.add_pair(static_cast<int>(place), block);
  }
  for (Island& island : islands_)
    if (!island.factor.factor()) throw Error("the mass matrix with implicit forces is not positive definite");
}

void CoupledMass::correct(const Bodies& bodies, const VecX& u_begin, VecX& u_free) const {
  for (const Island& island : islands_) {
    VecX x(island.start.back());
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
      const Bodies::Slot& s = bodies.slot(island.bodies[i]);
      x.segment(island.start[i], s.nu) = island.mass[i] * (u_free.segment(s.u, s.nu) - u_begin.segment(s.u, s.nu));
    }
    island.factor.solve(x);
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
      const Bodies::Slot& s = bodies.slot(island.bodies[i]);
      u_free.segment(s.u, s.nu) = u_begin.segment(s.u, s.nu) + x.segment(island.start[i], s.nu);
    }
  }
}

void CoupledMass::add_impulse(const Bodies& bodies, const VecX& u_begin, const VecX& u_end, VecX& impulse) const {
  for (const Added& a : added_) {
    VecX change = VecX::Zero(a.size[0] + a.size[1]);
    for (std::size_t k = 0; k < 2; ++k)
      if (bodies.can_move(a.body[k])) {
        const Bodies::Slot& s = bodies.slot(a.body[k]);
        change.segment(k == 0 ? 0 : a.size[0], s.nu) = u_end.segment(s.u, s.nu) - u_begin.segment(s.u, s.nu);
      }
    const VecX pull = a.S * change;
    for (std::size_t k = 0; k < 2; ++k)
      if (a.body[k] >= 0)
        impulse.segment(bodies.slot(a.body[k]).u, a.size[k]) -= pull.segment(k == 0 ? 0 : a.size[0], a.size[k]);
  }
}

}  // namespace cairn
