// SPDX-License-Identifier: Apache-2.0
// Impacts: section I of the book.
#include "cases.h"

namespace cairn::validation {
namespace {
const std::string closed_form = "Closed form";
}  // namespace

std::vector<Case> impact_cases() {
  return {
      {"I1", "Bouncing ball", "Geometric series",
       "A ball is dropped from 1 m with restitution 0.5 and 0.9. It bounces infinitely often in a finite time.",
       "Rest at sqrt(2H/g)(1 + e)/(1 - e), heights e^(2n), path H (1 + e^2)/(1 - e^2). Tolerance 1e-3; heights in "
       "parts of the drop.",
       run_bouncing_ball},
      {"I2", "Oblique impact of a sphere", "Moreau's impact law, closed form",
       "A sphere of 0.1 m without spin hits a plane at (1, -1) m/s with e = 0.5, and mu = 0.1, 0.5, and just below the "
       "value at which "
       "it grips.",
       "One impulse: slides through, or leaves rolling at 5/7 of the tangential speed. Exact to 1e-8.",
       run_oblique_impact},
      {"I4", "Three balls in contact", "Newton's law in one event and in sequence; Glocker (2001)",
       "Three equal balls in a row touch; the first is hit at 1 m/s. The answer depends on the impact law; both laws "
       "can be chosen.",
       "e = 1: (-1/3, 2/3, 2/3) in one event, (0, 0, 1) in sequence. Exact to 1e-8.", run_three_balls},
      {"I5", "Newton's cradle of five balls in a row", "Momentum and energy",
       "Five equal balls touch; one, two or three of them come at 1 m/s. Impacts in sequence, e = 1.",
       "As many leave as have come, with all the velocity (1e-6) and all the energy (1e-10).", run_five_balls},
      {"I7", "Ball on a shaking table", "Holmes, J. Sound Vib. 84 (1982); Tufillaro (1992)",
       "A ball with e = 0.5 on a table that moves as A sin(20 t), with A omega^2 = 1.03, 1.06, 1.2 and 1.4 g.",
       "It bounces once per period only above 1.0472 g, with cos(phase) = pi g (1 - e)/((1 + e) A omega^2). Tolerance "
       "1e-3.",
       run_shaking_table},
      {"I8", "Double pendulum against a wall",
       "Potra, Anitescu, Gavrea & Trinkle, Int. J. Numer. Meth. Eng. 66 (2006); Koziara (2008), 13.4.4",
       "Two points of 1 kg on massless rods of 1 m, at 60 and 36 degrees from the vertical, swing against a smooth "
       "wall "
       "through the pivot, e = 0.1.",
       "Integration of the two-angle equations with events: times of the first four hits and energies after them. "
       "Tolerance 1e-4.",
       run_struck_pendulum},
      {"I11", "Painleve's rod", "Painleve (1895); Genot & Brogliato (1999); Stewart (2000)",
       "A uniform rod of 1 m slides on its end, which leads, at 1 m/s: all angles, mu up to 4.",
       "Where 1 + 3 cos(theta)(cos(theta) - mu sin(theta)) > 0 the force is m g over that; elsewhere an impulse stops "
       "the end within a step. First at mu = 4/3, theta = arctan 2. No step fails.",
       run_painleve_rod},
      {"I12", "Woodpecker toy", "Pfeiffer (1984); Glocker (1995); Leine, van Campen & Glocker (2003)",
       "A sleeve with play on a pole and a bird on a spring, three contacts with mu = 0.3, e = 0.5 at the beak.",
       "Limit cycle: 0.14598 s, 19.45 mm per cycle. Tolerance 1e-3 of the period.", run_woodpecker},
      {"I13", "Slider-crank with play", "Flores, Leine & Glocker, Multibody Syst. Dyn. 23 (2010)",
       "A slider-crank at 150 rad/s whose slider has 1 mm of play on both sides in its guide, e = 0.4, mu = 0.01.",
       "The three-angle equations by Runge-Kutta between blows found by bisection, to the third blow. Tolerance 1e-2.",
       run_clearance},
      {"I15", "Hertz impact of a steel sphere", "Hertz (1881); Johnson, Contact Mechanics (1985), 11.4",
       "A sphere of 10 mm radius, E = 2e11 Pa, nu = 0.3, 8000 kg/m^3, meets a rigid plane at 1 m/s, through the force "
       "element of Hertz's law and through that of Hunt and Crossley with e = 0.5.",
       "Quadrature: duration 5.3814012653e-5 s, deepest 1.82837177e-5 m, peak 2290.99479 N. Asked for: 2e-2; held to "
       "1e-5.",
       run_hertz_impact},
      {"I16", "Oscillator against a stop", closed_form,
       "A mass of 2 kg on a spring of 50 N/m starts at 0.5 m/s from its position of rest, where a stop stands: a "
       "linear "
       "buffer of 2000 N/m, and a rigid plane with e = 0.8.",
       "Half periods pi/omega on both sides of the buffer (1e-6); speeds e^n on the plane (1e-5).", run_oscillator},
  };
}

}  // namespace cairn::validation
