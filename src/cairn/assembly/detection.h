// SPDX-License-Identifier: Apache-2.0
// Where the surfaces of a system come near each other: the one place that asks collision/ for contact points.
//
// A surface can approach until the next detection by its speed times h, and by what gravity adds, g h^2. A fraction of
// 1e-4 of its size, through which a resting neighbour could be pushed, stays in view as well:
//   margin = h speed + g h^2 + reach + 1e-4 radius;   of what is fixed to the world: h speed
#pragma once
#include "cairn/collision/contact_manager.h"
#include "cairn/constraints/system.h"

namespace cairn {

class Detection {
 public:
  /// Contact points at q of surfaces that move with u for h, and those nearer than `reach` [m] besides.
  void find(const System& system, const VecX& q, const VecX& u, double h, double reach, Threads threads);
  /// At q; each collider is seen as far as its margin says. `wanted`: flags of colliders, one of which a pair must
  /// have.
  void find_within(const System& system, const VecX& q, std::span<const double> margins, Threads threads,
                   std::span<const std::uint8_t> wanted = {});

  /// Sorted by pair of colliders. They may be changed: reduced, or joined by others of a pair.
  std::vector<ContactPoint>& points() { return points_; }
  const std::vector<ContactPoint>& points() const { return points_; }
  const Placement& placement(int collider) const { return placements_[static_cast<std::size_t>(collider)]; }
  double margin(int collider) const { return margins_[static_cast<std::size_t>(collider)]; }
  std::span<const double> margins() const { return margins_; }

 private:
  ContactManager manager_;
  std::vector<Placement> placements_;
  std::vector<double> margins_;
  std::vector<ContactPoint> points_;
};

/// Size of the smaller of two colliders [m]; unbounded ones do not count.
double smaller_size(const System& system, const ContactPoint& point);
/// Of the larger one.
double larger_size(const System& system, const ContactPoint& point);
/// The law between the materials of two colliders.
const ContactLaw& contact_law(const System& system, const ContactPoint& point);

}  // namespace cairn
