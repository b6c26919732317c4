// SPDX-License-Identifier: Apache-2.0
// How a run is getting on, on standard error: a bar on a terminal, a line now and then elsewhere.
#pragma once
#include "cairn/sim/simulation.h"

#include <chrono>

namespace cairn {

class Progress {
 public:
  /// From the simulated time `begin` to `end` [s]; quiet: nothing is shown.
  Progress(double begin, double end, bool quiet);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// After each step.
  void update(const Simulation& simulation) {
    if (quiet_) return;
    if (const Clock::time_point now = Clock::now(); now >= next_) show(simulation, now);
  }
  /// Removes the bar, so that what follows begins on a clean line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void show(const Simulation& simulation, Clock::time_point now);

  double begin_, end_;
  bool quiet_, terminal_;
  std::size_t shown_ = 0;  ///< width of the bar on the terminal now
  Clock::time_point started_ = Clock::now(), next_;
};

}  // namespace cairn
