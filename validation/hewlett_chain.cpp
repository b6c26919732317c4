// SPDX-License-Identifier: Apache-2.0
// H4: a chain of 18 bars with ten times a bar's mass at its end (Hewlett 2020, chapter 3): what geometric stiffness
// does for stiff chains at long steps, on hinges and in natural coordinates.
//
// The references are of an independent recomputation in natural coordinates (points shared by bars, lengths that
// yield), start above the horizontal, feedback of the total energy by tanh with E_max = E_s/10 and alpha_min = -c/h^2,
// which came nearest to the thesis' figures of 24 readings of what it leaves open.
#include "cases.h"
#include "hewlett_chains.h"
#include "measure.h"

#include <cmath>
#include <numbers>

namespace cairn::validation {
namespace {

constexpr double compliance = 1e-8;  // [m/N]

RodChain chain_of_bars(double rise) {
  return {.count = 18, .length = 0.1, .mass = 1, .inertia = 0.01 / 12, .end_mass = 10, .rise = rise};
}

ParameterValues share(const std::string& alpha) { return {{"compliance", "1e-8"}, {"alpha", alpha}}; }

ParameterValues adaptive(const RodChain& chain, double h, const std::string& energy = "total") {
  return {{"compliance", "1e-8"},
          {"stabilisation", "tanh"},
          {"energy", energy},
          {"energy_max", fmt::format("{}", 0.1 * chain_energy_scale(chain))},
          {"alpha_min", fmt::format("{}", -std::min(1.0, compliance / (h * h)))}};
}

/// Largest distance of two paths, point by point.
double apart(const Series& a, const Series& b) {
  double far = 0;
  for (std::size_t i = 0; i < std::min(a.x.size(), b.x.size()); ++i)
    far = std::max(far, std::hypot(a.x[i] - b.x[i], a.y[i] - b.y[i]));
  return far;
}

struct Trio {
  ChainRun plain, full, adapted;
};
Trio run_trio(const RodChain& chain, bool bars, double h, CaseResult& result) {
  const auto run = [&](const ParameterValues& parameters, const std::string& what) {
    const std::string label = fmt::format("{}, {}, h = {:g} ms", bars ? "bars" : "rods", what, 1e3 * h);
    return run_chain(bars ? make_bars(chain, parameters, h) : make_rods(chain, parameters, h), chain, 1.7, label,
                     result);
  };
  return {run(share("0"), "alpha = 0"), run(share("1"), "alpha = 1"), run(adaptive(chain, h), "adaptive")};
}

/// The sweep over 1 to 20 ms: how many of the steps diverged, and at how many the drift was below that of alpha = 1.
void sweep(const RodChain& chain, CaseResult& result) {
  int plain_diverged = 0, full_diverged = 0, diverged = 0, better_than_full = 0, better_than_plain = 0,
      net_diverged = 0;
  Series plain{.label = "alpha = 0", .markers = true}, full{.label = "alpha = 1", .markers = true};
  Series adapted{.label = "adaptive", .markers = true};
  for (int k = 1; k <= 20; ++k) {
    const double h = 1e-3 * k;
    const Trio rods = run_trio(chain, false, h, result);
    const ChainRun net = run_chain(make_rods(chain, adaptive(chain, h, "net"), h), chain, 1.7,
                                   fmt::format("rods, net energy, h = {} ms", k), result);
    plain_diverged += rods.plain.diverged ? 1 : 0;
    full_diverged += rods.full.diverged ? 1 : 0;
    diverged += rods.adapted.diverged ? 1 : 0;
    net_diverged += net.diverged ? 1 : 0;
    better_than_full += rods.full.diverged || rods.adapted.drift_max < rods.full.drift_max ? 1 : 0;
    better_than_plain += rods.plain.diverged || rods.adapted.drift_max < rods.plain.drift_max ? 1 : 0;
    plain.x.push_back(k), plain.y.push_back(rods.plain.drift_max);
    full.x.push_back(k), full.y.push_back(rods.full.drift_max);
    adapted.x.push_back(k), adapted.y.push_back(rods.adapted.drift_max);
  }
  result.quantities.push_back(check("rods, 1 to 20 ms: adaptive runs that diverge", diverged, {0, 0}));
  result.quantities.push_back(
      check("rods, 1 to 20 ms: steps at which adaptive drifts less than alpha 0", better_than_plain, {20, 0}));
  result.quantities.push_back(check_holds("rods, 1 to 20 ms: adaptive drifts less than alpha 1 at most of the steps",
                                          better_than_full > 10, fmt::format("at {} of 20", better_than_full)));
  result.quantities.push_back(check_holds("rods, 1 to 20 ms: alpha 0 diverges at more steps than alpha 1",
                                          plain_diverged > full_diverged,
                                          fmt::format("at {} and {} of 20", plain_diverged, full_diverged)));
  result.notes += fmt::format(
      "\n\nWith feedback of the net energy, as the thesis says, {} of the 20 runs on hinges diverge: the energy of "
      "yielding "
      "joints explodes while the net energy hardly moves. Cairn's default is the total energy.",
      net_diverged);
  result.plots.push_back({.title = "Largest drift of the total energy of the chain on hinges",
                          .x_label = "h [ms]",
                          .y_label = "drift [J]",
                          .log_y = true,
                          .series = {plain, full, adapted}});
}

}  // namespace

CaseResult run_stiff_chain(Effort effort) {
  CaseResult result;
  const RodChain above = chain_of_bars(std::numbers::pi / 4), below = chain_of_bars(-std::numbers::pi / 4);
  struct Reference {
    double h, plain, full, adapted;
  };
  std::vector<Reference> references{{5e-3, 2.5e6, 1.1e3, 1.3e3}, {1e-2, 2.4e7, 8.0e3, 6.7e3}};
  if (effort == Effort::Full) references.push_back({1e-3, 94, 157, 48});
  for (const Reference& r : references) {
    const Trio bars = run_trio(above, true, r.h, result);
    const std::string at = fmt::format(", h = {:g} ms", 1e3 * r.h);
    const auto compare = [&](const std::string& name, double got, double expected) {
      result.quantities.push_back(check("bars, largest drift, " + name + at, got, {expected, 0.05, true, {}, "J"}));
    };
    compare("alpha 0", bars.plain.drift_max, r.plain);
    compare("alpha 1", bars.full.drift_max, r.full);
    compare("adaptive", bars.adapted.drift_max, r.adapted);
    if (r.h != 1e-2) continue;
    // The length of the first swing, and the other model.
    result.quantities.push_back(
        check("bars, drift at the end, alpha 1" + at, bars.full.drift_end, {-309, 1, false, {}, "J"}));
    result.quantities.push_back(
        check("bars, drift at the end, adaptive" + at, bars.adapted.drift_end, {-239, 1, false, {}, "J"}));
    result.quantities.push_back(
        check("bars, height of the end, alpha 1" + at, bars.full.height, {-0.32, 0.005, false, {}, "m"}));
    result.quantities.push_back(
        check("bars, height of the end, adaptive" + at, bars.adapted.height, {-0.03, 0.005, false, {}, "m"}));
    const Trio rods = run_trio(above, false, r.h, result);
    result.quantities.push_back(check_holds("rods come apart with alpha 0" + at, rods.plain.violation > above.length,
                                            fmt::format("by up to {:.2g} m", rods.plain.violation)));
    result.quantities.push_back(
        check_holds("and hold with alpha 1 and adaptive",
                    std::max(rods.full.violation, rods.adapted.violation) < 0.2 * above.length,
                    fmt::format("to {:.2g} and {:.2g} m", rods.full.violation, rods.adapted.violation)));
    result.quantities.push_back(check_holds("the end rises higher with adaptive than with alpha 1",
                                            rods.adapted.height > rods.full.height,
                                            fmt::format("{:.3f} and {:.3f} m", rods.adapted.height, rods.full.height)));
    // Both models in the same place where there is geometric stiffness; the end travels 3 m.
    result.quantities.push_back(check("rods against bars, path of the end, alpha 1",
                                      apart(rods.full.path, bars.full.path), {0, 0.05, false, {}, "m"}));
    result.quantities.push_back(check("rods against bars, path of the end, adaptive",
                                      apart(rods.adapted.path, bars.adapted.path), {0, 0.1, false, {}, "m"}));
    result.plots.push_back({.title = "Path of the free end, h = 10 ms",
                            .x_label = "x [m]",
                            .y_label = "z [m]",
                            .series = {rods.full.path, rods.adapted.path, bars.full.path, bars.adapted.path}});
  }
  const ChainRun calm =
      run_chain(make_bars(below, share("0"), 0.011), below, 1.7, "bars, below, alpha = 0, h = 11 ms", result);
  result.quantities.push_back(check("bars let go below the horizontal, largest drift, alpha 0, h = 11 ms",
                                    calm.drift_max, {9.7e4, 0.05, true, {}, "J"}));
  result.notes =
      "Total drift counts the energy of yielding joints, c lambda^2/2, which the chain has for single steps when it is "
      "stretched. What the thesis says and is seen here: alpha = 0 comes apart at 10 ms; alpha = 1 holds and loses "
      "energy; "
      "adaptive holds, loses less and rises higher; models on hinges and in natural coordinates agree wherever there "
      "is "
      "geometric stiffness. What is not: that alpha = 0 at 1 ms is merely comparable to adaptive at 10 ms. Its drift "
      "of "
      "87 J on hinges is far below theirs of 7e3 J at 10 ms, because most of that is energy of stretched joints.";
  if (effort == Effort::Full) sweep(above, result);
  return result;
}

}  // namespace cairn::validation
