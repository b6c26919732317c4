// SPDX-License-Identifier: Apache-2.0
// Compliant interactions: forces that are functions of the configuration, the velocity and time, with their tangents.
//
// F(q, u, t) is the generalised force in the space of u. A small motion d moves q as a velocity does in a unit of time
// (Bodies::half_step), so the tangents live in the space of u too:
//   K = -dF/dd (stiffness),   D = -dF/du (damping)
// A linearised implicit midpoint step has h/2 D + h^2/4 K in M^ (Studer 2009, eq. 5.30 with alpha = beta = 1/2). The
// axes of a rigid body's moments turn with it, so K is not symmetric where there are moments.
#pragma once
#include "cairn/bodies/bodies.h"

#include <array>

namespace cairn {

/// Tangents of one element on its one or two bodies, dense, in the order of `body`. The world (-1) has no rows.
struct ForceTangent {
  std::array<int, 2> body{-1, -1};
  std::array<int, 2> size{0, 0};  ///< velocities of each
  MatX K, D;                      ///< square, of size[0] + size[1] rows

  /// Zero tangents on these bodies.
  ForceTangent(const Bodies& bodies, std::array<int, 2> on);
};

/// A force between bodies or on one body. Implementations are immutable.
class ForceElement {
 public:
  virtual ~ForceElement() = default;
  virtual std::string_view kind() const = 0;
  /// Adds generalised forces at (q, u, t): what derives from energy() to `conservative`, the rest to `other`.
  virtual void add_forces(const Bodies& bodies, const VecX& q, const VecX& u, double t, VecX& conservative,
                          VecX& other) const = 0;
  /// Stored energy [J].
  virtual double energy(const Bodies& bodies, const VecX& q) const = 0;
  /// The one or two bodies it acts on; -1: the world, or none.
  virtual std::array<int, 2> acts_on() const = 0;
  /// K and D at (q, u, t). This one takes differences of add_forces(): enough for an own element; ours are exact.
  virtual ForceTangent tangent(const Bodies& bodies, const VecX& q, const VecX& u, double t) const;
  /// Tangents as stiff as they will become, as far as is known at (q, u, t): what bounds the step of an explicit
  /// scheme.
  virtual ForceTangent stiffest(const Bodies& bodies, const VecX& q, const VecX& u, double t) const {
    return tangent(bodies, q, u, t);
  }
};

/// K and D by central differences, q moved by Bodies::half_step.
ForceTangent difference_tangent(const ForceElement& element, const Bodies& bodies, const VecX& q, const VecX& u,
                                double t, double step = 1e-6);

}  // namespace cairn
