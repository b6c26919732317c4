// SPDX-License-Identifier: Apache-2.0
// One contact point per pair of faces, where the resultant of an even pressure acts (Koziara 2008, 13.3).
#pragma once
#include "cairn/constraints/system.h"

namespace cairn {

/// Joins the points of a pair that have one normal. Bricks laid corner to corner touch along edges too: what has no
/// area there carries nothing and goes. Round shapes have none and stay.
void merge_contacts(const System& system, std::vector<ContactPoint>& points);

}  // namespace cairn
