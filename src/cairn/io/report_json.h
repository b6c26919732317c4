// SPDX-License-Identifier: Apache-2.0
// Results as JSON: what the command line prints with --json. Keys keep the order in which they are written.
#pragma once
#include "cairn/base/parameters.h"
#include "cairn/sim/certificate.h"

#include <nlohmann/json.hpp>

#include <string>

namespace cairn {

using Json = nlohmann::ordered_json;

/// Worst values and sums of a run.
Json to_json(const RunSummary& summary);
/// All fields of one certificate.
Json to_json(const Certificate& certificate);
/// One described parameter.
Json to_json(const ParameterInfo& parameter);

/// The document with an indent of two and a new line at the end. Numbers that are not finite become null, bytes that
/// are not UTF-8 a replacement character.
std::string to_text(const Json& document);

}  // namespace cairn
