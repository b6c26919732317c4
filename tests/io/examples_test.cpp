// SPDX-License-Identifier: Apache-2.0
// The examples do what their first comment says: numbers from formulas, over times short enough for every build.
#include "cairn/io/scene.h"
#include "cairn/sim/checkpoint.h"
#include "cairn/sim/simulation.h"
#include "support/places.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>
#include <set>

namespace cairn {
namespace {

constexpr double kPi = std::numbers::pi, kGravity = 9.81;

Model read_example(const std::string& name) {
  return read_scene(std::filesystem::path(source_dir()) / "examples" / name).model;
}

/// Weight of all rigid bodies, N.
double weight(const Model& model) {
  double mass = 0;
  for (int b = 0; b < model.body_count(); ++b)
    if (model.system().bodies.slot(b).mobility == BodyMobility::Dynamic) mass += model.system().bodies.mass(b);
  return mass * kGravity;
}

/// What fixed bodies bear, upward force on the others, N.
double carried(const Simulation& simulation) {
  const Bodies& bodies = simulation.model().system().bodies;
  const auto moves = [&](int b) { return b >= 0 && bodies.slot(b).mobility == BodyMobility::Dynamic; };
  double impulse = 0;
  for (const ContactResult& c : simulation.contacts())
    if (moves(c.body_a) != moves(c.body_b)) impulse += moves(c.body_a) ? c.impulse.z() : -c.impulse.z();
  return impulse / simulation.model().run.step;
}

/// The farthest that any body is from where it was at the start, m.
double farthest_move(const Simulation& simulation, const Simulation& start) {
  double farthest = 0;
  for (int b = 0; b < simulation.model().body_count(); ++b)
    farthest = std::max(farthest, (simulation.position(BodyId{b}) - start.position(BodyId{b})).norm());
  return farthest;
}

TEST(Examples, a_checkpoint_of_one_is_refused_by_every_other_with_words) {
  const auto path = std::filesystem::temp_directory_path() / "cairn_examples_test.ck";
  std::vector<std::pair<std::string, Model>> scenes;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(source_dir()) / "examples"))
    if (entry.path().extension() == ".yaml")
      scenes.push_back({entry.path().filename(), read_example(entry.path().filename())});
  ASSERT_GT(scenes.size(), 20u);
  for (const auto& [from, model] : scenes) {
    Simulation simulation(model);
    simulation.step();
    write_checkpoint(path, model, simulation.state());
    for (const auto& [to, other] : scenes) {
      try {
        const State state = read_checkpoint(path, other);
        EXPECT_EQ(from, to) << "a checkpoint of " << from << " was taken for one of " << to;
        simulation.restore(state);
      } catch (const Error& error) {
        EXPECT_NE(from, to) << error.what();
        EXPECT_NE(std::string(error.what()).find("another scene: "), std::string::npos) << error.what();
      }
    }
  }
  std::filesystem::remove(path);
}

TEST(Examples, arch_stands_and_its_springings_carry_it) {
  const Model model = read_example("arch.yaml");
  const Simulation start(model);
  Simulation simulation(model);
  simulation.run(0.4);
  EXPECT_LT(farthest_move(simulation, start), 1e-6);
  // 27 trapezoids of 180/27 degrees between the radii 4.7 and 5.3 m, 1 m deep, of 2400 kg/m^3.
  const double area = 27 * 0.5 * std::sin(kPi / 27) * (5.3 * 5.3 - 4.7 * 4.7);
  EXPECT_NEAR(carried(simulation), 2400 * area * kGravity, 1e-4 * 2400 * area * kGravity);
}

TEST(Examples, card_house_stands_on_friction) {
  const Model model = read_example("card_house.yaml");
  EXPECT_EQ(model.body_count(), 1 + 26);
  const Simulation start(model);
  Simulation simulation(model);
  simulation.run(0.5);
  EXPECT_LT(farthest_move(simulation, start), 1e-4);  // a tenth of a card's thickness
  EXPECT_NEAR(carried(simulation), weight(model), 1e-3 * weight(model));
}

TEST(Examples, pile_has_all_its_balls_in_the_box) {
  const Model model = read_example("pile.yaml");
  EXPECT_EQ(model.body_count(), 5 + 14 * 16);
  Simulation simulation(model);
  const RunSummary& summary = simulation.run(0.1);
  for (int b = 5; b < model.body_count(); ++b)
    EXPECT_LT(std::abs(simulation.position(BodyId{b}).x()), 14 * 0.105 / 2 + 0.01);
  EXPECT_LT(summary.penetration, 1e-3);
}

TEST(Examples, chess_board_has_every_shape_and_nothing_moves) {
  const Model model = read_example("chess_board.yaml");
  std::set<std::size_t> kinds;
  for (const Collider& collider : model.system().colliders) kinds.insert(collider.shape.index());
  EXPECT_EQ(kinds.size(), std::variant_size_v<Shape> - 1);  // scenes know all but a program's own solid

  const Simulation start(model);
  Simulation simulation(model);
  const RunSummary& summary = simulation.run(0.5);
  EXPECT_LT(farthest_move(simulation, start), 1e-8);
  EXPECT_LT(summary.penetration, 1e-8);
  EXPECT_NEAR(carried(simulation), weight(model), 1e-5 * weight(model));
}

TEST(Examples, nut_accelerates_as_on_an_inclined_plane_wound_round_the_bolt) {
  const Model model = read_example("nut_on_bolt.yaml");
  Simulation simulation(model);
  const BodyId nut = model.body("nut");
  const Vec3 start = simulation.position(nut);
  const double time = 0.1, lead = 0.016;
  simulation.run(time);

  // J = m q^2, from the model itself; k is the torque per weight (first comment of the scene).
  const double mass = model.system().bodies.mass(nut.value);
  const double q2 = model.system().bodies.inertia(nut.value)(2, 2) / mass;
  const auto spin = [&](double r) {
    const double k = r * std::tan(std::atan(lead / (2 * kPi * r)) - std::atan(0.03 / std::cos(kPi / 12)));
    return 2 * kPi / lead * kGravity * k / (k + 2 * kPi * q2 / lead) * time;
  };
  // The flanks overlap between these radii; at 40 facets per turn the lead of a facet varies by some percent.
  EXPECT_GT(-simulation.angular_velocity(nut).z(), 0.99 * spin(12.25e-3));
  EXPECT_LT(-simulation.angular_velocity(nut).z(), 1.01 * spin(10.35e-3));

  // It sinks by the lead for each turn, within the play of 0.4 mm / cos(15 deg) of which it starts at the lower end.
  const Quat turn = simulation.orientation(nut);
  const double angle = 2 * std::atan2(turn.z(), turn.w());
  EXPECT_LT(angle, -0.25);
  EXPECT_NEAR(simulation.position(nut).z() - start.z(), lead * angle / (2 * kPi), 0.05e-3);
  EXPECT_LT((simulation.position(nut) - start).head<2>().norm(), 0.2e-3);
}

TEST(Examples, nut_with_more_friction_than_its_thread_is_steep_stays_where_it_is) {
  const std::filesystem::path path = std::filesystem::path(source_dir()) / "examples/nut_on_bolt.yaml";
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text.replace(text.find("friction: 0.03"), 14, "friction: 0.25");  // tan l is 0.246 at the inner radius, mu' 0.259
  const Model model = parse_scene(text, path.string()).model;
  const Simulation start(model);
  Simulation simulation(model);
  simulation.run(0.1);
  const BodyId nut = model.body("nut");
  EXPECT_LT(farthest_move(simulation, start), 2e-5);  // to the nearest facets, which rise out of the helix by as much
  EXPECT_LT(simulation.velocity(nut).norm(), 1e-6);
  EXPECT_LT(simulation.angular_velocity(nut).norm(), 1e-6);
}

TEST(Examples, gears_turn_in_the_ratio_of_their_teeth) {
  const Model model = read_example("gears.yaml");
  Simulation simulation(model);
  const BodyId pinion = model.body("pinion"), wheel = model.body("wheel");
  const auto angle = [&](BodyId body) {  // about y; the body's x axis lies in the plane of the gear
    const Vec3 x = simulation.orientation(body) * Vec3::UnitX();
    return std::atan2(-x.z(), x.x());
  };
  double worst = 0;
  const RunSummary& summary = simulation.run(0.4, [&](const Simulation&) {
    worst = std::max(worst, std::abs(angle(wheel) + 18.0 / 27.0 * angle(pinion)));
    return true;
  });
  EXPECT_NEAR(angle(pinion), 6 * 0.4 * 0.4, 1e-3);  // speed 12 t
  EXPECT_LT(worst, 4 * 0.05e-3 / 67.5e-3);
  EXPECT_NEAR(simulation.angular_velocity(wheel).y(), -18.0 / 27.0 * 12 * 0.4, 0.05 * 3.2);
  EXPECT_LT(summary.penetration, 1e-4);
  EXPECT_LT(summary.joint_drift, 1e-9);
}

TEST(Examples, waggons_part_with_the_restitution_of_their_buffers_and_the_last_one_comes_back) {
  const Model model = read_example("buffers.yaml");
  Simulation simulation(model);
  const BodyId first = model.body("waggon 1"), second = model.body("waggon 2");
  simulation.run(2);
  EXPECT_NEAR(simulation.velocity(first).x(), 0.5, 0.01);  // dampers are of order 1 in the step
  EXPECT_NEAR(simulation.velocity(second).x(), 1.5, 0.01);
  EXPECT_NEAR(simulation.velocity(first).x() + simulation.velocity(second).x(), 2, 1e-9);
  const double out = simulation.velocity(second).x();
  simulation.run(2);
  EXPECT_NEAR(simulation.velocity(first).x(), 0.5, 0.01);
  EXPECT_NEAR(simulation.velocity(second).x(), -out, 1e-3);
  EXPECT_LT(simulation.angular_velocity(second).norm(), 1e-6);
}

TEST(Examples, machine_sinks_on_its_mounts_and_shakes_as_above_resonance) {
  const Model model = read_example("machine_on_mounts.yaml");
  Simulation simulation(model);
  const BodyId machine = model.body("machine");
  simulation.run(2);
  double low = 1, high = 0;
  simulation.run(0.4, [&](const Simulation& s) {  // ten turns of the shaft
    const double z = s.position(machine).z();
    low = std::min(low, z), high = std::max(high, z);
    return true;
  });
  const double k = 4e5, m = 400, c = 4000, w = 2 * kPi * 25;
  EXPECT_NEAR((low + high) / 2, 0.6 - m * kGravity / k, 2e-6);
  EXPECT_NEAR((high - low) / 2, 2000 / std::hypot(k - m * w * w, c * w), 2e-6);
}

TEST(Examples, rings_hang_in_a_chain_and_the_hook_carries_them) {
  const Model model = read_example("rings_on_hook.yaml");
  Simulation simulation(model);
  simulation.run(2);
  // Swinging makes the force vary; its mean over a second is the weight.
  double sum = 0;
  int steps = 0;
  simulation.run(1, [&](const Simulation& s) {
    sum += carried(s);
    ++steps;
    return true;
  });
  EXPECT_NEAR(sum / steps, weight(model), 0.02 * weight(model));
  EXPECT_NEAR(weight(model), 6.2, 0.05);
  // The bars are 12 mm thick, the rings 60 mm wide in the middle: a link is 48 mm long, less where the ring leans.
  Vec3 above = simulation.position(model.body("ring 1"));
  for (int i = 2; i <= 4; ++i) {
    const Vec3 ring = simulation.position(model.body("ring " + std::to_string(i)));
    EXPECT_LT((ring - above).norm(), 0.0485);
    EXPECT_GT(above.z() - ring.z(), 0.035);
    above = ring;
  }
}

}  // namespace
}  // namespace cairn
