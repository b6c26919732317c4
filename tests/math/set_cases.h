// SPDX-License-Identifier: Apache-2.0
// One set of every kind with its extremes, members of a set drawn from its definition, and the definition itself as a
// number that is positive outside: what the tests of sets compare with. Nothing here projects.
#pragma once
#include "cairn/math/convex_sets.h"

#include <Eigen/Dense>
#include <numbers>
#include <ostream>
#include <random>
#include <string>

namespace cairn::sets {

struct SetCase {
  std::string name;
  ConvexSet set;
  bool solid = true;  ///< has inner points
  friend std::ostream& operator<<(std::ostream& out, const SetCase& c) { return out << c.name; }
};

template <class... F>
struct Match : F... {
  using F::operator()...;
};
template <class... F>
Match(F...) -> Match<F...>;

inline double draw_normal(std::mt19937& rng) { return std::normal_distribution<double>()(rng); }
inline double draw_unit(std::mt19937& rng) { return std::uniform_real_distribution<double>()(rng); }
inline VecX draw_vector(std::mt19937& rng, int n) {
  return VecX::NullaryExpr(n, [&] { return draw_normal(rng); });
}

inline MatX turn_and_stretch() {
  MatX A(2, 2);
  A << 1.5, -0.7, 0.4, 0.6;
  return A;
}

inline MatX skew(int n) {
  MatX A = MatX::Identity(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A(i, j) += 0.5 * std::sin(1.0 + 2.3 * i + 1.1 * j * j);
  return A;
}

inline std::vector<SetCase> all_cases() {
  const Product mixed{{NonNegative{1}, Disc{0.8, 2}, Interval{-1, 0.5}}};
  return {
      {"free", Free{3}},
      {"zero", Zero{2}, false},
      {"orthant", NonNegative{4}},
      {"interval", Interval{-0.7, 0.3}},
      {"interval_above", Interval{-0.2, infinity}},
      {"interval_below", Interval{-infinity, 0}},
      {"interval_all", Interval{}},
      {"interval_point", Interval{0.4, 0.4}, false},
      {"segment", Disc{0.6, 1}},
      {"disc", Disc{0.6, 2}},
      {"disc_of_radius_zero", Disc{0, 2}, false},
      {"ball", Disc{1.2, 3}},
      {"ellipse", Ellipse{1, 0.5}},
      {"ellipse_thin", Ellipse{1e-6, 1}},
      {"ellipse_segment", Ellipse{0.7, 0}, false},
      {"ellipse_point", Ellipse{0, 0}, false},
      {"ellipsoid", Ellipsoid{{1, 0.3, 0.6}}},
      {"ellipsoid_contensou", Ellipsoid{{0.5, 0.5, 0.02}}},
      {"ellipsoid_needle", Ellipsoid{{1e-4, 1, 1e-6}}},
      {"ellipsoid_flat", Ellipsoid{{1, 0, 0.5}}, false},
      {"triangle", Polygon{0.8, 3, 0.3}},
      {"octagon", Polygon{1, 8}},
      {"polygon_of_radius_zero", Polygon{0, 6}, false},
      {"polygon_64", Polygon{0.5, 64, -1}},
      {"cone", FrictionCone{0.5}},
      {"cone_steep", FrictionCone{30}},
      {"cone_narrow", FrictionCone{1e-3}},
      {"cone_ray", FrictionCone{0}, false},
      {"cone_plane", FrictionCone{0.7, 1}},
      {"rolling", RollingCone{0.5, 0.2}},
      {"rolling_without_moment", RollingCone{0.5, 0}, false},
      {"elliptic_cone", EllipticCone{0.3, 0.9}},
      {"elliptic_cone_thin", EllipticCone{1e-3, 2}},
      {"elliptic_cone_plane", EllipticCone{0, 0.6}, false},
      {"pyramid", PolyhedralCone{0.6, 4}},
      {"pyramid_odd", PolyhedralCone{1.5, 5, 0.7}},
      {"pyramid_16", PolyhedralCone{0.3, 16}},
      {"pyramid_ray", PolyhedralCone{0, 6}, false},
      {"product", mixed},
      {"ellipse_turned", make_transformed(turn_and_stretch(), Vec2(0.3, -0.2), Ellipse{1, 0.4})},
      {"cone_skewed", make_transformed(skew(3), {}, FrictionCone{0.5})},
      {"cone_plane_skewed", make_transformed(turn_and_stretch(), Vec2(1, 0), FrictionCone{0.4, 1})},
      {"elliptic_cone_skewed", make_transformed(skew(3), Vec3(0, 1, 0), EllipticCone{0.3, 1.2})},
      {"pyramid_skewed", make_transformed(skew(3), Vec3(0.1, 0, -0.2), PolyhedralCone{0.6, 6})},
      {"orthant_skewed", make_transformed(skew(3), {}, NonNegative{3})},
      {"polygon_skewed", make_transformed(turn_and_stretch(), {}, Polygon{1, 7})},
      {"rolling_skewed", make_transformed(skew(5), {}, RollingCone{0.5, 0.3})},
      {"product_skewed", make_transformed(skew(4), {}, mixed)},
      {"twice_skewed",
       make_transformed(skew(2), Vec2(1, 1), make_transformed(turn_and_stretch(), Vec2(0.5, 0), Disc{0.5, 2}))},
      {"dual_of_cone", make_dual(FrictionCone{0.4})},
      {"dual_of_ray", make_dual(FrictionCone{0})},
      {"dual_of_pyramid", make_dual(PolyhedralCone{0.6, 5, 0.2})},
      {"dual_of_rolling", make_dual(RollingCone{0.5, 0.2})},
      {"dual_of_skewed_cone", make_dual(make_transformed(skew(3), {}, FrictionCone{0.5}))},
  };
}

/// A random member, by the definition of the set; half of them on its boundary.
inline VecX draw_member(const ConvexSet& set, std::mt19937& rng);

inline VecX draw_in_ball(std::mt19937& rng, int n) {
  return (draw_unit(rng) < 0.5 ? 1 : draw_unit(rng)) * draw_vector(rng, n).normalized();
}

inline Vec2 draw_in_polygon(std::mt19937& rng, int facets, double angle) {
  const double sector = 2 * std::numbers::pi / facets, at = angle + sector * std::floor(draw_unit(rng) * facets);
  const double along = draw_unit(rng), deep = draw_unit(rng) < 0.5 ? 1 : draw_unit(rng);
  return deep *
         ((1 - along) * Vec2(std::cos(at), std::sin(at)) + along * Vec2(std::cos(at + sector), std::sin(at + sector)));
}

/// Members of the dual of a cone: only of kinds whose dual a formula describes.
inline VecX draw_in_dual(const ConvexSet& cone, std::mt19937& rng) {
  const double inside = draw_unit(rng) < 0.5 ? 0 : std::abs(draw_normal(rng));
  if (const auto* s = std::get_if<FrictionCone>(&cone.value)) {
    VecX y = 3 * draw_vector(rng, 1 + s->tangents);
    y[0] = s->mu * y.tail(s->tangents).norm() + inside;
    return y;
  }
  if (const auto* s = std::get_if<RollingCone>(&cone.value)) {
    VecX y = 3 * draw_vector(rng, 5);
    y[0] = s->mu * y.segment(1, 2).norm() + s->mu_rolling * y.tail(2).norm() + inside;
    return y;
  }
  const Transformed& s = std::get<Transformed>(cone.value);
  return s.A.transpose().inverse() * draw_in_dual(*s.base, rng);
}

inline VecX draw_member(const ConvexSet& set, std::mt19937& rng) {
  const double height = 2 * std::abs(draw_normal(rng));
  const auto on_top = [&](const VecX& section) {
    VecX z(1 + section.size());
    z << height, height * section;
    return z;
  };
  return std::visit(
      Match{
          [&](const Free& s) -> VecX { return 4 * draw_vector(rng, s.size); },
          [&](const Zero& s) -> VecX { return VecX::Zero(s.size); },
          [&](const NonNegative& s) -> VecX { return draw_vector(rng, s.size).cwiseMax(0); },
          [&](const Interval& s) -> VecX {
            return VecX::Constant(1, std::clamp(3 * draw_normal(rng), s.lower, s.upper));
          },
          [&](const Disc& s) -> VecX { return s.radius * draw_in_ball(rng, s.size); },
          [&](const Ellipse& s) -> VecX { return draw_in_ball(rng, 2).cwiseProduct(Vec2(s.a, s.b)); },
          [&](const Ellipsoid& s) -> VecX { return draw_in_ball(rng, 3).cwiseProduct(s.semi_axes); },
          [&](const Polygon& s) -> VecX { return s.radius * draw_in_polygon(rng, s.facets, s.angle); },
          [&](const FrictionCone& s) -> VecX { return on_top(s.mu * draw_in_ball(rng, s.tangents)); },
          [&](const RollingCone& s) -> VecX {
            VecX section(4);
            section << s.mu * draw_in_ball(rng, 2), s.mu_rolling * draw_in_ball(rng, 2);
            return on_top(section);
          },
          [&](const EllipticCone& s) -> VecX { return on_top(draw_in_ball(rng, 2).cwiseProduct(Vec2(s.mu1, s.mu2))); },
          [&](const PolyhedralCone& s) -> VecX { return on_top(s.mu * draw_in_polygon(rng, s.facets, s.angle)); },
          [&](const Product& s) -> VecX {
            VecX z(rows(s));
            int first = 0;
            for (const ConvexSet& part : s.parts) {
              z.segment(first, rows(part)) = draw_member(part, rng);
              first += rows(part);
            }
            return z;
          },
          [&](const Transformed& s) -> VecX {
            VecX z = s.A * draw_member(*s.base, rng);
            if (s.c.size() > 0) z += s.c;
            return z;
          },
          [&](const DualCone& s) -> VecX { return draw_in_dual(*s.base, rng); },
      },
      set.value);
}

/// The largest excess of a defining inequality, in the unit of x: <= 0 for members.
inline double excess(const ConvexSet& set, const VecX& x) {
  const auto of_ellipsoid = [&](const VecX& e) {
    double square = 0, off = 0;
    for (Eigen::Index i = 0; i < e.size(); ++i) {
      if (e[i] > 0) {
        square += std::pow(x[i] / e[i], 2);
      } else {
        off = std::max(off, std::abs(x[i]));
      }
    }
    // The gauge minus 1 times the distance to the surface along x.
    const double gauge = std::sqrt(square);
    return std::max(off, gauge > 0 ? (gauge - 1) * x.norm() / gauge : 0);
  };
  const auto of_polygon = [](double radius, int facets, double angle, const Vec2& t) {
    double most = -infinity;
    for (int j = 0; j < facets; ++j) {
      const double middle = angle + (2 * j + 1) * std::numbers::pi / facets;
      most = std::max(most,
                      t.dot(Vec2(std::cos(middle), std::sin(middle))) - radius * std::cos(std::numbers::pi / facets));
    }
    return most;
  };
  return std::visit(
      Match{
          [&](const Free&) { return 0.0; },
          [&](const Zero&) { return x.norm(); },
          [&](const NonNegative&) { return -x.minCoeff(); },
          [&](const Interval& s) { return std::max(s.lower - x[0], x[0] - s.upper); },
          [&](const Disc& s) { return x.norm() - s.radius; },
          [&](const Ellipse& s) { return of_ellipsoid(Vec2(s.a, s.b)); },
          [&](const Ellipsoid& s) { return of_ellipsoid(s.semi_axes); },
          [&](const Polygon& s) { return of_polygon(s.radius, s.facets, s.angle, x); },
          [&](const FrictionCone& s) { return std::max(-x[0], x.tail(s.tangents).norm() - s.mu * x[0]); },
          [&](const RollingCone& s) {
            return std::max({-x[0], x.segment(1, 2).norm() - s.mu * x[0], x.tail(2).norm() - s.mu_rolling * x[0]});
          },
          [&](const EllipticCone& s) {
            if (x[0] <= 0) return x.norm();
            return std::max(-x[0], excess(Ellipse{s.mu1 * x[0], s.mu2 * x[0]}, x.tail(2)));
          },
          [&](const PolyhedralCone& s) {
            return std::max(-x[0], of_polygon(s.mu * x[0], s.facets, s.angle, x.tail(2)));
          },
          [&](const Product& s) {
            double most = -infinity;
            int first = 0;
            for (const ConvexSet& part : s.parts) {
              most = std::max(most, excess(part, x.segment(first, rows(part))));
              first += rows(part);
            }
            return most;
          },
          [&](const Transformed& s) {
            const VecX z = s.c.size() > 0 ? VecX(x - s.c) : x;
            return excess(*s.base, s.A.inverse() * z);
          },
          [&](const DualCone& s) {
            if (const auto* k = std::get_if<FrictionCone>(&s.base->value))
              return k->mu * x.tail(k->tangents).norm() - x[0];
            if (const auto* k = std::get_if<RollingCone>(&s.base->value))
              return k->mu * x.segment(1, 2).norm() + k->mu_rolling * x.tail(2).norm() - x[0];
            const Transformed& t = std::get<Transformed>(s.base->value);
            return excess(make_dual(*t.base), t.A.transpose() * x);
          },
      },
      set.value);
}

/// s C.
inline ConvexSet scaled(const ConvexSet& set, double s) {
  return std::visit(
      Match{
          [&](const Interval& c) -> ConvexSet {
            return Interval{s * c.lower, s * c.upper};
          },
          [&](const Disc& c) -> ConvexSet {
            return Disc{s * c.radius, c.size};
          },
          [&](const Ellipse& c) -> ConvexSet {
            return Ellipse{s * c.a, s * c.b};
          },
          [&](const Ellipsoid& c) -> ConvexSet { return Ellipsoid{s * c.semi_axes}; },
          [&](const Polygon& c) -> ConvexSet {
            return Polygon{s * c.radius, c.facets, c.angle};
          },
          [&](const Product& c) -> ConvexSet {
            Product p;
            for (const ConvexSet& part : c.parts) p.parts.push_back(scaled(part, s));
            return p;
          },
          [&](const Transformed& c) -> ConvexSet { return make_transformed(c.A, s * c.c, scaled(*c.base, s)); },
          [&](const auto& c) -> ConvexSet { return c; },
      },
      set.value);
}

}  // namespace cairn::sets
