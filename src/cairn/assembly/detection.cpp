// SPDX-License-Identifier: Apache-2.0
// Detection of contacts: see the header for how far surfaces are seen.
#include "cairn/assembly/detection.h"

#include <algorithm>

namespace cairn {
namespace {

constexpr std::size_t grain = 512;  // colliders per task

}  // namespace

void Detection::find(const System& system, const VecX& q, const VecX& u, double h, double reach, Threads threads) {
  const std::size_t n = system.colliders.size();
  margins_.resize(n);
  const double gravity = system.gravity.norm() * h * h;
  parallel_chunks(threads, n, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double radius = system.collider_radius[i];
      const double way = h * system.bodies.speed_bound(system.colliders[i].body, q, u, h, radius);
      margins_[i] = system.colliders[i].mobile ? way + gravity + reach + 1e-4 * radius : way;
    }
  });
  find_within(system, q, margins_, threads);
}

void Detection::find_within(const System& system, const VecX& q, std::span<const double> margins, Threads threads,
                            std::span<const std::uint8_t> wanted) {
  const std::size_t n = system.colliders.size();
  placements_.resize(n);
  parallel_chunks(threads, n, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) placements_[i] = collider_placement(system, system.colliders[i], q);
  });
  if (margins.data() != margins_.data()) margins_.assign(margins.begin(), margins.end());
  manager_.find_contacts(system.colliders, placements_, margins_, system.filter, threads, points_, wanted);
}

double smaller_size(const System& system, const ContactPoint& point) {
  const double a = system.collider_radius[static_cast<std::size_t>(point.a)];
  const double b = system.collider_radius[static_cast<std::size_t>(point.b)];
  return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

double larger_size(const System& system, const ContactPoint& point) {
  return std::max(system.collider_radius[static_cast<std::size_t>(point.a)],
                  system.collider_radius[static_cast<std::size_t>(point.b)]);
}

const ContactLaw& contact_law(const System& system, const ContactPoint& point) {
  return system.materials.pair(system.collider_material[static_cast<std::size_t>(point.a)],
                               system.collider_material[static_cast<std::size_t>(point.b)]);
}

}  // namespace cairn
