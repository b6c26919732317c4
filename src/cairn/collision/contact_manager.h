// SPDX-License-Identifier: Apache-2.0
// All contact points of a set of placed colliders: broad phase, filters, narrow phase.
//
// Points carry the features that made them; match_contacts() (constraints/warm_start.h) finds a point of the last step
// again by features first and by place second. What is remembered is part of the State, not of the manager.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cairn/base/parallel.h"
#include "cairn/collision/broad_phase.h"
#include "cairn/collision/contact_filter.h"
#include "cairn/collision/contact_point.h"
#include "cairn/geometry/shape.h"

namespace cairn {

/// A shape carried by a body. Several colliders may belong to one body; they never touch each other.
struct Collider {
  Shape shape;
  int body = -1;
  bool mobile = true;  ///< false: fixed to the world; two immobile colliders never touch
  bool posed = false;  ///< whether `at` is other than the identity
  Placement at = {};   ///< in the body's axes; A is a rotation

  /// In the world, where its body is placed.
  Placement placed(const Placement& body_at) const {
    return posed ? Placement{body_at.A * at.A, body_at.apply(at.c)} : body_at;
  }
};

/// Scratch of the search. Copyable; a copy finds the same contacts. No allocation in steady state with one thread.
class ContactManager {
 public:
  explicit ContactManager(std::string broad_phase = "auto");
  ContactManager(const ContactManager& other);
  ContactManager& operator=(const ContactManager& other);
  ContactManager(ContactManager&&) noexcept = default;
  ContactManager& operator=(ContactManager&&) noexcept = default;
  ~ContactManager() = default;

  /// Replaces `out` by the contacts with gap <= margin_i + margin_j, where margins[i] >= 0 is the distance the surface
  /// of collider i can move within the step (m). `placements` and `margins` have one entry per collider.
  /// Pairs the filter does not allow are left out; with `wanted` (one flag per collider) those without a wanted
  /// collider as well. `out` is sorted by (a, b), a < b, normal from b to a; the points of one pair are contiguous. The
  /// bits do not depend on the number of threads. Throws Error for unequal lengths, NaN placements and unsupported
  /// pairs.
  void find_contacts(std::span<const Collider> colliders, std::span<const Placement> placements,
                     std::span<const double> margins, const ContactFilter& filter, Threads threads,
                     std::vector<ContactPoint>& out, std::span<const std::uint8_t> wanted = {});

  /// Pairs of boxes the broad phase passed on in the last call.
  std::size_t pair_count() const { return pairs_.size(); }

 private:
  void collide_range(std::span<const Collider> colliders, std::span<const Placement> placements,
                     std::span<const double> margins, const ContactFilter& filter, std::span<const std::uint8_t> wanted,
                     std::size_t begin, std::size_t end, std::vector<ContactPoint>& out) const;

  std::unique_ptr<BroadPhase> broad_phase_;
  std::vector<Aabb> boxes_;
  std::vector<std::uint8_t> mobile_;
  std::vector<Pair> pairs_;
  std::vector<std::vector<ContactPoint>> chunks_;  ///< results of the threads, concatenated in the order of the pairs
};

}  // namespace cairn
