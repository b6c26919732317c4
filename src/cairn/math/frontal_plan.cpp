// SPDX-License-Identifier: Apache-2.0
// Ordering, elimination tree, supernodes: see the header.
#include "cairn/math/frontal_plan.h"

#include <metis.h>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <algorithm>
#include <numeric>

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Multiplications from which nested dissection is tried: where its tens of milliseconds are a factorisation's.
constexpr double dissection_pays = 1e8;

}  // namespace

void FrontalPlan::find_graph() {
  const std::size_t n = sizes_.size();
  graph_start_.assign(n + 1, 0);
  for (const auto& [i, j] : pairs_) {
    ++graph_start_[at(i) + 1];
    ++graph_start_[at(j) + 1];
  }
  std::partial_sum(graph_start_.begin(), graph_start_.end(), graph_start_.begin());
  graph_.resize(2 * pairs_.size());
  std::vector<int> next(graph_start_.begin(), graph_start_.end() - 1);
  for (const auto& [i, j] : pairs_) {
    graph_[at(next[at(i)]++)] = j;
    graph_[at(next[at(j)]++)] = i;
  }
  int kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto begin = graph_.begin() + graph_start_[i], end = graph_.begin() + graph_start_[i + 1];
    std::sort(begin, end);
    const int count = static_cast<int>(std::unique(begin, end) - begin);
    std::copy(begin, begin + count, graph_.begin() + kept);
    graph_start_[i] = kept;
    kept += count;
  }
  graph_start_[n] = kept;
  graph_.resize(at(kept));
}

std::vector<int> FrontalPlan::minimum_degree() const {
  const int n = static_cast<int>(sizes_.size());
  Eigen::SparseMatrix<double, Eigen::ColMajor, int> graph(n, n);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(graph_.size() + sizes_.size());
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 1);
    for (int k = graph_start_[at(i)]; k < graph_start_[at(i) + 1]; ++k) entries.emplace_back(graph_[at(k)], i, 1);
  }
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> p;
  Eigen::AMDOrdering<int>()(graph, p);
  return {p.indices().data(), p.indices().data() + n};
}

std::vector<int> FrontalPlan::nested_dissection() const {
  std::vector<idx_t> start(graph_start_.begin(), graph_start_.end()), neighbours(graph_.begin(), graph_.end());
  std::vector<idx_t> weights(sizes_.begin(), sizes_.end()), order_found(sizes_.size()), place_found(sizes_.size());
  idx_t n = static_cast<idx_t>(sizes_.size()), options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;  // the same order on every run
  options[METIS_OPTION_NUMBERING] = 0;
  if (METIS_NodeND(&n, start.data(), neighbours.data(), weights.data(), options, order_found.data(),
                   place_found.data()) != METIS_OK) {
    return {};
  }
  return {order_found.begin(), order_found.end()};
}

void FrontalPlan::set_order(std::vector<int> elimination) {
  const int n = static_cast<int>(sizes_.size());
  order = std::move(elimination);
  place_.resize(at(n));
  for (int k = 0; k < n; ++k) place_[at(order[at(k)])] = k;

  // Elimination tree of the permuted graph (Liu), then a postorder of it, so that supernodes are contiguous.
  std::vector<int> parent(at(n), -1), ancestor(at(n), -1);
  for (int k = 0; k < n; ++k) {
    const int node = order[at(k)];
    for (int e = graph_start_[at(node)]; e < graph_start_[at(node) + 1]; ++e) {
      int i = place_[at(graph_[at(e)])];
      while (i >= 0 && i < k) {
        const int next = ancestor[at(i)];
        ancestor[at(i)] = k;
        if (next < 0) parent[at(i)] = k;
        i = next;
      }
    }
  }
  std::vector<int> first_child(at(n), -1), next_sibling(at(n), -1);
  for (int k = n - 1; k >= 0; --k) {
    if (parent[at(k)] < 0) continue;
    next_sibling[at(k)] = first_child[at(parent[at(k)])];
    first_child[at(parent[at(k)])] = k;
  }
  std::vector<int> post, stack;
  post.reserve(at(n));
  for (int root = 0; root < n; ++root) {
    if (parent[at(root)] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int k = stack.back();
      if (first_child[at(k)] >= 0) {
        stack.push_back(first_child[at(k)]);
        first_child[at(k)] = next_sibling[at(first_child[at(k)])];
      } else {
        post.push_back(k);
        stack.pop_back();
      }
    }
  }
  std::vector<int> new_place(at(n)), new_order(at(n));
  for (int k = 0; k < n; ++k) new_place[at(post[at(k)])] = k;
  parent_.assign(at(n), -1);
  for (int k = 0; k < n; ++k) {
    new_order[at(k)] = order[at(post[at(k)])];
    const int p_old = parent[at(post[at(k)])];
    parent_[at(k)] = p_old < 0 ? -1 : new_place[at(p_old)];
  }
  order = std::move(new_order);
  for (int k = 0; k < n; ++k) place_[at(order[at(k)])] = k;
}

bool FrontalPlan::build_fronts(double max_cost) {
  const std::vector<int>& sizes = sizes_;
  const std::vector<std::pair<int, int>>& pairs = pairs_;
  const int n = static_cast<int>(sizes.size());
  const auto size_of = [&](int k) { return sizes[at(order[at(k)])]; };
  // Structure of each column: own entries and those of its children.
  below_.assign(at(n), {});
  std::vector<std::vector<int>> children(at(n));
  for (const auto& [i, j] : pairs) {
    const int a = place_[at(i)], b = place_[at(j)];
    below_[at(std::min(a, b))].push_back(std::max(a, b));
  }
  std::vector<int> mark(at(n), -1);
  double cost = 0;
  for (int k = 0; k < n; ++k) {
    std::vector<int>& list = below_[at(k)];
    std::vector<int> merged;
    mark[at(k)] = k;
    const auto take = [&](int i) {
      if (mark[at(i)] == k) return;
      mark[at(i)] = k;
      merged.push_back(i);
    };
    for (const int i : list) take(i);
    for (const int c : children[at(k)])
      for (const int i : below_[at(c)]) take(i);
    std::sort(merged.begin(), merged.end());
    list = std::move(merged);
    if (parent_[at(k)] >= 0) children[at(parent_[at(k)])].push_back(k);
    double height = 0;
    for (const int i : list) height += size_of(i);
    const double s = size_of(k);
    cost += s * (s * s / 6 + s * height / 2 + height * height / 2);
    if (cost > max_cost) return false;
  }
  cost_ = cost;

  // Supernodes: column k joins the one before when that loses little to stored zeros.
  std::vector<int> front_of(at(n), -1), front_start;
  int columns = 0, zeros = 0;
  for (int k = 0; k < n; ++k) {
    bool join = false;
    if (k > 0 && parent_[at(k - 1)] == k) {
      int before = 0, now = 0;
      for (const int i : below_[at(k - 1)]) before += size_of(i);
      for (const int i : below_[at(k)]) now += size_of(i);
      const int missing = now + size_of(k) - before;  // rows the earlier pivots do not have
      const int height = columns + size_of(k) + now, wasted = zeros + missing * columns;
      const double share = static_cast<double>(wasted) / (static_cast<double>(height) * (columns + size_of(k)));
      join = missing == 0 || share < (columns + size_of(k) <= 24 ? 0.3 : 0.1);
      if (join) zeros = wasted;
    }
    if (!join) {
      front_start.push_back(k);
      columns = 0;
      zeros = 0;
    }
    columns += size_of(k);
    front_of[at(k)] = static_cast<int>(front_start.size()) - 1;
  }
  front_start.push_back(n);

  scalar.assign(at(n) + 1, 0);
  for (int k = 0; k < n; ++k) scalar[at(k) + 1] = scalar[at(k)] + size_of(k);
  const int count = static_cast<int>(front_start.size()) - 1;
  fronts.assign(at(count), {});
  row_list.clear();
  panel_size = 0;
  side_size = 0;
  for (int f = 0; f < count; ++f) {
    Front& front = fronts[at(f)];
    const int begin = front_start[at(f)], end = front_start[at(f) + 1], last = end - 1;
    front.columns = scalar[at(end)] - scalar[at(begin)];
    front.first_row = static_cast<int>(row_list.size());
    for (int i = scalar[at(begin)]; i < scalar[at(end)]; ++i) row_list.push_back(i);
    for (const int k : below_[at(last)])
      for (int i = scalar[at(k)]; i < scalar[at(k) + 1]; ++i) row_list.push_back(i);
    front.rows = static_cast<int>(row_list.size()) - front.first_row;
    front.pivot = scalar[at(begin)];
    front.panel = panel_size;
    front.side = side_size;
    panel_size += at(front.rows) * at(front.columns);
    side_size += at(front.columns) * at(front.rows - front.columns);
    if (parent_[at(last)] >= 0) front.parent = front_of[at(parent_[at(last)])];
  }
  relative.clear();
  const auto row_in = [&](const Front& front, int row) {
    const auto begin = row_list.begin() + front.first_row;
    return static_cast<int>(std::lower_bound(begin, begin + front.rows, row) - begin);
  };
  largest_front = 0;
  stack_size = 0;
  std::size_t stack = 0;
  for (Front& front : fronts) {
    front.relative = static_cast<int>(relative.size());
    largest_front = std::max(largest_front, at(front.rows) * at(front.rows));
    if (front.parent < 0) continue;
    for (int i = front.columns; i < front.rows; ++i)
      relative.push_back(row_in(fronts[at(front.parent)], row_list[at(front.first_row + i)]));
  }
  // Height of the stack of updates: each front takes those of its children and leaves its own.
  std::vector<std::size_t> taken(at(count), 0);
  for (int f = 0; f < count; ++f) {
    const Front& front = fronts[at(f)];
    const std::size_t update = at(front.rows - front.columns) * at(front.rows - front.columns);
    stack = stack - taken[at(f)] + update;
    stack_size = std::max(stack_size, stack + taken[at(f)]);
    if (front.parent >= 0) taken[at(front.parent)] += update;
  }
  diagonal.resize(at(n));
  pair_place.resize(pairs.size());
  for (int k = 0; k < n; ++k) {
    const Front& front = fronts[at(front_of[at(k)])];
    const int local = scalar[at(k)] - front.pivot;
    diagonal[at(order[at(k)])].start = front.panel + at(local) + at(local) * at(front.rows);
    diagonal[at(order[at(k)])].stride = front.rows;
  }
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const int a = place_[at(pairs[p].first)], b = place_[at(pairs[p].second)];
    const int column = std::min(a, b), row = std::max(a, b);
    const Front& front = fronts[at(front_of[at(column)])];
    const int i = row_in(front, scalar[at(row)]), j = scalar[at(column)] - front.pivot;
    Place& place = pair_place[p];
    place.below = a > b;
    place.start = front.panel + at(i) + at(j) * at(front.rows);
    place.stride = front.rows;
    place.side_in_panel = i < front.columns;
    place.side = place.side_in_panel ? front.panel + at(j) + at(i) * at(front.rows)
                                     : front.side + at(j) + at(i - front.columns) * at(front.columns);
    place.side_stride = place.side_in_panel ? front.rows : front.columns;
  }
  return true;
}

bool FrontalPlan::make(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs, double max_cost) {
  if (!fronts.empty() && std::equal(sizes.begin(), sizes.end(), sizes_.begin(), sizes_.end()) &&
      std::equal(pairs.begin(), pairs.end(), pairs_.begin(), pairs_.end())) {
    return cost_ <= max_cost;
  }
  sizes_.assign(sizes.begin(), sizes.end());
  pairs_.assign(pairs.begin(), pairs.end());
  offset.assign(sizes.size() + 1, 0);
  std::partial_sum(sizes.begin(), sizes.end(), offset.begin() + 1);
  fronts.clear();
  find_graph();
  set_order(minimum_degree());
  const bool fits = build_fronts(max_cost);
  const double known = fits ? cost_ : max_cost;
  if (known < dissection_pays) return fits;
  std::vector<int> dissected = nested_dissection();
  if (dissected.empty()) return fits;
  FrontalPlan other = *this;
  other.fronts.clear();
  other.set_order(std::move(dissected));
  if (!other.build_fronts(fits ? 0.95 * known : known)) return fits;
  *this = std::move(other);
  return true;
}

void FrontalPlan::permute(const VecX& x, VecX& y) const {
  y.resize(x.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const int size = scalar[k + 1] - scalar[k];
    y.segment(scalar[k], size) = x.segment(offset[at(order[k])], size);
  }
}

void FrontalPlan::permute_back(const VecX& y, VecX& x) const {
  x.resize(y.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const int size = scalar[k + 1] - scalar[k];
    x.segment(offset[at(order[k])], size) = y.segment(scalar[k], size);
  }
}

}  // namespace cairn
