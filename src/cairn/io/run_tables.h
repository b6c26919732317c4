// SPDX-License-Identifier: Apache-2.0
// Recordings as tables: one row per frame and body, contact or joint, or per step; as text, or as columns of typed
// numbers that NumPy reads.
#pragma once
#include <filesystem>
#include <span>
#include <string_view>

#include "cairn/io/recording.h"

namespace cairn {

enum class RunTable { Bodies, Contacts, Joints, Pulls, Certificate };

struct RunTableInfo {
  RunTable table;
  std::string_view name, help;
};
std::span<const RunTableInfo> run_tables();

/// Names of bodies and joints stand in the rows. Written frame by frame: memory does not grow with the run.
void write_table_csv(const Recording& recording, RunTable table, const std::filesystem::path& path);

/// A zip of one .npy array per column, deflated: `contacts/time`, `contacts/body_a`... as numpy.load() reads them;
/// `names/body` and `names/joint` are what the indices in the columns stand for. All of a column is in memory. Throws
/// Error where the contacts were not recorded and are asked for, or a column has more than 4 GB.
void write_tables_npz(const Recording& recording, std::span<const RunTable> tables, const std::filesystem::path& path);

}  // namespace cairn
