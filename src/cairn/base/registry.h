// SPDX-License-Identifier: Apache-2.0
// Name -> factory, with help and described parameters: what `cairn list`, scenes and the command line choose from.
#pragma once
#include "cairn/base/parameters.h"
#include "cairn/base/text.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cairn {

/// Who needs an entry. Core: everybody; specialist: those who know why; study: those who repeat a published comparison.
enum class Tier { Core, Specialist, Study };
constexpr std::string_view to_string(Tier tier) {
  return tier == Tier::Core ? "core" : tier == Tier::Specialist ? "specialist" : "study";
}

template <class Product>
class Registry {
 public:
  struct Entry {
    std::string name;
    std::string help;  ///< one line
    Tier tier = Tier::Core;
    std::function<std::vector<ParameterInfo>()> parameters;
    std::function<std::unique_ptr<Product>(const ParameterValues&)> make;
  };

  explicit Registry(std::string noun) : noun_(std::move(noun)) {}

  /// Method must be constructible from its `Settings`, a struct with describe(ParameterVisitor&).
  template <class Method>
  void add(const std::string& name, const std::string& help, Tier tier = Tier::Core) {
    using Settings = typename Method::Settings;
    entries_.push_back({name, help, tier, list_parameters<Settings>,
                        [owner = noun_ + " '" + name + "'"](const ParameterValues& values) {
                          return std::unique_ptr<Product>(new Method(read_parameters<Settings>(owner, values)));
                        }});
  }

  const std::vector<Entry>& entries() const { return entries_; }

  const Entry& find(std::string_view name) const {
    std::vector<std::string> names;
    for (const Entry& entry : entries_) {
      if (entry.name == name) return entry;
      names.push_back(entry.name);
    }
    throw Error("there is no {} '{}'{}; there are {}", noun_, name, did_you_mean(name, names), join(names));
  }

  std::unique_ptr<Product> make(std::string_view name, const ParameterValues& values = {}) const {
    return find(name).make(values);
  }

 private:
  std::string noun_;
  std::vector<Entry> entries_;
};

}  // namespace cairn
