// SPDX-License-Identifier: Apache-2.0
// A body: owns q and u and answers five questions; steppers and constraints know nothing else about it.
//
// Letters: q configuration (nq numbers), u velocity (nu numbers), h step [s], M^ the mass seen by the step,
// J(x) the 3 x nu matrix with velocity of the material point at x = J(x) u (the rows of H are directions times J).
#pragma once
#include "cairn/geometry/shape.h"
#include "cairn/math/types.h"

#include <limits>
#include <string_view>

namespace cairn {

using ConstVec = Eigen::Ref<const VecX>;
using MutVec = Eigen::Ref<VecX>;

/// What a body must know about the step it takes part in.
struct StepContext {
  double time_mid = 0;  ///< [s]
  double h = 0;         ///< [s]
  Vec3 gravity = Vec3::Zero();
  bool implicit_elasticity = false;  ///< put theta^2 h^2 K into M^ (linearised theta rule) instead of forces only
  double theta = 0.5;                ///< share of the step moved with the velocity of its end; 1/2: midpoint rule
};

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

  /// 1. How a velocity moves the configuration: q_out = q moved by u for the time h.
  virtual void advance(ConstVec q, ConstVec u, double h, MutVec q_out) const = 0;

  /// 2. and 3. Mass and own forces at mid-step: M^ (u_free - u) = impulse. Both are written whole. Forces from outside
  /// (loads, springs) are added to the impulse by the stepper through J.
  virtual BodyStatus free_motion(ConstVec q_mid, ConstVec u, const StepContext& step, Eigen::Ref<MatX> M_hat,
                                 MutVec impulse) const = 0;

  /// 4. Rows of H: velocity of the material point now at x_world is J u.
  virtual void point_jacobian(ConstVec q, const Vec3& x_world, Eigen::Ref<Mat3X> J) const = 0;

  /// Where its shape is: x = A X + c. Joints and sensors use the same map for their anchors.
  virtual Placement placement(ConstVec q) const = 0;

  /// 5. Energy, for the certificate.
  virtual Energy energy(ConstVec q, ConstVec u, const Vec3& gravity) const = 0;

  /// Largest stable step when forces are explicit [s]; infinite when there is no limit.
  virtual double critical_step(ConstVec) const { return std::numeric_limits<double>::infinity(); }

  /// Whether its shape keeps its size (A is a rotation). Some shape pairs need that.
  virtual bool moves_rigidly() const { return true; }
};

}  // namespace cairn
