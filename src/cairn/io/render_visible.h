// SPDX-License-Identifier: Apache-2.0
// Which triangle or ball every sample of a picture sees.
#pragma once
#include <vector>

#include "cairn/io/raster.h"
#include "cairn/io/render_triangles.h"

namespace cairn {

/// Balls are numbered after the triangles. Bands of rows are drawn at the same time; the result does not depend on it.
VisibilityBuffer draw_visible(const std::vector<RenderTriangle>& triangles, const std::vector<PlacedBall>& balls,
                              const Projection& projection, int width, int height, Threads threads);

}  // namespace cairn
