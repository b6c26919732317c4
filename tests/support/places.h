// SPDX-License-Identifier: Apache-2.0
// Where a test finds the tree it was built from and the program built with it. Known to one source only, so that the
// objects of all others are the same in every checkout and a compiler cache serves them.
#pragma once
#include <string>

namespace cairn {

/// Folder of the project, without a slash at its end.
std::string source_dir();
/// Path of the built program `cairn`.
std::string program_path();

}  // namespace cairn
