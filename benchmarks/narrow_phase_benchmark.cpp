// SPDX-License-Identifier: Apache-2.0
// The narrow phase on pairs about to touch: overlapping, and apart by more or less than the margin.
#include "benchmarks/kernel_benchmarks.h"
#include "benchmarks/narrow_phase_queries.h"
#include "cairn/collision/narrow_phase.h"
#include "cairn/collision/overlap.h"

namespace cairn {
namespace {

constexpr int kQueries = 200;

}  // namespace

std::vector<KernelTime> measure_narrow_phase(std::string_view kind, const KernelOptions& options) {
  const std::vector<PairQuery> all = make_pair_queries(kind, kQueries);
  std::vector<KernelTime> times;
  for (const bool overlaps : {true, false}) {
    std::vector<PairQuery> queries;
    for (const PairQuery& q : all)
      if (q.overlaps == overlaps) queries.push_back(q);
    const std::string input = overlaps ? "overlapping" : "apart";
    const auto add = [&](const std::string& method, const std::function<void(const PairQuery&)>& run) {
      const double seconds = time_queries(queries.size(), 3 * options.repeat, [&](std::size_t k) { run(queries[k]); });
      times.push_back({method, input, 1e6 * seconds});
    };
    std::vector<ContactPoint> points;
    add("contacts", [&](const PairQuery& q) {
      points.clear();
      collide(q.a, q.pa, q.b, q.pb, 0, points);
    });
    add("contacts, margin 1 %", [&](const PairQuery& q) {
      points.clear();
      collide(q.a, q.pa, q.b, q.pb, 0.01 * q.size, points);
    });
    if (kind != "hulls" || !overlaps) continue;
    const auto polyhedron = [](const Shape& s) -> const Polyhedron& { return *std::get<ConvexPolyhedron>(s).data; };
    add("overlap by clipping", [&](const PairQuery& q) {
      compute_overlap_contact(clip_overlap(polyhedron(q.a), q.pa, polyhedron(q.b), q.pb));
    });
    add("overlap by polarity", [&](const PairQuery& q) {
      compute_overlap_contact(polarise_overlap(polyhedron(q.a), q.pa, polyhedron(q.b), q.pb));
    });
  }
  return times;
}

}  // namespace cairn
