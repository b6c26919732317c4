// SPDX-License-Identifier: Apache-2.0
// Building and watching chains.
#include "hewlett_chains.h"

#include "cairn/steppers/compliant.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

Vec3 direction(const RodChain& chain) { return {std::cos(chain.rise), 0, std::sin(chain.rise)}; }

Vec3 free_end(const Simulation& s, const RodChain& chain) {
  const Bodies& bodies = s.model().system().bodies;
  if (bodies.slot(0).rigid) {
    const int last = chain.count - 1;
    // The last rod's own centre may have been moved by the mass at its end.
    const double arm = chain.length / (2 * (1 + chain.end_mass / chain.mass));
    return s.position({last}) + s.orientation({last}) * Vec3(arm, 0, 0);
  }
  return s.state().motion.q.tail<3>();
}

/// Largest component of an error of a hinge's points, or of a bar's length.
double largest_error(const System& system, const Motion& motion) {
  double worst = 0;
  for (const Joint& joint : system.joints)
    worst = std::max(worst, place(joint, system.bodies, motion.q).gap().cwiseAbs().maxCoeff());
  for (const auto& joint : system.own_joints)
    worst = std::max(worst, std::abs(joint->error(system.bodies, motion.q, motion.time)[0]));
  return worst;
}

}  // namespace

Model make_rods(const RodChain& chain, const ParameterValues& parameters, double h, const std::string& stepper) {
  Model model;
  model.run.step = h;
  model.run.stepper = {stepper, parameters};
  const Vec3 d = direction(chain);
  const Quat turned(Eigen::AngleAxisd(-chain.rise, Vec3::UnitY()));
  for (int i = 0; i < chain.count; ++i) {
    const double extra = i == chain.count - 1 ? chain.end_mass : 0, mass = chain.mass + extra;
    const double shift = extra * 0.5 * chain.length / mass;  // of the centre towards the end
    const double inertia = chain.inertia + chain.mass * extra / mass * 0.25 * chain.length * chain.length;
    const std::string name = fmt::format("rod {}", i);
    model.add_rigid({.name = name,
                     .position = ((i + 0.5) * chain.length + shift) * d,
                     .orientation = turned,
                     .mass = mass,
                     .inertia = Mat3(Vec3(inertia, inertia, inertia).asDiagonal())});
    model.add_joint({.kind = JointKind::Revolute,
                     .name = fmt::format("hinge {}", i),
                     .body_a = name,
                     .body_b = i > 0 ? fmt::format("rod {}", i - 1) : "",
                     .position = i * chain.length * d,
                     .axis = Vec3::UnitY()});
  }
  return model;
}

Model make_bars(const RodChain& chain, const ParameterValues& parameters, double h) {
  Model model;
  model.run.step = h;
  model.run.stepper = {"compliant", parameters};
  BarChainSpec spec;
  for (int i = 0; i <= chain.count; ++i) {
    spec.points.push_back(i * chain.length * direction(chain));
    spec.held.push_back(i == 0);
    spec.point_mass.push_back(i == chain.count ? chain.end_mass : 0);
    if (i > 0) spec.bars.push_back({i - 1, i, chain.mass});
  }
  const auto bars = std::make_shared<BarChain>(spec);
  const BodyId body = model.add_body({.name = "chain", .body = bars});
  for (std::size_t i = 0; i < spec.bars.size(); ++i)
    model.add_own_joint(std::make_shared<BarLength>(body.value, bars, i));
  return model;
}

double chain_energy_scale(const RodChain& chain) {
  double sum = chain.end_mass * chain.count * chain.length;
  for (int i = 0; i < chain.count; ++i) sum += chain.mass * (i + 0.5) * chain.length;
  return 9.81 * sum;
}

ChainRun run_chain(const Model& model, const RodChain& chain, double duration, const std::string& label,
                   CaseResult& result) {
  Simulation simulation(model);
  const auto* scheme = dynamic_cast<const Compliant*>(&simulation.stepper());
  ChainRun run;
  for (Series* series : {&run.net, &run.alpha, &run.path}) series->label = label;
  const double begin = simulation.energy().total();
  simulation.run(duration, [&](const Simulation& s) {
    const Motion& motion = s.state().motion;
    const double net = s.energy().total() - begin;
    const double total = net + (scheme ? scheme->constraint_energy(s.model().system(), motion) : 0);
    const double alpha = motion.scheme.numbers.size() > 2 ? motion.scheme.numbers[2] : 0;
    const Vec3 end = free_end(s, chain);
    run.net_min = std::min(run.net_min, net);
    run.net_max = std::max(run.net_max, net);
    run.net_end = net;
    run.drift_max = std::max(run.drift_max, std::abs(total));
    run.drift_end = total;
    run.alpha_max = std::max(run.alpha_max, std::abs(alpha));
    run.violation = std::max(run.violation, largest_error(s.model().system(), motion));
    run.height = end.z();
    if (motion.scheme.numbers.size() > 0) run.target = motion.scheme.numbers[0];
    run.net.x.push_back(motion.time), run.net.y.push_back(net);
    run.alpha.x.push_back(motion.time), run.alpha.y.push_back(alpha);
    run.path.x.push_back(end.x()), run.path.y.push_back(end.z());
    run.diverged = !(run.drift_max <= 1e9);
    return !run.diverged;
  });
  run.diverged = run.diverged || simulation.summary().status != StepStatus::Done;
  run.not_converged = static_cast<int>(simulation.summary().not_converged);
  record(result, label, simulation);
  return run;
}

}  // namespace cairn::validation
