// SPDX-License-Identifier: Apache-2.0
// What any user rightly expects: section U of the book.
#include "cases.h"

namespace cairn::validation {
namespace {
const std::string expectation = "Expectation of any user";
}  // namespace

std::vector<Case> expectation_cases() {
  return {
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

}  // namespace cairn::validation
