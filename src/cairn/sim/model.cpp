// SPDX-License-Identifier: Apache-2.0
// Building a model: every mistake is reported with the object's name.
#include "cairn/sim/model.h"

#include "cairn/base/text.h"
#include "cairn/geometry/compound.h"
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

/// Mass, centre of mass in the axes of the colliders, inertia about it.
struct Solid {
  double mass = 0;
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

/// Of all colliders together, by Steiner's theorem; `given`: their mass, if not by density. What they share counts
/// twice.
Solid sum_masses(const std::vector<ColliderSpec>& colliders, std::optional<double> given) {
  std::vector<Solid> parts;
  for (const ColliderSpec& c : colliders) {
    if (!is_bounded(c.shape)) throw Error("a {} has no mass; only fixed bodies can carry it", shape_name(c.shape));
    const MassProperties p = compute_mass_properties(c.shape);
    const Mat3 R = c.orientation.normalized().toRotationMatrix();
    parts.push_back({*c.density * p.volume, c.position + R * p.centre, *c.density * R * p.inertia * R.transpose()});
  }
  // Of one alone to the last bit.
  if (parts.size() == 1 && colliders[0].orientation.coeffs() == Quat::Identity().coeffs()) {
    const MassProperties p = compute_mass_properties(colliders[0].shape);
    const double mass = given.value_or(parts[0].mass);
    return {mass, colliders[0].position + p.centre, mass / p.volume * p.inertia};
  }
  Solid sum;
  for (const Solid& part : parts) sum.mass += part.mass, sum.centre += part.mass * part.centre;
  sum.centre /= sum.mass;
  for (const Solid& part : parts) {
    const Vec3 d = part.centre - sum.centre;
    sum.inertia += part.inertia + part.mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  if (given) sum.inertia *= *given / sum.mass, sum.mass = *given;
  return sum;
}

}  // namespace

std::string Model::claim_name(const std::string& given, std::string_view noun, std::size_t index,
                              std::unordered_map<std::string, int>& names) const {
  std::string name = given.empty() ? fmt::format("{} {}", noun, index) : given;
  if (names.contains(name)) throw Error("{} '{}' is defined twice; names are unique", noun, name);
  return name;
}

template <class AnyBody>
std::vector<ColliderSpec> Model::collect_colliders(const AnyBody& body) const {
  std::vector<ColliderSpec> colliders;
  if constexpr (requires { body.colliders; }) {
    if (body.shape && !body.colliders.empty()) throw Error("has a shape and colliders; give one of the two");
    colliders = body.colliders;
  }
  if (body.shape) colliders.push_back({.shape = *body.shape});
  for (std::size_t k = 0; k < colliders.size(); ++k) {
    ColliderSpec& c = colliders[k];
    const std::string owner = body.shape ? "shape" : fmt::format("collider {}", k);
    check_shape(c.shape, owner);
    if (!is_bounded(c.shape) && colliders.size() > 1)
      throw Error("{} is a {}, which can only be alone; give it a body of its own", owner, shape_name(c.shape));
    check_pose(c.position, c.orientation);
    if (c.material.empty()) c.material = body.material;
    if (c.group.empty()) c.group = body.group;
    material(c.material);
    if constexpr (requires { body.density; })
      if (!c.density) c.density = body.density;
    if (!c.density) c.density = system_.materials[material(c.material)].density;
    if (!(std::isfinite(*c.density) && *c.density > 0)) throw Error("density is {} kg/m^3; must be > 0", *c.density);
  }
  return colliders;
}

void Model::finish_body(BodyId id, const std::string& name, const std::vector<ColliderSpec>& colliders,
                        const Vec3& centre) {
  body_names_.push_back(name);
  body_index_.emplace(name, id.value);
  body_collider_.push_back(colliders.empty() ? -1 : static_cast<int>(system_.colliders.size()));
  const bool mobile = system_.bodies.slot(id.value).mobility == BodyMobility::Dynamic;
  for (const ColliderSpec& spec : colliders) {
    const Vec3 offset = spec.position - centre;
    Collider collider{spec.shape, id.value, mobile};
    collider.at = {spec.orientation.normalized().toRotationMatrix(), offset};
    collider.posed = !(offset == Vec3::Zero() && collider.at.A == Mat3::Identity());
    if (collider.posed && !is_bounded(spec.shape)) {
      collider.shape = place_shape(spec.shape, collider.at);
      collider.posed = false;
    }
    if (!collider.posed) collider.at = {};
    system_.collider_material.push_back(material(spec.material));
    system_.collider_radius.push_back(is_bounded(spec.shape) ? collider.at.c.norm() + bounding_radius(spec.shape) : 0);
    system_.collider_thickness.push_back(half_thickness(collider.shape));
    system_.filter.group.push_back(static_cast<std::uint8_t>(group(spec.group)));
    system_.colliders.push_back(std::move(collider));
  }
}

std::span<const Collider> Model::colliders_of(int body) const {
  const int first = collider_of(body);
  if (first < 0) return {};
  std::size_t last = static_cast<std::size_t>(first);
  while (last < system_.colliders.size() && system_.colliders[last].body == body) ++last;
  return std::span(system_.colliders).subspan(static_cast<std::size_t>(first), last - static_cast<std::size_t>(first));
}

std::optional<Shape> Model::shape_of(int body) const {
  const std::span<const Collider> colliders = colliders_of(body);
  if (colliders.empty()) return {};
  if (colliders.size() == 1 && !colliders[0].posed) return colliders[0].shape;
  std::vector<CompoundPart> parts;
  for (const Collider& collider : colliders) {
    if (const auto* compound = std::get_if<Compound>(&collider.shape)) {
      for (const CompoundPart& part : compound->data->parts)
        parts.push_back({part.shape, Placement{collider.at.A * part.at.A, collider.at.apply(part.at.c)}});
    } else {
      parts.push_back({collider.shape, collider.at});
    }
  }
  return make_compound(std::move(parts), body_name(body));
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
    material(body.material);
    RigidSpec spec;
    Vec3 centre = Vec3::Zero(), origin = Vec3::Zero();  // of mass; what becomes the origin of the colliders' axes
    std::vector<ColliderSpec> colliders = collect_colliders(body);
    if (!colliders.empty()) {
      const Solid solid = sum_masses(colliders, body.mass);
      spec.mass = solid.mass;
      spec.inertia = solid.inertia;
      centre = origin = solid.centre;
      if (body.shape && !body.centre_of_mass) {
        // One shape is moved itself, so that its own axes are the body's.
        const Centred& centred = make_centred(*body.shape, solid.centre);
        colliders[0].shape = centred.shape;
        centre = centred.centre;
        origin.setZero();
      }
    } else if (!body.mass || !body.inertia) {
      throw Error("a body without a shape needs mass and inertia");
    }
    if (body.centre_of_mass) {
      if (!body.inertia) throw Error("centre_of_mass is given without inertia; expected the inertia about it");
      if (!body.centre_of_mass->allFinite()) throw Error("centre_of_mass is not finite");
      centre = origin = *body.centre_of_mass;
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
    finish_body(id, name, colliders, origin);
    return id;
  });
}

BodyId Model::add_fixed(const FixedBody& body) {
  const std::string name = claim_name(body.name, "body", body_names_.size(), body_index_);
  return named("body", name, [&] {
    material(body.material);
    check_pose(body.position, body.orientation);
    const std::vector<ColliderSpec> colliders = collect_colliders(body);
    const BodyId id = body.motion ? system_.bodies.add_prescribed(body.position, body.orientation, *body.motion)
                                  : system_.bodies.add_fixed(body.position, body.orientation);
    finish_body(id, name, colliders);
    return id;
  });
}

BodyId Model::add_affine(const Affine& body) {
  const std::string name = claim_name(body.name, "body", body_names_.size(), body_index_);
  return named("body", name, [&] {
    material(body.material);
    check_shape(body.spec.shape, "shape");
    if (!is_bounded(body.spec.shape))
      throw Error("a {} has no mass; only fixed bodies can carry it", shape_name(body.spec.shape));
    AffineSpec spec = body.spec;
    const Centred& centred = make_centred(spec.shape, compute_mass_properties(spec.shape).centre);
    spec.shape = centred.shape;
    spec.position += spec.deformation * centred.centre;
    const BodyId id = system_.bodies.add(std::make_shared<AffineBody>(spec));
    finish_body(id, name, {{.shape = spec.shape, .material = body.material, .group = body.group}});
    return id;
  });
}

BodyId Model::add_body(const OwnBody& body) {
  const std::string name = claim_name(body.name, "body", body_names_.size(), body_index_);
  return named("body", name, [&] {
    material(body.material);
    const std::vector<ColliderSpec> colliders = collect_colliders(body);
    for (const ColliderSpec& c : colliders)
      if (!is_bounded(c.shape)) throw Error("a {} can be carried by fixed bodies only", shape_name(c.shape));
    const BodyId id = system_.bodies.add(body.body);
    finish_body(id, name, colliders);
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
