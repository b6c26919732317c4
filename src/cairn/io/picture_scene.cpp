// SPDX-License-Identifier: Apache-2.0
// Bodies, contacts and joints of a moment gathered from either source.
#include "cairn/io/picture_scene.h"

#include "cairn/base/error.h"
#include "cairn/base/text.h"

#include <algorithm>
#include <numeric>

namespace cairn {
namespace {

/// A contact of a step of length h as recordings keep it, with its friction where both know it.
template <class Result, class Contact = RecordedContact>
Contact to_recorded(const Result& c, double h) {
  Contact contact;
  contact.body_a = c.body_a;
  contact.body_b = c.body_b;
  contact.point = c.point;
  contact.normal = c.normal;
  contact.force = c.impulse / h;
  contact.gap = c.gap;
  contact.state = c.state;
  if constexpr (requires { contact.friction = c.friction; }) contact.friction = c.friction;
  return contact;
}

}  // namespace

const PictureBody& PictureScene::body(const std::string& name) const {
  const auto found = std::find_if(bodies.begin(), bodies.end(), [&](const PictureBody& b) { return b.name == name; });
  if (found != bodies.end()) return *found;
  std::vector<std::string> names;
  for (const PictureBody& b : bodies) names.push_back(b.name);
  throw Error("there is no body '{}'{}; there are {}", name, did_you_mean(name, names),
              names.size() <= 12 ? join(names)
                                 : fmt::format("{} bodies, '{}' to '{}'", names.size(), names.front(), names.back()));
}

PictureScene make_picture_scene(const Simulation& simulation) {
  const Model& model = simulation.model();
  const System& system = model.system();
  const Motion& motion = simulation.state().motion;
  const Motion start = initial_motion(system);
  PictureScene scene;
  scene.title = model.title;
  scene.time = simulation.state().time();
  scene.gravity = system.gravity;
  for (int b = 0; b < model.body_count(); ++b) {
    PictureBody body;
    body.name = model.body_name(b);
    body.kind = system.bodies.kind(b);
    body.place = system.bodies.placement(b, motion.q);
    body.velocity = simulation.velocity(BodyId{b});
    body.start = system.bodies.placement(b, start.q).c;
    body.moves = system.bodies.slot(b).mobility == BodyMobility::Dynamic;
    body.driven = system.bodies.slot(b).mobility == BodyMobility::Prescribed;
    if (const int collider = model.collider_of(b); collider >= 0) {
      body.shape = &system.colliders[static_cast<std::size_t>(collider)].shape;
      body.material = system.materials[system.collider_material[static_cast<std::size_t>(collider)]].name;
    }
    scene.bodies.push_back(std::move(body));
  }
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    if (motion.broken[j]) continue;
    const PlacedJoint at = place(system.joints[j], system.bodies, motion.q);
    scene.joints.push_back({std::string(joint_info(system.joints[j].kind).name), system.joints[j].body_a,
                            system.joints[j].body_b, at.point_a, at.point_b});
  }
  for (const ContactResult& c : simulation.contacts()) scene.contacts.push_back(to_recorded(c, model.run.step));
  if (const auto pull = present_pull(simulation))
    scene.pull = {system.bodies.placement(pull->body, motion.q).apply(pull->point), pull->target, pull->force};
  return scene;
}

PictureScene make_picture_scene(const Recording& recording, std::size_t index) {
  Frame frame = recording.frame(index);
  const std::vector<Vec3> start = recording.positions(0);
  PictureScene scene;
  scene.title = recording.info().title;
  scene.time = frame.time;
  scene.gravity = recording.info().gravity;
  for (std::size_t b = 0; b < recording.bodies().size(); ++b) {
    const RecordedBody& recorded = recording.bodies()[b];
    PictureBody body;
    body.name = recorded.name;
    body.kind = recorded.kind;
    body.material = recorded.material;
    body.place = frame.placement(b);
    body.velocity = frame.velocity[b];
    body.start = start[b];
    body.driven = recorded.kind == "prescribed";
    body.moves = !body.driven && recorded.kind != "fixed";
    if (recorded.shape) body.shape = &*recorded.shape;
    scene.bodies.push_back(std::move(body));
  }
  const auto to_world = [&](int body, const Vec3& anchor) {
    return body < 0 ? anchor : frame.placement(static_cast<std::size_t>(body)).apply(anchor);
  };
  for (const RecordedJoint& joint : recording.joints())
    scene.joints.push_back({joint.type, joint.body_a, joint.body_b, to_world(joint.body_a, joint.anchor_a),
                            to_world(joint.body_b, joint.anchor_b)});
  scene.contacts = std::move(frame.contacts);
  if (frame.pull) scene.pull = {to_world(frame.pull->body, frame.pull->point), frame.pull->target, frame.pull->force};
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
  for (const RecordedContact& c : scene.contacts)
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
