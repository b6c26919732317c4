// SPDX-License-Identifier: Apache-2.0
// The legend of a picture: what its colours and marks mean, with units, in a panel over the picture.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cairn/io/png.h"
#include "cairn/math/types.h"

namespace cairn {

struct LegendEntry {
  enum class Mark { Swatch, Dot, Line, Arrow };
  Mark mark = Mark::Swatch;
  Vec3 colour = Vec3::Zero();
  std::string text;
};

/// A scale of colours from `low` to `high`.
struct LegendBar {
  std::string title, unit;
  double low = 0, high = 1;
};

struct Legend {
  std::vector<LegendEntry> entries;
  std::optional<LegendBar> bar;
  bool empty() const { return entries.empty() && !bar; }
};

/// From pale stone over orange to dark violet as t goes from 0 to 1: lightness falls evenly, so that it reads in grey
/// and with every kind of colour vision, and bodies at rest stay pale.
Vec3 scale_colour(double t);

/// Draws the panel in the top right corner. Text is cut where the picture is too narrow for it.
void draw_legend(Image& image, const Legend& legend);

}  // namespace cairn
