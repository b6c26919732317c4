// SPDX-License-Identifier: Apache-2.0
// U2: no hidden margin. A bar of 40.000 mm falls freely through a slot of 40.001 mm and rests on its ground at the true
// height, to a nanometre.
#include "cases.h"
#include "measure.h"
#include "meshes.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double g = 9.81, bar = 0.040, slot = 0.040001, deep = 0.03, drop = 0.035;
const Vec3 half(bar / 2, 0.05, bar / 2);

/// The slot as one mesh: a block with a groove along y, its ground at z = 0.
SurfaceMesh make_groove() {
  const double a = slot / 2, b = 0.06;
  return make_prism({{-b, -b}, {b, -b}, {b, deep}, {a, deep}, {a, 0}, {-a, 0}, {-a, deep}, {-b, deep}},
                    {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}, {0, 5, 6}, {0, 6, 7}}, 0.08);
}

struct Run {
  double fall = 0;    ///< worst difference from free fall before the ground [m]
  double height = 0;  ///< of the lower side above the ground at the end [m]
  double aside = 0;   ///< largest way across the slot [m]
};

Run fall_in(bool mesh_slot, const Shape& shape, double h, const std::string& label, CaseResult& result) {
  Model model;
  model.set_contact({.friction = 0.3, .restitution = 0});
  model.run.step = h;
  set_tolerance(model, 1e-10);
  if (mesh_slot) {
    model.add_fixed({.name = "block", .shape = to_shape(make_groove(), "block")});
  } else {
    model.add_fixed({.name = "ground", .shape = Box{{0.06, 0.08, 0.03}}, .position = {0, 0, -0.03}});
    for (const double side : {-1.0, 1.0})
      model.add_fixed({.name = side < 0 ? "left" : "right",
                       .shape = Box{{0.02, 0.08, deep / 2}},
                       .position = {side * (slot / 2 + 0.02), 0, deep / 2}});
  }
  const BodyId body =
      model.add_rigid({.name = "bar", .shape = shape, .position = {0, 0, drop + half.z()}, .density = 7800});
  Simulation simulation(model);
  Run run;
  simulation.run(0.3, [&](const Simulation& s) {
    const Vec3 x = s.position(body);
    const double t = s.state().time(), free = drop - 0.5 * g * t * t;
    // Until the step in which it meets the ground.
    if (free > 2 * h * g * t) run.fall = std::max(run.fall, std::abs(x.z() - half.z() - free));
    run.aside = std::max(run.aside, std::abs(x.x()));
    return true;
  });
  run.height = simulation.position(body).z() - half.z();
  record(result, label, simulation);
  return run;
}

}  // namespace

CaseResult run_slot(Effort) {
  CaseResult result;
  const Shape box = Box{half}, mesh = to_shape(make_surface_mesh(box), "bar");
  struct Kind {
    std::string name;
    bool mesh_slot;
    Shape bar;
  };
  for (const auto& [name, mesh_slot, shape] : std::vector<Kind>{{"boxes", false, box},
                                                                {"box in a mesh", true, box},
                                                                {"mesh in a mesh", true, mesh},
                                                                {"mesh between boxes", false, mesh}}) {
    Study study(0.002);
    for (const double h : study.steps()) {
      const Run run = fall_in(mesh_slot, shape, h, name, result);
      study.add("height at rest, " + name, run.height);
      study.add("way off free fall, " + name, run.fall);
      study.add("way aside, " + name, run.aside);
    }
    result.quantities.push_back(study.check("height at rest, " + name, {0, 1e-9, false, {}, "m"}));
    result.quantities.push_back(study.check("way off free fall, " + name, {0, 1e-9, false, {}, "m"}));
    result.quantities.push_back(study.check("way aside, " + name, {0, 0.5e-6, false, {}, "m"}));
  }
  return result;
}

}  // namespace cairn::validation
