// SPDX-License-Identifier: Apache-2.0
// U14: how finely a face is split does not matter. A block whose faces are cut into 1, 4 and 64 squares of two
// triangles, on a slab that is cut as well, has the same resultant contact force and the same motion, at rest and
// pushed.
//
// The pushed block is pulled at its upper rim along its diagonal: normal forces move to the front, and the motion is
// unique (validation/pushed_block.cpp).
#include "cases.h"
#include "measure.h"
#include "meshes.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double g = 9.81, mu = 0.4, mass = 3, duration = 0.3;
const Vec3 half(0.1, 0.1, 0.05);

struct Run {
  std::vector<Vec3> x;              ///< places after each step
  std::vector<Vec3> force, moment;  ///< of all contacts on the block, about its centre
};

Run run_split(int block_parts, int floor_parts, double pull, double h, CaseResult& result) {
  const Vec3 way = Vec3(1, 1, 0).normalized();
  Model model;
  model.set_contact({.friction = mu, .restitution = 0});
  model.run.step = h;
  set_tolerance(model, 1e-10);
  model.add_fixed({.name = "floor", .shape = to_shape(make_slab(1, 0.2, floor_parts, 0.3), "floor")});
  const BodyId block = model.add_rigid({.name = "block",
                                        .shape = to_shape(make_split_box(half, block_parts), "block"),
                                        .position = {0.013, 0.007, half.z()},
                                        .mass = mass});
  if (pull > 0)
    model.add_load({.body = "block", .anchor = {0, 0, half.z()}, .force = [&](double) -> Vec3 { return pull * way; }});
  Simulation simulation(model);
  Run run;
  simulation.run(duration, [&](const Simulation& s) {
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (const ContactResult& c : s.contacts()) {
      const Vec3 f = (c.body_a == block.value ? 1 : -1) / h * c.impulse;
      force += f;
      moment += (c.point - s.position(block)).cross(f);
    }
    run.x.push_back(s.position(block));
    run.force.push_back(force);
    run.moment.push_back(moment);
    return true;
  });
  record(result, fmt::format("block {0}x{0}, slab {1}x{1}", block_parts, floor_parts), simulation);
  return run;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double worst = a.size() == b.size() ? 0 : NAN;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
  return worst;
}

}  // namespace

CaseResult run_split_faces(Effort effort) {
  CaseResult result;
  const double weight = mass * g;
  const std::vector<std::array<int, 2>> cuts{{2, 1}, {8, 1}, {1, 8}, {8, 9}, {2, 31}};
  for (const auto& [name, pull] : {std::pair("at rest", 0.0), std::pair("pulled", 0.6 * weight)}) {
    Study study(effort == Effort::Full ? 0.002 : 0.005);
    const double a = pull > 0 ? pull / mass - mu * g : 0;
    for (const double h : study.steps()) {
      const Run whole = run_split(1, 1, pull, h, result);
      double force = 0, moment = 0, motion = 0, load = weight;
      for (const auto& [block_parts, floor_parts] : cuts) {
        const Run split = run_split(block_parts, floor_parts, pull, h, result);
        force = std::max(force, largest_difference(split.force, whole.force) / weight);
        moment = std::max(moment, largest_difference(split.moment, whole.moment) / (weight * half.x()));
        motion = std::max(motion, largest_difference(split.x, whole.x));
        if (std::abs(split.force.back().z() - weight) >= std::abs(load - weight)) load = split.force.back().z();
      }
      study.add(fmt::format("difference of forces over the weight, {}", name), force);
      study.add(fmt::format("difference of moments over weight and half width, {}", name), moment);
      study.add(fmt::format("difference of places, {}", name), motion);
      study.add(fmt::format("load on the floor, {}", name), load);
      study.add(fmt::format("way, {}", name), (whole.x.back() - Vec3(0.013, 0.007, half.z())).norm());
    }
    result.quantities.push_back(study.check(fmt::format("difference of forces over the weight, {}", name), {0, 1e-7}));
    result.quantities.push_back(
        study.check(fmt::format("difference of moments over weight and half width, {}", name), {0, 1e-7}));
    result.quantities.push_back(study.check(fmt::format("difference of places, {}", name), {0, 1e-9, false, {}, "m"}));
    result.quantities.push_back(study.check(fmt::format("load on the floor, {}", name), {weight, 1e-7, true, {}, "N"}));
    result.quantities.push_back(
        study.check(fmt::format("way, {}", name), {0.5 * a * duration * duration, 1e-9, false, {}, "m"}));
  }
  result.notes =
      "Differences are the largest over all steps and over blocks of 4 and 64 squares a face on slabs of 1, 64, 81 and "
      "961 cells, against whole faces. A block that slides and turns at once is left out: there rigid Coulomb contact "
      "has "
      "more than one answer, and the points decide which.";
  return result;
}

}  // namespace cairn::validation
