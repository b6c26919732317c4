// SPDX-License-Identifier: Apache-2.0
// The encoder: palette, dither, changed rectangle, codes, blocks.
#include "cairn/io/gif.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "cairn/base/error.h"

namespace cairn {
namespace {

constexpr int kClear = 8;  // bits of a pixel; the clear code is 2^8
constexpr std::uint8_t kTransparent = 255;

void put16(std::string& out, int value) {
  out += static_cast<char>(value & 255);
  out += static_cast<char>(value >> 8 & 255);
}

/// Thresholds of an 8 x 8 ordered dither (Bayer 1973), -0.5 to 0.5.
double threshold(int x, int y) {
  int value = 0;
  for (int bit = 0; bit < 3; ++bit) {
    const int a = x >> bit & 1, b = y >> bit & 1;
    value = value << 2 | ((a ^ b) << 1) | b;
  }
  // The lowest bits of the place decide the highest bits of the threshold.
  return (value + 0.5) / 64 - 0.5;
}

struct CountedColour {
  GifColour colour;
  std::uint32_t count;
};

/// A box of colours, cut at the median of its longest side.
struct ColourBox {
  std::size_t begin, end;
  int axis = 0;
  double spread = 0;  ///< of the longest side, times the root of how often its colours come
};

ColourBox measure(const std::vector<CountedColour>& colours, std::size_t begin, std::size_t end) {
  ColourBox box{begin, end};
  std::array<int, 3> low{255, 255, 255}, high{0, 0, 0};
  double count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    count += colours[i].count;
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], int(colours[i].colour[k]));
      high[k] = std::max(high[k], int(colours[i].colour[k]));
    }
  }
  for (int k = 0; k < 3; ++k)
    if (high[std::size_t(k)] - low[std::size_t(k)] > high[std::size_t(box.axis)] - low[std::size_t(box.axis)])
      box.axis = k;
  box.spread = (high[std::size_t(box.axis)] - low[std::size_t(box.axis)]) * std::sqrt(count);
  return box;
}

}  // namespace

std::vector<GifColour> find_palette(std::span<const Image> images, std::size_t most) {
  // Colours are counted in cells of 5 bits, each with the mean of what fell into it.
  struct Cell {
    std::uint32_t count = 0;
    std::array<std::uint64_t, 3> sum{};
  };
  std::vector<Cell> cells(1 << 15);
  for (const Image& image : images)
    for (std::size_t i = 0; i + 3 <= image.rgb.size(); i += 3) {
      const std::uint8_t* p = &image.rgb[i];
      Cell& cell = cells[std::size_t(p[0] >> 3) << 10 | std::size_t(p[1] >> 3) << 5 | std::size_t(p[2] >> 3)];
      ++cell.count;
      for (std::size_t k = 0; k < 3; ++k) cell.sum[k] += p[k];
    }
  std::vector<CountedColour> colours;
  for (const Cell& cell : cells) {
    if (cell.count == 0) continue;
    CountedColour c{{}, cell.count};
    for (std::size_t k = 0; k < 3; ++k) c.colour[k] = std::uint8_t((cell.sum[k] + cell.count / 2) / cell.count);
    colours.push_back(c);
  }
  std::vector<ColourBox> boxes;
  if (!colours.empty()) boxes.push_back(measure(colours, 0, colours.size()));
  while (boxes.size() < most) {
    const auto widest = std::max_element(boxes.begin(), boxes.end(),
                                         [](const ColourBox& a, const ColourBox& b) { return a.spread < b.spread; });
    if (widest == boxes.end() || !(widest->spread > 0)) break;
    const ColourBox box = *widest;
    const auto begin = colours.begin() + std::ptrdiff_t(box.begin), end = colours.begin() + std::ptrdiff_t(box.end);
    std::sort(begin, end, [&](const CountedColour& a, const CountedColour& b) {
      return std::pair(a.colour[std::size_t(box.axis)], a.colour) <
             std::pair(b.colour[std::size_t(box.axis)], b.colour);
    });
    std::uint64_t total = 0, half = 0;
    for (auto it = begin; it != end; ++it) total += it->count;
    std::size_t cut = box.begin;
    while (cut + 1 < box.end && (half + colours[cut].count) * 2 <= total) half += colours[cut++].count;
    cut = std::max(cut, box.begin + 1);
    *widest = measure(colours, box.begin, cut);
    boxes.push_back(measure(colours, cut, box.end));
  }
  std::vector<GifColour> palette;
  for (const ColourBox& box : boxes) {
    std::array<double, 3> sum{};
    double count = 0;
    for (std::size_t i = box.begin; i < box.end; ++i) {
      count += colours[i].count;
      for (std::size_t k = 0; k < 3; ++k) sum[k] += double(colours[i].count) * colours[i].colour[k];
    }
    palette.push_back({});
    for (std::size_t k = 0; k < 3; ++k) palette.back()[k] = std::uint8_t(std::lround(sum[k] / count));
  }
  return palette;
}

std::vector<std::uint8_t> gif_lzw(std::span<const std::uint8_t> indices, int bits) {
  const int clear = 1 << bits, stop = clear + 1;
  constexpr int largest = 4096;
  std::vector<std::uint8_t> out;
  std::uint32_t buffer = 0;
  int filled = 0, width = bits + 1, next = stop + 1;
  const auto put = [&](int code) {
    buffer |= std::uint32_t(code) << filled;
    for (filled += width; filled >= 8; filled -= 8, buffer >>= 8) out.push_back(std::uint8_t(buffer));
  };
  // The table is a tree: child[code * 256 + pixel] is the code of the string one pixel longer.
  std::vector<std::int16_t> child(std::size_t(largest) * 256, -1);
  put(clear);
  int prefix = -1;
  for (const std::uint8_t pixel : indices) {
    if (prefix < 0) {
      prefix = pixel;
      continue;
    }
    std::int16_t& known = child[std::size_t(prefix) * 256 + pixel];
    if (known >= 0) {
      prefix = known;
      continue;
    }
    put(prefix);
    if (next < largest) {
      known = std::int16_t(next);
      // The reader is one code behind: the width grows when the code that no longer fits has just been made.
      if (next == 1 << width) ++width;
      ++next;
    } else {
      put(clear);
      std::fill(child.begin(), child.end(), std::int16_t(-1));
      width = bits + 1;
      next = stop + 1;
    }
    prefix = pixel;
  }
  if (prefix >= 0) {
    put(prefix);
    // The reader makes one more code here, too.
    if (next == 1 << width && width < 12) ++width;
  }
  put(stop);
  if (filled > 0) out.push_back(std::uint8_t(buffer));
  return out;
}

GifWriter::GifWriter(const std::filesystem::path& path, int width, int height, double frames_per_second,
                     std::vector<GifColour> palette)
    : file_(path),
      width_(width),
      height_(height),
      fps_(frames_per_second),
      palette_(std::move(palette)),
      known_(1 << 18, -1) {
  if (width < 1 || height < 1 || width > 65535 || height > 65535)
    throw Error("{}: a GIF of {} x {} pixels cannot be; must be 1 to 65535", path.string(), width, height);
  if (!(frames_per_second > 0 && frames_per_second <= 50))
    throw Error("{}: {} frames per second cannot be shown by a GIF; must be > 0 and <= 50", path.string(),
                frames_per_second);
  if (palette_.empty()) palette_.push_back({});
  palette_.resize(std::min<std::size_t>(palette_.size(), 255));
  std::string head = "GIF89a";
  put16(head, width);
  put16(head, height);
  head += static_cast<char>(0xF7);  // a table of 256 colours, 8 bits each
  head += '\0';
  head += '\0';
  for (std::size_t i = 0; i < 256; ++i) {
    const GifColour c = i < palette_.size() ? palette_[i] : GifColour{};
    head.append(reinterpret_cast<const char*>(c.data()), 3);
  }
  head += std::string("\x21\xFF\x0BNETSCAPE2.0\x03\x01\x00\x00\x00", 19);  // begins again at its end
  file_.write(head);
}

std::uint8_t GifWriter::nearest(int r, int g, int b) {
  std::int16_t& known = known_[std::size_t(r >> 2) << 12 | std::size_t(g >> 2) << 6 | std::size_t(b >> 2)];
  if (known >= 0) return std::uint8_t(known);
  // Of the middle of the cell; green counts most for the eye, blue least.
  const int mr = (r & 252) + 2, mg = (g & 252) + 2, mb = (b & 252) + 2;
  int best = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < palette_.size(); ++i) {
    const int dr = mr - palette_[i][0], dg = mg - palette_[i][1], db = mb - palette_[i][2];
    const int distance = 3 * dr * dr + 4 * dg * dg + 2 * db * db;
    if (distance < best) {
      best = distance;
      known = std::int16_t(i);
    }
  }
  return std::uint8_t(known);
}

void GifWriter::add(const Image& image) {
  if (image.width != width_ || image.height != height_)
    throw Error("gif: a frame of {} x {} pixels in a movie of {} x {}", image.width, image.height, width_, height_);
  std::vector<std::uint8_t> now(std::size_t(width_) * std::size_t(height_));
  constexpr double amplitude = 9;  // about the distance of neighbouring colours of a palette of 255
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x) {
      const std::uint8_t* p = image.pixel(x, y);
      const int d = int(std::lround(amplitude * threshold(x & 7, y & 7)));
      now[std::size_t(y) * std::size_t(width_) + std::size_t(x)] =
          nearest(std::clamp(p[0] + d, 0, 255), std::clamp(p[1] + d, 0, 255), std::clamp(p[2] + d, 0, 255));
    }
  // The rectangle that changed; inside it what did not is transparent.
  int x0 = 0, y0 = 0, x1 = width_ - 1, y1 = height_ - 1;
  const bool first = last_.empty();
  if (!first) {
    x0 = width_, y0 = height_, x1 = 0, y1 = 0;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const std::size_t i = std::size_t(y) * std::size_t(width_) + std::size_t(x);
        if (now[i] == last_[i]) continue;
        x0 = std::min(x0, x), x1 = std::max(x1, x);
        y0 = std::min(y0, y), y1 = std::max(y1, y);
      }
    if (x0 > x1) x0 = x1 = y0 = y1 = 0;  // nothing: one pixel
  }
  std::vector<std::uint8_t> pixels;
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const std::size_t i = std::size_t(y) * std::size_t(width_) + std::size_t(x);
      pixels.push_back(!first && now[i] == last_[i] ? kTransparent : now[i]);
    }
  // Delays are whole hundredths of a second; rounding is not carried from frame to frame.
  const auto at = [&](std::int64_t frame) { return std::llround(100 * double(frame) / fps_); };
  std::string out("\x21\xF9\x04", 3);
  out += static_cast<char>(first ? 0x04 : 0x05);  // left in place; transparent
  put16(out, int(std::min<long long>(at(frames_ + 1) - at(frames_), 65535)));
  out += static_cast<char>(kTransparent);
  out += '\0';
  out += '\x2C';
  for (const int value : {x0, y0, x1 - x0 + 1, y1 - y0 + 1}) put16(out, value);
  out += '\0';
  out += static_cast<char>(kClear);
  const std::vector<std::uint8_t> codes = gif_lzw(pixels, kClear);
  for (std::size_t i = 0; i < codes.size(); i += 255) {
    const std::size_t n = std::min<std::size_t>(255, codes.size() - i);
    out += static_cast<char>(n);
    out.append(reinterpret_cast<const char*>(&codes[i]), n);
  }
  out += '\0';
  file_.write(out);
  last_ = std::move(now);
  ++frames_;
}

void GifWriter::finish() {
  file_.write(";");
  file_.finish();
}

}  // namespace cairn
