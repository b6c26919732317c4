// SPDX-License-Identifier: Apache-2.0
// The program: registers the subcommands, and turns what happens into messages and exit statuses.
#include "command.h"

#include "cairn/base/error.h"
#include "cairn/base/text.h"
#include "cairn/io/version.h"

#include <hdf5.h>

#include <csignal>
#include <cstdio>
#include <new>

namespace {

constexpr const char* kExamples = R"(
Examples:
  cairn run examples/stack20.yaml                            run a scene and print its certificate
  cairn run examples/drop.yaml -o drop.h5 --picture drop.png record it, and draw the last moment
  cairn run scene.yaml --dt 1/480 --certify 1e-6             exit 1 when a step's residual is above 1e-6
  cairn solve problem.hdf5 --solver all                      a contact problem from a file, by every solver
  cairn info drop.h5                                         what was recorded
  cairn view drop.h5                                         look at it in the browser; or at a scene while it runs
  cairn convert drop.h5 drop.pvd                             for ParaView
  cairn render drop.h5 --movie drop.mp4 --layers contacts    a movie; -o drop.png for a picture
  cairn plot drop.h5 --quantity energy -o energy.svg         curves over time
  cairn list solvers                                         the solvers and their parameters

Exit status: 0 done; 1 the work ran and fell short; 2 the input is wrong.
)";

/// The word meant to be a subcommand when it is none of them; empty otherwise.
std::string find_unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-' || argv[1][0] == '\0') return {};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == argv[1]) return {};
  }
  return argv[1];
}

int report(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_name() == "RuntimeError") return error.get_exit_code();
  if (error.get_exit_code() == 0) {  // --help and --version
    const CLI::App* asked = &app;
    for (const CLI::App* command : app.get_subcommands()) asked = command;
    cairn::print(error.get_name() == "CallForVersion" ? std::string(error.what()) + "\n" : asked->help());
    return cairn::kDone;
  }
  std::string command;
  for (const CLI::App* sub : app.get_subcommands()) command = " " + sub->get_name();
  cairn::print_message(fmt::format("{}; see 'cairn{} --help'", error.what(), command));
  return cairn::kWrongInput;
}

int run_program(int argc, char** argv) {
  CLI::App app("Cairn simulates systems of bodies that touch: contact, impact, friction.", "cairn");
  app.footer(kExamples);
  app.set_version_flag("--version", fmt::format("cairn {}", cairn::kVersion));
  app.require_subcommand(1);
  cairn::add_run_command(app);
  cairn::add_view_command(app);
  cairn::add_solve_command(app);
  cairn::add_info_command(app);
  cairn::add_convert_command(app);
  cairn::add_render_command(app);
  cairn::add_plot_command(app);
  cairn::add_list_command(app);
#ifdef CAIRN_BOOK
  cairn::add_validate_command(app);
  cairn::add_bench_command(app);
#endif

  if (argc < 2) {
    cairn::print_message("a subcommand is needed");
    const std::string help = app.help();
    std::fwrite(help.data(), 1, help.size(), stderr);
    return cairn::kWrongInput;
  }
  if (const std::string word = find_unknown_command(app, argc, argv); !word.empty()) {
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
      known.push_back(command->get_name());
    }
    cairn::print_message(fmt::format("there is no subcommand '{}'{}; there are {}", word,
                                     cairn::did_you_mean(word, known), cairn::join(known)));
    return cairn::kWrongInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report(app, error);
  }
  return cairn::kDone;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of the write, not the end of a run
  std::signal(SIGXFSZ, SIG_IGN);  // the same for a file that may not grow
  H5dont_atexit();                // recordings are closed by then; after a failure HDF5 would only complain again
  int status = cairn::kDone;
  try {
    status = run_program(argc, argv);
  } catch (const cairn::Error& error) {
    // As it is: it begins with the place of the mistake, which editors and people look for.
    std::fprintf(stderr, "%s\n", error.what());
    status = cairn::kWrongInput;
  } catch (const std::bad_alloc&) {
    cairn::print_message("out of memory");
    status = cairn::kFellShort;
  } catch (const std::exception& error) {
    cairn::print_message(fmt::format("unexpected: {}", error.what()));
    status = cairn::kFellShort;
  }
  const int output = cairn::finish_output();
  return status != cairn::kDone ? status : output;
}
