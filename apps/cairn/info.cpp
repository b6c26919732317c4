// SPDX-License-Identifier: Apache-2.0
// `cairn info`: what a file is, told from its content: a recording, a checkpoint, a scene, a contact
// problem or a mesh.
#include "command.h"
#include "mesh_info.h"
#include "run_report.h"

#include "cairn/assembly/joint_projection.h"
#include "cairn/base/text.h"
#include "cairn/io/fclib.h"
#include "cairn/io/problem_facts.h"
#include "cairn/io/recording.h"
#include "cairn/io/report_json.h"
#include "cairn/io/scene.h"
#include "cairn/sim/force_check.h"

#include <bit>
#include <cctype>
#include <cstring>
#include <fstream>
#include <map>

namespace cairn {
namespace {

/// Both forms of what is known about a file.
struct Description {
  std::string text;
  Json json;
};

/// "2 fixed, 20 rigid".
template <class Names>
std::pair<std::string, Json> count_kinds(const Names& names) {
  std::map<std::string, int> counts;
  for (const auto& name : names) ++counts[std::string(name)];
  std::string text;
  Json json = Json::object();
  for (const auto& [name, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
    json[name] = count;
  }
  return {text.empty() ? "none" : text, json};
}

constexpr std::size_t kSwitchesShown = 20;

/// As name_law() of a model.
std::string name_law(const Recording& recording, const RecordedSwitch& s) {
  const auto name = [](const auto& list, int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= list.size()) return fmt::format("{}", index);
    if constexpr (requires { list[0].name; }) {
      return list[static_cast<std::size_t>(index)].name;
    } else {
      return list[static_cast<std::size_t>(index)];
    }
  };
  std::string text;
  switch (s.owner) {
    case LawOwner::Contact:
      text = fmt::format("contact of '{}' and '{}'", name(recording.bodies(), s.a), name(recording.bodies(), s.b));
      break;
    case LawOwner::Joint: text = fmt::format("joint '{}'", name(recording.joints(), s.a)); break;
    case LawOwner::CoordinateLaw: text = fmt::format("law '{}'", name(recording.coordinate_laws(), s.a)); break;
    case LawOwner::OwnContact: text = fmt::format("own contact {}", s.a); break;
  }
  return s.facet == LawFacet::Normal ? text : fmt::format("{}, {}", text, to_string(s.facet));
}

Description describe_recording(const std::string& file) {
  const Recording recording(file);
  const RecordingInfo& info = recording.info();
  const std::vector<Certificate> certificates = recording.certificates();
  const double begin = recording.frame_count() > 0 ? recording.times().front() : 0;
  const double end = recording.frame_count() > 0 ? recording.times().back() : 0;
  const RunSummary summary = summarise(certificates, begin);
  std::vector<std::string> kinds;
  for (const FrameBody& body : recording.bodies()) kinds.push_back(body.kind);
  const auto [kinds_text, kinds_json] = count_kinds(kinds);

  Description d;
  d.text =
      fmt::format("{}: a recording{}\n", file, info.complete ? "" : ", not finished (its run was killed, or goes on)");
  if (!info.title.empty()) d.text += fmt::format("  title      {}\n", info.title);
  d.text += fmt::format("  bodies     {} ({})\n  joints     {}\n", kinds.size(), kinds_text, recording.joints().size());
  d.text += fmt::format("  frames     {}, from {:.6g} to {:.6g} s{}\n", recording.frame_count(), begin, end,
                        info.contacts ? ", with contacts" : "");
  if (recording.pulled_frames() > 0)
    d.text += fmt::format("  pulls      in {} frames a body was pulled by hand\n", recording.pulled_frames());
  d.text += fmt::format("  method     stepper {}, solver {}, {} steps of {:.6g} s\n  cairn      {}\n\n", info.stepper,
                        info.solver, certificates.size(), info.step, info.cairn);
  d.text += describe(summary);
  const std::vector<RecordedSwitch> switches = recording.switches();
  if (!switches.empty()) d.text += fmt::format("Switches of laws    {}\n", switches.size());
  Json switch_list = Json::array();
  for (const RecordedSwitch& s : switches) {
    const std::string law = name_law(recording, s);
    switch_list.push_back({{"time", s.time}, {"law", law}, {"from", to_string(s.from)}, {"to", to_string(s.to)}});
    if (switch_list.size() <= kSwitchesShown)
      d.text += fmt::format("  {:.9g} s  {}: {} to {}\n", s.time, law, to_string(s.from), to_string(s.to));
  }
  if (switches.size() > kSwitchesShown) d.text += "  ... (all of them: --json)\n";

  Json& j = d.json;
  j["file"] = file;
  j["kind"] = "recording";
  j["complete"] = info.complete;
  j["title"] = info.title;
  j["cairn"] = info.cairn;
  j["bodies"] = kinds.size();
  j["body_kinds"] = kinds_json;
  j["joints"] = recording.joints().size();
  j["frames"] = recording.frame_count();
  j["begin"] = begin;
  j["end"] = end;
  j["contacts"] = info.contacts;
  j["pulled_frames"] = recording.pulled_frames();
  j["stepper"] = info.stepper;
  j["solver"] = info.solver;
  j["step"] = info.step;
  j["certificate"] = to_json(summary);
  if (!switches.empty()) j["switches"] = switch_list;
  return d;
}

/// The head of a checkpoint (layout: sim/checkpoint.h). Whether it is whole and fits a scene is checked by --restart.
Description describe_checkpoint(const std::string& file, const std::string& head) {
  const auto field = [&](std::size_t index) {
    std::int64_t value = 0;
    if (head.size() < 8 * (index + 1)) throw Error("{}: the checkpoint is cut off", file);
    std::memcpy(&value, head.data() + 8 * index, 8);
    return value;
  };
  const std::int64_t step = field(1), coordinates = field(3);
  const double time = std::bit_cast<double>(field(2));
  Description d;
  d.text = fmt::format("{}: a checkpoint\n  step         {}\n  time         {:.6g} s\n  coordinates  {}\n", file, step,
                       time, coordinates);
  d.json = {{"file", file}, {"kind", "checkpoint"}, {"step", step}, {"time", time}, {"coordinates", coordinates}};
  return d;
}

Description describe_scene(const std::string& file) {
  const Scene scene = read_scene(file);
  const Model& model = scene.model;
  const System& system = model.system();
  std::vector<std::string_view> kinds, shapes;
  for (int b = 0; b < model.body_count(); ++b) kinds.push_back(system.bodies.kind(b));
  for (const Collider& collider : system.colliders) shapes.push_back(shape_name(collider.shape));
  const auto [kinds_text, kinds_json] = count_kinds(kinds);
  const auto [shapes_text, shapes_json] = count_kinds(shapes);
  Description d;
  d.text = fmt::format("{}: a scene\n", file);
  if (!model.title.empty()) d.text += fmt::format("  title      {}\n", model.title);
  d.text += fmt::format("  bodies     {} ({})\n  shapes     {}\n  joints     {}\n  forces     {}\n  materials  {}\n",
                        model.body_count(), kinds_text, shapes_text, system.joints.size(), system.forces.size(),
                        system.materials.size());
  d.text += fmt::format("  run        {:.6g} s in steps of {:.6g} s, stepper {}, solver {}\n", model.run.duration,
                        model.run.step, model.run.stepper.name, model.run.solver.name);
  const Motion start = initial_motion(system);
  const MechanismRank rank = compute_rank(system, start);
  if (rank.rows > 0)
    d.text += fmt::format("  mechanism  {} equations of joints, {} redundant; {} of {} freedoms left\n", rank.rows,
                          rank.redundant(), rank.mobility(), rank.freedoms);
  if (const ForceRemark remark = describe_force_step(model, start); !remark.text.empty())
    d.text += fmt::format("  {}    {}\n", remark.warning ? "warning" : "note   ", remark.text);
  Json& j = d.json;
  j["file"] = file;
  j["kind"] = "scene";
  j["title"] = model.title;
  j["bodies"] = model.body_count();
  j["body_kinds"] = kinds_json;
  j["shapes"] = shapes_json;
  j["joints"] = system.joints.size();
  j["forces"] = system.forces.size();
  j["materials"] = system.materials.size();
  j["duration"] = model.run.duration;
  j["step"] = model.run.step;
  j["stepper"] = model.run.stepper.name;
  j["solver"] = model.run.solver.name;
  j["interval"] = scene.output.interval;
  if (rank.rows > 0)
    j["mechanism"] = {{"equations", rank.rows}, {"redundant", rank.redundant()}, {"mobility", rank.mobility()}};
  const ForceStep limit = explicit_force_step(system, start, model.run.step);
  if (limit.force >= 0) j["force_step"] = {{"force", model.force_name(limit.force)}, {"step", limit.step}};
  return d;
}

/// "0.5", or "0.3 to 0.5".
std::string describe_span(double low, double high) {
  return low == high ? fmt::format("{:g}", low) : fmt::format("{:g} to {:g}", low, high);
}

Description describe_problem(const std::string& file, const std::string& kind) {
  const ProblemFile problem = read_problem(file, kind);
  ProblemFacts facts;
  try {
    facts = find_facts(problem);
  } catch (const Error& error) {
    throw Error("{}: {}", file, error.what());
  }
  Description d;
  d.text = fmt::format("{}: a contact problem ({})\n", file, problem.kind);
  const auto line = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) d.text += fmt::format("  {:<12} {}\n", name, text);
  };
  line("title", problem.title);
  line("format", fmt::format("{}, {} form; kind found {}", problem.format, problem.is_global() ? "global" : "local",
                             problem.decided));
  line("storage", problem.storage);
  line("contacts", fmt::format("{}", facts.contacts));
  if (facts.equations > 0) line("equations", fmt::format("{} bilateral constraints", facts.equations));
  if (facts.intervals > 0) line("intervals", fmt::format("{}", facts.intervals));
  line("unknowns", fmt::format("{}", facts.unknowns));
  line("dofs", facts.dofs ? fmt::format("{}", *facts.dofs) : "not in the file");
  if (facts.friction_high > 0) line("friction", describe_span(facts.friction_low, facts.friction_high));
  if (facts.rolling_high > 0) line("rolling", describe_span(facts.rolling_low, facts.rolling_high) + " m");
  line("rank of W", facts.rank ? fmt::format("{}", *facts.rank) : "not computed (more than 1000 unknowns)");
  line("asymmetry", fmt::format("{:.1e}", facts.asymmetry));
  line("blocks", fmt::format("{} non-zero, density {:.4f}", facts.blocks, facts.density));
  line("islands", fmt::format("{}", facts.islands));
  line("guesses", fmt::format("{}{}", problem.guesses.size(),
                              facts.guess_residual ? fmt::format(", residual {:.2e}", *facts.guess_residual) : ""));
  line("solution", facts.solution_residual ? fmt::format("residual {:.2e}", *facts.solution_residual) : "none");

  const auto optional = [](const auto& value) { return value ? Json(*value) : Json(); };
  Json& j = d.json;
  j["file"] = file;
  j["kind"] = "problem";
  j["problem_kind"] = problem.kind;
  j["decided"] = problem.decided;
  j["format"] = problem.format;
  j["form"] = problem.is_global() ? "global" : "local";
  j["storage"] = problem.storage;
  j["title"] = problem.title;
  j["description"] = problem.description;
  j["contacts"] = facts.contacts;
  j["equations"] = facts.equations;
  j["intervals"] = facts.intervals;
  j["unknowns"] = facts.unknowns;
  j["dofs"] = optional(facts.dofs);
  j["friction"] = {facts.friction_low, facts.friction_high};
  j["rolling"] = {facts.rolling_low, facts.rolling_high};
  j["rank"] = optional(facts.rank);
  j["asymmetry"] = facts.asymmetry;
  j["blocks"] = facts.blocks;
  j["density"] = facts.density;
  j["islands"] = facts.islands;
  j["guesses"] = problem.guesses.size();
  j["guess_residual"] = optional(facts.guess_residual);
  j["solution_residual"] = optional(facts.solution_residual);
  return d;
}

/// Text that begins with a number.
bool looks_like_problem_text(const std::string& head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string::npos && std::isdigit(static_cast<unsigned char>(head[first])) &&
         head.find('\0') == std::string::npos;
}

/// A scene has the key `cairn` at the start of a line, near its beginning.
bool looks_like_scene(const std::string& file, const std::string& head) {
  if (file.ends_with(".yaml") || file.ends_with(".yml")) return true;
  return head.find('\0') == std::string::npos &&
         (head.starts_with("cairn:") || head.find("\ncairn:") != std::string::npos);
}

void info(const std::string& file, const std::string& kind, bool json) {
  std::error_code problem;
  if (std::filesystem::is_directory(file, problem)) throw Error("{}: is a directory; expected a file", file);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error("{}: cannot be opened: {}", file, std::strerror(errno));
  std::string head(1 << 16, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));

  Description d;
  if (is_fclib(file)) {
    d = describe_problem(file, kind);
  } else if (looks_like_hdf5(file)) {
    d = describe_recording(file);
  } else if (head.starts_with("CAIRNCK5")) {
    d = describe_checkpoint(file, head);
  } else if (is_mesh_file(file, head)) {
    MeshDescription mesh = describe_mesh(file);
    d = {std::move(mesh.text), std::move(mesh.json)};
  } else if (file.ends_with(".asc")) {
    MeshDescription grid = describe_height_grid(file);
    d = {std::move(grid.text), std::move(grid.json)};
  } else if (looks_like_scene(file, head)) {
    d = describe_scene(file);
  } else if (looks_like_problem_text(head)) {
    d = describe_problem(file, kind);
  } else {
    throw Error(
        "{}: is none of the files that Cairn knows: a recording, a checkpoint, a scene, a contact problem, "
        "a mesh (.obj, .stl, .ply, .vtk, .vtu, .vtp, .msh) or a height field (.asc)",
        file);
  }
  print(json ? to_text(d.json) : d.text);
}

}  // namespace

void add_info_command(CommandLine& line) {
  Command command = line.add("info", "Tell what is in a file: a recording, a checkpoint, a scene, a problem or a mesh");
  struct Options {
    std::string file, kind;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  command.option("FILE", &options->file, "the file; its content decides, not its name", {.required = true});
  command.option("--kind", &options->kind, "what a problem in a text file is: " + join(problem_kinds()));
  command.flag("--json", options->json, "print one JSON document");
  command.action([options] { info(options->file, options->kind, options->json); });
}

}  // namespace cairn
