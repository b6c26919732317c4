// SPDX-License-Identifier: Apache-2.0
// U11: wrong values through the C++ interface are refused by an Error that names the object; a bad force stops the run,
// not the state.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

struct BadInput {
  std::string family, what, named;  ///< `named` must be in the message
  std::function<void(Model&)> act;
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

/// A ball that is right in every field, for changing one.
RigidBody ball(const std::string& name) {
  return {.name = name, .shape = Sphere{0.1}, .position = {0, 0, 1}, .mass = 1.0};
}

template <class Change>
std::function<void(Model&)> changed_ball(Change change) {
  return [change](Model& model) {
    RigidBody body = ball("rock");
    change(body);
    model.add_rigid(body);
  };
}

template <class Change>
std::function<void(Model&)> changed_affine(Change change) {
  return [change](Model& model) {
    Affine body;
    body.name = "jelly";
    change(body.spec);
    model.add_affine(body);
  };
}

template <class Change>
std::function<void(Model&)> changed_run(Change change) {
  return [change](Model& model) {
    change(model.run);
    Simulation simulation(model);
  };
}

std::vector<BadInput> bad_inputs() {
  return {
      {"rigid bodies", "mass -3", "rock", changed_ball([](RigidBody& b) { b.mass = -3; })},
      {"rigid bodies", "mass 0", "rock", changed_ball([](RigidBody& b) { b.mass = 0; })},
      {"rigid bodies", "mass NaN", "rock", changed_ball([](RigidBody& b) { b.mass = nan; })},
      {"rigid bodies", "mass infinite", "rock", changed_ball([](RigidBody& b) { b.mass = infinity; })},
      {"rigid bodies", "density -1", "rock", changed_ball([](RigidBody& b) { b.mass.reset(), b.density = -1; })},
      {"rigid bodies", "radius 0", "rock", changed_ball([](RigidBody& b) { b.shape = Sphere{0}; })},
      {"rigid bodies", "radius NaN", "rock", changed_ball([](RigidBody& b) { b.shape = Sphere{nan}; })},
      {"rigid bodies", "negative half extent", "rock", changed_ball([](RigidBody& b) {
         b.shape = Box{{1, -1, 1}};
       })},
      {"rigid bodies", "half-space that moves", "rock", changed_ball([](RigidBody& b) { b.shape = HalfSpace{}; })},
      {"rigid bodies", "position NaN", "rock", changed_ball([](RigidBody& b) { b.position.x() = nan; })},
      {"rigid bodies", "velocity infinite", "rock", changed_ball([](RigidBody& b) { b.velocity.z() = infinity; })},
      {"rigid bodies", "angular velocity NaN", "rock",
       changed_ball([](RigidBody& b) { b.angular_velocity.y() = nan; })},
      {"rigid bodies", "orientation 0", "rock", changed_ball([](RigidBody& b) { b.orientation = Quat(0, 0, 0, 0); })},
      {"rigid bodies", "orientation NaN", "rock",
       changed_ball([](RigidBody& b) { b.orientation = Quat(nan, 0, 0, 0); })},
      {"rigid bodies", "inertia not symmetric", "rock", changed_ball([](RigidBody& b) {
         Mat3 J = Mat3::Identity();
         J(0, 1) = 0.5;
         b.inertia = J;
       })},
      {"rigid bodies", "inertia not positive", "rock",
       changed_ball([](RigidBody& b) { b.inertia = Mat3(Vec3(1, 1, -1).asDiagonal()); })},
      {"rigid bodies", "inertia of no body", "rock",
       changed_ball([](RigidBody& b) { b.inertia = Mat3(Vec3(1, 1, 3).asDiagonal()); })},
      {"rigid bodies", "linear damping -1", "rock", changed_ball([](RigidBody& b) { b.linear_damping = -1; })},
      {"rigid bodies", "angular damping NaN", "rock", changed_ball([](RigidBody& b) { b.angular_damping = nan; })},
      {"rigid bodies", "no shape, no inertia", "rock", changed_ball([](RigidBody& b) { b.shape.reset(); })},
      {"rigid bodies", "unknown material", "rock", changed_ball([](RigidBody& b) { b.material = "unobtainium"; })},
      {"rigid bodies", "name twice", "rock", [](Model& m) { m.add_rigid(ball("rock")), m.add_rigid(ball("rock")); }},
      {"fixed bodies", "normal of length 2", "ground",
       [](Model& m) {
         m.add_fixed({.name = "ground", .shape = HalfSpace{{0, 0, 2}, 0}});
       }},
      {"fixed bodies", "position NaN", "ground",
       [](Model& m) {
         m.add_fixed({.name = "ground", .position = {nan, 0, 0}});
       }},
      {"affine bodies", "Young's modulus -1", "jelly", changed_affine([](AffineSpec& s) { s.young = -1; })},
      {"affine bodies", "Poisson's ratio 0.5", "jelly", changed_affine([](AffineSpec& s) { s.poisson = 0.5; })},
      {"affine bodies", "density NaN", "jelly", changed_affine([](AffineSpec& s) { s.density = nan; })},
      {"affine bodies", "inverted at the start", "jelly",
       changed_affine([](AffineSpec& s) { s.deformation(0, 0) = -1; })},
      {"affine bodies", "deformation NaN", "jelly", changed_affine([](AffineSpec& s) { s.deformation(1, 2) = nan; })},
      {"affine bodies", "a half-space", "jelly", changed_affine([](AffineSpec& s) { s.shape = HalfSpace{}; })},
      {"materials and laws", "density 0", "ice",
       [](Model& m) {
         m.add_material({"ice", 0});
       }},
      {"materials and laws", "material twice", "ice",
       [](Model& m) {
         m.add_material({"ice", 1}), m.add_material({"ice", 1});
       }},
      {"materials and laws", "friction -0.1", "friction", [](Model& m) { m.set_contact({.friction = -0.1}); }},
      {"materials and laws", "friction NaN", "friction", [](Model& m) { m.set_contact({.friction = nan}); }},
      {"materials and laws", "restitution 1.5", "restitution", [](Model& m) { m.set_contact({.restitution = 1.5}); }},
      {"materials and laws", "restitution NaN", "restitution", [](Model& m) { m.set_contact({.restitution = nan}); }},
      {"materials and laws", "friction -1 of a pair", "ice",
       [](Model& m) {
         m.add_material({"ice", 1}), m.set_contact("ice", "default", {.friction = -1});
       }},
      {"materials and laws", "unknown material in a pair", "snow",
       [](Model& m) { m.set_contact("snow", "default", {}); }},
      {"materials and laws", "gravity NaN", "gravity",
       [](Model& m) {
         m.set_gravity({0, 0, nan});
       }},
      {"joints", "unknown body", "nobody", [](Model& m) { m.add_joint({.name = "hinge", .body_a = "nobody"}); }},
      {"joints", "body joined to itself", "hinge",
       [](Model& m) { m.add_rigid(ball("rock")), m.add_joint({.name = "hinge", .body_a = "rock", .body_b = "rock"}); }},
      {"joints", "two fixed bodies", "hinge",
       [](Model& m) { m.add_fixed({.name = "ground"}), m.add_joint({.name = "hinge", .body_a = "ground"}); }},
      {"joints", "position NaN", "hinge",
       [](Model& m) {
         m.add_rigid(ball("rock")), m.add_joint({.name = "hinge", .body_a = "rock", .position = {0, nan, 0}});
       }},
      {"forces", "stiffness -1", "coil",
       [](Model& m) { m.add_rigid(ball("rock")), m.add_spring({.name = "coil", .body_a = "rock", .stiffness = -1}); }},
      {"forces", "damping NaN", "coil",
       [](Model& m) { m.add_rigid(ball("rock")), m.add_spring({.name = "coil", .body_a = "rock", .damping = nan}); }},
      {"forces", "rest length -1", "coil",
       [](Model& m) {
         m.add_rigid(ball("rock")), m.add_spring({.name = "coil", .body_a = "rock", .rest_length = -1});
       }},
      {"forces", "anchor NaN", "coil",
       [](Model& m) {
         m.add_rigid(ball("rock")), m.add_spring({.name = "coil", .body_a = "rock", .anchor_a = {nan, 0, 0}});
       }},
      {"forces", "unknown body of a spring", "nobody",
       [](Model& m) { m.add_spring({.name = "coil", .body_a = "nobody"}); }},
      {"forces", "both ends on one body", "coil",
       [](Model& m) { m.add_rigid(ball("rock")), m.add_spring({.name = "coil", .body_a = "rock", .body_b = "rock"}); }},
      {"forces", "unknown body of a load", "nobody", [](Model& m) { m.add_load({.name = "push", .body = "nobody"}); }},
      {"forces", "load anchor NaN", "push",
       [](Model& m) {
         m.add_rigid(ball("rock")), m.add_load({.name = "push", .body = "rock", .anchor = {nan, 0, 0}});
       }},
      {"run settings", "step 0", "step", changed_run([](RunSettings& r) { r.step = 0; })},
      {"run settings", "step NaN", "step", changed_run([](RunSettings& r) { r.step = nan; })},
      {"run settings", "duration -1", "duration", changed_run([](RunSettings& r) { r.duration = -1; })},
      {"run settings", "threads 0", "threads", changed_run([](RunSettings& r) { r.threads = 0; })},
      {"run settings", "unknown stepper", "moroe", changed_run([](RunSettings& r) { r.stepper.name = "moroe"; })},
      {"run settings", "unknown solver", "magic", changed_run([](RunSettings& r) { r.solver.name = "magic"; })},
      {"run settings", "unknown parameter", "tolerence",
       changed_run([](RunSettings& r) { r.solver.parameters["tolerence"] = "1e-8"; })},
      {"run settings", "tolerance -1", "tolerance",
       changed_run([](RunSettings& r) { r.solver.parameters["tolerance"] = "-1"; })},
      {"run settings", "tolerance 'small'", "tolerance",
       changed_run([](RunSettings& r) { r.solver.parameters["tolerance"] = "small"; })},
      {"run settings", "explicit step too long", "explicit",
       [](Model& m) {
         Affine body;
         body.name = "jelly";
         body.spec.young = 1e9;
         m.add_affine(body);
         m.run.stepper = {"koziara"};
         m.run.step = 0.1;
         Simulation simulation(m);
       }},
  };
}

/// Empty when refused as it should be, else what went wrong.
std::string complaint(const BadInput& input) {
  Model model;
  try {
    input.act(model);
  } catch (const Error& error) {
    if (std::string(error.what()).find(input.named) != std::string::npos) return {};
    return fmt::format("does not name '{}': {}", input.named, error.what());
  } catch (const std::exception& error) {
    return fmt::format("not a cairn::Error: {}", error.what());
  }
  return "accepted";
}

}  // namespace

CaseResult run_bad_input(Effort) {
  CaseResult result;
  std::vector<std::string> families;
  std::map<std::string, std::pair<int, int>> counts;  // of inputs, of those refused by name
  std::string complaints;
  for (const BadInput& input : bad_inputs()) {
    if (!counts.contains(input.family)) families.push_back(input.family);
    auto& [all, refused] = counts[input.family];
    ++all;
    const std::string wrong = complaint(input);
    if (wrong.empty()) {
      ++refused;
    } else {
      complaints += fmt::format("\n\n{}, {}: {}.", input.family, input.what, wrong);
    }
  }
  for (const std::string& family : families) {
    const auto& [all, refused] = counts[family];
    result.quantities.push_back(
        check("wrong inputs refused by name, " + family, refused, {.expected = static_cast<double>(all)}));
  }

  // A force that becomes NaN during the run: a named status, and the state stays the last good one.
  Model model;
  model.add_rigid(ball("rock"));
  model.add_load({.name = "push", .body = "rock", .force = [](double t) { return Vec3(t > 0.1 ? nan : 1, 0, 0); }});
  Simulation simulation(model);
  const RunSummary& summary = simulation.run(1);
  const State last = simulation.state();
  simulation.step();
  result.quantities.push_back(
      check_holds("a force of NaN ends the run with status not-finite", summary.status == StepStatus::NotFinite));
  result.quantities.push_back(
      check_holds("the state is still finite", last.motion.q.allFinite() && last.motion.u.allFinite()));
  result.quantities.push_back(check("time of the last good state", last.time(), {0.1, 1.01e-3, false, {}, "s"}));
  result.quantities.push_back(check("values changed by the step that failed",
                                    static_cast<double>(differing_values(last, simulation.state())), {0, 0}));
  record(result, "force of NaN after 0.1 s", simulation);
  result.notes = complaints.empty() ? "Every wrong input was refused by an error that names the object."
                                    : "Not as it should be:" + complaints;
  return result;
}

}  // namespace cairn::validation
