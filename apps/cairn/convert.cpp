// SPDX-License-Identifier: Apache-2.0
// `cairn convert`: recordings into formats of other programs, chosen by the extension of the new file.
#include "command.h"

#include "cairn/io/output_file.h"
#include "cairn/io/recording.h"
#include "cairn/io/snapshot_picture.h"
#include "cairn/io/vtk.h"

#include <algorithm>
#include <array>
#include <functional>

namespace cairn {
namespace {

void write_last_picture(const Recording& recording, const std::filesystem::path& path) {
  if (recording.frame_count() == 0) throw Error("{}: the recording has no frame to draw", path.string());
  check_can_write(path);
  write_png(path, draw_picture(recording, recording.frame_count() - 1));
}

struct Target {
  std::string_view extension, help;
  void (*write)(const Recording&, const std::filesystem::path&);
};
constexpr std::array<Target, 3> kTargets{{
    {".pvd", "VTK files for ParaView", write_vtk},
    {".csv", "a table of positions, orientations and velocities", write_csv},
    {".png", "a picture of the last frame", write_last_picture},
}};

std::string describe_targets() {
  std::string text = "a recording (.h5) can be converted to";
  for (const Target& target : kTargets) {
    text += fmt::format("{} {} ({})", &target == kTargets.data() ? "" : ",", target.extension, target.help);
  }
  return text;
}

void convert(const std::string& in, const std::string& out) {
  std::error_code ignored;
  if (std::filesystem::exists(in, ignored) && !std::filesystem::is_directory(in, ignored) && !looks_like_hdf5(in)) {
    throw Error("{}: is not a recording; {}", in, describe_targets());
  }
  const std::string extension = std::filesystem::path(out).extension().string();
  const auto target =
      std::find_if(kTargets.begin(), kTargets.end(), [&](const Target& t) { return t.extension == extension; });
  if (target == kTargets.end()) {
    throw Error("{}: the extension '{}' is not known; {}", out, extension, describe_targets());
  }
  if (std::filesystem::equivalent(in, out, ignored)) throw Error("{}: is the file to be converted itself", out);
  const Recording recording(in);
  target->write(recording, out);
  print_message(fmt::format("{}: {} frames{}", out, target->extension == ".png" ? 1 : recording.frame_count(),
                            recording.info().complete ? "" : " (the recording was not finished)"));
}

}  // namespace

void add_convert_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("convert", "Write a recording in the format of another program");
  struct Options {
    std::string in, out;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("IN", options->in, "a recording (.h5)")->required();
  command->add_option("OUT", options->out, ".pvd for ParaView, .csv for a table, .png for a picture of the last frame")
      ->required();
  command->callback([options] { convert(options->in, options->out); });
}

}  // namespace cairn
