// SPDX-License-Identifier: Apache-2.0
// Dispatch over pairs of shape kinds, made by the compiler from the overloads in pairs.h.
#include "cairn/collision/narrow_phase.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <utility>

#include "cairn/base/error.h"
#include "cairn/collision/convex_pair.h"
#include "cairn/collision/pairs.h"
#include "cairn/collision/parallelepiped.h"

namespace cairn {
namespace {

// A routine of its own for this pair, in this order, among the overloads of pairs.h.
template <class A, class B>
concept HasRoutine = requires(const A& a, const B& b, const Placement& p, std::vector<ContactPoint>& out) {
  collide_pair(a, p, b, p, 0.0, out);
};

template <class A, class B>
concept Convex = ConvexShape<A> && ConvexShape<B>;
template <class A, class B>
concept OnPlane = ConvexShape<A> && std::same_as<B, HalfSpace>;

template <class A, class B>
concept Supported = HasRoutine<A, B> || HasRoutine<B, A> || Convex<A, B> || OnPlane<A, B> || OnPlane<B, A>;

constexpr double kRigid = 1e-9;  // deviation from a rotation that is a rigid body's drift

// A sphere on an affine body is an ellipsoid: no pair of the analytic ones.
template <class S>
bool is_analytic(const S&, const Placement&) {
  return true;
}
bool is_analytic(const Sphere&, const Placement& p) { return is_rigid(p.A, kRigid); }

// Turns round what was appended for the mirrored pair.
void mirror(std::size_t first, std::vector<ContactPoint>& out) {
  for (std::size_t k = first; k < out.size(); ++k) {
    out[k].normal = -out[k].normal;
    std::swap(out[k].feature_a, out[k].feature_b);
  }
}

template <class A>
void collide_on_plane(const A& a, const Placement& pa, const HalfSpace& b, const Placement& pb, double margin,
                      std::vector<ContactPoint>& out) {
  const WorldPlane plane = compute_world_plane(b, pb);
  // Relative to the shape's own place, which keeps the digits of small shapes far from the origin.
  collide_with_plane(make_convex(a, pa, pa.c), plane.normal, plane.offset - plane.normal.dot(pa.c), pa.c, margin, out);
}

// Sphere against a deformed box, where the analytic routine of the pair does not apply.
template <class A, class B>
bool applies(const A& a, const Placement& pa, const B& b, const Placement& pb) {
  if constexpr (std::same_as<A, Sphere> && std::same_as<B, Box>)
    return is_rigid(pa.A, kRigid) && is_rigid(pb.A, kRigid);
  else
    return is_analytic(a, pa) && is_analytic(b, pb);
}

template <class A, class B>
void collide_kinds(const A& a, const Placement& pa, const B& b, const Placement& pb, double margin,
                   std::vector<ContactPoint>& out) {
  const std::size_t first = out.size();
  if constexpr (HasRoutine<A, B>) {
    if (!(ConvexShape<A> || ConvexShape<B>) || applies(a, pa, b, pb)) return collide_pair(a, pa, b, pb, margin, out);
  } else if constexpr (HasRoutine<B, A>) {
    if (applies(b, pb, a, pa)) {
      collide_pair(b, pb, a, pa, margin, out);
      return mirror(first, out);
    }
  }
  if constexpr (Convex<A, B>) {
    const Vec3& origin = find_pair_origin(pa, pb);
    collide_convex(make_convex(a, pa, origin), make_convex(b, pb, origin), origin, margin, out);
  } else if constexpr (OnPlane<A, B>) {
    collide_on_plane(a, pa, b, pb, margin, out);
  } else if constexpr (OnPlane<B, A>) {
    collide_on_plane(b, pb, a, pa, margin, out);
    mirror(first, out);
  }
}

template <class A, class B>
constexpr std::string_view find_method() {
  if constexpr (std::same_as<A, HalfSpace> && std::same_as<B, HalfSpace>)
    return "none";
  else if constexpr (std::same_as<A, Box> && std::same_as<B, Box>)
    return "sat + clipping";
  else if constexpr (HasRoutine<A, B> || HasRoutine<B, A> || OnPlane<A, B> || OnPlane<B, A>)
    return "analytic";
  else if constexpr (Convex<A, B>)
    return "gjk/epa + clipping";
  else
    return "not supported";
}

// Row i, column j of the table of methods, from the alternatives of Shape themselves.
constexpr std::size_t kKinds = std::variant_size_v<Shape>;
template <std::size_t... k>
constexpr std::array<std::string_view, kKinds * kKinds> make_methods(std::index_sequence<k...>) {
  return {
      find_method<std::variant_alternative_t<k / kKinds, Shape>, std::variant_alternative_t<k % kKinds, Shape>>()...};
}
constexpr auto kMethods = make_methods(std::make_index_sequence<kKinds * kKinds>());

}  // namespace

void collide(const Shape& sa, const Placement& pa, const Shape& sb, const Placement& pb, double margin,
             std::vector<ContactPoint>& out) {
  std::visit(
      [&]<class A, class B>(const A& a, const B& b) {
        if constexpr (Supported<A, B>)
          collide_kinds(a, pa, b, pb, margin, out);
        else
          throw Error("contact between a {} and a {} is not supported", shape_name(sa), shape_name(sb));
      },
      sa, sb);
}

std::string_view pair_method(std::size_t i, std::size_t j) {
  if (i >= kKinds || j >= kKinds) throw Error("no shape has number {}; there are {}", std::max(i, j), kKinds);
  return kMethods[i * kKinds + j];
}

bool pair_supported(const Shape& sa, const Shape& sb) {
  return std::visit([]<class A, class B>(const A&, const B&) { return Supported<A, B>; }, sa, sb);
}

}  // namespace cairn
