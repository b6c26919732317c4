// SPDX-License-Identifier: Apache-2.0
// A file that appears whole or not at all: written under a temporary name, renamed at the end.
#pragma once
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

namespace cairn {

class OutputFile {
 public:
  /// Throws Error "FILE: ..." with the system's reason.
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();  ///< without finish(): nothing is left behind
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  /// Puts the file in its place.
  void finish();

 private:
  [[noreturn]] void fail(std::string_view what) const;
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path path_, temporary_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

/// Throws Error when no file of this name could be made: no folder, no permission, or the name is that of a folder.
void check_can_write(const std::filesystem::path& path);

}  // namespace cairn
