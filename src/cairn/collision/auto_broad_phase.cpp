// SPDX-License-Identifier: Apache-2.0
// When a list of near pairs is made, kept and given up.
#include "cairn/collision/auto_broad_phase.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cairn {
namespace {

constexpr std::size_t kBruteForceBelow = 64;  // boxes; measured: fewer are tested faster pair by pair
constexpr double kCalls = 8;                  // for which a list should last
constexpr double kLeastSkin = 1e-3;           // of the mean width of a box: what rests may tremble
constexpr double kMostSkin = 1;               // of the mean width; what is faster may escape
constexpr double kMeanSkin = 0.15;            // of the mean width
constexpr std::size_t kFewEscaped = 16;       // each costs a test against every box
constexpr int kGoodList = 2;                  // uses after which a list has paid for itself
constexpr int kLongestPause = 64;             // calls
constexpr std::size_t kSampleSize = 512;
constexpr std::size_t kFetchAhead = 24;  // pairs

double mean_width(const Aabb& b) { return (b.hi - b.lo).sum() / 3; }

/// How far a box moves in one of `calls`, in its mean width.
double find_motion(const Aabb& now, const Aabb& before, int calls) {
  if (!now.is_bounded() || !before.is_bounded()) return 0;
  const double way = (now.lo - before.lo).cwiseAbs().cwiseMax((now.hi - before.hi).cwiseAbs()).maxCoeff();
  const double width = mean_width(now);
  return way > 0 ? way / (width * calls) : 0;
}

std::size_t sample_stride(std::size_t count) { return 1 + count / kSampleSize; }

}  // namespace

void AutoBroadPhase::take_sample(std::span<const Aabb> boxes) {
  sample_.clear();
  for (std::size_t i = 0; i < boxes.size(); i += sample_stride(boxes.size())) sample_.push_back(boxes[i]);
  sample_count_ = boxes.size();
}

// Since the last call; judged by a sample, so that it costs nothing where the answer is no.
bool AutoBroadPhase::moves_little(std::span<const Aabb> boxes) const {
  if (sample_.empty() || sample_count_ != boxes.size()) return false;
  double sum = 0;
  for (std::size_t k = 0; k < sample_.size(); ++k)
    sum += std::min(kMostSkin, kCalls * find_motion(boxes[k * sample_stride(boxes.size())], sample_[k], 1));
  return sum <= kMeanSkin * static_cast<double>(sample_.size());
}

void AutoBroadPhase::make_list(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, Threads threads) {
  wide_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const double skin = std::clamp(kCalls * find_motion(boxes[i], last_[i], calls_), kLeastSkin, kMostSkin);
    wide_[i] = boxes[i];
    if (boxes[i].is_bounded()) wide_[i].expand(skin * mean_width(boxes[i]));
  }
  mobile_.assign(mobile.begin(), mobile.end());
  list_.clear();
  find_unsorted(grid_, wide_, mobile, list_, threads);
  list_sorter_.sort(boxes.size(), list_, threads);
}

// True while at most a few boxes have left their widened selves; notes which.
bool AutoBroadPhase::list_is_good(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile) {
  if (!std::equal(mobile.begin(), mobile.end(), mobile_.begin())) return false;
  escaped_.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Aabb &b = boxes[i], &w = wide_[i];
    const bool inside = (w.lo.x() <= b.lo.x()) & (w.lo.y() <= b.lo.y()) & (w.lo.z() <= b.lo.z()) &
                        (b.hi.x() <= w.hi.x()) & (b.hi.y() <= w.hi.y()) & (b.hi.z() <= w.hi.z());
    if (inside) continue;
    if (escaped_.size() == kFewEscaped) return false;
    escaped_.push_back(static_cast<int>(i));
  }
  return true;
}

// About half of the list are hits, which no one can predict: no branch on them. The second boxes may be anywhere in
// memory, but the list says long before where: fetching them ahead makes a million boxes four times faster.
void AutoBroadPhase::filter_list(std::span<const Aabb> boxes, std::vector<Pair>& pairs) const {
  pairs.resize(list_.size());
  Pair* out = pairs.data();
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const Pair pair = list_[k];
    const Aabb& ahead = boxes[list_[std::min(k + kFetchAhead, list_.size() - 1)].j];
    __builtin_prefetch(&ahead);
    __builtin_prefetch(&ahead.hi.z());
    const Aabb &p = boxes[pair.i], &q = boxes[pair.j];
    *out = pair;
    out += (p.lo.x() <= q.hi.x()) & (q.lo.x() <= p.hi.x()) & (p.lo.y() <= q.hi.y()) & (q.lo.y() <= p.hi.y()) &
           (p.lo.z() <= q.hi.z()) & (q.lo.z() <= p.hi.z());
  }
  pairs.resize(static_cast<std::size_t>(out - pairs.data()));
}

// All pairs of the escaped boxes; those that are on the list too must not be there twice.
void AutoBroadPhase::add_escaped(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile,
                                 std::vector<Pair>& pairs) {
  extra_.clear();
  for (const int i : escaped_)
    for (int j = 0; j < static_cast<int>(boxes.size()); ++j)
      if (j != i && (mobile[i] | mobile[j]) && boxes[i].overlaps(boxes[j]))
        extra_.push_back({std::min(i, j), std::max(i, j)});
  std::sort(extra_.begin(), extra_.end());
  extra_.erase(std::unique(extra_.begin(), extra_.end()), extra_.end());
  merged_.clear();
  std::set_union(pairs.begin(), pairs.end(), extra_.begin(), extra_.end(), std::back_inserter(merged_));
  pairs.swap(merged_);
}

void AutoBroadPhase::find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
                          Threads threads) {
  if (boxes.size() < kBruteForceBelow) return find_pairs_by_brute_force(boxes, mobile, pairs);
  const bool known = last_.size() == boxes.size();
  const bool coherent = moves_little(boxes);
  take_sample(boxes);
  ++calls_;
  if (known && has_list_) {
    if (list_is_good(boxes, mobile)) {
      filter_list(boxes, pairs);
      if (!escaped_.empty()) add_escaped(boxes, mobile, pairs);
      return;
    }
    const bool lasted = calls_ > kGoodList;
    pause_ = lasted ? 0 : next_pause_;
    next_pause_ = lasted ? 1 : std::min(kLongestPause, 2 * next_pause_);
  }
  has_list_ = coherent && known && pause_ == 0;
  pause_ = std::max(0, pause_ - 1);
  if (has_list_) {
    make_list(boxes, mobile, threads);
    filter_list(boxes, pairs);
  } else {
    find_unsorted(grid_, boxes, mobile, pairs, threads);
  }
  // The list of the next call needs to know how much each box moves.
  if (coherent) {
    last_.assign(boxes.begin(), boxes.end());
    calls_ = 0;
  } else {
    last_.clear();
  }
}

}  // namespace cairn
