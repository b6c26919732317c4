// SPDX-License-Identifier: Apache-2.0
// Pictures piped as raw pixels into the program ffmpeg, which makes a video of them.
#pragma once
#include <sys/types.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "cairn/io/png.h"

namespace cairn {

/// The program on PATH; empty when there is none.
std::filesystem::path find_ffmpeg();

/// The video appears whole at finish(), or not at all.
class VideoPipe {
 public:
  /// Throws Error that names the package when there is no ffmpeg.
  VideoPipe(std::filesystem::path path, int width, int height, double frames_per_second);
  ~VideoPipe();
  VideoPipe(const VideoPipe&) = delete;
  VideoPipe& operator=(const VideoPipe&) = delete;

  void add(const Image& image);
  void finish();

 private:
  [[noreturn]] void fail();
  int end_program();
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path path_, temporary_;
  pid_t child_ = -1;
  int pipe_ = -1;
  std::unique_ptr<std::FILE, CloseFile> messages_;  ///< what ffmpeg has to say
  bool finished_ = false;
};

}  // namespace cairn
