// SPDX-License-Identifier: Apache-2.0
// The text files of Siconos (numerics/src/*/test/data): frictional contact, rolling, LCP, MLCP, relay, mixed blocks.
//
// They share one token stream and have no signature: every layout is tried, and the one that fits is taken.
#pragma once
#include "cairn/io/problem_file.h"

namespace cairn {

/// `text` is the content of file `name`. An empty kind: decide from the content, then from words in the name.
ProblemFile read_siconos_text(const std::string& name, std::string text, const std::string& kind);

/// Numbers are written with 17 digits: reading gives the same bits. Automatic storage: blocks for W, triplets for M, H.
void write_siconos_text(const std::filesystem::path& path, const ProblemFile& file, TextStorage storage);

}  // namespace cairn
