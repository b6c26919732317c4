// SPDX-License-Identifier: Apache-2.0
// Bodies, joints and forces of a scene: which kind each is; its fields are read as the kind describes them.
#include "cairn/io/scene_things.h"

#include "cairn/base/text.h"
#include "cairn/io/scene_fields.h"

namespace cairn {
namespace {

using Names = SceneFieldReader::Names;

std::vector<std::string> names_of(std::span<const ModelKind> kinds) {
  std::vector<std::string> names;
  for (const ModelKind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

const ModelKind& find_kind(std::span<const ModelKind> kinds, std::string_view name) {
  return *std::find_if(kinds.begin(), kinds.end(), [&](const ModelKind& kind) { return kind.name == name; });
}

/// The value that a complaint of the model is about: that of the key it begins with, after the name of the thing
/// ("joint 'nut': pitch is 0 m; ..."), or what the reader blames.
SceneValue blamed(const SceneTable& table, const SceneFieldReader& reader, std::string_view complaint) {
  if (const std::size_t name = complaint.find("': "); name != std::string_view::npos) complaint.remove_prefix(name + 3);
  const std::string_view word = complaint.substr(0, complaint.find_first_of(" :;"));
  if (const auto given = table.find(word)) return *given;
  if (const auto given = table.find(std::string(word) + "s")) return *given;
  return reader.blame();
}

/// One entry of a list, repeated as it asks for; `own_keys` are those of the scene, not of the thing.
void add_things(const SceneTable& table, const ModelKind& kind, std::string_view noun,
                std::initializer_list<std::string_view> own_keys, Names& names, Model& model) {
  std::vector<std::string> keys(own_keys.begin(), own_keys.end());
  for (const ParameterInfo& field : list_fields(kind)) keys.push_back(field.name);
  table.allow(kind.noun, keys);
  const SceneTable thing = table.value().table(kind.noun);
  repeat_entry(table, [&] {
    SceneFieldReader reader(thing, noun, model, names);
    try {
      kind.add(reader, model);
    } catch (const SceneError&) {
      throw;
    } catch (const Error& error) {
      blamed(thing, reader, error.what()).fail(error.what());
    }
  });
}

std::string body_kind_of(const SceneTable& body) {
  body.only_one_of("kind", "fixed");
  if (const auto kind = body.find("kind")) return kind->choice(names_of(body_kinds()));
  return body.boolean("fixed", false) ? "fixed" : "rigid";
}

void read_typed(const SceneValue& list, std::string_view noun, std::string_view article,
                std::span<const ModelKind> kinds, Model& model) {
  Names names;
  for (const SceneValue& entry : list.list()) {
    const SceneTable table = entry.table(article);
    const std::string type = table.get("type").choice(names_of(kinds));
    add_things(table, find_kind(kinds, type), noun, {"type", "repeat", "when"}, names, model);
  }
}

}  // namespace

void read_bodies(const SceneValue& list, Model& model) {
  Names names;
  for (const SceneValue& entry : list.list()) {
    const SceneTable table = entry.table("a body");
    add_things(table, find_kind(body_kinds(), body_kind_of(table)), "body", {"kind", "fixed", "repeat", "when"}, names,
               model);
  }
  if (model.body_count() == 0) list.fail("bodies holds no body; expected at least one");
}

void read_joints(const SceneValue& list, Model& model) { read_typed(list, "joint", "a joint", joint_kinds(), model); }

void read_remote_actions(const SceneValue& list, Model& model) {
  for (const SceneValue& entry : list.list()) {
    const SceneTable table = entry.table("a remote action");
    table.allow("a remote action", {"between", "restitution"});
    RemoteActionSpec action;
    for (const SceneValue& pair : table.get("between").list()) {
      const std::vector<SceneValue> ends = pair.list(2, "two bodies [a, b]");
      action.pairs.emplace_back(existing_body(ends[0], model), existing_body(ends[1], model));
    }
    const SceneValue matrix = table.get("restitution");
    const auto n = static_cast<Eigen::Index>(action.pairs.size());
    action.restitution.setZero(n, n);
    const std::vector<SceneValue> rows = matrix.list(action.pairs.size(), "one row per pair");
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto row = rows[static_cast<std::size_t>(i)].list(action.pairs.size(), "one number per pair");
      for (Eigen::Index j = 0; j < n; ++j) action.restitution(i, j) = row[static_cast<std::size_t>(j)].number();
    }
    placed_at(entry, [&] { model.add_remote_action(action); });
  }
}

void read_forces(const SceneValue& list, Model& model) { read_typed(list, "force", "a force", force_kinds(), model); }

void read_exclude(const SceneValue& list, Model& model) {
  for (const SceneValue& entry : list.list()) {
    if (entry.is_table()) {
      const SceneTable table = entry.table("two groups that ignore each other");
      table.allow("two groups that ignore each other", {"groups"});
      const SceneValue given = table.get("groups");
      const std::vector<SceneValue> groups = given.list(2, "two groups [g, h]");
      placed_at(given, [&] { model.exclude_groups(groups[0].name(), groups[1].name()); });
      continue;
    }
    const std::vector<SceneValue> pair = entry.list(2, "two bodies [a, b], or {groups: [g, h]}");
    const std::string a = existing_body(pair[0], model), b = existing_body(pair[1], model);
    placed_at(entry, [&] { model.exclude(a, b); });
  }
}

}  // namespace cairn
