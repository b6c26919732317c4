// SPDX-License-Identifier: Apache-2.0
// Integrals over the volume of a shape: closed forms for primitives, sums over tetrahedra, cells and parts.
#include <numbers>

#include "cairn/base/error.h"
#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/solid_integral.h"

namespace cairn {
namespace {

constexpr double kPi = std::numbers::pi;

MassProperties from_moments(double volume, const Vec3& moments) {
  const Mat3 euler = moments.asDiagonal();
  return {volume, Vec3::Zero(), euler.trace() * Mat3::Identity() - euler, euler};
}

// int x^2 dV = V r^2 / 5.
MassProperties mass(const Sphere& s) {
  const double r = s.radius, volume = 4.0 / 3.0 * kPi * r * r * r;
  return from_moments(volume, Vec3::Constant(volume * r * r / 5));
}

// int x_i^2 dV = V h_i^2 / 3.
MassProperties mass(const Box& b) {
  const double volume = 8 * b.half_extents.prod();
  return from_moments(volume, volume / 3 * b.half_extents.cwiseAbs2());
}

MassProperties mass(const HalfSpace&) {
  throw Error("half-space: its volume is infinite, so it has no mass properties; use it on a fixed body");
}

// A bar of length 2 h and two half balls, whose centres are 3 r/8 beyond its ends.
MassProperties mass(const Capsule& c) {
  const double r = c.radius, h = c.half_length, bar = 2 * kPi * r * r * h, ball = 4.0 / 3.0 * kPi * r * r * r;
  const double across = bar * r * r / 4 + ball * r * r / 5;
  const double along = bar * h * h / 3 + ball * (r * r / 5 + 3 * r * h / 4 + h * h);
  return from_moments(bar + ball, {across, across, along});
}

MassProperties mass(const Cylinder& c) {
  const double r = c.radius, h = c.half_length, volume = 2 * kPi * r * r * h;
  return from_moments(volume, volume * Vec3(r * r / 4, r * r / 4, h * h / 3));
}

// About its centre: int x^2 dV = 3 V r^2 / 20, int z^2 dV = 3 V h^2 / 80.
MassProperties mass(const Cone& c) {
  const double r = c.radius, h = c.height, volume = kPi * r * r * h / 3;
  return from_moments(volume, volume * Vec3(3 * r * r / 20, 3 * r * r / 20, 3 * h * h / 80));
}

MassProperties mass(const Ellipsoid& e) {
  const double volume = 4.0 / 3.0 * kPi * e.semi_axes.prod();
  return from_moments(volume, volume / 5 * e.semi_axes.cwiseAbs2());
}

MassProperties mass(const ConvexPolyhedron& c) { return compute_mass_properties(*c.data); }

MassProperties mass(const TriangleMesh& m) {
  if (!m.data->closed)
    throw Error("mesh: its surface is open, so it has no volume and no mass properties; use it on a fixed body");
  SolidIntegral integral(m.data->vertices[0]);
  for (const auto& [i, j, k] : m.data->triangles)
    integral.add_triangle(m.data->vertices[i], m.data->vertices[j], m.data->vertices[k]);
  return integral.finish();
}

MassProperties mass(const HeightField&) {
  throw Error("height-field: its volume is infinite, so it has no mass properties; use it on a fixed body");
}

// Sum by the theorem of parallel axes. The first centre is the point of reference, so that nothing is lost far away.
class Sum {
 public:
  void add(const MassProperties& m) {
    if (volume_ == 0) near_ = m.centre;
    const Vec3 d = m.centre - near_;
    volume_ += m.volume;
    first_ += m.volume * d;
    second_ += m.euler + m.volume * d * d.transpose();
  }
  MassProperties finish() const {
    const Vec3 shift = first_ / volume_;
    const Mat3 euler = second_ - volume_ * shift * shift.transpose();
    return {volume_, near_ + shift, euler.trace() * Mat3::Identity() - euler, euler};
  }

 private:
  double volume_ = 0;
  Vec3 near_ = Vec3::Zero(), first_ = Vec3::Zero();
  Mat3 second_ = Mat3::Zero();
};

MassProperties mass(const CellMesh& c) {
  Sum sum;
  for (const Polyhedron& cell : c.data->cells) sum.add(compute_mass_properties(cell));
  return sum.finish();
}

MassProperties mass(const Compound& c) {
  Sum sum;
  for (const CompoundPart& part : c.data->parts) {
    MassProperties m = compute_mass_properties(part.shape);
    const Mat3& R = part.at.A;
    m.centre = part.at.apply(m.centre);
    m.euler = R * m.euler * R.transpose();
    sum.add(m);
  }
  return sum.finish();
}

}  // namespace

MassProperties compute_mass_properties(const Shape& shape) {
  return std::visit([](const auto& s) { return mass(s); }, shape);
}

}  // namespace cairn
