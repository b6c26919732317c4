// SPDX-License-Identifier: Apache-2.0
// The three sets of boxes on which broad phases are compared (Koziara 2008, section 13.2): random, packed, spherical.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "cairn/geometry/aabb.h"

namespace cairn {

/// Cubical boxes in or near the cube of side 2 about the origin, about ten overlapping pairs per box, each box with a
/// velocity of a hundredth of its side per step in a random direction.
struct BoxSet {
  std::vector<Aabb> boxes;
  std::vector<std::uint8_t> mobile;
  std::vector<Vec3> velocity;
  void move();  ///< one step
};

/// `kind` is
/// - "random": anywhere in the cube, sides differing by up to three, in no order;
/// - "packed": a cubic lattice of equal boxes, faces touching: 13 pairs per box (26 neighbours), lattice order;
/// - "spherical": equal boxes with their centres on the unit sphere, in no order: flat to the eye of a box, hollow to
///   that of a grid.
/// The same numbers on every machine. Throws Error for another kind.
BoxSet make_box_set(std::string_view kind, int count, unsigned seed = 1);

}  // namespace cairn
