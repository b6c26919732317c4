// SPDX-License-Identifier: Apache-2.0
// Counts every allocation of a test program, operator new and Eigen's own alike, by standing in for the C allocator.
// Include in exactly one source file of the program: the replaced functions are not inline.
#pragma once
#include <atomic>
#include <cstddef>

namespace cairn_test {
inline std::atomic<long> allocations{0};
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// The sanitizers stand there already.
#define CAIRN_COUNTS_ALLOCATIONS 0
#else
#define CAIRN_COUNTS_ALLOCATIONS 1
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++cairn_test::allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++cairn_test::allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* p, std::size_t size) {
  ++cairn_test::allocations;
  return __libc_realloc(p, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++cairn_test::allocations;
  return __libc_memalign(alignment, size);
}
}
#endif
