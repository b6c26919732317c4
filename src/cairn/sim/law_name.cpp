// SPDX-License-Identifier: Apache-2.0
// Names of laws.
#include "cairn/sim/law_name.h"

namespace cairn {

std::string name_law(const Model& model, const LawId& law) {
  const auto body = [&](int collider) -> const std::string& {
    return model.body_name(model.system().colliders[static_cast<std::size_t>(collider)].body);
  };
  std::string name;
  switch (law.owner) {
    case LawOwner::Contact: name = fmt::format("contact of '{}' and '{}'", body(law.a), body(law.b)); break;
    case LawOwner::Joint: name = fmt::format("joint '{}'", model.joint_name(law.a)); break;
    case LawOwner::CoordinateLaw: name = fmt::format("law '{}'", model.coordinate_law_name(law.a)); break;
    case LawOwner::OwnContact: name = fmt::format("own contact {}", law.a); break;
  }
  if (law.facet != LawFacet::Normal) name += fmt::format(", {}", to_string(law.facet));
  return name;
}

}  // namespace cairn
