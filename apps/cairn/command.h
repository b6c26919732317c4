// SPDX-License-Identifier: Apache-2.0
// The subcommands: each file declares the options of one, and what it does.
#pragma once
#include <fmt/format.h>
#include "apps/command_line/command_line.h"

namespace cairn {

void add_run_command(CommandLine& line);
void add_solve_command(CommandLine& line);
void add_info_command(CommandLine& line);
void add_convert_command(CommandLine& line);
void add_render_command(CommandLine& line);
void add_plot_command(CommandLine& line);
void add_list_command(CommandLine& line);
void add_validate_command(CommandLine& line);
void add_bench_command(CommandLine& line);
void add_view_command(CommandLine& line);

}  // namespace cairn
