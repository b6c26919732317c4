// SPDX-License-Identifier: Apache-2.0
// Forces of scenes: each kind does what its keys say, and functions of time come from formulas, tables and files.
#include "cairn/io/scene.h"
#include "cairn/io/time_table_file.h"
#include "cairn/sim/force_check.h"
#include "cairn/sim/simulation.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace cairn {
namespace {

/// Two balls of 2 kg, the first at the origin, the second at (0, 0, 0.5) and moving, and these forces.
Model read_forces(const std::string& forces) {
  return parse_scene(
             "cairn: 1\ngravity: [0, 0, 0]\nbodies:\n"
             "  - {name: a, shape: {sphere: {radius: 0.1}}, mass: 2}\n"
             "  - {name: b, shape: {sphere: {radius: 0.1}}, mass: 2, position: [0, 0, 0.5], velocity: [1, 0, -2]}\n"
             "forces:\n" +
                 forces,
             "forces.yaml")
      .model;
}

/// Generalised force of everything on body b at the start.
Vec6 force_on_b(const Model& model, double t = 0) {
  const System& system = model.system();
  const Motion start = initial_motion(system);
  VecX sum = VecX::Zero(system.bodies.nu()), other = sum;
  for_each_force(system, start, [&](const ForceElement& f, std::size_t, std::span<const double> memory) {
    f.add_forces({system.bodies, start.q, start.u, t, memory, 1e-3}, sum, other);
  });
  return (sum + other).segment<6>(system.bodies.slot(1).u);
}

void expect_force_on_b(const std::string& text, const Vec6& expected, double t = 0) {
  EXPECT_LT((force_on_b(read_forces("  - " + text + "\n"), t) - expected).norm(), 1e-9 * (1 + expected.norm())) << text;
}

Vec6 along(double x, double y, double z, double mx = 0, double my = 0, double mz = 0) {
  Vec6 f;
  f << x, y, z, mx, my, mz;
  return f;
}

TEST(SceneForces, springs_pull_as_their_curves_say) {
  // Length 0.5 from a to b, dl/dt = -2.
  expect_force_on_b("{type: spring, between: [a, b], stiffness: 30, damping: 2, preload: 5, rest_length: 0.2}",
                    along(0, 0, -(5 + 30 * 0.3 - 2 * 2)));
  expect_force_on_b("{type: spring, between: [a, b], stiffness: 30, preload: 5}", along(0, 0, -5));
  expect_force_on_b("{type: power-spring, between: [a, b], stiffness: 30, exponent: 2, rest_length: 0.2}",
                    along(0, 0, -30 * 0.09));
  expect_force_on_b("{type: table-spring, between: [a, b], table: [[0, 0], [0.3, 12]], damping: 1, rest_length: 0.2}",
                    along(0, 0, -12 + 2));
  expect_force_on_b(
      "{type: polynomial-spring, between: [a, b], coefficients: [10, 0, 100], preload: 1, rest_length: 0.2}",
      along(0, 0, -(1 + 10 * 0.3 + 100 * 0.027)));
}

TEST(SceneForces, bushing_acts_along_its_turned_axes_and_is_relaxed_in_rotation_at_the_start) {
  // Its x axis is the world's z: 0.5 m and -2 m/s there; 1 m/s along the world's x, its -z.
  expect_force_on_b(
      "{type: bushing, between: [a, b], orientation: {axis: [0, 1, 0], angle_deg: -90}, stiffness: [10, 20, 30], "
      "damping: [1, 2, 3], torsional_stiffness: [7, 8, 9]}",
      along(-3 * 1, 0, -10 * 0.5 + 1 * 2));
}

TEST(SceneForces, stops_push_along_their_direction) {
  // b is 0.5 m above a; the plane stands at 0.6 m: pressed by 0.1 m, approached at 2 m/s, sliding at 1 m/s.
  const std::string ends = "between: [a, b], clearance: 0.6, ";
  expect_force_on_b("{type: hertz-stop, " + ends + "modulus: 3000, radius: 0.04}",
                    along(0, 0, 4.0 / 3 * 3000 * 0.2 * std::pow(0.1, 1.5)));
  expect_force_on_b("{type: hunt-crossley-stop, " + ends + "stiffness: 500, exponent: 2, damping: 0.1}",
                    along(0, 0, 500 * 0.01 * 1.2));
  expect_force_on_b("{type: kelvin-voigt-stop, " + ends + "stiffness: 500, damping: 3, friction: 0.3, ramp_speed: 4}",
                    along(-0.3 * 56 / 4, 0, 56));
  expect_force_on_b("{type: hertz-stop, between: [a, b], clearance: 0.4}", along(0, 0, 0));
  // A matched restitution: at that speed e, whatever the stiffness.
  const double a = hunt_crossley_damping(0.5, 2);
  expect_force_on_b("{type: hunt-crossley-stop, " + ends + "stiffness: 500, restitution: 0.5, impact_speed: 2}",
                    along(0, 0, 500 * std::pow(0.1, 1.5) * (1 + 2 * a)));
}

TEST(SceneForces, drag_is_against_the_velocity_relative_to_the_medium) {
  expect_force_on_b("{type: drag, body: b, coefficient: 3}", along(-3, 0, 6));
  // Relative velocity (-3, 0, -4): 5 m/s; c = 2*0.5*0.6/2 = 0.3.
  expect_force_on_b("{type: drag, body: b, area: 0.6, drag_coefficient: 0.5, density: 2, medium_velocity: [4*t, 0, 2]}",
                    along(0.3 * 5 * 3, 0, 0.3 * 5 * 4), 1);
}

TEST(SceneForces, loads_follow_formulas_and_tables_in_world_and_body_axes) {
  expect_force_on_b("{type: load, body: b, anchor: [0, 0, 0.5], force: [2*t, 0, 0]}", along(6, 0, 0, 0, 3, 0), 3);
  expect_force_on_b("{type: load, body: b, torque: {table: [[0, 0, 0, 0], [2, 4, 0, 2]]}}", along(0, 0, 0, 2, 0, 1), 1);
  const Model turned =
      parse_scene(
          "cairn: 1\nbodies: [{name: a, fixed: true}, {name: b, mass: 1, inertia: [1, 1, 1], orientation: {axis: [0, "
          "0, 1], angle_deg: 90}}]\nforces: [{type: load, body: b, axes: body, force: [1, 0, 0]}]\n",
          "x.yaml")
          .model;
  EXPECT_LT((force_on_b(turned) - along(0, 1, 0)).norm(), 1e-12);
}

class TableFile : public testing::Test {
 protected:
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("cairn-tables-{}", std::random_device{}());
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::filesystem::path write(const std::string& text) const {
    const std::filesystem::path path = folder / "table.csv";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string message(const std::string& text) const {
    try {
      read_time_table(write(text));
    } catch (const Error& error) {
      std::string what = error.what();
      return what.substr(what.find("table.csv"));
    }
    return "accepted";
  }
};

TEST_F(TableFile, is_read_with_heading_comments_and_any_separators) {
  const TimeTable table =
      read_time_table(write("time,fx,fy,fz\r\n# from the rig\r\n\r\n0, 1, 2, 3\r\n1;2;3;-4\n2 2 3 1e1"));
  EXPECT_EQ(table(0), Vec3(1, 2, 3));
  EXPECT_EQ(table(1), Vec3(2, 3, -4));
  EXPECT_EQ(table(1.5), Vec3(2, 3, 3));
  EXPECT_EQ(table(9), Vec3(2, 3, 10));
}

TEST_F(TableFile, mistakes_are_reported_with_their_line) {
  EXPECT_EQ(message(""), "table.csv: holds no rows; expected lines t, x, y, z");
  EXPECT_EQ(message("t,x\n"), "table.csv: holds no rows; expected lines t, x, y, z");
  EXPECT_EQ(message("0 0 0 0\n\n1 0 0\n"), "table.csv:3: the line has 3 numbers; expected four: t, x, y, z");
  EXPECT_EQ(message("0 0 0 0\n1 0 0 0 0\n"), "table.csv:2: the line has 5 numbers; expected four: t, x, y, z");
  EXPECT_EQ(message("0 0 0 0\n1 0 x 0\n"), "table.csv:2: 'x' is not a finite number");
  EXPECT_EQ(message("0 0 0 0\n1 0 nan 0\n"), "table.csv:2: 'nan' is not a finite number");
  EXPECT_EQ(message("t x y z\na b c d\n"), "table.csv:2: 'a' is not a finite number");
  EXPECT_EQ(message("1 0 0 0\n1 0 0 0\n"),
            "table.csv:2: the time 1 s is not later than 1 s of the row before; expected rising times");
  EXPECT_EQ(message(std::string("0 0 0 0\n1 \0 0 0\n", 16)).substr(0, 11), "table.csv:2");
}

TEST_F(TableFile, is_looked_up_beside_the_scene_and_drives_loads_and_motions) {
  write("0,0,0,0\n1,0,0,8\n");
  std::ofstream(folder / "scene.yaml")
      << "cairn: 1\nbodies: [{name: a, kind: prescribed, motion: {velocity: {file: table.csv}}}, "
         "{name: b, mass: 1, inertia: [1, 1, 1]}]\nforces: [{type: load, body: b, force: {file: table.csv}}]\n"
         "gravity: [0, 0, 0]\nrun: {step: 0.01}\n";
  Simulation simulation(read_scene(folder / "scene.yaml").model);
  simulation.run(1);
  EXPECT_NEAR(simulation.velocity(BodyId{1}).z(), 4, 1e-9);  // the midpoint rule is exact for a straight line
  EXPECT_NEAR(simulation.position(BodyId{0}).z(), 4, 1e-9);
}

TEST(ForceCheck, names_the_force_that_is_too_stiff_for_the_step) {
  Model model = read_forces(
      "  - {type: spring, name: soft, between: [a, world], stiffness: 1}\n"
      "  - {type: spring, name: rod, between: [a, b], stiffness: 4e6}\n");
  model.run.step = 0.01;
  const Motion start = initial_motion(model.system());
  const ForceRemark taken = describe_force_step(model, start);
  EXPECT_NE(taken.text.find("force 'rod' (spring) is stable in explicit steps up to"), std::string::npos) << taken.text;
  EXPECT_NE(taken.text.find("the step is 0.01 s: it is taken implicitly"), std::string::npos) << taken.text;
  EXPECT_FALSE(taken.warning);
  model.run.stepper.parameters["forces"] = "explicit";
  const ForceRemark warning = describe_force_step(model, start);
  EXPECT_NE(warning.text.find("it may blow up"), std::string::npos) << warning.text;
  EXPECT_TRUE(warning.warning);
  model.run.step = 0.9 * explicit_force_step(model.system(), start).step;
  EXPECT_EQ(describe_force_step(model, start).text, "");
}

}  // namespace
}  // namespace cairn
