// SPDX-License-Identifier: Apache-2.0
// Chooses the way two shapes touch when one is a surface or a compound.
#include "cairn/collision/mesh_pairs.h"

#include "cairn/base/error.h"
#include "cairn/collision/convex_pair.h"
#include "cairn/collision/height_patch.h"
#include "cairn/collision/narrow_phase.h"
#include "cairn/collision/pairs.h"
#include "cairn/collision/surface_contacts.h"
#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/polyhedron.h"

namespace cairn {
namespace {

/// Share of the smaller body that overlaps may reach and still be found on all features.
constexpr double kReach = 0.1;

const MeshData& mesh_of(const TriangleMesh& m) { return *m.data; }
const MeshData& mesh_of(const CellMesh& m) { return m.data->shell; }

/// Feature id of a part of a compound: spread so that parts do not share ids.
std::uint32_t name_part(std::uint32_t feature, std::size_t part) {
  return feature ^ (static_cast<std::uint32_t>(part + 1) * 0x9e3779b1u);
}

template <class A>
void collide_placed(SurfaceContacts& contacts, const A& a, const Placement& pa, const PlacedMesh& target,
                    const Vec3& origin, double margin, std::vector<ContactPoint>& out) {
  const double reach = kReach * std::min(bounding_radius(Shape(a)), target.mesh->radius);
  if constexpr (std::same_as<A, Sphere>) {
    if (is_rotation(pa.A)) {
      const Vec3 x = pa.c - origin;
      return contacts.find(RoundCore{x, x, a.radius}, target, origin, margin, out);
    }
  }
  if constexpr (std::same_as<A, Capsule>) {
    if (is_rotation(pa.A)) {
      const Vec3 x = pa.c - origin, half = a.half_length * pa.A.col(2);
      return contacts.find(RoundCore{x - half, x + half, a.radius}, target, origin, margin, out);
    }
  }
  if constexpr (std::same_as<A, Box>) {
    Placement p = pa;
    p.A = pa.A * a.half_extents.asDiagonal();
    return contacts.find(place_mesh(unit_cube(), p, origin), target, origin, margin, reach, out);
  } else if constexpr (std::same_as<A, TriangleMesh> || std::same_as<A, CellMesh>) {
    return contacts.find(place_mesh(mesh_of(a), pa, origin), target, origin, margin, reach, out);
  } else if constexpr (ConvexShape<A>) {
    if constexpr (std::same_as<A, ConvexPolyhedron>) {
      if (a.data && a.data->shell)
        return contacts.find(place_mesh(*a.data->shell, pa, origin), target, origin, margin, reach, out);
    }
    return contacts.find(make_convex(a, pa, origin), target, origin, margin, reach, out);
  }
}

template <class A, SurfaceShape B>
void collide_kinds(const A& a, const Placement& pa, const B& b, const Placement& pb, double margin,
                   std::vector<ContactPoint>& out) {
  static thread_local SurfaceContacts contacts;
  const Vec3 origin = find_pair_origin(pa, pb);
  if constexpr (std::same_as<B, HeightField>) {
    if constexpr (std::same_as<A, HeightField> || std::same_as<A, HalfSpace>) {
      return;  // both are fixed: boundaries do not touch each other
    } else {
      static thread_local HeightPatch patch;
      const std::size_t first = out.size();
      const double reach = kReach * bounding_radius(Shape(a));
      if (!patch.cut(*b.data, pb, compute_aabb(a, pa), std::max(margin, reach))) return;
      collide_placed(contacts, a, pa, place_mesh(patch.mesh(), pb, origin), origin, margin, out);
      for (std::size_t k = first; k < out.size(); ++k) out[k].feature_b = patch.feature(out[k].feature_b);
    }
  } else if constexpr (std::same_as<A, HalfSpace>) {
    const WorldPlane plane = compute_world_plane(a, pa);
    const std::size_t first = out.size();
    contacts.find(place_mesh(mesh_of(b), pb, origin), plane.normal, plane.offset - plane.normal.dot(origin), origin,
                  margin, out);
    for (std::size_t k = first; k < out.size(); ++k) {
      out[k].normal = -out[k].normal;
      std::swap(out[k].feature_a, out[k].feature_b);
    }
  } else {
    collide_placed(contacts, a, pa, place_mesh(mesh_of(b), pb, origin), origin, margin, out);
  }
}

}  // namespace

void collide_with_surface(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb, double margin,
                          std::vector<ContactPoint>& out) {
  std::visit(
      [&]<class A, class B>(const A& s, const B& t) {
        if constexpr (SurfaceShape<B> && !std::same_as<A, Compound>)
          collide_kinds(s, pa, t, pb, margin, out);
        else
          throw Error("{} is not a surface", shape_name(b));
      },
      a, b);
}

void collide_parts(const Compound& a, const Placement& pa, const Shape& b, const Placement& pb, double margin,
                   std::vector<ContactPoint>& out) {
  Aabb other = compute_aabb(b, pb);
  other.expand(margin);
  for (std::size_t k = 0; k < a.data->parts.size(); ++k) {
    const CompoundPart& part = a.data->parts[k];
    const Placement p{pa.A * part.at.A, pa.apply(part.at.c)};
    if (!compute_aabb(part.shape, p).overlaps(other)) continue;
    const std::size_t first = out.size();
    collide(part.shape, p, b, pb, margin, out);
    for (std::size_t i = first; i < out.size(); ++i) out[i].feature_a = name_part(out[i].feature_a, k);
  }
}

bool has_surface(const Shape& shape) {
  return std::visit([]<class S>(const S&) { return SurfaceShape<S> || std::same_as<S, Compound>; }, shape);
}

}  // namespace cairn
