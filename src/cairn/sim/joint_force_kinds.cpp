// SPDX-License-Identifier: Apache-2.0
// Descriptions of springs, dampers and given forces along coordinates of joints.
#include "cairn/base/error.h"
#include "cairn/sim/kinds.h"

#include <array>

namespace cairn {
namespace {

CoordinateForceSpec begin_force(ModelVisitor& v) {
  CoordinateForceSpec force;
  v.name(force.name);
  std::vector<std::string> joints;
  v.joints(joints, 1, 1, "the joint");
  if (!joints.empty()) force.joint = joints[0];
  v.text("coordinate", force.coordinate, "of the joint: angle, slide, x, y, length...; default: its first");
  return force;
}

void read_rest(ModelVisitor& v, CoordinateForceSpec& force) {
  v.optional_real("rest", force.rest, "m, rad", any_number, "its value at the start",
                  "of the coordinate, without pull");
}

CoordinateForceSpec read_spring(ModelVisitor& v) {
  CoordinateForceSpec force = begin_force(v);
  LinearSpring law{0, 0, 0};
  v.either("stiffness", "damping");
  v.real("stiffness", law.stiffness, "N/m, N m/rad", non_negative, "force or torque per way beyond rest");
  v.real("damping", law.damping, "N s/m, N m s/rad", non_negative, "force or torque per speed");
  v.real("preload", law.preload, "N, N m", any_number, "pull back at rest; pushes on below 0");
  read_rest(v, force);
  force.law = law;
  return force;
}

CoordinateForceSpec read_power_spring(ModelVisitor& v) {
  CoordinateForceSpec force = begin_force(v);
  PowerSpring law;
  law.describe(v);
  read_rest(v, force);
  force.law = law;
  return force;
}

CoordinateForceSpec read_table_spring(ModelVisitor& v) {
  CoordinateForceSpec force = begin_force(v);
  std::vector<std::array<double, 2>> points;
  v.pairs("table", points, "[m, N], [rad, N m]", "ways beyond rest, rising, and the pull back at each");
  TableSpring law(points);
  v.real("damping", law.damping, "N s/m, N m s/rad", non_negative, "force or torque per speed");
  read_rest(v, force);
  force.law = law;
  return force;
}

CoordinateForceSpec read_polynomial_spring(ModelVisitor& v) {
  CoordinateForceSpec force = begin_force(v);
  PolynomialSpring law;
  v.numbers("coefficients", law.coefficients, "N/m, N/m^2, ...",
            "pull back k1 x + k2 x^2 + ... at a way x beyond rest");
  law.describe(v);
  read_rest(v, force);
  force.law = law;
  return force;
}

CoordinateForceSpec read_force(ModelVisitor& v) {
  CoordinateForceSpec force = begin_force(v);
  v.function("force", force.given, "N, N m", Presence::Required, "along the coordinate: a torque motor, an actuator");
  return force;
}

template <CoordinateForceSpec (*read)(ModelVisitor&)>
ModelKind describe_force(std::string_view name, std::string_view noun, std::string_view help) {
  return {name, noun, help, [](ModelVisitor& v) { read(v); },
          [](ModelVisitor& v, Model& model) { model.add_coordinate_force(read(v)); }};
}

/// A spring with set-valued pull at rest: linear beyond it, and anything within +-preload there (Studer 2009, 3.6). It
/// is a spring and a servo of limited force that holds the coordinate at rest.
struct Prestressed {
  CoordinateForceSpec spring;
  double preload = 0;
};

Prestressed read_prestressed(ModelVisitor& v) {
  Prestressed read{begin_force(v)};
  LinearSpring law{0, 0, 0};
  v.real("preload", read.preload, "N, N m", positive, "below which the coordinate does not leave rest",
         Presence::Required);
  v.real("stiffness", law.stiffness, "N/m, N m/rad", non_negative, "of the way beyond rest");
  v.real("damping", law.damping, "N s/m, N m s/rad", non_negative, "force or torque per speed");
  read_rest(v, read.spring);
  read.spring.law = law;
  return read;
}

void add_prestressed(ModelVisitor& v, Model& model) {
  const Prestressed read = read_prestressed(v);
  const double rest = read.spring.rest.value_or(model.coordinate_at_start(read.spring.joint, read.spring.coordinate));
  CoordinateLawSpec hold{.kind = CoordinateLawKind::Servo, .name = read.spring.name};
  hold.terms = {{read.spring.joint, read.spring.coordinate, 1}};
  hold.target = [rest](double) { return rest; };
  hold.force = read.preload;
  model.add_coordinate_law(hold);
  model.add_coordinate_force(read.spring);
}

}  // namespace

std::span<const ModelKind> joint_force_kinds() {
  static const std::array kinds{
      describe_force<read_spring>("joint_spring", "a joint spring", "linear spring and damper along a coordinate"),
      describe_force<read_power_spring>("joint_power_spring", "a joint power spring",
                                        "pull k |x|^n back along a coordinate"),
      describe_force<read_table_spring>("joint_table_spring", "a joint table spring",
                                        "measured pull back along a coordinate"),
      describe_force<read_polynomial_spring>("joint_polynomial_spring", "a joint polynomial spring",
                                             "pull back along a coordinate as a polynomial of its way"),
      ModelKind{"prestressed_spring", "a pre-stressed spring",
                "holds a coordinate at rest up to a preload, then yields", [](ModelVisitor& v) { read_prestressed(v); },
                add_prestressed},
      describe_force<read_force>("joint_force", "a joint force", "given force or torque along a coordinate"),
  };
  return kinds;
}

}  // namespace cairn
