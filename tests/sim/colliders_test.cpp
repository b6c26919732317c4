// SPDX-License-Identifier: Apache-2.0
// Bodies with several colliders at places of their own, and with an own centre of mass.
#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>

#include "cairn/geometry/compound.h"
#include "cairn/sim/checkpoint.h"
#include "cairn/sim/frame.h"

namespace cairn {
namespace {

/// Two balls on a massless bar along y.
RigidBody make_dumbbell(double radius, double half) {
  RigidBody body;
  for (const double y : {-half, half}) body.colliders.push_back({.shape = Sphere{radius}, .position = {0, y, 0}});
  return body;
}

TEST(Colliders, mass_centre_and_inertia_are_sums_by_steiner) {
  Model model;
  RigidBody body;
  body.name = "mace";
  body.position = {1, 2, 3};
  body.colliders.push_back({.shape = Sphere{0.1}, .position = {0, 0, 0.4}, .density = 3000});
  body.colliders.push_back({.shape = Cylinder{0.02, 0.3},
                            .position = {0, 0.05, 0},
                            .orientation = Quat(Eigen::AngleAxisd(0.5, Vec3::UnitX())),
                            .density = 700});
  model.add_rigid(body);
  const double pi = std::numbers::pi;
  const double ball = 3000 * 4 / 3. * pi * 1e-3, rod = 700 * pi * 0.02 * 0.02 * 0.6, mass = ball + rod;
  const Vec3 centre = (ball * Vec3(0, 0, 0.4) + rod * Vec3(0, 0.05, 0)) / mass;
  const double across = rod * (3 * 0.02 * 0.02 + 0.6 * 0.6) / 12, along = rod * 0.02 * 0.02 / 2;
  const Mat3 R = Eigen::AngleAxisd(0.5, Vec3::UnitX()).toRotationMatrix();
  const auto steiner = [](double m, const Vec3& d) {
    return Mat3(m * (d.squaredNorm() * Mat3::Identity() - d * d.transpose()));
  };
  const Mat3 inertia = 0.4 * ball * 0.01 * Mat3::Identity() + steiner(ball, Vec3(0, 0, 0.4) - centre) +
                       R * Vec3(across, across, along).asDiagonal() * R.transpose() +
                       steiner(rod, Vec3(0, 0.05, 0) - centre);
  const Bodies& bodies = model.system().bodies;
  EXPECT_NEAR(bodies.mass(0), mass, 1e-13 * mass);
  EXPECT_LT((bodies.inertia(0) - inertia).norm(), 1e-13 * inertia.norm());
  const Simulation simulation(model);
  EXPECT_LT((simulation.position(BodyId{0}) - (Vec3(1, 2, 3) + centre)).norm(), 1e-14);
}

TEST(Colliders, weigh_what_the_compound_of_the_same_parts_weighs) {
  std::vector<CompoundPart> parts{{Box{Vec3(0.2, 0.3, 0.4)}, {Mat3::Identity(), {0.5, 0, 0}}},
                                  {Sphere{0.2}, {Mat3::Identity(), {0, -0.4, 0.1}}}};
  RigidBody whole, pieces;
  whole.shape = make_compound(parts, "shape");
  for (const CompoundPart& part : parts) pieces.colliders.push_back({.shape = part.shape, .position = part.at.c});
  Model model;
  model.add_rigid(whole);
  model.add_rigid(pieces);
  const Bodies& bodies = model.system().bodies;
  EXPECT_NEAR(bodies.mass(0), bodies.mass(1), 1e-12);
  EXPECT_LT((bodies.inertia(0) - bodies.inertia(1)).norm(), 1e-12);
  const Simulation simulation(model);
  EXPECT_LT((simulation.position(BodyId{0}) - simulation.position(BodyId{1})).norm(), 1e-14);
}

TEST(Colliders, a_dumbbell_of_two_balls_rolls_as_one) {
  // Down a slope of 10 degrees: a = g sin / (1 + 2/5), whatever the distance of the balls.
  const double angle = 10 * std::numbers::pi / 180, g = 9.81;
  Model model;
  model.set_gravity({g * std::sin(angle), 0, -g * std::cos(angle)});
  model.set_contact({.friction = 0.5});
  model.add_fixed({.name = "slope", .shape = HalfSpace{}});
  RigidBody dumbbell = make_dumbbell(0.1, 0.3);
  dumbbell.position = {0, 0, 0.1};
  const BodyId id = model.add_rigid(dumbbell);
  model.run.step = 1e-3;
  Simulation simulation(model);
  simulation.run(1);
  const double speed = g * std::sin(angle) / 1.4;
  EXPECT_NEAR(simulation.velocity(id).x(), speed, 2e-3 * speed);
  EXPECT_NEAR(simulation.angular_velocity(id).y(), speed / 0.1, 2e-2 * speed);
  EXPECT_EQ(simulation.contacts().size(), 2u);
  EXPECT_NEAR(simulation.position(id).y(), 0, 1e-9);
}

TEST(Colliders, each_has_its_own_material_and_group) {
  Model model;
  for (const auto name : {"stone", "ice", "rubber"}) model.add_material({.name = name});
  model.set_contact("stone", "ice", {.friction = 0.1});
  model.set_contact("stone", "rubber", {.friction = 0.8});
  model.add_fixed({.name = "ground", .shape = HalfSpace{}, .material = "stone", .group = "ground"});
  RigidBody sledge;
  sledge.position = {0, 0, 0.1};
  sledge.colliders.push_back({.shape = Sphere{0.1}, .position = {-0.5, -0.3, 0}, .material = "ice"});
  sledge.colliders.push_back({.shape = Sphere{0.1}, .position = {-0.5, 0.3, 0}, .material = "ice"});
  sledge.colliders.push_back({.shape = Sphere{0.1}, .position = {0.5, 0, 0}, .material = "rubber"});
  sledge.colliders.push_back({.shape = Sphere{0.3}, .group = "spirit"});  // hangs through the ground
  model.add_rigid(sledge);
  model.exclude_groups("ground", "spirit");
  Simulation simulation(model);
  simulation.run(0.1);
  ASSERT_EQ(simulation.contacts().size(), 3u);
  for (const ContactResult& c : simulation.contacts()) {
    EXPECT_EQ(c.friction, c.point.x() < 0 ? 0.1 : 0.8);
    EXPECT_NEAR(c.point.z(), 0, 1e-6);
  }
}

TEST(Colliders, a_ball_with_a_low_centre_of_mass_rocks_as_one) {
  // Rolling without slip about its rest: T = 2 pi sqrt((J + m (r - d)^2) / (m g d)), d the depth of the centre.
  const double r = 0.2, d = 0.05, m = 3, J = 0.02, g = 9.81;
  Model model;
  model.set_contact({.friction = 10});
  model.add_fixed({.shape = HalfSpace{}});
  RigidBody toy;
  toy.shape = Sphere{r};
  toy.position = {0, 0, r};
  toy.orientation = Quat(Eigen::AngleAxisd(0.02, Vec3::UnitY()));
  toy.mass = m;
  toy.inertia = J * Mat3::Identity();
  toy.centre_of_mass = Vec3(0, 0, -d);
  const BodyId id = model.add_rigid(toy);
  model.run.step = 1e-4;
  Simulation simulation(model);
  EXPECT_NEAR(simulation.position(id).z(), r - d * std::cos(0.02), 1e-14);
  const double period = 2 * std::numbers::pi * std::sqrt((J + m * (r - d) * (r - d)) / (m * g * d));
  double crossing = 0, before = 1;  // upright again after a quarter of the period
  simulation.run(0.5 * period, [&](const Simulation& s) {
    const double tilt = s.orientation(id).toRotationMatrix()(0, 2);
    if (before > 0 && tilt <= 0) crossing = s.state().time() - 1e-4 * tilt / (tilt - before);
    before = tilt;
    return crossing == 0;
  });
  EXPECT_NEAR(crossing, period / 4, 1e-3 * period);
}

/// A heap of dumbbells.
Model make_heap() {
  Model model;
  model.run.step = 1e-3;
  model.add_fixed({.shape = HalfSpace{}});
  for (int i = 0; i < 12; ++i) {
    RigidBody body = make_dumbbell(0.1, 0.15);
    body.colliders.push_back({.shape = Box{Vec3(0.05, 0.2, 0.05)}, .density = 500});
    body.position = {0.02 * (i % 3), 0.01 * i, 0.15 + 0.22 * i};
    body.orientation = Quat(Eigen::AngleAxisd(0.4 * i, Vec3::UnitZ()));
    model.add_rigid(body);
  }
  return model;
}

TEST(Colliders, give_the_same_bits_on_two_threads_and_after_a_restart) {
  const auto path = std::filesystem::temp_directory_path() / "cairn_colliders_test.ck";
  Model model = make_heap();
  Simulation one(model);
  one.run(0.4);
  model.run.threads = 2;
  Simulation two(model), rest(model);
  two.run(0.2);
  write_checkpoint(path, model, two.state());
  two.run(0.2);
  rest.restore(read_checkpoint(path, model));
  rest.run(0.2);
  EXPECT_GT(one.contacts().size(), 12u);
  for (const Simulation* other : {&two, &rest}) {
    EXPECT_EQ(one.state().motion.q, other->state().motion.q);
    EXPECT_EQ(one.state().motion.u, other->state().motion.u);
  }
  std::filesystem::remove(path);
}

TEST(Colliders, are_all_in_a_frame_as_one_compound) {
  const Model model = make_heap();
  const FrameModel frames = make_frame_model(model);
  ASSERT_TRUE(frames.bodies[1].shape);
  const auto& compound = std::get<Compound>(*frames.bodies[1].shape);
  ASSERT_EQ(compound.data->parts.size(), 3u);
  EXPECT_EQ(compound.data->parts[0].at.c, Vec3(0, -0.15, 0));
  EXPECT_EQ(model.colliders_of(1).size(), 3u);
  EXPECT_EQ(model.colliders_of(0).size(), 1u);
}

TEST(Colliders, mistakes_are_named) {
  const auto message = [](const RigidBody& body) {
    try {
      Model().add_rigid(body);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  RigidBody both = make_dumbbell(0.1, 0.2);
  both.shape = Sphere{1};
  EXPECT_NE(message(both).find("one of the two"), std::string::npos);
  RigidBody plane;
  plane.colliders.push_back({.shape = HalfSpace{}});
  EXPECT_NE(message(plane).find("has no mass"), std::string::npos);
  RigidBody loose = make_dumbbell(0.1, 0.2);
  loose.centre_of_mass = Vec3::Zero();
  EXPECT_NE(message(loose).find("without inertia"), std::string::npos);
  RigidBody wrong = make_dumbbell(0.1, 0.2);
  wrong.colliders[1].material = "cheese";
  EXPECT_NE(message(wrong).find("no material 'cheese'"), std::string::npos);
}

}  // namespace
}  // namespace cairn
