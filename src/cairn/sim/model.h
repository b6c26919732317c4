// SPDX-License-Identifier: Apache-2.0
// The model: what does not change in time. Bodies, shapes, materials, joints and forces with names, and how to run
// them.
//
// The first program:
//   cairn::Model model;
//   model.add_fixed({.name = "ground", .shape = cairn::HalfSpace{}});
//   model.add_rigid({.name = "ball", .shape = cairn::Sphere{0.1}, .position = {0, 0, 1}});
//   cairn::Simulation simulation(model);
//   simulation.run(0.5);
#pragma once
#include "cairn/base/parameters.h"
#include "cairn/bodies/affine.h"
#include "cairn/constraints/system.h"
#include "cairn/sim/force_specs.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace cairn {

/// One of the shapes by which a body touches others, at a place in the body's axes.
struct ColliderSpec {
  Shape shape;
  Vec3 position = Vec3::Zero();  ///< of the shape's origin [m]
  Quat orientation = Quat::Identity();
  std::string material = {};           ///< empty: the body's
  std::string group = {};              ///< empty: the body's
  std::optional<double> density = {};  ///< [kg/m^3]; default: the body's, or that of its own material
};

/// A body that moves rigidly. Mass and inertia come from shape and density unless given.
struct RigidBody {
  std::string name = {};
  std::optional<Shape> shape = {};
  std::vector<ColliderSpec> colliders = {};  ///< instead of one shape
  std::string material = "default";
  std::string group = {};        ///< see Model::exclude_groups()
  Vec3 position = Vec3::Zero();  ///< of the shape's origin: its centre of mass, except where a file or list says [m]
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();          ///< of the centre of mass [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< world axes [rad/s]
  std::optional<double> mass = {};       ///< [kg]
  std::optional<double> density = {};    ///< [kg/m^3]; default: the material's
  std::optional<Mat3> inertia = {};      ///< about the centre of mass, body axes [kg m^2]
  /// In the axes in which shape and colliders are given; default: that of the shapes. Needs an inertia [m].
  std::optional<Vec3> centre_of_mass = {};
  double linear_damping = 0;   ///< [1/s]
  double angular_damping = 0;  ///< [1/s]
};

/// A body that does not move, or follows a given motion.
struct FixedBody {
  std::string name = {};
  std::optional<Shape> shape = {};
  std::vector<ColliderSpec> colliders = {};  ///< instead of one shape
  std::string material = "default";
  std::string group = {};  ///< see Model::exclude_groups()
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  std::optional<PrescribedMotion> motion = std::nullopt;
};

/// A pseudo-rigid body (see bodies/affine.h).
struct Affine {
  std::string name = {};
  std::string material = "default";
  std::string group = {};  ///< see Model::exclude_groups()
  AffineSpec spec = {};
};

/// A body of the user's own kind.
struct OwnBody {
  std::string name = {};
  std::shared_ptr<const Body> body = {};
  std::optional<Shape> shape = {};
  std::vector<ColliderSpec> colliders = {};  ///< instead of one shape
  std::string material = "default";
  std::string group = {};  ///< see Model::exclude_groups()
};

/// A joint, placed in the world as the bodies start.
struct JointSpec {
  JointKind kind = JointKind::Ball;
  std::string name = {};
  std::string body_a = {}, body_b = {};      ///< empty: the world
  Vec3 position = Vec3::Zero();              ///< point on A, and on B unless that has its own [m]
  std::optional<Vec3> second_position = {};  ///< point on B [m]
  Vec3 axis = Vec3::UnitZ();                 ///< axis on A, and on B unless that has its own; universal: arm on A
  std::optional<Vec3> second_axis = {};      ///< axis on B; universal: arm on B
  std::optional<double> length = {};         ///< distance [m]; default: that of the two points
  double pitch = 0;                          ///< screw: way per turn [m]
  JointSense sense = JointSense::Both;       ///< distance
  double restitution = 0;                    ///< of a rope or strut that becomes tight
  std::optional<double> stiffness = {};      ///< [N/m, N m/rad]; default: rigid
  double damping = 0;                        ///< with a stiffness [N s/m, N m s/rad]
  std::optional<double> break_force = {};    ///< [N]; default: never
  std::optional<double> break_torque = {};   ///< [N m]; default: never
  bool collide = false;                      ///< whether the two bodies may also touch
};

/// A limit, motor, servo, friction or coupling on coordinates of joints.
struct CoordinateLawSpec {
  struct Term {
    std::string joint = {};
    std::string coordinate = {};  ///< empty: the joint's first
    double factor = 1;
  };
  CoordinateLawKind kind = CoordinateLawKind::Limit;
  std::string name = {};
  std::vector<Term> terms = {};
  std::optional<double> lower = {}, upper = {};  ///< limit [m, rad]
  double restitution = 0;                        ///< limit
  std::function<double(double)> target = {};     ///< motor: speed [m/s, rad/s]; servo: position [m, rad]
  std::optional<double> force = {};              ///< largest [N, N m]; friction: this or own_force must be given
  OwnJointFriction own_force = {};               ///< friction: its limit of time, coordinate and speed
  JointSense sense = JointSense::Both;           ///< coupling: AtMost for a rope
};

/// Blows that pass through bodies in touch (Newton's cradle): see RemoteAction.
struct RemoteActionSpec {
  std::vector<std::pair<std::string, std::string>> pairs = {};  ///< bodies that touch
  MatX restitution = {};                                        ///< one row and column per pair
};

/// A method and its parameters, by name.
struct Choice {
  std::string name = {};
  ParameterValues parameters = {};
};

struct RunSettings {
  double duration = 1;       ///< [s]
  double step = 1.0 / 1000;  ///< [s]
  Choice stepper{"moreau"};
  Choice solver{"auto"};
  int threads = 1;
  bool assemble = false;  ///< whether a start that does not fit the joints is put together; otherwise it is refused
};

class Model {
 public:
  BodyId add_rigid(const RigidBody& body);
  BodyId add_fixed(const FixedBody& body);
  BodyId add_affine(const Affine& body);
  BodyId add_body(const OwnBody& body);
  JointId add_joint(const JointSpec& joint);
  CoordinateLawId add_coordinate_law(const CoordinateLawSpec& law);
  /// A joint of the user's own.
  void add_own_joint(std::shared_ptr<const OwnJoint> joint);
  /// A contact of the user's own.
  void add_own_contact(std::shared_ptr<const OwnContact> contact);
  void add_remote_action(const RemoteActionSpec& action);
  ForceId add_spring(const SpringSpec& spring);
  ForceId add_load(const LoadSpec& load);
  ForceId add_drag(const DragSpec& drag);
  ForceId add_bushing(const BushingSpec& bushing);
  ForceId add_stop(const StopSpec& stop);
  ForceId add_lugre(const LuGreSpec& friction);
  ForceId add_coordinate_force(const CoordinateForceSpec& force);
  ForceId add_force(const OwnForce& force);

  MaterialId add_material(const Material& material) { return system_.materials.add(material); }
  void set_contact(const ContactLaw& law) { system_.materials.set_default(law); }
  void set_contact(std::string_view material_a, std::string_view material_b, const ContactLaw& law);
  void set_gravity(const Vec3& gravity);
  /// What a motor or servo aims at from now on. Throws Error when the law has no target.
  void set_target(CoordinateLawId law, std::function<double(double)> target);
  /// A force that comes and goes, after all others: a person's hand. Null: none.
  void set_hand(std::shared_ptr<const ForceElement> hand);
  /// The two bodies never touch.
  void exclude(std::string_view body_a, std::string_view body_b);
  /// Bodies of the one group pass through those of the other; of one group through each other when both are the same.
  void exclude_groups(std::string_view group_a, std::string_view group_b);

  RunSettings run;    ///< how to run it unless told otherwise
  std::string title;  ///< one line, for reports

  const System& system() const { return system_; }
  int body_count() const { return system_.bodies.size(); }
  /// "body 12" when it has no name of its own.
  const std::string& body_name(int body) const { return body_names_[static_cast<std::size_t>(body)]; }
  const std::string& joint_name(int joint) const { return joint_names_[static_cast<std::size_t>(joint)]; }
  const std::string& coordinate_law_name(int law) const { return law_names_[static_cast<std::size_t>(law)]; }
  const std::string& force_name(int force) const { return force_names_[static_cast<std::size_t>(force)]; }
  /// Throws Error with the nearest name when there is none.
  BodyId body(std::string_view name) const;
  JointId joint(std::string_view name) const;
  MaterialId material(std::string_view name) const;
  /// Of a joint; an empty name is that of its first.
  double coordinate_at_start(const std::string& joint, const std::string& coordinate) const;
  /// The colliders of a body, which stand side by side in System::colliders.
  std::span<const Collider> colliders_of(int body) const;
  /// First collider of a body, or -1.
  int collider_of(int body) const { return body_collider_[static_cast<std::size_t>(body)]; }
  /// All that a body touches others with as one shape in its axes; nothing: it touches nobody.
  std::optional<Shape> shape_of(int body) const;

 private:
  std::string claim_name(const std::string& given, std::string_view noun, std::size_t index,
                         std::unordered_map<std::string, int>& names) const;
  /// Shape or colliders of a body, with materials, groups and densities filled in.
  template <class AnyBody>
  std::vector<ColliderSpec> collect_colliders(const AnyBody& body) const;
  /// `centre`: what becomes the body's origin.
  void finish_body(BodyId id, const std::string& name, const std::vector<ColliderSpec>& colliders,
                   const Vec3& centre = Vec3::Zero());
  int group(std::string_view name);
  using MakeForce = std::function<std::shared_ptr<const ForceElement>()>;
  ForceId keep_force(std::string_view noun, const std::string& given, const MakeForce& make);
  /// The shape with its centre of volume at the origin, and where that was. One copy for all bodies that share data.
  struct Centred {
    Shape given, shape;
    Vec3 centre;
  };
  const Centred& make_centred(const Shape& shape, const Vec3& centre);
  int body_or_world(std::string_view name) const { return name.empty() ? -1 : body(name).value; }
  /// A coordinate of a joint by its name; an empty one is the joint's first. Throws Error when there is none.
  CoordinateTerm find_coordinate(const std::string& joint, const std::string& coordinate) const;
  /// Configuration the bodies start with; it has more numbers than they need.
  const VecX& start() const;
  double start_coordinate(const CoordinateTerm& term) const;
  /// The material point that a spec gives in the axes of a body (or of the world).
  MaterialPoint anchor(const std::string& body, const Vec3& X) const;
  /// Frame of a body, from a point and axes in the world as the bodies start.
  JointFrame frame_on(int body, const Vec3& point, const Mat3& axes) const;

  System system_;
  std::vector<std::string> body_names_, joint_names_, law_names_, force_names_;
  std::vector<int> body_collider_;
  mutable VecX start_;
  mutable int started_ = 0;              ///< bodies in start_
  std::vector<std::string> groups_{""};  ///< names; the first is that of bodies without one
  std::unordered_map<const void*, Centred> centred_;
  bool has_hand_ = false;  ///< the last force is one
  mutable std::unordered_map<std::string, int> body_index_, joint_index_, law_index_, force_index_;
};

}  // namespace cairn
