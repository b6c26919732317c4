// SPDX-License-Identifier: Apache-2.0
// Making compounds: every part is checked under its own name.
#include "cairn/geometry/compound.h"

#include "cairn/base/error.h"

namespace cairn {

Compound make_compound(std::vector<CompoundPart> parts, std::string_view owner) {
  if (parts.empty()) throw Error("{}: compound has no parts; must have at least one", owner);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::string name = fmt::format("{}: part {}", owner, k);
    if (std::holds_alternative<Compound>(parts[k].shape))
      throw Error("{} is a compound; put its parts in the outer one", name);
    check_shape(parts[k].shape, name);
    if (!parts[k].at.c.allFinite() || !is_rotation(parts[k].at.A))
      throw Error("{}: its place must be finite and its A a rotation", name);
  }
  return {std::make_shared<const CompoundData>(CompoundData{std::move(parts)})};
}

}  // namespace cairn
