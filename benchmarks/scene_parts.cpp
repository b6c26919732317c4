// SPDX-License-Identifier: Apache-2.0
// Parts of benchmark scenes: see the header.
#include "benchmarks/scene_parts.h"

namespace cairn {

Model make_bench_model(const std::string& title, double duration, double friction, const char* tolerance,
                       const char* iterations) {
  Model model;
  model.title = title;
  model.run.duration = duration;
  model.run.step = 1.0 / 240;
  model.run.solver = {"auto", {{"tolerance", tolerance}, {"max_iterations", iterations}}};
  model.set_gravity({0, 0, -gravity});
  model.set_contact({.friction = friction, .restitution = 0});
  return model;
}

void add_bin(Model& model, double half, double height) {
  const Vec3 wall_x{0.5, half + 1, height / 2}, wall_y{half + 1, 0.5, height / 2};
  model.add_fixed({.name = "floor", .shape = Box{{half + 1, half + 1, 0.5}}, .position = {0, 0, -0.5}});
  model.add_fixed({.name = "wall +x", .shape = Box{wall_x}, .position = {half + 0.5, 0, height / 2}});
  model.add_fixed({.name = "wall -x", .shape = Box{wall_x}, .position = {-half - 0.5, 0, height / 2}});
  model.add_fixed({.name = "wall +y", .shape = Box{wall_y}, .position = {0, half + 0.5, height / 2}});
  model.add_fixed({.name = "wall -y", .shape = Box{wall_y}, .position = {0, -half - 0.5, height / 2}});
}

}  // namespace cairn
