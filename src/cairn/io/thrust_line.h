// SPDX-License-Identifier: Apache-2.0
// What neighbouring bodies press on each other, as one force per pair, and the line of thrust that joins those forces
// from block to block (Heyman 1966, The stone skeleton).
#pragma once
#include <span>
#include <vector>

#include "cairn/io/recording.h"

namespace cairn {

/// The contact forces between two bodies, summed. The point is the centre of pressure: the mean of the contact points
/// weighted by their normal forces. Where the points lie in one plane, the forces have no moment about it but one
/// about the plane's normal, so it is the point in which the resultant crosses the joint.
struct PairResultant {
  int body_a = -1, body_b = -1;  ///< a < b; -1: the world
  Vec3 force = Vec3::Zero();     ///< on A [N]
  double normal = 0;             ///< sum of the normal forces [N]
  Vec3 point = Vec3::Zero();     ///< centre of pressure [m]
};

/// One per pair of bodies that press on each other, in the order of their numbers.
std::vector<PairResultant> find_resultants(std::span<const FrameContact> contacts);

/// A piece of the line of thrust, from one joint of a block to another.
struct ThrustSegment {
  Vec3 from, to;
  double force = 0;  ///< the larger resultant of its ends [N]
};

/// Joins the points of the resultants on every body that moves. A body with two neighbours gives one segment; with more
/// the segments meet in the mean of its points weighted by force; with one, none.
std::vector<ThrustSegment> find_thrust_line(std::span<const PairResultant> resultants, const std::vector<bool>& moves);

}  // namespace cairn
