// SPDX-License-Identifier: Apache-2.0
// A State in a file, exact to the last bit: a run that continues from it is the run that never stopped.
//
// Layout: "CAIRNCK5"; step, time and number of coordinates, for who asks no more; the names of the stepper and of what
// it keeps; the parts of the model (bodies, colliders, joints, forces that remember) by name and kind, so that an
// edited scene is refused by name; the state as doubles in the order of assembly/numbers.h; an FNV-1a checksum of all
// before.
#pragma once
#include "cairn/sim/model.h"
#include "cairn/sim/state.h"

#include <filesystem>

namespace cairn {

/// Written under a temporary name and renamed: the old file is there until the new one is whole.
void write_checkpoint(const std::filesystem::path& path, const Model& model, const State& state);
/// Throws Error when the file is not a checkpoint, is damaged, or belongs to another model.
State read_checkpoint(const std::filesystem::path& path, const Model& model);

}  // namespace cairn
