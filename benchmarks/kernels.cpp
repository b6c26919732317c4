// SPDX-License-Identifier: Apache-2.0
// Google Benchmark of the inner loops: what one contact, one sweep, one factorisation costs.
#include "benchmarks/scenes.h"
#include "cairn/assembly/form_problem.h"
#include "cairn/collision/narrow_phase.h"
#include "cairn/geometry/polyhedron.h"
#include "cairn/math/rotation.h"
#include "cairn/math/sparse_cholesky.h"
#include "cairn/problem/residual.h"
#include "cairn/solvers/gauss_seidel.h"

#include <benchmark/benchmark.h>
#include <cmath>
#include <memory>

namespace cairn {
namespace {

/// Bodies of a scene at its start, and the contact problem of its first step.
struct FirstStep {
  Model model;
  VecX q, u;
  std::vector<Placement> placements;
  std::vector<double> margins;
  FreeMotion free;
  std::vector<Constraint> constraints;
  PairProblem problem;

  explicit FirstStep(std::string_view scene) : model(find_benchmark_scene(scene).build()) {
    const System& system = model.system();
    system.bodies.initial(q, u);
    for (const Collider& collider : system.colliders) placements.push_back(system.bodies.placement(collider.body, q));
    margins.assign(system.colliders.size(), 1e-3);
    const StepContext step{0, model.run.step, system.gravity, false};
    system.bodies.free_motion(q, u, VecX::Zero(system.bodies.nu()), step, free, Threads{});
    std::vector<ContactPoint> points;
    ContactManager().find_contacts(system.colliders, placements, margins, system.filter, Threads{}, points);
    for (const ContactPoint& p : points) {
      Constraint c;
      c.body_a = system.colliders[static_cast<std::size_t>(p.a)].body;
      c.body_b = system.colliders[static_cast<std::size_t>(p.b)].body;
      c.point_a = c.point_b = p.point;
      c.frame = contact_frame(p.normal);
      c.friction = system.materials.default_law().friction;
      constraints.push_back(c);
    }
    compute_local_velocities(system.bodies, q, u, free, constraints, Threads{});
    assemble(system.bodies, q, free, constraints, problem, Threads{});
  }
};

void quaternion_exponential(benchmark::State& state) {
  Vec3 psi(0.01, -0.02, 0.015);
  for (auto _ : state) {
    benchmark::DoNotOptimize(psi);
    benchmark::DoNotOptimize(exp_quaternion(psi));
  }
}
BENCHMARK(quaternion_exponential);

void narrow_phase(benchmark::State& state, const Shape& a, const Shape& b, const Placement& pb) {
  std::vector<ContactPoint> points;
  for (auto _ : state) {
    points.clear();
    collide(a, Placement{}, b, pb, 1e-3, points);
    benchmark::DoNotOptimize(points.data());
  }
  state.counters["points"] = static_cast<double>(points.size());
}
const Placement above{Mat3::Identity(), Vec3(0.1, 0.2, -1)};
const Placement turned{exp_rotation(Vec3(0, 0, 0.3)), Vec3(0.1, 0.2, -1)};
BENCHMARK_CAPTURE(narrow_phase, sphere_sphere, Sphere{0.5}, Sphere{0.5}, Placement{Mat3::Identity(), Vec3(0, 0, -1)});
BENCHMARK_CAPTURE(narrow_phase, box_box_aligned, Box{}, Box{}, above);
BENCHMARK_CAPTURE(narrow_phase, box_box_turned, Box{}, Box{}, turned);

// Curved shapes and rocks, one sunk by 1 mm into the other: distance or depth, exact normal, manifold.
Shape make_rock(int count) {
  std::vector<Vec3> points;  // on a sphere of radius 1/2, by the golden angle
  for (int k = 0; k < count; ++k) {
    const double z = 1 - (2 * k + 1.0) / count, r = std::sqrt(1 - z * z), t = 2.399963229728653 * k;
    points.emplace_back(0.5 * r * std::cos(t), 0.5 * r * std::sin(t), 0.5 * z);
  }
  return ConvexPolyhedron{std::make_shared<Polyhedron>(make_hull(points, "rock"))};
}
const Placement below{exp_rotation(Vec3(0.1, 0.2, 0.3)), Vec3(0, 0, -0.98)};
const Placement standing{Mat3::Identity(), Vec3(0.1, 0, -0.999)};
BENCHMARK_CAPTURE(narrow_phase, rock_rock_30, make_rock(30), make_rock(30), below);
BENCHMARK_CAPTURE(narrow_phase, rock_rock_100, make_rock(100), make_rock(100), below);
BENCHMARK_CAPTURE(narrow_phase, rock_box, make_rock(30), Box{}, below);
BENCHMARK_CAPTURE(narrow_phase, cylinder_on_cylinder, Cylinder{}, Cylinder{}, standing);
BENCHMARK_CAPTURE(narrow_phase, cylinder_on_box, Cylinder{}, Box{}, standing);
BENCHMARK_CAPTURE(narrow_phase, ellipsoid_ellipsoid, Ellipsoid{{0.4, 0.6, 0.5}}, Ellipsoid{{0.4, 0.6, 0.5}}, below);
BENCHMARK_CAPTURE(narrow_phase, capsule_capsule, Capsule{0.25, 0.25}, Capsule{0.25, 0.25}, below);

void broad_phase_8k(benchmark::State& state) {
  const FirstStep scene("spheres8k");
  std::vector<Aabb> boxes;
  std::vector<std::uint8_t> mobile;
  for (std::size_t i = 0; i < scene.placements.size(); ++i) {
    const Collider& collider = scene.model.system().colliders[i];
    // The spheres start apart by a tenth of their size; twice that makes neighbours overlap as in a heap.
    Aabb box = compute_aabb(collider.shape, scene.placements[i]);
    box.lo.array() -= 0.02;
    box.hi.array() += 0.02;
    boxes.push_back(box);
    mobile.push_back(collider.mobile);
  }
  const auto broad_phase = make_broad_phase();
  std::vector<Pair> pairs;
  for (auto _ : state) broad_phase->find_pairs(boxes, mobile, pairs);
  state.counters["pairs"] = static_cast<double>(pairs.size());
}
BENCHMARK(broad_phase_8k)->Unit(benchmark::kMicrosecond);

void single_contact(benchmark::State& state, const Vec3& b) {
  Mat3 W;
  W << 2, 0.3, -0.2, 0.3, 3, 0.1, -0.2, 0.1, 2.5;
  SingleContact contact;
  contact.prepare(W);
  double lambda = 0;
  Vec3 velocity = b;
  for (auto _ : state) {
    benchmark::DoNotOptimize(velocity);
    lambda = 0;
    benchmark::DoNotOptimize(contact.solve(velocity, 0.5, lambda));
  }
}
BENCHMARK_CAPTURE(single_contact, stick, Vec3(-1, 0.1, 0.05));
BENCHMARK_CAPTURE(single_contact, slip, Vec3(-1, 2, 1));

void assembly_of_a_wall(benchmark::State& state) {
  FirstStep wall("wall");
  for (auto _ : state) {
    assemble(wall.model.system().bodies, wall.q, wall.free, wall.constraints, wall.problem, Threads{});
    benchmark::DoNotOptimize(wall.problem.blocks.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(wall.problem.size()));
}
BENCHMARK(assembly_of_a_wall)->Unit(benchmark::kMicrosecond);

/// Sweeps from zero impulses: the difference of 11 and 1 is ten sweeps without preparation and residuals.
void gauss_seidel_on_a_wall(benchmark::State& state) {
  const FirstStep wall("wall");
  const int sweeps = static_cast<int>(state.range(0));
  GaussSeidel::Settings settings;
  settings.tolerance = 1e-300;
  settings.max_iterations = sweeps;
  GaussSeidel solver(settings);
  VecX r;
  for (auto _ : state) {
    r.setZero(3 * static_cast<int>(wall.problem.size()));
    benchmark::DoNotOptimize(solver.solve(wall.problem, r));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(wall.problem.size()) * sweeps);
}
BENCHMARK(gauss_seidel_on_a_wall)->Arg(1)->Arg(11)->Unit(benchmark::kMicrosecond);

void residual_of_a_wall(benchmark::State& state) {
  const FirstStep wall("wall");
  const VecX r = Vec3(1, 0.2, 0.1).replicate(static_cast<int>(wall.problem.size()), 1);
  std::vector<PairVelocity> z;
  VecX U;
  for (auto _ : state) benchmark::DoNotOptimize(compute_residual(wall.problem, r, z, U));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(wall.problem.size()));
}
BENCHMARK(residual_of_a_wall)->Unit(benchmark::kMicrosecond);

/// Filling and factoring a diagonally dominant matrix with the pattern of the wall (it is factored in place).
void cholesky_of_a_wall(benchmark::State& state) {
  const FirstStep wall("wall");
  std::vector<std::pair<int, int>> pairs;
  for (const PairBlock& c : wall.problem.blocks) {
    if (c.second >= 0) pairs.emplace_back(c.first, c.second);
  }
  SparseCholesky factor;
  factor.plan(std::vector<int>(static_cast<std::size_t>(wall.problem.block_count), 6), pairs);
  const Eigen::Matrix<double, 6, 6> coupling = Eigen::Matrix<double, 6, 6>::Constant(-0.01);
  const Eigen::Matrix<double, 6, 6> diagonal = 100 * Eigen::Matrix<double, 6, 6>::Identity();
  for (auto _ : state) {
    factor.set_zero();
    for (int i = 0; i < wall.problem.block_count; ++i) factor.add_diagonal(i, diagonal);
    for (std::size_t k = 0; k < pairs.size(); ++k) factor.add_pair(static_cast<int>(k), coupling);
    if (!factor.factor()) state.SkipWithError("a pivot is not positive");
  }
  state.counters["multiplications"] = factor.cost();
}
BENCHMARK(cholesky_of_a_wall)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace cairn

BENCHMARK_MAIN();
