// SPDX-License-Identifier: Apache-2.0
// Fast and general blocks side by side: what is of another kind changes nothing where it does not touch.
#include "cairn/assembly/fast_contacts.h"

#include <gtest/gtest.h>

#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

constexpr int boxes = 6;

/// A stack on the ground, the first bodies of its model.
Model stack() {
  Model model;
  model.run.step = 1.0 / 240;
  model.set_contact({.friction = 0.5});
  model.add_fixed({.shape = Box{Vec3(20, 20, 1)}, .position = {0, 0, -1}});
  for (int i = 0; i < boxes; ++i) model.add_rigid({.shape = Box{Vec3(0.5, 0.5, 0.5)}, .position = {0.05 * i, 0, 0.5 + i}});
  return model;
}

void add_pendulum(Model& model, const Vec3& at) {
  model.add_rigid({.name = "bob", .shape = Sphere{0.2}, .position = at + Vec3(1, 0, 0)});
  model.add_joint({.kind = JointKind::Revolute, .body_a = "bob", .position = at, .axis = Vec3::UnitY()});
}

void add_soft_body(Model& model) {
  AffineSpec soft;
  soft.shape = Box{Vec3(0.3, 0.3, 0.3)};
  soft.position = {8, 0, 0.3};
  model.add_affine(soft);
}

/// Positions of the boxes and their contacts after some steps.
struct Rest {
  VecX q, u;
  std::vector<Vec3> impulses;
};

Rest run(const Model& model, int steps) {
  Simulation simulation(model);
  for (int i = 0; i < steps; ++i) simulation.step();
  Rest rest;
  rest.q = simulation.state().motion.q.head(7 * (boxes + 1));
  rest.u = simulation.state().motion.u.head(6 * (boxes + 1));
  for (const ContactResult& c : simulation.contacts())
    if (c.body_a <= boxes && c.body_b <= boxes) rest.impulses.push_back(c.impulse);
  return rest;
}

void expect_same_bits(const Rest& a, const Rest& b) {
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.u, b.u);
  EXPECT_EQ(a.impulses, b.impulses);
  EXPECT_EQ(a.impulses.size(), 4u * boxes);
}

TEST(FastContacts, a_hinged_pendulum_beside_a_stack_changes_no_bit_of_it) {
  Model other = stack();
  add_pendulum(other, {6, 0, 3});
  expect_same_bits(run(stack(), 120), run(other, 120));
}

TEST(FastContacts, a_soft_body_beside_a_stack_changes_no_bit_of_it) {
  Model other = stack();
  add_soft_body(other);
  expect_same_bits(run(stack(), 120), run(other, 120));
}

TEST(FastContacts, a_material_that_nothing_uses_changes_no_bit) {
  Model other = stack();
  other.add_material({"rubber"});
  other.set_contact("rubber", "rubber", {.friction = 0.5, .kind = LawKind::Rolling, .rolling_friction = 0.01});
  expect_same_bits(run(stack(), 120), run(other, 120));
}

TEST(FastContacts, a_pendulum_that_lies_on_the_stack_makes_its_island_general_and_both_stand) {
  Model other = stack();
  add_pendulum(other, {1.2, 0, boxes + 0.2});  // its bob comes down on the stack's top or side
  Simulation simulation(other);
  for (int i = 0; i < 240; ++i) simulation.step();
  EXPECT_LT(simulation.certificate().residual, 1e-7);
  EXPECT_LT(simulation.certificate().joint_drift, 1e-6);
}

}  // namespace
}  // namespace cairn
