// SPDX-License-Identifier: Apache-2.0
// Dry friction: section F of the book.
#include "cases.h"

namespace cairn::validation {

std::vector<Case> friction_cases() {
  return {
      {"F1", "Block on a tilted plane", "Coulomb's law, closed form",
       "A block of 0.5 x 0.5 x 0.1 m on a plane tilted by 30 degrees, with mu = 0.3 and with mu one part in a million "
       "below and "
       "above tan(30 degrees); slopes in several azimuths.",
       "It slides at g (sin theta - mu cos theta) or not at all. Exact to 1e-8.", run_incline},
      {"F2", "Blocks of two sizes on a tilted plane", "Coulomb's law, closed form",
       "Blocks of 1.4 m and 0.14 m, as long as wide, 0.4 as high, on a plane tilted by 30 degrees, mu = 0.3, g = 9.8 "
       "m/s^2: rigid and pseudo-rigid.",
       "2.3538853129 m/s^2 at both sizes. Tolerance 1e-3; rigid 1e-8.", run_incline_sizes},
      {"F3", "Block driven by 8 cos t", "Potra, Anitescu, Gavrea & Trinkle, Int. J. Numer. Meth. Eng. 66 (2006)",
       "A block of 1 kg, 0.3 x 0.3 x 0.1 m, mu = 0.8, g = 9.81 m/s^2, is pushed by a force of 8 cos t N and slips four "
       "times in 10 s.",
       "Piecewise closed form; slip ends are roots found by bisection. Tolerance 1e-4.", run_driven_block},
      {"F5", "Stick-slip on a belt", "Closed form",
       "A block of 1 kg on a spring of 100 N/m stands on a belt that moves at 0.1 m/s; mu is 0.4 at rest and 0.2 in "
       "motion.",
       "Slip 0.40843221712 s, stick 0.3924 s, largest stretch 0.041641453 m. Tolerance 1e-3.", run_belt_block},
      {"F6", "Sphere and cylinder from sliding to rolling", "Euler; closed form",
       "A sphere and a cylinder of radius 0.1 m are set down sliding at 1 m/s with mu = 0.3; friction slows them and "
       "spins them up until they roll.",
       "The sphere rolls at 2 v/(7 mu g), after 12 v^2/(49 mu g), at 5/7 v; the cylinder at v/(3 mu g), after 5 "
       "v^2/(18 mu g), at 2/3 v. Tolerance 1e-4.",
       run_sliding_sphere},
      {"F8", "Disc that slides and spins", "Farkas, Bartels, Unger & Wolf, Phys. Rev. Lett. 90, 248302 (2003)",
       "A uniform disc and a hoop of 0.1 m slide and spin on a table with mu = 0.3, on many contact points that carry "
       "equal shares of the weight.",
       "Both motions end at one instant; v/(omega R) tends to 0.652997, that of the hoop to 1; on the way the two "
       "equations of motion by Runge-Kutta. Tolerance 1e-2.",
       run_spinning_disc},
      {"F9", "Sphere with rolling resistance", "Closed form",
       "A sphere of 50 mm radius rolls at 1 m/s; resistance to rolling 1 mm, mu = 0.5.",
       "Deceleration (5/7) g b/R = 0.140142857 m/s^2, rest after 3.5677879715 m. Tolerance 1e-4.", run_roll_resistance},
      {"F10", "Sphere with resistance to spinning", "Closed form",
       "A sphere of 50 mm radius spins at 20 rad/s about the vertical; resistance to spinning 1 mm.",
       "-(5/2) s g/R^2 = -9.81 rad/s^2, then rest. Tolerance 1e-4.", run_spin_resistance},
      {"F11", "Square block pushed along its diagonal", "Symmetry; Coulomb's law",
       "A block of 0.2 x 0.2 x 0.1 m and 2 kg with mu = 0.5 is pushed at its centre by 14 N at 45 degrees to its "
       "sides: a "
       "box, a polyhedron and a mesh, on a plane and on a mesh.",
       "It does not turn, its path is straight (1e-9), and it covers (F/m - mu g) t^2/2 (1e-8).", run_pushed_block},
      {"F12", "Block on a sliding wedge", "Newton's laws, closed form",
       "A block of 1 kg slides down a wedge of 2 kg at 30 degrees that slides on a level guide, without friction: "
       "block "
       "on the wedge by contact, and by a planar joint.",
       "Wedge m g sin a cos a/(M + m sin^2 a) = 1.8879353803 m/s^2, block twice that the other way. Tolerance 1e-6.",
       run_wedge},
      {"F14", "Euler's disc, steady", "Moffatt, Nature 404, 833 (2000)",
       "A thin disc of 37.5 mm radius at 10 degrees rolls on its rim, its centre at rest, mu = 0.5.",
       "Its axis goes round at sqrt(4 g/(R sin alpha)) = 77.627169429 rad/s. Tolerance 1e-3.", run_euler_disc},
      {"F15", "Tippe top", "Jellett's integral; Leine & Glocker (2003)",
       "A top of 6 g: sphere of 15 mm, stem sphere of 5 mm at 3 and 16 mm from the centre of mass, I1 = 8e-7, I3 = "
       "7e-7 kg "
       "m^2, mu = 0.3, spun at 200 rad/s about the vertical at an inclination of 0.3 rad.",
       "It inverts and stands on its stem, 21 mm high. While only the big sphere touches, Jellett's integral is "
       "constant "
       "to 1e-5.",
       run_tippe_top},
      {"F16", "Rattleback", "Walker (1896); Kane & Levinson (1982)",
       "An ellipsoid of 0.2 x 0.03 x 0.02 m and 1 kg whose axes of inertia are turned by 0.1 rad against those of its "
       "shape "
       "is spun at 3 rad/s on a rough table, the one way and the other, with a slight rocking of 0.1 rad/s.",
       "Spun the one way it goes on, the other way it turns back: the ellipsoid that rolls without slipping, "
       "integrated "
       "by Runge-Kutta. The energy is never above that at the start.",
       run_rattleback},
  };
}

}  // namespace cairn::validation
