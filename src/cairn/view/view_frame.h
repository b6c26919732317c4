// SPDX-License-Identifier: Apache-2.0
// One moment as the page gets it: the frame layout of docs/viewer-protocol.md, and the numbers of one body, joint or
// contact in full precision.
#pragma once
#include "cairn/io/recording.h"
#include "cairn/io/report_json.h"

namespace cairn {

struct FrameMarks {
  std::uint32_t index = 0;  ///< of the recording; step number when live
  bool contacts = true;     ///< whether they are included
  bool paused = false;      ///< live
};
/// Appends nothing to a file: the bytes of one frame.
std::string encode_frame(const Frame& frame, const std::vector<FrameBody>& bodies, const FrameMarks& marks);
/// How many bytes that takes.
std::size_t encoded_size(const Frame& frame, const std::vector<FrameBody>& bodies, bool contacts);

// Throw Error when there is none of that index.
Json body_json(const Frame& frame, const std::vector<FrameBody>& bodies, std::size_t index);
Json joint_json(const Frame& frame, const std::vector<FrameJoint>& joints,
                const std::vector<FrameCoordinate>& coordinates, const std::vector<std::string>& laws,
                std::size_t index);
Json contact_json(const Frame& frame, std::size_t index);

}  // namespace cairn
