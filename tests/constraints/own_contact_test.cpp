// SPDX-License-Identifier: Apache-2.0
// Contacts of one's own: every stepper takes them as it takes contacts of shapes.
#include "cairn/constraints/own_contact.h"

#include "cairn/sim/simulation.h"

#include "support/table_contact.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

BodyId add_point(Model& model, const Vec3& position, const Vec3& velocity) {
  return model.add_rigid({.position = position, .velocity = velocity, .mass = 2, .inertia = Mat3(Mat3::Identity())});
}

/// Steppers that move bodies through time and take contacts of one's own; the others say so by name.
std::vector<std::string> steppers_that_take(const Model& scene) {
  std::vector<std::string> names;
  for (const auto& entry : steppers().entries()) {
    if (steppers().make(entry.name)->traits().order == 0) continue;
    Model model = scene;
    model.run.stepper.name = entry.name;
    try {
      const Simulation simulation(model);
      names.push_back(entry.name);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(entry.name), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(names.size(), 20u);
  return names;
}

TEST(OwnContact, point_mass_slides_to_rest_under_every_stepper) {
  constexpr double mu = 0.4, g = 9.81, v = 1.5;
  Model scene;
  scene.add_own_contact(
      std::make_shared<Table>(add_point(scene, Vec3::Zero(), {v, 0, 0}).value, ContactLaw{.friction = mu}));
  for (const std::string& name : steppers_that_take(scene)) {
    Model model;
    model.run.stepper.name = name;
    model.run.step = 1e-3;
    const BodyId point = add_point(model, Vec3::Zero(), {v, 0, 0});
    model.add_own_contact(std::make_shared<Table>(point.value, ContactLaw{.friction = mu}));
    Simulation simulation(model);
    simulation.run(0.5);
    EXPECT_NEAR(simulation.position(point).x(), 0.5 * v * v / (mu * g), 1e-3 * v) << name;
    EXPECT_NEAR(simulation.velocity(point).norm(), 0, 1e-9) << name;
    EXPECT_NEAR(simulation.summary().work.friction, -0.5 * 2 * v * v, 1e-2) << name;
    EXPECT_NEAR(simulation.summary().numerical, 0, 1e-2) << name;
  }
}

TEST(OwnContact, bounces_by_newtons_law_under_every_stepper_with_restitution) {
  Model scene;
  scene.add_own_contact(std::make_shared<Table>(add_point(scene, {0, 0, 1}, Vec3::Zero()).value, ContactLaw{}));
  for (const std::string& name : steppers_that_take(scene)) {
    if (!steppers().make(name)->traits().restitution) continue;
    Model model;
    model.run.stepper.name = name;
    model.run.step = 1e-3;
    model.set_gravity(Vec3::Zero());
    const BodyId point = add_point(model, {0, 0, 0.1005}, {0, 0, -1});
    model.add_own_contact(
        std::make_shared<Table>(point.value, ContactLaw{.restitution = 0.5, .kind = LawKind::Frictionless}));
    Simulation simulation(model);
    simulation.run(0.2);
    EXPECT_NEAR(simulation.velocity(point).z(), 0.5, 1e-12) << name;
    EXPECT_NEAR(simulation.summary().work.contact, -0.75, 1e-12) << name;
    EXPECT_LT(simulation.summary().penetration, 1.1e-3) << name;
  }
}

TEST(OwnContact, with_a_law_or_rows_that_do_not_fit_is_refused) {
  Model model;
  const BodyId point = add_point(model, Vec3::Zero(), Vec3::Zero());
  EXPECT_THROW(model.add_own_contact(nullptr), Error);
  EXPECT_THROW(model.add_own_contact(std::make_shared<Table>(point.value, ContactLaw{.friction = -1})), Error);
  EXPECT_THROW(model.add_own_contact(std::make_shared<Table>(point.value, ContactLaw{.cohesion = 1})), Error);
  // Three rows; rolling needs five.
  EXPECT_THROW(model.add_own_contact(
                   std::make_shared<Table>(point.value, ContactLaw{.kind = LawKind::Rolling, .rolling_friction = 0.1})),
               Error);
}

}  // namespace
}  // namespace cairn
