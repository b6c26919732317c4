// SPDX-License-Identifier: Apache-2.0
// Sums over contacts of a pair, and the joints of each body.
#include "cairn/io/thrust_line.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace cairn {

std::vector<PairResultant> find_resultants(std::span<const FrameContact> contacts) {
  std::map<std::pair<int, int>, PairResultant> pairs;
  for (const FrameContact& c : contacts) {
    const double normal = c.force.dot(c.normal);
    if (!(normal > 0) || !std::isfinite(normal) || !c.point.allFinite() || !c.force.allFinite()) continue;
    const bool swap = c.body_a > c.body_b;
    const std::pair key = swap ? std::pair{c.body_b, c.body_a} : std::pair{c.body_a, c.body_b};
    PairResultant& r = pairs[key];
    r.body_a = key.first;
    r.body_b = key.second;
    r.force += swap ? Vec3(-c.force) : c.force;
    r.normal += normal;
    r.point += normal * c.point;
  }
  std::vector<PairResultant> list;
  for (auto& [key, r] : pairs) {
    r.point /= r.normal;
    list.push_back(r);
  }
  return list;
}

std::vector<ThrustSegment> find_thrust_line(std::span<const PairResultant> resultants, const std::vector<bool>& moves) {
  std::vector<std::vector<const PairResultant*>> joints(moves.size());
  for (const PairResultant& r : resultants)
    for (const int body : {r.body_a, r.body_b})
      if (body >= 0 && static_cast<std::size_t>(body) < moves.size() && moves[static_cast<std::size_t>(body)])
        joints[static_cast<std::size_t>(body)].push_back(&r);

  std::vector<ThrustSegment> line;
  for (const auto& list : joints) {
    if (list.size() == 2) {
      line.push_back({list[0]->point, list[1]->point, std::max(list[0]->force.norm(), list[1]->force.norm())});
    } else if (list.size() > 2) {
      Vec3 sum = Vec3::Zero();
      double weight = 0;
      for (const PairResultant* r : list) {
        sum += r->force.norm() * r->point;
        weight += r->force.norm();
      }
      for (const PairResultant* r : list) line.push_back({r->point, sum / weight, r->force.norm()});
    }
  }
  return line;
}

}  // namespace cairn
