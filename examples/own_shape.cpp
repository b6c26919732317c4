// SPDX-License-Identifier: Apache-2.0
// A user-defined shape: a lens, the intersection of two balls of radius R whose centres are 2 c apart. Written against
// public headers only: answer the farthest point along a direction, the nearest point of the surface, the mass and a
// radius, and the lens touches every other shape.
//
// Expected: it lies on a face of radius R with its centre of mass c below the centre of the ball, so it rolls to and
// fro as a pendulum with omega^2 = m g c / (I + m (R - c)^2).
#include <cairn/geometry/user_solid.h>
#include <cairn/sim/simulation.h>

#include <cmath>
#include <cstdio>

namespace {

using cairn::Vec3;
constexpr double R = 1, c = 0.6, pi = 3.14159265358979323846;
const double rim = std::sqrt(R * R - c * c);

class Lens final : public cairn::ConvexSolid {
 public:
  Vec3 support(const Vec3& d) const override {
    const Vec3 u = d.normalized(), x = R * u;
    if (x.z() > c) return x - c * Vec3::UnitZ();
    if (x.z() < -c) return x + c * Vec3::UnitZ();
    return rim * Vec3(u.x(), u.y(), 0).normalized();
  }
  cairn::SurfacePoint closest_point(const Vec3& x) const override {
    const Vec3 centre(0, 0, x.z() < 0 ? c : -c), v = x - centre;  // of the ball that this face belongs to
    const Vec3 n = v.normalized(), foot = centre + R * n;
    if (foot.z() * x.z() >= 0) return {foot, n, v.norm() - R};
    const Vec3 edge = rim * Vec3(x.x(), x.y(), 0).normalized(), off = x - edge;
    return {edge, off.normalized(), off.norm()};
  }
  cairn::MassProperties mass() const override {
    // Discs of radius^2 = R^2 - (c + z)^2; three points of Gauss are exact for these polynomials.
    const double t = R - c, node[3] = {-std::sqrt(0.6), 0, std::sqrt(0.6)}, weight[3] = {5, 8, 5};
    cairn::MassProperties m;
    for (int k = 0; k < 3; ++k) {
      const double z = t * (1 + node[k]) / 2, s = R * R - (c + z) * (c + z), dz = 2 * t / 2 * weight[k] / 9;
      m.volume += pi * s * dz;
      m.euler += pi * s * dz * Vec3(s / 4, s / 4, z * z).asDiagonal();
    }
    m.inertia = m.euler.trace() * cairn::Mat3::Identity() - m.euler;
    return m;
  }
  double radius() const override { return std::max(rim, R - c); }
};

}  // namespace

int main() {
  const auto lens = std::make_shared<Lens>();
  const double tilt = 0.01;
  cairn::Model model;
  model.run.step = 2e-4;
  model.set_contact({.friction = 1});
  model.add_fixed({.name = "table", .shape = cairn::HalfSpace{}});
  const cairn::BodyId body = model.add_rigid({.name = "lens",
                                              .shape = cairn::make_solid(lens, "lens"),
                                              .position = {0, 0, R - c * std::cos(tilt)},
                                              .orientation = cairn::Quat(Eigen::AngleAxisd(tilt, Vec3::UnitY()))});
  const cairn::MassProperties m = lens->mass();
  const double expected =
      pi / std::sqrt(9.81 * c * m.volume / (m.inertia(1, 1) + m.volume * (R - c) * (R - c)));  // half a period
  cairn::Simulation simulation(model);
  double before = 0, turned = 0;
  simulation.run(2 * expected, [&](const cairn::Simulation& s) {
    const double v = s.velocity(body).x(), t = s.state().time();
    if (before * v < 0 && turned == 0) turned = t - model.run.step * v / (v - before);
    before = v;
    return turned == 0;
  });
  std::printf("turns round after %.6f s (expected %.6f)\n", turned, expected);
  return std::abs(turned / expected - 1) < 1e-4 ? 0 : 1;
}
