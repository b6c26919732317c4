// SPDX-License-Identifier: Apache-2.0
// The overlap of two convex polyhedra as a polyhedron, and one contact of it: Koziara 2008, sections 9.4 (algorithms
// 9.4.1 and 9.4.3, equations 9.4.1-9.4.4).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/geometry/polyhedron.h"

namespace cairn {

/// A planar piece of the boundary of the overlap, which lies on a face of one of the two polyhedra.
struct OverlapFace {
  int owner = 0;               ///< 0: on the surface of a; 1: of b
  int face = 0;                ///< of that polyhedron
  Vec3 normal = Vec3::Zero();  ///< unit, outward
  double area = 0;             ///< m^2
  Vec3 centre = Vec3::Zero();  ///< of area
};

/// Empty (no faces) when the polyhedra do not overlap.
struct Overlap {
  std::vector<OverlapFace> faces;
  double volume = 0;           ///< m^3
  Vec3 centre = Vec3::Zero();  ///< of volume; of the faces when the volume is nought
};

/// Every face of each, clipped by the planes of the other: O(faces_a faces_b), no assumption about the overlap.
/// `inflate` (m) moves the clipping planes out, so that polyhedra that just touch have a thin overlap.
/// A face that lies in a face of the other to round-off belongs to both.
Overlap clip_overlap(const Polyhedron& a, const Placement& pa, const Polyhedron& b, const Placement& pb,
                     double inflate = 0);

/// The same by polarity: about a common interior point the intersection is the polar of the hull of the polars, i.e. of
/// the points n_i / d_i of all planes n_i.x = d_i (Muller & Preparata 1978). The common point is found by GJK and moved
/// inside by the expanding polytope. Much faster for many faces; empty where the overlap is flat to round-off.
Overlap polarise_overlap(const Polyhedron& a, const Placement& pa, const Polyhedron& b, const Placement& pb);

/// One contact from an overlap. Of the two parts of its boundary, the one whose normal varies less gives the normal (it
/// is the master), the other the point; ties go to a.
struct OverlapContact {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  ///< unit, from b to a
  double area = 0;              ///< of the master part (m^2)
  double gap = 0;               ///< distance along the normal from the point to the master's surface, <= 0
  int master = 0;               ///< 0: a, 1: b
};

/// Throws Error for an empty overlap. `surface`, where given, tells for the faces of a and of b whether they belong to
/// the outer surface of their body (elements of a mesh have inner faces, which carry no contact).
OverlapContact compute_overlap_contact(const Overlap& overlap, std::span<const std::uint8_t> surface_a = {},
                                       std::span<const std::uint8_t> surface_b = {});

}  // namespace cairn
