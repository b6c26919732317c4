// SPDX-License-Identifier: Apache-2.0
// Examples of Studer's book (2009): section B, with the numbers of its specification.
#include "cases.h"

namespace cairn::validation {

std::vector<Case> studer_cases() {
  return {
      {"B1", "Bar on two bearings", "Studer (2009), 4.2.7.1",
       "A bar of 1 kg, 1/12 kg m^2, on bearings at 0.5 and 0.1 m, four loads: every solver that knows contacts.",
       "One bearing opens, or the other, or both, or none: reactions by hand. 1e-8.", run_bar_on_bearings},
      {"B2", "Block on two corners", "Studer (2009), 4.2.7.2",
       "A block of 2.1 kg and 0.018 kg m^2 on corners at -0.15 and 0.15 m, 0.05 m below its centre, mu = 0.3, three "
       "loads: every "
       "solver that knows friction in the plane.",
       "It sticks, slides or tips: accelerations by hand, unique though friction is not.", run_block_on_corners},
      {"B4", "Pendulum on joints of every level (B4 to B11)", "Studer (2009), 5.1",
       "1 kg on a rod of 1 m, pulled to (2, -2) m by 10 N/m, from (-1, 0) m at rest, h = 50 ms; the joint on "
       "accelerations, velocities, positions, and by linearised gaps. 20 s (full form: 200 s).",
       "Drift and energy after 2 and 5 s as recomputed in the specification, to the last digit it prints.",
       run_joint_levels},
      {"B12", "Point mass that bounces to rest", "Studer (2009), 5.3.7",
       "A point of 1 kg falls from 20 mm with e = 0.2, at steps of 5 ms and finer; under `ggl` at 5 ms with and "
       "without slack.",
       "It comes to rest without an oscillation that goes on and without gaining energy; `ggl` oscillates between g h "
       "e/(1 + e) and 1/e of it, unless it has its slack.",
       run_bouncing_point},
      {"B13", "Point mass that lands in two steps", "Studer (2009), 5.3.7",
       "A point at 1 m/s, 0.2 h above the ground at mid-step, e = 0, no matter which step.",
       "At the surface after the first step, at rest after the second. Exact.", run_point_lands},
      {"B14", "Point mass on a rope", "Studer (2009), 5.3.8",
       "A point of 1 kg on a rope of 1 m, thrown from its top at 6.5 m/s, and at 2 m/s.",
       "6.5 m/s: the pendulum's equation by Runge-Kutta, pull 32.44 N at the top, never slack; under `index-3` slack "
       "from 4.165 to 4.715 s, blow of 199.7 and 227.7 N. 2 m/s: a parabola, tight at 0.4914 s.",
       run_rope_pendulum},
      {"B15", "When a step stops what slides", "Studer (2009), 6.2",
       "A block that slides at 20 mm/s with mu = 0.4, by steps just longer and just shorter than it needs to stop.",
       "At rest exactly when dt >= (1 + e) u m/a. Exact.", run_friction_switch},
      {"B22", "Ball that slides, drills and rolls", "Studer (2009), 7.6.1.1",
       "A ball of 25 mm and 0.5105 kg at 1 m/s with 50 rad/s about the vertical; mu = 0.2, drilling 6.65 mm, rolling 2 "
       "mm.",
       "Equations of motion by Runge-Kutta (grip 0.3151 s, rest 1.2743 s); the book: 0.31 and 1.27 s. Tolerance 1e-3.",
       run_drilling_ball},
      {"B23", "Ball that hits another", "Studer (2009), 7.6.1.2",
       "The ball of B22 with 20 rad/s about the x axis of the table meets a second one, e = 1, mu = 0.1 between them. "
       "The place of the "
       "second is not published.",
       "Order of the events. The published times after the blow are known not to come out.", run_two_balls},
      {"B24", "Studer's rattleback", "Studer (2009), 7.6.1.3",
       "An ellipsoid of 75 x 20 x 20 mm and 88 g with turned inertia at 5 rad/s; mu = 0.2, e = 0.5, drilling 13 um.",
       "It turns back between 2 and 4 s (a re-run of the source: 3.21 s); with the other sign of the product of "
       "inertia "
       "it does not.",
       run_studer_rattleback},
      {"B27", "Two waggons", "Studer (2009), 7.6.2.1",
       "Two waggons whose wheels slide with 10 mN and roll with 5 mN/(1 + 2 v) each, 20 mm of play, pulled by 50 mN.",
       "Four phases of motion by Runge-Kutta; re-run of the source: 0.164, 0.180, 0.353 s, 0.506 m/s at 0.8 s.",
       run_two_waggons},
      {"B28", "Six waggons", "Studer (2009), 7.6.2.1",
       "Six of these waggons, tensed and with play, pulled by 50 or 70 mN.",
       "Tensed they start above 60 mN; with play 50 mN suffice.", run_six_waggons},
      {"B29", "Pre-stressed spring with friction", "Studer (2009), 7.6.2.2",
       "A mass of 1 kg on a spring of 40 N/m with 1 N of pre-stress at 0.07 m, friction 0.9 or 1.1 N, let go at 0.2 m; "
       "1.8 N pull "
       "from 3 to 3.5 s.",
       "Closed form: at rest from 2.0558 s (the book: 2.055) and from 1.5329 s at 0.0715 m (0.071).",
       run_prestressed_spring},
      {"B30", "Blow through three balls", "Studer (2009), 7.6.2.3; Fremond (1995)",
       "Three equal balls touch, the first comes at 1 m/s; matrix of restitution ((0, 1), (1, 0)).",
       "All the velocity goes to the third. Exact.", run_remote_action},
      {"B34", "Elevator's cable", "Studer (2009), 7.6.5",
       "A cable of 20 m and 78 mm^2 in 10 parts (100 in the full form) is wound up 6.3 m under 12 kN, 6.3 m unloaded, "
       "and let off 12.6 "
       "m under 2 kN, at 3 m/s.",
       "Statics: what is wound keeps its stretch. Tolerance 0.1 mm; a re-run of the source beside it.", run_elevator},
  };
}

}  // namespace cairn::validation
