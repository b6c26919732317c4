// SPDX-License-Identifier: Apache-2.0
// The alphabet, drawn for Cairn: rows from the top, 7 above the baseline and up to 2 below.
#include "cairn/io/bitmap_font.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace cairn {
namespace {

constexpr int kColumns = 5, kRows = 9, kAdvance = 6;

// ' ' to '~' in ASCII order.
constexpr std::array<std::string_view, 95> kGlyphs = {
    "",
    "..#.. ..#.. ..#.. ..#.. ..#.. ..... ..#..",              // !
    ".#.#. .#.#. .....",                                      // "
    ".#.#. .#.#. ##### .#.#. ##### .#.#. .#.#.",              // #
    "..#.. .#### #.#.. .###. ..#.# ####. ..#..",              // $
    "##..# ##..# ...#. ..#.. .#... #..## #..##",              // %
    ".##.. #..#. #..#. .##.. #..## #..#. .##.#",              // &
    "..#.. ..#.. .....",                                      // '
    "...#. ..#.. .#... .#... .#... ..#.. ...#.",              // (
    ".#... ..#.. ...#. ...#. ...#. ..#.. .#...",              // )
    "..... #.#.# .###. ..#.. .###. #.#.# .....",              // *
    "..... ..#.. ..#.. ##### ..#.. ..#.. .....",              // +
    "..... ..... ..... ..... ..... ..#.. ..#.. .#...",        // ,
    "..... ..... ..... .###. ..... ..... .....",              // -
    "..... ..... ..... ..... ..... ..... ..#..",              // .
    "....# ....# ...#. ..#.. .#... #.... #....",              // /
    ".###. #...# #...# #.#.# #...# #...# .###.",              // 0
    "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",              // 1
    ".###. #...# ....# ...#. ..#.. .#... #####",              // 2
    ".###. #...# ....# ..##. ....# #...# .###.",              // 3
    "...#. ..##. .#.#. #..#. ##### ...#. ...#.",              // 4
    "##### #.... ####. ....# ....# #...# .###.",              // 5
    "..##. .#... #.... ####. #...# #...# .###.",              // 6
    "##### ....# ....# ...#. ..#.. ..#.. ..#..",              // 7
    ".###. #...# #...# .###. #...# #...# .###.",              // 8
    ".###. #...# #...# .#### ....# ...#. .##..",              // 9
    "..... ..... ..#.. ..... ..... ..... ..#..",              // :
    "..... ..... ..#.. ..... ..... ..#.. ..#.. .#...",        // ;
    "....# ...#. ..#.. .#... ..#.. ...#. ....#",              // <
    "..... ..... ##### ..... ##### ..... .....",              // =
    "#.... .#... ..#.. ...#. ..#.. .#... #....",              // >
    ".###. #...# ....# ...#. ..#.. ..... ..#..",              // ?
    ".###. #...# #.### #.#.# #.### #.... .###.",              // @
    "..#.. .#.#. .#.#. #...# ##### #...# #...#",              // A
    "####. #...# #...# ####. #...# #...# ####.",              // B
    ".###. #...# #.... #.... #.... #...# .###.",              // C
    "####. #...# #...# #...# #...# #...# ####.",              // D
    "##### #.... #.... ####. #.... #.... #####",              // E
    "##### #.... #.... ####. #.... #.... #....",              // F
    ".###. #...# #.... #..## #...# #...# .###.",              // G
    "#...# #...# #...# ##### #...# #...# #...#",              // H
    ".###. ..#.. ..#.. ..#.. ..#.. ..#.. .###.",              // I
    "..### ...#. ...#. ...#. ...#. #..#. .##..",              // J
    "#...# #..#. #.#.. ##... #.#.. #..#. #...#",              // K
    "#.... #.... #.... #.... #.... #.... #####",              // L
    "#...# ##.## #.#.# #.#.# #...# #...# #...#",              // M
    "#...# ##..# ##..# #.#.# #..## #..## #...#",              // N
    ".###. #...# #...# #...# #...# #...# .###.",              // O
    "####. #...# #...# ####. #.... #.... #....",              // P
    ".###. #...# #...# #...# #.#.# #..#. .##.#",              // Q
    "####. #...# #...# ####. #.#.. #..#. #...#",              // R
    ".#### #.... #.... .###. ....# ....# ####.",              // S
    "##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#..",              // T
    "#...# #...# #...# #...# #...# #...# .###.",              // U
    "#...# #...# #...# .#.#. .#.#. .#.#. ..#..",              // V
    "#...# #...# #...# #.#.# #.#.# ##.## #...#",              // W
    "#...# #...# .#.#. ..#.. .#.#. #...# #...#",              // X
    "#...# #...# .#.#. ..#.. ..#.. ..#.. ..#..",              // Y
    "##### ....# ...#. ..#.. .#... #.... #####",              // Z
    "..##. ..#.. ..#.. ..#.. ..#.. ..#.. ..##.",              // [
    "#.... #.... .#... ..#.. ...#. ....# ....#",              // backslash
    ".##.. ..#.. ..#.. ..#.. ..#.. ..#.. .##..",              // ]
    "..#.. .#.#. #...# .....",                                // ^
    "..... ..... ..... ..... ..... ..... ..... #####",        // _
    ".#... ..#.. .....",                                      // `
    "..... ..... .###. ....# .#### #...# .####",              // a
    "#.... #.... ####. #...# #...# #...# ####.",              // b
    "..... ..... .#### #.... #.... #.... .####",              // c
    "....# ....# .#### #...# #...# #...# .####",              // d
    "..... ..... .###. #...# ##### #.... .####",              // e
    "..##. .#... .#... ####. .#... .#... .#...",              // f
    "..... ..... .#### #...# #...# #...# .#### ....# .###.",  // g
    "#.... #.... ####. #...# #...# #...# #...#",              // h
    "..#.. ..... ..#.. ..#.. ..#.. ..#.. ..#..",              // i
    "...#. ..... ...#. ...#. ...#. ...#. ...#. ...#. .##..",  // j
    "#.... #.... #..#. #.#.. ##... #.#.. #..#.",              // k
    ".##.. ..#.. ..#.. ..#.. ..#.. ..#.. ...#.",              // l
    "..... ..... ##.#. #.#.# #.#.# #.#.# #.#.#",              // m
    "..... ..... ####. #...# #...# #...# #...#",              // n
    "..... ..... .###. #...# #...# #...# .###.",              // o
    "..... ..... ####. #...# #...# #...# ####. #.... #....",  // p
    "..... ..... .#### #...# #...# #...# .#### ....# ....#",  // q
    "..... ..... .#.## .##.. .#... .#... .#...",              // r
    "..... ..... .#### #.... .###. ....# ####.",              // s
    ".#... .#... ####. .#... .#... .#... ..##.",              // t
    "..... ..... #...# #...# #...# #...# .####",              // u
    "..... ..... #...# #...# .#.#. .#.#. ..#..",              // v
    "..... ..... #...# #.#.# #.#.# #.#.# .#.#.",              // w
    "..... ..... #...# .#.#. ..#.. .#.#. #...#",              // x
    "..... ..... #...# #...# #...# #...# .#### ....# .###.",  // y
    "..... ..... ##### ...#. ..#.. .#... #####",              // z
    "...#. ..#.. ..#.. .#... ..#.. ..#.. ...#.",              // {
    "..#.. ..#.. ..#.. ..#.. ..#.. ..#.. ..#..",              // |
    ".#... ..#.. ..#.. ...#. ..#.. ..#.. .#...",              // }
    "..... ..... .#..# #.#.# #..#. ..... .....",              // ~
};

bool dot_at(std::string_view glyph, int column, int row) {
  if (column < 0 || column >= kColumns || row < 0) return false;
  const std::size_t k = std::size_t(row) * (kColumns + 1) + std::size_t(column);
  return k < glyph.size() && glyph[k] == '#';
}

struct Stroke {
  Vec2 from, to;  // in dots, from the top left dot of the glyph
};

// Joins dots along rows and columns, and along diagonals where no corner dot already joins them.
std::vector<Stroke> strokes_of(std::string_view glyph) {
  std::vector<Stroke> strokes;
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column) {
      if (!dot_at(glyph, column, row)) continue;
      const Vec2 here(column, row);
      strokes.push_back({here, here});
      const bool right = dot_at(glyph, column + 1, row), below = dot_at(glyph, column, row + 1);
      if (right) strokes.push_back({here, here + Vec2(1, 0)});
      if (below) strokes.push_back({here, here + Vec2(0, 1)});
      if (!right && !below && dot_at(glyph, column + 1, row + 1)) strokes.push_back({here, here + Vec2(1, 1)});
      if (!dot_at(glyph, column - 1, row) && !below && dot_at(glyph, column - 1, row + 1))
        strokes.push_back({here, here + Vec2(-1, 1)});
    }
  return strokes;
}

double distance_to(const Stroke& s, const Vec2& p) {
  const Vec2 along = s.to - s.from;
  const double squared = along.squaredNorm();
  const double t = squared > 0 ? std::clamp((p - s.from).dot(along) / squared, 0.0, 1.0) : 0.0;
  return (p - s.from - t * along).norm();
}

std::vector<int> glyph_numbers(std::string_view text) {
  std::vector<int> numbers;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80) continue;  // inside a UTF-8 character already counted
    numbers.push_back(byte >= 32 && byte < 127 ? byte - 32 : '?' - 32);
  }
  return numbers;
}

}  // namespace

double text_width(std::string_view text, double dot) { return double(glyph_numbers(text).size()) * kAdvance * dot; }

void draw_text(Image& image, std::string_view text, double x, double y, double dot, const Vec3& colour) {
  constexpr double half_width = 0.52;  // of a stroke, in dots
  double left = x;
  for (const int number : glyph_numbers(text)) {
    const std::vector<Stroke> strokes = strokes_of(kGlyphs[std::size_t(number)]);
    const int x0 = std::max(0, int(left - 2 * dot)), x1 = std::min(image.width - 1, int(left + (kColumns + 1) * dot));
    const int y0 = std::max(0, int(y - 8 * dot)), y1 = std::min(image.height - 1, int(y + 4 * dot));
    for (int py = y0; py <= y1; ++py)
      for (int px = x0; px <= x1; ++px) {
        const Vec2 p((px + 0.5 - left) / dot - 0.5, (py + 0.5 - y) / dot + 6.5);
        double nearest = 1e9;
        for (const Stroke& s : strokes) nearest = std::min(nearest, distance_to(s, p));
        const double cover = std::clamp((half_width - nearest) * dot + 0.5, 0.0, 1.0);
        if (cover <= 0) continue;
        std::uint8_t* out = image.pixel(px, py);
        for (int k = 0; k < 3; ++k)
          out[k] = std::uint8_t(std::lround(out[k] + cover * (255 * std::clamp(colour[k], 0.0, 1.0) - out[k])));
      }
    left += kAdvance * dot;
  }
}

}  // namespace cairn
