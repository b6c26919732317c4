// SPDX-License-Identifier: Apache-2.0
// U9: bodies that roll and slide over a plane of ten thousand triangles feel a plane: no edge inside it may lift, brake
// or turn them. A sphere rolls on at its speed; what slides is braked by mu g.
#include "cases.h"
#include "measure.h"
#include "meshes.h"

#include "cairn/geometry/height_field.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double g = 9.81, mu = 0.2, speed = 1.5, half = 0.5, duration = 0.5;
constexpr int parts = 71;                            // 2 x 71 x 71 triangles
const Vec3 heading = Vec3(1, 0.37, 0).normalized();  // askew to the rows of triangles

struct Kind {
  std::string name;
  Shape shape;
  double height;  ///< of the centre
  Quat turn;
  bool rolls;
};

struct Run {
  double lift = 0;   ///< largest vertical speed [m/s]
  double aside = 0;  ///< largest speed across the way [m/s]
  double way = 0;    ///< [m]
};

Run travel(const Kind& kind, const Shape& plane, double h, const std::string& label, CaseResult& result) {
  const Vec3 across(-heading.y(), heading.x(), 0);
  Model model;
  model.set_contact({.friction = mu, .restitution = 0});
  model.run.step = h;
  set_tolerance(model, 1e-10);
  model.add_fixed({.name = "plane", .shape = plane});
  RigidBody body{.name = "body",
                 .shape = kind.shape,
                 .position = Vec3(0, 0, kind.height) - 0.4 * heading,
                 .orientation = kind.turn,
                 .velocity = speed * heading,
                 .mass = 1.0};
  if (kind.rolls) body.angular_velocity = speed / kind.height * across;
  const BodyId id = model.add_rigid(body);
  Simulation simulation(model);
  const Vec3 start = simulation.position(id);
  Run run;
  simulation.run(duration, [&](const Simulation& s) {
    const Vec3 v = s.velocity(id);
    run.lift = std::max(run.lift, std::abs(v.z()));
    run.aside = std::max(run.aside, std::abs(across.dot(v)));
    return true;
  });
  run.way = heading.dot(simulation.position(id) - start);
  record(result, label, simulation);
  return run;
}

}  // namespace

CaseResult run_internal_edges(Effort effort) {
  const double cell = 2 * half / parts;
  const Shape mesh = to_shape(make_slab(half, 0.1, parts, 0.3), "plane");
  const Shape field = HeightField{std::make_shared<HeightGrid>(
      make_height_grid(parts + 1, parts + 1, -half, -half, cell, cell,
                       std::vector<double>(static_cast<std::size_t>((parts + 1) * (parts + 1)), 0.0), "plane"))};
  const Quat lying = Quat::FromTwoVectors(Vec3::UnitZ(), heading);  // along the way: it must not roll
  const std::vector<Kind> kinds{
      {"sphere that rolls", Sphere{0.05}, 0.05, Quat::Identity(), true},
      {"capsule that slides", Capsule{0.03, 0.05}, 0.03, lying, false},
      {"box that slides", Box{{0.06, 0.04, 0.03}}, 0.03, Quat::Identity(), false},
      {"cylinder that slides", Cylinder{0.05, 0.03}, 0.03, Quat::Identity(), false},
  };
  CaseResult result;
  for (const auto& [plane_name, plane] : {std::pair<std::string, Shape>("mesh", mesh), {"height field", field}}) {
    for (const Kind& kind : kinds) {
      const std::string name = fmt::format("{} over a {}", kind.name, plane_name);
      Study study(effort == Effort::Full ? 0.001 : 0.004);
      const double a = kind.rolls ? 0 : mu * g, way = speed * duration - 0.5 * a * duration * duration;
      for (const double h : study.steps()) {
        const Run run = travel(kind, plane, h, name, result);
        study.add("largest vertical speed, " + name, run.lift);
        study.add("way, " + name, run.way);
      }
      result.quantities.push_back(study.check("largest vertical speed, " + name, {0, 1e-6, false, {}, "m/s"}));
      result.quantities.push_back(study.check("way, " + name, {way, 1e-6, true, {}, "m"}));
    }
  }
  return result;
}

}  // namespace cairn::validation
