// SPDX-License-Identifier: Apache-2.0
// Data sets of a recording: growing ones that collect rows in memory and write them in blocks, fixed ones, attributes.
// Every failure is an Error that names the file.
#pragma once
#include "cairn/io/hdf5_handle.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace cairn {

struct OpenSet;

/// An open file and the name it has in messages.
struct Hdf5File {
  std::string name;
  Hdf5Handle handle;
  std::uint64_t bytes = 0;  ///< its size when it was opened for reading
  /// Sets that were read stay open, so that neighbouring rows come from HDF5's cache.
  mutable std::unordered_map<std::string, std::shared_ptr<OpenSet>> open_sets = {};

  hid_t id() const { return handle.id(); }
  /// Throws Error "FILE: what: reason".
  [[noreturn]] void fail(std::string_view what) const;
  void check(bool good, std::string_view what) const {
    if (!good) fail(what);
  }
};

/// Numbers as they lie in memory and, little-endian, in the file.
struct Hdf5Type {
  hid_t memory, file;
  std::size_t size;
};
Hdf5Type hdf5_type(const double*);
Hdf5Type hdf5_type(const std::int32_t*);
Hdf5Type hdf5_type(const std::int64_t*);
Hdf5Type hdf5_type(const std::uint8_t*);

/// A data set of rows of the same shape that only grows. Rows are kept until they fill a chunk or write() is called.
class Hdf5Table {
 public:
  Hdf5Table() = default;
  Hdf5Table(const Hdf5File& file, const std::string& path, Hdf5Type type, std::vector<hsize_t> row_shape = {});

  /// Whole rows, one after the other.
  template <class T>
  void append(std::span<const T> values) {
    append_bytes(values.data(), values.size_bytes());
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void append(T value) { append_bytes(&value, sizeof value); }
  /// Puts the waiting rows into the file.
  void write();
  bool exists() const { return set_.valid(); }
  /// Rows appended so far, written or not.
  hsize_t rows() const { return written_ + waiting_.size() / row_bytes_; }

 private:
  void append_bytes(const void* data, std::size_t size);
  const Hdf5File* file_ = nullptr;
  std::string path_;
  Hdf5Handle set_;
  hid_t type_ = -1;
  std::vector<hsize_t> row_shape_;
  std::size_t row_bytes_ = 1, block_bytes_ = 1;  ///< of one row, of the rows of one chunk
  hsize_t written_ = 0;
  std::vector<unsigned char> waiting_;
};

/// A data set that is there from the start. `shape` gives its dimensions; nothing is made when one of them is 0.
template <class T>
Hdf5Handle write_set(const Hdf5File& file, const std::string& path, std::span<const T> values,
                     const std::vector<hsize_t>& shape);
/// The same for one dimension; made also when there is nothing in it.
template <class T>
void write_array(const Hdf5File& file, const std::string& path, std::span<const T> values);
/// One string that ends with a zero byte, as HDF5's high-level interface writes them.
void write_string(const Hdf5File& file, const std::string& path, const std::string& text);
/// Fixed-length UTF-8 strings padded with zeros, cut at 256 bytes.
void write_texts(const Hdf5File& file, const std::string& path, const std::vector<std::string>& texts);
void write_attribute(const Hdf5File& file, const std::string& name, std::string_view text);
void write_attribute(const Hdf5File& file, const std::string& name, std::span<const double> values);
void write_attribute(const Hdf5File& file, const std::string& name, std::int64_t value);
/// 32-bit numbers as an attribute of a group or data set.
void write_integers(const Hdf5File& file, const std::string& object, const std::string& name,
                    std::span<const std::int32_t> values);

/// Whether there is a group or a data set of this path.
bool has_link(const Hdf5File& file, const std::string& path);
/// All numbers of a data set of one dimension; throws when there is none.
template <class T>
std::vector<T> read_array(const Hdf5File& file, const std::string& path);
/// One string of fixed or variable length; empty when there is none.
std::string read_string(const Hdf5File& file, const std::string& path);
/// Whole numbers that are an attribute of a group or data set; empty when there is none.
std::vector<std::int64_t> read_integers(const Hdf5File& file, const std::string& object, const std::string& name);
/// Number of rows of a data set whose rows have this shape; 0 when there is none of that name.
hsize_t count_rows(const Hdf5File& file, const std::string& path, const std::vector<hsize_t>& row_shape = {});
/// Rows [first, first + count) of a data set; throws when they are not there.
template <class T>
std::vector<T> read_rows(const Hdf5File& file, const std::string& path, hsize_t first, hsize_t count,
                         const std::vector<hsize_t>& row_shape = {});
/// Any rectangular part of a data set of doubles, from `start` on; throws when it is not there.
std::vector<double> read_block(const Hdf5File& file, const std::string& path, const std::vector<hsize_t>& start,
                               const std::vector<hsize_t>& block);
std::vector<std::string> read_texts(const Hdf5File& file, const std::string& path);
std::string read_text_attribute(const Hdf5File& file, const std::string& name);
std::vector<double> read_number_attribute(const Hdf5File& file, const std::string& name, std::size_t count);
bool has_attribute(const Hdf5File& file, const std::string& name);

}  // namespace cairn
