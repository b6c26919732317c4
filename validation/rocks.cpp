// SPDX-License-Identifier: Apache-2.0
// G7: random convex rocks fall into a bin and come to rest: then none is in another by more than 1e-5 of its size, the
// bin carries the weight, and nothing moves. With 10 rocks a side the heap is that of the benchmark rocks1k, to
// rounding.
#include "cases.h"
#include "measure.h"

#include "cairn/geometry/polyhedron.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace cairn::validation {
namespace {

constexpr double size = 0.2;  ///< of the smallest rocks, across [m]
constexpr double g = 9.81, density = 2000, step = 1.0 / 240;
constexpr int bin = 5;  ///< bodies of the bin, before the rocks

/// Uniform numbers; of three the last comes first, as in the benchmark.
class Draw {
 public:
  double one(double low, double high) { return low + (high - low) * (random_() / 4294967296.0); }
  Vec3 three(const Vec3& low, const Vec3& high) {
    const double z = one(low.z(), high.z()), y = one(low.y(), high.y()), x = one(low.x(), high.x());
    return {x, y, z};
  }
  Vec3 three(double reach) { return three(Vec3::Constant(-reach), Vec3::Constant(reach)); }

 private:
  std::mt19937 random_{12345};
};

/// The hull of 12 to 20 points on an ellipsoid, not too near each other.
ConvexPolyhedron make_rock(Draw& draw) {
  const int corners = std::min(20, 12 + static_cast<int>(draw.one(0, 9)));
  const Vec3 axes = draw.three({0.10, 0.10, 0.08}, {0.15, 0.15, 0.13});
  std::vector<Vec3> points;
  while (static_cast<int>(points.size()) < corners) {
    Vec3 d = draw.three(1);
    if (d.norm() > 1 || d.norm() < 0.1) continue;
    d.normalize();
    if (std::none_of(points.begin(), points.end(), [&](const Vec3& x) { return (x - d).norm() < 0.35; }))
      points.push_back(d);
  }
  for (Vec3& x : points) x = x.cwiseProduct(axes);
  return {std::make_shared<Polyhedron>(make_hull(points, "rock"))};
}

/// side^3 rocks on a lattice above the floor of a bin of five boxes.
Model make_rocks(int side) {
  constexpr double spacing = 0.32;
  const double half = side * spacing / 2 + 0.1, height = side * spacing + 2;
  Model model;
  model.run.step = step;
  model.run.solver = {"gauss-seidel", {{"tolerance", "1e-6"}, {"max_iterations", "200"}}};
  model.set_contact({.friction = 0.4, .restitution = 0});
  model.add_fixed({.name = "floor", .shape = Box{{half + 1, half + 1, 0.5}}, .position = {0, 0, -0.5}});
  const Vec3 wall_x(0.5, half + 1, height / 2), wall_y(half + 1, 0.5, height / 2);
  for (const double s : {1.0, -1.0})
    model.add_fixed({.shape = Box{wall_x}, .position = {s * (half + 0.5), 0, height / 2}});
  for (const double s : {1.0, -1.0})
    model.add_fixed({.shape = Box{wall_y}, .position = {0, s * (half + 0.5), height / 2}});
  Draw draw;
  for (int k = 0; k < side * side * side; ++k) {
    const Vec3 shift = draw.three(0.009), cell(k % side, k / side % side, k / side / side);
    const Vec3 corner = spacing * (side - 1) / 2.0 * Vec3(1, 1, 0);
    const ConvexPolyhedron rock = make_rock(draw);
    const Vec3 axis = draw.three(1).normalized();
    const Quat turn(Eigen::AngleAxisd(draw.one(0, 6.28), axis));
    model.add_rigid({.shape = rock,
                     .position = spacing * cell - corner + Vec3(0, 0, 0.15) + shift - turn * rock.data->inside,
                     .orientation = turn,
                     .density = density});
  }
  return model;
}

struct Rest {
  double penetration = 0;  ///< deepest overlap in the last half second [m]
  double speed = 0;        ///< largest at the end [m/s]
  double load_error = 0;   ///< of what the bin carries, over the weight
  double fall = 0;         ///< deepest overlap of the whole run [m]
};

Rest settle(int side, double duration, CaseResult& result) {
  const Model model = make_rocks(side);
  Simulation simulation(model);
  Rest rest;
  simulation.run(duration, [&](const Simulation& s) {
    const double deepest = s.certificate().penetration;
    rest.fall = std::max(rest.fall, deepest);
    if (s.state().time() >= duration - 0.5) rest.penetration = std::max(rest.penetration, deepest);
    return true;
  });
  // What the bin carries is the weight.
  double up = 0, weight = 0;
  for (const ContactResult& c : simulation.contacts()) {
    if (c.body_a < bin) up -= c.impulse.z() / step;
    if (c.body_b < bin) up += c.impulse.z() / step;
  }
  for (int i = bin; i < model.body_count(); ++i) {
    const Collider& rock = model.system().colliders[static_cast<std::size_t>(model.collider_of(i))];
    weight += density * g * compute_mass_properties(rock.shape).volume;
    rest.speed = std::max(rest.speed, simulation.velocity(BodyId{i}).norm());
  }
  rest.load_error = std::abs(up / weight - 1);
  record(result, fmt::format("{} rocks", side * side * side), simulation);
  return rest;
}

}  // namespace

CaseResult run_rocks_at_rest(Effort effort) {
  CaseResult result;
  const Rest rest = effort == Effort::Full ? settle(10, 4.5, result) : settle(4, 3.5, result);
  result.quantities = {
      check("deepest overlap at rest over the size", rest.penetration / size,
            {0, 1e-5, false, {}, "", fmt::format("deepest while falling {:.1e} m", rest.fall)}),
      check("largest speed at the end", rest.speed, {0, 1e-3, false, {}, "m/s"}),
      check("load on the bin over the weight, error", rest.load_error, {0, 1e-3}),
  };
  result.notes =
      "At rest means the last half second. While the rocks fall, overlaps of millimetres appear and are pushed out "
      "again: "
      "contacts are linearised over a step, in which a rock of 5 m/s moves by 20 mm and turns; they shrink with the "
      "square "
      "of the step and do not depend on how well the solver converges.";
  return result;
}

}  // namespace cairn::validation
