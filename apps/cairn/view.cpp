// SPDX-License-Identifier: Apache-2.0
// `cairn view`: a page in the browser that shows a recording, or a scene that runs.
#include "command.h"
#include "stop_signal.h"
#include "view_page.h"

#include "cairn/base/error.h"
#include "cairn/io/scene.h"
#include "cairn/view/live_source.h"
#include "cairn/view/recording_source.h"

#include <filesystem>
#include <thread>

namespace cairn {
namespace {

struct ViewOptions {
  std::string file;
  ServeOptions serve;
  bool paused = false;
  double speed = 1;
};

void wait_for_signal(const std::function<void()>& every_second) {
  for (int tenth = 1; stop_signal() == 0; ++tenth) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (tenth % 10 == 0) every_second();
  }
}

void view_recording(const ViewOptions& options) {
  RecordingSource source(options.file);
  if (const std::string failure = source.failure(); !failure.empty()) print_message(failure);
  const PageServer server(source, options.serve);
  server.announce(stdout);
  wait_for_signal([&] { source.poll(); });
}

void view_scene(const ViewOptions& options) {
  std::optional<Simulation> simulation;
  Scene scene = read_scene(options.file);
  try {
    simulation.emplace(std::move(scene.model));
  } catch (const Error& error) {
    throw Error("{}: {}", options.file, error.what());
  }
  LiveSource source(*simulation, {.file = std::filesystem::path(options.file).filename().string(),
                                  .speed = options.speed,
                                  .paused = options.paused});
  const PageServer server(source, options.serve);
  server.announce(stdout);
  while (source.before_step(*simulation, [] { return stop_signal() != 0; })) {
    simulation->step();
    source.after_step(*simulation);
  }
  for (const RunWarning& warning : simulation->summary().warnings) print_message(describe(warning));
}

void view(const ViewOptions& options) {
  const std::filesystem::path path(options.file);
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) throw Error("{}: there is no such file", options.file);
  if (std::filesystem::is_directory(path, problem))
    throw Error("{}: is a directory; expected a recording or a scene", options.file);
  listen_to_signals();
  if (looks_like_hdf5(path)) {
    view_recording(options);
  } else {
    view_scene(options);
  }
}

}  // namespace

void add_view_command(CommandLine& line) {
  Command command = line.add("view", "Look at a recording, or at a scene while it runs, in the browser");
  const auto options = std::make_shared<ViewOptions>();
  ViewOptions& o = *options;
  command.option("FILE", &o.file, "a recording (HDF5), or a scene to run live (YAML)", {.required = true});
  o.serve.add_to(command);
  command.flag("--paused", o.paused, "a scene waits for the play button");
  command.option("--speed", &o.speed, "simulated over real time of a scene; 0: as fast as it can",
                 {.from = 0.0, .to = 1e6});
  command.footer(
      "\nExamples:\n  cairn view run.h5\n  cairn view examples/arch.yaml --port 8080 --no-open\n\n"
      "The page is served until Ctrl-C.");
  command.action([options] { view(*options); });
}

}  // namespace cairn
