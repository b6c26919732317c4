// SPDX-License-Identifier: Apache-2.0
// The tree is searched against itself; leaves that meet are checked with the true boxes.
#include "cairn/collision/study/tree_broad_phase.h"

#include <algorithm>

namespace cairn {
namespace {

constexpr double kFarAway = 1e30;       // metres; sides are cut off here so that surfaces stay finite
constexpr double kFatness = 0.05;       // of the mean side, added on every side
constexpr std::size_t kFew = 16;        // one box in this many may be put back one by one
constexpr double kBadTree = 1.3;        // growth of the cost that makes a new tree worth while
constexpr std::size_t kTaskCount = 64;  // pieces of work for the threads

Aabb cut_off(const Aabb& b) {
  const Vec3 far = Vec3::Constant(kFarAway);
  return {b.lo.cwiseMax(-far).cwiseMin(far), b.hi.cwiseMax(-far).cwiseMin(far)};
}

bool contains(const Aabb& outer, const Aabb& inner) {
  return (outer.lo.array() <= inner.lo.array()).all() && (inner.hi.array() <= outer.hi.array()).all();
}

}  // namespace

Aabb TreeBroadPhase::make_fat(const Aabb& box) const {
  Aabb fat = cut_off(box);
  fat.expand(kFatness / 3 * (fat.hi - fat.lo).sum());
  return fat;
}

void TreeBroadPhase::rebuild(std::span<const Aabb> boxes) {
  fat_.resize(boxes.size());
  std::transform(boxes.begin(), boxes.end(), fat_.begin(), [&](const Aabb& b) { return make_fat(b); });
  tree_.build(fat_);
  count_ = boxes.size();
  cost_ = tree_.cost();
}

void TreeBroadPhase::update_tree(std::span<const Aabb> boxes) {
  if (count_ != boxes.size()) return rebuild(boxes);
  moved_.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (!contains(fat_[i], cut_off(boxes[i]))) moved_.push_back(static_cast<int>(i));
  if (moved_.empty()) return;
  if (moved_.size() * kFew <= boxes.size()) {
    for (const int i : moved_) {
      fat_[i] = make_fat(boxes[i]);
      tree_.remove(i);
      tree_.insert(i, fat_[i]);
    }
  } else {
    for (const int i : moved_) tree_.set_box(i, fat_[i] = make_fat(boxes[i]));
    tree_.refit();
    if (tree_.cost() > kBadTree * cost_) rebuild(boxes);
  }
}

void TreeBroadPhase::find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
                          Threads threads) {
  update_tree(boxes);
  if (tree_.empty()) return;
  const auto expand = [&](const DynamicTree::Task& task, std::vector<DynamicTree::Task>& tasks,
                          std::vector<Pair>& out) {
    tree_.expand(task, tasks, [&](int i, int j) {
      if ((mobile[i] | mobile[j]) && boxes[i].overlaps(boxes[j])) out.push_back({std::min(i, j), std::max(i, j)});
    });
  };
  const auto search = [&](std::vector<DynamicTree::Task>& stack, std::vector<Pair>& out) {
    while (!stack.empty()) {
      const DynamicTree::Task task = stack.back();
      stack.pop_back();
      expand(task, stack, out);
    }
  };
  stack_.assign(1, {tree_.root(), tree_.root()});
  if (threads.count <= 1) return search(stack_, pairs);

  // Breadth first until there are pieces for all; the order of the pairs does not matter.
  std::size_t done = 0;
  while (done < stack_.size() && stack_.size() - done < kTaskCount) {
    const DynamicTree::Task task = stack_[done++];
    expand(task, stack_, pairs);
  }
  tasks_.assign(stack_.begin() + static_cast<std::ptrdiff_t>(done), stack_.end());
  chunks_.resize(std::max(chunks_.size(), tasks_.size()));
  stacks_.resize(chunks_.size());
  parallel_chunks(threads, tasks_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      chunks_[t].clear();
      stacks_[t].assign(1, tasks_[t]);
      search(stacks_[t], chunks_[t]);
    }
  });
  for (std::size_t t = 0; t < tasks_.size(); ++t) pairs.insert(pairs.end(), chunks_[t].begin(), chunks_[t].end());
}

}  // namespace cairn
