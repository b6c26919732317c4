// SPDX-License-Identifier: Apache-2.0
// The two paths, as CMake gives them to this source.
#include "support/places.h"

namespace cairn {

std::string source_dir() { return CAIRN_SOURCE_DIR; }
std::string program_path() { return CAIRN_PROGRAM; }

}  // namespace cairn
