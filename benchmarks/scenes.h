// SPDX-License-Identifier: Apache-2.0
// The benchmark scenes by name: the same bodies, masses and friction that other engines are measured on (peers.hpp).
#pragma once
#include "cairn/sim/model.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// One scene. `build` gives the model with step, duration and solver set.
struct BenchmarkScene {
  std::string name;
  std::string help;      ///< one line: what it is
  std::string measures;  ///< one line: which numbers tell how good the run was
  bool rests = true;     ///< the bodies should stay where they are: drift and sink are errors
  bool heavy = false;    ///< takes minutes; run only when named
  std::function<Model()> build;
};

/// All scenes, small ones first.
std::span<const BenchmarkScene> benchmark_scenes();
/// Throws Error with the nearest name when there is none.
const BenchmarkScene& find_benchmark_scene(std::string_view name);
std::vector<std::string> benchmark_scene_names();

/// The walls, pyramids and heaps of the scenes in any size (scene: 10 courses, 12 levels, 10 and 20 spheres a side).
Model make_wall(int courses);
Model make_pyramid(int levels);
Model make_spheres(int side);

/// Arches of `count` blocks of radius 5 m, card houses, heaps of rocks, tumbling meshes.
Model make_arch(int count, double thickness);
Model make_cards(double scale, int levels);
Model make_rocks(int side);
Model make_meshes(int count);

/// A cube of 1 m and 1000 kg on a plane inclined by `slope` [rad], friction 0.5; gravity is inclined instead of the
/// plane. `heading` is the direction of descent in the plane, from x [rad].
Model make_incline(double slope, double heading);
inline constexpr double incline_friction = 0.5;

}  // namespace cairn
