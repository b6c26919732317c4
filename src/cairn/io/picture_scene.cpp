// SPDX-License-Identifier: Apache-2.0
// Bodies, contacts and joints of a moment gathered from either source.
#include "cairn/io/picture_scene.h"

#include "cairn/base/error.h"
#include "cairn/base/text.h"

#include <algorithm>
#include <numeric>

namespace cairn {

const PictureBody& PictureScene::body(const std::string& name) const {
  const auto found = std::find_if(bodies.begin(), bodies.end(), [&](const PictureBody& b) { return b.name == name; });
  if (found != bodies.end()) return *found;
  std::vector<std::string> names;
  for (const PictureBody& b : bodies) names.push_back(b.name);
  throw Error("there is no body '{}'{}; there are {}", name, did_you_mean(name, names),
              names.size() <= 12 ? join(names)
                                 : fmt::format("{} bodies, '{}' to '{}'", names.size(), names.front(), names.back()));
}

PictureScene make_picture_scene(const std::shared_ptr<const FrameModel>& model, Frame frame,
                                const std::vector<Vec3>& start) {
  PictureScene scene;
  scene.model = model;
  scene.time = frame.time;
  for (std::size_t b = 0; b < model->bodies.size(); ++b) {
    const FrameBody& known = model->bodies[b];
    PictureBody body;
    body.name = known.name;
    body.kind = known.kind;
    body.material = known.material;
    body.place = frame.placement(b);
    body.velocity = frame.velocity[b];
    body.start = start[b];
    body.driven = known.is_driven();
    body.moves = known.moves_freely();
    if (known.shape) body.shape = &*known.shape;
    scene.bodies.push_back(std::move(body));
  }
  for (std::size_t j = 0; j < model->joints.size(); ++j) {
    const FrameJoint& joint = model->joints[j];
    if (frame.broken[j]) continue;
    scene.joints.push_back({joint.type, joint.body_a, joint.body_b, frame.to_world(joint.body_a, joint.anchor_a),
                            frame.to_world(joint.body_b, joint.anchor_b)});
  }
  scene.contacts = std::move(frame.contacts);
  if (const auto& pull = frame.pull) scene.pull = {frame.to_world(pull->body, pull->point), pull->target, pull->force};
  return scene;
}

PictureScene make_picture_scene(const Simulation& simulation) {
  const Model& model = simulation.model();
  const Motion start = initial_motion(model.system());
  std::vector<Vec3> places;
  for (int b = 0; b < model.body_count(); ++b) places.push_back(model.system().bodies.placement(b, start.q).c);
  PictureScene scene =
      make_picture_scene(std::make_shared<const FrameModel>(make_frame_model(model)), take_frame(simulation), places);
  scene.title = model.title;
  scene.gravity = model.system().gravity;
  return scene;
}

PictureScene make_picture_scene(const Recording& recording, std::size_t index) {
  PictureScene scene = make_picture_scene(recording.model(), recording.frame(index), recording.positions(0));
  scene.title = recording.info().title;
  scene.gravity = recording.info().gravity;
  return scene;
}

std::vector<int> find_islands(const PictureScene& scene) {
  std::vector<int> parent(scene.bodies.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[static_cast<std::size_t>(i)] != i) {
      int& up = parent[static_cast<std::size_t>(i)];
      up = parent[static_cast<std::size_t>(up)];
      i = up;
    }
    return i;
  };
  const auto unite = [&](int a, int b) {
    if (a < 0 || b < 0 || !scene.bodies[static_cast<std::size_t>(a)].moves ||
        !scene.bodies[static_cast<std::size_t>(b)].moves)
      return;
    // The lower number is the root, so that islands are numbered by their first body.
    const int p = root(a), q = root(b);
    parent[static_cast<std::size_t>(std::max(p, q))] = std::min(p, q);
  };
  for (const FrameContact& c : scene.contacts)
    if (c.force.squaredNorm() > 0) unite(c.body_a, c.body_b);
  for (const PictureJoint& joint : scene.joints) unite(joint.body_a, joint.body_b);
  std::vector<int> island(scene.bodies.size(), -1);
  int count = 0;
  for (std::size_t b = 0; b < island.size(); ++b) {
    if (!scene.bodies[b].moves) continue;
    const int first = root(static_cast<int>(b));
    island[b] = first == static_cast<int>(b) ? count++ : island[static_cast<std::size_t>(first)];
  }
  return island;
}

}  // namespace cairn
