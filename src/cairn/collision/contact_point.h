// SPDX-License-Identifier: Apache-2.0
// One point where two colliders touch, nearly touch or overlap.
#pragma once
#include "cairn/math/types.h"

namespace cairn {

struct ContactPoint {
  int a = -1, b = -1;  ///< collider indices; -1 until the detector fills them in
  Vec3 point;          ///< world, midway between the two surfaces along the normal
  Vec3 normal;         ///< world, unit, from b to a
  double gap = 0;      ///< signed distance along the normal, < 0 overlap
};

}  // namespace cairn
