// SPDX-License-Identifier: Apache-2.0
// Compliant interactions: forces that are functions of the configuration, the velocity and time, with their tangents.
//
// F(q, u, t) is the generalised force in the space of u. A small motion d moves q as a velocity does in a unit of time
// (Bodies::advance), so the tangents live in the space of u too:
//   K = -dF/dd (stiffness),   D = -dF/du (damping)
// A linearised implicit midpoint step has h/2 D + h^2/4 K in M^ (Studer 2009, eq. 5.30 with alpha = beta = 1/2). The
// axes of a rigid body's moments turn with it, so K is not symmetric where there are moments.
#pragma once
#include "cairn/bodies/bodies.h"

#include <array>
#include <span>

namespace cairn {

/// Tangents of one element on its one or two bodies, dense, in the order of `body`. The world (-1) has no rows.
struct ForceTangent {
  std::array<int, 2> body{-1, -1};
  std::array<int, 2> size{0, 0};  ///< velocities of each
  MatX K, D;                      ///< square, of size[0] + size[1] rows

  /// Zero tangents on these bodies.
  ForceTangent(const Bodies& bodies, std::array<int, 2> on);
};

/// What a force sees of the motion, and of the step it stands for.
struct ForceView {
  const Bodies& bodies;
  const VecX &q, &u;
  double t = 0;
  std::span<const double> memory = {};  ///< its own, where the step begins
  double h = 0;                         ///< length of the step: forces with a memory give their mean over it
};

/// A force between bodies or on one body. Implementations are immutable: what some remember stands in Motion::memory.
class ForceElement {
 public:
  virtual ~ForceElement() = default;
  virtual std::string_view kind() const = 0;
  /// Adds generalised forces: what derives from energy() to `conservative`, the rest to `other`.
  virtual void add_forces(const ForceView& at, VecX& conservative, VecX& other) const = 0;
  /// Stored energy [J].
  virtual double energy(const ForceView& at) const = 0;
  /// The one or two bodies it acts on; -1: the world, or none.
  virtual std::array<int, 2> acts_on() const = 0;
  /// Whether the velocity matters. Then an explicit step needs a second pass (assembly/step_forces.h).
  virtual bool depends_on_velocity() const { return true; }
  /// Whether it only pushes, and may begin or end within a step: then an implicit step looks further ahead.
  virtual bool is_one_sided() const { return false; }
  /// K and D. This one takes differences of add_forces(): enough for an own element; ours are exact.
  virtual ForceTangent tangent(const ForceView& at) const;
  /// Tangents as stiff as they will become, as far as is known: what bounds the step of an explicit scheme.
  virtual ForceTangent stiffest(const ForceView& at) const { return tangent(at); }

  /// The joint it is part of and ends with; -1: none.
  virtual int joint() const { return -1; }
  /// How many numbers it remembers from step to step: bristles, turns.
  virtual int memory_size() const { return 0; }
  virtual void begin_memory(const Bodies&, const VecX&, std::span<double>) const {}
  /// After a step h at the velocity `at.u` (its mean) and the configuration `at.q` (its middle), which ends at q_end.
  virtual void update_memory(const ForceView&, const VecX&, std::span<double>) const {}
};

/// K and D by central differences, q moved by Bodies::advance.
ForceTangent difference_tangent(const ForceElement& element, const ForceView& at, double step = 1e-6);

}  // namespace cairn
