// SPDX-License-Identifier: Apache-2.0
// The PNG file is taken apart again by the rules of the standard: chunks, CRC, zlib stream, row filters.
#include "cairn/io/png.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

#include "cairn/base/error.h"

namespace cairn {
namespace {

std::uint32_t be32(const std::uint8_t* p) {
  return std::uint32_t(p[0]) << 24 | std::uint32_t(p[1]) << 16 | std::uint32_t(p[2]) << 8 | p[3];
}

// Bit by bit, from the polynomial in annex D of the standard: independent of zlib's tables.
std::uint32_t crc_of(const std::uint8_t* p, std::size_t n) {
  std::uint32_t c = 0xFFFFFFFFu;
  for (std::size_t i = 0; i < n; ++i) {
    c ^= p[i];
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
  }
  return ~c;
}

struct Decoded {
  Image image;
  std::vector<std::string> chunks;
};

Decoded decode(const std::vector<std::uint8_t>& file) {
  Decoded out;
  const std::uint8_t signature[8] = {137, 80, 78, 71, 13, 10, 26, 10};
  EXPECT_EQ(std::memcmp(file.data(), signature, 8), 0);
  std::map<std::string, std::vector<std::uint8_t>> data;
  for (std::size_t at = 8; at < file.size();) {
    const std::size_t n = be32(&file[at]);
    const std::string type(reinterpret_cast<const char*>(&file[at + 4]), 4);
    EXPECT_EQ(be32(&file[at + 8 + n]), crc_of(&file[at + 4], n + 4)) << type;
    out.chunks.push_back(type);
    data[type].assign(&file[at + 8], &file[at + 8] + n);
    at += n + 12;
  }
  const auto& header = data["IHDR"];
  out.image.width = int(be32(&header[0]));
  out.image.height = int(be32(&header[4]));
  EXPECT_EQ(header[8], 8);  // bits per channel
  EXPECT_EQ(header[9], 2);  // RGB

  const std::size_t row = 3 * std::size_t(out.image.width), height = std::size_t(out.image.height);
  std::vector<std::uint8_t> raw(height * (row + 1));
  uLongf size = uLongf(raw.size());
  EXPECT_EQ(uncompress(raw.data(), &size, data["IDAT"].data(), uLong(data["IDAT"].size())), Z_OK);
  EXPECT_EQ(size, raw.size());

  out.image.rgb.resize(height * row);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t i = 0; i < row; ++i) {
      std::uint8_t* here = &out.image.rgb[y * row + i];
      const int left = i >= 3 ? here[-3] : 0, up = y > 0 ? *(here - row) : 0,
                corner = i >= 3 && y > 0 ? *(here - row - 3) : 0;
      const int p = left + up - corner;
      const int dl = std::abs(p - left), du = std::abs(p - up), dc = std::abs(p - corner);
      const int predictions[5] = {0, left, up, (left + up) / 2, dl <= du && dl <= dc ? left : du <= dc ? up : corner};
      const int filter = raw[y * (row + 1)];
      EXPECT_LE(filter, 4);
      *here = std::uint8_t(raw[y * (row + 1) + 1 + i] + predictions[filter % 5]);
    }
  return out;
}

// Gradients, flat parts and noise, so that different rows choose different filters.
Image test_image(int width, int height) {
  Image image{width, height, {}};
  std::uint32_t random = 1;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c) {
        random = random * 1664525u + 1013904223u;
        const int kind = y * 5 / height;
        image.rgb.push_back(std::uint8_t(kind == 0   ? 200
                                         : kind == 1 ? x * 7 + c
                                         : kind == 2 ? y * 9
                                         : kind == 3 ? x * x + y * y
                                                     : random >> 24));
      }
  return image;
}

TEST(Png, decodes_to_the_same_bytes_with_valid_crcs) {
  for (const auto& [w, h] : {std::pair{37, 29}, {1, 1}, {1, 40}, {40, 1}}) {
    const Image image = test_image(w, h);
    const Decoded decoded = decode(encode_png(image));
    EXPECT_EQ(decoded.image.width, w);
    EXPECT_EQ(decoded.image.height, h);
    EXPECT_EQ(decoded.image.rgb, image.rgb);
    EXPECT_EQ(decoded.chunks, (std::vector<std::string>{"IHDR", "sRGB", "IDAT", "IEND"}));
  }
}

TEST(Png, the_iend_chunk_is_the_twelve_bytes_of_the_standard) {
  const auto file = encode_png(test_image(3, 2));
  const std::vector<std::uint8_t> tail(file.end() - 12, file.end());
  EXPECT_EQ(tail, (std::vector<std::uint8_t>{0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xAE, 0x42, 0x60, 0x82}));
}

TEST(Png, written_file_holds_the_encoded_bytes_and_leaves_no_other_file) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "cairn_png_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const Image image = test_image(16, 9);
  write_png(folder / "a.png", image);
  write_png(folder / "a.png", image);  // over an existing file
  std::ifstream file(folder / "a.png", std::ios::binary);
  const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(bytes, encode_png(image));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
}

TEST(Png, a_path_that_cannot_be_written_is_named_in_the_error) {
  try {
    write_png("/nowhere/at/all/picture.png", test_image(2, 2));
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("/nowhere/at/all/picture.png"), std::string::npos);
  }
  // A folder in the place of the file: the rename fails, and the temporary file is taken away again.
  const auto folder = std::filesystem::path(testing::TempDir()) / "cairn_png_folder_test";
  std::filesystem::create_directories(folder / "a.png" / "full");
  EXPECT_THROW(write_png(folder / "a.png", test_image(2, 2)), Error);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
}

TEST(Png, pixels_that_do_not_fit_the_size_are_an_error) {
  EXPECT_THROW(encode_png(Image{2, 2, std::vector<std::uint8_t>(11)}), Error);
  EXPECT_THROW(encode_png(Image{0, 2, {}}), Error);
}

}  // namespace
}  // namespace cairn
