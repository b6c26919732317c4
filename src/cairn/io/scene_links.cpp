// SPDX-License-Identifier: Apache-2.0
// What joins and drives the bodies of a scene: joints, forces, and pairs that never touch.
#include "cairn/io/scene_bodies.h"

#include <unordered_set>

namespace cairn {
namespace {

using Names = std::unordered_set<std::string>;

std::string name_of(const SceneTable& table, std::string_view noun, Names& names) {
  const auto value = table.find("name");
  if (!value) return {};
  const std::string name = value->name();
  if (!names.insert(name).second) {
    value->fail(fmt::format("{} '{}' is defined twice; names are unique (in a repetition: put the indices in braces)",
                            noun, printable(name)));
  }
  return name;
}

/// The name of a body that exists.
std::string body_in(const SceneValue& value, const Model& model) {
  const std::string name = value.name();
  placed_at(value, [&] { return model.body(name); });
  return name;
}

/// The same, or empty for the word `world`.
std::string body_or_world(const SceneValue& value, const Model& model) {
  return value.is_text() && value.node().text == "world" ? std::string{} : body_in(value, model);
}

void add_ball(const SceneTable& table, Names& names, Model& model) {
  table.allow("a ball joint", {"type", "name", "repeat", "when", "between", "position", "collide"});
  Ball joint;
  joint.name = name_of(table, "joint", names);
  const SceneValue between = table.get("between");
  const std::vector<SceneValue> ends = between.list(2, "two bodies [a, b]");
  joint.body_a = body_or_world(ends[0], model);
  joint.body_b = body_or_world(ends[1], model);
  joint.position = table.get("position").vector();
  joint.collide = table.boolean("collide", false);
  placed_at(between, [&] { return model.add_ball(joint); });
}

void add_spring(const SceneTable& table, Names& names, Model& model) {
  table.allow("a spring",
              {"type", "name", "repeat", "when", "between", "anchors", "stiffness", "damping", "rest_length"});
  SpringSpec spring;
  spring.name = name_of(table, "force", names);
  const SceneValue between = table.get("between");
  const std::vector<SceneValue> ends = between.list(2, "two bodies [a, b]");
  spring.body_a = body_or_world(ends[0], model);
  spring.body_b = body_or_world(ends[1], model);
  if (const auto anchors = table.find("anchors")) {
    const std::vector<SceneValue> points = anchors->list(2, "two points [[x, y, z], [x, y, z]]");
    spring.anchor_a = points[0].vector();
    spring.anchor_b = points[1].vector();
  }
  if (!table.find("stiffness") && !table.find("damping")) {
    table.value().fail("a spring without stiffness and damping; expected at least one of them");
  }
  spring.stiffness = table.number("stiffness", 0, non_negative);
  spring.damping = table.number("damping", 0, non_negative);
  spring.rest_length = table.number("rest_length", non_negative);
  placed_at(between, [&] { return model.add_spring(spring); });
}

void add_load(const SceneTable& table, Names& names, Model& model) {
  table.allow("a load", {"type", "name", "repeat", "when", "body", "anchor", "force", "torque"});
  LoadSpec load;
  load.name = name_of(table, "force", names);
  load.body = body_in(table.get("body"), model);
  load.anchor = table.vector("anchor");
  const auto force = table.find("force"), torque = table.find("torque");
  if (!force && !torque) table.value().fail("a load without force and torque; expected at least one of them");
  if (force) load.force = force->function_of_time();
  if (torque) load.torque = torque->function_of_time();
  // What the model can still object to is a torque on a body that is not rigid.
  placed_at(torque ? *torque : table.value(), [&] { return model.add_load(load); });
}

}  // namespace

void read_joints(const SceneValue& list, Model& model) {
  Names names;
  for (const SceneValue& entry : list.list()) {
    const SceneTable table = entry.table("a joint");
    table.get("type").choice({"ball"});
    repeat_entry(table, [&] { add_ball(table, names, model); });
  }
}

void read_forces(const SceneValue& list, Model& model) {
  Names names;
  for (const SceneValue& entry : list.list()) {
    const SceneTable table = entry.table("a force");
    const bool spring = table.get("type").choice({"spring", "load"}) == "spring";
    repeat_entry(table, [&] { spring ? add_spring(table, names, model) : add_load(table, names, model); });
  }
}

void read_exclude(const SceneValue& list, Model& model) {
  for (const SceneValue& entry : list.list()) {
    const std::vector<SceneValue> pair = entry.list(2, "two bodies [a, b]");
    const std::string a = body_in(pair[0], model), b = body_in(pair[1], model);
    placed_at(entry, [&] { model.exclude(a, b); });
  }
}

}  // namespace cairn
