// SPDX-License-Identifier: Apache-2.0
// Own body: a planar pendulum with one angle as its only coordinate swings against a wall (dynamY's idea of partial
// mechanical systems, Studer 2009, chapter 7). Written against public headers only: answer the questions of
// cairn::Body, and contact works.
//
// Expected: released at 60 degrees, it reaches the wall at the bottom with v = sqrt(2 g L (1 - cos 60)) = sqrt(g L) and
// leaves with e = 0.5 of it, so that it swings back to cos(angle) = 1 - 0.25 (1 - cos 60): 28.96 degrees.
#include <cairn/sim/simulation.h>

#include <cmath>
#include <cstdio>

namespace {

constexpr double L = 1, m = 2, radius = 0.1;  // m, kg, m

/// Point mass on a massless rod, pivot at the origin, angle from the downward vertical in the x-z plane.
class Pendulum final : public cairn::Body {
 public:
  explicit Pendulum(double start) : start_(start) {}
  std::string_view kind() const override { return "pendulum"; }
  int nq() const override { return 1; }
  int nu() const override { return 1; }
  void initial(cairn::MutVec q, cairn::MutVec u) const override {
    q[0] = start_;
    u[0] = 0;
  }
  cairn::BodyStatus evaluate(const cairn::BodyState& at, cairn::Terms wanted, cairn::BodyTerms& terms) const override {
    if (cairn::wants(wanted, cairn::Terms::Mass)) terms.mass(0, 0) = m * L * L;
    if (cairn::wants(wanted, cairn::Terms::Force)) terms.force[0] = m * at.gravity.dot(direction(at.q[0]));
    return cairn::BodyStatus::Ok;
  }
  cairn::SparseRows point_rows(cairn::ConstVec q, const cairn::MaterialPoint& p,
                               cairn::RowArena& arena) const override {
    const cairn::Vec3 x = position(q, p);
    const cairn::SparseRows rows = arena.rows(3, 0, 1);
    rows.J().col(0).head<3>() = cairn::Vec3(-x.z(), 0, x.x());  // turns about the y axis through the pivot
    return rows;
  }
  cairn::Placement placement(cairn::ConstVec q) const override {
    const double s = std::sin(q[0]), c = std::cos(q[0]);
    cairn::Placement place;
    place.A << c, 0, -s, 0, 1, 0, s, 0, c;
    place.c = cairn::Vec3(L * s, 0, -L * c);
    return place;
  }
  cairn::Energy energy(cairn::ConstVec q, cairn::ConstVec u, const cairn::Vec3& gravity) const override {
    cairn::Energy e;
    e.kinetic = 0.5 * m * L * L * u[0] * u[0];
    e.gravity = -m * gravity.dot(placement(q).c);
    return e;
  }

 private:
  /// Derivative of the bob's position by the angle.
  static cairn::Vec3 direction(double angle) { return {L * std::cos(angle), 0, L * std::sin(angle)}; }
  double start_;
};

}  // namespace

int main() {
  cairn::Model model;
  model.run.step = 1e-4;
  model.set_contact({.friction = 0, .restitution = 0.5});
  const cairn::BodyId bob = model.add_body(
      {.name = "pendulum", .body = std::make_shared<Pendulum>(M_PI / 3), .shape = cairn::Sphere{radius}});
  model.add_fixed({.name = "wall", .shape = cairn::HalfSpace{{1, 0, 0}, -radius}});  // touched when the rod hangs down
  cairn::Simulation simulation(model);

  double highest = 0;
  bool hit = false;
  simulation.run(2, [&](const cairn::Simulation& s) {
    hit = hit || (!s.contacts().empty() && s.contacts()[0].impulse.norm() > 0);
    if (hit) highest = std::max(highest, std::atan2(s.position(bob).x(), -s.position(bob).z()));
    return s.state().time() < 1.2;
  });
  std::printf("swings back to %.2f degrees (expected %.2f)\n", highest * 180 / M_PI,
              std::acos(1 - 0.25 * (1 - std::cos(M_PI / 3))) * 180 / M_PI);
  return std::abs(highest - std::acos(0.875)) < 1e-3 ? 0 : 1;
}
