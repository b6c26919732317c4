// SPDX-License-Identifier: Apache-2.0
// PNG encoder: chunks and adaptive row filters by hand, deflate and CRC-32 from zlib
// (W3C PNG, sections 5.3 chunk layout, 9.2 filter types, 12.7 filter selection by least sum of absolute differences).
#include "cairn/io/png.h"

#include <unistd.h>
#include <zlib.h>

#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

#include "cairn/base/error.h"

namespace cairn {
namespace {

using Bytes = std::vector<std::uint8_t>;

void append_be32(Bytes& out, std::uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(std::uint8_t(v >> shift));
}

// length, type, data, CRC over type and data.
void append_chunk(Bytes& out, std::string_view type, const Bytes& data) {
  append_be32(out, std::uint32_t(data.size()));
  const std::size_t start = out.size();
  out.insert(out.end(), type.begin(), type.end());
  out.insert(out.end(), data.begin(), data.end());
  append_be32(out, std::uint32_t(crc32(0, out.data() + start, uInt(out.size() - start))));
}

// The predictor closest to left + up - upper_left.
int paeth(int left, int up, int upper_left) {
  const int p = left + up - upper_left;
  const int dl = std::abs(p - left), du = std::abs(p - up), dc = std::abs(p - upper_left);
  if (dl <= du && dl <= dc) return left;
  return du <= dc ? up : upper_left;
}

constexpr int kFilters = 5;
constexpr std::size_t kPixelBytes = 3;

int predict(int filter, int left, int up, int upper_left) {
  switch (filter) {
    case 1: return left;
    case 2: return up;
    case 3: return (left + up) / 2;
    case 4: return paeth(left, up, upper_left);
    default: return 0;
  }
}

// One filtered row (filter byte first); `above` is null for the first row, which counts as zeros. Returns its cost.
std::uint64_t filter_row(int filter, const std::uint8_t* row, const std::uint8_t* above, std::size_t n, Bytes& out) {
  out.resize(n + 1);
  out[0] = std::uint8_t(filter);
  std::uint64_t cost = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool has_left = i >= kPixelBytes;
    const int left = has_left ? row[i - kPixelBytes] : 0;
    const int up = above ? above[i] : 0;
    const int upper_left = has_left && above ? above[i - kPixelBytes] : 0;
    const auto difference = std::uint8_t(row[i] - predict(filter, left, up, upper_left));
    out[i + 1] = difference;
    cost += std::uint64_t(difference < 128 ? difference : 256 - difference);
  }
  return cost;
}

Bytes filter_image(const Image& image) {
  const std::size_t row_bytes = kPixelBytes * std::size_t(image.width);
  Bytes filtered, best, trial;
  filtered.reserve((row_bytes + 1) * std::size_t(image.height));
  for (int y = 0; y < image.height; ++y) {
    const std::uint8_t* row = image.pixel(0, y);
    const std::uint8_t* above = y > 0 ? image.pixel(0, y - 1) : nullptr;
    std::uint64_t least = ~std::uint64_t{0};
    for (int filter = 0; filter < kFilters; ++filter) {
      const std::uint64_t cost = filter_row(filter, row, above, row_bytes, trial);
      if (cost < least) {
        least = cost;
        best.swap(trial);
      }
    }
    filtered.insert(filtered.end(), best.begin(), best.end());
  }
  return filtered;
}

}  // namespace

Bytes encode_png(const Image& image) {
  if (image.width <= 0 || image.height <= 0)
    throw Error("image: size is {} x {}; both must be > 0", image.width, image.height);
  const std::size_t expected = kPixelBytes * std::size_t(image.width) * std::size_t(image.height);
  if (image.rgb.size() != expected)
    throw Error("image: {} x {} needs {} bytes of pixels, found {}", image.width, image.height, expected,
                image.rgb.size());
  if (expected > 0x70000000u)  // one IDAT chunk holds less than 2^31 bytes
    throw Error("image: {} x {} is too large for one PNG chunk; stay below 600 million pixels", image.width,
                image.height);

  const Bytes filtered = filter_image(image);
  Bytes packed(compressBound(uLong(filtered.size())));
  uLongf packed_size = uLongf(packed.size());
  if (compress2(packed.data(), &packed_size, filtered.data(), uLong(filtered.size()), 6) != Z_OK)
    throw Error("image: zlib could not compress {} bytes of pixels (out of memory?)", filtered.size());
  packed.resize(packed_size);

  Bytes header;
  append_be32(header, std::uint32_t(image.width));
  append_be32(header, std::uint32_t(image.height));
  header.insert(header.end(), {8, 2, 0, 0, 0});  // bits, RGB, deflate, adaptive filters, not interlaced

  Bytes out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  append_chunk(out, "IHDR", header);
  append_chunk(out, "sRGB", {0});  // perceptual intent
  append_chunk(out, "IDAT", packed);
  append_chunk(out, "IEND", {});
  return out;
}

void write_png(const std::filesystem::path& path, const Image& image) {
  const Bytes bytes = encode_png(image);
  std::filesystem::path temporary = path;
  temporary += fmt::format(".{}.part", getpid());
  std::error_code problem;
  {
    std::ofstream file(temporary, std::ios::binary);
    if (!file) throw Error("{}: cannot write the picture; is the folder there and writable?", path.string());
    file.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
    file.close();
    if (!file) {
      std::filesystem::remove(temporary, problem);
      throw Error("{}: writing {} bytes failed; is the disk full?", path.string(), bytes.size());
    }
  }
  std::filesystem::rename(temporary, path, problem);
  if (problem) {
    const std::string reason = problem.message();
    std::filesystem::remove(temporary, problem);
    throw Error("{}: cannot put the picture in place: {}", path.string(), reason);
  }
}

}  // namespace cairn
