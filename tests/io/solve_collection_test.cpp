// SPDX-License-Identifier: Apache-2.0
// The default solver on the collection of real problems, where that lies beside the sources: each file with up to 600
// contacts that has a solution is solved. The few larger ones are for `cairn solve` by hand.
#include <gtest/gtest.h>

#include "cairn/io/problem_file.h"
#include "cairn/solvers/solver.h"
#include "support/places.h"

namespace cairn {
namespace {

TEST(ProblemCollection, auto_solves_every_file_to_both_measures) {
  const std::filesystem::path folder = std::filesystem::path(source_dir()) / "../shared/data/fclib";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no collection of problems beside the sources";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".dat" || extension == ".hdf5") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  const auto solver = solvers().make("auto", {{"tolerance", "1e-8"}});
  int solved = 0;
  for (const std::filesystem::path& path : paths) {
    if (path.filename() == "Rectangular_mlcp.dat") continue;  // over-determined: refused by the reader
    const ProblemFile file = read_problem(path);
    if (file.constraints() > 600 && file.kind != "fc2d") continue;
    VecX r = VecX::Zero(file.unknowns());
    const SolveReport report = file.is_global() ? solver->solve(std::get<GlobalProblem>(file.problem), r)
                                                : solver->solve(std::get<LocalProblem>(file.problem), r);
    const Residual again = compute_residual(file.local(), r);
    EXPECT_LE(again.relative, 1e-8) << path.filename() << ": " << to_string(report.status);
    EXPECT_LE(again.scaled, 1e-6) << path.filename() << ": " << to_string(report.status);
    EXPECT_NEAR(again.scaled, report.residual.scaled, 1e-12) << path.filename();
    ++solved;
  }
  EXPECT_GE(solved, 80);
}

}  // namespace
}  // namespace cairn
