// SPDX-License-Identifier: Apache-2.0
// Equations of joints in natural coordinates: see the header for the terms.
#include "cairn/constraints/natural_row.h"

#include <cmath>
#include <numbers>

namespace cairn {
namespace {

/// Y w is a material point or direction of body A (side 0) or B (side 1).
Weights point_weights(int side, const Vec3& point) {
  Weights w = Weights::Zero();
  w[4 * side] = 1;
  w.segment<3>(4 * side + 1) = point;
  return w;
}
Weights direction_weights(int side, const Vec3& direction) {
  Weights w = Weights::Zero();
  w.segment<3>(4 * side + 1) = direction;
  return w;
}

/// 1/2 tr(Y h Y') = (Y v) . (Y w).
QuadraticForm dot_form(const Weights& v, const Weights& w) { return v * w.transpose() + w * v.transpose(); }

double half_trace(const FramePair& Y, const QuadraticForm& h) { return 0.5 * (Y * h).cwiseProduct(Y).sum(); }

/// H += weight h (x) 1.
void add_form(const QuadraticForm& h, double weight, Mat24& H) {
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 8; ++i) {
      const double x = weight * h(i, j);
      if (x == 0) continue;
      for (int k = 0; k < 3; ++k) H(3 * i + k, 3 * j + k) += x;
    }
}

Vec24 stacked(const FramePair& Y) { return Eigen::Map<const Vec24>(Y.data()); }

/// The weights of the frames of a joint.
struct JointWeights {
  Weights gap;
  std::array<Weights, 3> a, b;

  explicit JointWeights(const Joint& joint)
      : gap(point_weights(0, joint.frame_a.point) - point_weights(1, joint.frame_b.point)) {
    for (int i = 0; i < 3; ++i) {
      a[static_cast<std::size_t>(i)] = direction_weights(0, joint.frame_a.axes.col(i));
      b[static_cast<std::size_t>(i)] = direction_weights(1, joint.frame_b.axes.col(i));
    }
  }
};

NaturalTerm blank(const Joint& joint, NaturalTerm::Kind kind, double factor = 1) {
  NaturalTerm term;
  term.kind = kind;
  term.factor = factor;
  term.body_a = joint.body_a;
  term.body_b = joint.body_b;
  return term;
}

NaturalTerm dot_term(const Joint& joint, const Weights& v, const Weights& w, double factor = 1) {
  NaturalTerm term = blank(joint, NaturalTerm::Kind::Quadratic, factor);
  term.f = dot_form(v, w);
  return term;
}

NaturalTerm length_term(const Joint& joint, const JointWeights& at, double factor) {
  NaturalTerm term = blank(joint, NaturalTerm::Kind::Length, factor);
  term.w = at.gap;
  return term;
}

/// As measure() in joint_rows.cpp.
NaturalTerm coordinate_term(const Joint& joint, const JointWeights& at, std::size_t index, double factor) {
  const JointCoordinate coordinate = joint_info(joint.kind).coordinates[index];
  const auto angle = [&](const QuadraticForm& f, const QuadraticForm& g) {
    NaturalTerm term = blank(joint, NaturalTerm::Kind::Angle, factor);
    term.f = f;
    term.g = g;
    term.coordinate = joint.first_coordinate + static_cast<int>(index);
    return term;
  };
  switch (coordinate) {
    case JointCoordinate::Angle:
      return angle(dot_form(at.a[0], at.b[1]) - dot_form(at.a[1], at.b[0]),
                   dot_form(at.a[0], at.b[0]) + dot_form(at.a[1], at.b[1]));
    case JointCoordinate::AngleB1: return angle(dot_form(at.a[1], at.b[2]), dot_form(at.a[1], at.b[1]));
    case JointCoordinate::AngleA2: return angle(dot_form(at.b[0], at.a[2]), dot_form(at.b[0], at.a[0]));
    case JointCoordinate::SlideX: return dot_term(joint, at.gap, at.b[0], factor);
    case JointCoordinate::SlideY: return dot_term(joint, at.gap, at.b[1], factor);
    case JointCoordinate::Slide: return dot_term(joint, at.gap, at.b[2], factor);
    case JointCoordinate::Length: break;
  }
  return length_term(joint, at, factor);
}

}  // namespace

TermValue NaturalTerm::evaluate(const FramePair& Y, const VecX& s) const {
  TermValue out;
  switch (kind) {
    case Kind::Linear:
      out.value = e.dot(Y * w);
      out.gradient = e * w.transpose();
      break;
    case Kind::Quadratic:
      out.gradient = Y * f;
      out.value = 0.5 * out.gradient.cwiseProduct(Y).sum();
      break;
    case Kind::Length: {
      const Vec3 d = Y * w;
      out.value = d.norm();
      if (out.value > 0) out.gradient = d / out.value * w.transpose();
      break;
    }
    case Kind::Angle: {
      const FramePair df = Y * f, dg = Y * g;
      const double y = 0.5 * df.cwiseProduct(Y).sum(), x = 0.5 * dg.cwiseProduct(Y).sum();
      const double now = std::atan2(y, x), before = s[coordinate];
      constexpr double turn = 2 * std::numbers::pi;
      out.value = now + turn * std::round((before - now) / turn);
      out.gradient = (x * df - y * dg) / (x * x + y * y);
      break;
    }
  }
  out.value *= factor;
  out.gradient *= factor;
  return out;
}

void NaturalTerm::add_hessian(const FramePair& Y, double weight, Mat24& H) const {
  weight *= factor;
  switch (kind) {
    case Kind::Linear: break;
    case Kind::Quadratic: add_form(f, weight, H); break;
    case Kind::Length: {
      const Vec3 d = Y * w;
      const double length = d.norm();
      if (!(length > 0)) break;
      const Mat3 across = weight / length * (Mat3::Identity() - d * d.transpose() / (length * length));
      for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 8; ++i) H.block<3, 3>(3 * i, 3 * j) += w[i] * w[j] * across;
      break;
    }
    case Kind::Angle: {
      const FramePair df = Y * f, dg = Y * g;
      const double y = 0.5 * df.cwiseProduct(Y).sum(), x = 0.5 * dg.cwiseProduct(Y).sum(), r2 = x * x + y * y;
      add_form(f, weight * x / r2, H);
      add_form(g, -weight * y / r2, H);
      // atan2 itself: d2/dy2 = -2 x y/r^4, d2/dx2 = 2 x y/r^4, d2/dxdy = (y^2 - x^2)/r^4.
      const Vec24 v = stacked(df), u = stacked(dg);
      const double same = -2 * x * y / (r2 * r2), mixed = (y * y - x * x) / (r2 * r2);
      H += weight * (same * (v * v.transpose() - u * u.transpose()) + mixed * (v * u.transpose() + u * v.transpose()));
      break;
    }
  }
}

double NaturalTerm::curvature(const FramePair& Y, const FramePair& rate) const {
  switch (kind) {
    case Kind::Linear: return 0;
    case Kind::Quadratic: return 2 * factor * half_trace(rate, f);
    case Kind::Length:
    case Kind::Angle: break;
  }
  Mat24 H = Mat24::Zero();
  add_hessian(Y, 1, H);
  const Vec24 v = stacked(rate);
  return v.dot(H * v);
}

std::vector<NaturalTerms> natural_rows(const Joint& joint) {
  const JointWeights at(joint);
  const auto square = [&](std::size_t i, std::size_t j, double factor = 1) {
    return dot_term(joint, at.a[i], at.b[j], factor);
  };
  const auto point = [&](int axis) {
    NaturalTerm term = blank(joint, NaturalTerm::Kind::Linear);
    term.w = at.gap;
    term.e = Vec3::Unit(axis);
    return term;
  };
  std::vector<NaturalTerms> rows;
  for (const JointRow row : joint_info(joint.kind).rows) {
    NaturalTerms& terms = rows.emplace_back();
    switch (row) {
      case JointRow::PointX: terms = {point(0)}; break;
      case JointRow::PointY: terms = {point(1)}; break;
      case JointRow::PointZ: terms = {point(2)}; break;
      case JointRow::AlongB1: terms = {dot_term(joint, at.gap, at.b[0])}; break;
      case JointRow::AlongB2: terms = {dot_term(joint, at.gap, at.b[1])}; break;
      case JointRow::AlongB3: terms = {dot_term(joint, at.gap, at.b[2])}; break;
      case JointRow::A3B1: terms = {square(2, 0)}; break;
      case JointRow::A3B2: terms = {square(2, 1)}; break;
      case JointRow::A2B3: terms = {square(1, 2)}; break;
      case JointRow::A1B2: terms = {square(0, 1)}; break;
      case JointRow::A2B1: terms = {square(1, 0)}; break;
      case JointRow::Twist: terms = {square(0, 1, 0.5), square(1, 0, -0.5)}; break;
      case JointRow::Length: terms = {length_term(joint, at, 1)}; break;
      case JointRow::Screw:
        terms = {coordinate_term(joint, at, 1, 1),
                 coordinate_term(joint, at, 0, -joint.pitch / (2 * std::numbers::pi))};
        break;
    }
  }
  return rows;
}

NaturalTerms natural_coordinate(const CoordinateLaw& law, std::span<const Joint> joints) {
  NaturalTerms terms;
  for (const CoordinateTerm& term : law.terms) {
    const Joint& joint = joints[static_cast<std::size_t>(term.joint)];
    terms.push_back(
        coordinate_term(joint, JointWeights(joint), static_cast<std::size_t>(term.coordinate), term.factor));
  }
  return terms;
}

std::array<NaturalTerm, 6> rigidity_terms(int body) {
  constexpr std::array<std::pair<int, int>, 6> axes{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
  std::array<NaturalTerm, 6> terms;
  for (std::size_t k = 0; k < 6; ++k) {
    const auto [i, j] = axes[k];
    NaturalTerm& term = terms[k];
    term.kind = NaturalTerm::Kind::Quadratic;
    term.body_a = body;
    term.factor = i == j ? 0.5 : 1;
    term.f = dot_form(direction_weights(0, Vec3::Unit(i)), direction_weights(0, Vec3::Unit(j)));
  }
  return terms;
}

}  // namespace cairn
