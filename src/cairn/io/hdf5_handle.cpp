// SPDX-License-Identifier: Apache-2.0
// The innermost entry of HDF5's error stack, shortened to what a person needs.
#include "cairn/io/hdf5_handle.h"

namespace cairn {
namespace {

herr_t keep_description(unsigned, const H5E_error2_t* entry, void* out) {
  if (entry->desc && *entry->desc) *static_cast<std::string*>(out) = entry->desc;
  return 0;
}

}  // namespace

std::string hdf5_reason() {
  std::string text;
  // Downward ends at the function that found the error.
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_description, &text);
  // "file write failed: time = ..., errno = 28, error message = 'No space left on device', buf = ..."
  const std::string mark = "error message = '";
  if (const auto begin = text.find(mark); begin != std::string::npos) {
    const auto end = text.find('\'', begin + mark.size());
    if (end != std::string::npos) return text.substr(begin + mark.size(), end - begin - mark.size());
  }
  return text.empty() ? "no reason given" : text;
}

}  // namespace cairn
