// SPDX-License-Identifier: Apache-2.0
// `cairn render`: pictures and movies of recordings, and of scenes at their start, without a screen.
#include "command.h"
#include "picture_options.h"

#include "cairn/base/error.h"
#include "cairn/io/movie.h"
#include "cairn/io/output_file.h"
#include "cairn/io/scene.h"

#include <unistd.h>

#include <filesystem>

namespace cairn {
namespace {

struct RenderCommandOptions {
  std::string in, out, movie, time, from, to, fps, speed;
  std::optional<std::int64_t> frame;
  PictureOptions look;
};

/// A mistake that names no file is one about what is in the file that was to be drawn.
template <class Draw>
auto of_file(const RenderCommandOptions& options, Draw&& draw) {
  try {
    return draw();
  } catch (const Error& error) {
    const std::string text = error.what();
    for (const std::string& file : {options.in, options.out, options.movie})
      if (!file.empty() && text.starts_with(file)) throw;
    throw Error("{}: {}", options.in, text);
  }
}

void draw_scene(const RenderCommandOptions& options) {
  if (!options.movie.empty() || !options.time.empty() || options.frame)
    throw Error("{}: is a scene, of which only the start can be drawn; run it with -o RUN.h5 and render that",
                options.in);
  const PictureSettings settings = options.look.settings();
  check_can_write(options.out);
  const Model model = read_scene(options.in).model;
  const Image image = of_file(options, [&] { return draw_picture(Simulation(model), settings); });
  write_png(options.out, image);
  print_message(fmt::format("{}: the scene at its start", options.out));
}

std::size_t choose_frame(const RenderCommandOptions& options, const Recording& recording) {
  const std::size_t n = recording.frame_count();
  if (n == 0) throw Error("{}: the recording has no frame to draw", options.in);
  if (!options.time.empty()) return find_frame(recording, read_number("--time", options.time));
  if (!options.frame) return n - 1;
  if (*options.frame < 0 || *options.frame >= static_cast<std::int64_t>(n))
    throw Error("{}: there is no frame {}; the recording has {}, 0 to {}", options.in, *options.frame, n, n - 1);
  return static_cast<std::size_t>(*options.frame);
}

MovieSettings movie_settings(const RenderCommandOptions& options) {
  MovieSettings movie;
  if (!options.fps.empty()) movie.fps = read_number("--fps", options.fps);
  if (!options.speed.empty()) movie.speed = read_number("--speed", options.speed);
  if (!options.from.empty()) movie.from = read_number("--from", options.from);
  if (!options.to.empty()) movie.to = read_number("--to", options.to);
  return movie;
}

void draw_movie(const RenderCommandOptions& options, const PictureSettings& settings) {
  const MovieSettings movie = movie_settings(options);
  check_movie(options.movie, movie);
  const Recording recording(options.in);
  const bool terminal = isatty(2) != 0;
  const std::size_t count = of_file(options, [&] {
    return write_movie(recording, options.movie, movie, settings, [&](std::size_t done, std::size_t all) {
      if (terminal) fmt::print(stderr, "\r{} of {} pictures{}", done, all, done == all ? "\n" : "");
    });
  });
  print_message(fmt::format("{}: {} pictures, {:.4g} s at {:g} per second{}", options.movie, count,
                            static_cast<double>(count) / movie.fps, movie.fps,
                            recording.info().complete ? "" : " (the recording was not finished)"));
}

void render_command(const RenderCommandOptions& options) {
  std::error_code ignored;
  if (!std::filesystem::exists(options.in, ignored)) throw Error("{}: there is no such file", options.in);
  if (options.out.empty() == options.movie.empty())
    throw Error("render: expected -o X.png or --movie X.mp4, one of the two");
  if (!options.out.empty() && !options.out.ends_with(".png"))
    throw Error("{}: a picture is a .png file; movies are asked for by --movie", options.out);
  if (options.movie.empty() &&
      !(options.from.empty() && options.to.empty() && options.fps.empty() && options.speed.empty()))
    throw Error("--from, --to, --fps and --speed: only for --movie");
  if (!options.movie.empty() && (!options.time.empty() || options.frame))
    throw Error("--time and --frame: not for --movie, which has --from and --to");
  if (!options.time.empty() && options.frame) throw Error("--time and --frame: only one of them can be given");
  if (std::filesystem::equivalent(options.in, options.out, ignored))
    throw Error("{}: is the file to be drawn itself", options.out);
  if (options.in.ends_with(".yaml") || options.in.ends_with(".yml")) return draw_scene(options);
  if (std::filesystem::is_directory(options.in, ignored) || !looks_like_hdf5(options.in))
    throw Error("{}: is neither a recording (.h5) nor a scene (.yaml)", options.in);
  const PictureSettings settings = options.look.settings();
  if (!options.movie.empty()) return draw_movie(options, settings);

  check_can_write(options.out);
  const Recording recording(options.in);
  const std::size_t frame = of_file(options, [&] { return choose_frame(options, recording); });
  const Image image = of_file(options, [&] { return draw_picture(recording, frame, settings); });
  write_png(options.out, image);
  print_message(fmt::format("{}: t = {:.6g} s{}", options.out, recording.times()[frame],
                            recording.info().complete ? "" : " (the recording was not finished)"));
}

}  // namespace

void add_render_command(CommandLine& line) {
  Command command = line.add("render", "Draw a picture or a movie of a recording, or a scene at its start");
  const auto options = std::make_shared<RenderCommandOptions>();
  RenderCommandOptions& o = *options;
  command.option("IN", &o.in, "a recording (.h5) or a scene (.yaml)", {.required = true});
  command.option("-o,--output", &o.out, "the picture: X.png");
  command.option("--time", &o.time, "draw the recorded frame nearest to this time [s]; default: the last");
  command.option("--frame", &o.frame, "draw this frame, counted from 0");
  command.option("--movie", &o.movie, "the movie: X.mp4 (by ffmpeg), X.gif, or a folder of pictures: DIR/");
  command.option("--fps", &o.fps, "of movies: pictures per second (30)");
  command.option("--speed", &o.speed, "of movies: simulated seconds per second (1); 0.1 is slow motion");
  command.option("--from", &o.from, "of movies: where they begin [s]");
  command.option("--to", &o.to, "of movies: where they end [s]");
  o.look.add_to(command);
  command.footer(
      "\nExamples:\n  cairn render run.h5 --time 1.5 -o x.png --layers contacts,forces\n"
      "  cairn render run.h5 --movie x.mp4 --speed 0.25 --follow ball\n"
      "  cairn render arch.h5 -o arch.png --layers thrust --view front --orthographic\n"
      "  cairn render scene.yaml -o start.png --color kind");
  command.action([options] { render_command(*options); });
}

}  // namespace cairn
