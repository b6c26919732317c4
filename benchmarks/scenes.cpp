// SPDX-License-Identifier: Apache-2.0
// Builders of the benchmark scenes. Sizes, masses, friction and the random sequence are those of the peers harness.
#include "benchmarks/scenes.h"
#include "benchmarks/scene_parts.h"

#include "cairn/base/text.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr double density = 1000;  // of bricks and cubes [kg/m^3]
const Vec3 cube{0.5, 0.5, 0.5};   // half extents [m]

Model make_resting(const std::string& title, double duration = 10) {
  return make_bench_model(title, duration, 0.5, "1e-8", "2000");
}

void add_ground(Model& model, double half_width = 20) {
  model.add_fixed({.name = "ground", .shape = Box{{half_width, half_width, 1}}, .position = {0, 0, -1}});
}

void add_brick(Model& model, const Vec3& half_extents, const Vec3& position, double rho = density) {
  model.add_rigid({.shape = Box{half_extents}, .position = position, .density = rho});
}

Model make_stack(int count) {
  Model model = make_resting(fmt::format("{} cubes on top of each other", count));
  add_ground(model);
  for (int i = 0; i < count; ++i) add_brick(model, cube, {0, 0, 0.5 + i});
  return model;
}

Model make_mass_ratio() {
  Model model = make_resting("1000 kg on 1 kg", 5);
  add_ground(model);
  add_brick(model, cube, {0, 0, 0.5}, 1);
  add_brick(model, cube, {0, 0, 1.5}, 1000);
  return model;
}

std::vector<BenchmarkScene> make_scenes() {
  const std::string stands = "drift, sink and kinetic energy of what should not move";
  const std::string flows = "residual and penetration while everything moves";
  return {
      {"stack10", "10 cubes on top of each other", stands, true, false, [] { return make_stack(10); }},
      {"stack20", "20 cubes on top of each other", stands, true, false, [] { return make_stack(20); }},
      {"massratio", "a cube of 1000 kg on one of 1 kg", stands, true, false, make_mass_ratio},
      {"incline", "a cube on an inclined plane, friction 0.5",
       "angle at which sliding starts, creep at 20 degrees, distance slid at 35 degrees", true, false,
       [] { return make_incline(20 * M_PI / 180, 0); }},
      {"pyramid", "78 cubes in 12 levels", stands, true, false, [] { return make_pyramid(12); }},
      {"wall", "105 bricks in 10 courses, running bond", stands, true, false, [] { return make_wall(10); }},
      {"arch15", "25 blocks, thickness 0.15 of the radius", stands, true, false, [] { return make_arch(25, 0.15); }},
      {"arch12", "25 blocks, thickness 0.12 of the radius", stands, true, false, [] { return make_arch(25, 0.12); }},
      {"arch09", "25 blocks, thickness 0.09 of the radius: it must fall", flows, false, false,
       [] { return make_arch(25, 0.09); }},
      {"cards", "card house of four levels", stands, true, false, [] { return make_cards(1, 4); }},
      {"cards10", "the same ten times larger", stands, true, false, [] { return make_cards(10, 4); }},
      {"meshes", "20 meshes of 2000 triangles tumble in a box", flows, false, false, [] { return make_meshes(20); }},
      {"rocks1k", "1000 convex rocks fall into a bin", flows, false, true, [] { return make_rocks(10); }},
      {"spheres1k", "1000 spheres fall into a bin", flows, false, false, [] { return make_spheres(10); }},
      {"spheres8k", "8000 spheres fall into a bin", flows, false, true, [] { return make_spheres(20); }},
  };
}

}  // namespace

/// As many courses as bricks in a course, in running bond; odd courses end in half bricks.
Model make_wall(int courses) {
  const int bricks = courses * courses + courses / 2;
  Model model = make_resting(fmt::format("wall of {} bricks in running bond", bricks));
  add_ground(model, std::max(20, 2 * courses));
  const Vec3 brick{1, 0.5, 0.5};
  for (int course = 0; course < courses; ++course) {
    const double z = 0.5 + course, end = courses - 0.5;
    if (course % 2 == 0) {
      for (int i = 0; i < courses; ++i) add_brick(model, brick, {2.0 * i - (courses - 1), 0, z});
    } else {
      add_brick(model, cube, {-end, 0, z});
      for (int i = 0; i < courses - 1; ++i) add_brick(model, brick, {2.0 * i - (courses - 2), 0, z});
      add_brick(model, cube, {end, 0, z});
    }
  }
  return model;
}

Model make_pyramid(int levels) {
  Model model = make_resting(fmt::format("pyramid of {} cubes", levels * (levels + 1) / 2));
  add_ground(model, std::max(20, 2 * levels));
  for (int level = 0; level < levels; ++level) {
    for (int i = 0; i < levels - level; ++i)
      add_brick(model, cube, {1.05 * (i - (levels - 1 - level) / 2.0), 0, 0.5 + level});
  }
  return model;
}

/// side^3 spheres on a jittered grid fall into a square bin.
Model make_spheres(int side) {
  // Measured (docs/benchmarks.md): in a moving heap Newton costs far more than the sweeps it saves, and sweeps reach
  // 1e-4 only after hundreds. Sixty cost what other engines cost; steps that miss the tolerance are counted.
  Model model = make_bench_model(fmt::format("{} spheres fall into a bin", side * side * side), 3, 0.4, "1e-4", "60");
  model.run.solver.name = "gauss-seidel";
  const double spacing = 0.22, jitter = 0.009;
  add_bin(model, side * spacing / 2 + 0.1, side * spacing + 2);
  Draw draw;
  for (int k = 0; k < side; ++k) {
    for (int j = 0; j < side; ++j) {
      for (int i = 0; i < side; ++i) {
        const Vec3 place(spacing * (i - (side - 1) / 2.0), spacing * (j - (side - 1) / 2.0), 0.15 + spacing * k);
        const Vec3 position = place + draw.three(jitter);
        model.add_rigid({.shape = Sphere{0.1}, .position = position, .density = 2000});
      }
    }
  }
  return model;
}

Model make_incline(double slope, double heading) {
  Model model = make_resting(fmt::format("cube on a slope of {:.6g} degrees", slope * 180 / M_PI));
  model.set_contact({.friction = incline_friction, .restitution = 0});
  model.set_gravity(gravity *
                    Vec3(std::sin(slope) * std::cos(heading), std::sin(slope) * std::sin(heading), -std::cos(slope)));
  add_ground(model, 40);
  add_brick(model, cube, {0, 0, 0.5});
  return model;
}

std::span<const BenchmarkScene> benchmark_scenes() {
  static const std::vector<BenchmarkScene> scenes = make_scenes();
  return scenes;
}

std::vector<std::string> benchmark_scene_names() {
  std::vector<std::string> names;
  for (const BenchmarkScene& scene : benchmark_scenes()) names.push_back(scene.name);
  return names;
}

const BenchmarkScene& find_benchmark_scene(std::string_view name) {
  for (const BenchmarkScene& scene : benchmark_scenes()) {
    if (scene.name == name) return scene;
  }
  const std::vector<std::string> names = benchmark_scene_names();
  throw Error("there is no benchmark '{}'{}; there are {}", name, did_you_mean(name, names), join(names));
}

}  // namespace cairn
