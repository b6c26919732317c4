// SPDX-License-Identifier: Apache-2.0
// Reads the fields of bodies, joints, forces, shapes and laws from a table of a scene, as their descriptions ask.
#pragma once
#include "cairn/io/scene_value.h"
#include "cairn/sim/kinds.h"

#include <unordered_set>

namespace cairn {

class SceneFieldReader final : public ModelVisitor {
 public:
  using Names = std::unordered_set<std::string>;

  /// `noun` is "body", "joint" or "force"; `names` holds those taken so far and gets the one read.
  SceneFieldReader(const SceneTable& table, std::string_view noun, const Model& model, Names& names)
      : table_(table), noun_(noun), model_(&model), names_(&names), blame_(table.value()) {}
  /// For shapes and laws, which have no name and refer to nothing.
  explicit SceneFieldReader(const SceneTable& table) : table_(table), blame_(table.value()) {}

  /// Where a mistake stands that shows only when the values come together.
  const SceneValue& blame() const { return blame_; }

  void real(std::string_view, double&, std::string_view, Range, std::string_view, Presence) override;
  void integer(std::string_view, int&, Range, std::string_view) override;
  void boolean(std::string_view, bool&, std::string_view) override;
  void choice_index(std::string_view, int&, std::span<const std::string_view>, std::string_view) override;
  void vector(std::string_view, std::span<double, 3>, std::string_view, Range, Presence, std::string_view) override;
  void direction(std::string_view, std::span<double, 3>, std::string_view) override;
  void text(std::string_view, std::string&, std::string_view) override;
  void points(std::string_view, std::vector<std::array<double, 3>>&, std::string_view, std::string_view) override;
  void name(std::string&) override;
  void material(std::string&) override;
  void group(std::string&) override;
  void shape(std::optional<Shape>&, ShapeNeed, Presence) override;
  void colliders(std::vector<ColliderSpec>&, ShapeNeed) override;
  void orientation(Quat&) override;
  void inertia(std::optional<Mat3>&) override;
  void optional_real(std::string_view, std::optional<double>&, std::string_view, Range, std::string_view,
                     std::string_view) override;
  void function(std::string_view, std::function<Vec3(double)>&, std::string_view, std::string_view) override;
  void function(std::string_view, std::function<double(double)>&, std::string_view, Presence,
                std::string_view) override;
  void optional_point(std::string_view, std::optional<Vec3>&, std::string_view, std::string_view,
                      std::string_view) override;
  void optional_direction(std::string_view, std::optional<Vec3>&, std::string_view, std::string_view) override;
  void joints(std::vector<std::string>&, std::size_t, std::size_t, std::string_view) override;
  void words(std::string_view, std::vector<std::string>&, std::string_view) override;
  void motion(PrescribedMotion&) override;
  void body(std::string_view, std::string&, std::string_view) override;
  void between(std::string&, std::string&) override;
  void anchors(Vec3&, Vec3&) override;
  void numbers(std::string_view, std::vector<double>&, std::string_view, std::string_view) override;
  void pairs(std::string_view, std::vector<std::array<double, 2>>&, std::string_view, std::string_view) override;
  void exclusive(std::string_view, std::string_view) override;
  void either(std::string_view, std::string_view) override;

 private:
  SceneTable table_;
  std::string_view noun_;
  const Model* model_ = nullptr;
  Names* names_ = nullptr;
  SceneValue blame_;
};

/// The name of a body that exists.
std::string existing_body(const SceneValue& value, const Model& model);

}  // namespace cairn
