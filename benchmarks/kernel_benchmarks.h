// SPDX-License-Identifier: Apache-2.0
// Benchmarks of one part of a step by itself: the same input to every method, and what each costs.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

struct KernelOptions {
  int threads = 1;
  int repeat = 1;  ///< of every measurement; the fastest counts
};

/// What one method costs on one input.
struct KernelTime {
  std::string method;
  std::string input;        ///< what was given to it, e.g. "100000 from scratch"
  double microseconds = 0;  ///< per item (box, query); of CPU time with one thread, of wall time with more
};

struct KernelBenchmark {
  std::string name;
  std::string help;      ///< one line: what it is
  std::string measures;  ///< one line: what the numbers are
  std::function<std::vector<KernelTime>(const KernelOptions&)> run;
};

std::span<const KernelBenchmark> kernel_benchmarks();
/// Null if there is none of that name.
const KernelBenchmark* find_kernel_benchmark(std::string_view name);

/// All methods (rows) on all inputs (columns), as text.
std::string to_table(const std::vector<KernelTime>& times);

/// Broad phases on one of the sets of broad_phase_sets.h.
std::vector<KernelTime> measure_broad_phases(std::string_view set, const KernelOptions& options);
/// The narrow phase on one kind of narrow_phase_queries.h.
std::vector<KernelTime> measure_narrow_phase(std::string_view kind, const KernelOptions& options);

}  // namespace cairn
