// SPDX-License-Identifier: Apache-2.0
// Moving pictures as GIF files (CompuServe, GIF89a specification, 1990): 255 colours for the whole movie, found by
// median cut (Heckbert 1982), and of every frame only what changed.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "cairn/io/output_file.h"
#include "cairn/io/png.h"

namespace cairn {

using GifColour = std::array<std::uint8_t, 3>;

/// At most `most` colours that stand for all pixels of the images.
std::vector<GifColour> find_palette(std::span<const Image> images, std::size_t most = 255);

/// Writes frame after frame; nothing is kept but the last one. Colours between those of the palette are made by an
/// ordered dither, which stays where it is from frame to frame.
class GifWriter {
 public:
  /// Throws Error when the file cannot be written, the size is not 1 to 65535 or there are more than 50 frames per
  /// second (most viewers slow such files down).
  GifWriter(const std::filesystem::path& path, int width, int height, double frames_per_second,
            std::vector<GifColour> palette);
  void add(const Image& image);
  void finish();

 private:
  std::uint8_t nearest(int r, int g, int b);
  OutputFile file_;
  int width_, height_;
  double fps_;
  std::vector<GifColour> palette_;
  std::vector<std::int16_t> known_;  ///< nearest colour of every 6-bit colour; -1: not yet asked
  std::vector<std::uint8_t> last_;   ///< indices of the frame before
  std::int64_t frames_ = 0;
};

/// Variable-length codes of Lempel, Ziv and Welch as GIF has them (appendix F), without the sub-blocks around them.
std::vector<std::uint8_t> gif_lzw(std::span<const std::uint8_t> indices, int bits);

}  // namespace cairn
