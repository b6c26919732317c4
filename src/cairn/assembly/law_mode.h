// SPDX-License-Identifier: Apache-2.0
// The discrete state of a step: for every set-valued law whether its projection projects (Studer 2009, section 6.2).
//
//   constraint mode  the impulse lies inside its set, the velocity is zero:      closed, stick   (sigma = 0)
//   impressed mode   the impulse lies on the border, the velocity is not zero:   open, slip      (sigma = 1)
// Normal and friction rows are separate laws. Studer's sigma has two values; here slip also has a way, because sliding
// that turns back without a stop changes the force by a jump.
#pragma once
#include "cairn/constraints/row_block.h"
#include "cairn/laws/constraint_law.h"
#include "cairn/math/types.h"

#include <compare>
#include <span>
#include <vector>

namespace cairn {

enum class LawOwner : std::uint8_t { Contact, Joint, CoordinateLaw, OwnContact };
enum class LawFacet : std::uint8_t { Normal, Friction, Rolling, Spinning };
enum class Mode : std::uint8_t { Open, Closed, Stick, Slip, Broken };
std::string_view to_string(LawFacet facet);
std::string_view to_string(Mode mode);

/// Which law of the system. Contacts: colliders and features; others: an index, and in b the part of a limit.
struct LawId {
  LawOwner owner = LawOwner::Contact;
  LawFacet facet = LawFacet::Normal;
  int a = -1, b = -1;
  std::uint32_t feature_a = 0, feature_b = 0;
  auto operator<=>(const LawId&) const = default;
};

/// Of what the system lists.
LawId law_id(const RowOwner& owner, LawFacet facet);

struct LawMode {
  LawId law;
  Mode mode = Mode::Open;
  Vec3 way = Vec3::Zero();  ///< slip: direction of sliding, of any length
};

/// A law that changed its mode, when, from what to what.
struct ModeSwitch {
  double time = 0;
  LawId law;
  Mode from = Mode::Open, to = Mode::Open;
};

/// Appends the modes of one law with its velocity U (as the law sees it). Velocities up to `noise` are zero: those of
/// points, and those of moments. `frame` (N, T1, T2) tells the ways of contacts in the world, which has no jumps.
struct VelocityNoise {
  double linear = 0, angular = 0;
};
void append_modes(LawId law, const ConstraintLaw& set, int rows, const double* U, VelocityNoise noise,
                  const Mat3* frame, std::vector<LawMode>& out);

/// Sorted as find_switches() needs them.
void sort_modes(std::vector<LawMode>& modes);

/// What changed between two steps. A law that is not listed is open; friction that goes between open and slip goes with
/// its contact. Of pairs with one point before and after, the
/// features may differ. `time` of the result is left to the caller.
std::vector<ModeSwitch> find_switches(std::span<const LawMode> before, std::span<const LawMode> after);

}  // namespace cairn
