// SPDX-License-Identifier: Apache-2.0
// A point mass on the plane z = 0: a body without a shape with a contact of its own.
#pragma once
#include "cairn/sim/model.h"

namespace cairn::validation {

/// A body "point" of 1 kg that cannot pass below z = 0.
BodyId add_point_on_table(Model& model, const ContactLaw& law, const Vec3& position, const Vec3& velocity);

}  // namespace cairn::validation
