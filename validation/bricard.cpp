// SPDX-License-Identifier: Apache-2.0
// J2: Bricard's mechanism (IFToMM benchmark library): five rods and six hinges with perpendicular axes along the edges
// of a cube, the sixth edge being the ground. It has one equation too many everywhere on its path and moves all the
// same, with one freedom.
//
// Reference: in the metric of the masses a mechanism of one freedom is a point of 1 kg on a curve, s'' = -dV/ds; the
// curve is the null direction of the loop's closure in the five hinge angles. Integrated by Runge-Kutta.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

Model make_bricard(double h) {
  Model model;
  model.set_gravity({0, -9.81, 0});
  model.run.step = h;
  set_tolerance(model, 1e-10);
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const std::vector<Vec3> axes{Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX(),
                               Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX()};
  constexpr double thick = 0.1, along = (thick * thick + thick * thick) / 12, across = (1 + thick * thick) / 12;
  for (std::size_t i = 0; i < 5; ++i) {
    const Vec3 way = points[i + 1] - points[i];
    const Vec3 inertia = Vec3::Constant(across) + (along - across) * way.cwiseAbs();  // rods lie along world axes
    model.add_rigid({.name = fmt::format("rod {}", i + 1),
                     .position = 0.5 * (points[i] + points[i + 1]),
                     .mass = 1.0,
                     .inertia = Mat3(inertia.asDiagonal())});
  }
  for (std::size_t i = 0; i < 6; ++i)
    model.add_joint({.kind = JointKind::Revolute,
                     .body_a = i < 5 ? fmt::format("rod {}", i + 1) : std::string(),
                     .body_b = i > 0 ? fmt::format("rod {}", i) : std::string(),
                     .position = points[i],
                     .axis = axes[i]});
  return model;
}

}  // namespace

CaseResult run_bricard(Effort effort) {
  CaseResult result;
  const double duration = effort == Effort::Full ? 10 : 5;
  struct Place {
    double t;
    Vec3 x;
  };
  std::vector<Place> places{{1, {0.5105014611874, -1.6491675993947, 0.1401231145533}},
                            {2, {-0.9693403447776, -1.2212468949565, 0.7542780107795}},
                            {5, {0.999999997738, -1.0000672576979, 0.9999327400403}}};
  if (effort == Effort::Full) places.push_back({10, {0.9999999638063, -1.0002690126961, 0.99973095112}});
  Study study(2e-3);
  Plot history{.title = "Point (1, -1, 1), finest step", .x_label = "t [s]", .y_label = "[m]", .series = {}};
  for (const double h : study.steps()) {
    Simulation simulation(make_bricard(h));
    const BodyId rod = simulation.model().body("rod 3");
    const double start = simulation.energy().total();
    Track track[3];
    double energy = 0, drift = 0;
    const auto sample = [&](const Simulation& s) {
      const Vec3 arm = s.orientation(rod) * Vec3(0, 0, 0.5);
      const Vec3 x = s.position(rod) + arm, v = s.velocity(rod) + s.angular_velocity(rod).cross(arm);
      for (int k = 0; k < 3; ++k) track[k].add(s.state().time(), x[k], v[k]);
      energy = std::max(energy, std::abs(s.energy().total() - start));
      drift = std::max(drift, s.certificate().joint_drift);
      return true;
    };
    sample(simulation);
    simulation.run(duration, sample);
    for (const Place& place : places)
      for (int k = 0; k < 3; ++k) study.add(fmt::format("{}({} s)", "xyz"[k], place.t), track[k].at(place.t));
    study.add("worst energy error", energy);
    study.add("worst drift", drift);
    record(result, "Bricard", simulation);
    if (h == study.steps().back())
      for (int k = 0; k < 3; ++k) history.series.push_back(track[k].series(std::string(1, "xyz"[k])));
  }
  for (const Place& place : places)
    for (int k = 0; k < 3; ++k) {
      // Where x stands still the error is of a higher order or of rounding.
      const bool still = place.t >= 5;
      result.quantities.push_back(
          study.check(fmt::format("{}({} s)", "xyz"[k], place.t),
                      {place.x[k], 1e-4, false, still ? std::optional<double>() : std::optional<double>(2), "m"}));
    }
  const std::vector<Quantity> shown(result.quantities.begin(), result.quantities.begin() + 6);
  result.quantities.push_back(study.check("worst energy error", {0, 1e-3, false, 2, "J"}));
  result.quantities.push_back(study.check("worst drift", {0, 1e-6, false, 2, "m"}));
  result.plots = {history, error_plot("Error against the step", shown, 2)};
  return result;
}

}  // namespace cairn::validation
