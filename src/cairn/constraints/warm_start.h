// SPDX-License-Identifier: Apache-2.0
// Impulses of the last step, kept by pair and place: where the next solve starts and which contacts were closed.
#pragma once
#include "cairn/collision/contact_point.h"

#include <span>
#include <vector>

namespace cairn {

/// One contact of the last step.
struct KeptContact {
  int a = -1, b = -1;           ///< colliders
  Vec3 point = Vec3::Zero();    ///< world
  Vec3 impulse = Vec3::Zero();  ///< world, on A [N s]
  std::uint32_t feature_a = 0, feature_b = 0;
  double cohesion = 0;  ///< what is left of it [N]
};

/// Part of a State: copying it is all a snapshot needs.
struct WarmStart {
  std::vector<KeptContact> contacts;  ///< sorted by (a, b), as found by the contact manager
  bool begun = false;                 ///< whether a step has been made: cohesion is given to the contacts of the first
  std::vector<double> joints;         ///< impulse of every row of joints and of laws on their coordinates
};

/// For each new point the index of the old contact of the same pair made by the same features; where there is none the
/// nearest that no other point took; or -1. A pair with one point before and now is always matched: points of
/// rolling and sliding bodies move freely.
/// `taken` is scratch.
void match_contacts(std::span<const KeptContact> kept, std::span<const ContactPoint> points, std::vector<int>& match,
                    std::vector<char>& taken);

}  // namespace cairn
