// SPDX-License-Identifier: Apache-2.0
// The sets of boxes are what they claim to be, and kernels are found by name.
#include "benchmarks/kernel_benchmarks.h"

#include <gtest/gtest.h>

#include "benchmarks/broad_phase_sets.h"
#include "cairn/base/error.h"
#include "cairn/collision/broad_phase.h"

namespace cairn {
namespace {

double count_pairs_per_box(std::string_view kind, int count) {
  const BoxSet set = make_box_set(kind, count);
  std::vector<Pair> pairs;
  make_broad_phase()->find_pairs(set.boxes, set.mobile, pairs);
  return static_cast<double>(pairs.size()) / count;
}

TEST(BroadPhaseSets, have_about_ten_pairs_per_box) {
  // Boxes at the border of the cube have fewer; the sphere has no border. A lattice of 30 a side has
  // ((3 30 - 2)^3 - 30^3) / 2 pairs.
  EXPECT_NEAR(count_pairs_per_box("random", 27'000), 10, 1);
  EXPECT_NEAR(count_pairs_per_box("spherical", 27'000), 10, 0.2);
  EXPECT_DOUBLE_EQ(count_pairs_per_box("packed", 27'000), (88.0 * 88 * 88 - 27'000) / 2 / 27'000);
  EXPECT_THROW(make_box_set("cubic", 10), Error);
}

TEST(KernelBenchmarks, are_found_by_name_and_print_what_was_not_measured_as_a_dash) {
  for (const KernelBenchmark& kernel : kernel_benchmarks()) EXPECT_EQ(find_kernel_benchmark(kernel.name), &kernel);
  EXPECT_EQ(find_kernel_benchmark("broadphase-cubic"), nullptr);
  const std::string table = to_table({{"fast", "10", 0.5}, {"fast", "100", 0.25}, {"slow", "10", 2}});
  EXPECT_EQ(table, "us per item      10     100\nfast          0.500   0.250\nslow          2.000       -\n");
}

}  // namespace
}  // namespace cairn
