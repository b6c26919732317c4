// SPDX-License-Identifier: Apache-2.0
// Movies of recordings without a person: .mp4 through the program ffmpeg, .gif and folders of PNG files by ourselves.
#pragma once
#include <filesystem>
#include <functional>
#include <vector>

#include "cairn/io/snapshot_picture.h"

namespace cairn {

struct MovieSettings {
  double fps = 30;                           ///< pictures per second of the movie
  double speed = 1;                          ///< simulated seconds per second of the movie
  std::optional<double> from = {}, to = {};  ///< [s]; else the whole recording
};

/// The frame nearest to a time. Throws Error when the time is not within the recording.
std::size_t find_frame(const Recording& recording, double time);

/// The frame of the recording that each picture of the movie shows: the nearest in time, none is made up between two.
std::vector<std::size_t> movie_frames(const Recording& recording, const MovieSettings& movie);

/// Throws Error when a movie of this name cannot be written: no folder, an unknown extension, no ffmpeg.
void check_movie(const std::filesystem::path& path, const MovieSettings& movie);

/// Writes the movie, whole or not at all; `progress` is told how many pictures are done, of how many. Returns their
/// number. A name that ends in '/' or is a folder (which must be empty) gives frame_00000.png, frame_00001.png...
std::size_t write_movie(const Recording& recording, const std::filesystem::path& path, const MovieSettings& movie,
                        const PictureSettings& settings,
                        const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace cairn
