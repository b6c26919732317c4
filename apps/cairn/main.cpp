// SPDX-License-Identifier: Apache-2.0
// The program: registers the subcommands.
#include "command.h"

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

}  // namespace

int main(int argc, char** argv) {
  cairn::CommandLine line("Cairn simulates systems of bodies that touch: contact, impact, friction.", kExamples);
  cairn::add_run_command(line);
  cairn::add_view_command(line);
  cairn::add_solve_command(line);
  cairn::add_info_command(line);
  cairn::add_convert_command(line);
  cairn::add_render_command(line);
  cairn::add_plot_command(line);
  cairn::add_list_command(line);
  cairn::add_validate_command(line);
  cairn::add_bench_command(line);
  return line.run({argv + 1, argv + argc});
}
