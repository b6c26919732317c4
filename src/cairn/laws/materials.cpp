// SPDX-License-Identifier: Apache-2.0
// Named materials and their pair table.
#include "cairn/laws/materials.h"

#include "cairn/base/error.h"

#include <cmath>

namespace cairn {

MaterialId Materials::add(Material material) {
  if (find(material.name).valid()) throw Error("material '{}' is defined twice", material.name);
  if (!(std::isfinite(material.density) && material.density > 0)) {
    throw Error("material '{}': density is {} kg/m^3; must be > 0", material.name, material.density);
  }
  const std::size_t old = materials_.size(), now = old + 1;
  materials_.push_back(std::move(material));
  std::vector<ContactLaw> table(now * now, default_);
  std::vector<bool> given(now * now, false), first(now * now, false);
  for (std::size_t i = 0; i < old; ++i)
    for (std::size_t j = 0; j < old; ++j) {
      table[i * now + j] = table_[i * old + j];
      given[i * now + j] = given_[i * old + j];
      first[i * now + j] = first_[i * old + j];
    }
  table_ = std::move(table);
  given_ = std::move(given);
  first_ = std::move(first);
  return MaterialId{static_cast<int>(old)};
}

void Materials::set_default(const ContactLaw& law) {
  check_contact_law("default contact", law);
  default_ = law;
  for (std::size_t i = 0; i < table_.size(); ++i)
    if (!given_[i]) table_[i] = law;
}

void Materials::set_pair(MaterialId a, MaterialId b, const ContactLaw& law) {
  check_contact_law(fmt::format("contact of '{}' and '{}'", (*this)[a].name, (*this)[b].name), law);
  for (const auto& [i, named] : {std::pair(index(a, b), true), std::pair(index(b, a), a == b)}) first_[i] = named;
  for (const std::size_t i : {index(a, b), index(b, a)}) {
    table_[i] = law;
    given_[i] = true;
  }
}

MaterialId Materials::find(std::string_view name) const {
  for (std::size_t i = 0; i < materials_.size(); ++i)
    if (materials_[i].name == name) return MaterialId{static_cast<int>(i)};
  return {};
}

std::vector<std::string> Materials::names() const {
  std::vector<std::string> names;
  for (const Material& material : materials_) names.push_back(material.name);
  return names;
}

}  // namespace cairn
