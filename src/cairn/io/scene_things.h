// SPDX-License-Identifier: Apache-2.0
// The sections of a scene that fill its model with things: bodies, then what joins and drives them.
#pragma once
#include "cairn/io/scene_value.h"
#include "cairn/sim/model.h"

namespace cairn {

/// The lists under `bodies`, `joints`, `remote_actions`, `forces` and `exclude`.
void read_bodies(const SceneValue& list, Model& model);
void read_joints(const SceneValue& list, Model& model);
void read_remote_actions(const SceneValue& list, Model& model);
void read_forces(const SceneValue& list, Model& model);
void read_exclude(const SceneValue& list, Model& model);

}  // namespace cairn
