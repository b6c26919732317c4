// SPDX-License-Identifier: Apache-2.0
// L8: card houses of three and four levels stand and do not creep; with too little friction they fall. Leaning cards
// couple friction and normal forces (Kaufman et al. 2008, who show a house of four levels).
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double length = 0.089, width = 0.058, thickness = 0.0003;  ///< of a card [m]
constexpr double lean = 25 * EIGEN_PI / 180;
constexpr double spacing = 0.08, overhang = 0.006, apart = 1e-4;  ///< of tents; of cards laid across; between those

/// Tents of two leaning cards, one tent fewer on each level, with cards laid across. Cards touch without overlap.
Model make_house(int levels, double friction) {
  Model model;
  model.set_contact({.friction = friction, .restitution = 0});
  model.add_fixed({.name = "ground", .shape = Box{{1, 1, 0.1}}, .position = {0, 0, -0.1}});
  const double reach = std::sin(lean) * length / 2 + std::cos(lean) * thickness / 2;
  const double rise = std::cos(lean) * length / 2 + std::sin(lean) * thickness / 2;
  double z = 0;
  for (int tents = levels; tents > 0; --tents) {
    const auto apex = [&](int i) { return spacing * (i - (tents - 1) / 2.0); };
    for (int i = 0; i < tents; ++i) {
      for (const double side : {-1.0, 1.0})
        model.add_rigid({.shape = Box{{thickness / 2, width / 2, length / 2}},
                         .position = {apex(i) + side * reach, 0, z + rise},
                         .orientation = Quat(Eigen::AngleAxisd(-side * lean, Vec3::UnitY())),
                         .density = 800});
    }
    z += 2 * rise;
    for (int i = 0; i + 1 < tents; ++i) {
      const double from = apex(i) + (i == 0 ? -overhang : apart);
      const double to = apex(i + 1) + (i == tents - 2 ? overhang : -apart);
      model.add_rigid({.shape = Box{{(to - from) / 2, width / 2, thickness / 2}},
                       .position = {(from + to) / 2, 0, z + thickness / 2},
                       .density = 800});
    }
    z += thickness;
  }
  return model;
}

struct Watch {
  double settled = 0;  ///< largest way of any card in the first half second [m]
  double creep = 0;    ///< and after it [m]
  double speed = 0;    ///< at the end [m/s]
};

Watch watch(int levels, double friction, double h, double duration, const std::string& label, CaseResult& result) {
  Model model = make_house(levels, friction);
  model.run.step = h;
  set_tolerance(model, 1e-8);
  Simulation simulation(model);
  const auto places = [&] {
    std::vector<Vec3> x;
    for (int i = 0; i < model.body_count(); ++i) x.push_back(simulation.position(BodyId{i}));
    return x;
  };
  const auto largest = [&](const std::vector<Vec3>& since) {
    double way = 0;
    for (int i = 0; i < model.body_count(); ++i)
      way = std::max(way, (simulation.position(BodyId{i}) - since[static_cast<std::size_t>(i)]).norm());
    return way;
  };
  Watch watch;
  const std::vector<Vec3> start = places();
  simulation.run(0.5);
  watch.settled = largest(start);
  const std::vector<Vec3> settled = places();
  simulation.run(duration - 0.5, [&](const Simulation&) {
    watch.creep = std::max(watch.creep, largest(settled));
    return watch.creep < 0.01;  // it falls
  });
  watch.speed = largest_speed(simulation, length / 2);
  record(result, label, simulation);
  return watch;
}

}  // namespace

CaseResult run_card_house(Effort effort) {
  const double duration = effort == Effort::Full ? 60 : 3;
  CaseResult result;
  for (const int levels : {3, 4}) {
    const std::string name = fmt::format("{} levels", levels);
    Study study(1.0 / 120);
    Watch last;
    for (const double h : study.steps()) {
      last = watch(levels, 0.6, h, duration, name, result);
      study.add(fmt::format("creep, {}", name), last.creep);
      study.add(fmt::format("largest speed at the end, {}", name), last.speed);
    }
    result.quantities.push_back(
        study.check(fmt::format("creep, {}", name),
                    {0, 1e-6, false, {}, "m", fmt::format("settled by {:.1e} m in the first 0.5 s", last.settled)}));
    result.quantities.push_back(
        study.check(fmt::format("largest speed at the end, {}", name), {0, 1e-6, false, {}, "m/s"}));
  }
  // A tent of two cards alone needs mu = tan(25 degrees)/2 = 0.233 below its feet.
  const Watch weak = watch(3, 0.2, 1.0 / 240, 0.75, "3 levels, mu = 0.2", result);
  result.quantities.push_back(check_holds("3 levels fall with mu = 0.2", weak.settled + weak.creep > 0.01,
                                          fmt::format("moved {:.3f} m", weak.settled + weak.creep)));
  result.notes = fmt::format("{} s. Creep is the largest way of any card after the first 0.5 s.", duration);
  return result;
}

}  // namespace cairn::validation
