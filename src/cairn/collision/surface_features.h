// SPDX-License-Identifier: Apache-2.0
// What the searches for contacts of triangulated surfaces share: names of features, and what counts as rounding.
#pragma once
#include "cairn/collision/contact_point.h"

namespace cairn {

/// Angles, and shares of sizes, below which differences are rounding.
constexpr double kSurfaceSine = 1e-9, kSurfaceLength = 1e-12;

inline std::uint32_t vertex_id(int v) { return make_feature(FeatureKind::Vertex, static_cast<std::uint32_t>(v)); }
inline std::uint32_t edge_id(int e) { return make_feature(FeatureKind::Edge, static_cast<std::uint32_t>(e)); }
inline std::uint32_t face_id(int f) { return make_feature(FeatureKind::Face, static_cast<std::uint32_t>(f)); }

/// Parameters of the points of the lines p + s d and q + t e nearest to each other; false where they are parallel. To
/// the last bit the same when the lines are exchanged, also where products and sums are fused.
inline bool nearest_on_lines(const Vec3& p, const Vec3& d, const Vec3& q, const Vec3& e, double& s, double& t) {
  const double dd = d.squaredNorm(), ee = e.squaredNorm(), de = d.dot(e), det = dd * ee - de * de;
  if (!(det > 1e-14 * dd * ee)) return false;
  const Vec3 w = q - p;
  s = (ee * d.dot(w) - de * e.dot(w)) / det;
  t = -(dd * e.dot(w) - de * d.dot(w)) / det;
  return true;
}

}  // namespace cairn
