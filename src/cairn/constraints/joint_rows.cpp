// SPDX-License-Identifier: Apache-2.0
// Errors, rows of H and coordinates of joints. Every row is the time derivative of its error for any bodies: rates of
// directions come from their angular velocities alone, rates of points from the points (Bodies::spin_rows).
#include "cairn/constraints/joint.h"

#include <cmath>
#include <numbers>

namespace cairn {
namespace {

/// Both ends of the rows of one joint; either may be missing.
struct Ends {
  RowSide *a, *b;

  /// U += l . (v_A - v_B) with l fixed in the world for the moment.
  void point(int row, const Vec3& l) const {
    if (a) a->linear.row(row) += l.transpose();
    if (b) b->linear.row(row) -= l.transpose();
  }
  /// U += w . (omega_A - omega_B).
  void turn(int row, const Vec3& w) const {
    if (a) a->angular.row(row) += w.transpose();
    if (b) b->angular.row(row) -= w.transpose();
  }
  /// U += d/dt (d . l) with l carried by B.
  void along(int row, const Vec3& l, const Vec3& d) const {
    point(row, l);
    if (b) b->angular.row(row) -= d.cross(l).transpose();
  }
};

double lead(const Joint& joint) { return joint.pitch / (2 * std::numbers::pi); }

/// The direction of d; of two points in one place any will do.
Vec3 unit_gap(const PlacedJoint& at) {
  const double length = at.gap().norm();
  return length > 0 ? Vec3(at.gap() / length) : Vec3(at.b.col(2));
}

double sign_of(JointSense sense) { return sense == JointSense::AtMost ? -1 : 1; }

double measure(JointCoordinate coordinate, const PlacedJoint& at) {
  const auto a = [&](int i) { return at.a.col(i); };
  const auto b = [&](int i) { return at.b.col(i); };
  switch (coordinate) {
    case JointCoordinate::Angle: return std::atan2(a(0).dot(b(1)) - a(1).dot(b(0)), a(0).dot(b(0)) + a(1).dot(b(1)));
    case JointCoordinate::AngleB1: return std::atan2(a(1).dot(b(2)), a(1).dot(b(1)));
    case JointCoordinate::AngleA2: return std::atan2(b(0).dot(a(2)), b(0).dot(a(0)));
    case JointCoordinate::SlideX: return at.gap().dot(b(0));
    case JointCoordinate::SlideY: return at.gap().dot(b(1));
    case JointCoordinate::Slide: return at.gap().dot(b(2));
    case JointCoordinate::Length: return at.gap().norm();
  }
  return 0;
}

void add_rate(JointCoordinate coordinate, const PlacedJoint& at, const Ends& ends, double factor, int row) {
  switch (coordinate) {
    // Where the joint holds, a_3 = b_3; their mean is the exact rate of the angle above also where it does not quite.
    case JointCoordinate::Angle: {
      const Vec3 axis = at.a.col(2) + at.b.col(2);
      ends.turn(row, factor * axis / (1 + at.a.col(2).dot(at.b.col(2))));
      break;
    }
    case JointCoordinate::AngleB1: ends.turn(row, factor * at.b.col(0)); break;
    case JointCoordinate::AngleA2: ends.turn(row, factor * at.a.col(1)); break;
    case JointCoordinate::SlideX: ends.along(row, factor * at.b.col(0), at.gap()); break;
    case JointCoordinate::SlideY: ends.along(row, factor * at.b.col(1), at.gap()); break;
    case JointCoordinate::Slide: ends.along(row, factor * at.b.col(2), at.gap()); break;
    case JointCoordinate::Length: ends.point(row, factor * unit_gap(at)); break;
  }
}

}  // namespace

RowVector joint_error(const Joint& joint, const PlacedJoint& at, const VecX& s) {
  RowVector g = RowVector::Zero();
  const Vec3 d = at.gap();
  const auto square = [&](int i, int j) { return at.a.col(i).dot(at.b.col(j)); };
  int row = 0;
  for (const JointRow kind : joint_info(joint.kind).rows) {
    double& out = g[row++];
    switch (kind) {
      case JointRow::PointX: out = d.x(); break;
      case JointRow::PointY: out = d.y(); break;
      case JointRow::PointZ: out = d.z(); break;
      case JointRow::AlongB1: out = d.dot(at.b.col(0)); break;
      case JointRow::AlongB2: out = d.dot(at.b.col(1)); break;
      case JointRow::AlongB3: out = d.dot(at.b.col(2)); break;
      case JointRow::A3B1: out = square(2, 0); break;
      case JointRow::A3B2: out = square(2, 1); break;
      case JointRow::A2B3: out = square(1, 2); break;
      case JointRow::A1B2: out = square(0, 1); break;
      case JointRow::A2B1: out = square(1, 0); break;
      case JointRow::Twist: out = 0.5 * (square(0, 1) - square(1, 0)); break;
      case JointRow::Length: out = sign_of(joint.sense) * (d.norm() - joint.length); break;
      case JointRow::Screw: out = s[joint.first_coordinate + 1] - lead(joint) * s[joint.first_coordinate]; break;
    }
  }
  return g;
}

void fill_rows(const Joint& joint, const PlacedJoint& at, RowBlock& block) {
  const JointInfo& info = joint_info(joint.kind);
  block.rows = static_cast<int>(info.rows.size());
  const Ends ends{block.add_side(at.on_a(joint)), block.add_side(at.on_b(joint))};
  const Vec3 d = at.gap();
  const auto square = [&](int row, int i, int j, double factor) {
    ends.turn(row, factor * at.a.col(i).cross(at.b.col(j)));
  };
  for (int row = 0; row < block.rows; ++row) {
    switch (info.rows[static_cast<std::size_t>(row)]) {
      case JointRow::PointX: ends.point(row, Vec3::UnitX()); break;
      case JointRow::PointY: ends.point(row, Vec3::UnitY()); break;
      case JointRow::PointZ: ends.point(row, Vec3::UnitZ()); break;
      case JointRow::AlongB1: ends.along(row, at.b.col(0), d); break;
      case JointRow::AlongB2: ends.along(row, at.b.col(1), d); break;
      case JointRow::AlongB3: ends.along(row, at.b.col(2), d); break;
      case JointRow::A3B1: square(row, 2, 0, 1); break;
      case JointRow::A3B2: square(row, 2, 1, 1); break;
      case JointRow::A2B3: square(row, 1, 2, 1); break;
      case JointRow::A1B2: square(row, 0, 1, 1); break;
      case JointRow::A2B1: square(row, 1, 0, 1); break;
      case JointRow::Twist:
        square(row, 0, 1, 0.5);
        square(row, 1, 0, -0.5);
        break;
      case JointRow::Length: ends.point(row, sign_of(joint.sense) * unit_gap(at)); break;
      case JointRow::Screw:
        add_rate(JointCoordinate::Slide, at, ends, 1, row);
        add_rate(JointCoordinate::Angle, at, ends, -lead(joint), row);
        break;
    }
  }
}

double follow_coordinate(const Joint& joint, const PlacedJoint& at, int coordinate, double near) {
  const JointCoordinate kind = joint_info(joint.kind).coordinates[static_cast<std::size_t>(coordinate)];
  const double now = measure(kind, at);
  constexpr double turn = 2 * std::numbers::pi;
  return is_angle(kind) ? now + turn * std::round((near - now) / turn) : now;
}

void follow_coordinates(std::span<const Joint> joints, const Bodies& bodies, const VecX& q, VecX& s) {
  for (const Joint& joint : joints) {
    const int count = static_cast<int>(joint_info(joint.kind).coordinates.size());
    if (count == 0) continue;
    const PlacedJoint at = place(joint, bodies, q);
    for (int k = 0; k < count; ++k) {
      double& value = s[joint.first_coordinate + k];
      value = follow_coordinate(joint, at, k, value);
    }
  }
}

void add_coordinate_row(const Joint& joint, const PlacedJoint& at, int coordinate, double factor, RowBlock& block,
                        int row) {
  const Ends ends{block.add_side(at.on_a(joint)), block.add_side(at.on_b(joint))};
  add_rate(joint_info(joint.kind).coordinates[static_cast<std::size_t>(coordinate)], at, ends, factor, row);
}

}  // namespace cairn
