// SPDX-License-Identifier: Apache-2.0
// Runs a benchmark scene and measures what it costs and how well the laws of contact were met.
#pragma once
#include "benchmarks/scenes.h"

#include <optional>

namespace cairn {

/// What replaces the scene's own settings.
struct BenchmarkOptions {
  std::optional<double> step = {};      ///< [s]
  std::optional<double> duration = {};  ///< simulated [s]
  std::optional<double> tolerance = {};
  std::optional<std::string> solver = {};
  int threads = 1;
  int repeat = 1;  ///< times are those of the fastest run; everything else is the same in all of them
};

/// Coulomb friction on the inclined plane, along x and along the diagonal of the plane.
struct InclineResult {
  struct Direction {
    double onset_error = 0;  ///< slope at which sliding starts minus atan(mu), by bisection [rad]
    double creep = 0;        ///< mean speed from 1 s to 11 s at 20 degrees [m/s]
    double slide_error = 0;  ///< of the distance after 2 s at 35 degrees, relative
  };
  Direction along_x, diagonal;
};

struct BenchmarkResult {
  std::string scene, solver;
  double step = 0, duration = 0, tolerance = 0;  ///< as run
  int threads = 1;
  bool rests = true;  ///< of the scene: drift and sink mean something
  std::int64_t steps = 0;
  bool completed = true;  ///< false: a step failed and the run ended there
  // Cost. CPU seconds are those of the stepping calls alone, of all threads.
  double cpu_seconds = 0, wall_seconds = 0;
  double cpu_per_second = 0;    ///< per simulated second
  double steps_per_second = 0;  ///< of CPU time with one thread, of wall time with more
  double slowest_step = 0;      ///< wall [s]
  double share_detection = 0, share_assembly = 0, share_solve = 0;  ///< of the wall time of stepping
  double iterations_mean = 0;
  int iterations_max = 0;
  long peak_memory = 0;  ///< of the process so far [bytes]
  // Quality.
  int contacts_last = 0, contacts_max = 0;
  double residual_worst = 0, residual_mean = 0;
  std::int64_t not_converged = 0;                     ///< steps that missed the tolerance
  double penetration_worst = 0, penetration_end = 0;  ///< at mid-step, where contacts are found [m]
  double drift = 0, sink = 0;  ///< largest horizontal move and drop of any body at any time [m]; resting scenes only
  double kinetic_end = 0;      ///< [J]
  double kinetic_late = 0;     ///< largest from 1 s on [J]
  std::optional<InclineResult> incline;
};

/// Throws Error for options that make no sense.
BenchmarkResult run_benchmark(const BenchmarkScene& scene, const BenchmarkOptions& options);

/// CPU seconds used by this process so far, all threads.
double process_cpu_seconds();

}  // namespace cairn
