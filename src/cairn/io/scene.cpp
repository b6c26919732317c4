// SPDX-License-Identifier: Apache-2.0
// Reading a scene: the file, the small sections, and the order in which all are read. Format: docs/scene.md.
#include "cairn/io/scene.h"

#include "cairn/base/text.h"
#include "cairn/io/scene_fields.h"
#include "cairn/io/scene_things.h"
#include "cairn/sim/simulation.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace cairn {
namespace {

constexpr int kFormat = 1;
constexpr std::streamsize kMaxBytes = 64 << 20;
/// The pair table grows with the square of the number of materials.
constexpr std::size_t kMaxMaterials = 256;
/// Thirty years in steps of a microsecond; also keeps the number of steps far from the end of 64 bits.
constexpr double kMaxSteps = 1e15;

void read_constants(const SceneValue& let) {
  for (const auto& [key, value] : let.table("named constants").entries()) {
    const double constant = value.number();  // before the name exists: a constant cannot use itself
    let.scope().define(key, constant);
  }
}

void read_materials(const SceneValue& list, Model& model) {
  const std::vector<SceneValue> entries = list.list();
  if (entries.size() > kMaxMaterials) {
    list.fail(fmt::format("materials has {} entries; expected at most {}", entries.size(), kMaxMaterials));
  }
  for (const SceneValue& entry : entries) {
    const SceneTable table = entry.table("a material");
    table.allow("a material", {"name", "density"});
    const SceneValue name = table.get("name");
    Material material{name.name()};
    material.density = table.number("density", material.density, positive);
    placed_at(name, [&] { return model.add_material(material); });
  }
}

/// The law named by `law` (coulomb) with its parameters; what is not given is as in `otherwise`.
ContactLaw read_contact_law(const SceneTable& table, std::string_view noun, std::vector<std::string> keys,
                            ContactLaw law) {
  std::vector<std::string> names;
  for (const LawType* type : law_kinds())
    if (type->form == LawForm::Contact) names.emplace_back(type->name);
  const auto given = table.find("law");
  const std::string name = given ? given->choice(names) : names[0];
  const LawType& type =
      **std::find_if(law_kinds().begin(), law_kinds().end(), [&](const LawType* t) { return t->name == name; });
  ParameterLister lister;
  ContactLaw scratch;
  type.describe(scratch, lister);
  keys.emplace_back("law");
  for (const ParameterInfo& parameter : lister.infos) keys.push_back(parameter.name);
  table.allow(noun, keys);
  SceneFieldReader reader(table);
  law.kind = type.kind;
  type.describe(law, reader);
  return law;
}

void read_contacts(const SceneValue& value, Model& model) {
  const SceneTable contacts = value.table("the contact laws");
  contacts.allow("contacts", {"default", "pairs"});
  if (const auto standard = contacts.find("default")) {
    const SceneTable table = standard->table("a contact law");
    const ContactLaw law = read_contact_law(table, "a contact law", {}, {});
    placed_at(*standard, [&] { model.set_contact(law); });
  }
  const auto pairs = contacts.find("pairs");
  if (!pairs) return;
  std::set<std::pair<std::string, std::string>> given;
  for (const SceneValue& entry : pairs->list()) {
    const SceneTable table = entry.table("the contact law of two materials");
    const SceneValue between = table.get("between");
    std::vector<std::string> names;
    for (const SceneValue& material : between.list(2, "two materials [a, b]")) {
      names.push_back(material.name());
      placed_at(material, [&] { return model.material(names.back()); });
    }
    if (!given.insert(std::minmax(names[0], names[1])).second) {
      between.fail(fmt::format("the pair '{}' and '{}' is given twice; expected one law per pair", names[0], names[1]));
    }
    const ContactLaw law =
        read_contact_law(table, "a pair of materials", {"between"}, model.system().materials.default_law());
    placed_at(entry, [&] { model.set_contact(names[0], names[1], law); });
  }
}

/// A method by name or as {name: ..., parameter: value}; the registry says which there are and what they take.
template <class Product>
Choice read_choice(const SceneValue& value, const Registry<Product>& registry) {
  if (!value.is_table()) {
    const std::string name = value.text();
    placed_at(value, [&] { return &registry.find(name); });
    return {name, {}};
  }
  const SceneTable table = value.table("a method with parameters");
  const SceneValue name = table.get("name");
  Choice choice{name.text(), {}};
  const auto& entry = *placed_at(name, [&] { return &registry.find(choice.name); });
  const std::vector<ParameterInfo> infos = entry.parameters();
  std::vector<std::string> known;
  for (const ParameterInfo& info : infos) known.push_back(info.name);
  for (const YamlNode* key : value.node().keys) {
    if (key->text == "name") continue;
    const auto info =
        std::find_if(infos.begin(), infos.end(), [&](const ParameterInfo& p) { return p.name == key->text; });
    if (info == infos.end()) {
      value.scope().document().fail(*key, fmt::format("{} '{}' has no parameter '{}'{}; it has {}", value.label(),
                                                      choice.name, printable(key->text), did_you_mean(key->text, known),
                                                      known.empty() ? "none" : join(known)));
    }
    const SceneValue parameter = table.get(key->text);
    const bool numeric = info->type == "real" || info->type == "integer";
    const std::string text = numeric ? fmt::format("{}", parameter.number()) : parameter.text();
    placed_at(parameter, [&] { return entry.make({{info->name, text}}); });
    choice.parameters[info->name] = text;
  }
  placed_at(value, [&] { return entry.make(choice.parameters); });
  return choice;
}

void read_run(const SceneValue& value, RunSettings& run) {
  const SceneTable table = value.table("how to run the scene");
  table.allow("run", {"duration", "step", "stepper", "solver", "threads", "assemble"});
  run.duration = table.number("duration", run.duration, positive);
  run.step = table.number("step", run.step, positive);
  if (!(run.duration / run.step <= kMaxSteps)) {
    const SceneValue at = table.find("step").value_or(table.value());
    at.fail(fmt::format("a duration of {} s in steps of {} s is {:.3g} steps; expected at most {:.0e}", run.duration,
                        run.step, run.duration / run.step, kMaxSteps));
  }
  if (const auto stepper = table.find("stepper")) run.stepper = read_choice(*stepper, steppers());
  if (const auto solver = table.find("solver")) run.solver = read_choice(*solver, solvers());
  if (const auto threads = table.find("threads")) run.threads = static_cast<int>(threads->whole({1, 1024, false}));
  run.assemble = table.boolean("assemble", run.assemble);
}

OutputSettings read_output(const SceneValue& value) {
  OutputSettings output;
  const SceneTable table = value.table("what to record");
  table.allow("output", {"interval", "contacts"});
  output.interval = table.number("interval", output.interval, non_negative);
  output.contacts = table.boolean("contacts", output.contacts);
  return output;
}

Scene read_document(const YamlDocument& document) {
  SceneScope scope(document);
  const SceneValue root(document.root(), "the file", scope);
  if (document.root().kind == YamlNode::Kind::Null)
    root.fail("the file is empty; expected a scene, beginning with 'cairn: 1'");
  const SceneTable top = root.table("a scene");
  if (!top.find("cairn")) root.fail("'cairn' is missing; expected 'cairn: 1', the version of the format, at the top");
  const SceneValue version = top.get("cairn");
  if (const double found = version.number(); found != kFormat) {
    version.fail(
        fmt::format("the scene has format {}; expected format {}, the one this program reads", found, kFormat));
  }
  top.allow("a scene", {"cairn", "title", "gravity", "let", "materials", "contacts", "bodies", "joints",
                        "remote_actions", "forces", "exclude", "run", "output"});
  Scene scene;
  Model& model = scene.model;
  if (const auto title = top.find("title")) model.title = title->text();
  if (const auto let = top.find("let")) read_constants(*let);
  if (const auto gravity = top.find("gravity")) model.set_gravity(gravity->vector());
  if (const auto materials = top.find("materials")) read_materials(*materials, model);
  if (const auto contacts = top.find("contacts")) read_contacts(*contacts, model);
  read_bodies(top.get("bodies"), model);
  if (const auto joints = top.find("joints")) read_joints(*joints, model);
  if (const auto actions = top.find("remote_actions")) read_remote_actions(*actions, model);
  if (const auto forces = top.find("forces")) read_forces(*forces, model);
  if (const auto exclude = top.find("exclude")) read_exclude(*exclude, model);
  if (const auto run = top.find("run")) read_run(*run, model.run);
  if (const auto output = top.find("output")) scene.output = read_output(*output);
  return scene;
}

}  // namespace

Scene parse_scene(std::string_view text, const std::string& file_name) {
  if (text.size() > static_cast<std::size_t>(kMaxBytes)) {
    throw SceneError(file_name, 0, 0, fmt::format("is larger than {} bytes; expected a scene", kMaxBytes));
  }
  try {
    return read_document(YamlDocument(text, file_name));
  } catch (const SceneError&) {
    throw;
  } catch (const std::exception& error) {
    // Nothing else is thrown on purpose; what the libraries may throw (out of memory) still names the file.
    throw SceneError(file_name, 0, 0, fmt::format("cannot be read ({}); expected a scene", error.what()));
  }
}

Scene read_scene(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw SceneError(name, 0, 0, "is a directory; expected a scene file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw SceneError(name, 0, 0, "cannot be opened");
  // In pieces and never past the bound: the path may be a device without an end.
  std::string text, piece(1 << 16, '\0');
  while (file && static_cast<std::streamsize>(text.size()) <= kMaxBytes) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece, 0, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw SceneError(name, 0, 0, "cannot be read");
  return parse_scene(text, name);
}

}  // namespace cairn
