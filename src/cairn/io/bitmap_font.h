// SPDX-License-Identifier: Apache-2.0
// Short labels on pictures: a 5 x 9 dot alphabet whose neighbouring dots are joined by round strokes.
#pragma once
#include <string_view>

#include "cairn/io/png.h"
#include "cairn/math/types.h"

namespace cairn {

/// Width in pixels of a line of text whose capitals are 7 dots of `dot` pixels high.
double text_width(std::string_view text, double dot);

/// Draws one line over the image with its baseline starting at (x, y) in pixels. Bytes that are not printable ASCII
/// become one '?' per character (UTF-8 continuation bytes are skipped). What lies outside the image is cut off.
void draw_text(Image& image, std::string_view text, double x, double y, double dot, const Vec3& colour);

}  // namespace cairn
