// SPDX-License-Identifier: Apache-2.0
// U13: without loads and drives, energy never rises: contacts and friction only take it.
#include "cases.h"
#include "measure.h"
#include "scenes.h"

namespace cairn::validation {
namespace {

void add_scene(const std::string& label, Model model, int steps, CaseResult& result, Plot& plot, std::int64_t& contacts) {
  Simulation simulation(std::move(model));
  Series energy{.label = label, .x = {}, .y = {}};
  const double start = simulation.energy().total();
  for (int i = 0; i < steps; ++i) {
    if (simulation.step().status != StepStatus::Done) break;
    contacts += simulation.certificate().contacts;
    energy.x.push_back(simulation.state().time());
    energy.y.push_back(simulation.energy().total() - start);
  }
  const RunSummary& s = simulation.summary();
  for (double& e : energy.y) e /= s.energy_scale;
  plot.series.push_back(energy);
  record(result, label, simulation);
  result.quantities.push_back(check("worst rise in a step over the energy scale, " + label,
                                    std::max(0.0, s.energy_rise) / s.energy_scale, {0, 1e-8}));
}

}  // namespace

CaseResult run_passive_energy(Effort effort) {
  CaseResult result;
  std::int64_t contacts = 0;
  Plot plot{.title = "Energy lost, over the largest kinetic energy", .x_label = "t [s]", .y_label = "", .series = {}};
  const bool full = effort == Effort::Full;
  add_scene("heap of spheres", make_heap(full ? 8 : 5, full ? 8 : 4), full ? 1500 : 100, result, plot, contacts);
  add_scene("thrown boxes and spheres", make_throw(), full ? 3000 : 500, result, plot, contacts);
  Model koziara = make_throw();
  koziara.run.stepper = {"koziara"};
  add_scene("thrown boxes and spheres, koziara", koziara, full ? 3000 : 500, result, plot, contacts);
  Model elastic = make_throw();
  elastic.set_contact({.friction = 0.4, .restitution = 0.7});
  add_scene("thrown boxes and spheres, e = 0.7", elastic, full ? 3000 : 500, result, plot, contacts);
  add_scene("affine blocks", make_soft_blocks(), full ? 3000 : 500, result, plot, contacts);
  result.plots = {plot};
  result.notes = fmt::format("{} contacts summed over all steps.", contacts);
  return result;
}

}  // namespace cairn::validation
