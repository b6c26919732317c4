// SPDX-License-Identifier: Apache-2.0
// The command line: subcommands with their options, help and messages. CLI11 stands behind it, in command_line.cpp
// alone, because each source that includes it costs ten seconds of the compiler.
#pragma once
#include "console.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
}

namespace cairn {

/// The variable of an option. It keeps its value where the option is not given.
using OptionTarget = std::variant<std::string*, std::vector<std::string>*, int*, double*, std::optional<int>*,
                                  std::optional<std::int64_t>*, std::optional<double>*>;

/// What an option admits, and how it is shown.
struct OptionRules {
  bool required = false;
  bool commas = false;                       ///< several values in one word, with commas
  bool repeated = false;                     ///< one value each time it is given, all are kept
  bool show_default = false;                 ///< the help names the value it has now
  std::vector<std::string> choices = {};     ///< empty: any text
  std::optional<double> from = {}, to = {};  ///< bounds of a number, both or none
};

/// One subcommand while its options are declared.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(app) {}

  /// Names with commas ("-o,--output"), or the name of a word without a dash ("SCENE").
  void option(const std::string& names, OptionTarget target, const std::string& help, const OptionRules& rules = {});
  /// True where it is given.
  void flag(const std::string& names, bool& target, const std::string& help);
  /// Text below the list of options.
  void footer(const std::string& text);
  /// What is done once the line has been read.
  void action(std::function<void()> run);
  /// Instead of options and an action: all words that follow, `--help` too, are for this function.
  void pass_on(std::function<void(std::vector<std::string>)> run);

 private:
  CLI::App& app_;
};

class CommandLine {
 public:
  CommandLine(const std::string& purpose, const std::string& examples);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command add(const std::string& name, const std::string& help);
  /// Reads the words after the program's name, runs the subcommand among them and turns what happens into messages and
  /// the exit status.
  int run(const std::vector<std::string>& words);

 private:
  int read_and_run(const std::vector<std::string>& words);
  std::unique_ptr<CLI::App> app_;
};

}  // namespace cairn
