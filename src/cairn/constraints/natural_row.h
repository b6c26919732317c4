// SPDX-License-Identifier: Apache-2.0
// Joints as equations in natural coordinates (bodies/natural.h), with exact first and second derivatives.
//
// A term sees the frames of two bodies as Y = [c a_1 a_2 a_3 | c b_1 b_2 b_3], 3 x 8. Points and directions of a joint
// are Y w with constant w, so that every equation is made of
//   linear      e . (Y w)
//   quadratic   1/2 tr(Y h Y')                 h symmetric, constant: Hessian h (x) 1
//   length      |Y w|
//   angle       atan2(f, g), f and g quadratic; counts turns
// A row is a sum of such terms, on up to three joints, and a function of time. Errors are those of joint.h, so that
// multipliers are the reactions of its rows.
#pragma once
#include "cairn/bodies/natural.h"
#include "cairn/constraints/coordinate_law.h"

namespace cairn {

using FramePair = Eigen::Matrix<double, 3, 8>;
using Weights = Eigen::Matrix<double, 8, 1>;
using QuadraticForm = Eigen::Matrix<double, 8, 8>;
using Mat24 = Eigen::Matrix<double, 24, 24>;
using Vec24 = Eigen::Matrix<double, 24, 1>;

/// Value and derivatives of a term; vectors and matrices over Y column by column.
struct TermValue {
  double value = 0;
  FramePair gradient = FramePair::Zero();
};

struct NaturalTerm {
  enum class Kind : std::uint8_t { Linear, Quadratic, Length, Angle };
  Kind kind = Kind::Linear;
  double factor = 1;
  int body_a = -1, body_b = -1;  ///< -1: the world
  Weights w = Weights::Zero();
  Vec3 e = Vec3::Zero();
  QuadraticForm f = QuadraticForm::Zero(), g = QuadraticForm::Zero();
  int coordinate = -1;  ///< angle: its place in Motion::s, which says how many turns there were

  /// factor times the term. `s`: coordinates of all joints.
  TermValue evaluate(const FramePair& Y, const VecX& s) const;
  /// Adds `weight` times its second derivative.
  void add_hessian(const FramePair& Y, double weight, Mat24& H) const;
  /// Its second derivative along a motion: rate' H rate.
  double curvature(const FramePair& Y, const FramePair& rate) const;
};

using NaturalTerms = std::vector<NaturalTerm>;

/// Rows of a joint in the order of joint_info(); the length of a distance joint is to be subtracted.
std::vector<NaturalTerms> natural_rows(const Joint& joint);
/// sigma of a law on coordinates.
NaturalTerms natural_coordinate(const CoordinateLaw& law, std::span<const Joint> joints);
/// (a_i . a_j - delta_ij), halved for i = j: what keeps a body rigid. The constant is to be subtracted.
std::array<NaturalTerm, 6> rigidity_terms(int body);
constexpr std::array<double, 6> rigidity_constants{0.5, 0.5, 0.5, 0, 0, 0};

}  // namespace cairn
