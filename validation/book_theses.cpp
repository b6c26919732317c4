// SPDX-License-Identifier: Apache-2.0
// Examples of the theses that Cairn builds on: sections M (Koziara) and V (Vilela).
#include "cases.h"

namespace cairn::validation {

std::vector<Case> thesis_cases() {
  return {
      {"M1", "Pendulum of a thousand swings", "Koziara (2008), 13.4.1",
       "A point of 1 kg on a rod of 1 m (a distance joint) is let go from horizontal under g = pi^2 m/s^2 and swings "
       "1000 times (short form: 10).",
       "Period 2.36068119803 s by the complete elliptic integral (Solfec: 2.360), length 1 m and energy pi^2 J after "
       "all swings. Tolerance 1e-5. Energy 9.86960 J as printed with koziara at 1 ms; that of moreau grows, with order "
       "3.",
       run_rod_pendulum},
      {"R4", "Plate that spins on a rod", "Koziara (2008), 13.1.3",
       "A plate of 0.2 x 0.2 x 0.01 m and 0.4 g at 50 rad/s about its normal, tied by a rod of sqrt(0.1) m from the "
       "middle of a side to a point 0.3 m above its centre; stepper koziara with NEW1, NEW2 and NEW3, h = 1/256 to "
       "1/2048 s over 1 s, and 10 s (full form: 100 s) at 1/1024 s.",
       "NEW1 of order 1, the others 2; errors, energies and stretch as recomputed in the specification. Reference: "
       "event-driven.",
       run_rotating_plate},
      {"M2", "Sphere on a plate", "Koziara (2008), 13.4.2",
       "A sphere of 0.1 m and 1 kg meets a plate at 4 m/s under g = 10 m/s^2, without friction, eta = 0, 1/4, 1/2, "
       "3/4, "
       "1; 2.39 s at steps of 2, 1 and 0.5 ms.",
       "Speeds 0, 1, 2, 3, 4 m/s after the blow, as published; with eta = 1 no loss over three blows.",
       run_sphere_on_plate},
      {"M3", "Cube on a plate", "Koziara (2008), 13.4.3",
       "As M2 with a cube of 0.2 m that falls flat, on four points. (The thesis prints 0.1 m and 125 kg/m^3, which is "
       "not "
       "1 kg.)",
       "The numbers of M2; the cube does not turn.", run_cube_on_plate},
      {"M4", "Double pendulum against a wall", "Koziara (2008), 13.4.4; Potra et al. (2006)",
       "I8 for 2.5 s with stepper koziara at steps of 4, 2 and 1 ms, the last being that of the thesis.",
       "Times and energies of I8; the thesis shows curves that lie on each other, so within a hundredth of their axes.",
       run_thesis_pendulum},
      {"M5", "Block driven by 8 cos t", "Koziara (2008), 13.4.5; Potra et al. (2006)",
       "F3 with stepper koziara at steps of 4, 2 and 1 ms, the last being that of the thesis.",
       "The closed form of F3. Tolerance 2e-3.", run_thesis_block},
      {"M6", "Newton's cradle of five balls", "Koziara (2008), 13.4.6",
       "Five balls of 50 mm radius and 1000 kg/m^3 on rods of 0.5 m, 1e-10 m apart, the first let go at 22.5 degrees; "
       "e = 1, steps of 0.01, 0.001 and 0.0001 s, stepper koziara.",
       "Period of one pendulum 1.432297 s; Solfec: 1.500, 1.438, 1.433 s. Energy 0.195497 J at every step.",
       run_cradle},
      {"M7", "Masonry arch of 27 blocks", "Koziara (2008), 13.4.7; Gilbert, Casapulla & Ahmed (2006)",
       "The arch of L11 with density 1 kg/m^3, mu = 0.4 (hinges) and mu = 0.311 (hinges and sliding): each block one "
       "polyhedron, and in the full form also six cells, two along the width and three along the thickness.",
       "Limit analysis: 0.1070 and 0.1955; Solfec: 0.1082 and 0.1965. Within 1 % of limit analysis.", run_masonry_arch},
      {"V1", "Mechanisms in natural coordinates", "Vilela (2018), chapter 2; he prints no numbers for mechanisms",
       "A rigid pendulum (reduced length 1 m, from level, 1 s), a four-bar of three rods of 1 m and 1 kg (J1 with one "
       "window, 10 s) and a slider-crank (crank 1 m, 1 kg; rod 2 m, 2 kg; block 0.5 kg; from 45 degrees, 2 s, in the "
       "full form 10 s), each body in 12 natural coordinates, stepper ali3 with the trapezoidal rule.",
       "Positions by elliptic functions, by the reduced equation of J1, and by the equation of the crank's angle, "
       "integrated independently; energy constant; equations of joints and of rigid bodies, their rates and their "
       "accelerations zero after the projections, to 1e-10.",
       run_natural},
  };
}

}  // namespace cairn::validation
