// SPDX-License-Identifier: Apache-2.0
// Typed indices: a BodyId cannot be passed where a JointId is meant.
#pragma once
#include <compare>
#include <cstdint>

namespace cairn {

template <class Tag>
struct Id {
  std::int32_t value = -1;
  auto operator<=>(const Id&) const = default;
  bool valid() const { return value >= 0; }
};

using BodyId = Id<struct BodyTag>;
using ColliderId = Id<struct ColliderTag>;
using MaterialId = Id<struct MaterialTag>;
using JointId = Id<struct JointTag>;
using CoordinateLawId = Id<struct CoordinateLawTag>;
using ForceId = Id<struct ForceTag>;

}  // namespace cairn
