// SPDX-License-Identifier: Apache-2.0
// Own joint: a bead on a wire bent to a cycloid, x = a (p + sin p), z = a (1 - cos p). Written against public headers
// only: say how far the equations are from holding and what velocities do to them, and every stepper and solver has it.
//
// Expected: Huygens' tautochrone (1673): wherever it is let go, the bead is at the bottom after pi sqrt(a/g).
#include <cairn/sim/simulation.h>

#include <cmath>
#include <cstdio>

namespace {

constexpr double a = 0.5;  // m

/// Parameter of the cycloid at x, by Newton's method.
double parameter_at(double x) {
  double p = x / (2 * a);
  for (int k = 0; k < 50; ++k) p -= (a * (p + std::sin(p)) - x) / std::max(0.1 * a, a * (1 + std::cos(p)));
  return p;
}

/// The origin of a body stays on the wire: z = f(x) and y = 0, with f'(x) = tan(p/2).
class Wire final : public cairn::OwnJoint {
 public:
  explicit Wire(cairn::BodyId body) : body_(body.value) {}
  int rows() const override { return 2; }
  cairn::RowVector error(const cairn::Bodies& bodies, const cairn::VecX& q, double) const override {
    const cairn::Vec3 x = bodies.placement(body_, q).c;
    cairn::RowVector g = cairn::RowVector::Zero();
    g[0] = x.z() - a * (1 - std::cos(parameter_at(x.x())));
    g[1] = x.y();
    return g;
  }
  void fill_rows(const cairn::Bodies& bodies, const cairn::VecX& q, double, cairn::RowBlock& block) const override {
    const cairn::PlacedPoint bead = bodies.centre(body_, q);
    block.rows = 2;
    cairn::RowSide* side = block.add_side(bead);
    side->linear.row(0) << -std::tan(parameter_at(bead.x.x()) / 2), 0, 1;
    side->linear.row(1) << 0, 1, 0;
  }

 private:
  int body_;
};

/// Time from a rest at the parameter p to the bottom.
double time_down(double p) {
  cairn::Model model;
  model.run.step = 1e-4;
  const cairn::BodyId bead = model.add_rigid({.name = "bead",
                                              .position = {a * (p + std::sin(p)), 0, a * (1 - std::cos(p))},
                                              .mass = 0.1,
                                              .inertia = cairn::Mat3(1e-6 * cairn::Mat3::Identity())});
  model.add_own_joint(std::make_shared<Wire>(bead));
  cairn::Simulation simulation(model);
  double before = simulation.position(bead).x(), time = 0;
  simulation.run(2, [&](const cairn::Simulation& s) {
    const double now = s.position(bead).x();
    if (now <= 0) time = s.state().time() - 1e-4 * now / (now - before);
    before = now;
    return now > 0;
  });
  return time;
}

}  // namespace

int main() {
  const double expected = M_PI * std::sqrt(a / 9.81);
  double worst = 0;
  for (const double p : {0.2, 1.0, 2.0}) {
    const double time = time_down(p);
    std::printf("from %.1f: down in %.6f s (expected %.6f)\n", p, time, expected);
    worst = std::max(worst, std::abs(time / expected - 1));
  }
  return worst < 1e-6 ? 0 : 1;
}
