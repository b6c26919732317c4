// SPDX-License-Identifier: Apache-2.0
// L10, L11: a semicircular arch of N equal voussoirs with straight edges stands above a least thickness t/R and falls
// below it (limit analysis by linear programming; Milankovitch 1907; Gilbert, Casapulla & Ahmed 2006 for friction).
//
// Each value is bracketed: a little thicker it must stand, a little thinner it must fall.
#include "cases.h"
#include "measure.h"

#include "cairn/geometry/polyhedron.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double radius = 10, width = 5;

struct Outcome {
  double moved = 0;  ///< largest displacement of any voussoir [m]
  double speed = 0;  ///< largest at the end [m/s]
};

Outcome watch(int count, double thickness, double mu, double duration, const std::string& label, CaseResult& result) {
  Model model;
  model.run.step = 1.0 / 500;
  model.set_contact({.friction = mu, .restitution = 0});
  set_tolerance(model, 1e-8);
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  std::vector<BodyId> blocks;
  for (int k = 0; k < count; ++k) {
    std::vector<Vec3> corners;
    for (const int end : {k, k + 1}) {
      // The springings are exactly level.
      const double angle = EIGEN_PI * end / count;
      const Vec3 ray(std::cos(angle), 0, end == 0 || end == count ? 0 : std::sin(angle));
      for (const double r : {radius * (1 - thickness / 2), radius * (1 + thickness / 2)})
        for (const double y : {-width / 2, width / 2}) corners.push_back(r * ray + Vec3(0, y, 0));
    }
    const std::string name = fmt::format("voussoir {}", k + 1);
    blocks.push_back(model.add_rigid({.name = name,
                                      .shape = ConvexPolyhedron{std::make_shared<Polyhedron>(make_hull(corners, name))},
                                      .density = 1}));
  }
  Simulation simulation(model);
  std::vector<Vec3> start;
  for (const BodyId b : blocks) start.push_back(simulation.position(b));
  Outcome outcome;
  simulation.run(duration, [&](const Simulation& s) {
    outcome.speed = 0;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      outcome.moved = std::max(outcome.moved, (s.position(blocks[k]) - start[k]).norm());
      outcome.speed = std::max(outcome.speed, s.velocity(blocks[k]).norm());
    }
    return outcome.moved < 0.1;
  });
  record(result, label, simulation);
  return outcome;
}

struct Arch {
  int count;
  double mu, least;  ///< thickness over radius
};

CaseResult run_arches(const std::vector<Arch>& arches, double bracket, double duration) {
  CaseResult result;
  for (const Arch& arch : arches) {
    const std::string name =
        arch.mu < 1 ? fmt::format("N = {}, mu = {}", arch.count, arch.mu) : fmt::format("N = {}", arch.count);
    for (const double factor : {1 + bracket, 1 - bracket}) {
      const std::string label = fmt::format("{}, t/R = {:.7f}", name, factor * arch.least);
      const auto [moved, speed] = watch(arch.count, factor * arch.least, arch.mu, duration, label, result);
      const bool stands = moved < 1e-6 && speed < 1e-6, fell = moved >= 0.1;
      result.quantities.push_back(check_holds(
          fmt::format("{}: {} at {} t/R = {:.7f}", name, factor > 1 ? "stands" : "falls", factor, arch.least),
          factor > 1 ? stands : fell, fmt::format("moved {:.2e} m in {} s, speed {:.1e} m/s", moved, duration, speed)));
    }
  }
  return result;
}

}  // namespace

CaseResult run_arch_thickness(Effort effort) {
  std::vector<Arch> arches{{5, 2, 0.0949796}, {7, 2, 0.0957034}, {9, 2, 0.1015254}};
  if (effort == Effort::Full)
    arches.insert(arches.end(), {{11, 2, 0.1045892}, {15, 2, 0.1060680}, {27, 2, 0.1067209}, {51, 2, 0.1073568}});
  CaseResult result = run_arches(arches, 0.005, 4);
  result.notes = "Stands: no voussoir moves by 1e-6 m. Friction 2, so that nothing slides.";
  return result;
}

CaseResult run_arch_friction(Effort effort) {
  std::vector<Arch> arches{{27, 0.4, 0.1067209}, {27, 0.33, 0.17265}};
  if (effort == Effort::Full)
    arches.insert(arches.end(), {{27, 0.395, 0.10698}, {27, 0.35, 0.15118}, {27, 0.32, 0.18384}, {27, 0.31, 0.19599}});
  CaseResult result = run_arches(arches, 0.01, 4);
  result.notes = "Stands: no voussoir moves by 1e-6 m.";
  return result;
}

}  // namespace cairn::validation
