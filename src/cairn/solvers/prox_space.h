// SPDX-License-Identifier: Apache-2.0
// The inner problem of proximal methods in the smaller of two spaces.
//
// Scaled variables r^ = r sqrt(D_c), U^ = U / sqrt(D_c), so that every diagonal block of W^ = A A' has mean diagonal 1.
// For given centre r_k, shift s and compliance eps the inner problem is
//   z minimises  f(z) = |z|^2/2 + eps/2 sum_c |P_K(y_c)|^2,   y = r_k - (A z + b + s)/eps,
// convex, once differentiable, Newton matrix I + A' (E/eps) A with E = dP_K. Two ways to hold z:
//   velocity space  z itself (6 numbers per rigid body), the matrix as it stands;
//   contact space   z = A' x with one number per row: needs only W^, and Newton is I + G W^ G, G = (E/eps)^(1/2).
// The unsymmetric part of W (gyroscopic terms) is lagged there: it belongs to b, renewed by every outer step.
//
// The true problem, z = A' P_K(r_k - (U + s(U))/eps) with the shift moving along and W unsymmetric, is no minimisation;
// its Newton matrix I + A' (B/eps) A, B = dP_K (1 + ds/dU), is unsymmetric: the functions called `true_`.
#pragma once
#include "cairn/math/aligned_vector.h"
#include "cairn/math/sparse_cholesky.h"
#include "cairn/problem/contact_problem.h"
#include "cairn/solvers/island_sweeps.h"

namespace cairn {

/// What both spaces know: laws, scales, right-hand side in scaled variables.
struct ScaledLaws {
  std::vector<int> offset{0};
  std::vector<ConstraintLaw> law;  ///< bounds and limits are scaled
  VecX scale;                      ///< sqrt(D_c) per row
  VecX b;                          ///< scaled
  double b_norm = 0;               ///< |b| as given: what residuals refer to

  int size() const { return static_cast<int>(law.size()); }
  int rows(int i) const { return offset[static_cast<std::size_t>(i) + 1] - offset[static_cast<std::size_t>(i)]; }
  int total() const { return offset.back(); }
  void set(const std::vector<int>& offsets, const std::vector<ConstraintLaw>& laws, const VecX& D, const VecX& right);
  /// Residuals times this compare with velocities in scaled variables.
  double unit() const {
    const double plain = b.cwiseProduct(scale).norm();
    return plain > 0 ? b_norm * b.norm() / plain : b_norm;
  }
  /// e_scaled of scaled impulses and velocities.
  double residual(const VecX& r, const VecX& U) const;
};

/// dP_K of all constraints (or its root), rows x rows each, one after the other.
struct LawBlocks {
  AlignedVector values;
  std::vector<std::size_t> start;
  std::vector<char> zero;  ///< whether a block is 0
  const double* operator[](int i) const { return values.data() + start[static_cast<std::size_t>(i)]; }
  /// Room for the blocks of all constraints.
  void set(const ScaledLaws& laws);
};

/// Contact space: x with z = A' x.
class ContactSpace {
 public:
  static constexpr std::string_view name = "contact space";
  /// False when the pattern of W has no diagonal or is not symmetric.
  bool set(const LocalProblem& problem);
  /// False when a factorisation would cost more than max_cost multiplications. Needed before directions, not for
  /// sweeps.
  bool plan(double max_cost);
  const ScaledLaws& laws() const { return laws_; }
  /// What residuals refer to instead of |b|: for islands of a larger problem.
  void set_reference(double norm) { laws_.b_norm = norm; }
  double cost() const { return 0.5 * lu_.cost(); }

  /// U^ = W^ r + b^: the whole truth.
  void velocity(const VecX& r, VecX& U) const;
  /// z = A' r, and lags the unsymmetric part at r: U = W_s x + b_k.
  void start(const VecX& r);
  const VecX& U() const { return U_; }
  const VecX& dU() const { return dU_; }
  /// |z - A' gamma|; remembers it as the gradient.
  double gradient(const VecX& gamma);
  double norm() const;
  /// Newton direction for E/eps; false when the factorisation fails.
  bool direction(const LawBlocks& root, double eps);
  double z_dz() const { return x_.dot(dU_); }
  double dz_dz() const { return dx_.dot(dU_); }
  double g_dz() const { return g_.dot(dU_); }
  void step(double alpha);

  /// One sweep of Gauss-Seidel over r; the length of its update, as a velocity (|dr| in scaled variables). U is left
  /// behind.
  double sweep(VecX& r, bool forward);
  void prepare_sweeps(const VecX& r);

  void true_start(const VecX& r);
  /// Length of z - A' gamma where W is unsymmetric too; remembers it.
  double true_gradient(const VecX& gamma);
  bool true_direction(const LawBlocks& B, double eps);
  /// The direction for another gradient with the last factorisation.
  bool true_direction_again();
  /// The same in pieces: the matrix 1 + A' B A, the sign of its determinant, and A' gamma in place of the gradient.
  bool true_factor(const LawBlocks& B) { return true_matrix(B, 1) && lu_.factor(); }
  int true_sign() const { return lu_.determinant_sign(); }
  void true_source(const VecX& gamma);

 private:
  bool true_matrix(const LawBlocks& B, double eps);
  void apply_symmetric(const VecX& x, VecX& y) const;
  void halve();
  ScaledLaws laws_;
  LocalProblem W_;      ///< scaled
  AlignedVector half_;  ///< symmetric part of each block of W_
  bool halved_ = false, symmetric_ = true;
  SparseCholesky factor_;
  SparseLu lu_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> pair_block_, mirror_block_;  ///< blocks of W_ of each pair
  std::vector<int> diagonal_, sizes_, next_;
  IslandSweeps sweeps_;
  VecX x_, dx_, g_, U_, dU_, lag_, work_, Wg_;
};

/// Velocity space: z itself.
class VelocitySpace {
 public:
  static constexpr std::string_view name = "velocity space";
  /// Of some constraints alone, empty: all; false where the bodies are not known.
  bool set(const ContactProblem& problem, std::span<const int> constraints = {});
  void set(const PairProblem& problem);
  /// M must be block diagonal in parts of moderate size with positive definite symmetric part; false otherwise.
  bool set(const GlobalProblem& problem);
  bool plan(double max_cost);
  int parts() const { return static_cast<int>(part_size_.size()); }
  /// How many blocks W would have at most.
  double blocks_of_w() const;
  const ScaledLaws& laws() const { return laws_; }
  /// What residuals refer to instead of |b|: for islands of a larger problem.
  void set_reference(double norm) { laws_.b_norm = norm; }
  double cost() const { return 0.5 * lu_.cost(); }

  void velocity(const VecX& r, VecX& U) const;
  void start(const VecX& r);
  const VecX& U() const { return U_; }
  const VecX& dU() const { return dU_; }
  double gradient(const VecX& gamma);
  double norm() const { return z_.norm(); }
  bool direction(const LawBlocks& E, double eps);
  double z_dz() const { return z_.dot(dz_); }
  double dz_dz() const { return dz_.squaredNorm(); }
  double g_dz() const { return g_.dot(dz_); }
  void step(double alpha);

  /// One sweep of Gauss-Seidel over r; the length of its update, as a velocity (|dr| in scaled variables). U is left
  /// behind.
  double sweep(VecX& r, bool forward);
  void prepare_sweeps(const VecX& r);

  void true_start(const VecX& r);
  double true_gradient(const VecX& gamma);
  bool true_direction(const LawBlocks& B, double eps);
  /// The direction for another gradient with the last factorisation.
  bool true_direction_again();
  /// The same in pieces: the matrix 1 + A' B A, the sign of its determinant, and A' gamma in place of the gradient.
  bool true_factor(const LawBlocks& B) { return true_matrix(B, 1) && lu_.factor(); }
  int true_sign() const { return lu_.determinant_sign(); }
  void true_source(const VecX& gamma);

 private:
  /// One constraint's rows over one part of z.
  struct Rows {
    int part = 0;
    std::size_t start = 0;  ///< into A_: rows x size of the part, by columns
  };
  void finish();
  bool true_matrix(const LawBlocks& B, double eps);
  void apply(const VecX& z, VecX& U) const;
  void apply_transposed(const VecX& r, VecX& z) const;
  void correct(const VecX& z, VecX& out) const;

  ScaledLaws laws_;
  AlignedVector A_;
  std::vector<Rows> rows_;
  std::vector<int> rows_start_;
  std::vector<int> part_size_, part_offset_;
  SparseCholesky factor_;
  SparseLu lu_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> pair_start_;  ///< first pair of each constraint
  /// With M = L (1 + K) L', K skew: (1 + K)^-1 - 1 per part, whose effect is lagged; empty when M is symmetric.
  std::vector<MatX> correction_, skew_;
  std::vector<LocalSolver> local_;
  VecX z_sweep_;
  VecX z_, dz_, g_, U_, dU_;
  mutable VecX z_work_, z_work2_;
};

}  // namespace cairn
