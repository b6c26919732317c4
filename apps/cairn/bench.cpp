// SPDX-License-Identifier: Apache-2.0
// `cairn bench`: what the named benchmark scenes cost on this machine, and how exact the results are.
#include "command.h"

#include "benchmarks/kernel_benchmarks.h"
#include "benchmarks/runner.h"
#include "cairn/io/report_json.h"

#include <memory>

namespace cairn {
namespace {

struct BenchOptions {
  std::vector<std::string> names;
  bool list = false, json = false;
  std::string step, duration, tolerance, solver;
  int threads = 1, repeat = 1;
};

Json to_json(const InclineResult::Direction& d) {
  return {{"onset_error", d.onset_error}, {"creep", d.creep}, {"slide_error", d.slide_error}};
}

Json to_json(const BenchmarkResult& r) {
  Json j{{"name", r.scene},
         {"solver", r.solver},
         {"tolerance", r.tolerance},
         {"step", r.step},
         {"duration", r.duration},
         {"threads", r.threads},
         {"steps", r.steps},
         {"completed", r.completed},
         {"cpu_seconds", r.cpu_seconds},
         {"wall_seconds", r.wall_seconds},
         {"cpu_per_second", r.cpu_per_second},
         {"steps_per_second", r.steps_per_second},
         {"slowest_step", r.slowest_step},
         {"share_detection", r.share_detection},
         {"share_assembly", r.share_assembly},
         {"share_solve", r.share_solve},
         {"iterations_mean", r.iterations_mean},
         {"iterations_max", r.iterations_max},
         {"peak_memory", r.peak_memory},
         {"contacts_last", r.contacts_last},
         {"contacts_max", r.contacts_max},
         {"residual_worst", r.residual_worst},
         {"residual_mean", r.residual_mean},
         {"not_converged", r.not_converged},
         {"penetration_worst", r.penetration_worst},
         {"penetration_end", r.penetration_end},
         {"drift", r.drift},
         {"sink", r.sink},
         {"kinetic_end", r.kinetic_end},
         {"kinetic_late", r.kinetic_late}};
  if (r.incline) j["incline"] = {{"along_x", to_json(r.incline->along_x)}, {"diagonal", to_json(r.incline->diagonal)}};
  return j;
}

std::string table_head() {
  return fmt::format("{:<10} {:>9} {:>9} {:>8} {:>6} {:>5} {:>5} {:>5} {:>9} {:>8} {:>9} {:>9} {:>9} {:>9} {:>7}\n",
                     "scene", "CPU s/s", "steps/s", "contacts", "iter", "det%", "asm%", "sol%", "residual", "missed",
                     "penetr.", "drift", "sink", "kinetic", "MB");
}

std::string table_row(const BenchmarkResult& r) {
  std::string text = fmt::format(
      "{:<10} {:>9.3g} {:>9.4g} {:>8} {:>6.1f} {:>5.0f} {:>5.0f} {:>5.0f} {:>9.1e} {:>8} {:>9.1e} {:>9} {:>9} {:>9.1e} "
      "{:>7.1f}\n",
      r.scene, r.cpu_per_second, r.steps_per_second, r.contacts_max, r.iterations_mean, 100 * r.share_detection,
      100 * r.share_assembly, 100 * r.share_solve, r.residual_worst, fmt::format("{}/{}", r.not_converged, r.steps),
      r.penetration_worst, r.rests ? fmt::format("{:.1e}", r.drift) : "-",
      r.rests ? fmt::format("{:.1e}", r.sink) : "-", r.kinetic_end, static_cast<double>(r.peak_memory) / (1 << 20));
  if (r.incline) {
    const auto line = [](std::string_view name, const InclineResult::Direction& d) {
      return fmt::format(
          "  {:<9} sliding starts {:+.1e} rad from atan(mu); creep at 20 deg {:.1e} m/s; slide at 35 deg off by "
          "{:+.1e}\n",
          name, d.onset_error, d.creep, d.slide_error);
    };
    text += line("along x:", r.incline->along_x) + line("diagonal:", r.incline->diagonal);
  }
  if (!r.completed) text += fmt::format("  {}: a step failed after {} steps\n", r.scene, r.steps);
  return text;
}

void print_list(bool json) {
  if (json) {
    Json list = Json::array();
    for (const BenchmarkScene& scene : benchmark_scenes()) {
      list.push_back(
          {{"name", scene.name}, {"help", scene.help}, {"measures", scene.measures}, {"heavy", scene.heavy}});
    }
    for (const KernelBenchmark& kernel : kernel_benchmarks()) {
      list.push_back({{"name", kernel.name}, {"help", kernel.help}, {"measures", kernel.measures}, {"heavy", true}});
    }
    print(to_text(list));
    return;
  }
  for (const BenchmarkScene& scene : benchmark_scenes()) {
    print(fmt::format("{:<10} {}{}\n{:<10}   {}\n", scene.name, scene.help, scene.heavy ? " (only when named)" : "", "",
                      scene.measures));
  }
  for (const KernelBenchmark& kernel : kernel_benchmarks()) {
    print(fmt::format("{:<10} {} (only when named)\n{:<10}   {}\n", kernel.name, kernel.help, "", kernel.measures));
  }
}

/// Prints the table of a kernel, or adds its numbers to the list.
void bench_kernel(const KernelBenchmark& kernel, const BenchOptions& given, Json& results) {
  const std::vector<KernelTime> times = kernel.run({given.threads, given.repeat});
  if (!given.json) {
    print(fmt::format("{}: {}\n{}", kernel.name, kernel.measures, to_table(times)));
    std::fflush(stdout);
    return;
  }
  for (const KernelTime& t : times) {
    results.push_back(
        {{"name", kernel.name}, {"method", t.method}, {"input", t.input}, {"microseconds", t.microseconds}});
  }
}

void bench(const BenchOptions& given) {
  // All names before the first run: a misspelt one costs no time.
  std::vector<const BenchmarkScene*> chosen;
  std::vector<const KernelBenchmark*> kernels;
  for (const std::string& name : given.names) {
    if (const KernelBenchmark* kernel = find_kernel_benchmark(name)) {
      kernels.push_back(kernel);
    } else {
      chosen.push_back(&find_benchmark_scene(name));
    }
  }
  if (given.list) return print_list(given.json);
  if (given.names.empty()) {
    for (const BenchmarkScene& scene : benchmark_scenes()) {
      if (!scene.heavy) chosen.push_back(&scene);
    }
  }

  BenchmarkOptions options;
  if (!given.step.empty()) options.step = read_number("--dt", given.step);
  if (!given.duration.empty()) options.duration = read_number("--duration", given.duration);
  if (!given.tolerance.empty()) options.tolerance = read_number("--tol", given.tolerance);
  if (!given.solver.empty()) options.solver = given.solver;
  options.threads = given.threads;
  options.repeat = given.repeat;

  Json results = Json::array();
  for (const KernelBenchmark* kernel : kernels) bench_kernel(*kernel, given, results);
  bool completed = true;
  for (const BenchmarkScene* scene : chosen) {
    const BenchmarkResult result = run_benchmark(*scene, options);
    completed = completed && result.completed;
    if (given.json) {
      results.push_back(to_json(result));
    } else {
      if (scene == chosen.front()) print(table_head());
      print(table_row(result));
      std::fflush(stdout);
    }
  }
  if (given.json) print(to_text(results));
  if (!completed) {
    print_message("bench: a run ended early because a step failed");
    fall_short();
  }
}

}  // namespace

void add_bench_command(CommandLine& line) {
  Command command = line.add("bench", "Measure cost and exactness on the benchmark scenes");
  const auto options = std::make_shared<BenchOptions>();
  BenchOptions& o = *options;
  command.option("NAME", &o.names, "scenes and kernels to run; without names all but the heavy ones");
  command.flag("--list", o.list, "list the scenes and stop");
  command.flag("--json", o.json, "print one JSON array");
  command.option("--dt", &o.step, "step length [s], e.g. 1/480; default 1/240");
  command.option("--duration", &o.duration, "simulated time [s]; default: the scene's");
  command.option("--tol", &o.tolerance, "tolerance of the solver; default: the scene's");
  command.option("--solver", &o.solver, "solver instead of the scene's");
  command.option("--threads", &o.threads, "number of threads; default 1");
  command.option("--repeat", &o.repeat, "runs per scene or measurement, of which the fastest counts; default 1");
  command.action([options] { bench(*options); });
}

}  // namespace cairn
