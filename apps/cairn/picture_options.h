// SPDX-License-Identifier: Apache-2.0
// How a picture is taken, the same options wherever one is drawn: --view, --size, --no-forces.
#pragma once
#include <CLI/CLI.hpp>

#include <string>

#include "cairn/io/snapshot_picture.h"

namespace cairn {

struct PictureOptions {
  std::string view;  ///< direction of sight: three numbers with commas
  std::string size;  ///< WIDTHxHEIGHT in pixels
  bool no_forces = false;

  void add_to(CLI::App& command);
  bool given() const { return !view.empty() || !size.empty() || no_forces; }
  /// Throws Error when the view is no direction or the size no size.
  PictureSettings settings() const;
};

}  // namespace cairn
