// SPDX-License-Identifier: Apache-2.0
// The bodies of a scene: shapes, orientations and the four kinds of body.
#include "cairn/io/scene_bodies.h"

#include "cairn/base/text.h"

#include <cmath>
#include <numbers>
#include <unordered_set>

namespace cairn {
namespace {

using Names = std::unordered_set<std::string>;

const std::vector<std::string> kKinds{"rigid", "fixed", "affine", "prescribed"};
constexpr double kDegree = std::numbers::pi / 180;

// --- shapes

Shape read_shape(const SceneValue& value) {
  std::vector<std::string> kinds;
  for (const ShapeInfo& info : shape_kinds()) kinds.emplace_back(info.name);
  const SceneTable outer = value.table("a shape");
  if (value.node().keys.size() != 1) {
    value.fail(fmt::format("shape has {} keys; expected exactly one of {}", value.node().keys.size(), join(kinds)));
  }
  const YamlNode& key = *value.node().keys[0];
  const std::string kind = SceneValue(key, "shape", value.scope()).choice(kinds);
  const SceneTable table = outer.get(kind).table(kind);
  if (kind == "sphere") {
    table.allow("a sphere", {"radius"});
    return Sphere{table.get("radius").number(positive)};
  }
  if (kind == "box") {
    table.allow("a box", {"size"});
    const std::vector<SceneValue> size = table.get("size").list(3, "three edge lengths");
    return Box{Vec3(size[0].number(positive), size[1].number(positive), size[2].number(positive)) / 2};
  }
  if (kind == "half-space") {
    table.allow("a half-space", {"normal", "offset"});
    const auto normal = table.find("normal");
    return HalfSpace{normal ? normal->unit_vector() : HalfSpace{}.normal, table.number("offset", 0)};
  }
  value.fail(fmt::format("shape is a {}; expected one that scenes can describe: sphere, box, half-space", kind));
}

/// A shape for a body that moves.
Shape read_bounded_shape(const SceneValue& value, std::string_view noun) {
  const Shape shape = read_shape(value);
  if (!is_bounded(shape)) {
    value.fail(fmt::format("shape of {} is a {}, which has no mass; expected a bounded shape, or a fixed body", noun,
                           shape_name(shape)));
  }
  return shape;
}

// --- orientations

Quat about(const Vec3& axis, double angle) { return Quat(Eigen::AngleAxisd(angle, axis)); }

Quat read_orientation(const SceneValue& value) {
  const SceneTable table = value.table("an orientation");
  table.allow("an orientation", {"quaternion", "axis", "angle", "angle_deg", "euler_deg"});
  const auto quaternion = table.find("quaternion"), axis = table.find("axis"), euler = table.find("euler_deg");
  if (int(quaternion.has_value()) + int(axis.has_value()) + int(euler.has_value()) != 1) {
    value.fail(
        "orientation does not have one form; expected exactly one of quaternion, axis with angle or angle_deg, "
        "euler_deg");
  }
  if (axis) {
    table.only_one_of("angle", "angle_deg");
    const auto degrees = table.find("angle_deg");
    const double angle = degrees ? degrees->number() * kDegree : table.get("angle").number();
    return about(axis->unit_vector(), angle);
  }
  for (const char* key : {"angle", "angle_deg"}) {
    if (const auto angle = table.find(key))
      angle->fail(fmt::format("'{}' is given without 'axis'; expected both or neither", key));
  }
  if (euler) {
    // Fixed axes: first x, then y, then z.
    const Vec3 angles = euler->vector() * kDegree;
    return about(Vec3::UnitZ(), angles.z()) * about(Vec3::UnitY(), angles.y()) * about(Vec3::UnitX(), angles.x());
  }
  const std::vector<SceneValue> w = quaternion->list(4, "four numbers [w, x, y, z]");
  const Quat q(w[0].number(), w[1].number(), w[2].number(), w[3].number());
  if (!(std::abs(q.norm() - 1) <= 1e-3)) {
    quaternion->fail(fmt::format("quaternion has length {:.6g}; expected a unit quaternion [w, x, y, z]", q.norm()));
  }
  return q;  // the model normalises it
}

Quat orientation_of(const SceneTable& body) {
  const auto value = body.find("orientation");
  return value ? read_orientation(*value) : Quat::Identity();
}

// --- bodies

std::string name_of(const SceneTable& body, Names& names) {
  const auto value = body.find("name");
  if (!value) return {};
  const std::string name = value->name();
  if (name == "world")
    value->fail("name is 'world', which is the fixed frame in joints and forces; expected another name");
  if (!names.insert(name).second) {
    value->fail(fmt::format("body '{}' is defined twice; names are unique (in a repetition: put the indices in braces)",
                            printable(name)));
  }
  return name;
}

/// The material's name, which is known to exist.
std::string material_of(const SceneTable& body, const Model& model) {
  const auto value = body.find("material");
  if (!value) return "default";
  const std::string name = value->name();
  placed_at(*value, [&] { return model.material(name); });
  return name;
}

std::string kind_of(const SceneTable& body) {
  body.only_one_of("kind", "fixed");
  if (const auto kind = body.find("kind")) return kind->choice(kKinds);
  return body.boolean("fixed", false) ? "fixed" : "rigid";
}

/// [Ixx, Iyy, Izz] or three rows of three.
Mat3 read_inertia(const SceneValue& value) {
  const std::vector<SceneValue> rows = value.list(3, "three principal values, or three rows of three");
  Mat3 inertia = Mat3::Zero();
  for (int i = 0; i < 3; ++i) {
    const SceneValue& row = rows[static_cast<std::size_t>(i)];
    if (row.node().kind == YamlNode::Kind::Sequence) {
      inertia.row(i) = row.vector();
    } else {
      inertia(i, i) = row.number();
    }
  }
  // The bodies know what an inertia is; asked of a scratch body, the complaint is about nothing else.
  placed_at(value, [&] {
    RigidSpec probe;
    probe.inertia = inertia;
    Bodies().add_rigid(probe);
  });
  return inertia;
}

void add_rigid(const SceneTable& table, Names& names, Model& model) {
  table.allow("a rigid body",
              {"name", "repeat", "when", "kind", "fixed", "material", "shape", "position", "orientation", "velocity",
               "angular_velocity", "mass", "density", "inertia", "linear_damping", "angular_damping"});
  table.only_one_of("mass", "density");
  RigidBody body;
  body.name = name_of(table, names);
  body.material = material_of(table, model);
  if (const auto shape = table.find("shape")) body.shape = read_bounded_shape(*shape, "a rigid body");
  body.position = table.vector("position");
  body.orientation = orientation_of(table);
  body.velocity = table.vector("velocity");
  body.angular_velocity = table.vector("angular_velocity");
  body.mass = table.number("mass", positive);
  body.density = table.number("density", positive);
  if (const auto inertia = table.find("inertia")) body.inertia = read_inertia(*inertia);
  body.linear_damping = table.number("linear_damping", 0, non_negative);
  body.angular_damping = table.number("angular_damping", 0, non_negative);
  placed_at(table.value(), [&] { return model.add_rigid(body); });
}

void add_fixed(const SceneTable& table, bool prescribed, Names& names, Model& model) {
  if (prescribed) {
    table.allow("a prescribed body",
                {"name", "repeat", "when", "kind", "material", "shape", "position", "orientation", "motion"});
  } else {
    table.allow("a fixed body",
                {"name", "repeat", "when", "kind", "fixed", "material", "shape", "position", "orientation"});
  }
  FixedBody body;
  body.name = name_of(table, names);
  body.material = material_of(table, model);
  if (const auto shape = table.find("shape"))
    body.shape = prescribed ? read_bounded_shape(*shape, "a prescribed body") : read_shape(*shape);
  body.position = table.vector("position");
  body.orientation = orientation_of(table);
  if (prescribed) {
    const SceneTable motion = table.get("motion").table("a motion");
    motion.allow("a motion", {"velocity", "angular_velocity"});
    const auto velocity = motion.find("velocity"), angular = motion.find("angular_velocity");
    if (!velocity && !angular) motion.value().fail("motion is empty; expected velocity, angular_velocity or both");
    body.motion.emplace();
    if (velocity) body.motion->velocity = velocity->function_of_time();
    if (angular) body.motion->angular_velocity = angular->function_of_time();
  }
  placed_at(table.value(), [&] { return model.add_fixed(body); });
}

void add_affine(const SceneTable& table, Names& names, Model& model) {
  table.allow("an affine body", {"name", "repeat", "when", "kind", "material", "shape", "position", "orientation",
                                 "velocity", "angular_velocity", "density", "young", "poisson"});
  Affine body;
  body.name = name_of(table, names);
  body.material = material_of(table, model);
  const SceneValue shape = table.get("shape");
  body.spec.shape = read_bounded_shape(shape, "an affine body");
  if (!std::holds_alternative<Box>(body.spec.shape)) {
    shape.fail(fmt::format("shape of an affine body is a {}, which would not stay one; expected a box",
                           shape_name(body.spec.shape)));
  }
  body.spec.density =
      table.number("density", model.system().materials[model.material(body.material)].density, positive);
  body.spec.young = table.number("young", body.spec.young, positive);
  body.spec.poisson = table.number("poisson", body.spec.poisson);
  if (!(body.spec.poisson > -1 && body.spec.poisson < 0.5)) {
    table.get("poisson").fail(fmt::format("poisson is {}; expected a number between -1 and 0.5", body.spec.poisson));
  }
  body.spec.position = table.vector("position");
  body.spec.velocity = table.vector("velocity");
  // Turned and unstressed, F is the rotation; a spin omega changes it by hat(omega) F.
  body.spec.deformation = orientation_of(table).normalized().toRotationMatrix();
  body.spec.deformation_rate = hat(table.vector("angular_velocity")) * body.spec.deformation;
  placed_at(table.value(), [&] { return model.add_affine(body); });
}

}  // namespace

void read_bodies(const SceneValue& list, Model& model) {
  Names names;
  for (const SceneValue& entry : list.list()) {
    const SceneTable table = entry.table("a body");
    repeat_entry(table, [&] {
      const std::string kind = kind_of(table);
      if (kind == "rigid") add_rigid(table, names, model);
      if (kind == "fixed") add_fixed(table, false, names, model);
      if (kind == "prescribed") add_fixed(table, true, names, model);
      if (kind == "affine") add_affine(table, names, model);
    });
  }
  if (model.body_count() == 0) list.fail("bodies holds no body; expected at least one");
}

}  // namespace cairn
