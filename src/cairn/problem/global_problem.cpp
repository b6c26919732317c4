// SPDX-License-Identifier: Apache-2.0
// From the global to the local form and back. M is factorised body by body: it couples only what belongs together.
#include "cairn/problem/global_problem.h"

#include "cairn/base/error.h"
#include "cairn/problem/dense_matrix.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SparseLU>

#include <cmath>
#include <numeric>

namespace cairn {
namespace {

/// Above this many degrees of freedom a part of M is factorised sparse.
constexpr int max_dense_part = 400;

int find_root(std::vector<int>& parent, int i) {
  while (parent[static_cast<std::size_t>(i)] != i) {
    int& p = parent[static_cast<std::size_t>(i)];
    p = parent[static_cast<std::size_t>(p)];
    i = p;
  }
  return i;
}

bool all_finite(const SparseMatrix& A) {
  for (int k = 0; k < A.outerSize(); ++k)
    for (SparseMatrix::InnerIterator it(A, k); it; ++it)
      if (!std::isfinite(it.value())) return false;
  return true;
}

}  // namespace

void check_problem(const GlobalProblem& p, std::string_view owner) {
  const auto n = p.M.rows(), m = static_cast<Eigen::Index>(p.offset.back());
  if (p.offset.size() != p.law.size() + 1)
    throw Error("{}: {} laws but {} constraints", owner, p.size(), p.offset.size() - 1);
  for (int i = 0; i < p.size(); ++i)
    check_law(p.law[static_cast<std::size_t>(i)], p.rows(i), fmt::format("{}: constraint {}", owner, i));
  if (p.M.cols() != n) throw Error("{}: M is {} x {}; must be square", owner, n, p.M.cols());
  if (p.H.rows() != n || p.H.cols() != m)
    throw Error("{}: H is {} x {}; must be {} x {}", owner, p.H.rows(), p.H.cols(), n, m);
  if (p.f.size() != n) throw Error("{}: f has {} entries; must have {}", owner, p.f.size(), n);
  if (p.w.size() != m) throw Error("{}: w has {} entries; must have {}", owner, p.w.size(), m);
  if (p.compliance.size() != 0 && p.compliance.size() != m)
    throw Error("{}: compliance has {} entries; must have {} or none", owner, p.compliance.size(), m);
  if (p.compliance.size() != 0 && !(p.compliance.allFinite() && p.compliance.minCoeff() >= 0))
    throw Error("{}: compliance must be finite and >= 0", owner);
  if (!p.f.allFinite() || !p.w.allFinite()) throw Error("{}: f or w holds numbers that are not finite", owner);
  if (!all_finite(p.M) || !all_finite(p.H)) throw Error("{}: M or H holds numbers that are not finite", owner);
}

std::vector<int> mass_parts(const SparseMatrix& M) {
  std::vector<int> parent(static_cast<std::size_t>(M.cols()));
  std::iota(parent.begin(), parent.end(), 0);
  for (int k = 0; k < M.outerSize(); ++k)
    for (SparseMatrix::InnerIterator it(M, k); it; ++it) {
      if (it.value() == 0) continue;
      const int a = find_root(parent, static_cast<int>(it.row())), b = find_root(parent, k);
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  std::vector<int> part(parent.size(), -1);
  int count = 0;
  for (std::size_t i = 0; i < parent.size(); ++i) {
    const std::size_t root = static_cast<std::size_t>(find_root(parent, static_cast<int>(i)));
    part[i] = root == i ? count++ : part[root];
  }
  return part;
}

std::vector<int> find_bodies(const GlobalProblem& problem) {
  // A diagonal M couples nothing: then rigid bodies are six dofs in turn, if no constraint touches more than two.
  const int n = static_cast<int>(problem.f.size());
  bool rigid = n % 6 == 0;
  for (int c = 0; rigid && c < problem.M.outerSize(); ++c)
    for (SparseMatrix::InnerIterator it(problem.M, c); it; ++it)
      rigid = rigid && (it.value() == 0 || static_cast<int>(it.row()) / 6 == c / 6);
  std::vector<int> touched;
  for (int i = 0; rigid && i < problem.size(); ++i) {
    touched.clear();
    for (int l = problem.offset[static_cast<std::size_t>(i)]; l < problem.offset[static_cast<std::size_t>(i) + 1]; ++l)
      for (SparseMatrix::InnerIterator it(problem.H, l); it; ++it) touched.push_back(static_cast<int>(it.row()) / 6);
    std::sort(touched.begin(), touched.end());
    rigid = std::unique(touched.begin(), touched.end()) - touched.begin() <= 2;
  }
  if (!rigid) return mass_parts(problem.M);
  std::vector<int> body(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) body[static_cast<std::size_t>(k)] = k / 6;
  return body;
}

struct MassFactor::Parts {
  struct Part {
    std::vector<int> dofs;
    MatX inverse;                                           ///< small parts
    std::unique_ptr<Eigen::SparseLU<SparseMatrix>> factor;  ///< large ones
  };
  std::vector<Part> parts;
  std::vector<int> part, place;  ///< of each degree of freedom
};

MassFactor::~MassFactor() = default;
MassFactor::MassFactor(MassFactor&&) noexcept = default;

MassFactor::MassFactor(const SparseMatrix& M) : parts_(std::make_unique<Parts>()) {
  Parts& all = *parts_;
  all.part = mass_parts(M);
  all.place.resize(all.part.size());
  for (std::size_t i = 0; i < all.part.size(); ++i) {
    const std::size_t k = static_cast<std::size_t>(all.part[i]);
    if (k >= all.parts.size()) all.parts.resize(k + 1);
    all.place[i] = static_cast<int>(all.parts[k].dofs.size());
    all.parts[k].dofs.push_back(static_cast<int>(i));
  }
  for (std::size_t k = 0; k < all.parts.size(); ++k) {
    Parts::Part& p = all.parts[k];
    const int n = static_cast<int>(p.dofs.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (const int dof : p.dofs)
      for (SparseMatrix::InnerIterator it(M, dof); it; ++it)
        if (it.value() != 0)
          entries.emplace_back(all.place[static_cast<std::size_t>(it.row())], all.place[static_cast<std::size_t>(dof)],
                               it.value());
    if (n <= max_dense_part) {
      MatX dense = MatX::Zero(n, n);
      for (const auto& e : entries) dense(e.row(), e.col()) += e.value();
      const Eigen::FullPivLU<MatX> lu(dense);
      if (!lu.isInvertible()) throw Error("M is singular (degree of freedom {} and those it couples)", p.dofs[0]);
      p.inverse = lu.inverse();
    } else {
      SparseMatrix sparse(n, n);
      sparse.setFromTriplets(entries.begin(), entries.end());
      p.factor = std::make_unique<Eigen::SparseLU<SparseMatrix>>(sparse);
      if (p.factor->info() != Eigen::Success)
        throw Error("M is singular (degree of freedom {} and those it couples)", p.dofs[0]);
    }
  }
}

VecX MassFactor::solve(const VecX& x) const {
  VecX y(x.size());
  for (const Parts::Part& p : parts_->parts) {
    const int n = static_cast<int>(p.dofs.size());
    VecX local(n);
    for (int i = 0; i < n; ++i) local[i] = x[p.dofs[static_cast<std::size_t>(i)]];
    local = p.factor ? VecX(p.factor->solve(local)) : VecX(p.inverse * local);
    for (int i = 0; i < n; ++i) y[p.dofs[static_cast<std::size_t>(i)]] = local[i];
  }
  return y;
}

SparseMatrix MassFactor::solve(const SparseMatrix& X) const {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<int> touched;
  VecX column = VecX::Zero(X.rows());
  for (int c = 0; c < X.outerSize(); ++c) {
    touched.clear();
    for (SparseMatrix::InnerIterator it(X, c); it; ++it) {
      if (it.value() == 0) continue;
      column[it.row()] += it.value();
      touched.push_back(parts_->part[static_cast<std::size_t>(it.row())]);
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const int k : touched) {
      const Parts::Part& p = parts_->parts[static_cast<std::size_t>(k)];
      const int n = static_cast<int>(p.dofs.size());
      VecX local(n);
      for (int i = 0; i < n; ++i) {
        double& x = column[p.dofs[static_cast<std::size_t>(i)]];
        local[i] = x;
        x = 0;
      }
      local = p.factor ? VecX(p.factor->solve(local)) : VecX(p.inverse * local);
      for (int i = 0; i < n; ++i) entries.emplace_back(p.dofs[static_cast<std::size_t>(i)], c, local[i]);
    }
  }
  SparseMatrix Y(X.rows(), X.cols());
  Y.setFromTriplets(entries.begin(), entries.end());
  return Y;
}

LocalProblem to_local(const GlobalProblem& problem, const MassFactor& mass) {
  LocalProblem local;
  local.offset = problem.offset;
  local.law = problem.law;
  const SparseMatrix W = problem.H.transpose() * mass.solve(problem.H);
  BlockMatrixBuilder builder(local.offset);
  for (int c = 0; c < W.outerSize(); ++c)
    for (SparseMatrix::InnerIterator it(W, c); it; ++it) builder.add(static_cast<int>(it.row()), c, it.value());
  for (int i = 0; i < problem.compliance.size(); ++i) builder.add(i, i, problem.compliance[i]);
  local.W = builder.finish();
  local.b = problem.H.transpose() * mass.solve(problem.f) + problem.w;
  return local;
}

LocalProblem to_local(const GlobalProblem& problem) { return to_local(problem, MassFactor(problem.M)); }

VecX global_velocity(const GlobalProblem& problem, const MassFactor& mass, const VecX& r) {
  return mass.solve(VecX(problem.f + problem.H * r));
}

VecX diagonal_scales(const GlobalProblem& problem, const MassFactor& mass) {
  VecX D = VecX::Zero(problem.size());
  const SparseMatrix Y = mass.solve(problem.H);
  for (int i = 0; i < problem.size(); ++i) {
    const int rows = problem.rows(i);
    for (int l = problem.offset[static_cast<std::size_t>(i)]; l < problem.offset[static_cast<std::size_t>(i) + 1];
         ++l) {
      D[i] += problem.H.col(l).dot(Y.col(l)) / rows;
      if (problem.compliance.size() > 0) D[i] += problem.compliance[l] / rows;
    }
  }
  return replace_by_mean(std::move(D));
}

GlobalProblem to_global(const PairProblem& problem) {
  GlobalProblem global;
  const int n = 6 * problem.block_count, m = 3 * static_cast<int>(problem.size());
  global.f = VecX::Zero(n);
  global.w.resize(m);
  global.M.resize(n, n);
  global.M.setIdentity();
  std::vector<Eigen::Triplet<double>> entries;
  const auto add_side = [&](int block, int row, const Mat3& D, const Mat3& G) {
    for (int l = 0; l < 3; ++l)
      for (int k = 0; k < 3; ++k) {
        entries.emplace_back(6 * block + k, row + l, D(l, k));
        entries.emplace_back(6 * block + 3 + k, row + l, G(l, k));
      }
  };
  for (const PairBlock& c : problem.blocks) {
    const int row = global.offset.back();
    add_side(c.first, row, c.D, c.G1);
    if (c.second >= 0) add_side(c.second, row, c.beta * c.D, c.G2);
    global.w.segment<3>(row) = c.b;
    global.offset.push_back(row + 3);
    global.law.push_back({c.law, c.mu});
  }
  global.H.resize(n, m);
  global.H.setFromTriplets(entries.begin(), entries.end());
  return global;
}

GlobalProblem to_global(const LocalProblem& problem) {
  const int m = problem.offset.back();
  const MatX W = to_dense(problem);
  const double size = m > 0 ? W.cwiseAbs().maxCoeff() : 0;
  if (m > 0 && (W - W.transpose()).cwiseAbs().maxCoeff() > 1e-12 * size)
    throw Error("W is not symmetric: the problem has no global form with a symmetric mass");
  GlobalProblem global;
  global.offset = problem.offset;
  global.law = problem.law;
  global.w = problem.b;
  if (m == 0) return global;
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(W);
  const VecX values = eigen.eigenvalues();
  if (values[0] < -1e-10 * values[m - 1]) {
    throw Error("W has the negative eigenvalue {:.3g}: the problem has no global form", values[0]);
  }
  const int rank = static_cast<int>((values.array() > 1e-14 * values[m - 1]).count());
  const MatX H = values.tail(rank).cwiseSqrt().asDiagonal() * eigen.eigenvectors().rightCols(rank).transpose();
  global.H = H.sparseView();
  global.M.resize(rank, rank);
  global.M.setIdentity();
  global.f = VecX::Zero(rank);
  return global;
}

}  // namespace cairn
