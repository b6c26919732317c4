// SPDX-License-Identifier: Apache-2.0
// Where two supporting features overlap as seen along the normal: the contact polygon, the ends of a line, or a point.
#pragma once
#include "cairn/collision/supporting_feature.h"

namespace cairn {

/// Scratch of a pair, kept between calls so that nothing is allocated in steady state.
struct FeatureScratch {
  struct Vertex {
    Vec2 q;         ///< in the plane across the normal
    double za, zb;  ///< heights of the two surfaces along the normal
    std::uint32_t id_a, id_b;
    std::uint32_t edge;  ///< of the edge to the next vertex
    bool edge_of_b;      ///< to which shape that edge belongs
  };
  SupportingFeature a, b;
  std::vector<FeatureVertex> plain;  ///< of a disc before its rim was refined
  std::vector<Vertex> polygon, spare;
  std::vector<Vec2> qb;
  std::vector<double> zb;
};

/// Appends the points of overlap of scratch.a and scratch.b along the unit normal n (from b to a), midway between the
/// surfaces, with gap <= margin; positions are relative to `origin`. `separation` is that of the supporting
/// planes; `size` scales what is round-off (m).
/// Returns the least gap among the points found, also those beyond the margin; infinity when there are none.
double append_overlap(FeatureScratch& scratch, const Vec3& n, double separation, double margin, double size,
                      const Vec3& origin, std::vector<ContactPoint>& out);

}  // namespace cairn
