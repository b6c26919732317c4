// SPDX-License-Identifier: Apache-2.0
// Broad phase over boxes widened by the margins, filters, then the narrow phase pair by pair in order.
#include "cairn/collision/contact_manager.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/base/error.h"
#include "cairn/collision/narrow_phase.h"

namespace cairn {
namespace {

constexpr std::size_t kPairsPerChunk = 256;  // work of one thread at a time

// The bounds rounded outwards: two shapes that touch exactly must not be parted by the last digit of their boxes.
void widen(Aabb& box, double margin) {
  double size = 0;
  for (int i = 0; i < 3; ++i) {
    if (std::isfinite(box.lo[i])) size = std::max(size, std::abs(box.lo[i]));
    if (std::isfinite(box.hi[i])) size = std::max(size, std::abs(box.hi[i]));
  }
  box.expand(margin + 8 * std::numeric_limits<double>::epsilon() * size);
}

}  // namespace

ContactManager::ContactManager(std::string broad_phase) : broad_phase_(make_broad_phase(broad_phase)) {}

ContactManager::ContactManager(const ContactManager& other)
    : broad_phase_(other.broad_phase_->clone()),
      boxes_(other.boxes_),
      mobile_(other.mobile_),
      pairs_(other.pairs_),
      chunks_(other.chunks_) {}

ContactManager& ContactManager::operator=(const ContactManager& other) {
  if (this != &other) *this = ContactManager(other);
  return *this;
}

void ContactManager::find_contacts(std::span<const Collider> colliders, std::span<const Placement> placements,
                                   std::span<const double> margins, const ContactFilter& filter, Threads threads,
                                   std::vector<ContactPoint>& out, std::span<const std::uint8_t> wanted) {
  const std::size_t n = colliders.size();
  if (placements.size() != n || margins.size() != n)
    throw Error("contact detection: {} colliders, {} placements, {} margins; must be equal", n, placements.size(),
                margins.size());
  boxes_.resize(n);
  mobile_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(margins[i] >= 0) || !std::isfinite(margins[i]))
      throw Error("collider {}: margin is {} m; must be finite and >= 0", i, margins[i]);
    if (!placements[i].A.allFinite() || !placements[i].c.allFinite())
      throw Error("collider {} (body {}): its placement holds a NaN or an infinity", i, colliders[i].body);
    boxes_[i] = compute_aabb(colliders[i].shape, placements[i]);
    widen(boxes_[i], margins[i]);
    mobile_[i] = colliders[i].mobile;
  }
  broad_phase_->find_pairs(boxes_, mobile_, pairs_, threads);

  out.clear();
  if (threads.count <= 1) return collide_range(colliders, placements, margins, filter, wanted, 0, pairs_.size(), out);
  const std::size_t chunk_count = (pairs_.size() + kPairsPerChunk - 1) / kPairsPerChunk;
  chunks_.resize(std::max(chunks_.size(), chunk_count));
  parallel_chunks(threads, chunk_count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      chunks_[c].clear();
      collide_range(colliders, placements, margins, filter, wanted, c * kPairsPerChunk,
                    std::min(pairs_.size(), (c + 1) * kPairsPerChunk), chunks_[c]);
    }
  });
  for (std::size_t c = 0; c < chunk_count; ++c) out.insert(out.end(), chunks_[c].begin(), chunks_[c].end());
}

void ContactManager::collide_range(std::span<const Collider> colliders, std::span<const Placement> placements,
                                   std::span<const double> margins, const ContactFilter& filter,
                                   std::span<const std::uint8_t> wanted, std::size_t begin, std::size_t end,
                                   std::vector<ContactPoint>& out) const {
  for (std::size_t k = begin; k < end; ++k) {
    const auto [p, q] = pairs_[k];
    const auto i = static_cast<std::size_t>(p), j = static_cast<std::size_t>(q);
    if (!wanted.empty() && !wanted[i] && !wanted[j]) continue;
    if (!filter.allows(i, j, colliders[i].body, colliders[j].body)) continue;
    const std::size_t first = out.size();
    collide(colliders[i].shape, placements[i], colliders[j].shape, placements[j], margins[i] + margins[j], out);
    for (std::size_t m = first; m < out.size(); ++m) {
      out[m].a = p;
      out[m].b = q;
    }
  }
}

}  // namespace cairn
