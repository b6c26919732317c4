// SPDX-License-Identifier: Apache-2.0
// Descriptions of the kinds of bodies and forces, and the listing of all kinds.
#include "cairn/sim/kinds.h"

#include <array>

namespace cairn {
namespace {

void describe_place(Vec3& position, Quat& orientation, ModelVisitor& v) {
  v.point("position", position, "m",
          "of the origin of the shape: the centre of mass, except where points or a file put it elsewhere");
  v.orientation(orientation);
}

void describe_start(Vec3& velocity, Vec3& angular_velocity, ModelVisitor& v) {
  v.point("velocity", velocity, "m/s", "of the centre of mass at the start");
  v.point("angular_velocity", angular_velocity, "rad/s", "at the start, in world axes");
}

// --- bodies

RigidBody read_rigid(ModelVisitor& v) {
  RigidBody body;
  v.name(body.name);
  v.material(body.material);
  v.group(body.group);
  v.exclusive("shape", "colliders");
  v.shape(body.shape, ShapeNeed::Bounded, Presence::Optional);
  v.colliders(body.colliders, ShapeNeed::Bounded);
  describe_place(body.position, body.orientation, v);
  describe_start(body.velocity, body.angular_velocity, v);
  v.exclusive("mass", "density");
  v.optional_real("mass", body.mass, "kg", positive, "density times volume", "of the body");
  v.optional_real("density", body.density, "kg/m^3", positive, "that of its material", "of the body");
  v.inertia(body.inertia);
  v.optional_point("centre_of_mass", body.centre_of_mass, "m", "that of the shapes",
                   "in the axes in which the shapes are given; needs `inertia`, which is about it");
  v.real("linear_damping", body.linear_damping, "1/s", non_negative, "k of a force -k m v");
  v.real("angular_damping", body.angular_damping, "1/s", non_negative, "k of a torque -k J Omega");
  return body;
}

FixedBody read_fixed(ModelVisitor& v, ShapeNeed need) {
  FixedBody body;
  v.name(body.name);
  v.material(body.material);
  v.group(body.group);
  v.exclusive("shape", "colliders");
  v.shape(body.shape, need, Presence::Optional);
  v.colliders(body.colliders, need);
  describe_place(body.position, body.orientation, v);
  return body;
}

FixedBody read_prescribed(ModelVisitor& v) {
  FixedBody body = read_fixed(v, ShapeNeed::Bounded);
  v.motion(body.motion.emplace());
  return body;
}

/// A pseudo-rigid body that starts turned, spinning and unstressed.
struct AffineStart {
  Affine body;
  std::optional<double> density;
};

AffineStart read_affine(ModelVisitor& v) {
  AffineStart start;
  AffineSpec& spec = start.body.spec;
  std::optional<Shape> shape;
  Quat orientation = Quat::Identity();
  Vec3 spin = Vec3::Zero();
  v.name(start.body.name);
  v.material(start.body.material);
  v.group(start.body.group);
  v.shape(shape, ShapeNeed::Bounded, Presence::Required);
  describe_place(spec.position, orientation, v);
  describe_start(spec.velocity, spin, v);
  v.optional_real("density", start.density, "kg/m^3", positive, "that of its material", "of the body");
  v.real("young", spec.young, "Pa", positive, "Young's modulus");
  v.real("poisson", spec.poisson, "", {-1, 0.5, true, true}, "Poisson's ratio");
  if (shape) spec.shape = *shape;
  // Turned and unstressed, F is the rotation; a spin omega changes it by hat(omega) F.
  spec.deformation = orientation.normalized().toRotationMatrix();
  spec.deformation_rate = hat(spin) * spec.deformation;
  return start;
}

void add_affine(ModelVisitor& v, Model& model) {
  AffineStart start = read_affine(v);
  start.body.spec.density =
      start.density.value_or(model.system().materials[model.material(start.body.material)].density);
  model.add_affine(start.body);
}

constexpr std::array<ModelKind, 4> kBodies{{
    {"rigid", "a rigid body", "moves as one piece; mass and inertia from shape and density unless given",
     [](ModelVisitor& v) { read_rigid(v); }, [](ModelVisitor& v, Model& model) { model.add_rigid(read_rigid(v)); }},
    {"fixed", "a fixed body", "does not move; the only kind that can carry a half-space",
     [](ModelVisitor& v) { read_fixed(v, ShapeNeed::Any); },
     [](ModelVisitor& v, Model& model) { model.add_fixed(read_fixed(v, ShapeNeed::Any)); }},
    {"affine", "an affine body",
     "pseudo-rigid: one homogeneous deformation, Saint Venant-Kirchhoff material; boxes only",
     [](ModelVisitor& v) { read_affine(v); }, add_affine},
    {"prescribed", "a prescribed body", "follows a given motion whatever touches it",
     [](ModelVisitor& v) { read_prescribed(v); },
     [](ModelVisitor& v, Model& model) { model.add_fixed(read_prescribed(v)); }},
}};

/// Collects descriptions.
class FieldLister final : public ModelVisitor {
 public:
  std::vector<ParameterInfo> infos;

  void real(std::string_view name, double& value, std::string_view unit, Range range, std::string_view help,
            Presence presence) override {
    keep([&](ParameterLister& l) { l.real(name, value, unit, range, help, presence); });
  }
  void integer(std::string_view name, int& value, Range range, std::string_view help) override {
    keep([&](ParameterLister& l) { l.integer(name, value, range, help); });
  }
  void boolean(std::string_view name, bool& value, std::string_view help) override {
    keep([&](ParameterLister& l) { l.boolean(name, value, help); });
  }
  void choice_index(std::string_view name, int& value, std::span<const std::string_view> names,
                    std::string_view help) override {
    keep([&](ParameterLister& l) { l.choice_index(name, value, names, help); });
  }
  void vector(std::string_view name, std::span<double, 3> value, std::string_view unit, Range range, Presence presence,
              std::string_view help) override {
    keep([&](ParameterLister& l) { l.vector(name, value, unit, range, presence, help); });
  }
  void direction(std::string_view name, std::span<double, 3> value, std::string_view help) override {
    keep([&](ParameterLister& l) { l.direction(name, value, help); });
  }
  void text(std::string_view name, std::string& value, std::string_view help) override {
    keep([&](ParameterLister& l) { l.text(name, value, help); });
  }
  void points(std::string_view name, std::vector<std::array<double, 3>>& value, std::string_view unit,
              std::string_view help) override {
    keep([&](ParameterLister& l) { l.points(name, value, unit, help); });
  }
  void name(std::string&) override { add("name", "name", "none", "unique; used in messages and files"); }
  void material(std::string& value) override { add("material", "name", value, "of the surface; decides the laws"); }
  void group(std::string& value) override {
    add("group", "name", value, "of bodies that may be told to ignore others");
  }
  void shape(std::optional<Shape>&, ShapeNeed need, Presence presence) override {
    add("shape", "shape", presence == Presence::Required ? "" : "none",
        need == ShapeNeed::Any ? "what others touch: any shape" : "what others touch: a bounded shape");
  }
  void colliders(std::vector<ColliderSpec>&, ShapeNeed) override {
    add("colliders", "list", "none",
        "instead of shape: {shape, position, orientation, material, group, density}, each at its place in the body's "
        "axes; material, group and density are the body's unless given");
  }
  void orientation(Quat&) override { add("orientation", "orientation", "none", "body to world"); }
  void inertia(std::optional<Mat3>&) override {
    infos.push_back({"inertia", "inertia", "kg m^2", "that of shape and mass", "", {}, "about the centre, body axes"});
  }
  void optional_real(std::string_view name, std::optional<double>&, std::string_view unit, Range range,
                     std::string_view otherwise, std::string_view help) override {
    infos.push_back({std::string(name),
                     "real",
                     std::string(unit),
                     std::string(otherwise),
                     describe_range(range),
                     {},
                     std::string(help)});
  }
  void function(std::string_view name, std::function<Vec3(double)>&, std::string_view unit,
                std::string_view help) override {
    infos.push_back({std::string(name), "function", std::string(unit), "none", "", {}, std::string(help)});
  }
  void function(std::string_view name, std::function<double(double)>&, std::string_view unit, Presence presence,
                std::string_view help) override {
    const char* otherwise = presence == Presence::Required ? "" : "none";
    infos.push_back({std::string(name), "function", std::string(unit), otherwise, "", {}, std::string(help)});
  }
  void optional_point(std::string_view name, std::optional<Vec3>&, std::string_view unit, std::string_view otherwise,
                      std::string_view help) override {
    infos.push_back(
        {std::string(name), "vector", std::string(unit), std::string(otherwise), "", {}, std::string(help)});
  }
  void optional_direction(std::string_view name, std::optional<Vec3>&, std::string_view otherwise,
                          std::string_view help) override {
    add(name, "direction", otherwise, help);
  }
  void joints(std::vector<std::string>&, std::size_t, std::size_t most, std::string_view help) override {
    add(most == 1 ? "joint" : "joints", "joints", "", help);
  }
  void words(std::string_view name, std::vector<std::string>&, std::string_view help) override {
    add(name, "words", "the first of each", help);
  }
  void motion(PrescribedMotion&) override {
    add("motion", "motion", "", "velocity (m/s) and angular_velocity (rad/s) as functions of time, world axes");
  }
  void body(std::string_view name, std::string&, std::string_view help) override { add(name, "body", "", help); }
  void between(std::string&, std::string&) override {
    add("between", "bodies", "", "two bodies, or one and the world");
  }
  void anchors(Vec3&, Vec3&) override {
    infos.push_back({"anchors", "points", "m", "the origins", "", {}, "a point on each body, in its own axes"});
  }
  void numbers(std::string_view name, std::vector<double>&, std::string_view unit, std::string_view help) override {
    infos.push_back({std::string(name), "numbers", std::string(unit), "", "", {}, std::string(help)});
  }
  void pairs(std::string_view name, std::vector<std::array<double, 2>>&, std::string_view unit,
             std::string_view help) override {
    infos.push_back({std::string(name), "pairs", std::string(unit), "", "", {}, std::string(help)});
  }
  void exclusive(std::string_view, std::string_view) override {}
  void either(std::string_view, std::string_view) override {}

 private:
  template <class Visit>
  void keep(Visit&& visit) {
    ParameterLister lister;
    visit(lister);
    infos.push_back(std::move(lister.infos[0]));
  }
  void add(std::string_view name, std::string_view type, std::string_view otherwise, std::string_view help) {
    infos.push_back({std::string(name), std::string(type), "", std::string(otherwise), "", {}, std::string(help)});
  }
};

}  // namespace

std::span<const ModelKind> body_kinds() { return kBodies; }

std::vector<ParameterInfo> list_fields(const ModelKind& kind) {
  FieldLister lister;
  kind.describe(lister);
  return std::move(lister.infos);
}

}  // namespace cairn
