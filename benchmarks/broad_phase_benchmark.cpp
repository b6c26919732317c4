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

constexpr int kWarmUp = 2;        // coherent steps before the clock starts
constexpr int kSteps = 10;        // coherent steps: more than a list of near pairs lasts
constexpr double kEnough = 1;     // seconds of calls from scratch, after which the best so far counts
constexpr double kTooSlow = 2.5;  // seconds of a call from scratch, beyond which there is no coherent run

/// Up to which size a method is worth waiting for: brute force and scans along one axis grow too fast.
int largest_size(std::string_view method) {
  if (method == "brute-force") return 10'000;
  if (method == "sweep-and-prune" || method == "plane-sweep-pst2d") return 100'000;
  return 1'000'000;
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
    const int calls = 5 * options.repeat;
    for (const BroadPhaseInfo& kind : broad_phase_kinds()) {
      if (size > largest_size(kind.name)) continue;
      const auto method = make_broad_phase(kind.name);
      std::vector<Pair> pairs;
      double best = std::numeric_limits<double>::infinity(), sum = 0;
      for (int k = 0; k <= calls && (k < 2 || sum < options.repeat * kEnough); ++k) {
        method->forget();
        const double seconds = time_call(*method, start, pairs, options);
        sum += seconds;
        if (k > 0) best = std::min(best, seconds);  // the first makes the buffers
      }
      times.push_back({std::string(kind.name), fmt::format("{} scratch", size), 1e6 * best / size});
      if (best > kTooSlow) continue;

      best = std::numeric_limits<double>::infinity();
      for (int k = 0; k < options.repeat; ++k) {
        BoxSet set = start;
        sum = 0;
        for (int step = 0; step < kWarmUp + kSteps; ++step) {
          const double seconds = time_call(*method, set, pairs, options);
          if (step >= kWarmUp) sum += seconds;
          set.move();
        }
        best = std::min(best, sum / kSteps);
      }
      times.push_back({std::string(kind.name), fmt::format("{} coherent", size), 1e6 * best / size});
    }
  }
  return times;
}

}  // namespace cairn
