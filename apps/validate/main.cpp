// SPDX-License-Identifier: Apache-2.0
// cairn-validate, which `cairn validate` starts: runs the problems of the validation suite and compares them with their
// references. A program of its own, so that nobody compiles the cases who does not ask for them.
#include "apps/command_line/command_line.h"
#include "cairn/io/version.h"
#include "validation/report.h"

#include <fmt/format.h>

#include <cstdio>

namespace cairn {
namespace {

struct ValidateOptions {
  std::vector<std::string> names;
  std::string report;
  bool list = false, full = false, json = false;
};

void print_list(const std::vector<const validation::Case*>& chosen, bool json) {
  if (json) {
    Json list = Json::array();
    for (const validation::Case* c : chosen) {
      list.push_back({{"name", c->name},
                      {"title", c->title},
                      {"source", c->source},
                      {"problem", c->problem},
                      {"reference", c->reference}});
    }
    return print(to_text(list));
  }
  for (const validation::Case* c : chosen) print(fmt::format("{:<4} {} ({})\n", c->name, c->title, c->source));
}

void validate(const ValidateOptions& options) {
  const std::vector<const validation::Case*> chosen = validation::find_cases(options.names);
  if (options.list) return print_list(chosen, options.json);

  const auto effort = options.full ? validation::Effort::Full : validation::Effort::Short;
  std::vector<validation::Entry> entries;
  std::size_t failed = 0;
  double seconds = 0;
  for (const validation::Case* c : chosen) {
    entries.push_back({c, validation::run_case(*c, effort)});
    failed += entries.back().result.pass() ? 0 : 1;
    seconds += entries.back().result.seconds;
    if (options.json) continue;
    print(validation::to_text(entries.back()));
    std::fflush(stdout);
  }
  if (options.json) print(to_text(validation::to_json(entries)));
  if (!options.report.empty()) {
    validation::write_report(options.report, entries,
                             fmt::format("Cairn {}, {} form.", kVersion, options.full ? "full" : "short"));
    print_message(fmt::format("report written to '{}/index.html'", options.report));
  }
  if (!options.json)
    print(fmt::format("{} of {} cases pass ({:.1f} s)\n", entries.size() - failed, entries.size(), seconds));
  if (failed > 0) {
    print_message(fmt::format("validate: {} of {} cases fail", failed, entries.size()));
    fall_short();
  }
}

}  // namespace
}  // namespace cairn

int main(int argc, char** argv) {
  cairn::CommandLine line("Problems with known answers.", "");
  cairn::Command command = line.add("validate", "Run problems with known answers and compare");
  cairn::ValidateOptions o;
  command.option("NAME", &o.names, "cases such as S1, or sections such as F; all without names");
  command.flag("--list", o.list, "list the cases and stop");
  command.option("--report", &o.report, "write a page with all numbers and plots into this folder");
  command.flag("--full", o.full, "sizes and durations as the problems ask for; takes minutes");
  command.flag("--json", o.json, "print one JSON array");
  command.action([&o] { cairn::validate(o); });

  // Help and messages are those of `cairn validate`.
  std::vector<std::string> words{"validate"};
  words.insert(words.end(), argv + 1, argv + argc);
  return line.run(words);
}
