// SPDX-License-Identifier: Apache-2.0
// Reading of described fields: numbers and formulas, shapes, orientations, references to other things.
#include "cairn/io/scene_fields.h"

#include "cairn/base/text.h"
#include "cairn/geometry/compound.h"
#include "cairn/io/mesh_file.h"

#include <cmath>
#include <numbers>

namespace cairn {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

Quat read_orientation(const SceneValue& value);
Shape read_shape(const SceneValue& value);

Shape read_compound(const SceneTable& table) {
  table.allow("a compound", {"parts"});
  std::vector<CompoundPart> parts;
  for (const SceneValue& entry : table.get("parts").list()) {
    const SceneTable part = entry.table("a part");
    part.allow("a part", {"shape", "position", "orientation"});
    parts.push_back({read_shape(part.get("shape")), {Mat3::Identity(), part.vector("position")}});
    if (const auto turned = part.find("orientation"))
      parts.back().at.A = read_orientation(*turned).normalized().toRotationMatrix();
  }
  return placed_at(table.value(), [&] { return make_compound(std::move(parts), "shape"); });
}

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
  if (kind == "compound") return read_compound(table);
  const ShapeInfo& info =
      shape_kinds()[static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin())];
  ParameterLister lister;
  info.make(lister);
  std::vector<std::string> keys;
  for (const ParameterInfo& parameter : lister.infos) keys.push_back(parameter.name);
  table.allow("a " + kind, keys);
  SceneFieldReader reader(table);
  // Files are looked up beside the scene.
  const std::filesystem::path folder = std::filesystem::path(value.scope().document().file()).parent_path();
  const auto load = [&](const ShapeFile& source) { return load_shape_file(source, folder); };
  return placed_at(table.value(), [&] {
    Shape shape = info.make(reader, load);
    check_shape(shape, "shape");
    return shape;
  });
}

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

}  // namespace

std::string existing_body(const SceneValue& value, const Model& model) {
  const std::string name = value.name();
  placed_at(value, [&] { return model.body(name); });
  return name;
}

// --- what every description may ask for

void SceneFieldReader::real(std::string_view name, double& value, std::string_view, Range range, std::string_view,
                            Presence presence) {
  if (presence == Presence::Required) {
    value = table_.get(name).number(range);
  } else {
    value = table_.number(name, value, range);
  }
}

void SceneFieldReader::integer(std::string_view name, int& value, Range range, std::string_view) {
  if (const auto given = table_.find(name)) value = static_cast<int>(given->whole(range));
}

void SceneFieldReader::boolean(std::string_view name, bool& value, std::string_view) {
  value = table_.boolean(name, value);
}

void SceneFieldReader::choice_index(std::string_view name, int& value, std::span<const std::string_view> names,
                                    std::string_view) {
  const auto given = table_.find(name);
  if (!given) return;
  const std::vector<std::string> words(names.begin(), names.end());
  value = static_cast<int>(std::find(words.begin(), words.end(), given->choice(words)) - words.begin());
}

void SceneFieldReader::vector(std::string_view name, std::span<double, 3> value, std::string_view, Range range,
                              Presence presence, std::string_view) {
  const auto given = presence == Presence::Required ? table_.get(name) : table_.find(name);
  if (!given) return;
  const std::vector<SceneValue> numbers = given->list(3, "three numbers [x, y, z]");
  for (std::size_t i = 0; i < 3; ++i) value[i] = numbers[i].number(range);
}

void SceneFieldReader::direction(std::string_view name, std::span<double, 3> value, std::string_view) {
  if (const auto given = table_.find(name)) Eigen::Map<Vec3>(value.data()) = given->unit_vector();
}

void SceneFieldReader::text(std::string_view name, std::string& value, std::string_view) {
  if (const auto given = table_.find(name)) value = given->name();
}

void SceneFieldReader::points(std::string_view name, std::vector<std::array<double, 3>>& value, std::string_view,
                              std::string_view) {
  const auto given = table_.find(name);
  if (!given) return;
  for (const SceneValue& entry : given->list()) {
    const Vec3 x = entry.vector();
    value.push_back({x.x(), x.y(), x.z()});
  }
}

// --- what bodies, joints and forces ask for

void SceneFieldReader::name(std::string& value) {
  const auto given = table_.find("name");
  if (!given) return;
  value = given->name();
  if (noun_ == "body" && value == "world") {
    given->fail("name is 'world', which is the fixed frame in joints and forces; expected another name");
  }
  if (!names_->insert(value).second) {
    given->fail(fmt::format("{} '{}' is defined twice; names are unique (in a repetition: put the indices in braces)",
                            noun_, printable(value)));
  }
}

void SceneFieldReader::material(std::string& value) {
  const auto given = table_.find("material");
  if (!given) return;
  value = given->name();
  placed_at(*given, [&] { return model_->material(value); });
}

void SceneFieldReader::group(std::string& value) {
  if (const auto given = table_.find("group")) value = given->name();
}

void SceneFieldReader::shape(std::optional<Shape>& value, ShapeNeed need, Presence presence) {
  const auto given = presence == Presence::Required ? table_.get("shape") : table_.find("shape");
  if (!given) return;
  value = read_shape(*given);
  if (need != ShapeNeed::Any && !is_bounded(*value)) {
    given->fail(
        fmt::format("shape is a {}, which has no mass; expected a bounded shape, or a fixed body", shape_name(*value)));
  }
}

void SceneFieldReader::colliders(std::vector<ColliderSpec>& value, ShapeNeed need) {
  const auto given = table_.find("colliders");
  if (!given) return;
  const std::vector<SceneValue> list = given->list();
  if (list.empty()) given->fail("colliders is empty; expected at least one collider");
  for (const SceneValue& entry : list) {
    const SceneTable table = entry.table("a collider");
    table.allow("a collider", {"shape", "position", "orientation", "material", "group", "density"});
    const SceneValue shape = table.get("shape");
    ColliderSpec collider{.shape = read_shape(shape), .position = table.vector("position")};
    if (!is_bounded(collider.shape) && (need != ShapeNeed::Any || list.size() > 1))
      shape.fail(fmt::format("shape is a {}; expected a bounded shape, or the only one of a fixed body",
                             shape_name(collider.shape)));
    if (const auto turned = table.find("orientation")) collider.orientation = read_orientation(*turned);
    if (const auto named = table.find("material")) {
      collider.material = named->name();
      placed_at(*named, [&] { return model_->material(collider.material); });
    }
    if (const auto named = table.find("group")) collider.group = named->name();
    collider.density = table.number("density", positive);
    value.push_back(std::move(collider));
  }
}

void SceneFieldReader::orientation(Quat& value) {
  if (const auto given = table_.find("orientation")) value = read_orientation(*given);
}

void SceneFieldReader::inertia(std::optional<Mat3>& value) {
  if (const auto given = table_.find("inertia")) value = read_inertia(*given);
}

void SceneFieldReader::optional_real(std::string_view name, std::optional<double>& value, std::string_view, Range range,
                                     std::string_view, std::string_view) {
  value = table_.number(name, range);
}

void SceneFieldReader::function(std::string_view name, std::function<Vec3(double)>& value, std::string_view,
                                std::string_view) {
  const auto given = table_.find(name);
  if (!given) return;
  value = given->function_of_time();
  blame_ = *given;
}

void SceneFieldReader::function(std::string_view name, std::function<double(double)>& value, std::string_view,
                                Presence presence, std::string_view) {
  const auto given = presence == Presence::Required ? table_.get(name) : table_.find(name);
  if (given) value = given->scalar_function_of_time();
}

void SceneFieldReader::optional_point(std::string_view name, std::optional<Vec3>& value, std::string_view,
                                      std::string_view, std::string_view) {
  if (const auto given = table_.find(name)) value = given->vector();
}

void SceneFieldReader::optional_direction(std::string_view name, std::optional<Vec3>& value, std::string_view otherwise,
                                          std::string_view) {
  // Without another value to take, it must be given.
  const auto given = otherwise.empty() ? table_.get(name) : table_.find(name);
  if (given) value = given->unit_vector();
}

void SceneFieldReader::joints(std::vector<std::string>& value, std::size_t least, std::size_t most, std::string_view) {
  const auto existing = [&](const SceneValue& given) {
    const std::string name = given.name();
    placed_at(given, [&] { return model_->joint(name); });
    value.push_back(name);
  };
  if (most == 1) {
    blame_ = table_.get("joint");
    return existing(blame_);
  }
  blame_ = table_.get("joints");
  const std::vector<SceneValue> list = blame_.list();
  if (list.size() < least || list.size() > most)
    blame_.fail(fmt::format("joints has {} {}; expected a list of {} joints", list.size(),
                            list.size() == 1 ? "entry" : "entries",
                            least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most)));
  for (const SceneValue& joint : list) existing(joint);
}

void SceneFieldReader::words(std::string_view name, std::vector<std::string>& value, std::string_view) {
  if (const auto given = table_.find(name))
    for (const SceneValue& word : given->list()) value.push_back(word.name());
}

void SceneFieldReader::motion(PrescribedMotion& value) {
  const SceneTable motion = table_.get("motion").table("a motion");
  motion.allow("a motion", {"velocity", "angular_velocity"});
  const auto velocity = motion.find("velocity"), angular = motion.find("angular_velocity");
  if (!velocity && !angular) motion.value().fail("motion is empty; expected velocity, angular_velocity or both");
  if (velocity) value.velocity = velocity->function_of_time();
  if (angular) value.angular_velocity = angular->function_of_time();
}

void SceneFieldReader::body(std::string_view name, std::string& value, std::string_view) {
  value = existing_body(table_.get(name), *model_);
}

void SceneFieldReader::between(std::string& a, std::string& b) {
  blame_ = table_.get("between");
  const std::vector<SceneValue> ends = blame_.list(2, "two bodies [a, b]");
  const auto read_end = [&](const SceneValue& end) {
    return end.is_text() && end.node().text == "world" ? std::string{} : existing_body(end, *model_);
  };
  a = read_end(ends[0]);
  b = read_end(ends[1]);
}

void SceneFieldReader::anchors(Vec3& a, Vec3& b) {
  const auto given = table_.find("anchors");
  if (!given) return;
  const std::vector<SceneValue> points = given->list(2, "two points [[x, y, z], [x, y, z]]");
  a = points[0].vector();
  b = points[1].vector();
}

void SceneFieldReader::numbers(std::string_view name, std::vector<double>& value, std::string_view, std::string_view) {
  const SceneValue given = table_.get(name);
  for (const SceneValue& entry : given.list()) value.push_back(entry.number());
  if (value.empty()) given.fail(fmt::format("{} is empty; expected at least one number", name));
}

void SceneFieldReader::pairs(std::string_view name, std::vector<std::array<double, 2>>& value, std::string_view,
                             std::string_view) {
  const SceneValue given = table_.get(name);
  for (const SceneValue& entry : given.list()) {
    const std::vector<SceneValue> pair = entry.list(2, "two numbers [x, y]");
    value.push_back({pair[0].number(), pair[1].number()});
    if (value.size() > 1 && !(value.back()[0] > value[value.size() - 2][0])) {
      pair[0].fail(fmt::format("{} of point {} is {}; expected more than that of the point before, {}", name,
                               value.size(), value.back()[0], value[value.size() - 2][0]));
    }
  }
  if (value.size() < 2) given.fail(fmt::format("{} has {} points; expected at least two", name, value.size()));
}

void SceneFieldReader::exclusive(std::string_view a, std::string_view b) { table_.only_one_of(a, b); }

void SceneFieldReader::either(std::string_view a, std::string_view b) {
  if (table_.find(a) || table_.find(b)) return;
  table_.value().fail(fmt::format("{} without {} and {}; expected at least one of them", table_.noun(), a, b));
}

}  // namespace cairn
