// SPDX-License-Identifier: Apache-2.0
// I2: sphere against a plane at 45 degrees, Newton's restitution and Coulomb's friction in one impulse (Moreau's impact law).
//   slides through: v_t' = v_t - mu (1 + e) v_n, omega R = 5/2 mu (1 + e) v_n;  else it leaves rolling: v_t' = 5/7 v_t.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {

CaseResult run_oblique_impact(Effort) {
  constexpr double radius = 0.1, e = 0.5, h = 1e-3;
  const double critical = 1 / (3.5 * (1 + e));  // slides while |v_t| > 3.5 mu (1 + e) v_n
  CaseResult result;
  Plot map{.title = "After the impact", .x_label = "friction", .y_label = "tangential speed [m/s]",
           .series = {{.label = "Cairn", .markers = true, .line = false}, {.label = "closed form"}}};
  for (const std::string stepper : {"moreau", "koziara"}) {
    for (const double mu : {0.1, critical * (1 - 1e-6), 0.5}) {
      const bool slides = mu < critical;
      const double tangential = slides ? 1 - mu * (1 + e) : 5.0 / 7;
      const double spin = slides ? 2.5 * mu * (1 + e) / radius : 5.0 / 7 / radius;
      double v_t = tangential, v_n = 0.5, omega = spin, sideways = 0;
      for (const double azimuth : {0.0, 0.6, 2.2, 4.5}) {
        const Vec3 along(std::cos(azimuth), std::sin(azimuth), 0);
        Model model;
        model.set_gravity(Vec3::Zero());
        model.set_contact({.friction = mu, .restitution = e});
        model.run.step = h;
        model.run.stepper = {stepper};
        model.add_fixed({.name = "plane", .shape = HalfSpace{}});
        const BodyId ball = model.add_rigid(
            {.name = "ball", .shape = Sphere{radius}, .position = {0, 0, radius}, .velocity = along - Vec3::UnitZ()});
        Simulation simulation(model);
        simulation.step();
        const Vec3 v = simulation.velocity(ball), w = simulation.angular_velocity(ball);
        const Vec3 axis = Vec3::UnitZ().cross(along);
        const auto keep_worst = [](double& worst, double value, double expected) {
          if (std::abs(value - expected) > std::abs(worst - expected)) worst = value;
        };
        keep_worst(v_t, v.dot(along), tangential);
        keep_worst(v_n, v.z(), 0.5);
        keep_worst(omega, w.dot(axis), spin);
        sideways = std::max({sideways, std::abs(v.dot(axis)), radius * (w - w.dot(axis) * axis).norm()});
        record(result, fmt::format("mu = {:.7f}, azimuth {}", mu, azimuth), simulation);
      }
      const std::string label = fmt::format(", mu = {:.7g}, {}", mu, stepper);
      result.quantities.push_back(check("tangential speed" + label, v_t, {tangential, 1e-8, true, {}, "m/s"}));
      result.quantities.push_back(check("normal speed" + label, v_n, {0.5, 1e-8, true, {}, "m/s"}));
      result.quantities.push_back(check("spin" + label, omega, {spin, 1e-8, true, {}, "rad/s"}));
      result.quantities.push_back(check("speed out of the plane" + label, sideways, {0, 1e-8, false, {}, "m/s"}));
      map.series[0].x.push_back(mu);
      map.series[0].y.push_back(v_t);
    }
  }
  for (const double mu : {0.0, critical, 0.6}) {
    map.series[1].x.push_back(mu);
    map.series[1].y.push_back(mu < critical ? 1 - mu * (1 + e) : 5.0 / 7);
  }
  result.plots = {map};
  result.notes = "Each value is the worst of four directions of the impact.";
  return result;
}

}  // namespace cairn::validation
