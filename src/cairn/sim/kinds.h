// SPDX-License-Identifier: Apache-2.0
// The kinds of bodies, joints and forces a model can hold, each described once: scenes are read, `cairn list` is
// printed and the scene schema is checked from these descriptions.
#pragma once
#include "cairn/base/parameters.h"
#include "cairn/sim/model.h"

namespace cairn {

/// Which shapes a kind of body can carry.
enum class ShapeNeed { Any, Bounded };

/// Walks over the fields of a body, joint or force.
class ModelVisitor : public ParameterVisitor {
 public:
  /// The thing's own name.
  virtual void name(std::string& value) = 0;
  virtual void material(std::string& value) = 0;
  virtual void group(std::string& value) = 0;
  virtual void shape(std::optional<Shape>& value, ShapeNeed need, Presence presence) = 0;
  /// Several shapes with places, materials and groups of their own, instead of one shape.
  virtual void colliders(std::vector<ColliderSpec>& value, ShapeNeed need) = 0;
  virtual void orientation(Quat& value) = 0;
  virtual void inertia(std::optional<Mat3>& value) = 0;
  /// `otherwise` says in words what holds when it is not given.
  virtual void optional_real(std::string_view name, std::optional<double>& value, std::string_view unit, Range range,
                             std::string_view otherwise, std::string_view help) = 0;
  /// Three functions of time.
  virtual void function(std::string_view name, std::function<Vec3(double)>& value, std::string_view unit,
                        std::string_view help) = 0;
  /// One function of time.
  virtual void function(std::string_view name, std::function<double(double)>& value, std::string_view unit,
                        Presence presence, std::string_view help) = 0;
  virtual void optional_point(std::string_view name, std::optional<Vec3>& value, std::string_view unit,
                              std::string_view otherwise, std::string_view help) = 0;
  virtual void optional_direction(std::string_view name, std::optional<Vec3>& value, std::string_view otherwise,
                                  std::string_view help) = 0;
  /// Names of joints that exist, `least` to `most`; one alone under the key `joint`, several under `joints`.
  virtual void joints(std::vector<std::string>& value, std::size_t least, std::size_t most, std::string_view help) = 0;
  /// One for each of the joints.
  virtual void words(std::string_view name, std::vector<std::string>& value, std::string_view help) = 0;
  virtual void motion(PrescribedMotion& value) = 0;
  /// One body by name.
  virtual void body(std::string_view name, std::string& value, std::string_view help) = 0;
  /// Two bodies; empty names mean the world.
  virtual void between(std::string& a, std::string& b) = 0;
  /// A point on each of them, in their own axes.
  virtual void anchors(Vec3& a, Vec3& b) = 0;
  /// At least one number; must be given.
  virtual void numbers(std::string_view name, std::vector<double>& value, std::string_view unit,
                       std::string_view help) = 0;
  /// At least two pairs of numbers, the first of each rising; must be given.
  virtual void pairs(std::string_view name, std::vector<std::array<double, 2>>& value, std::string_view unit,
                     std::string_view help) = 0;
  /// Not both may be given.
  virtual void exclusive(std::string_view a, std::string_view b) = 0;
  /// At least one must be given.
  virtual void either(std::string_view a, std::string_view b) = 0;

  /// For Eigen's vectors.
  void point(std::string_view name, Vec3& value, std::string_view unit, std::string_view help,
             Presence presence = Presence::Optional) {
    vector(name, std::span<double, 3>(value.data(), 3), unit, any_number, presence, help);
  }
};

/// One kind of body, joint or force.
struct ModelKind {
  std::string_view name;
  std::string_view noun;  ///< in messages: "a rigid body"
  std::string_view help;
  /// Names all fields.
  void (*describe)(ModelVisitor& v);
  /// Makes one from what the visitor gives and adds it to the model. Throws Error when they do not go together.
  void (*add)(ModelVisitor& v, Model& model);
};

std::span<const ModelKind> body_kinds();
std::span<const ModelKind> joint_kinds();
std::span<const ModelKind> force_kinds();
/// Springs and forces along coordinates of joints: the last of joint_kinds().
std::span<const ModelKind> joint_force_kinds();

/// The fields of a kind, as for solvers and steppers. Types beyond those of ParameterInfo: name, shape, orientation,
/// inertia, function, motion, body, bodies, points, numbers, pairs.
std::vector<ParameterInfo> list_fields(const ModelKind& kind);

}  // namespace cairn
