// SPDX-License-Identifier: Apache-2.0
// Several shapes placed in one frame that move together.
#pragma once
#include <string_view>
#include <vector>

#include "cairn/geometry/shape.h"

namespace cairn {

struct CompoundPart {
  Shape shape;
  Placement at;  ///< of the part in the frame of the compound; A is a rotation
};

struct CompoundData {
  std::vector<CompoundPart> parts;
};

/// Throws Error naming `owner` and the part unless each part is a right shape, not itself a compound, at a finite place
/// with a rotation. Parts may overlap: mass properties count what they share twice.
Compound make_compound(std::vector<CompoundPart> parts, std::string_view owner);

}  // namespace cairn
