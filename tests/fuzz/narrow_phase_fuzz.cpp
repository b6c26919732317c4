// SPDX-License-Identifier: Apache-2.0
// Fuzz target of the narrow phase for libFuzzer: configure with clang and -DCAIRN_FUZZ=ON, then run
// cairn_fuzz_narrow_phase. tests/collision/fuzz_replay_test.cpp runs the same checks without it.
#include <cstdio>
#include <cstdlib>

#include "fuzz/narrow_phase_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string complaint = cairn::fuzz::check_narrow_phase({data, size});
  if (complaint.empty()) return 0;
  std::fprintf(stderr, "%s\n", complaint.c_str());
  std::abort();
}
