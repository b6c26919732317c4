// SPDX-License-Identifier: Apache-2.0
// `cairn convert`: recordings into formats of other programs, problems and meshes from one format to another, chosen by
// the extension of the new file.
#include "command.h"
#include "mesh_info.h"
#include "picture_options.h"

#include "cairn/base/text.h"
#include "cairn/io/fclib.h"
#include "cairn/io/gltf.h"
#include "cairn/io/mesh_file.h"
#include "cairn/io/output_file.h"
#include "cairn/io/recording.h"
#include "cairn/io/run_tables.h"
#include "cairn/io/vtk.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>

namespace cairn {
namespace {

void write_last_picture(const Recording& recording, const std::filesystem::path& path, const PictureOptions& look) {
  if (recording.frame_count() == 0) throw Error("{}: the recording has no frame to draw", path.string());
  check_can_write(path);
  write_png(path, draw_picture(recording, recording.frame_count() - 1, look.settings()));
}

/// `--table NAME`, or the word before the extension: OUT.contacts.csv.
std::optional<RunTable> find_table(const std::string& asked, const std::filesystem::path& path) {
  const std::string stem = path.stem().extension().string();
  const std::string word = !asked.empty() ? asked : stem.empty() ? "" : stem.substr(1);
  for (const RunTableInfo& info : run_tables())
    if (info.name == word) return info.table;
  if (asked.empty()) return {};
  std::vector<std::string> names;
  for (const RunTableInfo& info : run_tables()) names.emplace_back(info.name);
  throw Error("--table: there is no table '{}'{}; there are {}", asked, did_you_mean(asked, names), join(names));
}

void write_csv(const Recording& recording, const std::filesystem::path& path, const std::string& table) {
  write_table_csv(recording, find_table(table, path).value_or(RunTable::Bodies), path);
}

void write_npz(const Recording& recording, const std::filesystem::path& path, const std::string& table) {
  std::vector<RunTable> tables;
  if (const auto asked = find_table(table, path)) {
    tables.push_back(*asked);
  } else {
    for (const RunTableInfo& info : run_tables())
      if (info.table != RunTable::Contacts || recording.info().contacts) tables.push_back(info.table);
  }
  write_tables_npz(recording, tables, path);
}

struct Target {
  std::string_view extension, help;
  void (*write)(const Recording&, const std::filesystem::path&, const PictureOptions&, const std::string& table);
};
constexpr std::array<Target, 6> kTargets{{
    {".pvd", "VTK files for ParaView",
     [](const Recording& recording, const std::filesystem::path& path, const PictureOptions&, const std::string&) {
       write_vtk(recording, path);
     }},
    {".glb", "an animated 3D model, glTF",
     [](const Recording& recording, const std::filesystem::path& path, const PictureOptions&, const std::string&) {
       write_gltf(recording, path);
     }},
    {".gltf", "the same as text",
     [](const Recording& recording, const std::filesystem::path& path, const PictureOptions&, const std::string&) {
       write_gltf(recording, path);
     }},
    {".csv", "a table: --table bodies, contacts, joints, pulls or certificate",
     [](const Recording& recording, const std::filesystem::path& path, const PictureOptions&,
        const std::string& table) { write_csv(recording, path, table); }},
    {".npz", "all tables as typed columns for NumPy",
     [](const Recording& recording, const std::filesystem::path& path, const PictureOptions&,
        const std::string& table) { write_npz(recording, path, table); }},
    {".png", "a picture of the last frame",
     [](const Recording& recording, const std::filesystem::path& path, const PictureOptions& look, const std::string&) {
       write_last_picture(recording, path, look);
     }},
}};

std::string describe_targets() {
  std::string text =
      "a problem (.hdf5, .dat) can be converted to .hdf5, .local.hdf5, .dat; a mesh (.obj, .stl, .ply, .vtk, .vtu, "
      ".vtp, "
      ".msh) to .obj, .stl, .ply, .png; a scene (.yaml) to .png; a recording (.h5) to";
  for (const Target& target : kTargets) {
    text += fmt::format("{} {} ({})", &target == kTargets.data() ? "" : ",", target.extension, target.help);
  }
  return text;
}

struct ConvertOptions {
  std::string in, out, kind, table, storage = "auto";
  PictureOptions look;
  bool local = false, repair = false;
  std::string scale;
};

/// Text that begins with a number, or FCLib.
bool is_problem(const std::string& file) {
  if (is_fclib(file)) return true;
  std::ifstream stream(file);
  char first = 0;
  return stream >> first && std::isdigit(static_cast<unsigned char>(first));
}

/// The same problem without its bodies.
void make_local(const std::string& name, ProblemFile& file) {
  if (!file.is_global()) return;
  try {
    file.problem = file.local();
  } catch (const Error& error) {
    throw Error("{}: {}", name, error.what());
  }
  for (ProblemSolution& guess : file.guesses) guess.v.resize(0);
  if (file.solution) file.solution->v.resize(0);
  file.kind = find_kind(file);
}

void convert_problem(const ConvertOptions& options) {
  ProblemFile file = read_problem(options.in, options.kind);
  if (options.local || std::filesystem::path(options.out).stem().extension() == ".local") make_local(options.in, file);
  const bool text = options.out.ends_with(".dat") || options.out.ends_with(".txt");
  if (options.storage != "auto" && !text) throw Error("--storage: only text files (.dat) have a choice of storage");
  const TextStorage storage = options.storage == "dense"    ? TextStorage::Dense
                              : options.storage == "blocks" ? TextStorage::Blocks
                              : options.storage == "sparse" ? TextStorage::Sparse
                                                            : TextStorage::Automatic;
  write_problem(options.out, file, storage);
  print_message(fmt::format(
      "{}: {} problem, {} contacts, {} unknowns{}", options.out, find_kind(file), file.contacts(), file.unknowns(),
      text && (file.solution || !file.guesses.empty()) ? " (text files have no place for guesses and solutions)" : ""));
}

double scale_of(const ConvertOptions& options) {
  const double scale = options.scale.empty() ? 1 : read_number("--scale", options.scale);
  if (!(scale > 0)) throw Error("--scale: {} is not allowed; must be > 0", options.scale);
  return scale;
}

void draw(const Model& model, const ConvertOptions& options, std::string_view what) {
  const PictureSettings settings = options.look.settings();
  check_can_write(options.out);
  write_png(options.out, draw_picture(Simulation(model), settings));
  print_message(fmt::format("{}: {}", options.out, what));
}

/// What will be simulated, before the first step.
void draw_scene(const ConvertOptions& options) {
  draw(read_scene(options.in).model, options, "the scene at its start");
}

/// A mesh by itself, with no repair: what is drawn is what scenes take.
void draw_mesh(const ConvertOptions& options) {
  if (options.repair) throw Error("--repair: a picture shows the mesh as it is; write it to a mesh first");
  const Shape shape = load_shape_file({"mesh", options.in, scale_of(options)}, "");
  Model model;
  model.title = std::filesystem::path(options.in).filename().string();
  model.add_fixed({.name = "mesh", .shape = shape});
  draw(model, options, "the mesh");
}

void convert(const ConvertOptions& options) {
  const std::string &in = options.in, &out = options.out;
  std::error_code ignored;
  if (!std::filesystem::exists(in, ignored)) throw Error("{}: there is no such file", in);
  const bool is_file = !std::filesystem::is_directory(in, ignored);
  const bool mesh = is_file && has_mesh_extension(in);
  const bool problem = is_file && !mesh && is_problem(in);
  const bool scene = is_file && !mesh && !problem && (in.ends_with(".yaml") || in.ends_with(".yml"));
  if (scene && out.ends_with(".png")) return draw_scene(options);
  if (is_file && !mesh && !problem && !looks_like_hdf5(in)) {
    throw Error("{}: is neither a recording nor a problem nor a mesh; {}", in, describe_targets());
  }
  if (options.look.given() && !out.ends_with(".png"))
    throw Error("--view, --size, --layers and the other options of pictures: only for .png; {} is none", out);
  options.look.settings();
  if (std::filesystem::equivalent(in, out, ignored)) throw Error("{}: is the file to be converted itself", out);
  const bool picture = out.ends_with(".png");
  if (mesh && picture) return draw_mesh(options);
  if (mesh) return convert_mesh(in, out, options.repair, scale_of(options));
  if (options.repair || !options.scale.empty()) throw Error("--repair and --scale: only for meshes; {} is none", in);
  if (problem) return convert_problem(options);
  const std::string extension = std::filesystem::path(out).extension().string();
  const auto target =
      std::find_if(kTargets.begin(), kTargets.end(), [&](const Target& t) { return t.extension == extension; });
  if (target == kTargets.end()) {
    throw Error("{}: the extension '{}' is not known; {}", out, extension, describe_targets());
  }
  if (!options.table.empty() && extension != ".csv" && extension != ".npz")
    throw Error("--table: only for .csv and .npz; {} is none", out);
  find_table(options.table, out);
  const Recording recording(in);
  try {
    target->write(recording, out, options.look, options.table);
  } catch (const Error& error) {
    const std::string text = error.what();
    if (!text.starts_with("there is no ")) throw;
    throw Error("{}: {}", in, text);
  }
  print_message(fmt::format("{}: {} frames{}", out, target->extension == ".png" ? 1 : recording.frame_count(),
                            recording.info().complete ? "" : " (the recording was not finished)"));
}

}  // namespace

void add_convert_command(CommandLine& line) {
  Command command =
      line.add("convert", "Write a recording, a problem, a mesh or a scene in another format, or draw it");
  const auto options = std::make_shared<ConvertOptions>();
  ConvertOptions& o = *options;
  command.option("IN", &o.in,
                 "a recording (.h5), a problem (.hdf5, .dat), a mesh (.obj, .stl, .ply, .vtk, .vtu, .msh) or a scene "
                 "(.yaml)",
                 {.required = true});
  command.option("OUT", &o.out,
                 "recordings: .pvd for ParaView, .glb or .gltf for an animated model, .csv for a table, .npz for all "
                 "tables, .png for a picture of the last frame; problems: "
                 ".hdf5 (FCLib), .local.hdf5 (its local form), .dat (Siconos text); meshes: .obj, .stl, .ply, .png; "
                 "scenes: .png",
                 {.required = true});
  command.flag("--local", o.local, "write a global problem in local form: W = H' M^-1 H");
  command.option("--storage", &o.storage, "matrices of text files",
                 {.show_default = true, .choices = {"auto", "dense", "blocks", "sparse"}});
  command.flag("--repair", o.repair,
               "of meshes: weld vertices, drop faces without area, orient faces alike and outward");
  command.option("--scale", &o.scale, "of meshes: factor for all lengths, such as 0.001 for millimetres");
  command.option("--kind", &o.kind, "what a problem in a text file is: " + join(problem_kinds()));
  command.option(
      "--table", &o.table,
      "of recordings to .csv or .npz: bodies, contacts, joints, pulls or certificate; the same as OUT.contacts.csv");
  o.look.add_to(command);
  command.action([options] { convert(*options); });
}

}  // namespace cairn
