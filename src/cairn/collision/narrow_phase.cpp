// SPDX-License-Identifier: Apache-2.0
// Dispatch over pairs of shape kinds, made by the compiler from the overloads in pairs.h.
#include "cairn/collision/narrow_phase.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <utility>

#include "cairn/base/error.h"
#include "cairn/collision/convex_pair.h"
#include "cairn/collision/mesh_pairs.h"
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

// Height fields and half-spaces are boundaries of the world and never meet each other.
template <class S>
constexpr bool is_boundary = std::same_as<S, HalfSpace> || std::same_as<S, HeightField>;
template <class S>
concept IsCurved = std::same_as<S, Cylinder> || std::same_as<S, Cone> || std::same_as<S, Ellipsoid> ||
    std::same_as<S, ConvexPolyhedron> || std::same_as<S, UserSolid>;

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

// Pairs of primitives, convex shapes and half-spaces.
template <class A, class B>
void collide_simple(const A& a, const Placement& pa, const B& b, const Placement& pb, double margin,
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
void collide_kinds(const A& a, const Placement& pa, const B& b, const Placement& pb, double margin,
                   std::vector<ContactPoint>& out) {
  const std::size_t first = out.size();
  if constexpr (std::same_as<A, Compound>) {
    collide_parts(a, pa, b, pb, margin, out);
  } else if constexpr (std::same_as<B, Compound>) {
    collide_parts(b, pb, a, pa, margin, out);
    mirror(first, out);
  } else if constexpr (SurfaceShape<B> && !std::same_as<A, HeightField>) {
    collide_with_surface(a, pa, b, pb, margin, out);
  } else if constexpr (SurfaceShape<A>) {
    collide_with_surface(b, pb, a, pa, margin, out);
    mirror(first, out);
  } else {
    collide_simple(a, pa, b, pb, margin, out);
  }
}

template <class A, class B>
constexpr std::string_view find_method() {
  if constexpr (std::same_as<A, Compound> || std::same_as<B, Compound>)
    return "part by part";
  else if constexpr (is_boundary<A> && is_boundary<B>)
    return "none";
  else if constexpr (SurfaceShape<A> && SurfaceShape<B>)
    return "features";
  else if constexpr (SurfaceShape<A> || SurfaceShape<B>)
    return std::same_as<A, HalfSpace> || std::same_as<B, HalfSpace> ? "vertices"
           : IsCurved<A> || IsCurved<B>                             ? "gjk/epa with features"
                                                                    : "features";
  else if constexpr (std::same_as<A, Box> && std::same_as<B, Box>)
    return "sat + clipping";
  else if constexpr (HasRoutine<A, B> || HasRoutine<B, A> || OnPlane<A, B> || OnPlane<B, A>)
    return "analytic";
  else
    return "gjk/epa + clipping";
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
  std::visit([&](const auto& a, const auto& b) { collide_kinds(a, pa, b, pb, margin, out); }, sa, sb);
}

std::string_view pair_method(std::size_t i, std::size_t j) {
  if (i >= kKinds || j >= kKinds) throw Error("no shape has number {}; there are {}", std::max(i, j), kKinds);
  return kMethods[i * kKinds + j];
}

}  // namespace cairn
