// SPDX-License-Identifier: Apache-2.0
// `cairn validate`: hands its words over to cairn-validate, which lies beside this program where it has been built.
#include "command.h"

#include "cairn/base/error.h"

#include <unistd.h>

#include <filesystem>

namespace cairn {
namespace {

[[noreturn]] void start_validation(std::vector<std::string> words) {
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "cairn-validate";
  words.insert(words.begin(), program.string());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  throw Error(
      "cairn: the validation suite is a program of its own, and '{}' cannot be started: './run validate' builds it, "
      "and "
      "so does 'cmake --build build/release --target cairn-validate'",
      program.string());
}

}  // namespace

void add_validate_command(CommandLine& line) {
  line.add("validate", "Run problems with known answers and compare").pass_on(start_validation);
}

}  // namespace cairn
