// SPDX-License-Identifier: Apache-2.0
// Loops over independent items on a given number of threads; results never depend on that number.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace cairn {

/// How many threads a computation may use. One thread never touches the thread library.
struct Threads {
  int count = 1;
};

/// Calls body(begin, end) over chunks of at least `grain` items covering [0, n). The items must be independent:
/// each writes only its own slots, so that the bits are the same for every thread count.
template <class Body>
void parallel_chunks(Threads threads, std::size_t n, std::size_t grain, Body&& body) {
  if (n == 0) return;
  if (threads.count <= 1 || n <= grain) {
    body(std::size_t{0}, n);
    return;
  }
  // The two hand-overs (caller to workers, workers to caller), where the thread sanitizer can see them: the library
  // that does them is not compiled with it.
  std::atomic<int> started{0}, finished{0};
  started.store(1, std::memory_order_release);
  tbb::task_arena arena(threads.count);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain), [&](const tbb::blocked_range<std::size_t>& r) {
      started.load(std::memory_order_acquire);
      body(r.begin(), r.end());
      finished.fetch_add(1, std::memory_order_release);
    });
  });
  finished.load(std::memory_order_acquire);
}

}  // namespace cairn
