// SPDX-License-Identifier: Apache-2.0
// Writing rows, sets and attributes (HDF5 1.10 C interface). Reading: hdf5_read.cpp.
#include "cairn/io/hdf5_table.h"

#include "cairn/base/error.h"

#include <algorithm>
#include <cstring>

namespace cairn {
namespace {

/// Large enough to compress, small enough that a chunk flushed half full wastes little: once it is full it is written
/// anew elsewhere, and the old place stays a hole. (H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS would avoid the holes, but
/// then a flush that is cut short makes HDF5 take packed chunks for unpacked ones: the file cannot be read.)
constexpr std::size_t kChunkBytes = 4 << 10;
/// A row larger than this is cut into several chunks; each must fit into HDF5's cache of 1 MiB.
constexpr std::size_t kMaxChunkBytes = 512 << 10;
constexpr hsize_t kMaxChunkRows = 512;
constexpr unsigned kDeflateLevel = 2;  // higher levels cost several times the time for a few per cent
constexpr std::size_t kMaxText = 256;

Hdf5Handle make_space(const std::vector<hsize_t>& shape, const hsize_t* max_shape = nullptr) {
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), max_shape), H5Sclose};
}

Hdf5Handle make_text_type(std::size_t size) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), size);
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

/// The first bytes of a text, ending between two characters.
std::string_view cut_text(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return text.substr(0, limit);
}

/// Groups on the way to a data set are made with it.
Hdf5Handle make_link_settings() {
  Hdf5Handle settings(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(settings.id(), 1);
  return settings;
}

}  // namespace

void Hdf5File::fail(std::string_view what) const { throw Error("{}: {}: {}", name, what, hdf5_reason()); }

Hdf5Type hdf5_type(const double*) { return {H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, 8}; }
Hdf5Type hdf5_type(const std::int32_t*) { return {H5T_NATIVE_INT32, H5T_STD_I32LE, 4}; }
Hdf5Type hdf5_type(const std::int64_t*) { return {H5T_NATIVE_INT64, H5T_STD_I64LE, 8}; }
Hdf5Type hdf5_type(const std::uint8_t*) { return {H5T_NATIVE_UINT8, H5T_STD_U8LE, 1}; }

Hdf5Table::Hdf5Table(const Hdf5File& file, const std::string& path, Hdf5Type type, std::vector<hsize_t> row_shape)
    : file_(&file), path_(path), type_(type.memory), row_shape_(std::move(row_shape)) {
  row_bytes_ = type.size;
  for (const hsize_t n : row_shape_) row_bytes_ *= n;
  const hsize_t chunk_rows = std::clamp<hsize_t>(kChunkBytes / row_bytes_, 1, kMaxChunkRows);
  block_bytes_ = chunk_rows * row_bytes_;

  std::vector<hsize_t> shape{0}, max_shape{H5S_UNLIMITED}, chunk{chunk_rows};
  for (const hsize_t n : row_shape_) shape.push_back(n), max_shape.push_back(n), chunk.push_back(n);
  if (row_bytes_ > kMaxChunkBytes) {
    const std::size_t item = row_bytes_ / row_shape_[0];
    chunk[1] = std::max<hsize_t>(1, kMaxChunkBytes / item);
  }
  const Hdf5Handle space = make_space(shape, max_shape.data());
  const Hdf5Handle settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const bool good = H5Pset_chunk(settings.id(), static_cast<int>(chunk.size()), chunk.data()) >= 0 &&
                    H5Pset_shuffle(settings.id()) >= 0 && H5Pset_deflate(settings.id(), kDeflateLevel) >= 0;
  file.check(good, "cannot set up " + path);
  set_ = {
      H5Dcreate2(file.id(), path.c_str(), type.file, space.id(), make_link_settings().id(), settings.id(), H5P_DEFAULT),
      H5Dclose};
  file.check(set_.valid(), "cannot create " + path);
}

void Hdf5Table::append_bytes(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  waiting_.insert(waiting_.end(), bytes, bytes + size);
  if (waiting_.size() >= block_bytes_) write();
}

void Hdf5Table::write() {
  const hsize_t count = waiting_.size() / row_bytes_;
  if (count == 0) return;
  std::vector<hsize_t> shape{written_ + count}, start{written_}, block{count};
  for (const hsize_t n : row_shape_) shape.push_back(n), start.push_back(0), block.push_back(n);
  file_->check(H5Dset_extent(set_.id(), shape.data()) >= 0, "cannot enlarge " + path_);
  const Hdf5Handle target(H5Dget_space(set_.id()), H5Sclose);
  const Hdf5Handle source = make_space(block);
  const bool good =
      H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr) >= 0 &&
      H5Dwrite(set_.id(), type_, source.id(), target.id(), H5P_DEFAULT, waiting_.data()) >= 0;
  file_->check(good, "cannot write " + path_);
  written_ += count;
  waiting_.clear();
}

template <class T>
Hdf5Handle write_set(const Hdf5File& file, const std::string& path, std::span<const T> values,
                     const std::vector<hsize_t>& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return {};
  const Hdf5Type type = hdf5_type(values.data());
  Hdf5Handle set(H5Dcreate2(file.id(), path.c_str(), type.file, make_space(shape).id(), make_link_settings().id(),
                            H5P_DEFAULT, H5P_DEFAULT),
                 H5Dclose);
  file.check(set.valid(), "cannot create " + path);
  file.check(H5Dwrite(set.id(), type.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0,
             "cannot write " + path);
  return set;
}
template Hdf5Handle write_set(const Hdf5File&, const std::string&, std::span<const double>,
                              const std::vector<hsize_t>&);
template Hdf5Handle write_set(const Hdf5File&, const std::string&, std::span<const std::int32_t>,
                              const std::vector<hsize_t>&);
template Hdf5Handle write_set(const Hdf5File&, const std::string&, std::span<const std::int64_t>,
                              const std::vector<hsize_t>&);

template <class T>
void write_array(const Hdf5File& file, const std::string& path, std::span<const T> values) {
  const Hdf5Type type = hdf5_type(values.data());
  const Hdf5Handle set(H5Dcreate2(file.id(), path.c_str(), type.file, make_space({values.size()}).id(),
                                  make_link_settings().id(), H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose);
  file.check(set.valid(), "cannot create " + path);
  if (values.empty()) return;
  file.check(H5Dwrite(set.id(), type.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0,
             "cannot write " + path);
}
template void write_array(const Hdf5File&, const std::string&, std::span<const double>);
template void write_array(const Hdf5File&, const std::string&, std::span<const std::int32_t>);

void write_string(const Hdf5File& file, const std::string& path, const std::string& text) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), text.size() + 1);
  H5Tset_strpad(type.id(), H5T_STR_NULLTERM);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle set(
      H5Dcreate2(file.id(), path.c_str(), type.id(), space.id(), make_link_settings().id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  file.check(set.valid() && H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) >= 0,
             "cannot write " + path);
}

void write_texts(const Hdf5File& file, const std::string& path, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, cut_text(text, kMaxText).size());
  std::string bytes(width * texts.size(), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string_view text = cut_text(texts[i], kMaxText);
    std::memcpy(&bytes[i * width], text.data(), text.size());
  }
  const Hdf5Handle type = make_text_type(width);
  const Hdf5Handle set(H5Dcreate2(file.id(), path.c_str(), type.id(), make_space({texts.size()}).id(),
                                  make_link_settings().id(), H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose);
  file.check(set.valid(), "cannot create " + path);
  file.check(H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0, "cannot write " + path);
}

namespace {

void write_any_attribute(const Hdf5File& file, const std::string& name, hid_t file_type, hid_t memory_type,
                         const Hdf5Handle& space, const void* data) {
  const Hdf5Handle attribute(H5Acreate2(file.id(), name.c_str(), file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  file.check(attribute.valid() && H5Awrite(attribute.id(), memory_type, data) >= 0, "cannot write attribute " + name);
}

}  // namespace

void write_attribute(const Hdf5File& file, const std::string& name, std::string_view text) {
  // HDF5 has no strings of length 0.
  std::string bytes(cut_text(text, 4096));
  if (bytes.empty()) bytes.push_back('\0');
  const Hdf5Handle type = make_text_type(bytes.size());
  write_any_attribute(file, name, type.id(), type.id(), {H5Screate(H5S_SCALAR), H5Sclose}, bytes.data());
}

void write_attribute(const Hdf5File& file, const std::string& name, std::span<const double> values) {
  const Hdf5Handle space = values.size() == 1 ? Hdf5Handle(H5Screate(H5S_SCALAR), H5Sclose)
                                              : make_space({static_cast<hsize_t>(values.size())});
  write_any_attribute(file, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space, values.data());
}

void write_attribute(const Hdf5File& file, const std::string& name, std::int64_t value) {
  write_any_attribute(file, name, H5T_STD_I64LE, H5T_NATIVE_INT64, {H5Screate(H5S_SCALAR), H5Sclose}, &value);
}

void write_integers(const Hdf5File& file, const std::string& object, const std::string& name,
                    std::span<const std::int32_t> values) {
  const Hdf5Handle attribute(
      H5Acreate_by_name(file.id(), object.c_str(), name.c_str(), H5T_STD_I32LE,
                        make_space({static_cast<hsize_t>(values.size())}).id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  file.check(attribute.valid() && H5Awrite(attribute.id(), H5T_NATIVE_INT32, values.data()) >= 0,
             "cannot write attribute " + name + " of " + object);
}

}  // namespace cairn
