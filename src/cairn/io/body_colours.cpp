// SPDX-License-Identifier: Apache-2.0
// Palettes for things that are told apart, one scale for numbers.
#include "cairn/io/body_colours.h"

#include <algorithm>
#include <array>
#include <map>

namespace cairn {
namespace {

/// Stone, brick, slate, moss, sand, heather...: calm tones that differ in hue and in lightness.
constexpr std::array<std::array<double, 3>, 10> kPalette{{{0.80, 0.52, 0.38},
                                                          {0.42, 0.56, 0.70},
                                                          {0.56, 0.66, 0.42},
                                                          {0.86, 0.74, 0.46},
                                                          {0.60, 0.48, 0.64},
                                                          {0.40, 0.62, 0.60},
                                                          {0.78, 0.60, 0.62},
                                                          {0.52, 0.50, 0.46},
                                                          {0.70, 0.72, 0.78},
                                                          {0.66, 0.40, 0.34}}};
const Vec3 kFixedColour{0.66, 0.66, 0.65};
const Vec3 kDrivenColour{0.50, 0.54, 0.60};

Vec3 palette(std::size_t hue) {
  const auto& c = kPalette[hue % kPalette.size()];
  return {c[0], c[1], c[2]};
}

/// Numbers of the words in the order in which they first come.
using Words = std::map<std::string, std::size_t>;
std::size_t number_of(Words& words, const std::string& word) {
  return words.try_emplace(word, words.size()).first->second;
}

bool is_drawn(const PictureBody& body) { return body.shape && !std::holds_alternative<HalfSpace>(*body.shape); }

void add_words(const Words& words, Legend& legend) {
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [word, number] : words) order.emplace_back(number, word);
  std::sort(order.begin(), order.end());
  constexpr std::size_t most = 8;
  for (const auto& [number, word] : order) {
    if (number >= most) {
      legend.entries.push_back(
          {LegendEntry::Mark::Swatch, kFixedColour, fmt::format("and {} more", words.size() - most)});
      break;
    }
    legend.entries.push_back({LegendEntry::Mark::Swatch, palette(number), word});
  }
}

/// Bodies of one material have one hue; their lightness varies a little so that neighbours can be told apart. Where all
/// bodies have the same material each has a hue of its own.
std::vector<Vec3> colour_by_material(const PictureScene& scene, Legend& legend) {
  Words materials, fixed;
  for (const PictureBody& body : scene.bodies) {
    if (!is_drawn(body)) continue;
    if (body.moves) number_of(materials, body.material);
    if (!body.moves && !body.driven) number_of(fixed, body.material);
  }
  std::vector<Vec3> colours;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const PictureBody& body = scene.bodies[i];
    if (body.driven || !is_drawn(body)) {
      colours.push_back(body.driven ? kDrivenColour : kFixedColour);
    } else if (!body.moves) {  // of several materials in turn light and dark
      colours.push_back((fixed.at(body.material) % 2 ? 0.5 : 1.0) * kFixedColour);
    } else if (materials.size() > 1) {
      colours.push_back(
          ((0.90 + 0.05 * static_cast<double>(i * 7 % 5)) * palette(materials.at(body.material))).cwiseMin(1.0));
    } else {
      colours.push_back(palette(i));
    }
  }
  if (materials.size() > 1) add_words(materials, legend);
  return colours;
}

std::vector<Vec3> colour_by_kind(const PictureScene& scene, Legend& legend) {
  Words kinds;
  std::vector<Vec3> colours;
  for (const PictureBody& body : scene.bodies) {
    if (!is_drawn(body)) {
      colours.push_back(kFixedColour);
    } else if (body.kind == "fixed") {
      colours.push_back(kFixedColour);
    } else {
      colours.push_back(palette(number_of(kinds, body.kind)));
    }
  }
  add_words(kinds, legend);
  return colours;
}

std::vector<Vec3> colour_by_island(const PictureScene& scene, Legend& legend) {
  const std::vector<int> islands = find_islands(scene);
  std::vector<Vec3> colours;
  int count = 0;
  for (std::size_t i = 0; i < islands.size(); ++i) {
    colours.push_back(islands[i] >= 0          ? palette(static_cast<std::size_t>(islands[i]))
                      : scene.bodies[i].driven ? kDrivenColour
                                               : kFixedColour);
    count = std::max(count, islands[i] + 1);
  }
  legend.entries.push_back(
      {LegendEntry::Mark::Swatch, palette(0), fmt::format("{} island{}", count, count == 1 ? "" : "s")});
  return colours;
}

template <class Get>
std::vector<Vec3> colour_by_number(const PictureScene& scene, const LegendBar& bar, Legend& legend, Get&& get) {
  std::vector<Vec3> colours;
  for (const PictureBody& body : scene.bodies)
    colours.push_back(body.moves    ? scale_colour(bar.high > 0 ? get(body) / bar.high : 0)
                      : body.driven ? kDrivenColour
                                    : kFixedColour);
  legend.bar = bar;
  return colours;
}

}  // namespace

std::span<const BodyColouringInfo> body_colourings() {
  static constexpr std::array<BodyColouringInfo, 5> list{{
      {BodyColouring::Material, "material", "one hue per material; where all have the same, one per body"},
      {BodyColouring::Speed, "speed", "of the body's origin"},
      {BodyColouring::Displacement, "displacement", "of the body's origin since the start"},
      {BodyColouring::Island, "island", "one hue per group of bodies that press on each other or are joined"},
      {BodyColouring::Kind, "kind", "rigid, affine, prescribed..."},
  }};
  return list;
}

std::vector<Vec3> colour_bodies(const PictureScene& scene, BodyColouring colouring, const ColourScales& scales,
                                Legend& legend) {
  switch (colouring) {
    case BodyColouring::Speed:
      return colour_by_number(scene, {"speed", "m/s", 0, scales.speed}, legend,
                              [](const PictureBody& b) { return b.speed(); });
    case BodyColouring::Displacement:
      return colour_by_number(scene, {"displacement", "m", 0, scales.displacement}, legend,
                              [](const PictureBody& b) { return b.displacement(); });
    case BodyColouring::Island: return colour_by_island(scene, legend);
    case BodyColouring::Kind: return colour_by_kind(scene, legend);
    case BodyColouring::Material: break;
  }
  return colour_by_material(scene, legend);
}

}  // namespace cairn
