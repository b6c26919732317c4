// SPDX-License-Identifier: Apache-2.0
// NumPy's .npz files: a zip archive (PKWARE APPNOTE 6.3) of arrays in .npy format 1.0 (NumPy Enhancement Proposal 1).
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cairn/io/output_file.h"

namespace cairn {

class NpzWriter {
 public:
  explicit NpzWriter(const std::filesystem::path& path) : name_(path.string()), file_(path) {}

  /// Arrays of one dimension, or of rows of `columns` numbers each.
  void add(const std::string& name, std::span<const double> values, std::size_t columns = 1);
  void add(const std::string& name, std::span<const std::int32_t> values, std::size_t columns = 1);
  void add(const std::string& name, std::span<const std::uint8_t> values, std::size_t columns = 1);
  /// Text as NumPy keeps it: UTF-32 of fixed length. Bytes that are no UTF-8 become '?'.
  void add(const std::string& name, const std::vector<std::string>& texts);
  /// Writes the directory of the archive and puts the file in its place.
  void finish();

 private:
  void add_array(const std::string& name, std::string_view type, std::size_t size, std::size_t columns,
                 const void* data, std::size_t bytes);
  struct Member {
    std::string name;
    std::uint32_t crc, packed, size, offset;
  };
  std::string name_;
  OutputFile file_;
  std::vector<Member> members_;
  std::uint64_t written_ = 0;
};

}  // namespace cairn
