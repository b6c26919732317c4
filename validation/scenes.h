// SPDX-License-Identifier: Apache-2.0
// Scenes used by several cases: a handful of thrown bodies, seen in other units, from another frame, in another order;
// and a heap.
#pragma once
#include "cairn/sim/simulation.h"

namespace cairn::validation {

/// How a scene is told: the mechanics is the same.
struct Telling {
  Quat turn = Quat::Identity();           ///< frame: everything, gravity too, is turned by this
  double length = 1, mass = 1, time = 1;  ///< units: numbers are multiplied by these
  std::vector<int> order = {};            ///< of the bodies that move; empty: as they come
};

/// Boxes and spheres thrown on a floor against a wall; named "body 0" and so on, whatever their order. Until
/// run.duration no box slides on a whole face, so the motion is unique: on four corners that slide and turn, rigid
/// Coulomb friction leaves the spin open.
Model make_throw(const Telling& telling = {});
constexpr int throw_count = 7;

/// Position, orientation and velocities of one body, told back in metres, kilograms and seconds of the original frame.
struct BodyState {
  Vec3 x, v, w;
  Quat q;
};
std::vector<BodyState> read_throw(const Simulation& simulation, const Telling& telling);
/// Largest difference of positions [m], orientations [rad] and velocities [m/s, rad/s] (all bodies are about 0.1 m to 1
/// m).
double largest_difference(const std::vector<BodyState>& a, const std::vector<BodyState>& b);

/// across x across x layers spheres on a floor, almost in touch, in a slightly disturbed lattice.
Model make_heap(int across, int layers);

/// Pseudo-rigid blocks dropped on a floor, one on the other.
Model make_soft_blocks();

}  // namespace cairn::validation
