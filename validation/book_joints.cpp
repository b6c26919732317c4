// SPDX-License-Identifier: Apache-2.0
// Joints, closed loops and couplings: section J of the book.
#include "cases.h"

namespace cairn::validation {

std::vector<Case> joint_cases() {
  return {
      {"J1", "N-window four-bar", "IFToMM benchmark library, N-four-bar mechanism",
       "N + 1 upright rods on hinges in the ground and N rods across their tops, all thin, of 1 m and 1 kg, start "
       "upright with the tops moving at 1 m/s and turn over for 10 s; N = 1 and 2, in the full form 40. Every half "
       "turn all rods lie in one line, where the mechanism could fold. Bodies without shapes on revolute joints.",
       "phi'' = -g (3/2)(3N + 1)/(4N + 1) cos phi, integrated independently. Tolerance 1e-4.", run_four_bar},
      {"J2", "Bricard's mechanism", "IFToMM benchmark library, Bricard's mechanism",
       "Five rods of 1 m x 0.1 x 0.1 m and 1 kg on six hinges at (0,0,0), (1,0,0), (1,-1,0), (1,-1,1), (0,-1,1), "
       "(0,0,1) "
       "with axes y, z, x, y, z, x; gravity along -y. One freedom, though there is an equation too many everywhere on "
       "its way. 5 s, in the full form 10.",
       "One freedom in the metric of the masses, s'' = -dV/ds along the null direction of the closure, Runge-Kutta. "
       "Tolerance 1e-4.",
       run_bricard},
      {"J3", "Andrews' squeezing mechanism", "Test Set for IVP Solvers (Mazzia & Magherini), problem andrews",
       "Seven flat bodies on ten hinges, three loops, one freedom: a crank under 0.033 N m works against a spring of "
       "4530 N/m, 0.03 s, in which it turns two and a half times and reaches 1140 rad/s.",
       "End values of the test set (PSIDE, tolerance 1e-14). Tolerance 1e-6.", run_squeezer},
      {"J4", "Stiff flyball governor", "IFToMM benchmark library, flyball governor",
       "A shaft turns freely at 0.16 turns/s (full form: and at 1). Two rods of 1 m with balls of 5 kg hang on it 50 "
       "mm "
       "from its axis, 30 degrees below horizontal; their middles hold a slider of 3 kg by spring-dampers of 8e5 N/m "
       "and "
       "4e4 N s/m. Shaft and rods are 10 mm thick, 3000 kg/m^3.",
       "Equations of the rod angle and the slider, Radau with 1e-11. Tolerance 1e-4.", run_governor},
      {"J6", "Four-bar with doubled hinges", "Property of the method",
       "J1 with N = 2 and every hinge twice; in the full form also 100 000 steps of 1 ms.",
       "The motion of J1; the two hinges share each force; the drift does not grow.", run_doubled_hinges},
      {"J7", "Ball bearing", "Kinematics of pure rolling",
       "Pitch diameter 50 mm, eight balls of 10 mm, the inner ring is driven up to 100 rad/s and loaded by 100 N; mu = "
       "0.3. Balls touch a cylinder and a ring of 360 flat facets (full form: 1440) and carry a cage along.",
       "Cage omega/2 (1 - d/D) = 40 rad/s, balls omega D/(2d) (1 - (d/D)^2) = 240 rad/s in the cage. Tolerance 1e-3.",
       run_ball_bearing},
      {"J8", "Screw, gears, rack, universal joint", "Kinematics",
       "Driven at one turn a second for a turn: a screw of 5 mm pitch, wheels of 20 and 35 teeth, a rack on a pinion "
       "of "
       "30 mm, two shafts at 30 degrees on a universal joint.",
       "Their relations, exact to 1e-9; speeds of the shafts in the ratio cos 30 to 1/cos 30 degrees.", run_couplings},
  };
}

}  // namespace cairn::validation
