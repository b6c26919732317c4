// SPDX-License-Identifier: Apache-2.0
// Options by CLI11; messages and exit statuses are ours.
#include "command_line.h"

#include "cairn/base/error.h"
#include "cairn/base/text.h"
#include "cairn/io/version.h"

#include <fmt/format.h>
#include <hdf5.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <new>
#include <type_traits>

namespace cairn {
namespace {

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

/// The word meant to be a subcommand when it is none of them; empty otherwise.
std::string find_unknown_command(const std::vector<std::string>& known, const std::string& word) {
  if (word.empty() || word[0] == '-' || std::find(known.begin(), known.end(), word) != known.end()) return {};
  return word;
}

int report(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {  // --help and --version
    const CLI::App* asked = &app;
    for (const CLI::App* command : app.get_subcommands()) asked = command;
    print(error.get_name() == "CallForVersion" ? std::string(error.what()) + "\n" : asked->help());
    return kDone;
  }
  std::string command;
  for (const CLI::App* sub : app.get_subcommands()) command = " " + sub->get_name();
  print_message(fmt::format("{}; see 'cairn{} --help'", error.what(), command));
  return kWrongInput;
}

/// CLI11's check of bounds, in the words of the target's own numbers.
void check_range(CLI::Option& option, const OptionTarget& target, double from, double to) {
  if (std::holds_alternative<double*>(target) || std::holds_alternative<std::optional<double>*>(target)) {
    option.check(CLI::Range(from, to));
  } else {
    option.check(CLI::Range(static_cast<int>(from), static_cast<int>(to)));
  }
}

}  // namespace

void Command::option(const std::string& names, OptionTarget target, const std::string& help, const OptionRules& rules) {
  CLI::Option* option = std::visit([&](auto* variable) { return app_.add_option(names, *variable, help); }, target);
  if (rules.required) option->required();
  if (rules.commas) option->delimiter(',');
  if (rules.repeated) option->take_all()->expected(1)->allow_extra_args(false);
  if (!rules.choices.empty()) option->check(CLI::IsMember(rules.choices));
  if (rules.from && rules.to) check_range(*option, target, *rules.from, *rules.to);
  if (rules.show_default) option->capture_default_str();
}

void Command::flag(const std::string& names, bool& target, const std::string& help) {
  app_.add_flag(names, target, help);
}

void Command::footer(const std::string& text) { app_.footer(text); }

void Command::action(std::function<void()> run) { app_.callback(std::move(run)); }

void Command::pass_on(std::function<void(std::vector<std::string>)> run) {
  app_.set_help_flag();
  app_.prefix_command();
  app_.callback([run = std::move(run), &app = app_] { run(app.remaining()); });
}

CommandLine::CommandLine(const std::string& purpose, const std::string& examples)
    : app_(std::make_unique<CLI::App>(purpose, "cairn")) {
  app_->footer(examples);
  app_->set_version_flag("--version", fmt::format("cairn {}", kVersion));
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add(const std::string& name, const std::string& help) {
  return Command(*app_->add_subcommand(name, help));
}

int CommandLine::read_and_run(const std::vector<std::string>& words) {
  if (words.empty()) {
    print_message("a subcommand is needed");
    const std::string help = app_->help();
    std::fwrite(help.data(), 1, help.size(), stderr);
    return kWrongInput;
  }
  const std::vector<std::string> known = names_of_commands(*app_);
  if (const std::string word = find_unknown_command(known, words.front()); !word.empty()) {
    print_message(
        fmt::format("there is no subcommand '{}'{}; there are {}", word, did_you_mean(word, known), join(known)));
    return kWrongInput;
  }
  try {
    app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them last to first
  } catch (const CLI::ParseError& error) {
    return report(*app_, error);
  }
  return kDone;
}

int CommandLine::run(const std::vector<std::string>& words) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of the write, not the end of a run
  std::signal(SIGXFSZ, SIG_IGN);  // the same for a file that may not grow
  H5dont_atexit();                // recordings are closed by then; after a failure HDF5 would only complain again
  int status = kDone;
  try {
    status = read_and_run(words);
  } catch (const ExitStatus& exit) {
    status = exit.status;
  } catch (const Error& error) {
    // As it is: it begins with the place of the mistake, which editors and people look for.
    std::fprintf(stderr, "%s\n", error.what());
    status = kWrongInput;
  } catch (const std::bad_alloc&) {
    print_message("out of memory");
    status = kFellShort;
  } catch (const std::exception& error) {
    print_message(fmt::format("unexpected: {}", error.what()));
    status = kFellShort;
  }
  const int output = finish_output();
  return status != kDone ? status : output;
}

}  // namespace cairn
