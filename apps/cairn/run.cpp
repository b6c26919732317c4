// SPDX-License-Identifier: Apache-2.0
// `cairn run`: a scene in, a certificate out; a recording, a checkpoint and a picture on request.
#include "command.h"
#include "picture_options.h"
#include "progress.h"
#include "run_report.h"
#include "stop_signal.h"
#include "view_page.h"

#include "cairn/io/output_file.h"
#include "cairn/io/problem_dump.h"
#include "cairn/io/recording.h"
#include "cairn/io/report_json.h"
#include "cairn/io/version.h"
#include "cairn/sim/checkpoint.h"
#include "cairn/sim/force_check.h"
#include "cairn/sim/law_name.h"
#include "cairn/view/live_source.h"

#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace cairn {
namespace {

struct RunOptions {
  std::string scene, output, duration, dt, stepper, solver, tolerance, certify, checkpoint, restart, picture;
  std::string problems, dump_if;
  PictureOptions look;
  std::vector<std::string> settings;  ///< key=value
  std::optional<int> threads;
  bool json = false, quiet = false, live = false;
  ServeOptions serve;
  std::optional<double> speed;  ///< of a live run
};

double read_positive(std::string_view what, const std::string& text) {
  const double value = read_number(what, text);
  if (!(value > 0)) throw Error("{}: {} is not allowed; must be > 0", what, text);
  return value;
}

/// Another method than the scene's begins with its own default parameters.
void choose(Choice& choice, const std::string& name) {
  if (!name.empty() && name != choice.name) choice = {name, {}};
}

/// stepper.KEY=VALUE or solver.KEY=VALUE.
void apply_setting(const std::string& setting, RunSettings& run) {
  const std::size_t equals = setting.find('='), dot = setting.find('.');
  const std::string owner = setting.substr(0, std::min(dot, setting.size()));
  if (equals == std::string::npos || dot > equals || (owner != "stepper" && owner != "solver")) {
    throw Error("--set: '{}' is not understood; expected stepper.KEY=VALUE or solver.KEY=VALUE", setting);
  }
  Choice& choice = owner == "stepper" ? run.stepper : run.solver;
  choice.parameters[setting.substr(dot + 1, equals - dot - 1)] = setting.substr(equals + 1);
}

void apply_options(const RunOptions& options, RunSettings& run) {
  if (options.speed && !options.live) throw Error("--speed: only with --live; a run that nobody watches does not wait");
  if (!options.duration.empty()) run.duration = read_positive("--duration", options.duration);
  if (!options.dt.empty()) run.step = read_positive("--dt", options.dt);
  if (!(run.duration / run.step <= 1e15)) {
    throw Error("{} s in steps of {} s are too many steps; at most 1e15", run.duration, run.step);
  }
  if (options.threads) run.threads = *options.threads;
  choose(run.stepper, options.stepper);
  choose(run.solver, options.solver);
  if (!options.tolerance.empty()) {
    run.solver.parameters["tolerance"] = fmt::format("{}", read_positive("--tol", options.tolerance));
  }
  for (const std::string& setting : options.settings) apply_setting(setting, run);
  // Asked here, so that a mistake in an option is not reported as one of the scene.
  steppers().make(run.stepper.name, run.stepper.parameters);
  solvers().make(run.solver.name, run.solver.parameters);
  if (run.threads < 1 || run.threads > 1024)
    throw Error("--threads: {} is not allowed; must be in [1, 1024]", run.threads);
}

/// Steps from the present state to the end of the run. The clock of a restarted run has been summed up step by step, so
/// whole steps are counted where they fit.
std::int64_t steps_to_go(const Simulation& simulation) {
  const RunSettings& run = simulation.model().run;
  const State& state = simulation.state();
  const bool same_step = std::abs(static_cast<double>(state.step) * run.step - state.time()) < 1e-3 * run.step;
  return same_step ? step_count(run.duration, run.step) - state.step
                   : step_count(run.duration - state.time(), run.step);
}

/// What is known after the run besides its summary.
struct Outcome {
  bool certified = true;  ///< no step was above the limit
  std::int64_t frames = 0;
  int problems = 0;  ///< contact problems written
  std::string output_failure;
  std::vector<ModeSwitch> switches = {};  ///< for --json
};

/// Bodies that begin inside each other are pushed apart at best and jam at worst: a mistake of the scene more often
/// than a wish. Told when an overlap is deeper than a hundredth of the smaller body.
void tell_overlaps(const Simulation& simulation) {
  const Model& model = simulation.model();
  const auto radius = [&](int body) {
    const int collider = body >= 0 ? model.collider_of(body) : -1;
    const Shape* shape = collider >= 0 ? &model.system().colliders[static_cast<std::size_t>(collider)].shape : nullptr;
    return shape && is_bounded(*shape) ? bounding_radius(*shape) : std::numeric_limits<double>::infinity();
  };
  const ContactResult* deepest = nullptr;
  std::set<std::pair<int, int>> pairs;
  for (const ContactResult& c : simulation.contacts()) {
    if (c.body_a < 0 || c.body_b < 0 || !(-c.gap > 0.01 * std::min(radius(c.body_a), radius(c.body_b)))) continue;
    pairs.insert({c.body_a, c.body_b});
    if (!deepest || c.gap < deepest->gap) deepest = &c;
  }
  if (!deepest) return;
  print_message(fmt::format("at the start '{}' and '{}' overlap by {:.3g} m{}", model.body_name(deepest->body_a),
                            model.body_name(deepest->body_b), -deepest->gap,
                            pairs.size() > 1 ? fmt::format(", and {} more pairs of bodies do", pairs.size() - 1) : ""));
}

/// A force too stiff for the step ends the run a few steps later with numbers that are none, and no word of why.
void tell_stiff_forces(const Simulation& simulation) {
  const ForceRemark remark = describe_force_step(simulation.model(), simulation.state().motion);
  if (!remark.text.empty()) print_message(remark.text);
}

Outcome run_steps(const RunOptions& options, const Scene& scene, std::optional<double> limit, std::int64_t steps,
                  std::optional<ProblemDump>& dump, Simulation& simulation) {
  std::optional<Recorder> recorder;
  if (!options.output.empty()) recorder.emplace(options.output, simulation, scene.output);
  std::optional<LiveSource> watched;
  std::optional<PageServer> server;
  if (options.live) {
    watched.emplace(simulation, LiveSource::Settings{.file = std::filesystem::path(options.scene).filename().string(),
                                                     .speed = options.speed.value_or(0),
                                                     .may_reset = false});
    server.emplace(*watched, options.serve);
    server->announce(stderr);
  }
  Outcome outcome;
  Progress progress(simulation.state().time(), simulation.model().run.duration, options.quiet);
  listen_to_signals();
  if (options.restart.empty() && !options.quiet) tell_stiff_forces(simulation);
  try {
    for (std::int64_t i = 0; i < steps && stop_signal() == 0; ++i) {
      if (watched && !watched->before_step(simulation, [] { return stop_signal() != 0; })) break;
      const Certificate& certificate = simulation.step();
      if (watched) watched->after_step(simulation);
      if (limit && !(certificate.residual <= *limit)) outcome.certified = false;  // also when it is not a number
      if (recorder) recorder->record_step(simulation);
      if (options.json)
        outcome.switches.insert(outcome.switches.end(), simulation.switches().begin(), simulation.switches().end());
      if (dump) dump->after_step(simulation);
      if (i == 0 && options.restart.empty() && !options.quiet) tell_overlaps(simulation);
      progress.update(simulation);
      if (certificate.status != StepStatus::Done) break;
    }
    progress.finish();
    if (recorder) recorder->close();
    if (!options.checkpoint.empty()) write_checkpoint(options.checkpoint, simulation.model(), simulation.state());
    if (!options.picture.empty()) {
      PictureSettings settings = options.look.settings();
      settings.threads = {simulation.model().run.threads};
      write_png(options.picture, draw_picture(simulation, settings));
    }
  } catch (const Error& error) {
    outcome.output_failure = error.what();
  }
  if (recorder) outcome.frames = recorder->frame_count();
  if (dump) outcome.problems = dump->written();
  return outcome;
}

Json to_json(const RunOptions& options, const Simulation& simulation, std::optional<double> limit,
             const Outcome& outcome) {
  const Model& model = simulation.model();
  Json j;
  j["scene"] = options.scene;
  j["title"] = model.title;
  j["cairn"] = kVersion;
  j["bodies"] = model.body_count();
  j["joints"] = model.system().joints.size();
  j["stepper"] = model.run.stepper.name;
  j["solver"] = model.run.solver.name;
  j["tolerance"] = simulation.solver().limits().tolerance;
  j["step"] = model.run.step;
  j["threads"] = model.run.threads;
  j["time"] = simulation.state().time();
  j["interrupted"] = stop_signal() != 0;
  j["certificate"] = to_json(simulation.summary());
  if (simulation.stepper().locates_switches()) {
    Json& list = j["switches"] = Json::array();
    for (const ModeSwitch& s : outcome.switches)
      list.push_back(
          {{"time", s.time}, {"law", name_law(model, s.law)}, {"from", to_string(s.from)}, {"to", to_string(s.to)}});
  }
  if (limit) j["certify"] = {{"limit", *limit}, {"pass", outcome.certified}};
  if (!options.output.empty()) j["recording"] = {{"file", options.output}, {"frames", outcome.frames}};
  if (!options.problems.empty()) j["problems"] = {{"folder", options.problems}, {"files", outcome.problems}};
  if (!options.checkpoint.empty()) j["checkpoint"] = options.checkpoint;
  if (!options.picture.empty()) j["picture"] = options.picture;
  return j;
}

void print_summary(const RunOptions& options, const Simulation& simulation, const Outcome& outcome) {
  const Model& model = simulation.model();
  const RunSummary& summary = simulation.summary();
  if (!model.title.empty()) print(model.title + "\n");
  print(fmt::format("{} bodies, {} joints; stepper {}, solver {} (tolerance {:g}), {} thread{}\n", model.body_count(),
                    model.system().joints.size(), model.run.stepper.name, model.run.solver.name,
                    simulation.solver().limits().tolerance, model.run.threads, model.run.threads == 1 ? "" : "s"));
  print(fmt::format("{} steps of {:.6g} s: {:.6g} s simulated, now t = {:.6g} s\n\n", summary.steps, model.run.step,
                    summary.simulated, simulation.state().time()));
  print(describe(summary));
  std::error_code ignored;
  if (!options.output.empty()) {
    const auto bytes = std::filesystem::file_size(options.output, ignored);
    print(fmt::format("\nRecording   {} ({} frames, {})\n", options.output, outcome.frames,
                      describe_bytes(ignored ? 0 : static_cast<double>(bytes))));
  }
  if (!options.problems.empty()) print(fmt::format("Problems    {} ({} files)\n", options.problems, outcome.problems));
  if (!options.checkpoint.empty()) print(fmt::format("Checkpoint  {}\n", options.checkpoint));
  if (!options.picture.empty()) print(fmt::format("Picture     {}\n", options.picture));
}

/// The reasons to end with another status than 0, the gravest last.
int judge(const Simulation& simulation, std::optional<double> limit, const Outcome& outcome) {
  const RunSummary& summary = simulation.summary();
  int status = kDone;
  if (!outcome.certified) {
    print_message(
        fmt::format("not certified: the worst residual is {:.3g}, above the limit {:g}", summary.residual, *limit));
    status = kFellShort;
  }
  for (const RunWarning& warning : summary.warnings) {
    print_message(describe(warning));
    status = kFellShort;
  }
  if (summary.status != StepStatus::Done) {
    print_message(fmt::format("step {} failed at t = {:.6g} s: {}", simulation.state().step + 1,
                              simulation.state().time(), to_string(summary.status)));
    status = kFellShort;
  }
  if (!outcome.output_failure.empty()) {
    print_message(outcome.output_failure);
    status = kFellShort;
  }
  if (stop_signal() != 0) {
    print_message(fmt::format("stopped at t = {:.6g} s", simulation.state().time()));
    status = 128 + stop_signal();  // as the shell counts: 130 for Ctrl-C
  }
  return status;
}

void run(const RunOptions& options) {
  Scene scene = read_scene(options.scene);
  apply_options(options, scene.model.run);
  std::optional<double> limit;
  if (!options.certify.empty()) limit = read_positive("--certify", options.certify);
  // Before an hour of work rather than after it.
  if (options.look.given() && options.picture.empty())
    throw Error("--view, --size, --layers and the other options of pictures need --picture X.png");
  options.look.settings();
  if (!options.dump_if.empty() && options.problems.empty()) throw Error("--dump-if needs --dump-problems DIR");
  const DumpCondition dump_condition(options.dump_if, "--dump-if");
  for (const std::string& file : {options.output, options.checkpoint, options.picture}) {
    if (!file.empty()) check_can_write(file);
  }
  std::optional<Simulation> simulation;
  try {
    simulation.emplace(scene.model);
  } catch (const Error& error) {
    throw Error("{}: {}", options.scene, error.what());
  }
  if (!options.picture.empty()) {  // the bodies it names are there
    const PictureScene start = make_picture_scene(*simulation);
    find_view({&start, 1}, options.look.settings());
  }
  if (!options.restart.empty()) simulation->restore(read_checkpoint(options.restart, simulation->model()));
  const std::int64_t steps = steps_to_go(*simulation);
  if (steps <= 0) {
    throw Error("the run ends at {} s and {} is at {:.6g} s already; give a longer --duration",
                scene.model.run.duration, options.restart, simulation->state().time());
  }

  std::optional<ProblemDump> dump;
  if (!options.problems.empty()) {
    dump.emplace(options.problems, std::filesystem::path(options.scene).stem().string(), dump_condition);
    simulation->keep_problem(true);
  }

  const Outcome outcome = run_steps(options, scene, limit, steps, dump, *simulation);
  if (options.json) {
    print(to_text(to_json(options, *simulation, limit, outcome)));
  } else if (!options.quiet) {
    print_summary(options, *simulation, outcome);
  }
  if (const int status = judge(*simulation, limit, outcome); status != kDone) exit_with(status);
}

}  // namespace

void add_run_command(CommandLine& line) {
  Command command = line.add("run", "Simulate a scene and print how well the laws were met");
  const auto options = std::make_shared<RunOptions>();
  RunOptions& o = *options;
  command.option("SCENE", &o.scene, "the scene, a YAML file", {.required = true});
  command.option("-o,--output", &o.output, "record the run in this file (HDF5)");
  command.option("--duration", &o.duration, "simulated time at the end of the run [s] (scene: run.duration)");
  command.option("--dt", &o.dt, "length of a step [s], a number or a formula such as 1/240 (scene: run.step)");
  command.option("--stepper", &o.stepper, "time-stepping scheme; see 'cairn list steppers'");
  command.option("--solver", &o.solver, "contact solver; see 'cairn list solvers'");
  command.option("--tol", &o.tolerance, "the solver's tolerance on the residual");
  command.option("--set", &o.settings, "a parameter: solver.KEY=VALUE or stepper.KEY=VALUE; may be repeated",
                 {.repeated = true});
  command.option("--threads", &o.threads, "number of threads; results do not depend on it");
  command.option("--certify", &o.certify, "exit with 1 when the residual of any step is above this limit");
  command.option("--checkpoint", &o.checkpoint, "write the last state to this file, to continue from");
  command.option("--restart", &o.restart, "continue from a checkpoint of the same scene");
  command.option("--dump-problems", &o.problems, "write the contact problem of each step into this folder (FCLib)");
  command.option("--dump-if", &o.dump_if,
                 "only of steps that meet this: residual, iterations, contacts or seconds, < or >, a number; "
                 "several joined by |");
  command.option("--picture", &o.picture, "draw the last state into this PNG file");
  o.look.add_to(command);
  command.flag("--live", o.live, "show the run in the browser while it computes; the page can pause it");
  o.serve.add_to(command);
  command.option("--speed", &o.speed, "simulated over real time of a live run; 0: as fast as it can (default)",
                 {.from = 0.0, .to = 1e6});
  command.flag("--json", o.json, "print the summary as one JSON document");
  command.flag("--quiet", o.quiet, "no progress and no summary, only errors (and --json)");
  command.footer(
      "\nExamples:\n  cairn run scene.yaml -o run.h5 --dt 1/480\n"
      "  cairn run scene.yaml --solver gauss-seidel --set solver.max_iterations=500 --certify 1e-6\n"
      "  cairn run scene.yaml --dump-problems hard --dump-if 'residual>1e-6|iterations>500'\n"
      "  cairn run scene.yaml --duration 1 --checkpoint a.ck && cairn run scene.yaml --duration 2 --restart a.ck");
  command.action([options] { run(*options); });
}

}  // namespace cairn
