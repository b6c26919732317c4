// SPDX-License-Identifier: Apache-2.0
// Bytes become two shapes with placements, collide() is asked, and what it says must be sane whatever the bytes:
// the body of the fuzz target of the narrow phase and of the test that replays inputs.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <string>

#include "cairn/base/error.h"
#include "cairn/collision/narrow_phase.h"
#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/height_field.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"

namespace cairn::fuzz {

/// Takes numbers from bytes; zeros when they are used up.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> data) : data_(data) {}
  unsigned byte() { return next_ < data_.size() ? data_[next_++] : 0; }
  /// In [-1, 1]: half of the bytes give round numbers, on which shapes are aligned; the others take one more.
  double number() {
    const unsigned b = byte();
    if (b < 128) return (static_cast<int>(b) - 64) / 64.0;
    const double fine = (static_cast<double>(b - 128) * 256 + byte()) / 16384 - 1;
    return b % 16 == 0 ? fine * std::pow(10.0, -static_cast<int>(byte() % 14)) : fine;
  }
  Vec3 vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
  /// A length > 0: mostly 0.05 .. 1, sometimes as thin as 1e-12.
  double length() {
    const unsigned b = byte();
    return b < 16 ? std::pow(10.0, -static_cast<int>(b % 13)) : b / 255.0;
  }

 private:
  std::span<const std::uint8_t> data_;
  std::size_t next_ = 0;
};

inline SurfaceMesh make_surface(Bytes& in) {
  switch (in.byte() % 3) {
    case 0: {  // any tetrahedron
      SurfaceMesh s;
      for (int k = 0; k < 4; ++k) s.vertices.push_back(in.vector());
      const Vec3 &a = s.vertices[0], &b = s.vertices[1], &c = s.vertices[2], &d = s.vertices[3];
      if ((b - a).cross(c - a).dot(d - a) < 0) std::swap(s.vertices[0], s.vertices[1]);
      s.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
      return s;
    }
    case 1: {
      const double x = in.length(), y = in.length(), z = in.length();
      return make_surface_mesh(Box{{x, y, z}});
    }
    default: return make_surface_mesh(Sphere{in.length()}, static_cast<int>(in.byte() % 2));
  }
}

inline Shape make_shape(Bytes& in, bool within_compound = false) {
  const unsigned kind = in.byte() % (within_compound ? 8 : 12);
  const double x = in.length(), y = in.length(), z = in.length();
  switch (kind) {
    case 0: return Sphere{x};
    case 1: return Box{{x, y, z}};
    case 2: return Capsule{x, y};
    case 3: return Cylinder{x, y};
    case 4: return Cone{x, y};
    case 5: return Ellipsoid{{x, y, z}};
    case 6: {
      std::vector<Vec3> points;
      const unsigned count = 4 + in.byte() % 12;
      for (unsigned k = 0; k < count; ++k) points.push_back(in.vector());
      return ConvexPolyhedron{std::make_shared<const Polyhedron>(make_hull(points, "hull"))};
    }
    case 7: return TriangleMesh{std::make_shared<const MeshData>(make_mesh(make_surface(in), "mesh"))};
    case 8: {
      VolumeMesh m;
      const unsigned count = 2 + in.byte() % 3;  // a row of bricks
      for (unsigned k = 0; k < 4 * count; ++k) {
        const double u = k % 4 == 1 || k % 4 == 2 ? x : -x, v = k % 4 >= 2 ? y : -y;
        m.vertices.push_back({u, v, z * (static_cast<int>(k / 4) - 0.5 * (count - 1))});
      }
      for (int k = 0; k + 1 < static_cast<int>(count); ++k)
        m.cells.push_back({4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3, 4 * k + 4, 4 * k + 5, 4 * k + 6, 4 * k + 7});
      return CellMesh{std::make_shared<const CellData>(make_cells(m, "cells"))};
    }
    case 9: {
      std::vector<double> heights;
      for (int k = 0; k < 16; ++k) heights.push_back(in.number());
      return HeightField{
          std::make_shared<const HeightGrid>(make_height_grid(4, 4, -1.5 * x, -1.5 * y, x, y, heights, "field"))};
    }
    case 10: return HalfSpace{};
    default: {
      std::vector<CompoundPart> parts;
      const unsigned count = 1 + in.byte() % 3;
      for (unsigned k = 0; k < count; ++k) {
        const Shape part = make_shape(in, true);
        parts.push_back({part, {Mat3::Identity(), in.vector()}});
      }
      return make_compound(std::move(parts), "compound");
    }
  }
}

/// A rotation (of quarters, or any) and sometimes a stretch; det A > 0.
inline Placement make_placement(Bytes& in, bool rigid) {
  Placement p;
  const unsigned how = in.byte();
  if (how % 3 == 0) {
    p.A = Eigen::AngleAxisd(std::acos(-1.0) / 2 * (how / 3 % 4), Vec3::Unit(how / 12 % 3)).toRotationMatrix();
  } else {
    const Vec3 v = in.vector();
    p.A = Quat(1, v.x(), v.y(), v.z()).normalized().toRotationMatrix();
  }
  if (!rigid && how >= 128) {
    Mat3 F = Mat3::Identity();
    for (int i = 0; i < 9; ++i) F.data()[i] += 0.4 * in.number();
    if (F.determinant() > 0.1) p.A *= F;
  }
  p.c = in.vector();
  return p;
}

/// What is wrong with the answer; empty when nothing is. Shapes that are refused when they are made are no answer.
inline std::string check_narrow_phase(std::span<const std::uint8_t> data) {
  Bytes in(data);
  try {
    const Shape a = make_shape(in), b = make_shape(in);
    const Placement pa = make_placement(in, !is_bounded(a)), pb = make_placement(in, !is_bounded(b));
    const double margin = in.byte() % 2 ? 0.1 : 0;
    std::vector<ContactPoint> forth, back;
    collide(a, pa, b, pb, margin, forth);
    collide(b, pb, a, pa, margin, back);
    const auto complain = [&](const std::string& what) {
      return fmt::format("{} and {}: {}", shape_name(a), shape_name(b), what);
    };
    for (const std::vector<ContactPoint>* list : {&forth, &back})
      for (const ContactPoint& x : *list) {
        if (!x.point.allFinite() || !x.normal.allFinite() || !std::isfinite(x.gap)) return complain("not finite");
        if (!(std::abs(x.normal.norm() - 1) < 1e-9)) return complain(fmt::format("normal of {}", x.normal.norm()));
        if (!(x.gap <= margin)) return complain(fmt::format("gap {} beyond the margin", x.gap));
        if (!(x.weight >= 0 && std::isfinite(x.weight))) return complain(fmt::format("weight {}", x.weight));
        if (!(x.point.norm() < 100)) return complain(fmt::format("a point at {} m", x.point.norm()));
      }
    // Surfaces deep in each other find only part of their contacts (docs/contact-detection.md).
    const auto meshed = [](const Shape& s) { return s.index() >= Shape(TriangleMesh{}).index(); };
    if (meshed(a) && meshed(b)) return {};
    if (pa.c == pb.c) return {};  // concentric: no side is the first, any way out will do
    if (forth.size() != back.size()) return complain(fmt::format("{} points, {} exchanged", forth.size(), back.size()));
    for (const ContactPoint& x : forth) {
      double nearest = 1e300;
      for (const ContactPoint& y : back)
        nearest =
            std::min(nearest, std::abs(x.gap - y.gap) + (x.point - y.point).norm() + (x.normal + y.normal).norm());
      if (!(nearest < 1e-9)) return complain(fmt::format("exchange changes a point by {}", nearest));
    }
  } catch (const Error&) {
    return {};  // refused with words
  }
  return {};
}

}  // namespace cairn::fuzz
