// SPDX-License-Identifier: Apache-2.0
// Variational schemes and quasi-statics: sections K (Kaufman) and Q (Koziara) of the book.
#include "cases.h"

namespace cairn::validation {

std::vector<Case> variational_cases() {
  return {
      {"K1", "Bouncing particle", "Kaufman (2009), figure 4.1; A1 of its specification",
       "A particle of 1 kg falls from 1 m (and 1.001, 1.002 m) on a plane, e = 1, 10 s, by the half-step scheme at h = "
       "0.1, "
       "0.01 and 0.001 s, and by the implicit midpoint rule and Newmark's with gaps closed at the end of the step.",
       "Energy to rounding, 9, 11 and 11 bounces, deepest 0.226, 0.0379 and 0.0021 m; first restitutions of the others "
       "0.695, 0.649 and 0.604, by the formula |1 - 2 q/(h |v|)|.",
       run_kaufman_bounce},
      {"K2", "Particle in a double well, with contact and friction", "Kaufman (2009), figures 4.2, 4.3; A2",
       "A particle of 1 kg in V = s (s - 1)^2, s = |q|^2, from (4, 4) at rest or at 60 m/s, 10 s: free, on the plane "
       "q_2 = "
       "0 with e = 1, and with mu = 0.5 and 5; half-step scheme with Staggered Projections.",
       "Ranges of the energy and its value at 10 s by the prototype of the specification.", run_kaufman_wells},
      {"K3", "When Staggered Projections converge", "Kaufman (2009), section 6.6; A3",
       "One contact whose generalised normal and friction direction meet at 120, 36 and 20 degrees; 61 x 61 predicted "
       "momenta; the thesis' algorithm.",
       "Mean iterations where it sticks and where it slides; none converges beyond mu = 1/|cos theta|.",
       run_projection_maps},
      {"K4", "Painleve's rod", "Painleve (1895); Kaufman (2009), 2.2.4; A4",
       "A rod of 2 m and 1 kg slides with one end on the ground at 1 m/s; one step of two-step, h = 1 ms, at atan(1/2) "
       "with mu = 2 and 1.2, and a map over angles and mu = 0.05 to 3.",
       "Impulses in closed form: sliding, or sticking where sliding has no solution.", run_painleve},
      {"K5", "Two leaning cards", "Statics; Kaufman (2009), A5",
       "Two cards of 1 m and 1 kg lean on each other at 15, 25 and 35 degrees; one step from rest at mu = 0.8 and at "
       "0.9 "
       "of the critical friction.",
       "Weight m g on each foot, tan(phi)/2 of it at the apex; they stand iff mu >= tan(phi)/2.", run_leaning_cards},
      {"K6", "Two-step against the LCP of Stewart and Trinkle", "Kaufman (2009), 5.3; Stewart & Trinkle (1996)",
       "A brick tumbles on a plane beside a ball, mu = 0.6, e = 0.1: every step solved by Staggered Projections and by "
       "Lemke's pivoting with facets turned to the sliding directions.",
       "One velocity; the nonconvex objective (5.32) is zero.", run_two_step_lcp},
      {"Q1", "Cubes in quasi-static equilibrium", "Koziara (2008), 13.3",
       "3^3 (full: also 5^3, 7^3) pseudo-rigid cubes of 0.1 m, 15.5 GPa, under gravity (2, 2, -10), mu = 1/3, 2/3, 1; "
       "stepper quasi-static at h = 1 s, masses for ways of 1 mm, one contact per pair of faces, 100 increments, "
       "solvers HYB and FIX.",
       "27/63 (125/325, 343/931) bodies and contacts; condition of W 2e7 (5e7, 9e7); HYB below 5 iterations on average "
       "and never failing, FIX 25.",
       run_static_cubes},
      {"Q2", "Walls in quasi-static equilibrium", "Koziara (2008), 13.3; Lourenco's wall",
       "Walls in running bond of bricks 0.2 x 0.2 x 0.1 m with a bar on top that carries 30 kN; else as Q1.",
       "56/147 (162/451, 338/963) bodies and contacts; condition of W 3e6 (4e7, 2e8); iterations as Q1.",
       run_static_walls},
      {"Q3", "Domes in quasi-static equilibrium", "Koziara (2008), 13.3",
       "Domes of inner radius 10 m and thickness 0.6 m with an eye of 15 degrees; else as Q1.",
       "60/120 (220/440, 480/960) bodies and contacts; condition of W 7e5 (2e6, 8e6); iterations as Q1.",
       run_static_domes},
  };
}

}  // namespace cairn::validation
