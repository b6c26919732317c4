// SPDX-License-Identifier: Apache-2.0
// F12: a block slides down a wedge that is itself free to slide, without friction: the wedge accelerates at
// m g sin(a) cos(a)/(M + m sin(a)^2).
//
// The wedge is a tilted box on a horizontal guide, the block lies on it by contact, or is held on it by a planar joint.
#include "cases.h"
#include "measure.h"

#include <cmath>
#include <numbers>

namespace cairn::validation {
namespace {

struct Slid {
  double wedge = 0, block = 0;  ///< accelerations along x [m/s^2]
};

Slid slide(const std::string& stepper, bool by_contact, double h, CaseResult& result) {
  constexpr double angle = std::numbers::pi / 6;
  Model model;
  model.run.step = h;
  model.run.stepper = {stepper};
  set_tolerance(model, 1e-12);
  model.set_contact({.friction = 0, .restitution = 0});
  const Quat tilt(Eigen::AngleAxisd(angle, Vec3::UnitY()));  // its upper face falls along +x
  const Vec3 normal = tilt * Vec3::UnitZ();
  const BodyId wedge =
      model.add_rigid({.name = "wedge", .shape = Box{Vec3(0.5, 0.2, 0.05)}, .orientation = tilt, .mass = 2.0});
  const BodyId block = model.add_rigid({.name = "block",
                                        .shape = Box{Vec3(0.05, 0.05, 0.05)},
                                        .position = 0.1 * normal,
                                        .orientation = tilt,
                                        .mass = 1.0});
  model.add_joint({.kind = JointKind::Prismatic, .body_a = "wedge", .axis = Vec3::UnitX()});
  if (!by_contact)
    model.add_joint(
        {.kind = JointKind::Planar, .body_a = "block", .body_b = "wedge", .position = 0.05 * normal, .axis = normal});
  Simulation simulation(model);
  simulation.run(0.25);
  record(result, by_contact ? "contact" : "planar joint", simulation);
  return {simulation.velocity(wedge).x() / 0.25, simulation.velocity(block).x() / 0.25};
}

}  // namespace

CaseResult run_wedge(Effort) {
  CaseResult result;
  // Along x nothing acts on both together: M a + m b = 0.
  const double wedge = -9.81 * std::sqrt(3.0) / 4 / (2 + 0.25), block = -2 * wedge;
  for (const std::string stepper : {"moreau", "koziara"}) {
    for (const bool by_contact : {true, false}) {
      Study study(1e-3);
      const std::string how = fmt::format("{}, {}", by_contact ? "contact" : "planar joint", stepper);
      for (const double h : study.steps()) {
        const Slid run = slide(stepper, by_contact, h, result);
        study.add("wedge, " + how, run.wedge);
        study.add("block, " + how, run.block);
      }
      result.quantities.push_back(study.check("wedge, " + how, {wedge, 1e-6, true, {}, "m/s^2"}));
      result.quantities.push_back(study.check("block, " + how, {block, 1e-6, true, {}, "m/s^2"}));
    }
  }
  return result;
}

}  // namespace cairn::validation
