// SPDX-License-Identifier: Apache-2.0
// The table of cases: names, texts and sources.
#include "book.h"

#include "cairn/base/error.h"
#include "cairn/base/text.h"
#include "cases.h"
#include "measure.h"
#include "mechanism_cases.h"

#include <algorithm>
#include <chrono>

namespace cairn::validation {
namespace {

const std::string closed_form = "Closed form";
const std::string expectation = "Expectation of any user";

std::vector<Case> make_cases() {
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
      {"J1", "N-window four-bar", "IFToMM benchmark library, N-four-bar mechanism",
       "N + 1 upright rods on hinges in the ground and N rods across their tops, all thin, of 1 m and 1 kg, start "
       "upright with the tops moving at 1 m/s and turn over for 10 s; N = 1 and 2, in the full form 40. Every half "
       "turn all rods lie in one line, where the mechanism could fold. Bodies without shapes on revolute joints.",
       "phi'' = -g (3/2)(3N + 1)/(4N + 1) cos phi, integrated independently. Tolerance 1e-4.", run_four_bar},
      {"F1", "Block on a tilted plane", "Coulomb's law, closed form",
       "A block of 0.5 x 0.5 x 0.1 m on a plane tilted by 30 degrees, with mu = 0.3 and with mu one part in a million "
       "below and "
       "above tan(30 degrees); slopes in several azimuths.",
       "It slides at g (sin theta - mu cos theta) or not at all. Exact to 1e-8.", run_incline},
      {"F3", "Block driven by 8 cos t", "Potra, Anitescu, Gavrea & Trinkle, Int. J. Numer. Meth. Eng. 66 (2006)",
       "A block of 1 kg, 0.3 x 0.3 x 0.1 m, mu = 0.8, g = 9.81 m/s^2, is pushed by a force of 8 cos t N and slips four "
       "times in 10 s.",
       "Piecewise closed form; slip ends are roots found by bisection. Tolerance 1e-4.", run_driven_block},
      {"F6", "Sphere from sliding to rolling", "Euler; closed form",
       "A sphere of radius 0.1 m is set down sliding at 1 m/s with mu = 0.3; friction slows it and spins it up until "
       "it rolls.",
       "Rolls at 2 v/(7 mu g), after 12 v^2/(49 mu g), at 5/7 v. Tolerance 1e-4.", run_sliding_sphere},
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
      {"I8", "Double pendulum against a wall",
       "Potra, Anitescu, Gavrea & Trinkle, Int. J. Numer. Meth. Eng. 66 (2006); Koziara (2008), 13.4.4",
       "Two points of 1 kg on massless rods of 1 m, at 60 and 36 degrees from the vertical, swing against a smooth "
       "wall "
       "through the pivot, e = 0.1.",
       "Integration of the two-angle equations with events: times of the first four hits and energies after them. "
       "Tolerance 1e-4.",
       run_struck_pendulum},
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
      {"M1", "Pendulum of a thousand swings", "Koziara (2008), 13.4.1",
       "A point of 1 kg on a rod of 1 m (a distance joint) is let go from horizontal under g = pi^2 m/s^2 and swings "
       "1000 times (short form: 10).",
       "Period 2.36068119803 s by the complete elliptic integral (Solfec: 2.360), length 1 m and energy pi^2 J after "
       "all swings. Tolerance 1e-5.",
       run_rod_pendulum},
      {"M6", "Newton's cradle of five balls", "Koziara (2008), 13.4.6",
       "Five balls of 50 mm radius and 1000 kg/m^3 on rods of 0.5 m, 1e-10 m apart, the first let go at 22.5 degrees; "
       "e = 1, steps of 0.01, 0.001 and 0.0001 s, stepper koziara.",
       "Period of one pendulum 1.432297 s; Solfec: 1.500, 1.438, 1.433 s. Energy 0.195497 J at every step.",
       run_cradle},
      {"M7", "Masonry arch of 27 blocks", "Koziara (2008), 13.4.7; Gilbert, Casapulla & Ahmed (2006)",
       "The arch of L11 with density 1 kg/m^3, mu = 0.4 (hinges) and mu = 0.311 (hinges and sliding): each block one "
       "polyhedron, and in the full form also six cells, two along the width and three along the thickness.",
       "Limit analysis: 0.1070 and 0.1955; Solfec: 0.1082 and 0.1965. Within 1 % of limit analysis.", run_masonry_arch},
      {"C3", "Catenary of rods", "Statics; Bernoulli, Leibniz and Huygens (1691)",
       "A chain of 2 m and 10, 20 and 40 thin rods on ball joints between points 1 m apart, damped until it rests.",
       "Rods: equilibrium of each, to 1e-7. Catenary: sag 0.79638835586 m, horizontal force 0.114820107539 of the "
       "weight, end tension 1.02602857094 of the weight per metre, to 1e-3 with order 2 in the length of the rods.",
       run_catenary},
      {"G6", "Box of spheres at rest", "Newton's third law",
       "Spheres of 50 mm settle in a box with smooth walls; friction 0.5 between them and with the floor.",
       "The vertical forces on the floor add up to the weight, to 1e-10.", run_spheres_at_rest},
      {"G7", "Rocks at rest", "Signorini's condition",
       "1000 random convex rocks of 0.2 to 0.3 m (short form: 64) fall into a bin, mu = 0.4, and come to rest.",
       "At rest the deepest overlap is below 1e-5 of a rock's size, and nothing moves.", run_rocks_at_rest},
      {"U2", "No hidden margin", expectation,
       "A bar of 40.000 mm is let fall 35 mm into a slot of 40.001 mm, mu = 0.3: boxes, a block with a groove as one "
       "mesh, "
       "the bar as a box and as a mesh.",
       "It falls freely to the ground and rests at the true height, to 1e-9 m.", run_slot},
      {"U3", "Units do not matter", expectation,
       "Seven thrown boxes and spheres in metres, kilograms, seconds; in millimetres, grams, milliseconds; and in "
       "units that are powers "
       "of two of those.",
       "Results scale to 1e-10, and bit for bit in powers of two.", run_units},
      {"U4", "The frame does not matter", expectation, "The scene of U3, turned as a whole, gravity too.",
       "Same motion to 1e-9.", run_turned_frame},
      {"U5", "The order of bodies does not matter", expectation,
       "The scene of U3 with its bodies added in shuffled orders.",
       "Same motion to what the solver's tolerance allows (1e-9); the same order gives the same bits.", run_body_order},
      {"U6", "The number of threads does not matter", expectation, "A heap of spheres run with 1, 2, 4 and 8 threads.",
       "Identical bits.", run_threads},
      {"U7", "Stop, save, load, continue", expectation,
       "Rigid and pseudo-rigid scenes, run through and run in two halves with a checkpoint file between.",
       "Identical bits.", run_restart},
      {"U8", "Nothing passes through", expectation,
       "A ball of 10 mm radius at 100 m/s meets a plate of 1 mm, a box or a mesh, in steps of 1 ms, from many heights, "
       "e = 0, 0.5, 1.",
       "It stays on its side, leaves with e times its speed, and is where it would be after a bounce at its arrival.",
       run_tunnelling},
      {"U9", "Internal edges are not felt", expectation,
       "A sphere rolls, a capsule, a box and a cylinder slide at 1.5 m/s over a plane of 10082 triangles, askew to "
       "their rows: a "
       "mesh with shifted corners and mixed diagonals, and a height field.",
       "No vertical speed above 1e-6 m/s; the way is that on a plane, v t - mu g t^2/2 for what slides.",
       run_internal_edges},
      {"U10", "Concave shapes as plain meshes", expectation,
       "A peg of 24 sides falls into a hole with 0.1 mm of play; a ball comes to rest in a cup of eight faces; a ring "
       "hangs in "
       "a hook, first by its weight, then pulled by a hundred times that; a nut without friction screws itself down a "
       "bolt "
       "with a square thread of 10 mm pitch. All are triangle meshes, none is cut into convex parts.",
       "Rest heights from the geometry; the nut moves by its pitch per turn with g/(1 + (2 pi/pitch)^2 I/m).",
       run_concave_shapes},
      {"U11", "Wrong input is refused by name", expectation,
       "NaN, negative masses, impossible inertias, unknown names, inverted bodies through the C++ interface; a force "
       "that becomes NaN "
       "during a run.",
       "An error that names the object; no crash, no NaN in the state.", run_bad_input},
      {"U13", "Energy never rises in a passive scene", expectation,
       "A heap of spheres, thrown boxes and spheres, elastic impacts and pseudo-rigid blocks, without loads or drives.",
       "The energy rises by less than 1e-8 of its scale in any step.", run_passive_energy},
      {"U14", "Split faces do not matter", expectation,
       "A block of 0.2 x 0.2 x 0.1 m and 3 kg as a mesh, each face cut into 1, 4 and 64 squares, on a slab cut into 1 "
       "to 961 "
       "cells, mu = 0.4: at rest, and pulled at its upper side along its diagonal by 0.6 of its weight.",
       "Resultant force and moment of all contacts (1e-7) and motion (1e-9 m) are those of whole faces; the floor "
       "carries "
       "the weight, and the way is (F/m - mu g) t^2/2.",
       run_split_faces},
  };
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

}  // namespace

bool CaseResult::pass() const {
  return !quantities.empty() &&
         std::all_of(quantities.begin(), quantities.end(), [](const Quantity& q) { return q.pass; });
}

std::span<const Case> cases() {
  static const std::vector<Case> all = make_cases();
  return all;
}

std::vector<const Case*> find_cases(const std::vector<std::string>& names) {
  std::vector<bool> wanted(cases().size(), names.empty());
  std::vector<std::string> known;
  for (const Case& c : cases()) known.push_back(c.name);
  for (const std::string& given : names) {
    const std::string name = upper(given);
    bool found = false;
    for (std::size_t i = 0; i < known.size(); ++i) {
      const bool section = name.size() == 1 && known[i].starts_with(name);
      if (known[i] != name && !section) continue;
      wanted[i] = found = true;
    }
    if (!found)
      throw Error("there is no validation case '{}'{}; there are {}", given, did_you_mean(name, known), join(known));
  }
  std::vector<const Case*> chosen;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (wanted[i]) chosen.push_back(&cases()[i]);
  }
  return chosen;
}

CaseResult run_case(const Case& c, Effort effort) {
  const auto start = std::chrono::steady_clock::now();
  CaseResult result;
  try {
    result = c.run(effort);
  } catch (const std::exception&
               error) {  // a case that stops is a case that fails, not wrong input of the person who runs it
    result.quantities.push_back(check_holds("runs to its end", false, error.what()));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace cairn::validation
