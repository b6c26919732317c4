// SPDX-License-Identifier: Apache-2.0
// What writer and reader of recordings agree on: names, versions, shapes as numbers. The whole layout:
// docs/recording.md.
#pragma once
#include "cairn/geometry/shape.h"
#include "cairn/io/hdf5_table.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cairn {

inline constexpr std::string_view kRecordingFormat = "cairn-recording";
inline constexpr int kRecordingVersion = 1;

/// A shape as the numbers that describe it: sphere radius; box half extents; half-space normal and offset.
std::vector<double> shape_numbers(const Shape& shape);
/// The shape of that name; nothing when the numbers do not describe one.
std::optional<Shape> make_shape(std::string_view name, std::span<const double> numbers);

/// Opens for reading whatever state the file was left in. `complete` tells whether its writer had closed it.
Hdf5File open_recording_file(const std::filesystem::path& path, bool& complete);

}  // namespace cairn
