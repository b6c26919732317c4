// SPDX-License-Identifier: Apache-2.0
// Pictures of 8-bit RGB pixels and their PNG file (W3C Portable Network Graphics, third edition).
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

namespace cairn {

/// Rows from top to bottom, three sRGB bytes per pixel.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  ///< size 3 * width * height

  const std::uint8_t* pixel(int x, int y) const {
    return &rgb[3 * (std::size_t(y) * std::size_t(width) + std::size_t(x))];
  }
  std::uint8_t* pixel(int x, int y) { return &rgb[3 * (std::size_t(y) * std::size_t(width) + std::size_t(x))]; }
};

/// The bytes of a PNG file: colour type 2, depth 8, not interlaced, marked sRGB.
std::vector<std::uint8_t> encode_png(const Image& image);

/// Writes the file under a temporary name beside it and renames it, so that a half-written picture is never seen.
void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace cairn
