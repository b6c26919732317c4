// SPDX-License-Identifier: Apache-2.0
// Whole files or none.
#include "cairn/io/output_file.h"

#include "cairn/base/error.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cairn {
namespace fs = std::filesystem;

void OutputFile::fail(std::string_view what) const {
  throw Error("{}: {}: {}", path_.string(), what, std::strerror(errno));
}

OutputFile::OutputFile(fs::path path) : path_(std::move(path)), temporary_(path_) {
  check_can_write(path_);
  temporary_ += fmt::format(".{}.part", getpid());
  file_.reset(std::fopen(temporary_.c_str(), "wbe"));
  if (!file_) fail("cannot be created");
}

OutputFile::~OutputFile() {
  if (!file_) return;
  file_.reset();
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail("cannot be written");
}

void OutputFile::finish() {
  if (std::fflush(file_.get()) != 0) fail("cannot be written");
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot be put in place");
  if (std::fclose(file_.release()) != 0) fail("cannot be written");
}

void check_can_write(const fs::path& path) {
  std::error_code problem;
  if (path.empty()) throw Error("the name of an output file is empty");
  const fs::file_status status = fs::status(path, problem);
  if (fs::is_directory(status)) throw Error("{}: is a directory; expected the name of a file", path.string());
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error("{}: is not a regular file; nothing can be put in its place", path.string());
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, problem)) throw Error("{}: there is no folder '{}'", path.string(), folder.string());
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw Error("{}: cannot be written: {}", path.string(), std::strerror(errno));
  }
}

}  // namespace cairn
