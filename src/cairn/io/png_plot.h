// SPDX-License-Identifier: Apache-2.0
// Plots as pixels: the picture that svg_plot.h writes as text, for places that take no SVG.
#pragma once
#include <span>

#include "cairn/io/png.h"
#include "cairn/io/svg_plot.h"

namespace cairn {

/// Several plots under each other, as wide as the widest, on white. Throws Error as to_svg() does. Text has the
/// characters of bitmap_font.h; of others that plots use there are spellings (a minus, a multiplication sign), the rest
/// becomes '?'.
Image draw_plots(std::span<const Plot> plots);

}  // namespace cairn
