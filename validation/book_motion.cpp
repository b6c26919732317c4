// SPDX-License-Identifier: Apache-2.0
// Smooth motion of single bodies and of clouds of them: section S of the book.
#include "cases.h"

namespace cairn::validation {
namespace {
const std::string closed_form = "Closed form";
}  // namespace

std::vector<Case> motion_cases() {
  return {
      {"S1", "Projectile with linear drag", "Marion & Thornton, Classical Dynamics",
       "A projectile of 0.45359237 kg leaves at (2.54, 0, 12.7) m/s under g = 9.81456 m/s^2 with a drag of k v per "
       "unit mass, "
       "k = 1/s. Where and when is it back at launch height, and how high does it rise?",
       "Closed form; the time of flight is the root of a transcendental equation. Tolerance 1e-6.", run_projectile},
      {"S2", "Simple pendulum, ten seconds", "IFToMM benchmark library, simple pendulum",
       "A mass of 1 kg on a massless rod of 1 m is let go from horizontal at (-1, 0) under g = 9.81 m/s^2 and swings "
       "for 10 s on a "
       "ball joint. A body of small inertia hangs at the distance whose equivalent length is exactly 1 m.",
       "Jacobi elliptic functions. Tolerance 1e-5 in metres, and of the period.", run_pendulum},
      {"S3", "Pendulum period with g = pi^2", closed_form,
       "The pendulum of S2 under g = pi^2 m/s^2: its small swings last 2 s, the swing from horizontal 2.36068119803 s.",
       "Complete elliptic integral: T = 4 K(1/sqrt 2) sqrt(L/g). Tolerance 1e-6.", run_pendulum_period},
      {"S5", "Intermediate-axis flip of a free body", "Euler's equations; Landau & Lifshitz, Mechanics",
       "A torque-free body with principal inertias (1, 2, 3) kg m^2 turns about its middle axis, (0.01, 5, 0.01) "
       "rad/s, and flips "
       "over and back. Small errors grow exponentially before each flip.",
       "Independent integration of Euler's equations to 1e-10 and elliptic functions. Tolerance 1e-5.",
       run_free_rotation},
      {"S6", "Heavy symmetric top", "Simo & Wong, Int. J. Numer. Meth. Eng. 31 (1991)",
       "A top with J = diag(5, 5, 1) kg m^2 about its fixed tip and M g l = 20 N m starts at a tilt of 0.05 rad with a "
       "spin of "
       "50 rad/s and no other rate. It nutates between two tilts and precesses.",
       "Quadrature of the energy equation of the symmetric top. Tolerance 1e-5.", run_heavy_top},
      {"S8", "Momentum of a cloud of bodies", "Property of the scheme",
       "100 free rigid bodies of random mass, inertia, place and motion, tied by 300 springs, no gravity.",
       "Linear and angular momentum are constant to 1e-12 of themselves.", run_momentum},
      {"S9", "Fall with quadratic drag, and a body in the wind", closed_form,
       "A body of 1 kg falls from rest under g = 9.81 m/s^2 through air of 1.2 kg/m^3 with Cd = 0.5 and an area of 0.1 "
       "m^2; another of 1 kg at rest is blown along by a wind of 3 m/s with a linear drag of 0.8 N s/m.",
       "v = w tanh(g t/w), z = w^2/g ln cosh(g t/w) with w = sqrt(2 m g/(rho Cd A)); v = W (1 - exp(-c t/m)). "
       "Tolerance "
       "1e-3, the terminal speed 1e-9.",
       run_falling_drag},
      {"S10", "Body on a bushing", closed_form,
       "A body of 2 kg, J = (0.05, 0.1, 0.075) kg m^2, on a bushing of k = (200, 800, 1800) N/m and kt = (5, 20, 80) N "
       "m/rad: along x and z, about z up to 2.5 rad, held 0.1 m off its centre, and damped along y by 4 N s/m.",
       "sqrt(k/m), sqrt(kt/J), the eigenvalues of two rows, and the decaying sine. Periods 2e-5.", run_bushing},
  };
}

}  // namespace cairn::validation
