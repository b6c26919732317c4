// SPDX-License-Identifier: Apache-2.0
// Convex sets and their prox, for a set known only at run time: all kinds in one value, products of them, linear images
// and dual cones. Studer 2009, chapter 2: every set-valued law is -U in the normal cone of C at r, that is
// r = prox_C(r - rho U), so a law needs of its set the projection, its derivative and little else
// (docs/convex-sets.md).
//
// The numbers of a set are checked when it becomes a ConvexSet; loops that know their set use the headers below.
#pragma once
#include "cairn/math/ellipsoid_set.h"
#include "cairn/math/elliptic_cone.h"
#include "cairn/math/polygon.h"

#include <concepts>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::sets {

struct ConvexSet;

/// C1 x C2 x ...: the rows of the parts one after the other.
struct Product {
  std::vector<ConvexSet> parts;
};

/// { A z + c : z in base }, A square and regular: a turned, stretched or skewed set. Made by make_transformed().
struct Transformed {
  MatX A;
  VecX c;
  std::shared_ptr<const ConvexSet> base;
};

/// { y : y.z >= 0 for all z in base }, base a cone; its negative is the polar cone. Made by make_dual().
struct DualCone {
  std::shared_ptr<const ConvexSet> base;
};

template <class T, class... Kinds>
concept OneOf = (std::same_as<T, Kinds> || ...);

/// One set of any kind.
struct ConvexSet {
  std::variant<Free, Zero, NonNegative, Interval, Disc, Ellipse, Ellipsoid, Polygon, FrictionCone, RollingCone,
               EllipticCone, PolyhedralCone, Product, Transformed, DualCone>
      value;

  /// Throws Error naming the kind, the number and what would be right.
  template <OneOf<Free, Zero, NonNegative, Interval, Disc, Ellipse, Ellipsoid, Polygon, FrictionCone, RollingCone,
                  EllipticCone, PolyhedralCone, Product, Transformed, DualCone>
                Set>
  ConvexSet(Set set) : value(std::move(set)) {  // not explicit: every set is a ConvexSet
    check();
  }

 private:
  void check() const;
};

/// In messages: "disc", "friction cone".
std::string_view kind_name(const ConvexSet& set);

/// x -> z x stays in the set for all z >= 0.
bool is_cone(const ConvexSet& set);

/// Throws Error unless A is square, regular and of the size of the set. Empty c: 0.
ConvexSet make_transformed(const MatX& A, const VecX& c, const ConvexSet& base);

/// The dual of a cone, in closed form where there is one. Throws Error for a set that is none.
ConvexSet make_dual(const ConvexSet& cone);

int rows(const ConvexSet& set);
int rows(const Product& set);
int rows(const Transformed& set);
int rows(const DualCone& set);

void project(const ConvexSet& set, const double* x, double* out);
void project(const Product& set, const double* x, double* out);
void project(const Transformed& set, const double* x, double* out);
void project(const DualCone& set, const double* x, double* out);

void project_derivative(const ConvexSet& set, const double* x, double* D);
void project_derivative(const Product& set, const double* x, double* D);
void project_derivative(const Transformed& set, const double* x, double* D);
void project_derivative(const DualCone& set, const double* x, double* D);

double support(const ConvexSet& set, const double* y);
double support(const Product& set, const double* y);
double support(const Transformed& set, const double* y);
double support(const DualCone& set, const double* y);

/// The same with sizes checked.
VecX project(const ConvexSet& set, const VecX& x);
MatX project_derivative(const ConvexSet& set, const VecX& x);
double support(const ConvexSet& set, const VecX& y);

/// Distance from x to the set: exactly 0 for members, in the unit of x.
double violation(const ConvexSet& set, const VecX& x);

}  // namespace cairn::sets
