// SPDX-License-Identifier: Apache-2.0
// Dispatch over pairs of shape kinds, made by the compiler from the overloads in pairs.h.
#include "cairn/collision/narrow_phase.h"

#include "cairn/base/error.h"
#include "cairn/collision/pairs.h"

namespace cairn {
namespace {

template <class A, class B>
concept HasRoutine = requires(const A& a, const B& b, const Placement& p, std::vector<ContactPoint>& out) {
  collide_pair(a, p, b, p, 0.0, out);
};

}  // namespace

void collide(const Shape& sa, const Placement& pa, const Shape& sb, const Placement& pb, double margin,
             std::vector<ContactPoint>& out) {
  std::visit(
      [&]<class A, class B>(const A& a, const B& b) {
        if constexpr (HasRoutine<A, B>) {
          collide_pair(a, pa, b, pb, margin, out);
        } else if constexpr (HasRoutine<B, A>) {
          const std::size_t first = out.size();
          collide_pair(b, pb, a, pa, margin, out);
          for (std::size_t k = first; k < out.size(); ++k) out[k].normal = -out[k].normal;
        } else {
          throw Error("contact between a {} and a {} is not supported", shape_name(sa), shape_name(sb));
        }
      },
      sa, sb);
}

bool pair_supported(const Shape& sa, const Shape& sb) {
  return std::visit([]<class A, class B>(const A&, const B&) { return HasRoutine<A, B> || HasRoutine<B, A>; }, sa, sb);
}

}  // namespace cairn
