// SPDX-License-Identifier: Apache-2.0
// FCLib, the exchange format of frictional contact problems in HDF5 (fclib.gforge.inria.fr; layout in
// docs/problem-files.md).
#pragma once
#include "cairn/io/problem_file.h"

namespace cairn {

/// Whether a file is HDF5 and has one of FCLib's groups. Never throws.
bool is_fclib(const std::filesystem::path& path);

/// Attribute of G or R, which FCLib does not have and does not mind: how many rows each bilateral constraint has.
inline constexpr const char* kRowsAttribute = "rowsOfConstraints";

ProblemFile read_fclib(const std::filesystem::path& path);

/// Writes local, global and rolling problems with their guesses and solution. Contacts must all have the same number of
/// rows; equations become G and b (global) or V, R and s (local), after the contacts.
void write_fclib(const std::filesystem::path& path, const ProblemFile& file);

/// Throws Error "NAME: ..." when FCLib has no place for the laws of the problem.
void check_fclib(const std::string& name, const ProblemFile& file);

}  // namespace cairn
