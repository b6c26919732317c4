// SPDX-License-Identifier: Apache-2.0
// When fast bodies first touch: conservative advancement (Mirtich 1996, section 2.3), so that none is through a thin
// one before a contact is seen.
//
// A pair is fast when it may approach in a step by more than half of its half thicknesses together: then contacts found
// at mid-step come too late. From q the bodies move on along u. Surfaces that are a distance d apart, moving no faster
// than v_a and v_b, do not touch before d/(v_a + v_b): the least of these times is passed, and all is looked at again,
// until a pair touches.
#pragma once
#include "cairn/constraints/system.h"

namespace cairn {

class ImpactSearch {
 public:
  /// Time after `motion` at which a fast pair first touches and goes on to overlap, when that is before
  /// `horizon` (before `elastic_horizon` for pairs with restitution); infinite otherwise. At that time the pair
  /// overlaps by about a millionth of its size. Pairs that touch at the start do not count.
  double find(const System& system, const Motion& motion, double horizon, double elastic_horizon, Threads threads);

 private:
  struct Touch {
    int a, b;
    Vec3 normal;
  };
  bool mark_fast(const System& system, const Motion& motion, double h);
  bool is_fast(const System& system, const ContactPoint& p, double h) const;
  void detect(const System& system, double left, Threads threads);
  bool touched_before(const System& system, const ContactPoint& p) const;

  ContactManager contact_manager_;
  std::vector<double> speed_, margins_;
  std::vector<std::uint8_t> fast_;
  std::vector<Placement> placements_;
  std::vector<ContactPoint> points_;
  std::vector<Touch> touching_;
  VecX q_, u_;
};

}  // namespace cairn
