// SPDX-License-Identifier: Apache-2.0
// Words for messages: lists, and the name a person probably meant.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// "a, b, c".
std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");

/// " (did you mean 'friction'?)" when a known word is close to `word`, else "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace cairn
