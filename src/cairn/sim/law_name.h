// SPDX-License-Identifier: Apache-2.0
// Laws by the names of what they belong to, for lists of switches.
#pragma once
#include "cairn/assembly/law_mode.h"
#include "cairn/sim/model.h"

namespace cairn {

/// "contact of 'ball' and 'floor', friction"; "joint 'rope'"; "limit of 'door'".
std::string name_law(const Model& model, const LawId& law);

}  // namespace cairn
