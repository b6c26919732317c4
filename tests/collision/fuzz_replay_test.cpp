// SPDX-License-Identifier: Apache-2.0
// Pseudo-random bytes through the fuzz target of the narrow phase, the same on every machine. CAIRN_FUZZ_INPUTS asks
// for more of them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "fuzz/narrow_phase_input.h"

namespace cairn {
namespace {

TEST(FuzzReplay, any_bytes_give_sane_contacts_or_a_refusal) {
  const char* given = std::getenv("CAIRN_FUZZ_INPUTS");
  const unsigned count = given ? static_cast<unsigned>(std::atoi(given)) : 6000;
  for (unsigned seed = 0; seed < count; ++seed) {
    std::mt19937 random(seed);
    std::vector<std::uint8_t> bytes(16 + random() % 100);
    // A third of the inputs has round numbers only: faces, edges and vertices that coincide.
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(seed % 3 == 0 ? random() % 8 * 16 : random());
    EXPECT_EQ(fuzz::check_narrow_phase(bytes), "") << "input " << seed;
  }
}

}  // namespace
}  // namespace cairn
