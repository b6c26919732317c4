// SPDX-License-Identifier: Apache-2.0
// Coulomb's cone replaced by planes, so that a contact problem becomes an Mlcp.
//
// pyramid  r_T = sum_j beta_j d_j over m unit directions:  0 <= beta_j _|_ d_j . U_T + lambda >= 0,
//          0 <= lambda _|_ mu r_N - sum_j beta_j >= 0   (Stewart and Trinkle 1996; Anitescu and Potra 1997).
//          The polygon lies inside the disc; in the plane two directions are exact. Rolling: a second polygon, spinning
//          another one in the plane. A constant limit (Tresca) stands in place of mu r_N.
// box      |r_Ti| <= mu r_N per axis, r_N taken from impulses known before (Bullet, ODE, Vortex; Hewlett 7.5): up to
//          sqrt(2) outside the disc. In the plane it is exact once r_N no longer changes.
// Unilateral, bilateral and interval rows map one to one.
#pragma once
#include "cairn/problem/lcp.h"

#include <algorithm>
#include <vector>

namespace cairn {

struct FrictionModel {
  enum class Kind { Pyramid, Box };
  Kind kind = Kind::Pyramid;
  int facets = 8;  ///< per disc in space; even, at least 4
};

/// A local problem in numbers near 1: r = unit * row_scale * r^, b^ = row_scale * b / unit, with one factor per
/// constraint, 1/sqrt(D_c), which leaves friction cones as they are.
struct BalancedProblem {
  std::vector<int> offset;
  std::vector<ConstraintLaw> law;
  MatX W;
  VecX b, row_scale;
  double unit = 1;

  explicit BalancedProblem(const LocalProblem& problem);
  int size() const { return static_cast<int>(law.size()); }
  int rows(int i) const { return offset[static_cast<std::size_t>(i) + 1] - offset[static_cast<std::size_t>(i)]; }
  VecX to_scaled(const VecX& r) const { return r.cwiseQuotient(row_scale) / unit; }
  VecX from_scaled(const VecX& r) const { return unit * r.cwiseProduct(row_scale); }
  /// Natural map of the true laws, step 1: |F|, and F where wanted.
  double natural_map(const VecX& r, VecX* F = nullptr) const;
};

/// One friction disc of a constraint, |x| <= mu r_N or |x| <= mu: tangential impulse, rolling or spinning moment. The
/// ellipse of orthotropic friction is a disc whose axes are stretched.
struct FrictionDisc {
  int normal;           ///< row of r; -1: a constant limit mu
  int first, tangents;  ///< rows of r; tangents 1 or 2
  double mu;
  std::vector<double> angles = {};    ///< of the directions, from the first tangent
  int first_column = -1, slack = -1;  ///< pyramid: of beta and of lambda in the Mlcp
  Vec2 stretch = Vec2::Ones();

  double bound(const VecX& r) const { return normal < 0 ? mu : mu * std::max(0.0, r[normal]); }
  /// The impulses of two tangents where the set is a disc.
  Vec2 to_round(const VecX& r) const {
    return {stretch[0] > 0 ? r[first] / stretch[0] : 0, stretch[1] > 0 ? r[first + 1] / stretch[1] : 0};
  }
};

/// The discs of a problem with regular polygons; those with mu = 0 are left out (their rows carry nothing). Throws
/// Error for a law whose friction is not made of discs.
std::vector<FrictionDisc> make_discs(const BalancedProblem& problem, int facets);

struct PolyhedralModel {
  Mlcp mlcp;  ///< in scaled variables
  std::vector<FrictionDisc> discs;
  MatX spread;  ///< r^ = spread z
};

/// Unknowns the Mlcp of a problem will have.
int count_unknowns(const LocalProblem& problem, const FrictionModel& model);

/// With discs as turned by the caller (pyramid), or bounds from the normal impulses of `lagged` (box; scaled, size of
/// r).
PolyhedralModel to_mlcp(const BalancedProblem& problem, const FrictionModel& model, std::vector<FrictionDisc> discs,
                        const VecX& lagged = {});
PolyhedralModel to_mlcp(const LocalProblem& problem, const FrictionModel& model, const VecX& lagged = {});

/// Impulses of the scaled problem from the unknowns of the Mlcp, and unknowns that give these impulses (to 1e-10).
VecX from_mlcp(const PolyhedralModel& model, const VecX& z);
VecX find_unknowns(const PolyhedralModel& model, const BalancedProblem& problem, const VecX& r);

/// Whether a friction disc has two dimensions: only then do planes differ from the law.
bool has_spatial_friction(const LocalProblem& problem);

/// In words, for messages: "polyhedral model (8 facets) solved to 1e-14"; without spatial friction the model is exact.
std::string describe_model(const LocalProblem& problem, const FrictionModel& model, double residual);

}  // namespace cairn
