// SPDX-License-Identifier: Apache-2.0
// When fast bodies first touch: conservative advancement (Mirtich 1996, section 2.3), so that none is through a thin
// one before a contact is seen.
//
// A pair is fast when it may approach in a step by more than half of its half thicknesses together: then contacts found
// at mid-step come too late. From q the bodies move on along u. Surfaces that are a distance d apart, moving no faster
// than v_a and v_b, do not touch before d/(v_a + v_b): the least of these times is passed, and all is looked at again,
// until a pair touches. Between convex shapes the normal at the nearest points separates them: there only the speed
// along it counts.
#pragma once
#include "cairn/assembly/detection.h"
#include "cairn/constraints/warm_start.h"

namespace cairn {

class ImpactSearch {
 public:
  /// Time after `motion`, within h, at which a fast pair first touches and goes on to overlap; infinite when there is
  /// none. At that time the pair overlaps by about a millionth of its size. Pairs that touch at the start do not count.
  /// `guarded`: contacts without restitution that were in the last problem hold from mid-step to mid-step; they matter
  /// only where bodies turn so much that their rows, straight over a step, say little.
  double find(const System& system, const Motion& motion, const WarmStart& warm, bool guarded, double h,
              Threads threads);

 private:
  struct Touch {
    int a, b;
    Vec3 normal;
  };
  bool mark_fast(const System& system, const Motion& motion, double h);
  bool is_fast(const System& system, const ContactPoint& p, double h) const;
  bool is_held(const System& system, const ContactPoint& p, const WarmStart& warm, double h) const;
  double bound_approach(const System& system, const ContactPoint& p) const;
  void detect(const System& system, double left, Threads threads);
  bool touched_before(const System& system, const ContactPoint& p) const;

  Detection found_;
  std::vector<double> speed_, spin_, margins_;  ///< spin_: part of the speed bound that comes from turning
  std::vector<std::uint8_t> fast_;
  std::vector<Touch> touching_;
  VecX q_, u_;
};

}  // namespace cairn
