// SPDX-License-Identifier: Apache-2.0
// Boxes at random places with sides that give ten pairs per box on average.
#include "benchmarks/broad_phase_sets.h"

#include <cmath>
#include <random>

#include "cairn/base/error.h"

namespace cairn {
namespace {

constexpr double kPairsPerBox = 10;

/// Uniform in [0, 1). std::uniform_real_distribution may differ from one standard library to the next.
class Random {
 public:
  explicit Random(unsigned seed) : bits_(seed) {}
  double operator()() { return std::ldexp(static_cast<double>(bits_()), -32); }
  Vec3 vector() {
    const double x = (*this)(), y = (*this)();
    return {x, y, (*this)()};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 d = 2 * vector() - Vec3::Ones();
      if (d.squaredNorm() <= 1 && d.squaredNorm() > 1e-4) return d.normalized();
    }
  }

 private:
  std::mt19937 bits_;
};

}  // namespace

void BoxSet::move() {
  for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i] = {boxes[i].lo + velocity[i], boxes[i].hi + velocity[i]};
}

BoxSet make_box_set(std::string_view kind, int count, unsigned seed) {
  Random random(seed);
  BoxSet set;
  const auto add = [&](const Vec3& lo, double side) {
    set.boxes.push_back({lo, lo + Vec3::Constant(side)});
    set.velocity.push_back(0.01 * side * random.direction());
  };
  if (kind == "random") {
    // Sides s A with A uniform in [1/2, 3/2]. Two boxes of sides a, b in a volume V overlap with probability
    // (a + b)^3 / V, and the mean of (A + B)^3 is 9: pairs per box = n s^3 9 / (2 V).
    const double s = std::cbrt(2 * kPairsPerBox * 8 / (9.0 * count));
    for (int i = 0; i < count; ++i) {
      const double side = s * (0.5 + random());
      add(2 * random.vector() - Vec3::Constant(1 + side / 2), side);
    }
  } else if (kind == "packed") {
    const int edge = static_cast<int>(std::ceil(std::cbrt(count) - 1e-9));
    const double side = 2.0 / edge;
    for (int i = 0; i < count; ++i) {
      const Vec3 cell(i % edge, i / edge % edge, i / edge / edge);
      add(side * cell - Vec3::Ones(), side);
      // The upper face is where the next box begins, to the last bit.
      set.boxes.back().hi = side * (cell + Vec3::Ones()) - Vec3::Ones();
    }
  } else if (kind == "spherical") {
    // Two boxes of side s overlap if no component of the difference of their centres is more than s. On a surface that
    // is s^2 times a plane section of the cube |d_i| <= 1, on average over all planes through its centre the integral
    // of 1 / (2 |d|) over the cube.
    constexpr double section = 4.760155;
    const double s = std::sqrt(2 * kPairsPerBox * 4 * M_PI / (section * count));
    for (int i = 0; i < count; ++i) add(random.direction() - Vec3::Constant(s / 2), s);
  } else {
    throw Error("set of boxes '{}' is unknown; must be one of: random, packed, spherical", kind);
  }
  set.mobile.assign(set.boxes.size(), 1);
  return set;
}

}  // namespace cairn
