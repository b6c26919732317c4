// SPDX-License-Identifier: Apache-2.0
// U6, U7: the same bits for every number of threads, and after a stop, a file and a restart.
#include "cairn/sim/checkpoint.h"
#include "cases.h"
#include "measure.h"
#include "scenes.h"

#include <unistd.h>

#include <filesystem>

namespace cairn::validation {
namespace {

/// A file name that no other process uses, removed at the end.
class TemporaryFile {
 public:
  TemporaryFile()
      : path_(std::filesystem::temp_directory_path() / fmt::format("cairn-validation-{}.checkpoint", ::getpid())) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;  // nothing to do about a file that is not there
    std::filesystem::remove(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void take_steps(Simulation& simulation, int count) {
  for (int i = 0; i < count; ++i) simulation.step();
}

}  // namespace

CaseResult run_threads(Effort effort) {
  CaseResult result;
  const int across = 10, layers = effort == Effort::Full ? 10 : 6, steps = effort == Effort::Full ? 50 : 8;
  Model model = make_heap(across, layers);
  set_tolerance(model, 1e-4);  // bits do not depend on it, the time does
  const auto run = [&](int threads) {
    model.run.threads = threads;
    Simulation simulation(model);
    take_steps(simulation, steps);
    record(result, fmt::format("{} threads", threads), simulation);
    return simulation.state();
  };
  const State one = run(1);
  Plot plot{.title = "Wall time",
            .x_label = "threads",
            .y_label = "time [s]",
            .series = {{.label = "", .x = {1}, .y = {result.runs.back().summary.seconds}, .markers = true}}};
  for (const int threads : {1, 2, 4, 8}) {
    const State other = run(threads);
    result.quantities.push_back(check(fmt::format("values that differ, 1 and {} threads", threads),
                                      static_cast<double>(differing_values(one, other)), {0, 0}));
    if (threads == 1) continue;
    plot.series[0].x.push_back(threads);
    plot.series[0].y.push_back(result.runs.back().summary.seconds);
  }
  result.plots = {plot};
  result.notes = fmt::format("{} spheres, {} steps, {} contacts at most; {} numbers compared bit by bit.",
                             across * across * layers, steps, result.runs.front().summary.contacts_max,
                             one.motion.q.size() + one.motion.u.size());
  return result;
}

CaseResult run_restart(Effort effort) {
  CaseResult result;
  const int half = effort == Effort::Full ? 1500 : 150;
  Model sequential = make_throw();
  sequential.set_contact({.friction = 0.4, .restitution = 0.6});
  sequential.run.stepper.parameters["impacts"] = "sequential";
  Model koziara = make_throw();
  koziara.run.stepper = {"koziara"};
  const std::vector<std::pair<std::string, Model>> scenes{{"rigid bodies", make_throw()},
                                                          {"rigid bodies, koziara", koziara},
                                                          {"rigid bodies, sequential impacts", sequential},
                                                          {"affine bodies", make_soft_blocks()}};
  for (const auto& [label, model] : scenes) {
    Simulation through(model);
    take_steps(through, 2 * half);
    TemporaryFile file;
    {
      Simulation first(model);
      take_steps(first, half);
      write_checkpoint(file.path(), model, first.state());
    }
    Simulation second(model);
    second.restore(read_checkpoint(file.path(), model));
    take_steps(second, half);
    result.quantities.push_back(check("values that differ, " + label,
                                      static_cast<double>(differing_values(through.state(), second.state())), {0, 0}));
    result.quantities.push_back(
        check("time after the restart, " + label, second.state().time(), {through.state().time(), 0, false, {}, "s"}));
    record(result, label + ", through", through);
    record(result, label + ", second half", second);
  }
  result.notes =
      fmt::format("{} steps through, against {} steps, a checkpoint file, and {} steps more.", 2 * half, half, half);
  return result;
}

}  // namespace cairn::validation
