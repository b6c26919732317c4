// SPDX-License-Identifier: Apache-2.0
// Pendulums and chains of Hewlett's thesis (2020, chapters 3 and 4), in a plane, and what is watched in their runs.
#pragma once
#include "book.h"
#include "cairn/constraints/bar_length.h"
#include "cairn/sim/simulation.h"

namespace cairn::validation {

/// Rods of one length on hinges about y, one after the other from the origin, straight.
struct RodChain {
  int count = 2;
  double length = 1;             ///< of a rod [m]
  double mass = 1, inertia = 1;  ///< [kg], [kg m^2] about y
  double end_mass = 0;           ///< at the free end [kg]
  double rise = 0;               ///< angle of the chain above the horizontal [rad]
};
/// Rigid bodies with hinges "hinge 0", ...
Model make_rods(const RodChain& chain, const ParameterValues& parameters, double h,
                const std::string& stepper = "compliant");
/// The same as points and bars in natural coordinates: the inertia is that of a uniform bar.
Model make_bars(const RodChain& chain, const ParameterValues& parameters, double h);

/// Weight of all times its arm about the first hinge, hanging straight: the thesis' scale of energy [J].
double chain_energy_scale(const RodChain& chain);

struct ChainRun {
  double net_min = 0, net_max = 0, net_end = 0;  ///< kinetic and potential energy, zero at the start [J]
  double drift_max = 0, drift_end = 0;           ///< of the total energy, with that of yielding joints [J]
  double alpha_max = 0;                          ///< largest |alpha|
  double violation = 0;                          ///< largest component of an error of a hinge or bar [m]
  double height = 0;                             ///< of the free end at the end [m]
  double target = 0;                             ///< E_0 at the end [J]
  bool diverged = false;                         ///< drift beyond 1e9 J, or a step that failed
  int not_converged = 0;
  Series net, alpha, path;  ///< over time; path of the free end
};
/// Runs it, watching every step; stops where it diverges.
ChainRun run_chain(const Model& model, const RodChain& chain, double duration, const std::string& label,
                   CaseResult& result);

}  // namespace cairn::validation
