// SPDX-License-Identifier: Apache-2.0
// L10, L11: a semicircular arch of N equal voussoirs with straight edges stands above a least thickness t/R and falls
// below it (limit analysis by linear programming; Milankovitch 1907; Gilbert, Casapulla & Ahmed 2006 for friction).
// M7: the masonry arch of Koziara (2008, 13.4.7), whole blocks and blocks of six cells.
//
// Each value is bracketed: a little thicker it must stand, a little thinner it must fall.
#include "cases.h"
#include "measure.h"

#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/polyhedron.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double radius = 10, width = 5;

struct Outcome {
  double moved = 0;  ///< largest displacement of any voussoir [m]
  double speed = 0;  ///< largest at the end [m/s]
};

enum class Blocks { Whole, Cells };

/// The ray of joint `end`; the springings are exactly level.
Vec3 ray(int end, int count) {
  const double angle = EIGEN_PI * end / count;
  return {std::cos(angle), 0, end == 0 || end == count ? 0 : std::sin(angle)};
}

Shape make_voussoir(int k, int count, double thickness, const std::string& name) {
  std::vector<Vec3> corners;
  for (const int end : {k, k + 1})
    for (const double r : {radius * (1 - thickness / 2), radius * (1 + thickness / 2)})
      for (const double y : {-width / 2, width / 2}) corners.push_back(r * ray(end, count) + Vec3(0, y, 0));
  return ConvexPolyhedron{std::make_shared<Polyhedron>(make_hull(corners, name))};
}

/// Two hexahedra along the width, three along the thickness: thin ones at intrados and extrados.
Shape make_voussoir_of_cells(int k, int count, double thickness, const std::string& name) {
  VolumeMesh mesh;
  for (const double share : {-0.5, -0.45, 0.45, 0.5})
    for (const double y : {-width / 2, 0.0, width / 2})
      for (const int end : {k, k + 1})
        mesh.vertices.push_back(radius * (1 + share * thickness) * ray(end, count) + Vec3(0, y, 0));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) {
      const int n = 2 * (3 * i + j);  // next: 2 along the width, 6 along the thickness, 1 along the arch
      mesh.cells.push_back({n, n + 1, n + 3, n + 2, n + 6, n + 7, n + 9, n + 8});
    }
  }
  return CellMesh{std::make_shared<CellData>(make_cells(mesh, name))};
}

Outcome watch(int count, double thickness, double mu, double duration, const std::string& label, CaseResult& result,
              Blocks kind = Blocks::Whole) {
  Model model;
  model.run.step = 1.0 / 500;
  model.set_contact({.friction = mu, .restitution = 0});
  set_tolerance(model, 1e-8);
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  std::vector<BodyId> blocks;
  for (int k = 0; k < count; ++k) {
    const std::string name = fmt::format("voussoir {}", k + 1);
    const auto make = kind == Blocks::Whole ? make_voussoir : make_voussoir_of_cells;
    blocks.push_back(model.add_rigid({.name = name, .shape = make(k, count, thickness, name), .density = 1}));
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

/// Least t/R of an arch of 27 blocks between 0.985 and 1.015 of the target, by bisection.
double find_least(double target, double mu, double duration, CaseResult& result) {
  double low = 0.985, high = 1.015;
  while (high - low > 1e-3) {
    const double middle = 0.5 * (low + high);
    const std::string label = fmt::format("mu = {}, t/R = {:.6f}", mu, middle * target);
    (watch(27, middle * target, mu, duration, label, result).moved < 1e-6 ? high : low) = middle;
  }
  return 0.5 * (low + high) * target;
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

CaseResult run_masonry_arch(Effort effort) {
  struct Mode {
    double mu, target, solfec;
  };
  CaseResult result;
  for (const auto& [mu, target, solfec] : {Mode{0.4, 0.1070, 0.1082}, Mode{0.311, 0.1955, 0.1965}}) {
    if (effort == Effort::Full)
      result.quantities.push_back(check(fmt::format("least t/R, mu = {}", mu), find_least(target, mu, 8, result),
                                        {.expected = target, .tolerance = 0.01, .relative = true}));
    for (const Blocks kind : {Blocks::Whole, Blocks::Cells}) {
      if (kind == Blocks::Cells && effort == Effort::Short) continue;
      const std::string name = fmt::format("mu = {}, {}", mu, kind == Blocks::Whole ? "whole blocks" : "six cells");
      for (const double ratio : {solfec, 0.99 * target}) {
        const Outcome got = watch(27, ratio, mu, effort == Effort::Full ? 8 : 3,
                                  fmt::format("{}, t/R = {:.5f}", name, ratio), result, kind);
        const bool stands = got.moved < 1e-6 && got.speed < 1e-6, fell = got.moved >= 0.1;
        result.quantities.push_back(check_holds(
            fmt::format("{}: {} at t/R = {:.5f}", name, ratio > target ? "stands" : "falls", ratio),
            ratio > target ? stands : fell, fmt::format("moved {:.2e} m, speed {:.1e} m/s", got.moved, got.speed)));
      }
    }
  }
  result.notes =
      "Stands: no voussoir moves by 1e-6 m. Solfec's own values, 0.1082 and 0.1965, are 1.1 % and 0.5 % above those "
      "of limit analysis; they must stand, and 0.99 of limit analysis must fall.";
  return result;
}

}  // namespace cairn::validation
