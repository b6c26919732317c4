// SPDX-License-Identifier: Apache-2.0
// A user-defined force: two stars attract each other with G m M / r^2. Written against public headers only: say which
// force acts and what energy it stores, and every stepper has it; tangents are found by differences unless you give
// them.
//
// Expected: Kepler's third law. The lighter star comes back to where it was after T = 2 pi sqrt(a^3 / (G (m + M))).
#include <cairn/sim/simulation.h>

#include <cmath>
#include <cstdio>

namespace {

constexpr double G = 1, mass = 1, heavy = 3;  // units in which G is one
constexpr double step = 2e-4;

class Gravitation final : public cairn::ForceElement {
 public:
  Gravitation(cairn::BodyId a, cairn::BodyId b) : a_(a.value), b_(b.value) {}
  std::string_view kind() const override { return "gravitation"; }
  std::array<int, 2> acts_on() const override { return {a_, b_}; }
  bool depends_on_velocity() const override { return false; }
  void add_forces(const cairn::ForceView& at, cairn::VecX& conservative, cairn::VecX&) const override {
    const cairn::PlacedPoint a = at.bodies.centre(a_, at.q), b = at.bodies.centre(b_, at.q);
    const cairn::Vec3 force = G * mass * heavy / std::pow((b.x - a.x).norm(), 3) * (b.x - a.x);
    at.bodies.add_point_force(a, at.q, force, conservative);
    at.bodies.add_point_force(b, at.q, -force, conservative);
  }
  double energy(const cairn::ForceView& at) const override {
    return -G * mass * heavy / (at.bodies.placement(b_, at.q).c - at.bodies.placement(a_, at.q).c).norm();
  }

 private:
  int a_, b_;
};

}  // namespace

int main() {
  cairn::Model model;
  model.set_gravity({0, 0, 0});
  model.run.step = step;
  // Momentum is zero, so that the common centre of mass stays; the relative speed makes an ellipse of a = 2/3.
  const cairn::Mat3 inertia = cairn::Mat3::Identity();
  const cairn::BodyId star = model.add_rigid({.name = "star",
                                              .position = {0.75, 0, 0},
                                              .velocity = {0, 0.75 * std::sqrt(2), 0},
                                              .mass = mass,
                                              .inertia = inertia});
  const cairn::BodyId sun = model.add_rigid({.name = "sun",
                                             .position = {-0.25, 0, 0},
                                             .velocity = {0, -0.25 * std::sqrt(2), 0},
                                             .mass = heavy,
                                             .inertia = inertia});
  model.add_force({.name = "gravitation", .element = std::make_shared<Gravitation>(star, sun)});

  // With r = 1 and v^2 = 2: v^2 = G (m + M) (2/r - 1/a) gives a = 2/3.
  const double period = 2 * M_PI * std::sqrt(std::pow(2.0 / 3, 3) / (G * (mass + heavy)));
  cairn::Simulation simulation(model);
  double before = 0, back = 0;
  simulation.run(2 * period, [&](const cairn::Simulation& s) {
    const double y = s.position(star).y(), time = s.state().time();
    if (before < 0 && y >= 0) back = time - step * y / (y - before);
    before = y;
    return back == 0;
  });
  std::printf("back after %.6f (expected %.6f)\n", back, period);
  return std::abs(back / period - 1) < 2e-6 ? 0 : 1;
}
