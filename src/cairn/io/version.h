// SPDX-License-Identifier: Apache-2.0
// The version of Cairn; the same as in the root CMakeLists.txt (tests/cli checks it).
#pragma once
#include <string_view>

namespace cairn {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace cairn
