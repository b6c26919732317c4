// SPDX-License-Identifier: Apache-2.0
// Properties of every force element, over random states of rigid, pseudo-rigid and own bodies: tangents against
// differences, forces against energy, momentum, dissipation.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "cairn/base/error.h"
#include "cairn/bodies/affine.h"
#include "cairn/constraints/bristle_friction.h"
#include "cairn/constraints/bushing.h"
#include "cairn/constraints/coordinate_force.h"
#include "cairn/constraints/drag.h"
#include "cairn/constraints/load.h"
#include "cairn/constraints/spring.h"
#include "cairn/constraints/stop.h"

namespace cairn {
namespace {

/// A rod on a pivot at the origin that swings in the plane y = 0: one angle, and a Jacobian that depends on it.
class Pendulum final : public Body {
 public:
  std::string_view kind() const override { return "pendulum"; }
  int nq() const override { return 1; }
  int nu() const override { return 1; }
  void initial(MutVec q, MutVec u) const override { q[0] = 0.7, u[0] = -1.3; }
  BodyStatus evaluate(const BodyState&, Terms wanted, BodyTerms& terms) const override {
    if (wants(wanted, Terms::Mass)) terms.mass(0, 0) = 0.4;
    return BodyStatus::Ok;
  }
  SparseRows point_rows(ConstVec q, const MaterialPoint& p, RowArena& arena) const override {
    const SparseRows rows = arena.rows(3, 0, 1);
    rows.J().col(0).head<3>() = Vec3::UnitY().cross(position(q, p));
    return rows;
  }
  Placement placement(ConstVec q) const override {
    return {Mat3(Eigen::AngleAxisd(q[0], Vec3::UnitY())), Vec3::Zero()};
  }
  Energy energy(ConstVec, ConstVec u, const Vec3&) const override { return {.kinetic = 0.2 * u[0] * u[0]}; }
};

enum { kRigidA, kRigidB, kAffine, kPendulum, kBodies };

struct Scene {
  Bodies bodies;
  VecX q, u;
};

/// Bodies about a metre apart, turned and moving at random.
Scene make_scene(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(-1, 1);
  const auto vector = [&] { return Vec3(draw(random), draw(random), draw(random)); };
  Scene s;
  for (int i = 0; i < 2; ++i) {
    RigidSpec spec;
    spec.mass = 2 + draw(random);
    spec.inertia = Vec3(0.3, 0.4, 0.5).asDiagonal();
    spec.position = vector() + Vec3(2.5 * i, 0, 0);
    spec.orientation = Quat(Eigen::AngleAxisd(1.2 * draw(random), vector().normalized()));
    spec.velocity = vector();
    spec.angular_velocity = 2 * vector();
    s.bodies.add_rigid(spec);
  }
  AffineSpec soft;
  soft.position = vector() + Vec3(0, 2.5, 0);
  soft.deformation += 0.2 * Mat3(vector() * vector().transpose());
  soft.deformation_rate = vector() * vector().transpose();
  soft.velocity = vector();
  s.bodies.add(std::make_shared<AffineBody>(soft));
  s.bodies.add(std::make_shared<Pendulum>());
  s.bodies.initial(s.q, s.u);
  return s;
}

/// An element with its name for messages; what it may not do is said by the flags.
struct Sample {
  std::string name;
  std::shared_ptr<const ForceElement> element;
  bool momentum = false;   ///< acts between two bodies
  bool dissipates = true;  ///< its part that is not conservative never adds energy
};

std::vector<Sample> make_samples(const Scene& scene) {
  const Vec3 pa(0.2, -0.1, 0.3), pb(-0.3, 0.2, 0.1);
  const auto at = [](int body, const Vec3& X) { return MaterialPoint{.body = body, .local = X}; };
  std::vector<Sample> all;
  const auto add = [&](const std::string& name, auto element, bool momentum, bool dissipates = true) {
    using Element = decltype(element);
    all.push_back({name, std::make_shared<Element>(element), momentum, dissipates});
  };
  const std::vector<std::array<double, 2>> points{{-1, -30}, {0, 0}, {0.8, 25}, {1.5, 90}, {4, 300}};
  TableSpring table(points);
  table.damping = 1.5;
  const std::vector<std::pair<std::string, SpringLaw>> springs{
      {"linear", LinearSpring{40, 3, 12}},
      {"power", PowerSpring{30, 2.5, 2}},
      {"table", table},
      {"polynomial", PolynomialSpring{{20, -3, 5}, -4, 1}},
  };
  for (const auto& [name, law] : springs) {
    for (const auto& [a, b] :
         {std::pair<int, int>{kRigidA, kRigidB}, {-1, kRigidA}, {kRigidB, kAffine}, {kAffine, kPendulum}})
      add("spring " + name, Spring({at(a, pa), at(b, pb), 0.7, law}), a >= 0 && b < kPendulum);
  }

  const Quat axes(Eigen::AngleAxisd(0.8, Vec3(1, 2, -1).normalized()));
  for (const auto& [a, b] : {std::pair<int, int>{kRigidA, kRigidB}, {-1, kRigidA}, {kRigidB, -1}}) {
    Bushing::Spec spec{.a = at(a, pa), .b = at(b, pb), .axes_a = axes, .axes_b = axes};
    spec.stiffness = {30, 50, 70};
    spec.damping = {1, 2, 3};
    spec.torsional_stiffness = {4, 9, 2};
    spec.torsional_damping = {0.5, 0.2, 0.1};
    add("bushing", Bushing(spec), a >= 0 && b >= 0);
  }

  // Buffers that are pressed in by a tenth of a metre, whatever the state.
  const Vec3 normal = Vec3(0.3, -0.5, 0.8).normalized();
  const std::vector<std::pair<std::string, StopLaw>> stops{{"hertz", Hertz{1e4, 0.02}},
                                                           {"hunt-crossley", HuntCrossley{500, 1.7, 0.05}},
                                                           {"kelvin-voigt", KelvinVoigt{300, 2}}};
  for (const auto& [name, law] : stops) {
    for (const bool friction : {false, true}) {
      for (const auto& [a, b] :
           {std::pair<int, int>{kRigidA, kRigidB}, {-1, kRigidB}, {kRigidA, -1}, {kRigidA, kAffine}, {-1, kPendulum}}) {
        Stop::Spec spec{.a = at(a, pa), .b = at(b, pb), .normal = normal};
        spec.clearance = Stop(spec).gap(scene.bodies, scene.q) + 0.1;
        spec.law = law;
        if (friction) spec.friction = RegularisedCoulomb{{0.6, 0.4, 0.5, 2}, 1.0, FrictionRamp::Tanh};
        add("stop " + name + (friction ? " with friction" : ""), Stop(spec), a >= 0 && b >= 0 && b < kPendulum);
      }
    }
  }

  for (const auto& [a, b] : {std::pair<int, int>{kRigidA, kRigidB}, {-1, kRigidB}, {kRigidA, -1}, {kRigidA, kAffine}})
    add("lugre",
        BristleFriction(
            {at(a, pa), at(b, pb), normal, [](double t) { return 20 + t; }, {{0.6, 0.4, 0.5, 2}, 300, 5, 0.1}}),
        a >= 0 && b >= 0);

  // Along joints that do not hold: their coordinates are measured all the same.
  const Mat3 turned = Eigen::AngleAxisd(0.4, Vec3(1, -2, 1).normalized()).toRotationMatrix();
  for (const JointKind kind :
       {JointKind::Revolute, JointKind::Prismatic, JointKind::Planar, JointKind::Distance, JointKind::Cylindrical})
    for (const auto& [a, b] :
         {std::pair<int, int>{kRigidA, kRigidB}, {-1, kRigidA}, {kRigidB, -1}, {kRigidB, kAffine}}) {
      CoordinateForce::Spec spec;
      spec.joint.kind = kind;
      spec.joint.body_a = a;
      spec.joint.body_b = b;
      spec.joint.frame_a = {pa, Mat3::Identity()};
      spec.joint.frame_b = {pb, turned};
      spec.rest = 0.3;
      spec.law = PolynomialSpring{{20, -3, 5}, -4, 1};
      add(fmt::format("spring along {}", joint_info(kind).name), CoordinateForce(spec), a >= 0 && b >= 0);
    }

  const auto wind = [](double t) { return Vec3(0.4 * t, -0.2, 0.1); };
  for (const int body : {kRigidA, kAffine, kPendulum}) {
    add("drag", Drag({at(body, pb), {1.5}, {1.2, 0.5, 2}, {}}), false);
    add("drag in wind", Drag({at(body, pb), {1.5}, {1.2, 0.5, 2}, wind}), false, false);
    add("load", Load({at(body, pa), [](double t) { return Vec3(3, t, -2); }, {}, LoadAxes::World}), false, false);
  }
  const auto torque = [](double t) { return Vec3(1, -2, t); };
  add("load with torque", Load({at(kRigidB, pa), wind, torque, LoadAxes::World}), false, false);
  add("load in body axes", Load({at(kRigidB, pa), wind, torque, LoadAxes::Body}), false, false);
  return all;
}

struct Forces {
  VecX conservative, other;
};

/// What an element remembers at the start.
std::vector<double> memory_of(const ForceElement& element, const Scene& s) {
  std::vector<double> memory(static_cast<std::size_t>(element.memory_size()));
  element.begin_memory(s.bodies, s.q, memory);
  return memory;
}
constexpr double kStep = 0.01;

Forces forces_of(const ForceElement& element, const Scene& s, double t) {
  Forces f{VecX::Zero(s.bodies.nu()), VecX::Zero(s.bodies.nu())};
  const std::vector<double> memory = memory_of(element, s);
  element.add_forces({s.bodies, s.q, s.u, t, memory, kStep}, f.conservative, f.other);
  return f;
}

constexpr unsigned kSeeds = 8;

TEST(ForceElement, tangents_are_the_differences_of_the_force) {
  unsigned count = 0, with_tangents = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const Scene s = make_scene(seed);
    for (const Sample& sample : make_samples(s)) {
      const std::vector<double> memory = memory_of(*sample.element, s);
      const ForceView at{s.bodies, s.q, s.u, 0.3, memory, kStep};
      const ForceTangent exact = sample.element->tangent(at);
      const ForceTangent other = difference_tangent(*sample.element, at);
      ASSERT_EQ(exact.K.rows(), other.K.rows());
      // Central differences of 1e-6: rounding 1e-10 of the force per step.
      EXPECT_LT((exact.K - other.K).norm(), 2e-7 * (1 + other.K.norm())) << sample.name << " seed " << seed;
      EXPECT_LT((exact.D - other.D).norm(), 2e-7 * (1 + other.D.norm())) << sample.name << " seed " << seed;
      if (exact.K.norm() + exact.D.norm() > 1e-3) ++with_tangents;
      ++count;
    }
  }
  // There is something to compare, but for a constant force on a body whose J is constant.
  EXPECT_EQ(with_tangents, count - kSeeds);
}

TEST(ForceElement, force_at_rest_is_the_gradient_of_the_energy) {
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const Scene s = make_scene(seed);
    for (const Sample& sample : make_samples(s)) {
      const Forces f = forces_of(*sample.element, s, 0.3);
      VecX forward(s.q.size()), backward(s.q.size());
      const double h = 1e-5;
      s.bodies.advance(s.q, s.u, h, forward, {});
      s.bodies.advance(s.q, s.u, -h, backward, {});
      const std::vector<double> memory = memory_of(*sample.element, s);
      const double rate = (sample.element->energy({s.bodies, forward, s.u, 0, memory}) -
                           sample.element->energy({s.bodies, backward, s.u, 0, memory})) /
                          (2 * h);
      EXPECT_NEAR(f.conservative.dot(s.u), -rate, 1e-6 * (1 + std::abs(rate))) << sample.name << " seed " << seed;
      if (!sample.dissipates) continue;
      EXPECT_LE(f.other.dot(s.u), 1e-12) << sample.name << " seed " << seed;
    }
  }
}

/// Sum of forces and their moment about the origin, from generalised forces of rigid and affine bodies.
std::pair<Vec3, Vec3> wrench(const Scene& s, const VecX& F) {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  for (int body = 0; body < kPendulum; ++body) {
    const Bodies::Slot& slot = s.bodies.slot(body);
    const Placement place = s.bodies.placement(body, s.q);
    if (slot.rigid) {
      force += F.segment<3>(slot.u);
      moment += place.c.cross(Vec3(F.segment<3>(slot.u))) + place.A * F.segment<3>(slot.u + 3);
    } else {
      // Virtual work of a turn w of all: rates hat(w) F of the gradient, hat(w) c of the centre.
      force += F.segment<3>(slot.u + 9);
      for (int i = 0; i < 3; ++i) {
        const Mat3 turned = hat(Vec3::Unit(i)) * place.A;
        double work = F.segment<3>(slot.u + 9).dot(Vec3::Unit(i).cross(place.c));
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) work += F[slot.u + 3 * r + c] * turned(r, c);
        moment[i] += work;
      }
    }
  }
  return {force, moment};
}

TEST(ForceElement, what_acts_between_bodies_keeps_both_momenta) {
  int count = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const Scene s = make_scene(seed);
    for (const Sample& sample : make_samples(s)) {
      if (!sample.momentum) continue;
      ++count;
      const Forces f = forces_of(*sample.element, s, 0.3);
      const VecX F = f.conservative + f.other;
      const auto [force, moment] = wrench(s, F);
      EXPECT_LT(force.norm(), 1e-12 * (1 + F.norm())) << sample.name;
      EXPECT_LT(moment.norm(), 1e-12 * (1 + F.norm())) << sample.name;
    }
  }
  EXPECT_GT(count, 100);
}

TEST(ForceElement, an_own_element_without_tangents_gets_them_by_differences) {
  // Pull towards the z axis: f = -k (x, y, 0) at the centre.
  class Guide final : public ForceElement {
   public:
    std::string_view kind() const override { return "guide"; }
    void add_forces(const ForceView& at, VecX& conservative, VecX&) const override {
      conservative.head<2>() -= 7 * at.q.head<2>();
    }
    double energy(const ForceView& at) const override { return 3.5 * at.q.head<2>().squaredNorm(); }
    std::array<int, 2> acts_on() const override { return {kRigidA, -1}; }
  };
  const Scene s = make_scene(3);
  const ForceTangent tangent = Guide().tangent({s.bodies, s.q, s.u});
  MatX expected = MatX::Zero(6, 6);
  expected(0, 0) = expected(1, 1) = 7;
  EXPECT_LT((tangent.K - expected).norm(), 1e-8);
  EXPECT_LT(tangent.D.norm(), 1e-8);
}

TEST(Spring, of_no_length_and_no_rest_length_is_stiff_in_every_direction) {
  Scene s = make_scene(1);
  s.q.segment<3>(s.bodies.slot(kRigidB).q) = s.q.segment<3>(s.bodies.slot(kRigidA).q);
  const Spring spring(
      {.a = {.body = kRigidA}, .b = {.body = kRigidB}, .rest_length = 0, .law = LinearSpring{40, 0, 0}});
  EXPECT_TRUE(forces_of(spring, s, 0).conservative.isZero(0));
  const MatX K = spring.tangent({s.bodies, s.q, s.u}).K;
  EXPECT_LT((K.topLeftCorner<3, 3>() - 40 * Mat3::Identity()).norm(), 1e-12);
}

TEST(Bushing, moment_is_stiffness_times_angle_about_each_axis_up_to_half_a_turn) {
  Bodies bodies;
  RigidSpec spec;
  for (int axis = 0; axis < 3; ++axis)
    for (const double angle : {1e-9, 0.1, 0.49, 0.51, 1.5, 3.1, -3.1}) {
      Bodies one;
      spec.orientation = Quat(Eigen::AngleAxisd(angle, Vec3::Unit(axis)));
      one.add_rigid(spec);
      Scene s{one, {}, {}};
      one.initial(s.q, s.u);
      const Bushing bushing({.a = {}, .b = {.body = 0}, .torsional_stiffness = {4, 9, 2}});
      const VecX F = forces_of(bushing, s, 0).conservative;
      const double k = Vec3(4, 9, 2)[axis];
      EXPECT_NEAR(F[3 + axis], -k * angle, 1e-13 * k);
      EXPECT_NEAR(bushing.energy({one, s.q, s.u}), k * angle * angle / 2, 1e-12);
    }
}

TEST(Stop, pushes_only_when_pressed_and_never_pulls) {
  Bodies bodies;
  RigidSpec spec;
  spec.position = {0, 0, 0.25};
  spec.velocity = {0, 0, 3};
  bodies.add_rigid(spec);
  Scene s{bodies, {}, {}};
  bodies.initial(s.q, s.u);
  Stop::Spec stop{.a = {}, .b = {.body = 0}, .clearance = 0.2, .law = KelvinVoigt{100, 50}};
  EXPECT_NEAR(Stop(stop).gap(bodies, s.q), 0.05, 1e-15);
  EXPECT_TRUE(Stop(stop).force(bodies, s.q, s.u).isZero(0));
  EXPECT_EQ(Stop(stop).energy({bodies, s.q, s.u}), 0);
  stop.clearance = 0.3;  // pressed by 5 cm: 5 N, but it leaves at 3 m/s and the damper would pull 150 N
  EXPECT_TRUE(Stop(stop).force(bodies, s.q, s.u).isZero(0));
  s.u[2] = -0.02;
  EXPECT_NEAR(Stop(stop).force(bodies, s.q, s.u).z(), 100 * 0.05 + 50 * 0.02, 1e-12);
  EXPECT_NEAR(Stop(stop).energy({bodies, s.q, s.u}), 100 * 0.05 * 0.05 / 2, 1e-15);
}

TEST(Stop, friction_is_the_ramp_times_the_normal_force) {
  Bodies bodies;
  RigidSpec spec;
  spec.position = {0, 0, -0.05};
  spec.velocity = {0.4, -0.3, 0};
  bodies.add_rigid(spec);
  Scene s{bodies, {}, {}};
  bodies.initial(s.q, s.u);
  Stop::Spec stop{.a = {}, .b = {.body = 0}, .law = KelvinVoigt{100, 0}};
  stop.friction = RegularisedCoulomb{.friction = {0.6, 0.6}, .ramp_speed = 2};
  const Vec3 force = Stop(stop).force(bodies, s.q, s.u);
  EXPECT_LT((force - Vec3(-0.6 * 5 * 0.4 / 2, 0.6 * 5 * 0.3 / 2, 5)).norm(), 1e-12);
}

TEST(ForceElement, wrong_numbers_are_refused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto spring = [](const SpringLaw& law, double rest) { Spring({{.body = 0}, {.body = 1}, rest, law}); };
  EXPECT_THROW(spring(LinearSpring{-1, 0, 0}, 0), Error);
  EXPECT_THROW(spring(LinearSpring{1, -1, 0}, 0), Error);
  EXPECT_THROW(spring(LinearSpring{1, 0, nan}, 0), Error);
  EXPECT_THROW(spring(LinearSpring{1, 0, 0}, -1), Error);
  EXPECT_THROW(spring(PowerSpring{1, 0.5, 0}, 0), Error);
  EXPECT_THROW(spring(PolynomialSpring{{1, nan}, 0, 0}, 0), Error);
  EXPECT_THROW(Spring({{.body = 1}, {.body = 1}, 0, LinearSpring{}}), Error);
  EXPECT_THROW(Spring({{.body = 0, .local = {nan, 0, 0}}, {.body = 1}, 0, LinearSpring{}}), Error);
  EXPECT_THROW(Bushing({.a = {.body = 0}, .b = {}, .stiffness = {1, -1, 0}}), Error);
  EXPECT_THROW(Bushing({.a = {.body = 0}, .b = {}, .torsional_damping = {1, nan, 0}}), Error);
  EXPECT_THROW(Bushing({.a = {.body = 0}, .b = {}, .axes_a = Quat(0, 0, 0, 0)}), Error);
  EXPECT_THROW(Bushing({.a = {.body = 0}, .b = {.body = 0}}), Error);
  EXPECT_THROW(Stop({.a = {.body = 0}, .b = {}, .normal = {0, 0, 2}}), Error);
  EXPECT_THROW(Stop({.a = {.body = 0}, .b = {}, .clearance = nan}), Error);
  EXPECT_THROW(Stop({.a = {.body = 0}, .b = {}, .law = Hertz{-1, 1}}), Error);
  EXPECT_THROW(Stop({.a = {.body = 0}, .b = {}, .friction = RegularisedCoulomb{.friction = {-1, -1}}}), Error);
  EXPECT_THROW(Drag({{.body = 0}, {-1}, {}, {}}), Error);
  EXPECT_THROW(Drag({{}, {1}, {}, {}}), Error);
  EXPECT_THROW(Load({{}, {}, {}, LoadAxes::World}), Error);
}

}  // namespace
}  // namespace cairn
