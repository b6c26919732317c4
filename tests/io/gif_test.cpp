// SPDX-License-Identifier: Apache-2.0
// GIF files are read back by a reader of our own, written from the specification and sharing nothing with the writer.
#include "cairn/io/gif.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "cairn/base/error.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;

/// Appendix F of the specification: codes back into indices.
std::vector<std::uint8_t> unpack(const std::vector<std::uint8_t>& bytes, int bits) {
  const int clear = 1 << bits;
  std::vector<std::vector<std::uint8_t>> table;
  std::vector<std::uint8_t> out;
  int width = bits + 1, previous = -1;
  std::size_t position = 0;
  const auto reset = [&] {
    table.clear();
    for (int i = 0; i < clear; ++i) table.push_back({std::uint8_t(i)});
    table.resize(std::size_t(clear) + 2);
    width = bits + 1;
    previous = -1;
  };
  reset();
  while (position + std::size_t(width) <= 8 * bytes.size()) {
    int code = 0;
    for (int k = 0; k < width; ++k, ++position) code |= (bytes[position / 8] >> (position % 8) & 1) << k;
    if (code == clear) {
      reset();
      continue;
    }
    if (code == clear + 1) return out;
    std::vector<std::uint8_t> text;
    if (std::size_t(code) < table.size()) {
      text = table[std::size_t(code)];
    } else {
      EXPECT_EQ(std::size_t(code), table.size());
      EXPECT_GE(previous, 0);
      if (previous < 0) return {};
      text = table[std::size_t(previous)];
      text.push_back(text[0]);
    }
    out.insert(out.end(), text.begin(), text.end());
    if (previous >= 0 && table.size() < 4096) {
      table.push_back(table[std::size_t(previous)]);
      table.back().push_back(text[0]);
    }
    if (table.size() == std::size_t(1) << width && width < 12) ++width;
    previous = code;
  }
  ADD_FAILURE() << "no stop code";
  return out;
}

TEST(Gif, codes_come_back_whatever_was_packed) {
  std::mt19937 random(3);
  for (const int colours : {1, 2, 7, 256})
    for (const std::size_t length : {0u, 1u, 2u, 255u, 256u, 257u, 3000u, 60000u}) {
      std::vector<std::uint8_t> data(length);
      for (std::uint8_t& x : data) x = std::uint8_t(random() % std::uint32_t(colours));
      EXPECT_EQ(unpack(gif_lzw(data, 8), 8), data) << colours << " colours, " << length;
    }
}

struct GifFrame {
  int delay = 0;
  Image image;
};
std::vector<GifFrame> read_gif(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<std::uint8_t> b{std::istreambuf_iterator<char>(file), {}};
  std::vector<GifFrame> frames;
  EXPECT_EQ(std::string(b.begin(), b.begin() + 6), "GIF89a");
  const auto two = [&](std::size_t i) { return b[i] + 256 * b[i + 1]; };
  const int width = two(6), height = two(8);
  EXPECT_EQ(b[10] & 0x87, 0x87);
  const std::uint8_t* palette = &b[13];
  Image canvas{width, height, std::vector<std::uint8_t>(std::size_t(3 * width * height))};
  int delay = 0, transparent = -1;
  for (std::size_t i = 13 + 768; i < b.size();) {
    if (b[i] == 0x3B) return frames;
    if (b[i] == 0x21) {
      if (b[i + 1] == 0xF9) {
        delay = two(i + 4);
        transparent = b[i + 3] & 1 ? b[i + 6] : -1;
      }
      for (i += 2; b[i] != 0; i += std::size_t(b[i]) + 1) {
      }
      ++i;
      continue;
    }
    EXPECT_EQ(b[i], 0x2C);
    const int x0 = two(i + 1), y0 = two(i + 3), w = two(i + 5), h = two(i + 7), bits = b[i + 10];
    EXPECT_LE(x0 + w, width);
    EXPECT_LE(y0 + h, height);
    std::vector<std::uint8_t> packed;
    for (i += 11; b[i] != 0; i += std::size_t(b[i]) + 1) packed.insert(packed.end(), &b[i] + 1, &b[i] + 1 + b[i]);
    ++i;
    const std::vector<std::uint8_t> pixels = unpack(packed, bits);
    EXPECT_EQ(pixels.size(), std::size_t(w * h));
    for (std::size_t k = 0; k < pixels.size(); ++k)
      if (pixels[k] != transparent)
        std::copy_n(palette + 3 * pixels[k], 3, canvas.pixel(x0 + int(k) % w, y0 + int(k) / w));
    frames.push_back({delay, canvas});
  }
  ADD_FAILURE() << "the file ends without its end";
  return frames;
}

class GifTest : public testing::Test {
 protected:
  GifTest() {
    std::string name = (fs::temp_directory_path() / "cairn_gif_XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~GifTest() override { fs::remove_all(folder); }
  fs::path folder;
};

Image flat(int width, int height, GifColour colour) {
  Image image{width, height, {}};
  for (int i = 0; i < width * height; ++i) image.rgb.insert(image.rgb.end(), colour.begin(), colour.end());
  return image;
}

TEST_F(GifTest, a_moving_square_is_where_it_was_in_every_frame) {
  std::vector<Image> images;
  for (int k = 0; k < 5; ++k) {
    images.push_back(flat(40, 30, {250, 250, 250}));
    for (int y = 10; y < 16; ++y)
      for (int x = 5 * k; x < 5 * k + 6; ++x) {
        images.back().pixel(x, y)[1] = 10;
        images.back().pixel(x, y)[2] = 10;
      }
  }
  images.push_back(images.back());  // a frame in which nothing changes
  GifWriter gif(folder / "x.gif", 40, 30, 30, find_palette(images));
  for (const Image& image : images) gif.add(image);
  gif.finish();
  const std::vector<GifFrame> frames = read_gif(folder / "x.gif");
  ASSERT_EQ(frames.size(), images.size());
  int total = 0;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    EXPECT_EQ(frames[k].image.rgb, images[k].rgb) << k;  // two colours: exact
    total += frames[k].delay;
  }
  EXPECT_EQ(total, 20);  // six frames at 30 per second, in hundredths
}

TEST(Gif, few_colours_are_kept_exactly_and_many_are_spread_over_the_cube) {
  Image image = flat(4, 4, {1, 2, 3});
  image.pixel(0, 0)[0] = 200;
  const auto two = find_palette(std::vector{image});
  ASSERT_EQ(two.size(), 2u);
  EXPECT_TRUE((two[0] == GifColour{1, 2, 3}) != (two[1] == GifColour{1, 2, 3}));
  Image cube{64, 512, {}};
  for (int i = 0; i < 64 * 512; ++i)
    for (const int shift : {0, 5, 10}) cube.rgb.push_back(std::uint8_t((i >> shift & 31) * 8 + 4));
  const auto many = find_palette(std::vector{cube});
  EXPECT_EQ(many.size(), 255u);
  double worst = 0;  // distance of a colour of the cube to the nearest of the palette
  for (std::size_t i = 0; i + 3 <= cube.rgb.size(); i += 3) {
    double nearest = 1e9;
    for (const GifColour& c : many) {
      double d = 0;
      for (std::size_t k = 0; k < 3; ++k) d += std::pow(double(cube.rgb[i + k]) - c[k], 2);
      nearest = std::min(nearest, std::sqrt(d));
    }
    worst = std::max(worst, nearest);
  }
  // 255 boxes of equal size have sides of 256 / 255^(1/3) = 40, so their corners are 35 from the middle; median cut
  // divides them by two at a time, so a side may be twice as long.
  EXPECT_LT(worst, 70);
}

TEST_F(GifTest, colours_between_those_of_the_palette_are_right_on_average) {
  Image image = flat(64, 64, {123, 124, 126});
  GifWriter gif(folder / "x.gif", 64, 64, 10, {{120, 121, 122}, {127, 127, 131}});
  gif.add(image);
  gif.finish();
  const std::vector<GifFrame> frames = read_gif(folder / "x.gif");
  ASSERT_EQ(frames.size(), 1u);
  double mean = 0;
  for (std::size_t i = 0; i < frames[0].image.rgb.size(); i += 3) mean += frames[0].image.rgb[i] / 4096.0;
  EXPECT_NEAR(mean, 123, 2);
  EXPECT_GT(mean, 120.5);
  EXPECT_LT(mean, 126.5);
}

TEST_F(GifTest, wrong_input_is_an_error_and_leaves_nothing) {
  EXPECT_THROW(GifWriter(folder / "x.gif", 0, 10, 10, {}), Error);
  EXPECT_THROW(GifWriter(folder / "x.gif", 10, 10, 60, {}), Error);
  EXPECT_THROW(GifWriter(folder / "none" / "x.gif", 10, 10, 10, {}), Error);
  {
    GifWriter gif(folder / "x.gif", 10, 10, 10, {{1, 2, 3}});
    gif.add(flat(10, 10, {0, 0, 0}));
    EXPECT_THROW(gif.add(flat(11, 10, {0, 0, 0})), Error);
  }
  EXPECT_TRUE(fs::is_empty(folder));
}

}  // namespace
}  // namespace cairn
