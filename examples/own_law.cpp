// SPDX-License-Identifier: Apache-2.0
// A user-defined contact law: the skins under touring skis, whose hairs let a ski glide forwards and hold it backwards.
// Written against public headers only: say which friction a unit normal force allows (a convex set: its projection and
// its support function), and every stepper has the law, and every solver that asks no more of it.
//
// Here the set is a disc off the centre: r_1 in [-mu, mu_2] r_N along the ski, U_1 > 0 forwards.
//
// Expected: on a slope of tan = 0.3 between mu = 0.1 and mu_2 = 0.5 a ski that points down the slope is accelerated by
// g (sin - 0.1 cos); one that points up stays where it is.
#include <cairn/laws/law_type.h>
#include <cairn/sim/simulation.h>

#include <cmath>
#include <cstdio>

namespace {

double radius(const cairn::ConstraintLaw& law) { return (law.mu_2 + law.mu) / 2; }
double centre(const cairn::ConstraintLaw& law) { return (law.mu_2 - law.mu) / 2; }

/// Nearest point of the disc.
void project(const cairn::ConstraintLaw& law, const double* x, double* out) {
  const double u = x[0] - centre(law), size = std::hypot(u, x[1]);
  const bool inside = size <= radius(law);
  out[0] = inside ? x[0] : centre(law) + radius(law) * u / size;
  out[1] = inside ? x[1] : radius(law) * x[1] / size;
}

/// The most that a point of the disc has along y.
double support(const cairn::ConstraintLaw& law, const double* y) {
  return centre(law) * y[0] + radius(law) * std::hypot(y[0], y[1]);
}

void describe(cairn::ContactLaw& law, cairn::ParameterVisitor& v) {
  v.real("friction", law.friction, "", cairn::non_negative, "coefficient with the hairs");
  v.real("friction_2", law.friction_2, "", cairn::non_negative, "coefficient against them");
  v.direction("direction", std::span<double, 3>(law.direction.data(), 3), "of the hairs, on the material named first");
}

}  // namespace

int main() {
  const cairn::LawKind skin = cairn::add_law({.name = "skin",
                                              .help = "friction that depends on the direction along a ski",
                                              .directed = true,
                                              .describe = describe,
                                              .example = {.mu = 0.1, .mu_2 = 0.5},
                                              .project_friction = project,
                                              .support = support});
  const double angle = std::atan(0.3), g = 9.81;
  cairn::Model model;
  model.run.step = 1e-3;
  model.set_gravity({g * std::sin(angle), 0, -g * std::cos(angle)});  // x points down the slope
  model.add_material({.name = "ski"});
  model.add_material({.name = "snow"});
  model.set_contact("ski", "snow", {.friction = 0.1, .kind = skin, .friction_2 = 0.5});
  model.add_fixed({.name = "slope", .shape = cairn::HalfSpace{}, .material = "snow"});
  const cairn::Box ski{cairn::Vec3(0.9, 0.05, 0.01)};
  const cairn::Quat turned(Eigen::AngleAxisd(M_PI, cairn::Vec3::UnitZ()));
  const cairn::BodyId down =
      model.add_rigid({.name = "down", .shape = ski, .material = "ski", .position = {0, 0, 0.01}});
  const cairn::BodyId up =
      model.add_rigid({.name = "up", .shape = ski, .material = "ski", .position = {0, 1, 0.01}, .orientation = turned});

  cairn::Simulation simulation(model);
  simulation.run(1);
  const double v = simulation.velocity(down).x(), expected = g * (std::sin(angle) - 0.1 * std::cos(angle));
  const double slipped = simulation.position(up).x();
  std::printf("down: %.9f m/s after 1 s (expected %.9f); up: moved by %.1e m\n", v, expected, slipped);
  return std::abs(v - expected) < 1e-7 && std::abs(slipped) < 1e-9 ? 0 : 1;
}
