// SPDX-License-Identifier: Apache-2.0
// Expanding polytope: the face whose plane is nearest to the origin is pushed out until it lies on the boundary.
//
// Faces are ordered by the signed offset of their plane. For a polytope that holds the origin this is the usual
// algorithm; where round-off has left the origin outside, the faces it sees have negative offsets, are pushed out
// first, and at the end give the widest separation over the faces of a - b, as a separating axis test does.
#include "cairn/collision/epa.h"

#include <algorithm>
#include <limits>

namespace cairn {
namespace {

constexpr int kMaxPoints = 128, kMaxFaces = 2 * kMaxPoints, kMaxHorizon = 128;
constexpr double kLeast = 1e-11;  // of the size: no share of a depth is smaller
constexpr double kFlat = 1e-13;   // extents below this part of the size are round-off

struct Face {
  std::array<int, 3> v;          // counter-clockwise from outside
  std::array<int, 3> neighbour;  // across the edge v[k], v[k + 1]
  Vec3 n;
  double offset;
  bool alive;
};

struct Polytope {
  std::array<MinkowskiPoint, kMaxPoints> point;
  int points = 0;
  std::array<Face, kMaxFaces> face;
  int faces = 0;
  struct Ridge {
    int face, edge;
  };
  std::array<Ridge, kMaxHorizon> horizon;
  int ridges = 0;

  // False when the face has no area.
  bool make_face(int index, int i, int j, int k) {
    Face& f = face[index];
    f.v = {i, j, k};
    f.alive = true;
    const Vec3 &p = point[i].y, &q = point[j].y, &r = point[k].y;
    const Vec3 u = q - p, w = r - p;
    f.n = u.cross(w);
    const double length = f.n.norm();
    if (!(length > 0)) return false;
    f.n /= length;
    f.offset = (f.n.dot(p) + f.n.dot(q) + f.n.dot(r)) / 3;
    return true;
  }

  // Faces that see w, by flooding from face f; their rim is the horizon, in order.
  bool flood(int f, int across, const Vec3& w, double eps) {
    // Explicit stack of (face, edge it was entered by, next edge to look at): the rim comes out in order round w.
    struct Visit {
      int face, edge, left;
    };
    std::array<Visit, kMaxFaces> stack;
    int top = 0;
    face[f].alive = false;
    stack[top++] = {f, across, 3};
    while (top > 0) {
      Visit& here = stack[top - 1];
      if (here.left == 0) {
        --top;
        continue;
      }
      const int edge = here.edge;
      here.edge = (here.edge + 1) % 3;
      --here.left;
      const int next = face[here.face].neighbour[edge];
      if (!face[next].alive) continue;
      int back = 0;
      while (face[next].neighbour[back] != here.face) {
        if (++back == 3) return false;
      }
      if (face[next].n.dot(w) - face[next].offset > eps) {
        if (top == kMaxFaces) return false;
        face[next].alive = false;
        stack[top++] = {next, (back + 1) % 3, 2};
      } else {
        if (ridges == kMaxHorizon) return false;
        horizon[ridges++] = {next, back};
      }
    }
    return ridges >= 3;
  }
};

// A tetrahedron from extreme points; less than 3 dimensions when the set is flat to round-off.
int find_start(const PlacedConvex& a, const PlacedConvex& b, const Vec3& guess, double flat, Polytope& p) {
  const auto extreme = [&](const Vec3& d, int k) { p.point[k] = find_minkowski_support(a, b, d); };
  extreme(-guess, 0);
  extreme(guess, 1);
  Vec3 u = p.point[1].y - p.point[0].y;
  for (int axis = 0; axis < 3 && u.norm() <= flat; ++axis) {
    extreme(Vec3::Unit(axis), 0);
    extreme(-Vec3::Unit(axis), 1);
    u = p.point[1].y - p.point[0].y;
  }
  if (u.norm() <= flat) return 0;
  u.normalize();

  // Farthest from the line, looking in six directions across it.
  const Vec3 across = u.unitOrthogonal(), third = u.cross(across);
  double farthest = 0;
  for (int k = 0; k < 3; ++k) {
    const double angle = k * 1.0471975511965976;  // 60 degrees
    const Vec3 d = std::cos(angle) * across + std::sin(angle) * third;
    for (const Vec3& e : {d, Vec3(-d)}) {
      const MinkowskiPoint w = find_minkowski_support(a, b, e);
      const Vec3 off = w.y - p.point[0].y;
      const double distance = (off - off.dot(u) * u).norm();
      if (distance > farthest * (1 + 1e-9)) farthest = distance, p.point[2] = w;
    }
  }
  if (farthest <= flat) return 1;
  const Vec3 n = (p.point[1].y - p.point[0].y).cross(p.point[2].y - p.point[0].y).normalized();
  const double base = n.dot(p.point[0].y);
  const MinkowskiPoint up = find_minkowski_support(a, b, n), down = find_minkowski_support(a, b, -n);
  const double rise = n.dot(up.y) - base, fall = base - n.dot(down.y);
  p.point[3] = rise >= fall ? up : down;
  return std::max(rise, fall) > flat ? 3 : 2;
}

bool use_tetrahedron(const Simplex& s, Polytope& p) {
  if (s.count != 4) return false;
  const Vec3 u = s.point[1].y - s.point[0].y, v = s.point[2].y - s.point[0].y, w = s.point[3].y - s.point[0].y;
  const double length = std::max({u.norm(), v.norm(), w.norm()});
  if (!(std::abs(u.cross(v).dot(w)) > 1e-3 * length * length * length)) return false;
  for (int k = 0; k < 4; ++k) p.point[k] = s.point[k];
  return true;
}

void close_tetrahedron(Polytope& p) {
  const Vec3 u = p.point[1].y - p.point[0].y, v = p.point[2].y - p.point[0].y, w = p.point[3].y - p.point[0].y;
  if (u.cross(v).dot(w) > 0) std::swap(p.point[1], p.point[2]);
  p.points = 4;
  p.make_face(0, 0, 1, 2);
  p.make_face(1, 0, 3, 1);
  p.make_face(2, 0, 2, 3);
  p.make_face(3, 1, 3, 2);
  p.face[0].neighbour = {1, 3, 2};
  p.face[1].neighbour = {2, 3, 0};
  p.face[2].neighbour = {0, 3, 1};
  p.face[3].neighbour = {1, 2, 0};
  p.faces = 4;
}

// Puts a new face in a free place.
int allocate(Polytope& p, int& free_from) {
  for (; free_from < p.faces; ++free_from)
    if (!p.face[free_from].alive) return free_from++;
  if (p.faces == kMaxFaces) return -1;
  free_from = p.faces + 1;
  return p.faces++;
}

// Replaces the faces that see w by a cone of faces over their rim; false when the polytope is full or broken.
bool add_point(Polytope& p, int nearest, const MinkowskiPoint& w, double eps) {
  if (p.points == kMaxPoints) return false;
  p.ridges = 0;
  if (!p.flood(nearest, 0, w.y, eps)) return false;
  const int apex = p.points++;
  p.point[apex] = w;
  int free_from = 0, first = -1, previous = -1;
  for (int k = 0; k < p.ridges; ++k) {
    const auto [outer, edge] = p.horizon[k];
    const int i = p.face[outer].v[(edge + 1) % 3], j = p.face[outer].v[edge];
    const int f = allocate(p, free_from);
    if (f < 0 || !p.make_face(f, i, j, apex)) return false;
    p.face[f].neighbour[0] = outer;
    p.face[outer].neighbour[edge] = f;
    if (previous >= 0) {
      if (p.face[previous].v[1] != i) return false;
      p.face[previous].neighbour[1] = f;
      p.face[f].neighbour[2] = previous;
    } else {
      first = f;
    }
    previous = f;
  }
  if (p.face[previous].v[1] != p.face[first].v[0]) return false;
  p.face[previous].neighbour[1] = first;
  p.face[first].neighbour[2] = previous;
  return true;
}

}  // namespace

Penetration find_penetration(const PlacedConvex& a, const PlacedConvex& b, const Simplex& start, const Vec3& guess,
                             double tolerance, double share) {
  Polytope p;
  Penetration result;
  const double size = a.size + b.size, flat = kFlat * size, eps = 1e-15 * size;
  if (!use_tetrahedron(start, p)) {
    result.dimension = find_start(a, b, guess, flat, p);
    if (result.dimension < 3) {
      // Flat: out across the plane, the line, or anywhere; the depth of the cores is nought.
      Vec3 n = guess;
      if (result.dimension == 2)
        n = (p.point[1].y - p.point[0].y).cross(p.point[2].y - p.point[0].y).normalized();
      else if (result.dimension == 1)
        n = (p.point[1].y - p.point[0].y).unitOrthogonal();
      if (n.dot(a.c - b.c) < 0) n = -n;
      result.normal = n;
      result.separation = n.dot(find_minkowski_support(a, b, -n).y);
      return result;
    }
  }
  close_tetrahedron(p);

  double least = std::numeric_limits<double>::infinity();
  for (;;) {
    int nearest = -1;
    for (int f = 0; f < p.faces; ++f)
      if (p.face[f].alive && (nearest < 0 || p.face[f].offset < p.face[nearest].offset)) nearest = f;
    if (nearest < 0) break;
    const Face& f = p.face[nearest];
    const double enough = share > 0 ? std::min(tolerance, std::max(share * least, kLeast * size)) : tolerance;
    if (least - f.offset <= enough) break;
    const MinkowskiPoint& hint = p.point[f.v[0]];
    const MinkowskiPoint w = find_minkowski_support(a, b, f.n, hint.ia, hint.ib);
    const double height = f.n.dot(w.y);
    if (height < least) {
      least = height;
      result.normal = -f.n;
      for (int k = 0; k < 3; ++k) result.face[k] = p.point[f.v[k]];
    }
    if (height - f.offset <= std::max(enough, 4 * eps)) break;
    if (!add_point(p, nearest, w, eps)) break;
  }
  result.separation = -least;
  return result;
}

}  // namespace cairn
