// SPDX-License-Identifier: Apache-2.0
// H1, H2, H3: the double pendulum of Hewlett's chapter 3 with compliant hinges: geometric stiffness with a fixed share,
// with one that follows the energy, and with dampers in the hinges.
//
// Two rods of half length 0.5 m, 1 kg and 1 kg m^2, let go level; c = 1e-5 m/N, h = 10 ms; energies are net (without
// that of yielding hinges) and zero at the start. E_s = 19.62 J.
#include "cases.h"
#include "hewlett_chains.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

const RodChain pendulum{.count = 2, .length = 1, .mass = 1, .inertia = 1};

ParameterValues fixed_share(const std::string& alpha, const std::string& bias = "implicit") {
  return {{"compliance", "1e-5"}, {"alpha", alpha}, {"bias", bias}};
}

ParameterValues adaptive(const std::string& law, double share_of_scale, const std::string& bias = "implicit") {
  return {{"compliance", "1e-5"}, {"stabilisation", law},
          {"alpha_min", "-1"},    {"energy", "net"},
          {"bias", bias},         {"energy_max", fmt::format("{}", share_of_scale * chain_energy_scale(pendulum))}};
}

ChainRun swing(const ParameterValues& parameters, double duration, const std::string& label, CaseResult& result) {
  return run_chain(make_rods(pendulum, parameters, 0.01), pendulum, duration, label, result);
}

double spread(const ChainRun& run) { return run.net_max - run.net_min; }

}  // namespace

CaseResult run_fixed_share(Effort) {
  CaseResult result;
  const ChainRun plain = swing(fixed_share("0"), 25, "alpha = 0", result);
  const ChainRun full = swing(fixed_share("1"), 30, "alpha = 1", result);
  double at_25 = 0;
  for (std::size_t i = 0; i < full.net.x.size(); ++i)
    if (full.net.x[i] < 25 + 1e-6) at_25 = full.net.y[i];
  result.quantities = {
      check("energy scale E_s", chain_energy_scale(pendulum), {19.62, 1e-9, false, {}, "J"}),
      check("alpha 0: least net energy in 25 s", plain.net_min, {-0.21, 0.005, false, {}, "J"}),
      check("alpha 0: largest net energy in 25 s", plain.net_max, {0.17, 0.005, false, {}, "J"}),
      check("alpha 0: largest error of a hinge", plain.violation, {1.0e-3, 0.05e-3, false, {}, "m"}),
      check("alpha 1: net energy after 25 s", at_25, {-15.02, 0.005, false, {}, "J"}),
      check("alpha 1: net energy after 30 s", full.net_end, {-16.09, 0.005, false, {}, "J"}),
      check_holds("alpha 1 loses at least 30 times what alpha 0 does", -full.net_end > 30 * spread(plain)),
  };
  result.plots.push_back({.title = "Net energy of the double pendulum",
                          .x_label = "t [s]",
                          .y_label = "E - E0 [J]",
                          .series = {plain.net, full.net}});
  result.notes =
      "The thesis shows curves: alpha = 0 keeps the energy fairly well, alpha = 1 brings the pendulum to rest in about "
      "30 s. The numbers are those of an independent recomputation of the same scheme (printed to two or three "
      "digits). "
      "With alpha = 1 a fifth of the energy is left after 30 s: the amplitude is small, not zero.";
  return result;
}

CaseResult run_energy_feedback(Effort effort) {
  CaseResult result;
  const double duration = effort == Effort::Full ? 250 : 25;
  Plot energy{.title = "Net energy with geometric stiffness that follows it",
              .x_label = "t [s]",
              .y_label = "E - E0 [J]",
              .series = {}};
  Plot shares{.title = "alpha over time", .x_label = "t [s]", .y_label = "alpha", .series = {}};
  const ChainRun plain = swing(fixed_share("0"), duration, "alpha = 0", result);
  const ChainRun full = swing(fixed_share("1"), 25, "alpha = 1", result);
  energy.series.push_back(plain.net);
  std::map<std::string, ChainRun> laws;
  for (const std::string law : {"linear", "tanh", "quartic"}) {
    laws[law] = swing(adaptive(law, 0.01), duration, law, result);
    energy.series.push_back(laws[law].net);
    shares.series.push_back(laws[law].alpha);
  }
  if (effort == Effort::Short) {
    result.quantities.push_back(
        check("linear: least net energy in 25 s", laws["linear"].net_min, {-0.34, 0.005, false, {}, "J"}));
    result.quantities.push_back(
        check("linear: largest net energy in 25 s", laws["linear"].net_max, {0.05, 0.005, false, {}, "J"}));
    result.quantities.push_back(
        check("linear: spread of the net energy", spread(laws["linear"]), {0.39, 0.006, false, {}, "J"}));
    result.quantities.push_back(
        check("tanh: spread of the net energy", spread(laws["tanh"]), {0.39, 0.006, false, {}, "J"}));
    result.quantities.push_back(
        check("quartic: spread of the net energy", spread(laws["quartic"]), {0.32, 0.006, false, {}, "J"}));
    result.quantities.push_back(
        check("alpha 0: spread of the net energy", spread(plain), {0.38, 0.006, false, {}, "J"}));
  } else {
    // 250 s are beyond the horizon of this chaotic motion: single digits are rounding's, the spread is a statistic.
    result.quantities.push_back(check("linear: spread over 250 s", spread(laws["linear"]), {0.39, 0.1, true, {}, "J"}));
    result.quantities.push_back(check("alpha 0: spread over 250 s", spread(plain), {0.59, 0.1, true, {}, "J"}));
    result.quantities.push_back(
        check_holds("linear keeps the energy better than alpha 0 over 250 s", spread(laws["linear"]) < spread(plain)));
  }
  for (const auto& [law, run] : laws)
    result.quantities.push_back(
        check_holds(law + " keeps the energy twenty times better than alpha 1", 20 * spread(run) < -full.net_end));

  // Implicit and explicit bias, and the size of E_max.
  const ChainRun as_explicit = swing(adaptive("linear", 0.01, "explicit"), 25, "linear, explicit", result);
  result.quantities.push_back(
      check("explicit bias: spread against implicit", spread(as_explicit) / spread(laws["linear"]), {1, 0.15}));
  struct Reference {
    double share, alpha, tolerance;
  };
  for (const Reference& r : {Reference{0.01, 1, 1e-9}, Reference{0.1, 0.104, 0.001}, Reference{1, 0.0099, 1e-4},
                             Reference{10, 0.0010, 1e-4}}) {
    const std::string label = fmt::format("E_max = {:g} E_s", r.share);
    const ChainRun run = swing(adaptive("linear", r.share), 25, label, result);
    result.quantities.push_back(check("largest |alpha|, " + label, run.alpha_max, {r.alpha, r.tolerance}));
  }
  result.plots = {energy, shares};
  result.notes =
      "The thesis claims for this run that all three laws keep the energy better than alpha = 0, and that |alpha| "
      "stays "
      "below 1 with E_max over four decades. Neither holds here, nor in the independent recomputation whose numbers "
      "are "
      "the references: over 25 s the spread is that of alpha = 0 (over 250 s, in the full form, it is less), and at "
      "E_max = 0.01 E_s alpha reaches its bound. What does hold: the three laws are alike, all are far better than "
      "alpha = 1, implicit and explicit bias agree, and E_max hardly matters.";
  return result;
}

CaseResult run_damped_pendulum(Effort) {
  CaseResult result;
  Plot energy{
      .title = "Net energy with dampers in the hinges", .x_label = "t [s]", .y_label = "E - E0 [J]", .series = {}};
  const auto with_dampers = [&](const ParameterValues& parameters, double damping, double h, const std::string& label) {
    Model model = make_rods(pendulum, parameters, h);
    for (const char* hinge : {"hinge 0", "hinge 1"})
      model.add_coordinate_force({.joint = hinge, .law = LinearSpring{.stiffness = 0, .damping = damping}});
    return run_chain(model, pendulum, 5, label, result);
  };
  for (const double damping : {0.01, 1.0}) {
    const std::string beta = fmt::format("beta = {:g}", damping);
    const ChainRun exact = with_dampers(fixed_share("0"), damping, 2e-3, beta + ", h = 2 ms");
    const ChainRun plain = with_dampers(fixed_share("0"), damping, 0.01, beta + ", alpha = 0");
    const ChainRun full = with_dampers(fixed_share("1"), damping, 0.01, beta + ", alpha = 1");
    energy.series.push_back(exact.net);
    energy.series.push_back(full.net);
    const double lost = std::abs(exact.net_end - full.net_end);
    for (const std::string law : {"linear", "tanh", "quartic"}) {
      const ChainRun run = with_dampers(adaptive(law, 0.01), damping, 0.01, beta + ", " + law);
      energy.series.push_back(run.net);
      // The controller holds the energy near its target: within a few E_max = 0.2 J.
      result.quantities.push_back(check(beta + ", " + law + ": net energy off its target at the end",
                                        run.net_end - run.target, {0, 0.4, false, {}, "J"}));
      result.quantities.push_back(check_holds(beta + ", " + law + ": nearer to a fine step than alpha 1, or as near",
                                              std::abs(run.net_end - exact.net_end) <= lost + 0.05));
    }
    result.quantities.push_back(check_holds(beta + ", alpha 0: nearer to a fine step than alpha 1, or as near",
                                            std::abs(plain.net_end - exact.net_end) <= lost + 0.05));
  }
  result.plots.push_back(energy);
  result.notes =
      "The thesis shows curves only: the target energy is tracked with all laws, alpha = 0 is comparable, alpha = 1 "
      "far "
      "off. With beta = 1 N m s the dampers stop the pendulum within the run, and all end at the same place.";
  return result;
}

}  // namespace cairn::validation
