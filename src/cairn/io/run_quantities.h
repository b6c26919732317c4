// SPDX-License-Identifier: Apache-2.0
// Numbers of a recording over time, by name: what `cairn plot` draws and writes as tables.
//
//   residual, penetration, iterations ...    every field of the certificate, one value per step
//   energy_total, real_time_factor           made from them
//   energy                                   the balance: what is there and what was lost so far
//   body.NAME.position.x, body.NAME.speed    of bodies, one value per frame
//   joint.NAME.force, joint.NAME.angle       of joints: reactions and coordinates
//   law.NAME.force                           of limits, motors and the like
//   contact.A/B.normal_force                 of all contact points between two bodies, summed
#pragma once
#include <string>
#include <vector>

#include "cairn/io/recording.h"

namespace cairn {

struct Curve {
  std::string name, unit;
  std::vector<double> time, value;
  bool stacked = false;  ///< a part of the energy balance; the parts are drawn on top of each other
  bool bound = false;    ///< what the stack must reach: the energy at the start and all that was put in since
};

struct QuantityInfo {
  std::string name, unit, help;
};

/// All names there are; of bodies, joints and pairs that touch in the last frame at most `most` of each.
std::vector<QuantityInfo> list_quantities(const Recording& recording, std::size_t most = 1000);

/// The curves of these names, in order; a name without its last part (body.NAME.position) stands for all of its parts.
/// Throws Error with a suggestion for what is not there.
std::vector<Curve> read_curves(const Recording& recording, const std::vector<std::string>& names);

/// Kinetic, potential (above its least) and elastic energy, and what contacts, friction, damping, joints and the
/// discretisation took until then, each only where it is not zero throughout; then the bound of their sum.
std::vector<Curve> energy_balance(const std::vector<Certificate>& certificates);

/// One column per curve, one row per time at which at least one of them has a value; others are left empty there.
std::string to_csv(const std::vector<Curve>& curves);

}  // namespace cairn
