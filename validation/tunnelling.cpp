// SPDX-License-Identifier: Apache-2.0
// U8: a ball of 10 mm radius at 100 m/s against a plate of 1 mm, in steps of 1 ms: it covers ten radii in a step and is
// never through. It leaves with e times its speed, at the time and place of its arrival.
#include "cases.h"
#include "measure.h"
#include "meshes.h"

#include "cairn/geometry/mesh.h"

#include <algorithm>
#include <cmath>

namespace cairn::validation {
namespace {

constexpr double radius = 0.01, thick = 0.001, speed = 100, step = 1e-3, duration = 0.008;

struct Shot {
  double lowest = 1e300;  ///< height of the centre over the middle of the plate [m]
  double speed_error = 0, place_error = 0;
};

Shot shoot(const Shape& plate, double height, double restitution, const std::string& stepper, CaseResult& result,
           const std::string& label) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.set_contact({.friction = 0.3, .restitution = restitution});
  model.add_fixed({.name = "plate", .shape = plate});
  model.add_rigid({.name = "ball",
                   .shape = Sphere{radius},
                   .position = {0.0131, 0.0207, height},
                   .velocity = {0, 0, -speed},
                   .density = 7800});
  model.run.step = step;
  model.run.stepper.name = stepper;
  Simulation simulation(model);
  const BodyId ball = model.body("ball");
  Shot shot;
  simulation.run(duration, [&](const Simulation& s) {
    shot.lowest = std::min(shot.lowest, s.position(ball).z());
    return true;
  });
  const double contact = radius + thick / 2, arrival = (height - contact) / speed;
  shot.speed_error = std::abs(simulation.velocity(ball).z() - restitution * speed);
  shot.place_error = std::abs(simulation.position(ball).z() - contact - restitution * speed * (duration - arrival));
  if (!label.empty()) record(result, label, simulation);
  return shot;
}

}  // namespace

CaseResult run_tunnelling(Effort effort) {
  CaseResult result;
  const Box box{{0.5, 0.5, thick / 2}};
  const int starts = effort == Effort::Full ? 500 : 50;
  for (const auto& [name, shape] :
       std::vector<std::pair<std::string, Shape>>{{"box", box}, {"mesh", to_shape(make_surface_mesh(box), "plate")}}) {
    for (const std::string stepper : {"moreau", "koziara"}) {
      Shot worst;
      for (const double restitution : {0.0, 0.5, 1.0}) {
        for (int k = 0; k < starts; ++k) {
          const double height = 0.03 + 0.5 * k / starts;
          const std::string label = k == 0 && restitution == 0.5 ? name + ", " + stepper : "";
          const Shot shot = shoot(shape, height, restitution, stepper, result, label);
          worst.lowest = std::min(worst.lowest, shot.lowest);
          worst.speed_error = std::max(worst.speed_error, shot.speed_error);
          worst.place_error = std::max(worst.place_error, shot.place_error);
        }
      }
      const std::string where = ", " + name + ", " + stepper;
      result.quantities.push_back(check_holds("never through" + where, worst.lowest > 0));
      result.quantities.push_back(
          check("worst error of the speed after" + where, worst.speed_error, {0, 1e-8, false, {}, "m/s"}));
      result.quantities.push_back(
          check("worst error of the place at the end" + where, worst.place_error, {0, 1e-5, false, {}, "m"}));
    }
  }
  return result;
}

}  // namespace cairn::validation
