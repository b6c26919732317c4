// SPDX-License-Identifier: Apache-2.0
// Named materials and the table that gives the contact law of each pair of them.
#pragma once
#include "cairn/base/ids.h"
#include "cairn/laws/law.h"

#include <algorithm>
#include <string>
#include <vector>

namespace cairn {

struct Material {
  std::string name;
  double density = 1000;  ///< [kg/m^3], for bodies that give no mass
};

class Materials {
 public:
  Materials() { add({"default", 1000}); }

  MaterialId add(Material material);
  /// The law of pairs without an entry of their own.
  void set_default(const ContactLaw& law);
  void set_pair(MaterialId a, MaterialId b, const ContactLaw& law);

  const ContactLaw& pair(MaterialId a, MaterialId b) const { return table_[index(a, b)]; }
  const Material& operator[](MaterialId id) const { return materials_[static_cast<std::size_t>(id.value)]; }
  /// Invalid id when there is none of that name.
  MaterialId find(std::string_view name) const;
  std::vector<std::string> names() const;
  int size() const { return static_cast<int>(materials_.size()); }
  const ContactLaw& default_law() const { return default_; }
  /// Whether the law of the pair was given by naming a first; neither way: by the default.
  bool names_first(MaterialId a, MaterialId b) const { return first_[index(a, b)]; }
  /// Whether all laws take the fast path.
  bool all_plain() const {
    return std::all_of(table_.begin(), table_.end(), [](const ContactLaw& law) { return law.is_plain(); });
  }

 private:
  std::size_t index(MaterialId a, MaterialId b) const {
    return static_cast<std::size_t>(a.value) * materials_.size() + static_cast<std::size_t>(b.value);
  }
  std::vector<Material> materials_;
  std::vector<ContactLaw> table_;  ///< size x size, symmetric
  std::vector<bool> given_;        ///< entries set by a pair, not by the default
  std::vector<bool> first_;        ///< entries whose law was given in this order
  ContactLaw default_;
};

}  // namespace cairn
