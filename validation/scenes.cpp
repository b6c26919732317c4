// SPDX-License-Identifier: Apache-2.0
// Scenes used by several cases.
#include "scenes.h"

#include <numeric>
#include <random>

namespace cairn::validation {

Model make_throw(const Telling& t) {
  const double speed = t.length / t.time;
  Model model;
  model.set_gravity(t.turn * Vec3(0, 0, -9.81) * (speed / t.time));
  model.set_contact({.friction = 0.4, .restitution = 0});
  model.run.step = 0.002 * t.time;
  model.run.duration = 0.26 * t.time;
  model.add_fixed({.name = "floor", .shape = HalfSpace{}, .orientation = t.turn});
  model.add_fixed({.name = "wall", .shape = HalfSpace{-Vec3::UnitX(), -1.5 * t.length}, .orientation = t.turn});

  std::mt19937 random(11);
  const auto draw = [&](double low, double high) { return low + (high - low) * (random() / 4294967296.0); };
  std::vector<RigidBody> bodies;
  for (int i = 0; i < throw_count; ++i) {
    RigidBody b;
    b.name = fmt::format("body {}", i);
    double volume = 0;
    if (i % 2 == 0) {
      const Vec3 size(draw(0.08, 0.16), draw(0.08, 0.16), draw(0.06, 0.12));
      b.shape = Box{t.length * size};
      volume = 8 * size.prod();
    } else {
      const double radius = draw(0.08, 0.14);
      b.shape = Sphere{t.length * radius};
      volume = 4.0 / 3 * EIGEN_PI * radius * radius * radius;
    }
    b.mass = t.mass * 500 * volume;
    b.position = t.length * (t.turn * Vec3(0.33 * i - 0.9, draw(-0.05, 0.05), 0.25 + draw(0, 0.15)));
    const Vec3 axis(draw(-1, 1), draw(-1, 1), draw(-1, 1));
    b.orientation = t.turn * Quat(Eigen::AngleAxisd(draw(0, 3), axis.normalized()));
    b.velocity = speed * (t.turn * Vec3(draw(0.5, 2), draw(-0.3, 0.3), draw(-1, 0.5)));
    b.angular_velocity = (t.turn * Vec3(draw(-2, 2), draw(-2, 2), draw(-2, 2))) / t.time;
    bodies.push_back(b);
  }
  std::vector<int> order = t.order;
  if (order.empty()) {
    order.resize(bodies.size());
    std::iota(order.begin(), order.end(), 0);
  }
  for (const int i : order) model.add_rigid(bodies[static_cast<std::size_t>(i)]);
  return model;
}

std::vector<BodyState> read_throw(const Simulation& s, const Telling& t) {
  std::vector<BodyState> states;
  const Quat back = t.turn.conjugate();
  for (int i = 0; i < throw_count; ++i) {
    const BodyId id = s.model().body(fmt::format("body {}", i));
    states.push_back({back * s.position(id) / t.length, back * s.velocity(id) * (t.time / t.length),
                      back * s.angular_velocity(id) * t.time, back * s.orientation(id)});
  }
  return states;
}

double largest_difference(const std::vector<BodyState>& a, const std::vector<BodyState>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(
        {worst, (a[i].x - b[i].x).norm(), (a[i].v - b[i].v).norm(), (a[i].w - b[i].w).norm(),
         2 * std::min((a[i].q.coeffs() - b[i].q.coeffs()).norm(), (a[i].q.coeffs() + b[i].q.coeffs()).norm())});
  }
  return worst;
}

Model make_heap(int across, int layers) {
  constexpr double radius = 0.05;
  Model model;
  model.set_contact({.friction = 0.5, .restitution = 0});
  model.run.step = 0.002;
  model.add_fixed({.name = "floor", .shape = HalfSpace{}});
  std::mt19937 random(3);
  const auto jitter = [&] { return 1e-3 * radius * (random() / 2147483648.0 - 1); };
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < across; ++j)
      for (int i = 0; i < across; ++i) {
        const Vec3 cell(2.003 * i, 2.003 * j, 2.003 * k + 1.0015);
        model.add_rigid({.shape = Sphere{radius}, .position = radius * cell + Vec3(jitter(), jitter(), jitter())});
      }
  return model;
}

Model make_soft_blocks() {
  Model model;
  model.set_contact({.friction = 0.5, .restitution = 0});
  model.run.step = 0.001;
  model.add_fixed({.name = "floor", .shape = HalfSpace{}});
  for (int i = 0; i < 3; ++i) {
    Affine block;
    block.name = fmt::format("block {}", i);
    block.spec.shape = Box{{0.1, 0.1, 0.1}};
    block.spec.young = 1e6;
    block.spec.poisson = 0.3;
    block.spec.position = {0.03 * i, 0.02 * i, 0.12 + 0.23 * i};
    block.spec.velocity = {0.2 * i, 0, -0.5};
    model.add_affine(block);
  }
  return model;
}

}  // namespace cairn::validation
