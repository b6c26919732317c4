// SPDX-License-Identifier: Apache-2.0
// Numbers with prefixes, as people write them.
#include "cairn/io/words.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(WithPrefix, three_digits_between_one_and_a_thousand) {
  EXPECT_EQ(with_prefix(12345, "N"), "12.3 kN");
  EXPECT_EQ(with_prefix(0.00045, "m"), "450 um");
  EXPECT_EQ(with_prefix(1, "s"), "1 s");
  EXPECT_EQ(with_prefix(-2.5e6, "J"), "-2.5 MJ");
  EXPECT_EQ(with_prefix(1000, "N"), "1 kN");
  EXPECT_EQ(with_prefix(0, "N"), "0 N");
}

TEST(WithPrefix, rounding_never_gives_a_thousand) {
  EXPECT_EQ(with_prefix(999.9, "N"), "1 kN");
  EXPECT_EQ(with_prefix(0.9999, "m"), "1 m");
}

TEST(WithPrefix, beyond_the_prefixes_numbers_stay_readable) {
  EXPECT_EQ(with_prefix(1e-20, "m"), "1e-20 m");
  EXPECT_EQ(with_prefix(1e25, "m"), "1e+25 m");
}

}  // namespace
}  // namespace cairn
