// SPDX-License-Identifier: Apache-2.0
// Scenes build the same models as C++ code: same bits at the start and after stepping; formulas, repetitions, defaults.
#include "cairn/io/scene.h"

#include "cairn/math/expression.h"
#include "cairn/sim/simulation.h"
#include "support/places.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>
#include <regex>

namespace cairn {
namespace {

constexpr double kPi = std::numbers::pi;

Scene parse(const std::string& sections) { return parse_scene("cairn: 1\n" + sections, "test.yaml"); }

/// A scene with these bodies and nothing else.
Model parse_bodies(const std::string& bodies) { return parse("bodies:\n" + bodies).model; }

VecX start_q(const Model& model) {
  VecX q, u;
  model.system().bodies.initial(q, u);
  return q;
}
VecX start_u(const Model& model) {
  VecX q, u;
  model.system().bodies.initial(q, u);
  return u;
}

/// Bit for bit the same start, and the same after some steps.
void expect_same_motion(const Model& a, const Model& b, int steps) {
  ASSERT_EQ(a.body_count(), b.body_count());
  for (int i = 0; i < a.body_count(); ++i) EXPECT_EQ(a.body_name(i), b.body_name(i));
  Simulation first(a), second(b);
  ASSERT_EQ(first.state().motion.q, second.state().motion.q);
  ASSERT_EQ(first.state().motion.u, second.state().motion.u);
  for (int i = 0; i < steps; ++i) {
    ASSERT_EQ(first.step().status, StepStatus::Done);
    ASSERT_EQ(second.step().status, StepStatus::Done);
  }
  EXPECT_EQ(first.state().motion.q, second.state().motion.q);
  EXPECT_EQ(first.state().motion.u, second.state().motion.u);
  EXPECT_NE(first.state().motion.q, start_q(a));  // something did move
}

TEST(Scene, gives_the_same_bits_as_the_model_written_in_cpp) {
  const Model read = parse(R"yaml(
title: All there is
gravity: [0, 0, -9.8]
let: {n: 3, w: 0.2, h: w/2}
materials: [{name: stone, density: 2400}, {name: ice}]
contacts:
  default: {friction: 0.4}
  pairs: [{between: [stone, ice], friction: 0.05, restitution: 0.1}]
bodies:
  - {name: ground, fixed: true, material: ice, shape: {half-space: {normal: [0, 0, 1], offset: 0}}}
  - name: "brick {k} {i}"
    repeat: {k: n, i: n - k}
    material: stone
    shape: {box: {size: [w, w, h]}}
    position: ["1.05*w*(i - (n - 1 - k)/2)", 0, "h*(k + 1/2)"]
    velocity: [0, "0.01*k", 0]
  - name: ball
    shape: {sphere: {radius: 0.1}}
    mass: 2
    inertia: [0.01, 0.02, 0.015]
    position: [1, 0, 0.3]
    orientation: {quaternion: [0.5, 0.5, 0.5, 0.5]}
    angular_velocity: [1, 2, 3]
    linear_damping: 0.1
    angular_damping: 0.2
  - name: lift
    kind: prescribed
    shape: {box: {size: [1, 1, 0.1]}}
    position: [3, 0, 0]
    motion: {velocity: [0, 0, "w*cos(2*pi*t)"], angular_velocity: [0, 0, "n*t"]}
  - {name: rider, shape: {box: {size: [0.2, 0.2, 0.2]}}, density: 500, position: [3, 0, 0.15]}
joints: [{type: ball, name: hook, between: [ball, world], position: [1, 0, 0.5]}]
forces:
  - {type: spring, between: [ball, world], anchors: [[0, 0, 0.1], [1, 1, 1]],
     stiffness: 50, damping: 1, rest_length: 0.3}
  - {type: load, body: rider, anchor: [0, 0, 0.1], force: ["8*cos(t)", 0, w], torque: [0, 0, 0.01]}
exclude: [[lift, ball]]
run:
  duration: 2
  step: 1/240
  stepper: {name: moreau, rotation: new3}
  solver: {name: gauss-seidel, tolerance: 1e-10}
output: {interval: 0.02, contacts: false}
)yaml")
                         .model;

  Model written;
  const int n = 3;
  const double w = 0.2, h = w / 2;
  written.title = "All there is";
  written.set_gravity({0, 0, -9.8});
  written.add_material({"stone", 2400});
  written.add_material({"ice"});
  written.set_contact({0.4, 0});
  written.set_contact("stone", "ice", {0.05, 0.1});
  written.add_fixed({.name = "ground", .shape = HalfSpace{{0, 0, 1}, 0}, .material = "ice"});
  // No sum of products below: a compiler that fuses them would round otherwise than a formula does.
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n - k; ++i) {
      written.add_rigid({.name = fmt::format("brick {} {}", k, i),
                         .shape = Box{{w / 2, w / 2, h / 2}},
                         .material = "stone",
                         .position = {1.05 * w * (i - (n - 1 - k) / 2.0), 0, h * (k + 0.5)},
                         .velocity = {0, 0.01 * k, 0}});
    }
  }
  written.add_rigid({.name = "ball",
                     .shape = Sphere{0.1},
                     .position = {1, 0, 0.3},
                     .orientation = Quat(0.5, 0.5, 0.5, 0.5),
                     .angular_velocity = {1, 2, 3},
                     .mass = 2,
                     .inertia = Mat3(Vec3(0.01, 0.02, 0.015).asDiagonal()),
                     .linear_damping = 0.1,
                     .angular_damping = 0.2});
  PrescribedMotion motion;
  motion.velocity = [](double t) { return Vec3(0, 0, 0.2 * std::cos(2 * kPi * t)); };
  motion.angular_velocity = [](double t) { return Vec3(0, 0, 3 * t); };
  written.add_fixed({.name = "lift", .shape = Box{{0.5, 0.5, 0.05}}, .position = {3, 0, 0}, .motion = motion});
  written.add_rigid({.name = "rider", .shape = Box{{0.1, 0.1, 0.1}}, .position = {3, 0, 0.15}, .density = 500});
  written.add_joint({.name = "hook", .body_a = "ball", .position = {1, 0, 0.5}});
  written.add_spring({.body_a = "ball",
                      .anchor_a = {0, 0, 0.1},
                      .anchor_b = {1, 1, 1},
                      .stiffness = 50,
                      .damping = 1,
                      .rest_length = 0.3});
  written.add_load({.body = "rider",
                    .anchor = {0, 0, 0.1},
                    .force = [](double t) { return Vec3(8 * std::cos(t), 0, 0.2); },
                    .torque = [](double) { return Vec3(0, 0, 0.01); }});
  written.exclude("lift", "ball");
  written.run = {.duration = 2,
                 .step = 1.0 / 240,
                 .stepper = {"moreau", {{"rotation", "new3"}}},
                 .solver = {"gauss-seidel", {{"tolerance", "1e-10"}}}};

  EXPECT_EQ(read.title, written.title);
  EXPECT_EQ(read.run.duration, written.run.duration);
  EXPECT_EQ(read.run.step, written.run.step);
  EXPECT_EQ(read.run.stepper.parameters, written.run.stepper.parameters);
  EXPECT_EQ(read.system().filter.pairs, written.system().filter.pairs);
  expect_same_motion(read, written, 50);
}

TEST(Scene, affine_body_is_the_one_written_in_cpp) {
  const Model read = parse(R"yaml(
materials: [{name: rubber, density: 1100}]
bodies:
  - {name: table, fixed: true, shape: {box: {size: [2, 2, 0.2]}}, position: [0, 0, -0.1]}
  - name: block
    kind: affine
    material: rubber
    shape: {box: {size: [0.4, 0.2, 0.1]}}
    young: 1e6
    poisson: 0.3
    position: [0, 0, 0.2]
    orientation: {axis: [0, 1, 0], angle: 0.3}
    velocity: [0.1, 0, -1]
    angular_velocity: [0, 0.5, 2]
run: {step: 1/1000}
)yaml")
                         .model;

  Model written;
  written.add_material({"rubber", 1100});
  written.add_fixed({.name = "table", .shape = Box{{1, 1, 0.1}}, .position = {0, 0, -0.1}});
  AffineSpec spec;
  spec.shape = Box{{0.2, 0.1, 0.05}};
  spec.density = 1100;
  spec.young = 1e6;
  spec.poisson = 0.3;
  spec.position = {0, 0, 0.2};
  spec.deformation = Quat(Eigen::AngleAxisd(0.3, Vec3::UnitY())).normalized().toRotationMatrix();
  spec.velocity = {0.1, 0, -1};
  spec.deformation_rate = hat(Vec3(0, 0.5, 2)) * spec.deformation;
  written.add_affine({.name = "block", .material = "rubber", .spec = spec});
  written.run.step = 1.0 / 1000;

  expect_same_motion(read, written, 50);
  // dF/dt = hat(omega) F spins the block as a rigid body: no part of the velocity gradient is symmetric.
  const Mat3 gradient = spec.deformation_rate * spec.deformation.inverse();
  EXPECT_NEAR((gradient + gradient.transpose()).norm(), 0, 1e-15);
}

TEST(Scene, what_is_left_out_has_the_defaults_of_the_cpp_structs) {
  const Scene scene = parse("bodies: [{shape: {sphere: {radius: 0.5}}}, {shape: {half-space: {}}, fixed: true}]");
  const Model& model = scene.model;
  const RunSettings run;
  EXPECT_EQ(model.run.duration, run.duration);
  EXPECT_EQ(model.run.step, run.step);
  EXPECT_EQ(model.run.stepper.name, run.stepper.name);
  EXPECT_EQ(model.run.solver.name, run.solver.name);
  EXPECT_EQ(model.run.threads, 1);
  EXPECT_EQ(scene.output.interval, 1.0 / 60);
  EXPECT_TRUE(scene.output.contacts);
  EXPECT_EQ(model.system().gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(model.system().materials.default_law().friction, ContactLaw{}.friction);
  EXPECT_EQ(model.system().bodies.mass(0), 1000 * 4.0 / 3 * kPi * 0.125);  // a ball of water
  EXPECT_EQ(model.body_name(0), "body 0");
  EXPECT_EQ(std::get<HalfSpace>(model.system().colliders[1].shape).normal, Vec3(0, 0, 1));
}

TEST(Scene, colliders_have_places_materials_and_groups_of_their_own) {
  const Model read = parse(R"yaml(
materials: [{name: stone, density: 2400}, {name: ice, density: 900}]
bodies:
  - {name: ground, fixed: true, colliders: [{shape: {half-space: {}}, position: [0, 0, 0.5]}], group: floor}
  - name: sledge
    position: [0, 0, 3]
    material: stone
    colliders:
      - {shape: {sphere: {radius: 0.1}}, position: [0.5, 0, 0], material: ice}
      - {shape: {box: {size: [1, 0.2, 0.1]}}, orientation: {axis: [0, 0, 1], angle_deg: 30}, group: top, density: 10}
  - {name: toy, shape: {sphere: {radius: 0.2}}, mass: 3, inertia: [1, 1, 1], centre_of_mass: [0, 0, -0.1]}
exclude: [{groups: [floor, top]}]
)yaml")
                         .model;
  Model model;
  model.add_material({.name = "stone", .density = 2400});
  model.add_material({.name = "ice", .density = 900});
  model.add_fixed({.name = "ground", .shape = HalfSpace{.offset = 0.5}, .group = "floor"});
  model.add_rigid({.name = "sledge",
                   .colliders = {{.shape = Sphere{0.1}, .position = {0.5, 0, 0}, .material = "ice"},
                                 {.shape = Box{Vec3(0.5, 0.1, 0.05)},
                                  .orientation = Quat(Eigen::AngleAxisd(kPi / 6, Vec3::UnitZ())),
                                  .group = "top",
                                  .density = 10}},
                   .material = "stone",
                   .position = {0, 0, 3}});
  model.add_rigid({.name = "toy",
                   .shape = Sphere{0.2},
                   .mass = 3,
                   .inertia = Mat3::Identity(),
                   .centre_of_mass = Vec3(0, 0, -0.1)});
  model.exclude_groups("floor", "top");
  expect_same_motion(read, model, 20);
  EXPECT_EQ(read.system().bodies.mass(1), model.system().bodies.mass(1));
  EXPECT_EQ(read.system().filter.group, model.system().filter.group);
  EXPECT_EQ(start_q(read).segment<3>(14), Vec3(0, 0, -0.1));
  for (std::size_t i = 0; i < read.system().colliders.size(); ++i)
    EXPECT_EQ(read.system().collider_material[i].value, model.system().collider_material[i].value);
}

TEST(Scene, pair_without_friction_takes_that_of_the_default_law) {
  const Model model = parse(R"yaml(
materials: [{name: a}, {name: b}]
contacts: {pairs: [{between: [b, a], restitution: 0.7}], default: {friction: 0.9, restitution: 0.2}}
bodies: [{fixed: true}]
)yaml")
                          .model;
  const Materials& m = model.system().materials;
  EXPECT_EQ(m.pair(model.material("a"), model.material("b")).friction, 0.9);
  EXPECT_EQ(m.pair(model.material("a"), model.material("b")).restitution, 0.7);
  EXPECT_EQ(m.pair(model.material("a"), model.material("a")).restitution, 0.2);
}

TEST(Scene, repetition_runs_the_last_index_fastest_and_may_depend_on_earlier_ones) {
  const Model model = parse_bodies(R"yaml(
  - name: "b{k}.{i}"
    repeat: {k: 4, i: 4 - k}
    when: i != k
    shape: {sphere: {radius: 1}}
    position: [i, k, 10*k + i]
)yaml");
  // Pairs (k, i) with i < 4 - k and i != k: 4 + 3 + 2 + 1 = 10 without (0,0), (1,1).
  const std::vector<std::string> names{"b0.1", "b0.2", "b0.3", "b1.0", "b1.2", "b2.0", "b2.1", "b3.0"};
  ASSERT_EQ(model.body_count(), static_cast<int>(names.size()));
  const VecX q = start_q(model);
  for (int i = 0; i < model.body_count(); ++i) {
    const std::string& name = names[static_cast<std::size_t>(i)];
    EXPECT_EQ(model.body_name(i), name);
    EXPECT_EQ(q[7 * i + 2], 10 * (name[1] - '0') + (name[3] - '0'));
  }
}

TEST(Scene, ranges_include_both_ends_and_may_be_empty) {
  const Model model = parse_bodies(R"yaml(
  - {name: "a{i}", fixed: true, repeat: {i: {from: -1, to: 2}}}
  - {name: "b{i}", fixed: true, repeat: {i: {from: 3, to: 2}}}
  - {name: "c{i}", fixed: true, repeat: {i: 0}}
)yaml");
  ASSERT_EQ(model.body_count(), 4);
  EXPECT_EQ(model.body_name(0), "a-1");
  EXPECT_EQ(model.body_name(3), "a2");
}

TEST(Scene, joints_and_forces_repeat_too) {
  const Model model = parse(R"yaml(
let: {n: 5}
bodies:
  - {name: "link {i}", repeat: {i: n}, shape: {box: {size: [0.1, 0.1, 1]}}, position: [0, 0, -0.5 - i]}
joints:
  - {type: ball, between: [link 0, world], position: [0, 0, 0]}
  - {type: ball, repeat: {i: n - 1}, between: ["link {i}", "link {i + 1}"], position: [0, 0, -1 - i]}
forces:
  - {type: load, repeat: {i: n}, when: i % 2 == 0, body: "link {i}", force: [i + 1, 0, 0]}
)yaml")
                          .model;
  EXPECT_EQ(model.system().joints.size(), 5u);
  EXPECT_EQ(model.system().forces.size(), 3u);
  EXPECT_EQ(model.system().joints[4].frame_b.point, Vec3(0, 0, 0.5));  // the upper end of the last link
}

TEST(Scene, names_take_values_in_braces) {
  const Model model = parse(R"yaml(
let: {half: 0.5, big: 1e9}
bodies:
  - {name: "no braces", fixed: true}
  - {name: "x{half}", fixed: true}
  - {name: "{2*half} of {big}, {-0}", fixed: true}
  - {name: "Größe {1 + 1}", fixed: true}
)yaml")
                          .model;
  EXPECT_EQ(model.body_name(1), "x0.5");
  EXPECT_EQ(model.body_name(2), "1 of 1000000000, 0");
  EXPECT_EQ(model.body_name(3), "Größe 2");
}

TEST(Scene, constants_use_earlier_constants_and_every_number_may_be_a_formula) {
  const Scene scene = parse(R"yaml(
let:
  a: 2
  b: a^3
  c: "b > 7 ? sqrt(a) : 0"
bodies: [{name: x, fixed: true, position: [c, "-c", b/a]}]
run: {duration: b, step: 1/(100*a), threads: a, solver: {name: gauss-seidel, tolerance: 10^-a, max_iterations: 10*b}}
output: {interval: a/100}
)yaml");
  const VecX q = start_q(scene.model);
  EXPECT_EQ(q[0], std::sqrt(2.0));
  EXPECT_EQ(q[1], -std::sqrt(2.0));
  EXPECT_EQ(q[2], 4);
  EXPECT_EQ(scene.model.run.duration, 8);
  EXPECT_EQ(scene.model.run.step, 1.0 / 200);
  EXPECT_EQ(scene.model.run.threads, 2);
  EXPECT_EQ(scene.output.interval, 0.02);
  EXPECT_EQ(solvers().make("gauss-seidel", scene.model.run.solver.parameters)->limits().tolerance, 0.01);
  EXPECT_EQ(scene.model.run.solver.parameters.at("max_iterations"), "80");
}

TEST(Scene, the_forms_of_an_orientation_agree) {
  const Model model = parse_bodies(R"yaml(
  - {name: a, fixed: true, orientation: {axis: [0, 0, 1], angle: pi/2}}
  - {name: b, fixed: true, orientation: {axis: [0, 0, 1], angle_deg: 90}}
  - {name: c, fixed: true, orientation: {euler_deg: [0, 0, 90]}}
  - {name: d, fixed: true, orientation: {quaternion: [0.7071, 0, 0, 0.7071]}}
)yaml");
  const VecX q = start_q(model);
  for (int i = 0; i < 4; ++i) {
    const Vec3 x = stored_orientation(q, 7 * i) * Vec3::UnitX();  // a quarter turn about z takes x to y
    EXPECT_NEAR((x - Vec3::UnitY()).norm(), 0, 1e-15) << model.body_name(i);
  }
}

TEST(Scene, euler_angles_turn_about_the_fixed_x_then_y_then_z) {
  const Model model = parse_bodies("  - {fixed: true, orientation: {euler_deg: [90, 90, 0]}}");
  // x stays under the turn about x and goes to -z under the turn about y; y goes to z, then to x.
  const Quat q = stored_orientation(start_q(model), 0);
  EXPECT_NEAR((q * Vec3::UnitX() + Vec3::UnitZ()).norm(), 0, 1e-15);
  EXPECT_NEAR((q * Vec3::UnitY() - Vec3::UnitX()).norm(), 0, 1e-15);
}

TEST(Scene, angular_velocity_is_given_in_world_axes) {
  const Model model = parse_bodies(R"yaml(
  - {shape: {sphere: {radius: 1}}, orientation: {axis: [0, 0, 1], angle_deg: 90}, angular_velocity: [1, 0, 0]}
)yaml");
  // The body's own x axis points along the world's y: seen from the body the world's x axis is -y.
  EXPECT_NEAR((start_u(model).tail<3>() - Vec3(0, -1, 0)).norm(), 0, 1e-15);
}

TEST(Scene, anchors_and_aliases_share_values) {
  const Model model = parse(R"yaml(
bodies:
  - {name: a, shape: &cube {box: {size: [1, 1, 1]}}, position: &p [1, 2, 3]}
  - {name: b, shape: *cube, position: *p}
)yaml")
                          .model;
  EXPECT_EQ(start_q(model).head<7>(), start_q(model).tail<7>());
}

TEST(Scene, formulas_in_time_keep_their_constants_after_the_scene_is_gone) {
  const Model model = parse(R"yaml(
let: {v: 3}
bodies:
  - {name: "b{i}", repeat: {i: 2}, kind: prescribed, motion: {velocity: ["(v + i)*t", 0, 0]}}
)yaml")
                          .model;
  VecX q, u;
  model.system().bodies.initial(q, u);
  model.system().bodies.prescribe(2.0, q, u);
  EXPECT_EQ(u[0], 6);
  EXPECT_EQ(u[6], 8);
}

TEST(Scene, every_example_is_read_and_can_be_simulated) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(source_dir()) / "examples")) {
    if (file.path().extension() != ".yaml") continue;
    SCOPED_TRACE(file.path().filename().string());
    ++count;
    const Scene scene = read_scene(file.path());
    EXPECT_FALSE(scene.model.title.empty());
    Simulation simulation(scene.model);
    EXPECT_EQ(simulation.step().status, StepStatus::Done);
  }
  EXPECT_GE(count, 8);
}

TEST(Scene, the_page_on_scenes_names_every_function_of_formulas) {
  std::ifstream file(std::filesystem::path(source_dir()) / "docs/scene.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const ExpressionFunction& function : expression_functions()) {
    const std::regex word("\\b" + std::string(function.name) + "\\b");
    EXPECT_TRUE(std::regex_search(page, word)) << function.name;
  }
}

TEST(Scene, stack_example_has_twenty_boxes_of_a_tonne_on_the_ground) {
  const Scene scene = read_scene(std::filesystem::path(source_dir()) / "examples/stack20.yaml");
  const Model& model = scene.model;
  ASSERT_EQ(model.body_count(), 21);
  EXPECT_EQ(model.body("box 20").value, 20);
  const VecX q = start_q(model);
  for (int i = 1; i <= 20; ++i) {
    EXPECT_EQ(model.system().bodies.mass(i), 1000);
    EXPECT_EQ(q[7 * i + 2], i - 0.5);
  }
  EXPECT_EQ(scene.output.interval, 1);
  EXPECT_EQ(model.run.step, 1.0 / 240);
}

}  // namespace
}  // namespace cairn
