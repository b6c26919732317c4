// SPDX-License-Identifier: Apache-2.0
// Section H: Hewlett's real-time constraints (McGill 2020, chapters 3 and 4).
#include "cases.h"

namespace cairn::validation {

std::vector<Case> hewlett_cases() {
  const std::string recomputed = "an independent recomputation of the same scheme; the thesis shows curves only";
  return {
      {"H1", "Double pendulum with compliant hinges", "Hewlett (2020), chapter 3, figure 3.3",
       "Two rods of 1 m, 1 kg and 1 kg m^2 on hinges of compliance 1e-5 m/N, let go level, h = 10 ms, 30 s, with no "
       "geometric stiffness (alpha = 0) and with all of it (alpha = 1); stepper compliant.",
       "Net energy and hinge error: " + recomputed + ".", run_fixed_share},
      {"H2", "Geometric stiffness that follows the energy", "Hewlett (2020), chapter 3, figures 3.6 to 3.8 and 3.10",
       "H1 with alpha by the linear, tanh and quartic law of the net energy, E_max = 0.01 E_s; with explicit bias; "
       "with "
       "E_max from 0.01 to 10 E_s. 25 s (full form: 250 s).",
       "Spread of the energy and largest alpha: " + recomputed + ".", run_energy_feedback},
      {"H3", "The same with dampers in the hinges", "Hewlett (2020), chapter 3, figure 3.9",
       "H2 with torques -beta d(angle)/dt in both hinges, beta = 0.01 and 1 N m s; the target energy takes in their "
       "work.",
       "The net energy stays at its target; alpha = 1 is off a run at h = 2 ms by more than the others.",
       run_damped_pendulum},
      {"H4", "Chain of 18 bars with ten times the mass at its end", "Hewlett (2020), chapter 3, figures 3.11 to 3.15",
       "Bars of 0.1 m and 1 kg, 10 kg at the free end, c = 1e-8 m/N, let go straight at 45 degrees above the "
       "horizontal, "
       "1.7 s; as rigid rods on hinges and as points and bars in natural coordinates; h = 5 and 10 ms (full form: 1 to "
       "20 ms).",
       "Drift of the total energy: " + recomputed +
           ", in natural coordinates. The thesis leaves the mass of a bar, the "
           "side of the 45 degrees, E_max and alpha_min open.",
       run_stiff_chain},
      {"H5", "What rescaling makes of a stiffness", "Hewlett (2020), chapter 4, figure 4.2",
       "An oscillator of 1 kg and k from 100 to 1e6 N/m in 2^N steps per step of 10 ms: stiffness b and factor Delta "
       "that "
       "the long step sees.",
       "Closed form 2 m/h^2 (1 - cos(P)), sin(P)/(2^N sin(P/2^N)), and its limit P = omega h.", run_penalty_maps},
      {"H6", "Tightness of joints against stiffness", "Hewlett (2020), chapter 4, figure 4.4",
       "Two links of 1 m, 1 kg and 0.1 kg m^2 let go straight at 60 degrees from the vertical, h = 10 ms, 15 s; "
       "stepper "
       "variational-penalty with 0.01 kg per equation and 23 halvings, and compliant with c = 1/k.",
       "Largest deviation of a hinge: " + recomputed + ".", run_penalty_stiffness},
      {"H7", "Ten links on variational penalties", "Hewlett (2020), chapter 4, figure 4.3",
       "Links of H6 let go straight at 60 degrees from the vertical (nice, 15 s, k = 3.95e13 N/m) and 45 degrees above "
       "the "
       "horizontal (challenging, 1000 turns per step, 5 s; full form: 15 s, and with 1e4 turns and damping), h = 10 "
       "ms.",
       "Largest deviation of a hinge: " + recomputed +
           ". Every step converges; the published k = 1e10 N/m has Delta < 0.",
       run_penalty_chains},
  };
}

}  // namespace cairn::validation
