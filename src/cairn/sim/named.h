// SPDX-License-Identifier: Apache-2.0
// Complaints about parts of a model begin with the part's name.
#pragma once
#include "cairn/base/error.h"

#include <string>
#include <string_view>

namespace cairn {

/// Runs `build` and puts the object's name in front of any complaint.
template <class Build>
auto named(std::string_view noun, const std::string& name, Build&& build) {
  try {
    return build();
  } catch (const Error& error) {
    throw Error("{} '{}': {}", noun, name, error.what());
  }
}

}  // namespace cairn
