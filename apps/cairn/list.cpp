// SPDX-License-Identifier: Apache-2.0
// `cairn list`: what there is to choose from, straight from the registries.
#include "command.h"

#include "cairn/base/text.h"
#include "cairn/collision/broad_phase.h"
#include "cairn/collision/narrow_phase.h"
#include "cairn/geometry/shape.h"
#include "cairn/io/report_json.h"
#include "cairn/sim/kinds.h"
#include "cairn/steppers/stepper.h"

#include <functional>
#include <map>

namespace cairn {
namespace {

/// One line of a list and its parameters; `partners`: what it goes with, named by `partner` ("laws", "solvers").
struct Item {
  std::string name, help;
  std::vector<ParameterInfo> parameters = {};
  std::string partner = {};
  std::vector<std::string> partners = {};
  bool all_partners = false;
  std::string tier = {};  ///< of a registry's entry
};
using Items = std::vector<Item>;

template <class Product>
Items from_registry(const Registry<Product>& registry) {
  Items items;
  for (const auto& entry : registry.entries()) {
    items.push_back({entry.name, entry.help, entry.parameters()});
    items.back().tier = to_string(entry.tier);
  }
  return items;
}

Items from_kinds(std::span<const ModelKind> kinds) {
  Items items;
  for (const ModelKind& kind : kinds)
    items.push_back({std::string(kind.name), std::string(kind.help), list_fields(kind)});
  return items;
}

Items law_items() {
  Items items;
  for (const LawType* type : law_kinds()) {
    ParameterLister lister;
    ContactLaw law;
    ConstraintLaw set;
    if (type->describe) {
      type->describe(law, lister);
    } else if (type->describe_set) {
      type->describe_set(set, lister);
    }
    const std::vector<std::string> able = solvers_of_law(make_example_law(type->kind));
    const bool all = able.size() == solvers().entries().size();
    items.push_back({std::string(type->name), std::string(type->help), lister.infos, "solvers", able, all});
  }
  return items;
}

/// Solvers with the laws they know.
Items solver_items() {
  Items items = from_registry(solvers());
  for (Item& item : items) {
    const auto solver = solvers().make(item.name, {});
    item.partner = "laws";
    for (const LawType* type : law_kinds())
      if (solver->supports(make_example_law(type->kind))) item.partners.emplace_back(type->name);
    item.all_partners = item.partners.size() == law_kinds().size();
  }
  return items;
}

Items shape_items() {
  Items items;
  for (const ShapeInfo& info : shape_kinds()) {
    ParameterLister lister;
    info.make(lister);
    items.push_back({std::string(info.name), std::string(info.help), lister.infos});
  }
  return items;
}

Items broad_phase_items() {
  Items items;
  for (const BroadPhaseInfo& info : broad_phase_kinds()) {
    items.push_back({std::string(info.name), std::string(info.help)});
    items.back().tier = to_string(info.tier);
  }
  return items;
}

/// What can be listed.
const std::map<std::string, std::function<Items()>>& lists() {
  static const std::map<std::string, std::function<Items()>> all{
      {"steppers", [] { return from_registry(steppers()); }},
      {"solvers", solver_items},
      {"laws", law_items},
      {"joints", [] { return from_kinds(joint_kinds()); }},
      {"forces", [] { return from_kinds(force_kinds()); }},
      {"shapes", shape_items},
      {"bodies", [] { return from_kinds(body_kinds()); }},
      {"broad-phases", broad_phase_items},
  };
  return all;
}

std::string to_table(const Items& items) {
  std::size_t width = 0;
  for (const Item& item : items) width = std::max(width, item.name.size());
  std::string text;
  for (const Item& item : items) {
    const bool plain = item.tier.empty() || item.tier == to_string(Tier::Core);
    text += fmt::format("{:<{}}  {}{}\n", item.name, width, plain ? "" : "[" + item.tier + "] ", item.help);
    if (!item.partner.empty()) {
      text +=
          fmt::format("{:<{}}    {}: {}\n", "", width, item.partner, item.all_partners ? "all" : join(item.partners));
    }
    for (const ParameterInfo& p : item.parameters) {
      // A number carries its unit; a default in words stands by itself.
      const bool number = !p.default_value.empty() && p.default_value.find_first_of("0123456789[") == 0;
      std::string facts = p.default_value.empty() ? "must be given" : "default " + p.default_value;
      if (!p.unit.empty()) facts += (number ? " " : ", in ") + p.unit;
      if (!p.range.empty()) facts += ", " + p.range;
      if (!p.choices.empty()) facts += ", one of " + join(p.choices, " | ");
      text += fmt::format("{:<{}}    {}: {} ({})\n", "", width, p.name, p.help, facts);
    }
  }
  return text;
}

/// How the contact points of every pair of shapes are found: a letter per method, and what the letters mean.
std::string pair_table() {
  const std::span<const ShapeInfo> kinds = shape_kinds();
  std::map<std::string_view, char> letters;
  std::string rows;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    rows += fmt::format("  {:<13}", kinds[i].name);
    for (std::size_t j = 0; j < kinds.size(); ++j) {
      const auto [found, added] = letters.try_emplace(pair_method(i, j), static_cast<char>('A' + letters.size()));
      rows += fmt::format(" {}", found->second);
    }
    rows += "\n";
  }
  std::string text = "\nContact between two shapes (columns in the order of the rows):\n" + rows;
  for (const auto& [method, letter] : letters) text += fmt::format("  {}  {}\n", letter, method);
  return text;
}

Json to_document(const Items& items) {
  Json list = Json::array();
  for (const Item& item : items) {
    Json parameters = Json::array();
    for (const ParameterInfo& p : item.parameters) parameters.push_back(to_json(p));
    list.push_back({{"name", item.name}, {"help", item.help}, {"parameters", parameters}});
    if (!item.partner.empty()) list.back()[item.partner] = item.partners;
    if (!item.tier.empty()) list.back()["tier"] = item.tier;
  }
  return list;
}

void list(const std::string& what, bool json) {
  const auto found = lists().find(what);
  if (found == lists().end()) {
    std::vector<std::string> names;
    for (const auto& [name, make] : lists()) names.push_back(name);
    throw Error("there is no list of '{}'{}; there are {}", what, did_you_mean(what, names), join(names));
  }
  const Items items = found->second();
  if (!json) return print(to_table(items) + (what == "shapes" ? pair_table() : ""));
  Json document = to_document(items);
  if (what == "shapes") {
    for (std::size_t i = 0; i < document.size(); ++i)
      for (std::size_t j = 0; j < document.size(); ++j)
        document[i]["contact"][document[j]["name"].get<std::string>()] = pair_method(i, j);
  }
  print(to_text(document));
}

}  // namespace

void add_list_command(CommandLine& line) {
  Command command = line.add("list", "Show what there is to choose from, with parameters");
  struct Options {
    std::string what;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  command.option("WHAT", &options->what, "steppers, solvers, laws, joints, forces, shapes, bodies or broad-phases",
                 {.required = true});
  command.flag("--json", options->json, "print one JSON document");
  command.action([options] { list(options->what, options->json); });
}

}  // namespace cairn
