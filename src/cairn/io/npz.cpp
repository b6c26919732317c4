// SPDX-License-Identifier: Apache-2.0
// Headers of arrays, deflate by zlib, and the records of a zip archive; dates are the first that zip knows, so that the
// same data give the same bytes.
#include "cairn/io/npz.h"

#include <zlib.h>

#include <bit>
#include <cstring>

#include "cairn/base/error.h"

namespace cairn {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int k = 0; k < bytes; ++k) out += static_cast<char>(value >> (8 * k) & 255);
}

/// A raw deflate stream (no zlib head), as zip wants it.
std::string deflate_raw(const std::string& data, const std::string& file) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error("{}: zlib cannot start", file);
  std::string out(deflateBound(&stream, uLong(data.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = uInt(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = uInt(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw Error("{}: zlib could not compress {} bytes", file, data.size());
  return out;
}

std::vector<std::uint32_t> to_utf32(const std::string& text) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) {
      return k < text.size() ? std::uint32_t(static_cast<unsigned char>(text[k])) : 0u;
    };
    const std::uint32_t b = byte(i);
    const std::size_t n = b < 0x80                ? 1
                          : b >= 0xF0 && b < 0xF5 ? 4
                          : b >= 0xE0 && b < 0xF0 ? 3
                          : b >= 0xC2 && b < 0xE0 ? 2
                                                  : 0;
    std::uint32_t code = n == 4 ? b & 0x07 : n == 3 ? b & 0x0F : n == 2 ? b & 0x1F : b;
    bool good = n > 0;
    for (std::size_t k = 1; k < n; ++k) {
      good = good && (byte(i + k) & 0xC0) == 0x80;
      code = code << 6 | (byte(i + k) & 0x3F);
    }
    good = good && code <= 0x10FFFF && !(code >= 0xD800 && code < 0xE000);
    out.push_back(good ? code : '?');
    i += good ? n : 1;
  }
  return out;
}

}  // namespace

void NpzWriter::add(const std::string& name, std::span<const double> values, std::size_t columns) {
  add_array(name, "<f8", 8, columns, values.data(), values.size_bytes());
}
void NpzWriter::add(const std::string& name, std::span<const std::int32_t> values, std::size_t columns) {
  add_array(name, "<i4", 4, columns, values.data(), values.size_bytes());
}
void NpzWriter::add(const std::string& name, std::span<const std::uint8_t> values, std::size_t columns) {
  add_array(name, "|u1", 1, columns, values.data(), values.size_bytes());
}

void NpzWriter::add(const std::string& name, const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  std::vector<std::vector<std::uint32_t>> codes;
  for (const std::string& text : texts) {
    codes.push_back(to_utf32(text));
    longest = std::max(longest, codes.back().size());
  }
  std::vector<std::uint32_t> all(longest * texts.size(), 0);
  for (std::size_t i = 0; i < codes.size(); ++i)
    std::copy(codes[i].begin(), codes[i].end(), all.begin() + std::ptrdiff_t(i * longest));
  add_array(name, fmt::format("<U{}", longest), 4 * longest, 1, all.data(), 4 * all.size());
}

void NpzWriter::add_array(const std::string& name, std::string_view type, std::size_t size, std::size_t columns,
                          const void* data, std::size_t bytes) {
  const std::size_t rows = bytes / (size * columns);
  std::string head = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type,
                                 columns == 1 ? fmt::format("{},", rows) : fmt::format("{}, {}", rows, columns));
  // The numbers begin at a multiple of 64 bytes.
  head.append((64 - (10 + head.size() + 1) % 64) % 64, ' ');
  head += '\n';
  std::string array("\x93NUMPY\x01\x00", 8);
  put(array, head.size(), 2);
  array += head;
  if (bytes > 0) array.append(static_cast<const char*>(data), bytes);
  if (array.size() >= 0xFFFFFFFFu)
    throw Error("{}: the column '{}' has {} bytes; at most 4 GB fit in a member of an .npz file", name_, name,
                array.size());

  const std::string packed = deflate_raw(array, name_);
  const auto crc =
      static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(array.data()), uInt(array.size())));
  if (written_ + packed.size() >= 0xFFFFFFFFu) throw Error("{}: more than 4 GB do not fit in an .npz file", name_);
  members_.push_back(
      {name + ".npy", crc, std::uint32_t(packed.size()), std::uint32_t(array.size()), std::uint32_t(written_)});
  std::string local = "PK\x03\x04";
  for (const std::uint64_t field : {20u, 0x0800u, 8u, 0u, 0x21u})
    put(local, field, 2);  // version, UTF-8, deflate, 1980-01-01
  for (const std::uint64_t field : {crc, members_.back().packed, members_.back().size}) put(local, field, 4);
  put(local, members_.back().name.size(), 2);
  put(local, 0, 2);
  local += members_.back().name;
  file_.write(local);
  file_.write(packed);
  written_ += local.size() + packed.size();
}

void NpzWriter::finish() {
  std::string directory;
  for (const Member& m : members_) {
    directory += "PK\x01\x02";
    for (const std::uint64_t field : {20u, 20u, 0x0800u, 8u, 0u, 0x21u}) put(directory, field, 2);
    for (const std::uint64_t field : {m.crc, m.packed, m.size}) put(directory, field, 4);
    put(directory, m.name.size(), 2);
    put(directory, 0, 2 + 2 + 2 + 2);  // no extra field, no comment, first disk, not text
    put(directory, 0, 4);
    put(directory, m.offset, 4);
    directory += m.name;
  }
  std::string end = "PK\x05\x06";
  put(end, 0, 4);
  put(end, members_.size(), 2);
  put(end, members_.size(), 2);
  put(end, directory.size(), 4);
  put(end, written_, 4);
  put(end, 0, 2);
  file_.write(directory);
  file_.write(end);
  file_.finish();
}

}  // namespace cairn
