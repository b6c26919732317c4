// SPDX-License-Identifier: Apache-2.0
// Blocks, arches, chains and heaps: sections L, C and G of the book.
#include "cases.h"

namespace cairn::validation {

std::vector<Case> structure_cases() {
  return {
      {"L1", "Stack of equal blocks", "Statics",
       "Blocks of 0.2 m and 2 kg stand on each other on a floor, mu = 0.5, no sleeping.",
       "The interface below i blocks carries i m g (1e-8); nothing moves faster than 1e-9 m/s.", run_stack},
      {"L2", "Stacks with mass ratio 1000", "Statics",
       "Heavy blocks on light ones and the reverse: 1000:1, 1:1000, one heavy on four light, and in turn.",
       "As L1. Solver iterations are in the table of certificates.", run_uneven_stack},
      {"L8", "Card houses", "Statics; Kaufman et al. (2008)",
       "Houses of three and of four levels of leaning cards, 89 x 58 x 0.3 mm, mu = 0.6, at 25 degrees from the "
       "vertical.",
       "They stand for 60 s (short form: 3 s), no card creeps by 1e-6 m; with mu = 0.2 they fall.", run_card_house},
      {"L9", "Grip", "Coulomb's law, closed form",
       "A capsule of 45 g and 4 mm radius stands between two pads on slides, mu = 0.7, squeezed by 12 N, by 60 N, and "
       "by "
       "the least force that holds it.",
       "It does not creep (1e-9 m/s) above W/(2 mu) = 0.31532 N, here one part in a million above, and falls at g - 2 "
       "mu "
       "N/m below.",
       run_grip},
      {"L10", "Least thickness of an arch", "Limit analysis by linear programming; Milankovitch (1907)",
       "A semicircular arch of N voussoirs with straight edges stands on level springings; centreline radius 10 m, "
       "width 5 "
       "m, no sliding.",
       "It stands at 1.005 and falls at 0.995 of the least t/R: N = 5 0.0949796, 7 0.0957034, 9 0.1015254, 11 "
       "0.1045892, "
       "15 0.1060680, 27 0.1067209, 51 0.1073568.",
       run_arch_thickness},
      {"L11", "Least thickness of an arch with friction", "Limit analysis; Gilbert, Casapulla & Ahmed (2006)",
       "The arch of L10 with 27 voussoirs and friction: below mu = 0.4 sliding joins the hinges.",
       "It stands at 1.01 and falls at 0.99 of the least t/R: mu = 0.4 0.1067209, 0.395 0.10698, 0.35 0.15118, 0.33 "
       "0.17265, 0.32 0.18384, 0.31 0.19599.",
       run_arch_friction},
      {"C1", "Capstan", "Euler (1769), Eytelwein (1808)",
       "A chain of beads on rods slides over half a drum of 0.1 m; mu = 0.2, 0.3, 0.5; 16, 32 and 64 beads.",
       "T2/T1 = exp(mu pi). Tolerance 1e-2, order 2 in the angle between beads.", run_capstan},
      {"C2", "Capstan with corners", "Statics",
       "The chain of C1 with 4 to 64 beads, mu = 0.3; then 16 beads with a weight on either side.",
       "[(cos(d/2) + mu sin(d/2))/(cos(d/2) - mu sin(d/2))]^N, d = pi/N: 2.71631822327, 2.60104971145, 2.5748538567, "
       "2.56845311767, 2.56686197656. Tolerance 1e-4.",
       run_capstan_corners},
      {"C3", "Catenary of rods", "Statics; Bernoulli, Leibniz and Huygens (1691)",
       "A chain of 2 m and 10, 20 and 40 thin rods on ball joints between points 1 m apart, damped until it rests.",
       "Rods: equilibrium of each, to 1e-7. Catenary: sag 0.79638835586 m, horizontal force 0.114820107539 of the "
       "weight, end tension 1.02602857094 of the weight per metre, to 1e-3 with order 2 in the length of the rods.",
       run_catenary},
      {"C5", "Folded chain", "Calkin & March, Am. J. Phys. 57 (1989)",
       "A chain of 1 m hangs folded with both ends together; one end is let go. Thin links on ball joints, 17, 33 and "
       "65 "
       "(full form: 33, 65 and 129), one of them across the fold.",
       "Energy of the fold that loses none: the end falls L in 0.847213084794 sqrt(2L/g), ahead of free fall. "
       "Tolerance "
       "1e-2.",
       run_folded_chain},
      {"C6", "Belt drive", "Creep theory; Johnson, Contact Mechanics (1985), 8.2",
       "Two pulleys of 0.1 m and a belt of beads on springs, EA = 2000 N, 20 kg/m, mu = 0.3, 40 N of pretension.",
       "Largest torque (exp(mu pi) - 1) T2 R with the belt at rest. Running: slip arcs, speeds and torque. Tolerance "
       "2e-2.",
       run_belt_drive},
      {"G6", "Box of spheres at rest", "Newton's third law",
       "Spheres of 50 mm settle in a box with smooth walls; friction 0.5 between them and with the floor.",
       "The vertical forces on the floor add up to the weight, to 1e-10.", run_spheres_at_rest},
      {"G7", "Rocks at rest", "Signorini's condition",
       "1000 random convex rocks of 0.2 to 0.3 m (short form: 64) fall into a bin, mu = 0.4, and come to rest.",
       "At rest the deepest overlap is below 1e-5 of a rock's size, and nothing moves.", run_rocks_at_rest},
  };
}

}  // namespace cairn::validation
