// SPDX-License-Identifier: Apache-2.0
// Descriptions of the kinds of forces. Laws name their own parameters; here stands what they act between.
#include "cairn/sim/kinds.h"

#include <array>

namespace cairn {
namespace {

template <class Spec>
void read_ends(ModelVisitor& v, Spec& spec) {
  v.name(spec.name);
  v.between(spec.body_a, spec.body_b);
  v.anchors(spec.anchor_a, spec.anchor_b);
}

// --- springs

void read_rest_length(ModelVisitor& v, SpringSpec& spring) {
  v.optional_real("rest_length", spring.rest_length, "m", non_negative, "the distance at the start",
                  "length without elongation");
}

SpringSpec read_spring(ModelVisitor& v) {
  SpringSpec spring;
  read_ends(v, spring);
  v.either("stiffness", "damping");
  v.real("stiffness", spring.stiffness, "N/m", non_negative, "force per length beyond rest_length");
  v.real("damping", spring.damping, "N s/m", non_negative, "force per speed of the length");
  v.real("preload", spring.preload, "N", any_number, "pull at rest_length; pushes below 0");
  read_rest_length(v, spring);
  return spring;
}

SpringSpec read_power_spring(ModelVisitor& v) {
  SpringSpec spring;
  PowerSpring law;
  read_ends(v, spring);
  law.describe(v);
  read_rest_length(v, spring);
  spring.curve = law;
  return spring;
}

SpringSpec read_table_spring(ModelVisitor& v) {
  SpringSpec spring;
  std::vector<std::array<double, 2>> points;
  read_ends(v, spring);
  v.pairs("table", points, "[m, N]", "elongations, rising, and the pull at each; a smooth curve joins them");
  TableSpring law(points);
  v.real("damping", law.damping, "N s/m", non_negative, "force per speed c");
  read_rest_length(v, spring);
  spring.curve = law;
  return spring;
}

SpringSpec read_polynomial_spring(ModelVisitor& v) {
  SpringSpec spring;
  PolynomialSpring law;
  read_ends(v, spring);
  v.numbers("coefficients", law.coefficients, "N/m, N/m^2, ...", "pull k1 x + k2 x^2 + ... at an elongation x");
  law.describe(v);
  read_rest_length(v, spring);
  spring.curve = law;
  return spring;
}

BushingSpec read_bushing(ModelVisitor& v) {
  BushingSpec bushing;
  read_ends(v, bushing);
  v.orientation(bushing.orientation);
  const auto three = [&](std::string_view name, Vec3& value, std::string_view unit, std::string_view help) {
    v.vector(name, std::span<double, 3>(value.data(), 3), unit, non_negative, Presence::Optional, help);
  };
  three("stiffness", bushing.stiffness, "N/m", "along its three axes");
  three("damping", bushing.damping, "N s/m", "along its three axes");
  three("torsional_stiffness", bushing.torsional_stiffness, "N m/rad", "about its three axes");
  three("torsional_damping", bushing.torsional_damping, "N m s/rad", "about its three axes");
  return bushing;
}

// --- buffers

template <class Law>
StopSpec read_stop(ModelVisitor& v) {
  StopSpec stop;
  Law law;
  read_ends(v, stop);
  v.direction("direction", std::span<double, 3>(stop.direction.data(), 3),
              "towards the second body, in the first's axes");
  v.real("clearance", stop.clearance, "m", any_number, "distance along it below which the buffer is pressed");
  law.describe(v);
  if constexpr (std::is_same_v<Law, HuntCrossley>) {
    std::optional<double> restitution, speed;
    v.exclusive("damping", "restitution");
    v.optional_real("restitution", restitution, "", {1e-6, 1}, "that of damping", "e of an impact at impact_speed");
    v.optional_real("impact_speed", speed, "m/s", positive, "none", "at which restitution holds");
    if (restitution.has_value() != speed.has_value())
      throw Error("restitution and impact_speed belong together; expected both or neither");
    if (restitution) law.damping = hunt_crossley_damping(*restitution, *speed);
  }
  stop.law = law;
  double friction = 0;
  RegularisedCoulomb sliding;
  v.real("friction", friction, "", non_negative, "coefficient of regularised friction");
  v.real("ramp_speed", sliding.ramp_speed, "m/s", positive, "sliding speed by which friction is full");
  sliding.friction.static_friction = sliding.friction.kinetic_friction = friction;
  if (friction > 0) stop.friction = sliding;
  return stop;
}

// --- forces on one body

constexpr std::array<std::string_view, 2> axes_names{"world", "body"};

LoadSpec read_load(ModelVisitor& v) {
  LoadSpec load;
  v.name(load.name);
  v.body("body", load.body, "the body it acts on");
  v.point("anchor", load.anchor, "m", "where the force acts, in the body's own axes");
  v.choice("axes", load.axes, axes_names, "of force and torque; those of the body turn with it");
  v.either("force", "torque");
  v.function("force", load.force, "N", "formulas or a table in time");
  v.function("torque", load.torque, "N m", "formulas or a table in time; rigid bodies only");
  return load;
}

DragSpec read_drag(ModelVisitor& v) {
  DragSpec drag;
  v.name(drag.name);
  v.body("body", drag.body, "the body it acts on");
  v.point("anchor", drag.anchor, "m", "where it acts, in the body's own axes");
  v.either("coefficient", "area");
  drag.linear.describe(v);
  drag.quadratic.describe(v);
  v.function("medium_velocity", drag.medium_velocity, "m/s", "of the fluid: formulas or a table in time");
  return drag;
}

LuGreSpec read_lugre(ModelVisitor& v) {
  LuGreSpec friction;
  read_ends(v, friction);
  v.direction("direction", std::span<double, 3>(friction.direction.data(), 3),
              "square to the plane of sliding, in the first's axes");
  v.function("normal_force", friction.normal_force, "N", Presence::Required, "that presses the two together");
  friction.law.describe(v);
  return friction;
}

void add_spring(SpringSpec (*read)(ModelVisitor&), ModelVisitor& v, Model& model) { model.add_spring(read(v)); }

constexpr std::array<ModelKind, 11> kForces{{
    {"spring", "a spring", "linear spring and damper between two points", [](ModelVisitor& v) { read_spring(v); },
     [](ModelVisitor& v, Model& model) { add_spring(read_spring, v, model); }},
    {"power-spring", "a power spring", "pull k |x|^n between two points", [](ModelVisitor& v) { read_power_spring(v); },
     [](ModelVisitor& v, Model& model) { add_spring(read_power_spring, v, model); }},
    {"table-spring", "a table spring", "measured pull between two points",
     [](ModelVisitor& v) { read_table_spring(v); },
     [](ModelVisitor& v, Model& model) { add_spring(read_table_spring, v, model); }},
    {"polynomial-spring", "a polynomial spring", "pull between two points as a polynomial of the elongation",
     [](ModelVisitor& v) { read_polynomial_spring(v); },
     [](ModelVisitor& v, Model& model) { add_spring(read_polynomial_spring, v, model); }},
    {"bushing", "a bushing", "stiffness and damping along and about three axes; also a torsion spring",
     [](ModelVisitor& v) { read_bushing(v); },
     [](ModelVisitor& v, Model& model) { model.add_bushing(read_bushing(v)); }},
    {"hertz-stop", "a Hertz stop", "one-sided buffer of a point and a plane: elastic, as round bodies are",
     [](ModelVisitor& v) { read_stop<Hertz>(v); },
     [](ModelVisitor& v, Model& model) { model.add_stop(read_stop<Hertz>(v)); }},
    {"hunt-crossley-stop", "a Hunt-Crossley stop", "one-sided buffer with a given restitution",
     [](ModelVisitor& v) { read_stop<HuntCrossley>(v); },
     [](ModelVisitor& v, Model& model) { model.add_stop(read_stop<HuntCrossley>(v)); }},
    {"kelvin-voigt-stop", "a Kelvin-Voigt stop", "one-sided buffer: linear spring and damper, never pulls",
     [](ModelVisitor& v) { read_stop<KelvinVoigt>(v); },
     [](ModelVisitor& v, Model& model) { model.add_stop(read_stop<KelvinVoigt>(v)); }},
    {"lugre", "LuGre friction", "friction of bristles between a point and a plane: sticks, creeps, remembers",
     [](ModelVisitor& v) { read_lugre(v); }, [](ModelVisitor& v, Model& model) { model.add_lugre(read_lugre(v)); }},
    {"drag", "a drag", "resistance of a medium, linear and quadratic in the relative velocity",
     [](ModelVisitor& v) { read_drag(v); }, [](ModelVisitor& v, Model& model) { model.add_drag(read_drag(v)); }},
    {"load", "a load", "given force and torque on a body, as functions of time", [](ModelVisitor& v) { read_load(v); },
     [](ModelVisitor& v, Model& model) { model.add_load(read_load(v)); }},
}};

}  // namespace

std::span<const ModelKind> force_kinds() { return kForces; }

}  // namespace cairn
