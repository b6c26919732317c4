// SPDX-License-Identifier: Apache-2.0
// Modes of laws and their changes.
#include "cairn/assembly/law_mode.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace cairn {
namespace {

/// A law without its features.
auto pair_key(const LawMode& m) { return std::tuple(m.law.owner, m.law.facet, m.law.a, m.law.b); }

bool is_same(const LawMode& x, const LawMode& y) {
  return x.mode == y.mode && (x.mode != Mode::Slip || x.way.dot(y.way) > 0);
}

}  // namespace

LawId law_id(const RowOwner& owner, LawFacet facet) {
  switch (owner.kind) {
    case RowOwner::Kind::Law: return {LawOwner::CoordinateLaw, facet, owner.index, owner.part};
    case RowOwner::Kind::OwnContact: return {LawOwner::OwnContact, facet, owner.index};
    default: return {LawOwner::Joint, facet, owner.index};
  }
}

std::string_view to_string(LawFacet facet) {
  switch (facet) {
    case LawFacet::Normal: return "normal";
    case LawFacet::Friction: return "friction";
    case LawFacet::Rolling: return "rolling";
    case LawFacet::Spinning: return "spinning";
  }
  return "?";
}

std::string_view to_string(Mode mode) {
  switch (mode) {
    case Mode::Open: return "open";
    case Mode::Closed: return "closed";
    case Mode::Stick: return "stick";
    case Mode::Slip: return "slip";
    case Mode::Broken: return "broken";
  }
  return "?";
}

void append_modes(LawId law, const ConstraintLaw& set, int rows, const double* U, VelocityNoise noise,
                  const Mat3* frame, std::vector<LawMode>& out) {
  if (set.is_equation()) return;
  if (set.has_bounds()) {
    law.facet = LawFacet::Friction;
    const bool stick = std::abs(U[0]) <= noise.linear;
    out.push_back({law, stick ? Mode::Stick : Mode::Slip, Vec3(U[0], 0, 0)});
    return;
  }
  const bool closed = !set.has_normal() || U[0] <= noise.linear;
  if (set.has_normal()) out.push_back({law, closed ? Mode::Closed : Mode::Open, Vec3::Zero()});
  if (!closed) return;  // its friction is open too: not listed
  LawPart parts[max_parts];
  int count = law_parts(set, rows, parts);
  if (!set.has_parts()) parts[count++] = round_part(1, std::min(2, rows - 1), 1);  // sliding, whatever bounds it
  for (int p = 0; p < count; ++p) {
    const LawPart& part = parts[p];
    if (!(part.largest() > 0)) continue;
    const bool moment = part.first >= 3;
    law.facet = !moment ? LawFacet::Friction : part.count == 2 ? LawFacet::Rolling : LawFacet::Spinning;
    // Rows T1, T2, M1, M2 lie along the second and third direction of the frame, S along the first.
    Vec3 way = Vec3::Zero();
    bool stick = true;
    for (int k = 0; k < part.count; ++k) {
      const int row = part.first + k;
      const bool spin = row >= 3 && (part.count != 2);
      stick = stick && std::abs(U[row]) <= (row >= 3 ? noise.angular : noise.linear);
      way[spin ? 0 : 1 + k] = part.round ? U[row] : part.axes[k] * U[row];
    }
    if (frame) way = frame->transpose() * way;
    out.push_back({law, stick ? Mode::Stick : Mode::Slip, way});
  }
}

void sort_modes(std::vector<LawMode>& modes) {
  std::stable_sort(modes.begin(), modes.end(), [](const LawMode& x, const LawMode& y) { return x.law < y.law; });
}

std::vector<ModeSwitch> find_switches(std::span<const LawMode> before, std::span<const LawMode> after) {
  std::vector<ModeSwitch> found;
  std::size_t i = 0, j = 0;
  const auto group_end = [](std::span<const LawMode> list, std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < list.size() && pair_key(list[end]) == pair_key(list[begin])) ++end;
    return end;
  };
  const auto note = [&](const LawId& law, const LawMode& from, const LawMode& to) {
    if (is_same(from, to)) return;
    // Friction of an open contact is impressed as that of a sliding one is: the contact's own switch says it all.
    const auto impressed = [](const LawMode& m) { return m.mode == Mode::Open || m.mode == Mode::Slip; };
    if (law.facet != LawFacet::Normal && from.mode != to.mode && impressed(from) && impressed(to)) return;
    found.push_back({0, law, from.mode, to.mode});
  };
  const LawMode open;
  while (i < before.size() || j < after.size()) {
    const bool old = i < before.size() && (j == after.size() || pair_key(before[i]) <= pair_key(after[j]));
    const bool now = j < after.size() && (i == before.size() || pair_key(after[j]) <= pair_key(before[i]));
    const std::size_t old_end = old ? group_end(before, i) : i, now_end = now ? group_end(after, j) : j;
    if (old_end - i == 1 && now_end - j == 1) {
      note(after[j].law, before[i], after[j]);
    } else {
      std::size_t x = i, y = j;
      while (x < old_end || y < now_end) {
        if (y == now_end || (x < old_end && before[x].law < after[y].law)) {
          note(before[x].law, before[x], open);
          ++x;
        } else if (x == old_end || after[y].law < before[x].law) {
          note(after[y].law, open, after[y]);
          ++y;
        } else {
          note(after[y].law, before[x], after[y]);
          ++x, ++y;
        }
      }
    }
    i = old_end;
    j = now_end;
  }
  return found;
}

}  // namespace cairn
