// SPDX-License-Identifier: Apache-2.0
// Scenes: a model, how to run it and what to record, written as YAML by a person. The format is described in
// docs/scene.md.
#pragma once
#include "cairn/io/scene_error.h"
#include "cairn/sim/model.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace cairn {

/// What a run writes down.
struct OutputSettings {
  double interval = 1.0 / 60;  ///< between recorded frames [s]; 0: every step
  bool contacts = true;        ///< record the contact points of each frame
};

struct Scene {
  Model model;
  OutputSettings output;
};

/// The scene in a file. Throws SceneError.
Scene read_scene(const std::filesystem::path& path);

/// The scene in a text; `file_name` is used in messages only. Throws SceneError and nothing else, whatever the text.
Scene parse_scene(std::string_view text, const std::string& file_name);

}  // namespace cairn
