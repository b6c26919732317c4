// SPDX-License-Identifier: Apache-2.0
// The kinds of bodies and joints a scene can have, for `cairn list`. Solvers, steppers, laws, shapes and broad phases
// have registries of their own; these two are few, and their keys are those of docs/scene.md.
#pragma once
#include <string_view>

namespace cairn {

struct KindInfo {
  std::string_view name, help, parameters;
};

inline constexpr KindInfo kBodyKinds[] = {
    {"rigid", "moves as one piece; mass and inertia from shape and density unless given",
     "shape, material, position, orientation, velocity, angular_velocity, mass or density, inertia, linear_damping, "
     "angular_damping"},
    {"fixed", "does not move; the only kind that can carry a half-space", "shape, material, position, orientation"},
    {"prescribed", "follows a given motion whatever touches it",
     "shape, material, position, orientation, motion (velocity and angular_velocity as formulas in t)"},
    {"affine", "pseudo-rigid: one homogeneous deformation, Saint Venant-Kirchhoff material; boxes only",
     "shape, material, position, orientation, velocity, angular_velocity, density, young (Pa), poisson"},
};

inline constexpr KindInfo kJointKinds[] = {
    {"ball", "a point of one body stays on a point of another or of the world",
     "between, position (world, at the start), collide"},
};

}  // namespace cairn
