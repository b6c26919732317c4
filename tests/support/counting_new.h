// SPDX-License-Identifier: Apache-2.0
// Counts every allocation of a test program. Include in exactly one source file of it: the replaced operators are not inline.
#pragma once
#include <atomic>
#include <cstdlib>
#include <new>

namespace cairn_test {

inline std::atomic<long> allocations{0};

// Kept out of line: the compiler would otherwise pair the malloc it sees with the delete it does not.
[[gnu::noinline]] inline void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* p = alignment > alignof(std::max_align_t)
                ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                : std::malloc(size);
  if (!p) throw std::bad_alloc();
  return p;
}
[[gnu::noinline]] inline void released(void* p) { std::free(p); }

}  // namespace cairn_test

void* operator new(std::size_t size) { return cairn_test::counted(size, 1); }
void* operator new[](std::size_t size) { return cairn_test::counted(size, 1); }
void* operator new(std::size_t size, std::align_val_t a) {
  return cairn_test::counted(size, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t size, std::align_val_t a) {
  return cairn_test::counted(size, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { cairn_test::released(p); }
void operator delete[](void* p) noexcept { cairn_test::released(p); }
void operator delete(void* p, std::size_t) noexcept { cairn_test::released(p); }
void operator delete[](void* p, std::size_t) noexcept { cairn_test::released(p); }
void operator delete(void* p, std::align_val_t) noexcept { cairn_test::released(p); }
void operator delete[](void* p, std::align_val_t) noexcept { cairn_test::released(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { cairn_test::released(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { cairn_test::released(p); }
