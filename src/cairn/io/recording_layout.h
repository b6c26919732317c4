// SPDX-License-Identifier: Apache-2.0
// What writer and reader of recordings agree on: names and versions. The whole layout:
// docs/recording.md.
#pragma once
#include "cairn/io/hdf5_table.h"
#include "cairn/io/shape_numbers.h"

#include <filesystem>
#include <string>

namespace cairn {

inline constexpr std::string_view kRecordingFormat = "cairn-recording";
/// Format 5 has pulls; format 4 inertia of bodies, and friction and area of contacts. Formats 3 and 4 are read too:
/// what they lack is zero, and nobody pulled.
inline constexpr int kRecordingVersion = 6, kOldestRecordingVersion = 3;

/// Opens for reading whatever state the file was left in. `complete` tells whether its writer had closed it.
Hdf5File open_recording_file(const std::filesystem::path& path, bool& complete);

}  // namespace cairn
