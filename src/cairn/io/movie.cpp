// SPDX-License-Identifier: Apache-2.0
// Which frames a movie shows, one camera and one set of scales for all of them, and where the pictures go.
#include "cairn/io/movie.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "cairn/base/error.h"
#include "cairn/io/gif.h"
#include "cairn/io/output_file.h"
#include "cairn/io/video_pipe.h"

namespace cairn {
namespace fs = std::filesystem;
namespace {

enum class MovieKind { Video, Gif, Folder };

MovieKind kind_of(const fs::path& path) {
  std::error_code ignored;
  if (!path.has_filename() || fs::is_directory(path, ignored)) return MovieKind::Folder;
  if (path.extension() == ".mp4") return MovieKind::Video;
  if (path.extension() == ".gif") return MovieKind::Gif;
  throw Error("{}: is no movie; expected a name that ends in .mp4 or .gif, or a folder: {}/", path.string(),
              path.string());
}

/// The folder without a '/' at its end.
fs::path folder_of(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

/// Pictures in a folder that is put in place when all are there.
class PictureFolder {
 public:
  explicit PictureFolder(const fs::path& path) : path_(path), temporary_(path) {
    temporary_ += fmt::format(".{}.part", getpid());
    std::error_code problem;
    if (!fs::create_directory(temporary_, problem))
      throw Error("{}: cannot be created: {}", path.string(), problem.message());
  }
  ~PictureFolder() {
    std::error_code ignored;
    if (!finished_) fs::remove_all(temporary_, ignored);
  }
  PictureFolder(const PictureFolder&) = delete;
  PictureFolder& operator=(const PictureFolder&) = delete;

  void add(const Image& image) { write_png(temporary_ / fmt::format("frame_{:05}.png", count_++), image); }
  void finish() {
    std::error_code problem;
    fs::rename(temporary_, path_, problem);  // takes the place of an empty folder, too
    if (problem) throw Error("{}: cannot be put in place: {}", path_.string(), problem.message());
    finished_ = true;
  }

 private:
  fs::path path_, temporary_;
  int count_ = 0;
  bool finished_ = false;
};

/// At most `most` of the frames, evenly, with the first and the last.
std::vector<std::size_t> choose_some(const std::vector<std::size_t>& frames, std::size_t most) {
  std::vector<std::size_t> out;
  const std::size_t n = std::min(most, frames.size());
  for (std::size_t k = 0; k < n; ++k) out.push_back(frames[n > 1 ? k * (frames.size() - 1) / (n - 1) : 0]);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

std::size_t find_frame(const Recording& recording, double time) {
  const std::vector<double>& times = recording.times();
  if (times.empty()) throw Error("the recording has no frames");
  const double slack = 1e-9 * std::max(1.0, std::abs(times.back()));
  if (!(time >= times.front() - slack && time <= times.back() + slack))
    throw Error("there is nothing at {} s; the recording goes from {} to {} s", time, times.front(), times.back());
  const auto after = std::lower_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return 0;
  const auto i = static_cast<std::size_t>(after - times.begin());
  return i == times.size() || time - times[i - 1] <= times[i] - time ? i - 1 : i;
}

std::vector<std::size_t> movie_frames(const Recording& recording, const MovieSettings& movie) {
  if (recording.frame_count() == 0) throw Error("the recording has no frames");
  const double from = movie.from.value_or(recording.times().front()), to = movie.to.value_or(recording.times().back());
  find_frame(recording, from);
  find_frame(recording, to);
  if (!(to >= from)) throw Error("the movie would end at {} s, before it begins at {} s", to, from);
  const double count = std::floor((to - from) / movie.speed * movie.fps + 1e-6) + 1;
  if (!(count <= 1e6)) throw Error("the movie would have {:.0f} pictures; at most a million", count);
  std::vector<std::size_t> frames;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
    frames.push_back(find_frame(recording, std::min(to, from + static_cast<double>(k) * movie.speed / movie.fps)));
  return frames;
}

void check_movie(const fs::path& path, const MovieSettings& movie) {
  if (!(movie.fps > 0 && movie.fps <= 1000))
    throw Error("a movie of {} pictures per second cannot be; must be > 0 and <= 1000", movie.fps);
  if (!(movie.speed > 0)) throw Error("the speed of a movie is {}; must be > 0", movie.speed);
  std::error_code problem;
  switch (kind_of(path)) {
    case MovieKind::Folder: {
      const fs::path folder = folder_of(path);
      if (folder.empty()) throw Error("{}: is no name for a folder", path.string());
      if (fs::exists(folder, problem) && !fs::is_directory(folder, problem))
        throw Error("{}: is a file; expected a folder", folder.string());
      if (fs::is_directory(folder, problem)) {
        if (!fs::is_empty(folder, problem))
          throw Error("{}: is not empty; pictures of two movies must not mix. Choose another folder", folder.string());
        return;
      }
      check_can_write(folder);
      return;
    }
    case MovieKind::Gif:
      check_can_write(path);
      if (movie.fps > 50)
        throw Error("{}: a GIF has at most 50 pictures per second; --fps is {}", path.string(), movie.fps);
      return;
    case MovieKind::Video:
      check_can_write(path);
      if (find_ffmpeg().empty()) VideoPipe(path, 2, 2, 1);  // says what is missing
      return;
  }
}

std::size_t write_movie(const Recording& recording, const fs::path& path, const MovieSettings& movie,
                        const PictureSettings& settings,
                        const std::function<void(std::size_t, std::size_t)>& progress) {
  check_movie(path, movie);
  const std::vector<std::size_t> frames = movie_frames(recording, movie);
  std::vector<PictureScene> moments;
  for (const std::size_t frame : choose_some(frames, 40)) moments.push_back(make_picture_scene(recording, frame));
  const PictureView view = find_view(moments, settings);
  const auto draw = [&](std::size_t frame) {
    return draw_picture(make_picture_scene(recording, frame), view, settings);
  };
  const auto write = [&](auto& out) {
    Image image;
    for (std::size_t k = 0; k < frames.size(); ++k) {
      if (k == 0 || frames[k] != frames[k - 1]) image = draw(frames[k]);
      out.add(image);
      if (progress) progress(k + 1, frames.size());
    }
    out.finish();
  };
  switch (kind_of(path)) {
    case MovieKind::Video: {
      VideoPipe video(path, settings.width, settings.height, movie.fps);
      write(video);
      break;
    }
    case MovieKind::Gif: {
      std::vector<Image> samples;
      for (const std::size_t frame : choose_some(frames, 5)) samples.push_back(draw(frame));
      GifWriter gif(path, settings.width, settings.height, movie.fps, find_palette(samples));
      write(gif);
      break;
    }
    case MovieKind::Folder: {
      PictureFolder folder(folder_of(path));
      write(folder);
      break;
    }
  }
  return frames.size();
}

}  // namespace cairn
