// SPDX-License-Identifier: Apache-2.0
// Bars between points in natural coordinates (Garcia de Jalon and Bayo 1994, chapter 2): q are the places of the points
// that are not held, u their velocities. Flat coordinates, constant mass, no rotations.
//
//   kinetic energy of a uniform bar from P to Q: m/6 (|dP|^2 + dP . dQ + |dQ|^2), consistent mass m/6 [2 1; 1 2]
// That bars keep their length is not part of it: constraints/bar_length.h. Contact shapes are not supported; forces may
// act on any point of a bar.
#pragma once
#include "cairn/bodies/body.h"

#include <vector>

namespace cairn {

struct BarChainSpec {
  struct Bar {
    int from = 0, to = 1;
    double mass = 1;  ///< [kg]
  };
  std::vector<Vec3> points = {};        ///< where they start [m]
  std::vector<Vec3> velocities = {};    ///< [m/s]; empty: at rest
  std::vector<double> point_mass = {};  ///< at the points [kg]; empty: none
  std::vector<bool> held = {};          ///< points that do not move; empty: none
  std::vector<Bar> bars = {};
};

class BarChain final : public Body {
 public:
  /// Throws Error where the spec makes no sense.
  explicit BarChain(BarChainSpec spec);
  const BarChainSpec& spec() const { return spec_; }
  /// First coordinate of a point; -1: it is held.
  int place_of(int point) const { return place_[static_cast<std::size_t>(point)]; }
  Vec3 position(ConstVec q, int point) const;

  std::string_view kind() const override { return "bar_chain"; }
  int nq() const override { return size_; }
  int nu() const override { return size_; }
  void initial(MutVec q, MutVec u) const override;
  void advance(ConstVec q, ConstVec u, double h, MutVec q_out) const override { q_out = q + h * u; }
  BodyStatus free_motion(ConstVec q, ConstVec u, const StepContext& step, Eigen::Ref<MatX> M,
                         MutVec impulse) const override;
  /// Of the point of a bar nearest to x.
  void point_jacobian(ConstVec q, const Vec3& x, Eigen::Ref<Mat3X> J) const override;
  Placement placement(ConstVec q) const override { return {Mat3::Identity(), position(q, 0)}; }
  Energy energy(ConstVec q, ConstVec u, const Vec3& gravity) const override;

 private:
  BarChainSpec spec_;
  std::vector<int> place_;
  MatX mass_;
  VecX weight_;  ///< mass that hangs on each coordinate: force of gravity g is weight * g of its axis
  int size_ = 0;
};

}  // namespace cairn
