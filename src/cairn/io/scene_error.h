// SPDX-License-Identifier: Apache-2.0
// A mistake in a scene file, with the place where it stands.
#pragma once
#include "cairn/base/error.h"

#include <string>

namespace cairn {

/// "FILE:LINE:COLUMN: what was found; what was expected". Without a line (0) the mistake is the file itself: "FILE:
/// ...".
class SceneError : public Error {
 public:
  SceneError(const std::string& file, int line_, int column_, const std::string& what)
      : Error(line_ > 0 ? fmt::format("{}:{}:{}: {}", file, line_, column_, what) : fmt::format("{}: {}", file, what)),
        line(line_),
        column(column_) {}
  int line, column;  ///< from 1, the column in characters; 0: the file as a whole
};

}  // namespace cairn
