// SPDX-License-Identifier: Apache-2.0
// Every broad phase on sets of boxes, from scratch and with the coherence of small steps (after Koziara 2008, 13.2).
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "benchmarks/broad_phase_sets.h"
#include "benchmarks/kernel_benchmarks.h"
#include "benchmarks/runner.h"
#include "cairn/base/stopwatch.h"
#include "cairn/collision/broad_phase.h"

namespace cairn {
namespace {

constexpr int kWarmUp = 2;  // coherent steps before the clock starts

/// Up to which size a method is worth waiting for: brute force and scans along one axis grow too fast.
int largest_size(std::string_view method) {
  if (method == "brute-force") return 10'000;
  if (method == "sweep-and-prune" || method == "plane-sweep-pst2d") return 100'000;
  return 1'000'000;
}

/// At 1e6 boxes only the fast ones take part in the coherent run.
bool runs_coherent(std::string_view method, int size) {
  return size < 1'000'000 || method == "auto" || method == "grid" || method == "tree";
}

double clock_seconds(const KernelOptions& options) {
  static const Stopwatch wall;
  return options.threads > 1 ? wall.seconds() : process_cpu_seconds();
}

double time_call(BroadPhase& method, const BoxSet& set, std::vector<Pair>& pairs, const KernelOptions& options) {
  const double start = clock_seconds(options);
  method.find_pairs(set.boxes, set.mobile, pairs, {options.threads});
  return clock_seconds(options) - start;
}

}  // namespace

std::vector<KernelTime> measure_broad_phases(std::string_view set_name, const KernelOptions& options) {
  std::vector<KernelTime> times;
  for (const int size : {10'000, 100'000, 1'000'000}) {
    const BoxSet start = make_box_set(set_name, size);
    const int calls = options.repeat * (size > 100'000 ? 2 : size > 10'000 ? 4 : 10);
    const int steps = size > 100'000 ? 10 : 20;
    for (const BroadPhaseInfo& kind : broad_phase_kinds()) {
      if (size > largest_size(kind.name)) continue;
      const auto method = make_broad_phase(kind.name);
      std::vector<Pair> pairs;
      double best = std::numeric_limits<double>::infinity();
      for (int k = 0; k <= calls; ++k) {  // the first makes the buffers
        method->forget();
        const double seconds = time_call(*method, start, pairs, options);
        if (k > 0) best = std::min(best, seconds);
      }
      times.push_back({std::string(kind.name), fmt::format("{} scratch", size), 1e6 * best / size});
      if (!runs_coherent(kind.name, size)) continue;

      best = std::numeric_limits<double>::infinity();
      for (int k = 0; k < options.repeat; ++k) {
        BoxSet set = start;
        double sum = 0;
        for (int step = 0; step < kWarmUp + steps; ++step) {
          const double seconds = time_call(*method, set, pairs, options);
          if (step >= kWarmUp) sum += seconds;
          set.move();
        }
        best = std::min(best, sum / steps);
      }
      times.push_back({std::string(kind.name), fmt::format("{} coherent", size), 1e6 * best / size});
    }
  }
  return times;
}

}  // namespace cairn
