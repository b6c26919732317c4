// SPDX-License-Identifier: Apache-2.0
// The list of kernel benchmarks and their table.
#include "benchmarks/kernel_benchmarks.h"

#include <fmt/format.h>

#include <algorithm>

namespace cairn {

std::span<const KernelBenchmark> kernel_benchmarks() {
  const auto broad_phase = [](std::string_view set, std::string_view what) {
    return KernelBenchmark{fmt::format("broadphase-{}", set),
                           fmt::format("all broad phases on 1e4, 1e5 and 1e6 {}, ten pairs per box", what),
                           "microseconds per box, pairs sorted: from scratch (best), and mean of coherent steps",
                           [set](const KernelOptions& options) { return measure_broad_phases(set, options); }};
  };
  const auto narrow_phase = [](std::string_view kind, std::string_view what) {
    return KernelBenchmark{fmt::format("narrowphase-{}", kind),
                           fmt::format("contact points of {}, half of them overlapping", what),
                           "microseconds per pair with the full set of points",
                           [kind](const KernelOptions& options) { return measure_narrow_phase(kind, options); }};
  };
  static const std::vector<KernelBenchmark> all{
      broad_phase("random", "boxes at random places, sides up to 1 : 3"),
      broad_phase("packed", "equal boxes that touch in a lattice"),
      broad_phase("spherical", "equal boxes on a sphere"),
      narrow_phase("boxes", "boxes of random sides"),
      narrow_phase("stacks", "boxes with a face on a face"),
      narrow_phase("primitives", "spheres, capsules, cylinders, cones and ellipsoids"),
      narrow_phase("hulls", "convex hulls of 12 to 60 points"),
      narrow_phase("meshes", "two lumps of 2000 triangles that are not convex"),
  };
  return all;
}

const KernelBenchmark* find_kernel_benchmark(std::string_view name) {
  for (const KernelBenchmark& kernel : kernel_benchmarks())
    if (kernel.name == name) return &kernel;
  return nullptr;
}

std::string to_table(const std::vector<KernelTime>& times) {
  std::vector<std::string> methods, inputs;
  const auto note = [](std::vector<std::string>& seen, const std::string& name) {
    if (std::find(seen.begin(), seen.end(), name) == seen.end()) seen.push_back(name);
  };
  const std::string head = "us per item";
  std::size_t width = head.size();
  for (const KernelTime& t : times) {
    note(methods, t.method);
    note(inputs, t.input);
    width = std::max(width, t.method.size());
  }
  constexpr std::size_t number_width = 6;
  std::string text = fmt::format("{:<{}}", head, width);
  for (const std::string& input : inputs) text += fmt::format("  {:>{}}", input, number_width);
  text += "\n";
  for (const std::string& method : methods) {
    text += fmt::format("{:<{}}", method, width);
    for (const std::string& input : inputs) {
      const auto found = std::find_if(times.begin(), times.end(),
                                      [&](const KernelTime& t) { return t.method == method && t.input == input; });
      const std::string cell = found == times.end() ? "-" : fmt::format("{:.3f}", found->microseconds);
      text += fmt::format("  {:>{}}", cell, std::max(number_width, input.size()));
    }
    text += "\n";
  }
  return text;
}

}  // namespace cairn
