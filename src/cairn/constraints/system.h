// SPDX-License-Identifier: Apache-2.0
// The mechanical system a stepper moves: bodies, their shapes, contact laws, joints and forces. No names, no settings.
#pragma once
#include "cairn/bodies/bodies.h"
#include "cairn/collision/contact_manager.h"
#include "cairn/constraints/coordinate_law.h"
#include "cairn/constraints/force_element.h"
#include "cairn/constraints/own_contact.h"
#include "cairn/constraints/own_joint.h"
#include "cairn/laws/materials.h"

namespace cairn {

/// Blows that pass through bodies in touch: U_N+ + E min(0, U_N-) >= 0 with a full matrix E over pairs of bodies, where
/// Newton's law has one number per pair (Fremond's law; Studer 2009, section 3.7).
struct RemoteAction {
  std::vector<std::pair<int, int>> pairs;  ///< bodies; -1: the world
  MatX restitution;                        ///< one row and column per pair
};

struct System {
  Bodies bodies;
  Materials materials;
  std::vector<Collider> colliders;
  std::vector<MaterialId> collider_material;  ///< one per collider
  std::vector<double> collider_radius;        ///< bounding radius about the body's origin; 0 for unbounded shapes
  std::vector<double> collider_thickness;     ///< half_thickness() of the shape
  std::vector<Joint> joints;
  std::vector<CoordinateLaw> coordinate_laws;
  std::vector<std::shared_ptr<const OwnJoint>> own_joints;
  std::vector<std::shared_ptr<const OwnContact>> own_contacts;
  std::vector<RemoteAction> remote_actions;
  std::vector<std::shared_ptr<const ForceElement>> forces;
  ContactFilter filter;
  Vec3 gravity{0, 0, -9.81};
};

/// Where a collider is when the bodies are at q.
inline Placement collider_placement(const System& system, const Collider& collider, const VecX& q) {
  return collider.placed(system.bodies.placement(collider.body, q));
}

/// What a stepper keeps from step to step: whose it is, in which version of its layout, and the numbers.
struct SchemeMemory {
  std::string name;  ///< empty: nothing is kept, as by most
  int version = 0;
  std::vector<double> numbers;
  bool operator==(const SchemeMemory&) const = default;
};

/// What moves: time, configuration and velocity of all bodies. A value.
struct Motion {
  double time = 0;
  VecX q, u;
  VecX s;                            ///< coordinates of the joints; angles count turns
  std::vector<std::uint8_t> broken;  ///< per joint: whether it has broken
  VecX memory;                       ///< what forces remember, one after the other (ForceElement::memory_size)
  SchemeMemory scheme;
};

/// The motion a system starts with.
Motion initial_motion(const System& system);

/// Calls f(force, index, its part of the memory) for every force that has not ended with its joint.
template <class Function>
void for_each_force(const System& system, const Motion& motion, Function&& f) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    const ForceElement& force = *system.forces[i];
    const auto size = static_cast<std::size_t>(force.memory_size());
    if (force.joint() < 0 || motion.broken[static_cast<std::size_t>(force.joint())] == 0)
      f(force, i, std::span<const double>(motion.memory.data() + first, size));
    first += size;
  }
}

/// Energy stored by all forces [J].
double force_energy(const System& system, const Motion& motion);

/// Adds all forces at (q, u, t) where none has internal variables.
void add_plain_forces(const System& system, const VecX& q, const VecX& u, double t, VecX& conservative, VecX& other);

}  // namespace cairn
