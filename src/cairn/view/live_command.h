// SPDX-License-Identifier: Apache-2.0
// What a person at the page may ask of a live run.
#pragma once
#include "cairn/io/report_json.h"
#include "cairn/math/types.h"

#include <string>

namespace cairn {

struct LiveCommand {
  enum class Kind { Play, Pause, Step, Reset, Speed, Drag, Release, Set } kind = Kind::Play;
  double value = 0;            ///< speed: factor (0: as fast as it can); set
  std::string name;            ///< set
  int body = -1;               ///< drag
  Vec3 point = Vec3::Zero();   ///< drag: in the body's own axes [m]
  Vec3 target = Vec3::Zero();  ///< drag: in the world [m]
};

/// Throws Error with what is wrong, for messages of any content.
LiveCommand parse_command(const Json& message);

}  // namespace cairn
