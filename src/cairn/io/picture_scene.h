// SPDX-License-Identifier: Apache-2.0
// A frame as a picture needs it, the same whether it comes from a running simulation or from a recording.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cairn/io/recording.h"

namespace cairn {

struct PictureBody {
  std::string name, kind, material;
  const Shape* shape = nullptr;  ///< null: nothing to draw; the model of the scene holds it
  Placement place;
  Vec3 velocity = Vec3::Zero();
  Vec3 start = Vec3::Zero();  ///< where it was at first
  bool moves = true, driven = false;

  double speed() const { return velocity.norm(); }
  double displacement() const { return (place.c - start).norm(); }
};

struct PictureJoint {
  std::string type;
  int body_a = -1, body_b = -1;
  Vec3 point_a, point_b;  ///< world; apart for rods, ropes and struts
};

/// A hand that pulls at a body.
struct PicturePull {
  Vec3 point, target, force;  ///< world
};

struct PictureScene {
  std::shared_ptr<const FrameModel> model;  ///< holds the shapes
  std::string title;
  double time = 0;
  Vec3 gravity = Vec3::Zero();
  std::vector<PictureBody> bodies;
  std::vector<FrameContact> contacts;
  std::vector<PictureJoint> joints;  ///< those that hold
  std::optional<PicturePull> pull;

  Vec3 up() const { return gravity.norm() > 0 ? Vec3(-gravity.normalized()) : Vec3(Vec3::UnitZ()); }
  /// Throws Error with a suggestion when there is none of this name.
  const PictureBody& body(const std::string& name) const;
};

/// `start`: where the bodies were at first.
PictureScene make_picture_scene(const std::shared_ptr<const FrameModel>& model, Frame frame,
                                const std::vector<Vec3>& start);
PictureScene make_picture_scene(const Simulation& simulation);
PictureScene make_picture_scene(const Recording& recording, std::size_t frame);

/// Numbers of the islands: bodies that move and press on each other, or are joined, have the same; -1 for all others.
std::vector<int> find_islands(const PictureScene& scene);

}  // namespace cairn
