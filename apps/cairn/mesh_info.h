// SPDX-License-Identifier: Apache-2.0
// Meshes in `cairn info` and `cairn convert`.
#pragma once
#include "cairn/io/report_json.h"

#include <string>
#include <string_view>

namespace cairn {

/// By extension or by the first bytes.
bool is_mesh_file(const std::string& file, std::string_view head);

struct MeshDescription {
  std::string text;
  Json json;
};
MeshDescription describe_mesh(const std::string& name);
MeshDescription describe_height_grid(const std::string& name);

/// Surface of `in` to the format of `out`, lengths times `scale`.
void convert_mesh(const std::string& in, const std::string& out, bool repair, double scale);

}  // namespace cairn
