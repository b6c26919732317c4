// SPDX-License-Identifier: Apache-2.0
// Distances of any two shapes without the routines of room collision: shapes as convex pieces (whole convex shapes,
// triangles of surfaces), and for each pair of pieces the point of least norm of their difference (Wolfe 1976, "Finding
// the nearest point in a polytope"), which bounds the distance from both sides.
#pragma once
#include <Eigen/QR>
#include <array>
#include <numbers>
#include <span>
#include <vector>

#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/height_field.h"
#include "cairn/geometry/mesh.h"
#include "collision/pair_helpers.h"

namespace cairn::test {

/// A convex shape or a triangle, placed.
struct Piece {
  const Shape* shape = nullptr;
  Placement at;
  std::array<Vec3, 3> corners;
  Vec3 middle;
  double radius = 0;  ///< of a ball about the middle that holds it

  Vec3 support(const Vec3& d) const {
    if (shape) return at.apply(compute_support(*shape, at.A.transpose() * d));
    const double x = d.dot(corners[0]), y = d.dot(corners[1]), z = d.dot(corners[2]);
    return x >= y && x >= z ? corners[0] : y >= z ? corners[1] : corners[2];
  }
};

/// The triangles of a surface in the shape's own frame; none for other shapes.
struct SurfaceView {
  std::span<const Vec3> vertices;
  std::span<const std::array<int, 3>> triangles;
  std::shared_ptr<const SurfaceMesh> own;
};

inline SurfaceView surface_of(const Shape& shape) {
  if (const auto* m = std::get_if<TriangleMesh>(&shape)) return {m->data->vertices, m->data->triangles, nullptr};
  if (const auto* c = std::get_if<CellMesh>(&shape))
    return {c->data->surface.vertices, c->data->surface.triangles, nullptr};
  if (!std::holds_alternative<HeightField>(shape)) return {};
  const auto own = std::make_shared<const SurfaceMesh>(make_surface_mesh(shape));
  return {own->vertices, own->triangles, own};
}

inline void append_pieces(const Shape& shape, const Placement& p, std::vector<Piece>& out) {
  if (const auto* c = std::get_if<Compound>(&shape)) {
    for (const CompoundPart& part : c->data->parts)
      append_pieces(part.shape, {p.A * part.at.A, p.apply(part.at.c)}, out);
    return;
  }
  const SurfaceView surface = surface_of(shape);
  for (const auto& t : surface.triangles) {
    Piece piece;
    for (std::size_t k = 0; k < 3; ++k) piece.corners[k] = p.apply(surface.vertices[t[k]]);
    piece.middle = (piece.corners[0] + piece.corners[1] + piece.corners[2]) / 3;
    for (const Vec3& x : piece.corners) piece.radius = std::max(piece.radius, (x - piece.middle).norm());
    out.push_back(piece);
  }
  if (surface.triangles.empty()) {
    Piece piece;
    piece.shape = &shape;
    piece.at = p;
    piece.middle = p.c;
    piece.radius = bounding_radius(shape) * p.A.norm();
    out.push_back(piece);
  }
}

inline std::vector<Piece> make_pieces(const Shape& shape, const Placement& p) {
  std::vector<Piece> out;
  append_pieces(shape, p, out);
  return out;
}

/// The distance lies between the two; both zero (upper to rounding) for pieces that overlap.
struct Bounds {
  double lower = 0, upper = 1e300;
};

/// Stops early when the distance is surely more than `enough`.
inline Bounds bound_distance(const Piece& a, const Piece& b, double enough) {
  Bounds r;
  r.lower = (a.middle - b.middle).norm() - a.radius - b.radius;
  if (r.lower > enough) return r;
  r.lower = 0;
  std::vector<Vec3> s;
  std::vector<double> weight;
  Vec3 x = a.support(b.middle - a.middle) - b.support(a.middle - b.middle);
  s.push_back(x);
  weight.push_back(1);
  const double tiny = 1e-15 * (a.radius + b.radius);
  for (int round = 0; round < 300; ++round) {
    const double norm = x.norm();
    r.upper = std::min(r.upper, norm);
    if (norm <= tiny || s.size() == 4) return r;  // four points about the origin: they overlap
    const Vec3 w = a.support(-x) - b.support(x);
    r.lower = std::max(r.lower, x.dot(w) / norm);
    if (r.lower > enough || r.upper - r.lower <= tiny) return r;
    for (const Vec3& old : s)
      if ((old - w).norm() <= tiny) return r;
    s.push_back(w);
    weight.push_back(0);
    // To the point of least norm of the hull of s: towards that of its plane, dropping what gets in the way.
    for (;;) {
      const auto n = static_cast<Eigen::Index>(s.size());
      Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> D(3, n - 1);
      for (Eigen::Index i = 1; i < n; ++i) D.col(i - 1) = s[i] - s[0];
      Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 4, 1> f(n);
      f.tail(n - 1) = D.colPivHouseholderQr().solve(-s[0]);
      f(0) = 1 - f.tail(n - 1).sum();
      double step = 1;
      int drop = -1;
      for (int i = 0; i < n; ++i)
        if (f(i) <= 0 && weight[i] - f(i) > 0 && weight[i] / (weight[i] - f(i)) < step)
          step = weight[i] / (weight[i] - f(i)), drop = i;
      x.setZero();
      for (int i = 0; i < n; ++i) {
        weight[i] += step * (f(i) - weight[i]);
        x += weight[i] * s[i];
      }
      if (drop < 0) break;
      s.erase(s.begin() + drop);
      weight.erase(weight.begin() + drop);
      if (s.size() == 1) {
        x = s[0];
        weight[0] = 1;
        break;
      }
    }
  }
  return r;
}

/// Distance of the surfaces of surfaces, of the solids of convex shapes; of a compound the nearest of its parts.
inline Bounds bound_distance(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb, double enough) {
  Bounds r{enough, 1e300};
  const std::vector<Piece> of_a = make_pieces(a, pa), of_b = make_pieces(b, pb);
  for (const Piece& x : of_a)
    for (const Piece& y : of_b) {
      const Bounds s = bound_distance(x, y, std::min(enough, r.upper));
      r.lower = std::min(r.lower, s.lower);
      r.upper = std::min(r.upper, s.upper);
    }
  return r;
}

/// Distance of a point from a triangle.
inline double point_triangle(const Vec3& p, const std::array<Vec3, 3>& t) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  const Vec3 q = p - n.dot(p - t[0]) * n;
  bool inside = true;
  double best = INFINITY;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 a = t[k], d = t[(k + 1) % 3] - a;
    if (n.cross(d).dot(q - a) < 0) inside = false;
    const double s = std::clamp(d.dot(p - a) / d.squaredNorm(), 0.0, 1.0);
    best = std::min(best, (p - a - s * d).norm());
  }
  return inside ? std::abs(n.dot(p - t[0])) : best;
}

/// True when x is inside a closed surface: the solid angle of all its triangles is 4 pi (van Oosterom & Strackee 1983).
inline bool winds_about(const SurfaceView& surface, const Vec3& x) {
  double angle = 0;
  for (const auto& t : surface.triangles) {
    const Vec3 a = surface.vertices[t[0]] - x, b = surface.vertices[t[1]] - x, c = surface.vertices[t[2]] - x;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    angle += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return angle > 2 * std::numbers::pi;
}

/// How far x lies outside of any shape, at most; <= 0 inside.
inline double outside_any(const Shape& shape, const Placement& p, const Vec3& x) {
  if (const auto* c = std::get_if<Compound>(&shape)) {
    double least = INFINITY;
    for (const CompoundPart& part : c->data->parts)
      least = std::min(least, outside_any(part.shape, {p.A * part.at.A, p.apply(part.at.c)}, x));
    return least;
  }
  const SurfaceView surface = surface_of(shape);
  if (surface.triangles.empty()) return outside(shape, p, x);
  const Vec3 X = p.A.inverse() * (x - p.c);
  if (const auto* field = std::get_if<HeightField>(&shape)) {
    if (X.z() <= field->data->height_at(X.x(), X.y())) return 0;
  } else if (winds_about(surface, X)) {
    return 0;
  }
  double least = INFINITY;
  for (const auto& t : surface.triangles)
    least = std::min(least, point_triangle(x, {p.apply(surface.vertices[t[0]]), p.apply(surface.vertices[t[1]]),
                                               p.apply(surface.vertices[t[2]])}));
  return least;
}

/// Points of the surface of a placed shape: the vertices of surfaces, supports of convex pieces in many directions.
inline std::vector<Vec3> sample_surface(const Shape& shape, const Placement& p) {
  std::vector<Vec3> out;
  for (const Piece& piece : make_pieces(shape, p)) {
    if (!piece.shape) out.insert(out.end(), piece.corners.begin(), piece.corners.end());
    for (int k = 0; k < 60 && piece.shape; ++k) {  // Fibonacci points
      const double z = 1 - (2 * k + 1) / 60.0, r = std::sqrt(1 - z * z), t = 2.399963229728653 * k;
      out.push_back(piece.support({r * std::cos(t), r * std::sin(t), z}));
    }
  }
  return out;
}

/// How far the points of one shape lie below the surface of the other, at most.
inline double compute_sinking(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb) {
  double deepest = 0;
  const auto sink = [&](const Shape& s, const Placement& ps, const Shape& t, const Placement& pt) {
    if (std::holds_alternative<HeightField>(s)) return;
    const SurfaceView surface = surface_of(t);
    for (const Vec3& x : sample_surface(s, ps)) {
      if (surface.triangles.empty()) {
        deepest = std::max(deepest, -outside_any(t, pt, x));
      } else if (outside_any(t, pt, x) <= 0) {
        double least = INFINITY;
        for (const auto& f : surface.triangles)
          least = std::min(least, point_triangle(x, {pt.apply(surface.vertices[f[0]]), pt.apply(surface.vertices[f[1]]),
                                                     pt.apply(surface.vertices[f[2]])}));
        deepest = std::max(deepest, least);
      }
    }
  };
  sink(a, pa, b, pb);
  sink(b, pb, a, pa);
  return deepest;
}

/// True when one of the shapes reaches into the other; pieces that overlap or a point of one within a surface.
inline bool overlap(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb, const Bounds& distance,
                    double size) {
  if (distance.lower <= 0 || distance.upper <= 1e-12 * size) return true;
  const auto reaches_into = [](const Shape& s, const Placement& ps, const Shape& t, const Placement& pt) {
    // Surfaces that do not cross are inside as a whole or not at all.
    bool surface = false;
    for (const Piece& piece : make_pieces(s, ps)) {
      if (surface && !piece.shape) continue;
      surface |= !piece.shape;
      if (outside_any(t, pt, piece.support(Vec3::UnitX())) <= 0) return true;
    }
    return false;
  };
  return (!std::holds_alternative<HeightField>(a) && reaches_into(a, pa, b, pb)) ||
         (!std::holds_alternative<HeightField>(b) && reaches_into(b, pb, a, pa));
}

/// How two placed shapes stand to each other.
enum class Stance {
  Apart,
  Touching,  ///< to 1e-9: of sharp features any normal between theirs is right
  Shallow,   ///< overlaps that surfaces find on all features (docs/contact-detection.md)
  Deep
};

inline Stance find_stance(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb) {
  const Bounds distance = bound_distance(a, pa, b, pb, 0.11);
  const double gap = least_gap(find_contacts(a, pa, b, pb, 0.1));
  if (!overlap(a, pa, b, pb, distance, 1)) return distance.upper < 1e-9 ? Stance::Touching : Stance::Apart;
  if (compute_sinking(a, pa, b, pb) > 0.02) return Stance::Deep;
  return std::abs(gap) < 1e-9 ? Stance::Touching : Stance::Shallow;
}

}  // namespace cairn::test
