// SPDX-License-Identifier: Apache-2.0
// Reading sets and attributes, with every size checked before memory is taken: the file may be damaged or hostile.
#include "cairn/io/hdf5_table.h"

#include "cairn/base/error.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>

namespace cairn {

struct OpenSet {
  Hdf5Handle set, space;
  std::vector<hsize_t> shape;
};

namespace {

constexpr std::size_t kMaxTextBytes = 64 << 10;
/// Deflate packs at most 1032 bytes into one (zlib's technical notes); what claims to hold more was not written by us.
constexpr std::uint64_t kMaxCompression = 1040;

void check_size(const Hdf5File& file, const std::string& path, hsize_t count, std::uint64_t item) {
  const std::uint64_t limit = kMaxCompression * file.bytes;
  if (item == 0 || count > limit / item) throw Error("{}: is damaged: {} claims {} rows", file.name, path, count);
}

/// Null when there is none of that name.
std::shared_ptr<OpenSet> find_set(const Hdf5File& file, const std::string& path) {
  if (const auto found = file.open_sets.find(path); found != file.open_sets.end()) return found->second;
  if (!has_link(file, path)) return {};
  auto result = std::make_shared<OpenSet>();
  OpenSet& open = *result;
  open.set = {H5Dopen2(file.id(), path.c_str(), H5P_DEFAULT), H5Dclose};
  file.check(open.set.valid(), "is damaged: cannot open " + path);
  open.space = {H5Dget_space(open.set.id()), H5Sclose};
  const int rank = open.space.valid() ? H5Sget_simple_extent_ndims(open.space.id()) : -1;
  if (rank < 1 || rank > 4) throw Error("{}: is damaged: {} has {} dimensions", file.name, path, rank);
  open.shape.resize(static_cast<std::size_t>(rank));
  file.check(H5Sget_simple_extent_dims(open.space.id(), open.shape.data(), nullptr) == rank,
             "is damaged: cannot read the size of " + path);
  file.open_sets.emplace(path, result);
  return result;
}

void check_row_shape(const Hdf5File& file, const std::string& path, const OpenSet& open,
                     const std::vector<hsize_t>& row_shape) {
  if (std::vector<hsize_t>(open.shape.begin() + 1, open.shape.end()) != row_shape) {
    throw Error("{}: is damaged: rows of {} have another shape than they should", file.name, path);
  }
}

std::string trimmed(const char* bytes, std::size_t size) {
  while (size > 0 && bytes[size - 1] == '\0') --size;
  return {bytes, size};
}

/// Size of a fixed-length string type.
std::size_t text_size(const Hdf5File& file, const std::string& path, const Hdf5Handle& type) {
  const bool fixed = type.valid() && H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) == 0;
  const std::size_t size = fixed ? H5Tget_size(type.id()) : 0;
  if (size == 0 || size > kMaxTextBytes) throw Error("{}: is damaged: {} is not text", file.name, path);
  return size;
}

std::uint64_t little_endian(const unsigned char* bytes, int count) {
  std::uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8 | bytes[i];
  return value;
}

/// A string of variable length, read past the library, which follows damaged heap addresses to a crash (1.10). The set
/// holds length, address and index; the global heap at the address holds the text (HDF5 file format, III.E and
/// IV.A.2.i).
std::optional<std::string> read_heap_string(const Hdf5File& file, hid_t set) {
  std::ifstream stream(file.name, std::ios::binary);
  const auto read = [&](std::uint64_t at, std::size_t size) {
    std::vector<unsigned char> bytes;
    if (at > file.bytes || size > file.bytes - at) return bytes;
    bytes.resize(size);
    stream.seekg(static_cast<std::streamoff>(at));
    if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) bytes.clear();
    return bytes;
  };
  const haddr_t place = H5Dget_offset(set);
  if (place == HADDR_UNDEF) return "";  // never written, or kept in the header
  const auto reference = read(place, 16);
  if (reference.empty()) return {};
  const std::uint64_t length = little_endian(&reference[0], 4), heap = little_endian(&reference[4], 8);
  const std::uint64_t wanted = little_endian(&reference[12], 4);
  if (length == 0) return "";
  const auto head = read(heap, 16);
  if (head.empty() || std::memcmp(head.data(), "GCOL", 4) != 0) return {};
  const std::uint64_t end = heap + std::min(little_endian(&head[8], 8), file.bytes - heap);
  for (std::uint64_t at = heap + 16; at < end;) {
    const auto object = read(at, 16);
    if (object.empty()) return {};
    const std::uint64_t index = little_endian(&object[0], 2), size = little_endian(&object[8], 8);
    if (index == 0 || size > end - at) return {};
    if (index == wanted) {
      const auto text = read(at + 16, std::min(size, length));
      return std::string(text.begin(), text.end()).c_str();
    }
    at += 16 + (size + 7) / 8 * 8;
  }
  return {};
}

}  // namespace

bool has_link(const Hdf5File& file, const std::string& path) {
  // Each group on the way is asked for: H5Lexists fails when one is missing.
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    if (H5Lexists(file.id(), path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

template <class T>
std::vector<T> read_array(const Hdf5File& file, const std::string& path) {
  if (!find_set(file, path)) throw Error("{}: is damaged: there is no {}", file.name, path);
  return read_rows<T>(file, path, 0, count_rows(file, path));
}

std::string read_string(const Hdf5File& file, const std::string& path) {
  if (!has_link(file, path)) return {};
  const Hdf5Handle set(H5Dopen2(file.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
  file.check(set.valid(), "is damaged: cannot open " + path);
  const Hdf5Handle type(H5Dget_type(set.id()), H5Tclose), space(H5Dget_space(set.id()), H5Sclose);
  if (!space.valid() || H5Sget_simple_extent_npoints(space.id()) != 1) {
    throw Error("{}: is damaged: {} is not one text", file.name, path);
  }
  if (H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) > 0) {
    const auto text = read_heap_string(file, set.id());
    if (!text) throw Error("{}: is damaged: cannot read {}", file.name, path);
    return *text;
  }
  const std::size_t size = text_size(file, path, type);
  std::string bytes(size + 1, '\0');
  file.check(H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0,
             "is damaged: cannot read " + path);
  return bytes.c_str();  // up to the first zero
}

std::vector<std::int64_t> read_integers(const Hdf5File& file, const std::string& object, const std::string& name) {
  if (!has_link(file, object) || H5Aexists_by_name(file.id(), object.c_str(), name.c_str(), H5P_DEFAULT) <= 0)
    return {};
  const Hdf5Handle attribute(H5Aopen_by_name(file.id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  file.check(attribute.valid(), "is damaged: cannot open attribute " + name);
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const hssize_t count = space.valid() ? H5Sget_simple_extent_npoints(space.id()) : -1;
  if (count < 0) throw Error("{}: is damaged: attribute {} of {}", file.name, name, object);
  check_size(file, object + " " + name, static_cast<hsize_t>(count), sizeof(std::int64_t));
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  if (count == 0) return values;
  file.check(H5Aread(attribute.id(), H5T_NATIVE_INT64, values.data()) >= 0,
             "is damaged: cannot read attribute " + name);
  return values;
}

hsize_t count_rows(const Hdf5File& file, const std::string& path, const std::vector<hsize_t>& row_shape) {
  const auto open = find_set(file, path);
  if (!open) return 0;
  check_row_shape(file, path, *open, row_shape);
  return open->shape[0];
}

template <class T>
std::vector<T> read_rows(const Hdf5File& file, const std::string& path, hsize_t first, hsize_t count,
                         const std::vector<hsize_t>& row_shape) {
  if (count == 0) return {};
  const auto found = find_set(file, path);
  if (!found) throw Error("{}: is damaged: there is no {}", file.name, path);
  const OpenSet& open = *found;
  check_row_shape(file, path, open, row_shape);
  if (first > open.shape[0] || count > open.shape[0] - first) {
    throw Error("{}: is damaged: {} has {} rows where {} are needed", file.name, path, open.shape[0], first + count);
  }
  std::uint64_t row = 1;
  std::vector<hsize_t> start{first}, block{count};
  for (const hsize_t n : row_shape) {
    if (n == 0 || n > std::numeric_limits<std::uint32_t>::max() / row) {
      throw Error("{}: is damaged: rows of {} are too large", file.name, path);
    }
    row *= n;
    start.push_back(0);
    block.push_back(n);
  }
  check_size(file, path, count, row * sizeof(T));
  std::vector<T> values(count * row);
  const Hdf5Type type = hdf5_type(values.data());
  const Hdf5Handle target(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose);
  const bool good =
      H5Sselect_hyperslab(open.space.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr) >= 0 &&
      H5Dread(open.set.id(), type.memory, target.id(), open.space.id(), H5P_DEFAULT, values.data()) >= 0;
  file.check(good, "is damaged: cannot read " + path);
  return values;
}
template std::vector<double> read_rows(const Hdf5File&, const std::string&, hsize_t, hsize_t,
                                       const std::vector<hsize_t>&);
template std::vector<std::int32_t> read_rows(const Hdf5File&, const std::string&, hsize_t, hsize_t,
                                             const std::vector<hsize_t>&);
template std::vector<std::int64_t> read_rows(const Hdf5File&, const std::string&, hsize_t, hsize_t,
                                             const std::vector<hsize_t>&);
template std::vector<std::uint8_t> read_rows(const Hdf5File&, const std::string&, hsize_t, hsize_t,
                                             const std::vector<hsize_t>&);

std::vector<double> read_block(const Hdf5File& file, const std::string& path, const std::vector<hsize_t>& start,
                               const std::vector<hsize_t>& block) {
  const auto found = find_set(file, path);
  if (!found) throw Error("{}: is damaged: there is no {}", file.name, path);
  std::uint64_t size = 1;
  bool inside = found->shape.size() == block.size() && start.size() == block.size();
  for (std::size_t i = 0; inside && i < block.size(); ++i) {
    inside = start[i] <= found->shape[i] && block[i] <= found->shape[i] - start[i];
    if (inside && block[i] > 0 && size <= std::numeric_limits<std::uint32_t>::max()) size *= block[i];
    if (inside && block[i] == 0) return {};
  }
  if (!inside) throw Error("{}: is damaged: {} is smaller than it should be", file.name, path);
  check_size(file, path, size, sizeof(double));
  std::vector<double> values(size);
  const Hdf5Handle target(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose);
  const bool good =
      H5Sselect_hyperslab(found->space.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr) >= 0 &&
      H5Dread(found->set.id(), H5T_NATIVE_DOUBLE, target.id(), found->space.id(), H5P_DEFAULT, values.data()) >= 0;
  file.check(good, "is damaged: cannot read " + path);
  return values;
}

template std::vector<double> read_array(const Hdf5File&, const std::string&);
template std::vector<std::int32_t> read_array(const Hdf5File&, const std::string&);

std::vector<std::string> read_texts(const Hdf5File& file, const std::string& path) {
  const auto found = find_set(file, path);
  if (!found) return {};
  const OpenSet& open = *found;
  const Hdf5Handle type(H5Dget_type(open.set.id()), H5Tclose);
  const std::size_t size = text_size(file, path, type);
  check_row_shape(file, path, open, {});
  check_size(file, path, open.shape[0], size);
  std::vector<char> bytes(open.shape[0] * size + 1);
  file.check(H5Dread(open.set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0,
             "is damaged: cannot read " + path);
  std::vector<std::string> texts;
  for (hsize_t i = 0; i < open.shape[0]; ++i) texts.push_back(trimmed(bytes.data() + i * size, size));
  return texts;
}

bool has_attribute(const Hdf5File& file, const std::string& name) { return H5Aexists(file.id(), name.c_str()) > 0; }

std::string read_text_attribute(const Hdf5File& file, const std::string& name) {
  const Hdf5Handle attribute(H5Aopen(file.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  file.check(attribute.valid(), "is damaged: cannot open attribute " + name);
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose), space(H5Aget_space(attribute.id()), H5Sclose);
  const std::size_t size = text_size(file, name, type);
  if (H5Sget_simple_extent_npoints(space.id()) != 1) throw Error("{}: is damaged: attribute {}", file.name, name);
  std::string bytes(size + 1, '\0');
  file.check(H5Aread(attribute.id(), type.id(), bytes.data()) >= 0, "is damaged: cannot read attribute " + name);
  return trimmed(bytes.data(), size);
}

std::vector<double> read_number_attribute(const Hdf5File& file, const std::string& name, std::size_t count) {
  const Hdf5Handle attribute(H5Aopen(file.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  file.check(attribute.valid(), "is damaged: cannot open attribute " + name);
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.id()) != static_cast<hssize_t>(count)) {
    throw Error("{}: is damaged: attribute {} has not {} values", file.name, name, count);
  }
  std::vector<double> values(count);
  file.check(H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, values.data()) >= 0,
             "is damaged: cannot read attribute " + name);
  return values;
}

}  // namespace cairn
