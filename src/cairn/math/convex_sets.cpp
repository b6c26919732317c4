// SPDX-License-Identifier: Apache-2.0
// Sets known at run time: their checks, and the four questions passed on to the kind. Transformed sets:
// skewed_sets.cpp.
#include "cairn/math/convex_sets.h"

#include "cairn/base/error.h"

#include <Eigen/SVD>

#include <array>

namespace cairn::sets {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

void require_size(std::string_view kind, int size, int most) {
  if (size < 1 || size > most) throw Error("{}: {} rows; must be 1 to {}", kind, size, most);
}

void require_length(std::string_view kind, std::string_view name, double value) {
  if (!(std::isfinite(value) && value >= 0)) throw Error("{}: {} is {}; must be finite and >= 0", kind, name, value);
}

void require_facets(std::string_view kind, int facets, double angle) {
  if (facets < 3) throw Error("{}: facets is {}; must be at least 3", kind, facets);
  if (!std::isfinite(angle)) throw Error("{}: angle is {}; must be finite", kind, angle);
}

constexpr int most_rows = 1 << 20;  // a size beyond it is a negative number gone wrong

void require_same_size(std::string_view kind, int rows, Eigen::Index size) {
  if (size != rows) throw Error("{}: a point of {} rows; must have {}", kind, size, rows);
}

}  // namespace

std::string_view kind_name(const ConvexSet& set) {
  static constexpr std::array<std::string_view, std::variant_size_v<decltype(ConvexSet::value)>> names{
      "free space",    "zero",
      "orthant",       "interval",
      "disc",          "ellipse",
      "ellipsoid",     "polygon",
      "friction cone", "rolling cone",
      "elliptic cone", "polyhedral cone",
      "product",       "transformed set",
      "dual cone"};
  return names[set.value.index()];
}

void ConvexSet::check() const {
  const std::string_view kind = kind_name(*this);
  std::visit(Overloaded{
                 [&](const Free& s) { require_size(kind, s.size, most_rows); },
                 [&](const Zero& s) { require_size(kind, s.size, most_rows); },
                 [&](const NonNegative& s) { require_size(kind, s.size, most_rows); },
                 [&](const Interval& s) {
                   if (!(s.lower <= s.upper) || s.lower == infinity || s.upper == -infinity)
                     throw Error("{}: bounds [{}, {}] hold nothing", kind, s.lower, s.upper);
                 },
                 [&](const Disc& s) {
                   require_length(kind, "radius", s.radius);
                   require_size(kind, s.size, most_rows);
                 },
                 [&](const Ellipse& s) {
                   require_length(kind, "a", s.a);
                   require_length(kind, "b", s.b);
                 },
                 [&](const Ellipsoid& s) {
                   for (const double e : s.semi_axes) require_length(kind, "a semi-axis", e);
                 },
                 [&](const Polygon& s) {
                   require_length(kind, "radius", s.radius);
                   require_facets(kind, s.facets, s.angle);
                 },
                 [&](const FrictionCone& s) {
                   require_length(kind, "mu", s.mu);
                   if (s.tangents < 1 || s.tangents > 2)
                     throw Error("{}: {} tangential rows; must be 1 or 2", kind, s.tangents);
                 },
                 [&](const RollingCone& s) {
                   require_length(kind, "mu", s.mu);
                   require_length(kind, "mu_rolling", s.mu_rolling);
                 },
                 [&](const EllipticCone& s) {
                   require_length(kind, "mu1", s.mu1);
                   require_length(kind, "mu2", s.mu2);
                 },
                 [&](const PolyhedralCone& s) {
                   require_length(kind, "mu", s.mu);
                   require_facets(kind, s.facets, s.angle);
                 },
                 [&](const Product& s) {
                   if (s.parts.empty()) throw Error("{}: no parts; must have at least one", kind);
                 },
                 [&](const Transformed& s) {
                   if (!s.base) throw Error("{}: no set to transform", kind);
                   const int n = rows(*s.base);
                   if (s.A.rows() != n || s.A.cols() != n || (s.c.size() != 0 && s.c.size() != n))
                     throw Error("{}: matrix {} x {} and centre of {} rows for a {} of {} rows; must agree", kind,
                                 s.A.rows(), s.A.cols(), s.c.size(), kind_name(*s.base), n);
                   if (!s.A.allFinite() || !s.c.allFinite()) throw Error("{}: a number is not finite", kind);
                   const VecX singular = Eigen::JacobiSVD<MatX>(s.A).singularValues();
                   if (!(singular[n - 1] > 1e-14 * singular[0]))
                     throw Error("{}: singular values of the matrix from {} to {}; must be regular", kind,
                                 singular[n - 1], singular[0]);
                 },
                 [&](const DualCone& s) {
                   if (!s.base) throw Error("{}: no cone", kind);
                   if (!is_cone(*s.base)) throw Error("{}: a {} is no cone; must be one", kind, kind_name(*s.base));
                 },
             },
             value);
}

ConvexSet make_transformed(const MatX& A, const VecX& c, const ConvexSet& base) {
  return Transformed{A, c, std::make_shared<const ConvexSet>(base)};
}

bool is_cone(const ConvexSet& set) {
  const auto open = [](double bound) { return bound == 0 || std::isinf(bound); };
  return std::visit(Overloaded{
                        [](const Disc& s) { return s.radius == 0; },
                        [](const Ellipse& s) { return s.a == 0 && s.b == 0; },
                        [](const Ellipsoid& s) { return s.semi_axes.isZero(0); },
                        [](const Polygon& s) { return s.radius == 0; },
                        [&](const Interval& s) { return open(s.lower) && open(s.upper); },
                        [](const Product& s) {
                          return std::all_of(s.parts.begin(), s.parts.end(),
                                             [](const ConvexSet& part) { return is_cone(part); });
                        },
                        [](const Transformed& s) { return s.c.isZero(0) && is_cone(*s.base); },
                        [](const auto&) { return true; },
                    },
                    set.value);
}

ConvexSet make_dual(const ConvexSet& cone) {
  if (!is_cone(cone)) throw Error("a {} has no dual cone; must be a cone", kind_name(cone));
  const auto plain = [&]() -> ConvexSet { return DualCone{std::make_shared<const ConvexSet>(cone)}; };
  return std::visit(Overloaded{
                        [](const Free& s) -> ConvexSet { return Zero{s.size}; },
                        [](const Zero& s) -> ConvexSet { return Free{s.size}; },
                        [](const NonNegative& s) -> ConvexSet { return s; },
                        [&](const FrictionCone& s) -> ConvexSet {
                          if (!std::isfinite(1 / s.mu)) return plain();
                          return FrictionCone{1 / s.mu, s.tangents};
                        },
                        [&](const EllipticCone& s) -> ConvexSet {
                          if (!std::isfinite(1 / s.mu1) || !std::isfinite(1 / s.mu2)) return plain();
                          return EllipticCone{1 / s.mu1, 1 / s.mu2};
                        },
                        [&](const PolyhedralCone& s) -> ConvexSet {
                          // n + mu c.t >= 0 for every corner c: edges of the dual lie against the corners, at the
                          // distance n/mu.
                          const double sector = std::numbers::pi / s.facets, mu = 1 / (s.mu * std::cos(sector));
                          if (!std::isfinite(mu)) return plain();
                          return PolyhedralCone{mu, s.facets, s.angle + std::numbers::pi + sector};
                        },
                        [](const Product& s) -> ConvexSet {
                          Product dual;
                          for (const ConvexSet& part : s.parts) dual.parts.push_back(make_dual(part));
                          return dual;
                        },
                        [](const DualCone& s) -> ConvexSet { return *s.base; },
                        [&](const auto&) -> ConvexSet { return plain(); },
                    },
                    cone.value);
}

int rows(const ConvexSet& set) {
  return std::visit([](const auto& s) { return rows(s); }, set.value);
}

int rows(const Product& set) {
  int sum = 0;
  for (const ConvexSet& part : set.parts) sum += rows(part);
  return sum;
}

int rows(const DualCone& set) { return rows(*set.base); }

void project(const ConvexSet& set, const double* x, double* out) {
  std::visit([&](const auto& s) { project(s, x, out); }, set.value);
}

void project(const Product& set, const double* x, double* out) {
  int first = 0;
  for (const ConvexSet& part : set.parts) {
    project(part, x + first, out + first);
    first += rows(part);
  }
}

// Moreau: x = P_K*(x) - P_K(-x), the two parts orthogonal.
void project(const DualCone& set, const double* x, double* out) {
  const Eigen::Map<const VecX> point(x, rows(set));
  const VecX result = point + project(*set.base, VecX(-point));
  std::copy(result.data(), result.data() + result.size(), out);
}

void project_derivative(const ConvexSet& set, const double* x, double* D) {
  std::visit([&](const auto& s) { project_derivative(s, x, D); }, set.value);
}

void project_derivative(const Product& set, const double* x, double* D) {
  const int n = rows(set);
  Eigen::Map<MatX> all(D, n, n);
  all.setZero();
  int first = 0;
  for (const ConvexSet& part : set.parts) {
    const int size = rows(part);
    all.block(first, first, size, size) = project_derivative(part, VecX(Eigen::Map<const VecX>(x + first, size)));
    first += size;
  }
}

void project_derivative(const DualCone& set, const double* x, double* D) {
  const int n = rows(set);
  const Eigen::Map<const VecX> point(x, n);
  Eigen::Map<MatX>(D, n, n) = MatX::Identity(n, n) - project_derivative(*set.base, VecX(-point));
}

double support(const ConvexSet& set, const double* y) {
  return std::visit([&](const auto& s) { return support(s, y); }, set.value);
}

double support(const Product& set, const double* y) {
  int first = 0;
  double sum = 0;
  for (const ConvexSet& part : set.parts) {
    sum += support(part, y + first);
    first += rows(part);
  }
  return sum;
}

/// Bounded by 0 where -y is in the cone the dual was made of, but for rounding.
double support(const DualCone& set, const double* y) {
  const VecX back = -Eigen::Map<const VecX>(y, rows(set));
  return violation(*set.base, back) <= 8 * std::numeric_limits<double>::epsilon() * back.norm() ? 0 : infinity;
}

VecX project(const ConvexSet& set, const VecX& x) {
  require_same_size(kind_name(set), rows(set), x.size());
  VecX out(x.size());
  project(set, x.data(), out.data());
  return out;
}

MatX project_derivative(const ConvexSet& set, const VecX& x) {
  require_same_size(kind_name(set), rows(set), x.size());
  MatX D(x.size(), x.size());
  project_derivative(set, x.data(), D.data());
  return D;
}

double support(const ConvexSet& set, const VecX& y) {
  require_same_size(kind_name(set), rows(set), y.size());
  return support(set, y.data());
}

double violation(const ConvexSet& set, const VecX& x) { return (x - project(set, x)).norm(); }

}  // namespace cairn::sets
