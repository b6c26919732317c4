// SPDX-License-Identifier: Apache-2.0
// A body: owns q and u and answers questions about them; steppers and constraints know nothing else about it.
//
//   q configuration (nq numbers), u velocity (nu numbers), h step [s]
//   M u' = f(q, u, t),   D = -df/du (damping),   K = -df/dq along u, in two parts: material and geometric
//   J(p) rows of a material point p: its velocity is J u (rows of H are directions times J)
// Defaults are those of flat coordinates (q moves by h u) and of a shape that an affine map carries (x = A X + c): a
// body that is so says where that map is, the rows of its points, its mass, forces and energy, and no more.
#pragma once
#include "cairn/bodies/material_point.h"
#include "cairn/geometry/shape.h"
#include "cairn/math/types.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>

namespace cairn {

using ConstVec = Eigen::Ref<const VecX>;
using MutVec = Eigen::Ref<VecX>;

/// Mechanical energy of one body or of all [J].
struct Energy {
  double kinetic = 0;
  double gravity = 0;  ///< potential in the gravity field
  double elastic = 0;  ///< stored by deformation and by springs
  double total() const { return kinetic + gravity + elastic; }
  Energy& operator+=(const Energy& other) {
    kinetic += other.kinetic, gravity += other.gravity, elastic += other.elastic;
    return *this;
  }
};

/// A numerical event inside a body; anything but Ok is reported with the step and counted.
enum class BodyStatus { Ok, Inverted, IndefiniteStiffness };
std::string_view to_string(BodyStatus status);

/// Where the terms of a body are wanted.
struct BodyState {
  ConstVec q, u;
  double time = 0;  ///< [s]
  Vec3 gravity = Vec3::Zero();
};

/// Which terms are wanted; stiffness means both of its parts.
enum class Terms : std::uint8_t { Force = 1, Mass = 2, Damping = 4, Stiffness = 8 };
constexpr Terms operator|(Terms a, Terms b) {
  return static_cast<Terms>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr bool wants(Terms wanted, Terms term) {
  return (static_cast<std::uint8_t>(wanted) & static_cast<std::uint8_t>(term)) != 0;
}

struct BodyTerms {
  VecX force;                  ///< f: gravity, elasticity, damping
  MatX mass;                   ///< M
  MatX damping;                ///< D
  MatX material, geometric;    ///< K: as if there were no stress, and by the stress that is there
  bool has_damping = false;    ///< who writes D says so; it is zero otherwise
  bool has_stiffness = false;  ///< the same of K

  /// Wanted terms zero, of nu velocities.
  void clear(int nu, Terms wanted);
};

/// A = M + d D + k K of one body, ready to be solved with. What a pattern costs is paid once, when it is made.
class MassOperator {
 public:
  virtual ~MassOperator() = default;
  /// Takes the terms and factorises A; IndefiniteStiffness: it is not positive definite.
  virtual BodyStatus set(const BodyTerms& terms, double d, double k) = 0;
  virtual int size() const = 0;  ///< nu
  /// X becomes A^-1 X, column by column.
  virtual void solve(Eigen::Ref<MatX> X) const = 0;
  /// y = A x.
  virtual void multiply(ConstVec x, MutVec y) const = 0;
  /// Y = the rows `wanted` of A^-1 H': what W needs of a body is about the velocities that contacts touch.
  virtual void solve_rows(const SparseRows& H, std::span<const int> wanted, Eigen::Ref<MatX> Y) const;

 protected:
  MassOperator() = default;
  MassOperator(const MassOperator&) = default;
  MassOperator& operator=(const MassOperator&) = default;
};

/// Of a body with few velocities: Cholesky's factor of the whole matrix.
std::unique_ptr<MassOperator> make_dense_mass();

/// Interface for every body that is not plain rigid: pseudo-rigid, flexible, or a user's own subsystem in minimal
/// coordinates (examples/own_body.cpp). Implementations are immutable: all that changes in time is in q and u.
class Body {
 public:
  virtual ~Body() = default;
  virtual std::string_view kind() const = 0;
  virtual int nq() const = 0;
  virtual int nu() const = 0;
  /// Where it starts.
  virtual void initial(MutVec q, MutVec u) const = 0;

  // Configurations. A body whose q is not flat (a quaternion in it) answers all five.

  /// q_out = q moved by u for the time h.
  virtual void advance(ConstVec q, ConstVec u, double h, MutVec q_out) const;
  /// The u that moves q_a to q_b in a unit of time: advance(q_a, u, 1) = q_b.
  virtual void difference(ConstVec q_a, ConstVec q_b, MutVec u) const;
  /// Largest rotation in a difference [rad]: it is unique well below pi only.
  virtual double largest_rotation(ConstVec) const { return 0; }
  /// dq/dt when it moves with u.
  virtual void configuration_rate(ConstVec q, ConstVec u, MutVec rate) const;
  /// Puts q back on its manifold, off which integrators of dq/dt drift.
  virtual void normalise(MutVec) const {}

  // Material points. `body` of a point is not looked at.

  /// The affine map that carries its shape: x = A X + c. Of a body that carries none: where it is drawn.
  virtual Placement placement(ConstVec q) const = 0;
  /// The material point at X of the reference shape, which anchors are given by.
  virtual MaterialPoint reference_point(const Vec3& X) const { return {.local = X}; }
  /// Where a material point is.
  virtual Vec3 position(ConstVec q, const MaterialPoint& p) const { return placement(q).apply(p.local); }
  /// The material point that is now at x, or nearest to it.
  virtual MaterialPoint locate(ConstVec q, const Vec3& x) const;
  /// Three rows: its velocity.
  virtual SparseRows point_rows(ConstVec q, const MaterialPoint& p, RowArena& arena) const = 0;
  /// Rotation of the material there, what joints hold on to. Default: that nearest to A (polar decomposition).
  virtual Mat3 rotation(ConstVec q, const MaterialPoint& p) const;
  /// Three rows: the angular velocity, in world axes, of rotation(). Default: of A, by the rows of four points.
  virtual SparseRows spin_rows(ConstVec q, const MaterialPoint& p, RowArena& arena) const;
  /// Upper bound of how far a point X with |X| <= radius moves while advance() goes from 0 to h [m]. Default: h times
  /// the bound of speeds at q, for a shape that an affine map carries at rates that do not grow with q.
  virtual double reach(ConstVec q, ConstVec u, double h, double radius) const;

  // Dynamics. Each term by itself.

  /// Adds the wanted terms, which come zero.
  virtual BodyStatus evaluate(const BodyState& at, Terms wanted, BodyTerms& terms) const = 0;
  virtual Energy energy(ConstVec q, ConstVec u, const Vec3& gravity) const = 0;
  virtual std::unique_ptr<MassOperator> make_mass() const { return make_dense_mass(); }
  /// Stiffness of a force, constant in the world, at a material point: K -= d(J' f)/dq. Default: central differences.
  virtual void add_force_stiffness(ConstVec q, const MaterialPoint& p, const Vec3& force, Eigen::Ref<MatX> K) const;
  /// d(J u)/dq of a material point at constant u, 3 x nu. Default: central differences.
  virtual void velocity_change(ConstVec q, ConstVec u, const MaterialPoint& p, Eigen::Ref<Mat3X> change) const;

  // A step from q_b to q_e with exact balances (discrete gradients). Bodies that do not say throw Error.

  /// Rows whose product with the mean velocity, difference(q_b, q_e)/h, is the displacement of a point over h.
  virtual SparseRows mean_point_rows(ConstVec q_b, ConstVec q_e, const MaterialPoint& p, RowArena& arena) const;
  /// Mean of the force that derives from its energy: its product with difference(q_b, q_e) is the energy lost.
  virtual void mean_force(ConstVec q_b, ConstVec q_e, const Vec3& gravity, MutVec f) const;

  /// Numbers it remembers from step to step (plasticity, bristles). No scheme carries them yet: Bodies::add refuses.
  virtual int history_size() const { return 0; }
  /// Largest stable step when forces are explicit [s]; infinite when there is no limit.
  virtual double critical_step(ConstVec) const { return std::numeric_limits<double>::infinity(); }
  /// Whether its shape keeps its size (A is a rotation). Some shape pairs need that.
  virtual bool moves_rigidly() const { return true; }
};

}  // namespace cairn
