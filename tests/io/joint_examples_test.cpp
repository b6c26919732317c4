// SPDX-License-Identifier: Apache-2.0
// The examples with joints do what their first comment says: numbers from formulas and from coordinates of the joints.
#include "cairn/io/scene.h"
#include "cairn/sim/simulation.h"
#include "support/places.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>
#include <set>

namespace cairn {
namespace {

constexpr double kPi = std::numbers::pi, kGravity = 9.81;

Model read_example(const std::string& name) {
  return read_scene(std::filesystem::path(source_dir()) / "examples" / name).model;
}

/// A coordinate of a joint, by its number.
double coordinate(const Simulation& simulation, const std::string& joint, int k = 0) {
  const Model& model = simulation.model();
  const Joint& j = model.system().joints[static_cast<std::size_t>(model.joint(joint).value)];
  return simulation.state().motion.s[j.first_coordinate + k];
}

/// Force on the first body of a joint in the last step, N.
Vec3 reaction(const Simulation& simulation, const std::string& joint) {
  const int index = simulation.model().joint(joint).value;
  return simulation.joint_impulses()[static_cast<std::size_t>(index)].force / simulation.model().run.step;
}

/// Force of a law along its coordinate in the last step, N or N m.
double law_force(const Simulation& simulation, const std::string& law) {
  const auto& laws = simulation.model().system().coordinate_laws;
  for (std::size_t l = 0; l < laws.size(); ++l)
    if (simulation.model().coordinate_law_name(static_cast<int>(l)) == law)
      return simulation.coordinate_impulses()[l] / simulation.model().run.step;
  ADD_FAILURE() << "no law " << law;
  return 0;
}

double mass(const Model& model, const std::string& body) { return model.system().bodies.mass(model.body(body).value); }

/// The zoo, run once for all tests about it.
class MechanismZoo : public testing::Test {
 protected:
  struct Worst {
    double tilt = 0, stop = 0, rod = 0, rope = 0, strut = 0, pulley = 0, lift = 0, screw = 0, plot = 0, trammel = 0,
           middle = 0, universal = 0, constant = 0, gear = 0, belt = 0, rack = 0, differential = 0;
    bool finished = false;
  };
  static void SetUpTestSuite() {
    run_ = new Simulation(read_example("mechanism_zoo.yaml"));
    worst_ = new Worst;
    const Vec3 glider = run_->position(run_->model().body("glider"));
    run_->run(5, [&](const Simulation& s) {
      Worst& w = *worst_;
      const auto at = [&](const std::string& joint, int k = 0) { return coordinate(s, joint, k); };
      const auto note = [](double& most, double error) { most = std::max(most, std::abs(error)); };
      const double t = s.state().time(), f = -0.15, zb = 0.85, bend = 35 * kPi / 180;
      const Vec3 rod = s.orientation(s.model().body("cone")) * Vec3::UnitZ();
      note(w.tilt, std::acos(rod.z()) - 20 * kPi / 180);
      note(w.stop, std::max(0.0, at("stopped hinge") - 80 * kPi / 180));
      note(w.rod, at("rod") - 0.3);
      note(w.rope, std::max(0.0, at("rope") - 0.3));
      note(w.strut, std::min(0.0, at("strut") - 0.12));
      note(w.pulley, at("strand 0") + 2 * at("strand 1") - (0.15 + 2 * 0.2));
      note(w.lift, at("prismatic") - 0.12 * (1 - std::cos(1.5 * t)));
      note(w.screw, at("screw", 1) - 0.014 / (2 * kPi) * at("screw"));
      const double phase = 2 * t - std::sin(2 * t);
      const Vec3 drawn(0.12 * std::sin(phase), 0, 0.12 * (1 - std::cos(phase)));
      note(w.plot, std::hypot(at("planar") - drawn.x(), at("planar", 1) - drawn.z()));
      note(w.plot, (s.position(s.model().body("plotter")) - Vec3(0.5, -0.06, zb - 0.1) - drawn).norm());
      note(w.trammel, (s.position(s.model().body("trammel")) - Vec3(1, f, zb)).norm() - 0.15);
      note(w.middle, (s.position(s.model().body("glider")) - glider).head<2>().norm());
      // tan(out) = cos(bend) tan(in), as the sine of the difference of the two directions
      const double in = at("input 0"), out = at("output 0");
      note(w.universal, std::sin(out) * std::cos(in) - std::cos(bend) * std::sin(in) * std::cos(out));
      note(w.constant, at("output 1") - at("input 1"));
      note(w.gear, at("pinion") + 1.5 * at("wheel"));
      note(w.belt, 0.1 * at("large pulley") - 0.05 * at("small pulley"));
      note(w.rack, at("rack") - 0.05 * at("small gear"));
      note(w.differential, at("half shaft 0") + at("half shaft 1") - 2 * at("cage"));
      return true;
    });
    worst_->finished = run_->state().time() > 4.999;
  }
  static void TearDownTestSuite() {
    delete run_;
    delete worst_;
  }
  static inline Simulation* run_ = nullptr;
  static inline Worst* worst_ = nullptr;
};

TEST_F(MechanismZoo, has_every_kind_of_joint_and_of_law_and_is_certified) {
  std::set<JointKind> kinds;
  std::set<JointSense> senses;
  std::set<CoordinateLawKind> laws;
  for (const Joint& joint : run_->model().system().joints) {
    kinds.insert(joint.kind);
    senses.insert(joint.sense);
  }
  for (const CoordinateLaw& law : run_->model().system().coordinate_laws) laws.insert(law.kind);
  EXPECT_EQ(kinds.size(), joint_infos().size());
  EXPECT_EQ(senses.size(), 4u);
  EXPECT_EQ(laws.size(), 5u);
  EXPECT_TRUE(worst_->finished);
  EXPECT_EQ(run_->summary().not_converged, 0);
  EXPECT_LT(run_->summary().residual, 1e-8);
  EXPECT_LT(run_->summary().joint_drift, 1e-6);
  EXPECT_LT(run_->summary().joint_tilt, 1e-6);
  EXPECT_EQ(run_->summary().contacts_max, 0);
}

TEST_F(MechanismZoo, what_hangs_keeps_its_relations) {
  EXPECT_LT(worst_->tilt, 1e-5);  // a conical pendulum keeps its angle; of second order in the step
  EXPECT_LT(worst_->stop, 1e-6);
  EXPECT_LT(worst_->rod, 1e-6);
  EXPECT_LT(worst_->rope, 1e-6);
  EXPECT_LT(worst_->strut, 1e-6);
  EXPECT_LT(worst_->pulley, 1e-6);
  const Model& model = run_->model();
  // Dry friction holds a pendulum where its weight turns by no more: m g L/2 |sin| <= 0.02 N m.
  const double angle = 60 * kPi / 180 - coordinate(*run_, "hinge");
  EXPECT_LT(std::abs(std::sin(angle)), 0.02 / (mass(model, "pendulum 1") * kGravity * 0.15));
  EXPECT_LT(run_->angular_velocity(model.body("pendulum 1")).norm(), 1e-8);
  // Stopped at -20 degrees, a pendulum swings as one let go there: energy m g L/2 (1 - cos 20).
  const BodyId stopped = model.body("pendulum 2");
  const Vec3 down = run_->orientation(stopped) * -Vec3::UnitZ();
  const double m = mass(model, "pendulum 2"), J = m * (0.3 * 0.3 / 3 + 0.02 * 0.02 / 12);
  const double energy = J / 2 * run_->angular_velocity(stopped).squaredNorm() + m * kGravity * 0.15 * (1 + down.z());
  EXPECT_NEAR(energy, m * kGravity * 0.15 * (1 - std::cos(20 * kPi / 180)), 1e-5 * m * kGravity * 0.15);
  // The beam lies on its prop, which bears half of its weight.
  EXPECT_NEAR(coordinate(*run_, "strut"), 0.12, 1e-6);
  EXPECT_NEAR(reaction(*run_, "strut").z(), mass(model, "beam") * kGravity / 2, 1e-6);
}

TEST_F(MechanismZoo, what_is_guided_keeps_its_relations) {
  EXPECT_LT(worst_->lift, 1e-6);
  EXPECT_LT(worst_->screw, 1e-6);
  EXPECT_LT(worst_->plot, 1e-6);
  EXPECT_LT(worst_->trammel, 1e-6);
  EXPECT_LT(worst_->middle, 1e-9);
  const Model& model = run_->model();
  const double beams = (0.04 * 0.2 * 0.04 + 0.2 * 0.04 * 0.02) * 1000 * kGravity;
  EXPECT_NEAR(reaction(*run_, "weld").z(), beams, 1e-6 * beams);
  EXPECT_NEAR(beams, 4.7, 0.05);
  // A plate on a spring that is relaxed at the start: sinks by m g/k (1 - cos) and turns freely.
  const double w = std::sqrt(150 / mass(model, "plate"));
  EXPECT_NEAR(coordinate(*run_, "cylindrical"), 25, 1e-6);
  EXPECT_NEAR(coordinate(*run_, "cylindrical", 1), -kGravity / (w * w) * (1 - std::cos(w * 5)), 2e-4);
  // A nut that must turn: m a = m g - J (2 pi/pitch)^2 a, J/m = 0.12^2/6.
  const double a = kGravity / (1 + 0.12 * 0.12 / 6 * std::pow(2 * kPi / 0.014, 2));
  EXPECT_NEAR(coordinate(*run_, "screw", 1), -a / 2 * 25, 1e-5);
  EXPECT_NEAR(a, 0.0203, 0.00005);
}

TEST_F(MechanismZoo, what_is_driven_keeps_its_relations) {
  EXPECT_LT(worst_->universal, 1e-6);
  EXPECT_LT(worst_->constant, 1e-6);
  EXPECT_LT(worst_->gear, 1e-6);
  EXPECT_LT(worst_->belt, 1e-6);
  EXPECT_LT(worst_->rack, 1e-6);
  EXPECT_LT(worst_->differential, 1e-6);
  // Motors reach their speeds after a second of ramp: half a second's way less.
  EXPECT_NEAR(coordinate(*run_, "pinion"), 3 * 4.5, 3 * run_->model().run.step);
  EXPECT_NEAR(coordinate(*run_, "cage"), 4.5, run_->model().run.step);
  EXPECT_NEAR(coordinate(*run_, "half shaft 1"), 0, 1e-6);  // the brake holds
  EXPECT_NEAR(coordinate(*run_, "half shaft 0"), 2 * coordinate(*run_, "cage"), 1e-6);
  EXPECT_NEAR(coordinate(*run_, "small gear"), 1 - std::cos(10.0), 1e-6);
  // A blade under a constant torque: until it has its speed, angle = M t^2/(2 J).
  const double J = 0.5 * (0.36 * 0.36 + 0.06 * 0.06) / 12, ramp = J * 20 / 0.02;
  EXPECT_NEAR(run_->angular_velocity(run_->model().body("blade")).y(), 0.02 * std::min(5.0, ramp) / J, 1e-6);
}

TEST(JointExamples, loose_waggons_start_one_after_the_other_and_a_tensed_train_needs_more) {
  Simulation simulation(read_example("train.yaml"));
  const auto body = [&](int j, int k) { return simulation.model().body(fmt::format("waggon {} {}", j, k)); };
  std::vector<double> start(6, -1);
  double rest = -1;
  const RunSummary& summary = simulation.run(2.5, [&](const Simulation& s) {
    for (std::size_t k = 0; k < 6; ++k)
      if (start[k] < 0 && s.velocity(body(0, static_cast<int>(k))).x() > 1e-3) start[k] = s.state().time();
    if (rest < 0 && start[5] > 0 && s.velocity(body(0, 5)).x() < 1e-9) rest = s.state().time();
    return true;
  });

  // k waggons together: k m a = F - k 2 a_R over the slack, then the next joins without restitution.
  const double m = 0.03, F = 0.05, friction = 0.01, slack = 0.02;
  double t = 0, v = 0;
  for (int k = 1; k < 6; ++k) {
    EXPECT_NEAR(start[static_cast<std::size_t>(k - 1)], t, 5e-3) << k;
    const double a = (F - k * friction) / (k * m), faster = std::sqrt(v * v + 2 * a * slack);
    t += 2 * slack / (v + faster);
    v = faster * k / (k + 1);
  }
  EXPECT_NEAR(start[5], t, 5e-3);
  EXPECT_NEAR(rest, t + v / ((6 * friction - F) / (6 * m)), 0.02);

  // Tensed: Studer's 2 n a_R = 0.06 N lies between 0.05 and 0.07 N.
  for (int k = 0; k < 6; ++k) {
    EXPECT_NEAR(simulation.position(body(1, k)).x(), -0.06 * k, 1e-9);
    EXPECT_NEAR(simulation.velocity(body(2, k)).x(), (0.07 - 6 * friction) / (6 * m) * 2.5, 1e-6);
  }
  EXPECT_EQ(summary.not_converged, 0);
  EXPECT_LT(summary.residual, 1e-8);
  EXPECT_LT(summary.joint_drift, 1e-6);
}

/// Friction that falls with speed, F/(1 + v/w), and one that is there for a while only: v' = -F/(m (1 + v/w)) has the
/// solution v + v^2/(2 w) = v0 + v0^2/(2 w) - F t/m.
TEST(JointExamples, friction_in_a_joint_falls_with_speed_and_depends_on_time_and_place) {
  const double F = 3, m = 2, w = 0.5, v0 = 2, h = 1e-4;
  const auto slide = [&](const OwnJointFriction& force, double duration) {
    Model model;
    model.set_gravity(Vec3::Zero());
    model.run.step = h;
    const BodyId body =
        model.add_rigid({.name = "body", .velocity = {v0, 0, 0}, .mass = m, .inertia = Mat3(Mat3::Identity())});
    model.add_joint({.kind = JointKind::Prismatic, .name = "guide", .body_a = "body", .axis = {1, 0, 0}});
    model.add_coordinate_law({.kind = CoordinateLawKind::Friction, .terms = {{.joint = "guide"}}, .own_force = force});
    Simulation simulation(model);
    simulation.run(duration);
    return simulation.velocity(body).x();
  };
  const double t = 0.5, left = v0 + v0 * v0 / (2 * w) - F * t / m;
  EXPECT_NEAR(slide([&](double, double, double v) { return F / (1 + v / w); }, t),
              w * (std::sqrt(1 + 2 * left / w) - 1), 1e-4);
  EXPECT_NEAR(slide([&](double time, double, double) { return time > 0.2 && time < 0.3 ? F : 0; }, t), v0 - F * 0.1 / m,
              1e-3);
  // Over the way from 0.4 to 0.5 m the work is 0.1 F.
  EXPECT_NEAR(slide([&](double, double s, double) { return s > 0.4 && s < 0.5 ? F : 0; }, t),
              std::sqrt(v0 * v0 - 2 * 0.1 * F / m), 1e-3);
  EXPECT_THROW(slide([&](double time, double, double) { return time > 0.1 ? -1.0 : 1.0; }, t), Error);
  EXPECT_THROW(slide([&](double, double, double) { return -1.0; }, t), Error);
}

/// Studer 2009, 7.6.2.1: two waggons whose wheels slide on the rail with a_T = 0.01 N each before they roll. The order
/// of events is published; slack is not, and is 20 mm here.
TEST(JointExamples, two_waggons_slide_then_jerk_then_roll) {
  Model model;
  model.set_gravity(Vec3::Zero());
  const double r = 0.01, J = 5e-7;
  for (int k = 0; k < 2; ++k) {
    const std::string waggon = fmt::format("waggon {}", k), track = fmt::format("track {}", k);
    const Vec3 place(-0.06 * k, 0, 0);
    model.add_rigid({.name = waggon, .position = place, .mass = 0.016, .inertia = Mat3(1e-5 * Mat3::Identity())});
    model.add_joint(
        {.kind = JointKind::Prismatic, .name = track, .body_a = waggon, .position = place, .axis = {1, 0, 0}});
    for (int i = 0; i < 2; ++i) {
      const std::string wheel = fmt::format("wheel {} {}", k, i);
      const Vec3 axle = place + Vec3(0.03 * i - 0.015, 0, 0);
      model.add_rigid({.name = wheel, .position = axle, .mass = 0.002, .inertia = Mat3(J * Mat3::Identity())});
      model.add_joint({.kind = JointKind::Revolute,
                       .name = wheel,
                       .body_a = wheel,
                       .body_b = waggon,
                       .position = axle,
                       .axis = {0, 1, 0}});
      // Sliding is the rate of way minus radius times angle; rolling resistance acts on the angle alone.
      model.add_coordinate_law({.kind = CoordinateLawKind::Friction,
                                .terms = {{.joint = track}, {.joint = wheel, .factor = -r}},
                                .force = 0.01});
      model.add_coordinate_law({.kind = CoordinateLawKind::Friction, .terms = {{.joint = wheel}}, .force = 0.005 * r});
    }
  }
  model.add_joint({.kind = JointKind::Distance,
                   .name = "link",
                   .body_a = "waggon 1",
                   .body_b = "waggon 0",
                   .position = {-0.035, 0, 0},
                   .second_position = Vec3(-0.025, 0, 0),
                   .length = 0.03,
                   .sense = JointSense::AtMost});
  model.add_load({.body = "waggon 0", .force = [](double t) { return Vec3(t < 0.8 ? 0.05 : 0, 0, 0); }});
  model.run.step = 1e-3;
  model.run.solver = {"auto", {{"tolerance", "1e-9"}}};
  Simulation simulation(model);

  const auto slip = [&](int k) {
    const BodyId wheel = model.body(fmt::format("wheel {} 0", k));
    return simulation.velocity(wheel).x() - r * simulation.angular_velocity(wheel).y();
  };
  double closed = -1, jerk = 0, first_rolls = -1, all_roll = -1;
  simulation.run(0.8, [&](const Simulation& s) {
    const double t = s.state().time();
    if (closed < 0 && s.velocity(model.body("waggon 1")).x() > 1e-3) closed = t;
    if (closed > 0 && jerk == 0 && t > closed + 1.5e-3) jerk = s.velocity(model.body("waggon 1")).x();
    if (closed > 0 && first_rolls < 0 && std::abs(slip(0)) < 1e-6) first_rolls = t;
    if (first_rolls > 0 && all_roll < 0 && std::abs(slip(0)) + std::abs(slip(1)) < 1e-6) all_roll = t;
    return true;
  });
  EXPECT_NEAR(closed, std::sqrt(2 * 0.02 / 1.5), 3e-3);    // (F - 2 a_T)/m = 1.5 m/s^2 over the slack
  EXPECT_NEAR(jerk, std::sqrt(2 * 0.02 * 1.5) / 2, 3e-3);  // of equal masses, no restitution
  EXPECT_GT(first_rolls, closed);
  EXPECT_GT(all_roll, first_rolls);
  EXPECT_LT(std::abs(slip(0)) + std::abs(slip(1)), 1e-6);
}

TEST(JointExamples, elevator_keeps_the_stretch_its_cable_was_wound_with) {
  Simulation simulation(read_example("elevator.yaml"));
  const BodyId reel = simulation.model().body("node 0"), hook = simulation.model().body("node 10");
  // Three of ten parts are wound under 12 kN, three unloaded; each part of 2 m stretches by F dx/(E A).
  const double part = 2e3 / (210e9 * 7.8e-5);  // per kN, m
  const double expected[][2] = {
      {0.19, 10 * 12}, {2.69, 3 * 12}, {5.19, 3 * 12 + 4 * 2}, {7.29, 3 * 12 + 7 * 2}, {9.39, 10 * 2}};
  for (const auto& [time, load] : expected) {
    simulation.run(time - simulation.state().time());
    const double stretch = simulation.position(hook).z() - simulation.position(reel).z() + 20;
    EXPECT_NEAR(stretch, -part * load, 1e-5) << time;
  }
  EXPECT_EQ(simulation.summary().not_converged, 0);
}

/// docs/examples.md: moments about the rear contact when the front wheel carries nothing, with the centre of mass where
/// the springs have let it go.
TEST(JointExamples, motorbike_lifts_its_front_wheel_as_statics_says_and_puts_it_down) {
  Simulation simulation(read_example("motorbike.yaml"));
  const Model& model = simulation.model();
  const BodyId front = model.body("front wheel"), rear = model.body("rear wheel");
  double free = 0, down = 0, highest = 0, M = 0;
  Vec3 centre = Vec3::Zero();
  simulation.run(4, [&](const Simulation& s) {
    bool touches = false;
    for (const ContactResult& c : s.contacts())
      touches |= (c.body_a == front.value || c.body_b == front.value) && !c.impulse.isZero(0);
    const double t = s.state().time();
    if (free == 0 && t > 1 && !touches) {
      free = t;
      for (const char* name : {"frame", "rider", "swingarm", "fork", "rear wheel", "front wheel", "sprocket"}) {
        M += mass(model, name);
        centre += mass(model, name) * (s.position(model.body(name)) - Vec3(s.position(rear).x(), 0, 0));
      }
    }
    if (free > 0 && down == 0 && t > free + 0.2 && touches) down = t;
    highest = std::max(highest, s.position(front).z() - 0.3);
    return true;
  });
  const double R = 0.3, k = 0.11 / 0.04, J_r = 0.5 * 15 * R * R, J_s = 0.5 * 0.04 * 0.04;
  const double a = kGravity * centre.x() / (centre.z() + (J_r + k * J_s) / R);
  const double torque = a * ((M * R + J_r / R) / k + k * J_s / R);
  EXPECT_NEAR(M, 275, 1e-9);
  EXPECT_NEAR(330 * (free - 0.5) / 2.5, torque, 0.03 * torque);
  EXPECT_GT(highest, 0.1);
  EXPECT_GT(down, 3);  // when the engine has been cut
  EXPECT_LT(down, 3.5);
  EXPECT_EQ(simulation.summary().not_converged, 0);
  EXPECT_LT(simulation.summary().joint_drift, 1e-4);
}

TEST(JointExamples, excavator_sets_the_crate_on_the_pallet) {
  Simulation simulation(read_example("excavator.yaml"));
  const Model& model = simulation.model();
  const double limits[] = {120e3, 60e3, 6e3, 60e3};
  const char* servos[] = {"boom servo", "stick servo", "bucket servo", "slew servo"};
  // The chain that tightens is a blow, which the boom's servo meets with all it has, for a few hundredths of a second.
  double load[4] = {0, 0, 0, 0}, full = 0;
  const auto watch = [&](const Simulation& s) {
    for (int i = 0; i < 4; ++i) {
      const double share = std::abs(law_force(s, servos[i])) / limits[i];
      if (share > 1 - 1e-9) full += s.model().run.step;
      load[i] = std::max(load[i], share);
    }
    return true;
  };

  // At rest, the chain slack: moments about the boom's hinge; the parts of its own cylinder weigh 20 N of 42 kN.
  simulation.run(0.4, watch);
  double moment = 0;
  for (const char* name : {"boom", "stick", "bucket", "stick barrel", "stick rod"})
    moment += mass(model, name) * kGravity * (simulation.position(model.body(name)).x() - 0.8);
  const Vec3 hinge(0.8, 0, 1.5), foot(1.3, 0, 1.1);
  const Vec3 eye = hinge + Vec3(1.8, 0, 1.8) / std::sqrt(2) + Vec3(0.25, 0, -0.25) / std::sqrt(2);
  const double arm = std::abs((foot - hinge).cross((eye - foot).normalized()).y());
  EXPECT_NEAR(law_force(simulation, "boom servo"), moment / arm, 1e-3 * moment / arm);
  EXPECT_NEAR(moment / arm, 42e3, 500);
  EXPECT_NEAR(reaction(simulation, "chain").norm(), 0, 1e-9);

  // In the air: the chain carries the crate, m (g + a).
  simulation.run(2, watch);
  const BodyId crate = model.body("crate");
  const double before = simulation.velocity(crate).z();
  simulation.step();
  const double rise = (simulation.velocity(crate).z() - before) / model.run.step;
  EXPECT_NEAR(reaction(simulation, "chain").z(), 400 * (kGravity + rise), 1);
  EXPECT_GT(simulation.position(model.body("crate")).z(), 1.2);

  simulation.run(9 - 2.4, watch);
  EXPECT_NEAR(coordinate(simulation, "slew"), 70 * kPi / 180, 1e-3);
  EXPECT_NEAR(coordinate(simulation, "boom cylinder"), 0, 1e-3);
  EXPECT_NEAR(simulation.position(model.body("crate")).z(), 0.7, 1e-6);
  EXPECT_LT(simulation.velocity(model.body("crate")).norm(), 1e-6);
  EXPECT_NEAR(reaction(simulation, "chain").norm(), 0, 1e-9);
  EXPECT_LE(load[0], 1);
  EXPECT_LT(full, 0.05);
  for (int i = 1; i < 4; ++i) EXPECT_LT(load[i], 0.5) << servos[i];
  EXPECT_EQ(simulation.summary().not_converged, 0);
  EXPECT_LT(simulation.summary().residual, 1e-8);
  EXPECT_LT(simulation.summary().joint_drift, 1e-4);
  EXPECT_LT(simulation.summary().joint_tilt, 1e-6);
}

}  // namespace
}  // namespace cairn
