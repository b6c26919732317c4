// SPDX-License-Identifier: Apache-2.0
// Joining the contact points of faces: see the header.
#include "cairn/assembly/merge_contacts.h"

#include "cairn/assembly/detection.h"

#include <algorithm>

namespace cairn {

void merge_contacts(const System& system, std::vector<ContactPoint>& points) {
  std::vector<ContactPoint> merged;
  std::vector<double> areas;
  for (const ContactPoint& p : points) {
    // Points of one pair follow each other; a face has few normals.
    std::size_t k = merged.size();
    for (std::size_t j = merged.size(); j-- > 0 && merged[j].a == p.a && merged[j].b == p.b;)
      if (merged[j].normal.dot(p.normal) > 0.999) k = j;
    const double area = p.weight > 0 ? p.weight : 1e-30;
    if (k == merged.size()) {
      merged.push_back(p);
      merged.back().point *= area;
      areas.push_back(area);
      continue;
    }
    merged[k].point += area * p.point;
    merged[k].gap = std::min(merged[k].gap, p.gap);
    areas[k] += area;
  }
  points.clear();
  for (std::size_t k = 0; k < merged.size(); ++k) {
    ContactPoint& p = merged[k];
    const double size = smaller_size(system, p);
    const auto is_round = [](std::uint32_t feature) { return (feature >> 28) == 0; };
    if (areas[k] < 0.01 * size * size && !is_round(p.feature_a) && !is_round(p.feature_b)) continue;
    p.point /= areas[k];
    points.push_back(p);
  }
}

}  // namespace cairn
