// SPDX-License-Identifier: Apache-2.0
// Where a test finds the tree it was built from and the program built with it. Known to one source only, so that all
// tests share one precompiled header and the other objects depend on no path.
#pragma once
#include <string>

namespace cairn {

/// Folder of the project, without a slash at its end.
std::string source_dir();
/// Path of the built program `cairn`.
std::string program_path();

}  // namespace cairn
