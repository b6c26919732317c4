// SPDX-License-Identifier: Apache-2.0
// F11: a square block pushed across a plane at 45 degrees to its sides, without turning moment, does not turn and goes
// straight: a = F/m - mu g. The order of the contact points may not show.
//
// The front and the rear corner carry the pitch of the push, the two others are equal by the balance about the line of
// motion: forces and motion are unique.
#include "cases.h"
#include "measure.h"

#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double g = 9.81, mu = 0.5, mass = 2, push = 14, duration = 0.5;
const Vec3 half(0.1, 0.1, 0.05);

struct Run {
  double yaw = 0, aside = 0, along = 0;
};

Run run_block(const Shape& block_shape, const Shape& floor, double heading, double h, const std::string& label,
              CaseResult& result) {
  const Vec3 way(std::cos(heading), std::sin(heading), 0), across(-way.y(), way.x(), 0);
  Model model;
  model.set_contact({.friction = mu, .restitution = 0});
  model.run.step = h;
  set_tolerance(model, 1e-10);
  model.add_fixed({.name = "floor", .shape = floor});
  const BodyId block =
      model.add_rigid({.name = "block", .shape = block_shape, .position = {0, 0, half.z()}, .mass = mass});
  model.add_load({.body = "block", .force = [&](double) -> Vec3 { return push * way; }});
  Simulation simulation(model);
  Run run;
  simulation.run(duration, [&](const Simulation& s) {
    const Vec3 x_axis = s.orientation(block) * Vec3::UnitX();
    run.yaw = std::max(run.yaw, std::abs(std::atan2(x_axis.y(), x_axis.x())));
    run.aside = std::max(run.aside, std::abs(across.dot(s.position(block))));
    return true;
  });
  run.along = way.dot(simulation.position(block));
  record(result, label, simulation);
  return run;
}

}  // namespace

CaseResult run_pushed_block(Effort effort) {
  const SurfaceMesh box = make_surface_mesh(Box{half}), slab = make_surface_mesh(Box{{2, 2, 0.5}});
  SurfaceMesh floor = slab;
  for (Vec3& x : floor.vertices) x.z() -= 0.5;
  const Shape mesh_floor = TriangleMesh{std::make_shared<MeshData>(make_mesh(floor, "floor"))};
  struct Kind {
    std::string name;
    Shape block, floor;
  };
  const std::vector<Kind> kinds{
      {"box on half-space", Box{half}, HalfSpace{}},
      {"polyhedron on half-space", ConvexPolyhedron{std::make_shared<Polyhedron>(make_hull(box.vertices, "block"))},
       HalfSpace{}},
      {"mesh on mesh", TriangleMesh{std::make_shared<MeshData>(make_mesh(box, "block"))}, mesh_floor},
      {"box on mesh", Box{half}, mesh_floor},
  };
  std::vector<double> headings{EIGEN_PI / 4, 3 * EIGEN_PI / 4};
  if (effort == Effort::Full) headings.insert(headings.end(), {-EIGEN_PI / 4, -3 * EIGEN_PI / 4});
  const double a = push / mass - mu * g, distance = 0.5 * a * duration * duration;
  CaseResult result;
  for (const Kind& kind : kinds) {
    Study study(0.005);
    for (const double h : study.steps()) {
      Run worst;
      worst.along = distance;
      for (const double heading : headings) {
        const Run run = run_block(kind.block, kind.floor, heading, h, kind.name, result);
        worst.yaw = std::max(worst.yaw, run.yaw);
        worst.aside = std::max(worst.aside, run.aside);
        if (std::abs(run.along - distance) >= std::abs(worst.along - distance)) worst.along = run.along;
      }
      study.add("largest yaw, " + kind.name, worst.yaw);
      study.add("largest way aside, " + kind.name, worst.aside);
      study.add("distance, " + kind.name, worst.along);
    }
    result.quantities.push_back(study.check("largest yaw, " + kind.name, {0, 1e-9, false, {}, "rad"}));
    result.quantities.push_back(study.check("largest way aside, " + kind.name, {0, 1e-9, false, {}, "m"}));
    result.quantities.push_back(study.check("distance, " + kind.name, {distance, 1e-8, true, {}, "m"}));
  }
  result.notes = fmt::format("The worst of {} headings along the diagonals.", headings.size());
  return result;
}

}  // namespace cairn::validation
