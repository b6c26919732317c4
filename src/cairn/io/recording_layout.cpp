// SPDX-License-Identifier: Apache-2.0
// The ways into a recording that may be whole, killed, still growing, foreign or damaged.
#include "cairn/io/recording_layout.h"

#include "cairn/base/error.h"
#include "cairn/io/recording.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace cairn {
namespace {

constexpr std::array<unsigned char, 8> kSignature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

/// Signature and version of the superblock; empty when the file cannot be read that far.
std::string read_head(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(kSignature.size() + 1, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return file ? head : std::string{};
}

bool has_signature(const std::string& head) {
  return !head.empty() && std::memcmp(head.data(), kSignature.data(), kSignature.size()) == 0;
}

}  // namespace

bool looks_like_hdf5(const std::filesystem::path& path) { return has_signature(read_head(path)); }

Hdf5File open_recording_file(const std::filesystem::path& path, bool& complete) {
  Hdf5File file;
  file.name = path.string();
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) throw Error("{}: is a directory; expected a recording", file.name);
  if (!std::filesystem::exists(path, problem)) throw Error("{}: there is no such file", file.name);
  errno = 0;
  if (!std::ifstream(path)) throw Error("{}: cannot be opened: {}", file.name, std::strerror(errno));
  const std::string head = read_head(path);
  if (!has_signature(head)) throw Error("{}: is not a recording (not an HDF5 file)", file.name);
  // Ours have superblock 3, whose metadata carry checksums. Older formats have none and are not let near the library.
  if (head[kSignature.size()] != 3) throw Error("{}: is an HDF5 file, but not a recording of Cairn", file.name);
  file.bytes = std::filesystem::file_size(path, problem);

  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // A reader changes nothing, so it needs no lock; some file systems have none to give.
  H5Pset_file_locking(access.id(), false, true);
  complete = true;
  file.handle = {H5Fopen(file.name.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose};
  if (!file.handle.valid()) {
    const std::string reason = hdf5_reason();
    complete = false;
    file.handle = {H5Fopen(file.name.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id()), H5Fclose};
    if (!file.handle.valid()) throw Error("{}: is damaged or cut off: {}", file.name, reason);
  }
  if (!has_attribute(file, "format") || read_text_attribute(file, "format") != kRecordingFormat) {
    throw Error("{}: is an HDF5 file, but not a recording of Cairn", file.name);
  }
  const double version = read_number_attribute(file, "version", 1)[0];
  if (!(version >= kOldestRecordingVersion && version <= kRecordingVersion)) {
    throw Error("{}: is a recording of format {}; this program reads formats {} to {}", file.name, version,
                kOldestRecordingVersion, kRecordingVersion);
  }
  return file;
}

}  // namespace cairn
