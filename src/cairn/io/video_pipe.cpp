// SPDX-License-Identifier: Apache-2.0
// A child process with a pipe to its standard input; its messages go to a nameless file.
#include "cairn/io/video_pipe.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>
#include <vector>

#include "cairn/base/error.h"
#include "cairn/io/output_file.h"

extern char** environ;

namespace cairn {
namespace fs = std::filesystem;

fs::path find_ffmpeg() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder.empty() ? "." : folder) / "ffmpeg";
    std::error_code ignored;
    if (fs::is_regular_file(program, ignored) && access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

VideoPipe::VideoPipe(fs::path path, int width, int height, double frames_per_second)
    : path_(std::move(path)), temporary_(path_) {
  check_can_write(path_);
  const fs::path program = find_ffmpeg();
  if (program.empty())
    throw Error(
        "{}: needs the program ffmpeg, which is not on PATH (Debian and Ubuntu: package ffmpeg); without it write a "
        ".gif, or a folder of pictures: DIR/",
        path_.string());
  temporary_ += fmt::format(".{}.part.mp4", getpid());
  messages_.reset(std::tmpfile());
  int ends[2];
  if (!messages_ || ::pipe2(ends, O_CLOEXEC) != 0)
    throw Error("{}: cannot be written: {}", path_.string(), std::strerror(errno));

  // Sizes must be even for the common kind of video; a row or column is added where they are not.
  std::vector<std::string> words{program.string(),
                                 "-loglevel",
                                 "error",
                                 "-y",
                                 "-f",
                                 "rawvideo",
                                 "-pix_fmt",
                                 "rgb24",
                                 "-s",
                                 fmt::format("{}x{}", width, height),
                                 "-r",
                                 fmt::format("{}", frames_per_second),
                                 "-i",
                                 "-",
                                 "-an",
                                 "-vf",
                                 "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709",
                                 "-c:v",
                                 "libx264",
                                 "-preset",
                                 "medium",
                                 "-crf",
                                 "19",
                                 "-pix_fmt",
                                 "yuv420p",
                                 "-colorspace",
                                 "bt709",
                                 "-color_primaries",
                                 "bt709",
                                 "-color_trc",
                                 "bt709",
                                 "-movflags",
                                 "+faststart",
                                 temporary_.string()};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(messages_.get()), 1);
  posix_spawn_file_actions_adddup2(&actions, fileno(messages_.get()), 2);
  const int failure = posix_spawn(&child_, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  pipe_ = ends[1];
  if (failure != 0) {
    child_ = -1;
    ::close(pipe_);
    throw Error("{}: {} cannot be started: {}", path_.string(), program.string(), std::strerror(failure));
  }
}

int VideoPipe::end_program() {
  if (pipe_ >= 0) ::close(std::exchange(pipe_, -1));
  int status = 0;
  if (child_ > 0) waitpid(std::exchange(child_, -1), &status, 0);
  return status;
}

VideoPipe::~VideoPipe() {
  end_program();
  std::error_code ignored;
  if (!finished_) fs::remove(temporary_, ignored);
}

void VideoPipe::fail() {
  end_program();
  std::string text(2000, '\0');
  std::rewind(messages_.get());
  text.resize(std::fread(text.data(), 1, text.size(), messages_.get()));
  for (char& c : text) c = c == '\n' ? ' ' : c;
  throw Error("{}: ffmpeg could not make the video: {}", path_.string(), text.empty() ? "it gave no reason" : text);
}

void VideoPipe::add(const Image& image) {
  const std::uint8_t* data = image.rgb.data();
  for (std::size_t left = image.rgb.size(); left > 0;) {
    const ssize_t n = ::write(pipe_, data, left);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail();
    data += n;
    left -= static_cast<std::size_t>(n);
  }
}

void VideoPipe::finish() {
  const int status = end_program();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail();
  std::error_code problem;
  fs::rename(temporary_, path_, problem);
  if (problem) throw Error("{}: cannot be put in place: {}", path_.string(), problem.message());
  finished_ = true;
}

}  // namespace cairn
