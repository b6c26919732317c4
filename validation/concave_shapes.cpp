// SPDX-License-Identifier: Apache-2.0
// U10: concave shapes as plain meshes, without decomposition: a peg in a hole, a ball in a cup, a ring on a hook, a nut
// on a bolt. Where each comes to rest follows from its geometry; the nut moves as a screw.
#include "cases.h"
#include "measure.h"
#include "meshes.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double g = 9.81;

Model make_model(double h, double friction) {
  Model model;
  model.run.step = h;
  model.set_contact({.friction = friction, .restitution = 0});
  set_tolerance(model, 1e-8);
  return model;
}

/// A peg of 24 sides falls into a blind hole, turned against it, with 0.1 mm of play: it rests on the ground of it.
void peg_in_hole(CaseResult& result) {
  constexpr double hole = 0.0101, deep = 0.03, peg = 0.01, half = 0.02;
  constexpr int sides = 24;
  const SurfaceMesh block =
      make_turned({{0, -0.01}, {0.03, -0.01}, {0.03, deep}, {hole, deep}, {hole, 0}, {0, 0}}, sides);
  const SurfaceMesh bar = make_turned({{0, -half}, {peg, -half}, {peg, half}, {0, half}}, sides);
  Study study(0.002);
  for (const double h : study.steps()) {
    Model model = make_model(h, 0.2);
    model.add_fixed({.name = "block", .shape = to_shape(block, "block")});
    const BodyId body = model.add_rigid({.name = "peg",
                                         .shape = to_shape(bar, "peg"),
                                         .position = {5e-6, -3e-6, deep + 0.002 + half},
                                         .orientation = Quat(Eigen::AngleAxisd(0.09, Vec3::UnitZ())),
                                         .density = 7800});
    Simulation simulation(model);
    simulation.run(0.4);
    record(result, "peg in hole", simulation);
    study.add("peg: height above the ground of the hole", simulation.position(body).z() - half);
    study.add("peg: sine of its tilt", (simulation.orientation(body) * Vec3::UnitZ()).head<2>().norm());
    double load = 0;
    for (const ContactResult& c : simulation.contacts()) load += (c.body_a == body.value ? 1 : -1) * c.impulse.z() / h;
    const double weight = 7800 * g * compute_mass_properties(bar).volume;
    study.add("peg: load over its weight", load / weight);
  }
  result.quantities.push_back(study.check("peg: height above the ground of the hole", {0, 1e-9, false, {}, "m"}));
  result.quantities.push_back(study.check("peg: sine of its tilt", {0, 1e-8}));
  result.quantities.push_back(study.check("peg: load over its weight", {1, 1e-6}));
}

/// A ball let go beside the middle of a cup of eight inclined faces rests in the middle, R / cos(slope) above its tip.
void ball_in_cup(CaseResult& result) {
  constexpr double ball = 0.02, wide = 0.04, deep = 0.03;
  constexpr int sides = 8;
  const SurfaceMesh cup =
      make_turned({{0, -0.01}, {wide + 0.01, -0.01}, {wide + 0.01, deep}, {wide, deep}, {0, 0}}, sides);
  const double slope = std::atan2(deep, wide * std::cos(EIGEN_PI / sides)), height = ball / std::cos(slope);
  Study study(0.002);
  for (const double h : study.steps()) {
    Model model = make_model(h, 0.1);
    model.add_fixed({.name = "cup", .shape = to_shape(cup, "cup")});
    const BodyId body = model.add_rigid({.name = "ball",
                                         .shape = Sphere{ball},
                                         .position = {0.004, 0.003, height + 0.01},
                                         .density = 7800,
                                         .linear_damping = 5,
                                         .angular_damping = 5});
    Simulation simulation(model);
    simulation.run(1.5);
    record(result, "ball in cup", simulation);
    study.add("ball: height above the tip of the cup", simulation.position(body).z());
    study.add("ball: way from the axis", simulation.position(body).head<2>().norm());
  }
  result.quantities.push_back(study.check("ball: height above the tip of the cup", {height, 1e-8, false, {}, "m"}));
  result.quantities.push_back(study.check("ball: way from the axis", {0, 1e-8, false, {}, "m"}));
}

/// A ring hangs in a hook, each a bar of straight pieces: a piece of the ring crosses the lowest of the hook. Then a
/// hundred times its weight pulls at it, and it stays.
void ring_on_hook(CaseResult& result) {
  constexpr double ring = 0.03, hook = 0.02, thick = 0.004;
  constexpr int pieces = 24, bend = 15, sides = 8;
  std::vector<Eigen::Vector2d> circle, line{{hook, 0.06}};
  for (int k = 0; k < pieces; ++k) {
    const double a = EIGEN_PI / 2 + 2 * EIGEN_PI * (k + 0.5) / pieces;
    circle.emplace_back(ring * std::cos(a), ring * std::sin(a));
  }
  for (int k = 0; k <= bend; ++k) {
    const double a = EIGEN_PI * k / bend;
    line.emplace_back(hook * std::cos(a), -hook * std::sin(a));
  }
  const SurfaceMesh ring_mesh = make_bar(circle, thick, sides, true), hook_mesh = make_bar(line, thick, sides, false);
  // Inner corners lie on the radius less the thickness; the middles of straight pieces a little further in.
  const double seat = -(hook - thick) * std::cos(EIGEN_PI / bend / 2);
  const double height = seat - (ring - thick) * std::cos(EIGEN_PI / pieces);
  const double weight = 7800 * g * compute_mass_properties(ring_mesh).volume;
  Study study(0.002);
  for (const double h : study.steps()) {
    Model model = make_model(h, 0.3);
    model.add_fixed({.name = "hook", .shape = to_shape(hook_mesh, "hook")});
    const BodyId body = model.add_rigid({.name = "ring",
                                         .shape = to_shape(ring_mesh, "ring"),
                                         .position = {0, 0, height + 0.002},
                                         .orientation = Quat(Eigen::AngleAxisd(EIGEN_PI / 2, Vec3::UnitZ())),
                                         .density = 7800,
                                         .angular_damping = 20});
    model.add_load({.body = "ring", .force = [&](double t) -> Vec3 { return {0, 0, t < 0.3 ? 0 : -100 * weight}; }});
    Simulation simulation(model);
    simulation.run(0.3);
    study.add("ring: height at rest", simulation.position(body).z());
    simulation.run(0.2);
    study.add("ring: height under a hundred times its weight", simulation.position(body).z());
    record(result, "ring on hook", simulation);
  }
  result.quantities.push_back(study.check("ring: height at rest", {height, 1e-8, false, {}, "m"}));
  result.quantities.push_back(
      study.check("ring: height under a hundred times its weight", {height, 1e-8, false, {}, "m"}));
}

/// A nut screws itself down a bolt by its weight, without friction: z = pitch/(2 pi) times its turn, and its
/// acceleration is g / (1 + (2 pi / pitch)^2 I/m).
void nut_on_bolt(Effort effort, CaseResult& result) {
  const bool full = effort == Effort::Full;
  const int sides = full ? 48 : 24;
  constexpr double pitch = 0.010, land = 0.0049;
  const Thread bolt{
      .root = 0.0150, .crest = 0.0160, .pitch = pitch, .land = land, .turns = full ? 6 : 5, .sides = sides};
  const Thread nut{.root = 0.0164, .crest = 0.0153, .pitch = pitch, .land = land, .turns = 2, .sides = sides};
  const SurfaceMesh nut_mesh = make_nut(nut, 0.020), bolt_mesh = make_bolt(bolt, 0.010);
  const MassProperties properties = compute_mass_properties(nut_mesh);
  const double k = pitch / (2 * EIGEN_PI), turns = full ? 1 : 0.5;
  const double a = g / (1 + properties.inertia(2, 2) / (properties.volume * k * k));
  // The diagonals of the flat pieces leave the screw surface by k (pi / sides)(difference over sum of the radii).
  const auto ripple = [&](const Thread& t) { return std::abs(t.crest - t.root) / (t.crest + t.root) / (2 * sides); };
  const double play = ripple(bolt) + ripple(nut);
  Study study(full ? 0.002 : 0.004);
  for (const double h : study.steps()) {
    Model model = make_model(h, 0);
    model.add_fixed({.name = "bolt", .shape = to_shape(bolt_mesh, "bolt")});
    // Its crests on those of the bolt, above its middle.
    const BodyId body = model.add_rigid({.name = "nut",
                                         .shape = to_shape(nut_mesh, "nut"),
                                         .position = {0, 0, land + (full ? 3 : 2) * pitch},
                                         .density = 7800});
    Simulation simulation(model);
    const double start = simulation.position(body).z();
    double turn = 0, off = 0, before = 0;
    simulation.run(std::sqrt(2 * turns * pitch / a), [&](const Simulation& s) {
      const Vec3 e = s.orientation(body) * Vec3::UnitX();
      const double angle = std::atan2(e.y(), e.x());
      turn += std::remainder(angle - before, 2 * EIGEN_PI);
      before = angle;
      off = std::max(off, std::abs(s.position(body).z() - start - k * turn));
      return true;
    });
    record(result, "nut on bolt", simulation);
    // The last step may end a little off the time: compare with the way until then.
    const double t = simulation.state().time(), way = 0.5 * a * t * t / pitch;
    study.add("nut: deviation from the screw over the pitch", off / pitch);
    study.add("nut: turns over those of the formula", -turn / (2 * EIGEN_PI) / way);
    study.add("nut: way over that of the formula", (start - simulation.position(body).z()) / pitch / way);
  }
  result.quantities.push_back(study.check("nut: deviation from the screw over the pitch", {0, play}));
  result.quantities.push_back(study.check("nut: turns over those of the formula", {1, 0.05}));
  result.quantities.push_back(study.check("nut: way over that of the formula", {1, 0.05}));
}

}  // namespace

CaseResult run_concave_shapes(Effort effort) {
  CaseResult result;
  peg_in_hole(result);
  ball_in_cup(result);
  ring_on_hook(result);
  nut_on_bolt(effort, result);
  result.notes =
      "The thread is made of flat pieces: the nut may leave the ideal screw by the height of their diagonals (its "
      "tolerance "
      "is that number), and each change of slope takes a little of its speed.";
  return result;
}

}  // namespace cairn::validation
