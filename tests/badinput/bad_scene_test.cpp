// SPDX-License-Identifier: Apache-2.0
// Scenes with mistakes: each is refused with a SceneError at the value that is wrong, and no text crashes the reader.
#include "cairn/io/scene.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "badinput/scene_mistakes.h"
#include "cli/program.h"
#include "support/places.h"

namespace cairn {
namespace {

const std::vector<Mistake> kStructure{
    {"»", "empty"},
    {"»# only a comment\n", "empty"},
    {"»[1, 2]\n", "expected a table"},
    {"»hello\n", "expected a table"},
    {"»title: x\n", "'cairn' is missing"},
    {"cairn: »2\nbodies: []\n", "format 2; expected format 1"},
    {"cairn: »one\nbodies: []\n", "unknown name 'one'"},
    {"»cairn:\nbodies: []\n", "cairn is empty"},
    {"»cairn: 1\n", "'bodies' is missing"},
    {"cairn: 1\nbodies: »[]\n", "no body; expected at least one"},
    {"cairn: 1\n»bodies:\n", "bodies is empty; expected a list"},
    {"cairn: 1\nbodies: »{name: a}\n", "bodies is a table; expected a list"},
    {"cairn: 1\nbodies: [»stone]\n", "expected a table"},
    {scene("»gravitiy: [0, 0, 1]"), "unknown key 'gravitiy' of a scene (did you mean 'gravity'?)"},
    {scene("title: a\n»title: b"), "key 'title' is given twice"},
    {scene("title: »[a]"), "title is a list; expected a text"},
    {scene("? »[a]\n: b"), "expected 'key: value'"},
    {scene("title: »!!str x"), "tag"},
    {scene("title: a\n»---\ntitle: b"), "second document"},
    {scene("title: »*nobody"), "not valid YAML"},
    {scene("title: &a [»*a]"), "part of its own anchor"},
    {scene("title: »\"a"), "the quotation is not closed"},
    {scene("title: »\"a\\\""), "the quotation is not closed"},
    {scene("title: »'it''s"), "the quotation is not closed"},
    {"cairn: 1\nbodies: []\ngravity: [0, 0, 1\n»", "not valid YAML"},
    {scene("title: a»: b"), "not valid YAML"},
    {"cairn: 1\ntitle: Gr»\xff\n", "byte 0xff; expected text in UTF-8"},
    {"cairn: 1\ntitle: Grö»\xc3(\n", "byte 0xc3"},
    {std::string("cairn: 1\nti") + kMark + std::string(1, '\0') + "tle: x\n", "byte 0x00"},
    {"cairn: 1\ntitle: größer\nbodies: {größe: 1, »größe: 2}\n",
     "given twice"},  // the column counts letters, not bytes
};

const std::vector<Mistake> kValues{
    {scene("gravity: »[0, 1]"), "gravity has 2 entries; expected a list of three numbers"},
    {scene("gravity: »9.81"), "gravity is '9.81'; expected a list"},
    {scene("gravity: [0, 0, »down]"), "unknown name 'down'"},
    {scene("gravity: [0, 0, »1/0]"), "gravity is inf (formula \"1/0\"); expected a finite number"},
    {scene("gravity: [0, 0, ».nan]"), "formula \".nan\""},
    {scene("gravity: [0, 0, »1e999]"), "outside the range"},
    {scene("gravity: [0, 0, »\"\"]"), "expected a number"},
    {scene("gravity: [0, 0, »[1]]"), "gravity is a list; expected a number"},
    {scene("let: {»2x: 1}"), "'2x' is no name for formulas"},
    {scene("let: {»pi: 3}"), "a meaning of its own"},
    {scene("let: {»t: 3}"), "a meaning of its own"},
    {scene("let: {a: »b, b: 1}"), "unknown name 'b'"},
    {scene("let: {a: 1, »a: 2}"), "given twice"},
    {scene("let: »[a, b]"), "expected a table"},
    {scene("let: {a: »sqrt(-1)}"), "expected a finite number"},
    {scene("let: {a: »2 +}"), "column 4"},
    {scene("let: {a: »" + std::string(2000, '1') + "}"), "2000 bytes; expected at most 1000"},
    {scene("materials: [»{density: 3}]"), "'name' is missing; a material needs it"},
    {scene("materials: [{name: a, density: »-3}]"), "density is -3; expected a number > 0"},
    {scene("materials: [{name: a}, {name: »a}]"), "material 'a' is defined twice"},
    {scene("materials: [{name: »default}]"), "defined twice"},
    {scene("materials: [{name: a, »densty: 3}]"), "did you mean 'density'"},
    {scene("contacts: {default: {friction: »-0.1}}"), "friction is -0.1; expected a number >= 0"},
    {scene("contacts: {default: {restitution: »1.1}}"), "restitution is 1.1; expected a number in [0, 1]"},
    {scene("contacts: {default: {»frictoin: 1}}"), "did you mean 'friction'"},
    {scene("contacts: {default: {law: »columb}}"), "did you mean 'coulomb'"},
    {scene("contacts: {default: {law: »bilateral}}"), "expected one of coulomb, frictionless"},
    {scene("contacts: {default: {law: frictionless, »friction: 1}}"), "unknown key 'friction' of a contact law"},
    {scene("contacts: {»default:}"), "default is empty"},
    {scene("contacts: {pairs: [{between: »[default], friction: 1}]}"), "expected a list of two materials"},
    {scene("contacts: {pairs: [{between: [default, »wood]}]}"), "there is no material 'wood'"},
    {scene("contacts: {pairs: [{between: [default, default]}, {between: »[default, default]}]}"), "given twice"},
    {scene("run: {duration: »0}"), "duration is 0; expected a number > 0"},
    {scene("run: {step: »0}"), "step is 0; expected a number > 0"},
    {scene("run: {step: »-1/240}"), "expected a number > 0"},
    {scene("run: {duration: 1, step: »1e-300}"), "steps; expected at most"},
    {scene("run: {threads: »1.5}"), "threads is 1.5; expected a whole number"},
    {scene("run: {threads: »0}"), "threads is 0; expected a whole number in [1, 1024]"},
    {scene("run: {stepper: »moreu}"), "no stepper 'moreu' (did you mean 'moreau'?)"},
    {scene("run: {stepper: »{rotation: new1}}"), "'name' is missing"},
    {scene("run: {stepper: {name: »euler}}"), "there is no stepper 'euler'; there are moreau"},
    {scene("run: {stepper: {name: moreau, »rotaton: new1}}"), "no parameter 'rotaton' (did you mean 'rotation'?)"},
    {scene("run: {stepper: {name: moreau, rotation: »new9}}"), "rotation is 'new9'; must be one of new1"},
    {scene("run: {solver: »[gauss-seidel]}"), "solver is a list"},
    {scene("run: {solver: {name: gauss-seidel, tolerance: »0}}"), "tolerance is 0; must be > 0"},
    {scene("run: {solver: {name: gauss-seidel, symmetric: »maybe}}"), "must be true or false"},
    {scene("run: {solver: {name: gauss-seidel, max_iterations: »2.5}}"), "must be a whole number"},
    {scene("output: {interval: »-1}"), "interval is -1; expected a number >= 0"},
    {scene("output: {contacts: »yes}"), "contacts is 'yes'; expected true or false"},
    {scene("output: {»every: 1}"), "unknown key 'every' of output; the keys are interval, contacts"},
};

const std::vector<Mistake> kBodies{
    {ball("»velocty: [0, 0, 0]"), "unknown key 'velocty' of a rigid body (did you mean 'velocity'?)"},
    {ball("mass: »-3"), "mass is -3; expected a number > 0"},
    {ball("density: »0"), "density is 0; expected a number > 0"},
    {ball("mass: 1, density: »1"), "'mass' and 'density' are both given"},
    {ball("colliders: »[{shape: {sphere: {radius: 1}}}]"), "'shape' and 'colliders' are both given"},
    {body("{colliders: »[]}"), "colliders is empty"},
    {body("{colliders: [{shape: {sphere: {radius: 1}}, »colour: red}]}"), "unknown key 'colour' of a collider"},
    {body("{colliders: [{shape: {sphere: {radius: 1}}, material: »cheese}]}"), "there is no material 'cheese'"},
    {body("{colliders: [{shape: »{half-space: {}}}]}"), "expected a bounded shape"},
    {ball("linear_damping: »-1"), "linear_damping is -1"},
    {ball("inertia: »[1, 1, -1]"), "principal value -1"},
    {ball("inertia: »[1, 1, 3]"), "belong to no body"},
    {ball("inertia: »[[1, 2, 0], [0, 1, 0], [0, 0, 1]]"), "not symmetric"},
    {ball("inertia: »5"), "expected a list"},
    {ball("material: »wod"), "there is no material 'wod'"},
    {ball("kind: »rigd"), "kind is 'rigd' (did you mean 'rigid'?); expected one of rigid, fixed, affine, prescribed"},
    {ball("kind: rigid, fixed: »true"), "both given"},
    {ball("fixed: »1"), "fixed is '1'; expected true or false"},
    {ball("fixed: true, »mass: 3"), "unknown key 'mass' of a fixed body"},
    {ball("name: »world"), "fixed frame"},
    {ball("name: »[a]"), "name is a list; expected a name"},
    {ball("name: »\"\""), "expected a name"},
    {ball("name: »\"a\\x01\""), "control characters"},
    {ball("name: »\"a {i\""), "expected a '}' after each '{'"},
    {ball("name: »\"a {i}\""), "unknown name 'i'"},
    {ball("name: »\"a {1/0}\""), "{1/0} is inf"},
    {ball("name: a}, {fixed: true, name: »a"), "body 'a' is defined twice"},
    {ball("orientation: »{}"), "exactly one of quaternion"},
    {ball("orientation: »{euler_deg: [0, 0, 0], axis: [0, 0, 1], angle: 1}"), "exactly one of"},
    {ball("orientation: »{axis: [0, 0, 1]}"), "'angle' is missing"},
    {ball("orientation: {axis: [0, 0, 1], angle: 1, angle_deg: »1}"), "both given"},
    {ball("orientation: {euler_deg: [0, 0, 0], angle: »1}"), "without 'axis'"},
    {ball("orientation: {axis: »[0, 0, 0], angle: 1}"), "length 0; expected a unit vector"},
    {ball("orientation: {axis: »[1, 1, 0], angle: 1}"), "expected a unit vector"},
    {ball("orientation: {quaternion: »[1, 0, 0]}"), "four numbers [w, x, y, z]"},
    {ball("orientation: {quaternion: »[0, 0, 0, 0]}"), "length 0; expected a unit quaternion"},
    {ball("»motion: {velocity: [0, 0, t]}"), "unknown key 'motion' of a rigid body"},
    {ball("kind: prescribed, motion: »{}"), "expected velocity, angular_velocity or both"},
    {ball("kind: prescribed, motion: {velocity: [0, »x, 0]}"), "unknown name 'x'"},
    {ball("kind: prescribed, motion: {velocity: [0, 0, »1/t]}"), "inf at t = 0"},
    {ball("position: [0, 0, »t]"), "unknown name 't'"},
    {ball("repeat: »{}"), "at least one index"},
    {ball("repeat: »5"), "expected a table"},
    {ball("repeat: {i: »-1}"), "i is -1; expected a whole number"},
    {ball("repeat: {i: »1.5}"), "whole number"},
    {ball("repeat: {i: »j, j: 2}"), "unknown name 'j'"},
    {ball("repeat: {»t: 2}"), "a meaning of its own"},
    {ball("repeat: {i: {from: 1, to: »2e9}}"), "expected a whole number in"},
    {ball("repeat: {i: »{from: 1}}"), "'to' is missing"},
    {ball("repeat: {i: {from: 0, to: 1, »step: 2}}"), "unknown key 'step'"},
    {ball("repeat: {i: 1000, j: »1001}, when: 0"), "more than 1000000 repetitions"},
    {ball("repeat: {i: 2}, name: »stone"), "'stone' is defined twice"},
    {ball("repeat: {i: 2}, when: »log(i - 1)"), "expected a finite number"},
    {"cairn: 1\nlet: {i: 3}\nbodies: [{repeat: {»i: 2}}]\n", "'i' is defined twice"},
    {body("»{mass: 1}"), "a body without a shape needs mass and inertia"},
    {body("{shape: »{}}"), "shape has 0 keys; expected exactly one of sphere, box, half-space"},
    {body("{shape: {»spere: {radius: 1}}}"), "shape is 'spere' (did you mean 'sphere'?)"},
    {body("{shape: »sphere}"), "expected a table"},
    {body("{shape: {sphere: »{}}}"), "'radius' is missing"},
    {body("{shape: {sphere: {radius: »0}}}"), "radius is 0; expected a number > 0"},
    {body("{shape: {sphere: {»size: 1}}}"), "unknown key 'size' of a sphere"},
    {body("{shape: {box: {size: »[1, 1]}}}"), "three numbers"},
    {body("{shape: {box: {size: [1, 1, »-1]}}}"), "size is -1; expected a number > 0"},
    {body("{shape: »{half-space: {}}}"), "no mass; expected a bounded shape"},
    {body("{kind: prescribed, motion: {velocity: [0, 0, 0]}, shape: »{half-space: {}}}"), "expected a bounded shape"},
    {body("{fixed: true, shape: {half-space: {normal: »[0, 0, 2]}}}"), "length 2; expected a unit vector"},
    {body("»{kind: prescribed, shape: {sphere: {radius: 1}}}"), "'motion' is missing"},
    {body("»{kind: affine}"), "'shape' is missing"},
    {body("{kind: affine, shape: »{half-space: {}}}"), "has no mass"},
    {body("{kind: affine, shape: {box: {size: [1, 1, 1]}}, young: »0}"), "young is 0"},
    {body("{kind: affine, shape: {box: {size: [1, 1, 1]}}, poisson: »0.5}"),
     "poisson is 0.5; expected a number in (-1, 0.5)"},
    {body("{kind: affine, shape: {box: {size: [1, 1, 1]}}, »mass: 1}"), "unknown key 'mass' of an affine body"},
};

const std::vector<Mistake> kLinks{
    {scene("joints: [»{between: [ball, world]}]"), "'type' is missing; a joint needs it"},
    {scene("joints: [{type: »bal, between: [ball, world]}]"), "type is 'bal' (did you mean 'ball'?)"},
    {scene("joints: [»{type: ball, between: [ball, world]}]"), "'position' is missing"},
    {scene("joints: [{type: ball, between: [ball, »bal], position: [0, 0, 0]}]"),
     "no body 'bal' (did you mean 'ball'?)"},
    {scene("joints: [{type: ball, between: »[ball, ball], position: [0, 0, 0]}]"), "joins 'ball' to itself"},
    {scene("joints: [{type: ball, between: »[ground, world], position: [0, 0, 0]}]"), "neither of its bodies can move"},
    {scene("joints: [{type: ball, between: »ball, position: [0, 0, 0]}]"), "expected a list of two bodies"},
    {scene("joints: [{type: ball, between: [ball, world], position: [0, 0, 0], collide: »0}]"), "true or false"},
    {scene("joints: [{type: ball, name: a, between: [ball, world], position: [0, 0, 0]},\n"
           "         {type: ball, name: »a, between: [ball, ground], position: [0, 0, 0]}]"),
     "joint 'a' is defined twice"},
    {scene("forces: [{type: »sprong}]"), "type is 'sprong' (did you mean 'spring'?)"},
    {scene("forces: [»{type: spring, between: [ball, world]}]"), "without stiffness and damping"},
    {scene("forces: [{type: spring, between: [ball, world], stiffness: »-1}]"), "stiffness is -1"},
    {scene("forces: [{type: spring, between: [ball, world], stiffness: 1, rest_length: »-1}]"), "rest_length is -1"},
    {scene("forces: [{type: spring, between: »[ball, ball], stiffness: 1}]"), "both ends are on the same body"},
    {scene("forces: [{type: spring, between: [ball, world], stiffness: 1, anchors: »[1, 2, 3]}]"), "two points"},
    {scene("forces: [{type: spring, between: [ball, world], stiffness: 1, anchors: [[0, 0, 0], »1]}]"),
     "expected a list"},
    {scene("forces: [»{type: load, body: ball}]"), "without force and torque"},
    {scene("forces: [{type: load, body: »world, force: [1, 0, 0]}]"), "there is no body 'world'"},
    {scene("forces: [{type: load, body: ball, force: [1, 0, »u]}]"), "unknown name 'u'"},
    {scene("forces: [{type: load, body: ball, »stiffness: 1}]"), "unknown key 'stiffness' of a load"},
    {"cairn: 1\nbodies: [{kind: affine, name: a, shape: {box: {size: [1, 1, 1]}}}]\n"
     "forces: [{type: load, body: a, torque: »[0, 0, 1]}]\n",
     "rigid bodies only"},
    {scene("forces: [{type: load, body: ball, force: [1, 0, 0], axes: »bdy}]"), "axes is 'bdy' (did you mean 'body'?)"},
    {"cairn: 1\nbodies: [{kind: affine, name: a, shape: {box: {size: [1, 1, 1]}}}]\n"
     "forces: [{type: load, body: a, axes: body, force: »[0, 0, 1]}]\n",
     "rigid bodies only"},
    {scene("forces: [{type: load, body: ball, force: »{}}]"), "'table' is missing"},
    {scene("forces: [»{type: lugre, between: [ball, world]}]"), "'normal_force' is missing; LuGre friction needs it"},
    {scene("forces: [{type: load, body: ball, force: {table: »[]}}]"), "has no rows"},
    {scene("forces: [{type: load, body: ball, force: {table: [»[0, 1, 2]]}}]"), "four numbers [t, x, y, z]"},
    {scene("forces: [{type: load, body: ball, force: {table: [[0, 0, 0, 0], [»0, 1, 2, 3]]}}]"),
     "time of row 2 is 0; expected more than that of the row before, 0"},
    {scene("forces: [{type: load, body: ball, force: {table: [[0, 0, 0, 0], [1, 1, »1/0, 3]]}}]"), "finite number"},
    {scene("forces: [{type: load, body: ball, force: {»tabel: []}}]"), "did you mean 'table'"},
    {scene("forces: [{type: load, body: ball, force: {file: »none.csv}}]"), "none.csv: there is no such file"},
    {scene("forces: [{type: load, body: ball, force: {table: [[0, 0, 0, 0]], file: »none.csv}}]"), "both given"},
    {scene("forces: [{type: spring, between: [ball, world], stiffness: 1, preload: »nan}]"), "unknown name 'nan'"},
    {scene("forces: [{type: power-spring, between: [ball, world], exponent: »0.5}]"), "exponent is 0.5"},
    {scene("forces: [{type: power-spring, between: [ball, world], stiffness: »-1}]"), "stiffness is -1"},
    {scene("forces: [»{type: table-spring, between: [ball, world]}]"), "'table' is missing; a table spring needs it"},
    {scene("forces: [{type: table-spring, between: [ball, world], table: »[[0, 1]]}]"), "expected at least two"},
    {scene("forces: [{type: table-spring, between: [ball, world], table: [[0, 1], [»-1, 2]]}]"),
     "table of point 2 is -1; expected more than that of the point before, 0"},
    {scene("forces: [{type: table-spring, between: [ball, world], table: [[0, 1], [1, »1e999]]}]"),
     "outside the range"},
    {scene("forces: [»{type: polynomial-spring, between: [ball, world]}]"), "'coefficients' is missing"},
    {scene("forces: [{type: polynomial-spring, between: [ball, world], coefficients: »[]}]"), "at least one number"},
    {scene("forces: [{type: polynomial-spring, between: »[ball, ball], coefficients: [1]}]"), "on the same body"},
    {scene("forces: [{type: bushing, between: [ball, »bell], stiffness: [1, 1, 1]}]"),
     "no body 'bell' (did you mean 'ball'?)"},
    {scene("forces: [{type: bushing, between: [ball, world], stiffness: [1, »-1, 1]}]"), "stiffness is -1"},
    {scene("forces: [{type: bushing, between: [ball, world], stiffness: »5}]"), "expected a list of three numbers"},
    {scene("forces: [{type: bushing, between: [ball, world], torsional_damping: [0, 0, »-2]}]"),
     "torsional_damping is -2"},
    {"cairn: 1\nbodies: [{kind: affine, name: a, shape: {box: {size: [1, 1, 1]}}}]\n"
     "forces: [{type: bushing, between: »[a, world], stiffness: [1, 1, 1]}]\n",
     "'a' is affine; a bushing holds rigid bodies only"},
    {"cairn: 1\nbodies: [{kind: affine, name: a, shape: {box: {size: [1, 1, 1]}}}]\n"
     "forces: [{type: hertz-stop, between: »[a, world]}]\n",
     "the axes can be carried by a rigid body or the world only"},
    {scene("forces: [{type: hertz-stop, between: [world, ball], direction: »[0, 0, 2]}]"), "expected a unit vector"},
    {scene("forces: [{type: hertz-stop, between: [world, ball], modulus: »0}]"), "modulus is 0"},
    {scene("forces: [{type: hertz-stop, between: [world, ball], radius: »-1}]"), "radius is -1"},
    {scene("forces: [{type: hertz-stop, between: [world, ball], »stiffness: 1}]"),
     "unknown key 'stiffness' of a Hertz stop"},
    {scene("forces: [{type: hunt-crossley-stop, between: [world, ball], restitution: »1.5, impact_speed: 1}]"),
     "restitution is 1.5"},
    {scene("forces: [{type: hunt-crossley-stop, between: [world, ball], restitution: »0.5}]"),
     "restitution and impact_speed belong together"},
    {scene("forces: [{type: hunt-crossley-stop, between: [world, ball], damping: 1, restitution: »0.5}]"),
     "both given"},
    {scene("forces: [{type: kelvin-voigt-stop, between: [world, ball], friction: »-0.1}]"), "friction is -0.1"},
    {scene("forces: [{type: kelvin-voigt-stop, between: [world, ball], ramp_speed: »0}]"), "ramp_speed is 0"},
    {scene("forces: [»{type: drag, body: ball}]"), "without coefficient and area"},
    {scene("forces: [{type: drag, body: ball, coefficient: »-1}]"), "coefficient is -1"},
    {scene("forces: [{type: drag, body: ball, area: 1, density: »-1}]"), "density is -1"},
    {scene("forces: [{type: drag, body: »wind, area: 1}]"), "there is no body 'wind'"},
    {scene("exclude: [»[ball]]"), "two bodies"},
    {scene("exclude: [[ball, »wall]]"), "there is no body 'wall'"},
    {scene("exclude: [»[ball, ball]]"), "cannot be excluded from itself"},
};

void expect_refused(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    // Where the mark stands: lines from 1, columns in characters from 1.
    const std::size_t at = mistake.text.find(kMark);
    ASSERT_NE(at, std::string::npos) << mistake.text;
    std::string text = mistake.text;
    text.erase(at, kMark.size());
    int line = 1, column = 1;
    for (std::size_t i = 0; i < at; ++i) {
      const bool inside_character = (text[i] & 0xc0) == 0x80;
      if (text[i] == '\n') {
        ++line;
        column = 1;
      } else if (!inside_character) {
        ++column;
      }
    }
    const std::string shown = mistake.text.substr(0, 200);
    try {
      parse_scene(text, "bad.yaml");
      ADD_FAILURE() << "accepted: " << shown;
    } catch (const SceneError& error) {
      const std::string message = error.what();
      EXPECT_EQ(error.line, line) << shown << "\n" << message;
      EXPECT_EQ(error.column, column) << shown << "\n" << message;
      EXPECT_TRUE(message.starts_with(fmt::format("bad.yaml:{}:{}: ", line, column))) << shown << "\n" << message;
      EXPECT_NE(message.find(mistake.phrase), std::string::npos) << shown << "\n" << message;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "not a SceneError: " << error.what() << "\n" << shown;
    }
  }
}

TEST(BadScene, wrong_structure_is_reported_at_its_place) { expect_refused(kStructure); }
TEST(BadScene, wrong_values_are_reported_at_their_place) { expect_refused(kValues); }
TEST(BadScene, wrong_bodies_are_reported_at_their_place) { expect_refused(kBodies); }
TEST(BadScene, wrong_joints_and_forces_are_reported_at_their_place) { expect_refused(kLinks); }
TEST(BadScene, wrong_kinds_of_joints_are_reported_at_their_place) { expect_refused(kJoints); }
TEST(BadScene, wrong_laws_on_coordinates_are_reported_at_their_place) { expect_refused(kLaws); }

/// The program, given every one of these scenes.
using BadSceneProgram = testing_program::ProgramTest;

TEST_F(BadSceneProgram, ends_with_status_2_the_message_on_standard_error_and_no_file_for_every_mistake) {
  int count = 0;
  for (const auto* mistakes : {&kStructure, &kValues, &kBodies, &kLinks, &kJoints, &kLaws})
    for (const Mistake& mistake : *mistakes) {
      std::string text = mistake.text;
      if (const std::size_t at = text.find(kMark); at != std::string::npos) text.erase(at, kMark.size());
      write("scene.yaml", text);
      const auto result = run({"run", "scene.yaml", "-o", "run.h5"});
      EXPECT_EQ(result.status, 2) << text << result.err;
      EXPECT_NE(result.err.find("scene.yaml:"), std::string::npos) << result.err;
      EXPECT_NE(result.err.find(mistake.phrase), std::string::npos) << result.err;
      EXPECT_EQ(result.out, "");
      EXPECT_FALSE(std::filesystem::exists(folder / "run.h5"));
      ++count;
    }
  EXPECT_GE(count, 40);
}

TEST(BadScene, aliases_of_aliases_are_bounded) {
  // Ten times as many values per line: 11, 111, ... 1111111; the second alias of the seventh line makes two millions.
  std::string text = "cairn: 1\na: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c <= 'f'; ++c) {
    text += fmt::format("{}: &{} [", c, c);
    for (int i = 0; i < 10; ++i) text += fmt::format("*{}, ", static_cast<char>(c - 1));
    text += "]\n";
  }
  expect_refused({{text + "g: [*f, »*f]\n", "more than 2000000 values"}});
}

TEST(BadScene, nesting_without_end_is_refused) {
  for (const std::string piece : {"[", "{a: ", "- ", "? ", "a:\n"}) {
    std::string text = "cairn: 1\ntitle:\n  ", indent = "  ";
    for (int i = 0; i < 3000; ++i) {
      text += piece;
      if (piece.ends_with('\n')) text += (indent += " ");
    }
    try {
      parse_scene(text, "deep.yaml");
      ADD_FAILURE() << "accepted: " << piece;
    } catch (const SceneError& error) {
      EXPECT_TRUE(std::string(error.what()).find("nested too deeply") != std::string::npos) << piece << error.what();
    }
  }
}

TEST(BadScene, a_file_that_cannot_be_read_is_named_without_a_position) {
  const auto message = [](const std::filesystem::path& path) {
    try {
      read_scene(path);
    } catch (const SceneError& error) {
      EXPECT_EQ(error.line, 0);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message("no/such/scene.yaml"), "no/such/scene.yaml: cannot be opened");
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  EXPECT_EQ(message(folder), folder.string() + ": is a directory; expected a scene file");
}

TEST(BadScene, the_scenes_that_the_schema_refuses_are_refused) {
  int count = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(source_dir()) / "tests/badinput/scenes")) {
    ++count;
    EXPECT_THROW(read_scene(file.path()), SceneError) << file.path();
  }
  EXPECT_GE(count, 8);
}

TEST(BadScene, a_file_of_arbitrary_bytes_is_refused) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("cairn-bytes-{}.yaml", std::random_device{}());
  std::mt19937 random(1);
  std::ofstream file(path, std::ios::binary);
  for (int i = 0; i < 4096; ++i) file.put(static_cast<char>(random()));
  file.close();
  EXPECT_THROW(read_scene(path), SceneError);
  std::filesystem::remove(path);
}

const std::string kScene = R"yaml(# Everything a scene can hold.
cairn: 1
title: Größe
gravity: [0, 0, -9.81]
let:
  n: 3
  w: 0.2
  h: "w/2"
materials:
  - {name: stone, density: 2400}
  - {name: ice}
contacts:
  default: {friction: 0.5, restitution: 0}
  pairs:
    - {between: [stone, ice], friction: 0.05}
bodies:
  - name: ground
    fixed: true
    material: ice
    shape: {half-space: {normal: [0, 0, 1], offset: 0}}
  - &brick
    name: "brick {k} {i}"
    repeat: {k: n, i: n - k}
    when: i != 2
    material: stone
    shape: {box: {size: [w, w, h]}}
    position: ["1.05*(i - k/2)", 0, h*k]
    orientation: {axis: [0, 0, 1], angle_deg: 25}
    velocity: [0, 0, 0.1]
  - {name: soft, kind: affine, shape: {box: {size: [1, 1, 1]}}, young: 1e6, poisson: 0.3, position: [9, 0, 1]}
  - name: belt
    kind: prescribed
    shape: {box: {size: [1, 1, 1]}}
    motion: {velocity: ["0.1*cos(2*pi*t)", 0, 0]}
joints:
  - {type: ball, name: hook, between: [brick 0 0, world], position: [0, 0, 1]}
forces:
  - {type: spring, between: [brick 0 1, soft], anchors: [[0, 0, 0], [0, 0, 0]], stiffness: 100}
  - {type: load, body: brick 0 0, force: ["8*cos(t)", 0, 0]}
  - {type: load, body: brick 0 0, axes: body, force: {table: [[0, 1, 2, 3], [1, 0, 0, h]]}}
  - {type: table-spring, between: [brick 0 1, world], table: [[-1, -5], [0, 0], [1, 9]], damping: 2}
  - {type: polynomial-spring, between: [brick 0 1, world], coefficients: [5, 0, 3]}
  - {type: bushing, between: [brick 0 0, brick 0 1], stiffness: [1, 2, 3], orientation: {euler_deg: [0, 0, 30]}}
  - {type: hunt-crossley-stop, between: [world, brick 0 0], restitution: 0.5, impact_speed: 1, friction: 0.2}
  - {type: drag, body: soft, area: 0.5, medium_velocity: [t, 0, 0]}
exclude: [[soft, belt]]
run:
  duration: 1
  step: 1/240
  solver: {name: gauss-seidel, tolerance: 1e-8}
output: {interval: 0.02, contacts: true}
)yaml";

TEST(BadScene, every_beginning_of_a_scene_is_read_or_refused) {
  ASSERT_NO_THROW(parse_scene(kScene, "whole.yaml"));
  int read = 0, refused = 0;
  for (std::size_t n = 0; n < kScene.size(); ++n) {
    try {
      parse_scene(std::string_view(kScene).substr(0, n), "begin.yaml");
      ++read;
    } catch (const SceneError&) {
      ++refused;
    }  // anything else ends the test
  }
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 500);  // all beginnings before the first whole body
}

TEST(BadScene, random_changes_of_bytes_are_read_or_refused) {
  std::mt19937 random(20240517);
  const std::string signs = "{}[]:,-#&*!|>'\"%@`\n \t?0123456789eE.+/^()xabit";
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = kScene;
    const int changes = 1 + static_cast<int>(random() % 3);
    for (int i = 0; i < changes; ++i) {
      const std::size_t at = random() % text.size();
      const char sign = random() % 4 ? signs[random() % signs.size()] : static_cast<char>(random());
      switch (random() % 3) {
        case 0: text[at] = sign; break;
        case 1: text.insert(at, 1, sign); break;
        default: text.erase(at, 1 + random() % 8);
      }
    }
    try {
      parse_scene(text, "changed.yaml");
    } catch (const SceneError& error) {
      ++refused;
      EXPECT_GT(error.line, 0) << error.what();
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace cairn
