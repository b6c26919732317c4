// SPDX-License-Identifier: Apache-2.0
// Fast bodies do not pass through thin ones, and nothing is paid for slow ones.
#include "cairn/assembly/impact_search.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cairn/geometry/mesh.h"
#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

Shape as_mesh(const Shape& shape) {
  return TriangleMesh{std::make_shared<MeshData>(make_mesh(make_surface_mesh(shape), "plate"))};
}

/// A ball of 10 mm at 100 m/s against a plate of 1 mm: it covers ten times its radius in a step of 1 ms.
Model make_shot(const Shape& plate, double height, double restitution, const std::string& stepper) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.set_contact({.friction = 0.3, .restitution = restitution});
  model.add_fixed({.name = "plate", .shape = plate});
  model.add_rigid(
      {.name = "ball", .shape = Sphere{0.01}, .position = {0.013, 0.021, height}, .velocity = {0, 0, -100}});
  model.run.step = 1e-3;
  model.run.stepper.name = stepper;
  return model;
}

TEST(ImpactSearch, no_ball_goes_through_a_plate_wherever_it_starts) {
  const Box plate{{0.5, 0.5, 0.0005}};
  for (const Shape& shape : {Shape(plate), as_mesh(plate)}) {
    for (const std::string stepper : {"moreau", "koziara"}) {
      for (const double restitution : {0.0, 0.5, 1.0}) {
        for (int k = 0; k < 40; ++k) {
          const double height = 0.02 + 0.011 * k;
          Simulation simulation(make_shot(shape, height, restitution, stepper));
          const BodyId ball = simulation.model().body("ball");
          for (int step = 0; step < 12; ++step) {
            simulation.step();
            ASSERT_GT(simulation.position(ball).z(), 0) << stepper << " e = " << restitution << " from " << height;
          }
          // Newton's law: it leaves with e times the speed of arrival.
          EXPECT_NEAR(simulation.velocity(ball).z(), 100 * restitution, 1e-9) << stepper << " from " << height;
          EXPECT_LT(simulation.summary().penetration, 1e-5);
        }
      }
    }
  }
}

TEST(ImpactSearch, the_bounce_happens_where_and_when_the_ball_arrives) {
  const double height = 0.3333, e = 0.5;
  Simulation simulation(make_shot(Box{{0.5, 0.5, 0.0005}}, height, e, "moreau"));
  for (int step = 0; step < 10; ++step) simulation.step();
  const double arrival = (height - 0.0105) / 100;
  EXPECT_NEAR(simulation.position(simulation.model().body("ball")).z(), 0.0105 + e * 100 * (0.01 - arrival), 1e-5);
  EXPECT_EQ(simulation.summary().divided, 1);
}

TEST(ImpactSearch, two_bullets_meet) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.set_contact({.friction = 0, .restitution = 1});
  model.add_rigid({.name = "left", .shape = Sphere{0.005}, .position = {-0.4567, 0, 0}, .velocity = {300, 0, 0}});
  model.add_rigid({.name = "right", .shape = Sphere{0.005}, .position = {0.3, 0.001, 0}, .velocity = {-200, 0, 0}});
  model.run.step = 1e-3;
  Simulation simulation(model);
  for (int step = 0; step < 5; ++step) simulation.step();
  // Equal masses exchange their velocities along the line of centres: sin = 0.1.
  const double c2 = 1 - 0.01, sum = -500 * c2;
  EXPECT_NEAR(simulation.velocity(model.body("left")).x(), 300 + sum, 0.05);
  EXPECT_NEAR(simulation.velocity(model.body("right")).x(), -200 - sum, 0.05);
}

TEST(ImpactSearch, a_spinning_rod_does_not_sweep_through_a_thin_post) {
  // The end of the rod moves by 0.25 m per step; rod and post together are 21 mm thick.
  for (const double restitution : {0.0, 0.5}) {
    for (int k = 0; k < 20; ++k) {
      Model model;
      model.set_gravity(Vec3::Zero());
      model.set_contact({.friction = 0, .restitution = restitution});
      model.add_fixed({.name = "post", .shape = Cylinder{0.0005, 0.5}, .position = {0, 0.45, 0}});
      model.add_rigid({.name = "rod",
                       .shape = Box{{0.5, 0.01, 0.01}},
                       .orientation = Quat(Eigen::AngleAxisd(0.05 * k, Vec3::UnitZ())),
                       .angular_velocity = {0, 0, 500}});
      model.run.step = 1e-3;
      Simulation simulation(model);
      const double before = simulation.energy().total();
      double angle = 0;
      for (int step = 0; step < 4 && angle < 1.55; ++step) {
        simulation.step();
        const Vec3 along = simulation.orientation(model.body("rod")) * Vec3::UnitX();
        angle = std::atan2(along.y(), along.x());
      }
      // Whoever is at the post has met it, and lost speed.
      EXPECT_LT(simulation.energy().total(), 0.99 * before) << restitution << " " << k;
      EXPECT_LT(simulation.summary().penetration, 0.002) << restitution << " " << k;
    }
  }
}

TEST(ImpactSearch, slow_bodies_are_not_looked_at) {
  Model model;
  model.add_fixed({.name = "floor", .shape = HalfSpace{}});
  model.add_rigid({.name = "box", .shape = Box{{0.5, 0.5, 0.5}}, .position = {0, 0, 3}});
  Simulation simulation(model);
  simulation.run(1);
  EXPECT_EQ(simulation.summary().divided, 0);

  ImpactSearch search;
  EXPECT_EQ(search.find(model.system(), simulation.state().motion, {}, true, 1e-3, {}), INFINITY);
}

TEST(ImpactSearch, a_fast_ball_rolls_on_without_being_stopped_by_the_plane_it_touches) {
  Model model;
  model.set_contact({.friction = 0.3, .restitution = 0.5});
  model.add_fixed({.name = "floor", .shape = Box{{50, 50, 0.01}}, .position = {0, 0, -0.01}});
  model.add_rigid({.name = "ball",
                   .shape = Sphere{0.01},
                   .position = {0, 0, 0.01},
                   .velocity = {100, 0, 0},
                   .angular_velocity = {0, 10000, 0}});
  model.run.step = 1e-3;
  Simulation simulation(model);
  simulation.run(0.1);
  EXPECT_NEAR(simulation.position(model.body("ball")).x(), 10, 1e-6);
  EXPECT_NEAR(simulation.position(model.body("ball")).z(), 0.01, 1e-9);
}

}  // namespace
}  // namespace cairn
