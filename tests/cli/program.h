// SPDX-License-Identifier: Apache-2.0
// Running the built program from a test: arguments in, exit status and both outputs back.
#pragma once
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "support/places.h"

namespace cairn::testing_program {

namespace fs = std::filesystem;

struct Result {
  int status = -1;  ///< exit status; 128 + signal when it was ended by one
  std::string out, err;
};

inline std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder of its own for each test, and the program run from there.
class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest() {
    std::string name = (fs::temp_directory_path() / "cairn_cli_XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~ProgramTest() override { fs::remove_all(folder); }

  /// Starts `cairn ARGS...`, outputs in files.
  pid_t start(const std::vector<std::string>& args, const std::string& out_file = "") const {
    std::vector<std::string> words{program_path()};
    words.insert(words.end(), args.begin(), args.end());
    return start_words(words, out_file);
  }
  Result run(const std::vector<std::string>& args) const { return wait_for(start(args)); }
  /// A line of shell in which $CAIRN is the program.
  Result shell(const std::string& line) const {
    return wait_for(start_words({"/bin/sh", "-c", "CAIRN='" + program_path() + "'; " + line}, ""));
  }
  Result wait_for(pid_t child) const {
    int status = 0;
    waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, text_of(folder / ".out"), text_of(folder / ".err")};
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return name;
  }
  /// Polls for up to ten seconds.
  static bool eventually(const std::function<bool()>& condition) {
    for (int i = 0; i < 1000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (name != ".out" && name != ".err") names.push_back(name);
    }
    return names;
  }

  fs::path folder;

 private:
  pid_t start_words(std::vector<std::string> words, const std::string& out_file) const {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string out = out_file.empty() ? (folder / ".out").string() : out_file, err = (folder / ".err").string();
    const pid_t child = fork();
    if (child == 0) {
      dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
      dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
      if (chdir(folder.c_str()) != 0) _exit(126);
      execv(argv[0], argv.data());
      _exit(127);
    }
    return child;
  }
};

/// Boxes resting on each other, a second of time.
inline std::string stack_scene(int boxes = 3, const std::string& duration = "0.1") {
  return "cairn: 1\ntitle: A small stack\nbodies:\n  - {name: ground, fixed: true, shape: {half-space: {}}}\n"
         "  - {name: \"box {i}\", repeat: {i: " +
         std::to_string(boxes) +
         "}, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, \"0.5 + i\"]}\n"
         "run: {duration: " +
         duration + ", step: 1/200}\noutput: {interval: 0.01}\n";
}

}  // namespace cairn::testing_program
