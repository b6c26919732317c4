// SPDX-License-Identifier: Apache-2.0
// How subcommands are made: each file registers one with the parser. What all of them share is here.
//
// A subcommand's callback returns when all is well (exit 0), throws cairn::Error when the input is wrong (exit 2;
// main() prints it), and calls fall_short() when the work ran and fell short (exit 1).
#pragma once
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <string>
#include <string_view>

namespace cairn {

// One per file.
void add_run_command(CLI::App& app);
void add_solve_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_convert_command(CLI::App& app);
void add_render_command(CLI::App& app);
void add_plot_command(CLI::App& app);
void add_list_command(CLI::App& app);
void add_validate_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_view_command(CLI::App& app);

/// Exit statuses of the program.
enum Exit { kDone = 0, kFellShort = 1, kWrongInput = 2, kInterrupted = 130 };

/// Ends the program with this status once all objects in the way are destroyed.
[[noreturn]] inline void exit_with(int status) { throw CLI::RuntimeError(status); }
/// The work ran and fell short; say why on standard error first.
[[noreturn]] inline void fall_short() { exit_with(kFellShort); }

/// Text for standard output. A reader that has gone away (`| head`) is no mistake: the text is dropped. A full disk is
/// reported and makes the program exit with 1.
void print(std::string_view text);
/// A line on standard error: "cairn: ...".
void print_message(std::string_view text);
/// The status the program must end with because standard output could not be written: 0 or 1.
int finish_output();

/// A number or a formula such as 1/240; `what` names the option in messages. Throws Error.
double read_number(std::string_view what, const std::string& text);

}  // namespace cairn
