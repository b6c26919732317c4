// SPDX-License-Identifier: Apache-2.0
// Bars between points in natural coordinates (Garcia de Jalon and Bayo 1994, chapter 2): q are the positions of the
// points that are not fixed, u their velocities. Flat coordinates, constant mass, no rotations.
//
//   kinetic energy of a uniform bar from P to Q: m/6 (|dP|^2 + dP . dQ + |dQ|^2), consistent mass m/6 [2 1; 1 2]
//   material point (part = bar, local.x = t): x = (1 - t) P + t Q, with rows over the six velocities of P and Q
// That bars keep their length is not part of it: constraints/bar_length.h. It has no shape of its own.
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
  /// Not turned, at its first point.
  Placement placement(ConstVec q) const override { return {Mat3::Identity(), position(q, 0)}; }
  /// Of the bars as they start, the nearest point.
  MaterialPoint reference_point(const Vec3& X) const override;
  Vec3 position(ConstVec q, const MaterialPoint& p) const override;
  MaterialPoint locate(ConstVec q, const Vec3& x) const override;
  SparseRows point_rows(ConstVec q, const MaterialPoint& p, RowArena& arena) const override;
  /// Bars have no rotation about themselves: nothing that holds directions can be fastened to one.
  Mat3 rotation(ConstVec, const MaterialPoint&) const override { return Mat3::Identity(); }
  SparseRows spin_rows(ConstVec, const MaterialPoint&, RowArena& arena) const override { return arena.rows(3, 0, 0); }
  double reach(ConstVec q, ConstVec u, double h, double radius) const override;
  BodyStatus evaluate(const BodyState& at, Terms wanted, BodyTerms& terms) const override;
  /// Points are linear in q: nothing changes.
  void add_force_stiffness(ConstVec, const MaterialPoint&, const Vec3&, Eigen::Ref<MatX>) const override {}
  void velocity_change(ConstVec, ConstVec, const MaterialPoint&, Eigen::Ref<Mat3X>) const override {}
  SparseRows mean_point_rows(ConstVec q_b, ConstVec, const MaterialPoint& p, RowArena& arena) const override {
    return point_rows(q_b, p, arena);
  }
  void mean_force(ConstVec, ConstVec, const Vec3& gravity, MutVec f) const override;
  Energy energy(ConstVec q, ConstVec u, const Vec3& gravity) const override;

 private:
  const BarChainSpec::Bar& bar(const MaterialPoint& p) const { return spec_.bars[static_cast<std::size_t>(p.part)]; }
  BarChainSpec spec_;
  std::vector<int> place_;
  MatX mass_;
  VecX weight_;  ///< mass that hangs on each coordinate: force of gravity g is weight * g of its axis
  int size_ = 0;
};

}  // namespace cairn
