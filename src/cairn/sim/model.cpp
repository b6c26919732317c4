// SPDX-License-Identifier: Apache-2.0
// Building a model: every mistake is reported with the object's name.
#include "cairn/sim/model.h"

#include "cairn/base/text.h"
#include "cairn/geometry/place_shape.h"
#include "cairn/sim/named.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

void check_pose(const Vec3& position, const Quat& orientation) {
  if (!position.allFinite()) throw Error("position is not finite");
  if (!orientation.coeffs().allFinite() || !(orientation.norm() > 1e-9)) {
    throw Error("orientation is not a quaternion that can be normalised");
  }
}

}  // namespace

std::string Model::claim_name(const std::string& given, std::string_view noun, std::size_t index,
                              std::unordered_map<std::string, int>& names) const {
  std::string name = given.empty() ? fmt::format("{} {}", noun, index) : given;
  if (names.contains(name)) throw Error("{} '{}' is defined twice; names are unique", noun, name);
  return name;
}

void Model::finish_body(BodyId id, const std::string& name, const std::optional<Shape>& shape, MaterialId material,
                        const std::string& in_group) {
  body_names_.push_back(name);
  body_index_.emplace(name, id.value);
  body_collider_.push_back(-1);
  if (!shape) return;
  body_collider_.back() = static_cast<int>(system_.colliders.size());
  const bool mobile = system_.bodies.slot(id.value).mobility == BodyMobility::Dynamic;
  system_.colliders.push_back({*shape, id.value, mobile});
  system_.collider_material.push_back(material);
  system_.collider_radius.push_back(is_bounded(*shape) ? bounding_radius(*shape) : 0);
  system_.collider_thickness.push_back(half_thickness(*shape));
  system_.filter.group.push_back(static_cast<std::uint8_t>(group(in_group)));
}

const Model::Centred& Model::make_centred(const Shape& shape, const Vec3& centre) {
  const void* data = std::visit(
      []<class S>(const S& s) -> const void* {
        if constexpr (requires { s.data; })
          return s.data.get();
        else
          return nullptr;
      },
      shape);
  auto found = centred_.find(data);
  if (data == nullptr || found == centred_.end()) {
    // The integrals of a primitive have their centre at its origin.
    found = centred_
                .insert_or_assign(
                    data, Centred{shape, data ? place_shape(shape, {Mat3::Identity(), -centre}) : shape, centre})
                .first;
  }
  return found->second;
}

BodyId Model::add_rigid(const RigidBody& body) {
  const std::string name = claim_name(body.name, "body", body_names_.size(), body_index_);
  return named("body", name, [&] {
    const MaterialId material_id = material(body.material);
    RigidSpec spec;
    std::optional<Shape> shape = body.shape;
    Vec3 centre = Vec3::Zero();
    if (shape) {
      check_shape(*body.shape, "shape");
      if (!is_bounded(*body.shape))
        throw Error("a {} has no mass; only fixed bodies can carry it", shape_name(*body.shape));
      const MassProperties properties = compute_mass_properties(*body.shape);
      const Centred& centred = make_centred(*body.shape, properties.centre);
      shape = centred.shape;
      centre = centred.centre;
      const double density = body.density.value_or(system_.materials[material_id].density);
      if (!(std::isfinite(density) && density > 0)) throw Error("density is {} kg/m^3; must be > 0", density);
      spec.mass = body.mass.value_or(density * properties.volume);
      spec.inertia = spec.mass / properties.volume * properties.inertia;
    } else if (!body.mass || !body.inertia) {
      throw Error("a body without a shape needs mass and inertia");
    }
    if (body.mass) spec.mass = *body.mass;
    if (body.inertia) spec.inertia = *body.inertia;
    if (!(std::isfinite(spec.mass) && spec.mass > 0)) throw Error("mass is {} kg; must be > 0", spec.mass);
    spec.position = body.position;
    if (!centre.isZero(0)) spec.position += body.orientation.normalized() * centre;
    spec.orientation = body.orientation;
    spec.velocity = body.velocity;
    spec.angular_velocity = body.angular_velocity;
    spec.linear_damping = body.linear_damping;
    spec.angular_damping = body.angular_damping;
    const BodyId id = system_.bodies.add_rigid(spec);
    finish_body(id, name, shape, material_id, body.group);
    return id;
  });
}

BodyId Model::add_fixed(const FixedBody& body) {
  const std::string name = claim_name(body.name, "body", body_names_.size(), body_index_);
  return named("body", name, [&] {
    const MaterialId material_id = material(body.material);
    check_pose(body.position, body.orientation);
    if (body.shape) check_shape(*body.shape, "shape");
    const BodyId id = body.motion ? system_.bodies.add_prescribed(body.position, body.orientation, *body.motion)
                                  : system_.bodies.add_fixed(body.position, body.orientation);
    finish_body(id, name, body.shape, material_id, body.group);
    return id;
  });
}

BodyId Model::add_affine(const Affine& body) {
  const std::string name = claim_name(body.name, "body", body_names_.size(), body_index_);
  return named("body", name, [&] {
    const MaterialId material_id = material(body.material);
    check_shape(body.spec.shape, "shape");
    if (!is_bounded(body.spec.shape))
      throw Error("a {} has no mass; only fixed bodies can carry it", shape_name(body.spec.shape));
    AffineSpec spec = body.spec;
    const Centred& centred = make_centred(spec.shape, compute_mass_properties(spec.shape).centre);
    spec.shape = centred.shape;
    spec.position += spec.deformation * centred.centre;
    const BodyId id = system_.bodies.add(std::make_shared<AffineBody>(spec));
    finish_body(id, name, spec.shape, material_id, body.group);
    return id;
  });
}

BodyId Model::add_body(const OwnBody& body) {
  const std::string name = claim_name(body.name, "body", body_names_.size(), body_index_);
  return named("body", name, [&] {
    const MaterialId material_id = material(body.material);
    if (body.shape) {
      check_shape(*body.shape, "shape");
      if (!is_bounded(*body.shape)) throw Error("a {} can be carried by fixed bodies only", shape_name(*body.shape));
    }
    const BodyId id = system_.bodies.add(body.body);
    finish_body(id, name, body.shape, material_id, body.group);
    return id;
  });
}

void Model::set_contact(std::string_view material_a, std::string_view material_b, const ContactLaw& law) {
  system_.materials.set_pair(material(material_a), material(material_b), law);
}

void Model::set_gravity(const Vec3& gravity) {
  if (!gravity.allFinite()) throw Error("gravity is not finite");
  system_.gravity = gravity;
}

void Model::exclude(std::string_view body_a, std::string_view body_b) {
  std::pair<int, int> pair{body(body_a).value, body(body_b).value};
  if (pair.first == pair.second) throw Error("body '{}' cannot be excluded from itself", body_a);
  system_.filter.exclude_bodies(pair.first, pair.second);
}

int Model::group(std::string_view name) {
  const auto it = std::find(groups_.begin(), groups_.end(), name);
  if (it != groups_.end()) return static_cast<int>(it - groups_.begin());
  if (groups_.size() == ContactFilter::kMaxGroups)
    throw Error("group '{}': there are {} groups already; at most {} can be told apart", name, groups_.size() - 1,
                ContactFilter::kMaxGroups - 1);
  groups_.emplace_back(name);
  return static_cast<int>(groups_.size()) - 1;
}

void Model::exclude_groups(std::string_view group_a, std::string_view group_b) {
  for (const std::string_view name : {group_a, group_b}) {
    if (name.empty()) throw Error("a group to exclude has no name");
    if (std::find(groups_.begin(), groups_.end(), name) == groups_.end())
      throw Error("there is no group '{}'{}; bodies name theirs with `group`", name, did_you_mean(name, groups_));
  }
  system_.filter.exclude_groups(group(group_a), group(group_b));
}

BodyId Model::body(std::string_view name) const {
  const auto it = body_index_.find(std::string(name));
  if (it == body_index_.end()) throw Error("there is no body '{}'{}", name, did_you_mean(name, body_names_));
  return BodyId{it->second};
}

MaterialId Model::material(std::string_view name) const {
  const MaterialId id = system_.materials.find(name);
  if (!id.valid()) {
    throw Error("there is no material '{}'{}; there are {}", name, did_you_mean(name, system_.materials.names()),
                join(system_.materials.names()));
  }
  return id;
}

}  // namespace cairn
