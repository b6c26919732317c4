// SPDX-License-Identifier: Apache-2.0
// The benchmark scenes: they build, they step, and they are the scenes that other engines are measured on.
#include "benchmarks/scenes.h"
#include "benchmarks/runner.h"
#include "cairn/sim/simulation.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#if __has_include("peers.hpp")
#include "peers.hpp"
#define CAIRN_HAVE_PEERS 1
#endif

namespace cairn {
namespace {

// As the harness has them: 10 or 20 cubes, 105 bricks, 12 * 13 / 2 cubes, two cubes, one cube; each on one ground.
// The spheres fill a cube of 10 or 20 a side and have a floor and four walls.
TEST(BenchmarkScenes, have_the_bodies_they_are_named_for) {
  const std::pair<const char*, int> expected[] = {
      {"stack10", 11}, {"stack20", 21}, {"wall", 106},     {"pyramid", 79},     {"massratio", 3},
      {"incline", 2},  {"arch15", 26},  {"arch12", 26},    {"arch09", 26},      {"cards", 27},
      {"cards10", 27}, {"meshes", 25},  {"rocks1k", 1005}, {"spheres1k", 1005}, {"spheres8k", 8005}};
  for (const auto& [name, bodies] : expected)
    EXPECT_EQ(find_benchmark_scene(name).build().body_count(), bodies) << name;
  EXPECT_EQ(benchmark_scenes().size(), std::size(expected));
}

// Heaps are hyperstatic and their problems not monotone: the default solver brings every step to its tolerance, and the
// certificate says so. Both kinds: spheres with few contacts per body, rocks with many.
TEST(BenchmarkScenes, heaps_are_solved_at_every_step_by_the_default_solver) {
  for (const bool rocks : {false, true}) {
    Model model = rocks ? make_rocks(3) : make_spheres(5);
    model.run.solver = {"auto", {{"tolerance", "1e-6"}}};
    Simulation simulation(std::move(model));
    simulation.run(0.8);
    const RunSummary& summary = simulation.summary();
    EXPECT_EQ(summary.not_converged, 0) << (rocks ? "rocks" : "spheres");
    EXPECT_LE(summary.residual, 1e-6);
    EXPECT_GT(summary.contacts_max, rocks ? 60 : 200);
  }
}

TEST(BenchmarkScenes, all_make_three_steps) {
  for (const BenchmarkScene& scene : benchmark_scenes()) {
    Model model = scene.build();
    EXPECT_DOUBLE_EQ(model.run.step, 1.0 / 240) << scene.name;
    Simulation simulation(std::move(model));
    for (int i = 0; i < 3; ++i) ASSERT_EQ(simulation.step().status, StepStatus::Done) << scene.name;
    EXPECT_NEAR(simulation.state().motion.time, 3.0 / 240, 1e-15) << scene.name;
  }
}

TEST(BenchmarkScenes, unknown_name_is_an_error_with_a_suggestion) {
  try {
    find_benchmark_scene("stak20");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'stack20'"), std::string::npos) << error.what();
  }
}

TEST(BenchmarkRunner, counts_steps_and_contacts_of_a_standing_stack) {
  const BenchmarkResult r = run_benchmark(find_benchmark_scene("stack10"), {.duration = 0.1});
  EXPECT_EQ(r.steps, 24);          // 0.1 s of 1/240 s
  EXPECT_EQ(r.contacts_last, 40);  // four corners of ten faces
  EXPECT_TRUE(r.completed);
  EXPECT_GT(r.cpu_seconds, 0);
  EXPECT_LT(r.drift, 1e-7);  // the bar for what should not move
  EXPECT_LE(r.share_detection + r.share_assembly + r.share_solve, 1);
}

TEST(BenchmarkRunner, sliding_starts_at_the_angle_of_friction) {
  const BenchmarkResult r = run_benchmark(find_benchmark_scene("incline"), {.duration = 0.1});
  ASSERT_TRUE(r.incline.has_value());
  EXPECT_LT(std::abs(r.incline->along_x.onset_error), 1e-6);
  EXPECT_LT(std::abs(r.incline->diagonal.onset_error), 1e-6);
}

TEST(BenchmarkRunner, refuses_a_negative_step) {
  EXPECT_THROW(run_benchmark(find_benchmark_scene("stack10"), {.step = -1.0}), Error);
}

// `exact`: share of a length or mass by which the centres and inertias of hulls, integrated in two ways, may differ.
void expect_as_in_the_harness(const std::string& name, [[maybe_unused]] double exact = 1e-14) {
#ifdef CAIRN_HAVE_PEERS
  const peers::Scene theirs = peers::make_scene(name);
  const Simulation ours(find_benchmark_scene(name).build());
  ASSERT_EQ(static_cast<std::size_t>(ours.model().body_count()), theirs.bodies.size());
  for (std::size_t i = 0; i < theirs.bodies.size(); ++i) {
    const peers::Body& body = theirs.bodies[i];
    const BodyId id{static_cast<int>(i)};
    EXPECT_LT((ours.position(id) - body.p).norm(), exact) << name << " body " << i;
    if (body.fixed) continue;
    EXPECT_NEAR(ours.model().system().bodies.mass(id.value), body.m, 1e-12 * body.m) << name << " body " << i;
    // Theirs is about the principal axes, ours about those of the shape.
    Vec3 sorted = body.I;
    std::sort(sorted.begin(), sorted.end());
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(ours.model().system().bodies.inertia(id.value));
    EXPECT_LT((principal.eigenvalues() - sorted).norm(), 1e-12 * sorted.norm()) << i;
  }
  EXPECT_EQ(ours.model().system().materials.default_law().friction, theirs.mu);
  EXPECT_EQ(ours.model().run.duration, theirs.T);
#else
  GTEST_SKIP() << "peers.hpp is not there: " << name << " is not compared with it";
#endif
}

TEST(BenchmarkScenes, stack10_is_that_of_the_peers_harness) { expect_as_in_the_harness("stack10"); }
TEST(BenchmarkScenes, wall_is_that_of_the_peers_harness) { expect_as_in_the_harness("wall"); }
TEST(BenchmarkScenes, pyramid_is_that_of_the_peers_harness) { expect_as_in_the_harness("pyramid"); }
TEST(BenchmarkScenes, massratio_is_that_of_the_peers_harness) { expect_as_in_the_harness("massratio"); }
TEST(BenchmarkScenes, spheres1k_is_that_of_the_peers_harness) { expect_as_in_the_harness("spheres1k"); }
TEST(BenchmarkScenes, arch12_is_that_of_the_peers_harness) { expect_as_in_the_harness("arch12", 1e-12); }
TEST(BenchmarkScenes, cards_is_that_of_the_peers_harness) { expect_as_in_the_harness("cards"); }
TEST(BenchmarkScenes, cards10_is_that_of_the_peers_harness) { expect_as_in_the_harness("cards10"); }
TEST(BenchmarkScenes, rocks1k_is_that_of_the_peers_harness) { expect_as_in_the_harness("rocks1k", 1e-12); }

}  // namespace
}  // namespace cairn
