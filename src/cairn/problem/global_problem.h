// SPDX-License-Identifier: Apache-2.0
// The contact problem in global form, as problem files hold it: M v = f + H r, U = H' v + w, (U, r) obeys the laws.
#pragma once
#include "cairn/problem/local_problem.h"

#include <Eigen/SparseCore>

#include <memory>

namespace cairn {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct GlobalProblem {
  SparseMatrix M;  ///< n x n, may be unsymmetric
  SparseMatrix H;  ///< n x rows
  VecX f, w;
  VecX compliance;             ///< per row: U = H' v + w + compliance r; empty: none
  std::vector<int> offset{0};  ///< first row of each constraint, and one past the last
  std::vector<ConstraintLaw> law;

  int size() const { return static_cast<int>(law.size()); }
  int rows(int i) const { return offset[static_cast<std::size_t>(i) + 1] - offset[static_cast<std::size_t>(i)]; }
};

/// Throws Error naming `owner` unless sizes fit, numbers are finite and laws are admissible.
void check_problem(const GlobalProblem& problem, std::string_view owner);

/// Groups of degrees of freedom that M couples (the bodies): part of each, numbered from 0 in the order of their first.
std::vector<int> mass_parts(const SparseMatrix& M);

/// Body of each degree of freedom: six in turn where M and H allow that, also where M is diagonal, else mass_parts.
std::vector<int> find_bodies(const GlobalProblem& problem);

/// M factorised part by part (dense for small parts, sparse for large ones). Throws Error when M is singular.
class MassFactor {
 public:
  explicit MassFactor(const SparseMatrix& M);
  ~MassFactor();
  MassFactor(MassFactor&&) noexcept;
  VecX solve(const VecX& x) const;
  /// M^-1 X, sparse: columns stay within the parts they touch.
  SparseMatrix solve(const SparseMatrix& X) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// W = H' M^-1 H + compliance, b = H' M^-1 f + w.
LocalProblem to_local(const GlobalProblem& problem, const MassFactor& mass);
LocalProblem to_local(const GlobalProblem& problem);

/// v = M^-1 (f + H r).
VecX global_velocity(const GlobalProblem& problem, const MassFactor& mass, const VecX& r);

/// D_c of the scaled residual (LocalProblem::scales), without W.
VecX diagonal_scales(const GlobalProblem& problem, const MassFactor& mass);

/// The global form of pairs in their own unknowns: v = z, M = 1, H = H~'.
GlobalProblem to_global(const PairProblem& problem);

/// A global form with M = 1 of a local problem: W = H' H. Throws Error when W is not symmetric positive semidefinite.
GlobalProblem to_global(const LocalProblem& problem);

}  // namespace cairn
