// SPDX-License-Identifier: Apache-2.0
// HDF5 identifiers that close themselves, silence for HDF5's own printing, and the reason of a failed call in words.
#pragma once
#include <hdf5.h>

#include <string>
#include <utility>

namespace cairn {

/// Owns one identifier of the C interface.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { close(); }

  bool valid() const { return id_ >= 0; }
  hid_t id() const { return id_; }
  /// False when HDF5 could not close it (a file whose last bytes do not fit on the disk).
  bool close() {
    if (id_ < 0) return true;
    return close_(std::exchange(id_, -1)) >= 0;
  }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// While it lives HDF5 prints nothing; afterwards printing is as the surrounding program had it.
class Hdf5Quiet {
 public:
  Hdf5Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Hdf5Quiet(const Hdf5Quiet&) = delete;
  Hdf5Quiet& operator=(const Hdf5Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Why the last HDF5 call of this thread failed: the operating system's words where there are any.
std::string hdf5_reason();

}  // namespace cairn
