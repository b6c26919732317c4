// SPDX-License-Identifier: Apache-2.0
// `cairn solve`, and what `info`, `convert` and `run --dump-problems` do with contact problems.
#include "cairn/io/problem_file.h"
#include "cairn/problem/residual.h"
#include "program.h"
#include "support/places.h"

#include <nlohmann/json.hpp>

namespace cairn::testing_program {
namespace {

using nlohmann::json;

const std::string kProblems = source_dir() + "/tests/data/problems/";

class SolveTest : public ProgramTest {};

TEST_F(SolveTest, json_has_a_row_per_problem_with_the_known_solution) {
  const Result result =
      run({"solve", kProblems + "sliding_block.dat", kProblems + "two_balls.dat", "--json", "--tol", "1e-10"});
  EXPECT_EQ(result.status, 0) << result.err;
  const json rows = json::parse(result.out);
  ASSERT_EQ(rows.size(), 2u);
  for (const char* field : {"file", "solver", "contacts", "dofs", "unknowns", "converged", "status", "residual",
                            "residual_relative", "iterations", "seconds", "message"}) {
    EXPECT_TRUE(rows[0].contains(field)) << field;
  }
  EXPECT_FALSE(rows[0].contains("history"));
  EXPECT_EQ(rows[0]["file"], kProblems + "sliding_block.dat");
  EXPECT_EQ(rows[0]["solver"], "auto");
  EXPECT_TRUE(rows[0]["dofs"].is_null());
  EXPECT_EQ(rows[1]["dofs"], 6);
  EXPECT_EQ(rows[1]["contacts"], 2);
  EXPECT_EQ(rows[1]["unknowns"], 6);
  for (const json& row : rows) {
    EXPECT_EQ(row["converged"], true);
    EXPECT_LE(row["residual"], 1e-10);
    EXPECT_GE(row["seconds"], 0.0);
  }
}

TEST_F(SolveTest, solutions_are_written_and_are_those_of_the_pencil) {
  const Result result = run({"solve", kProblems + "two_balls.dat", kProblems + "sliding_block.hdf5", "--write-solution",
                             "solved", "--tol", "1e-12"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  const ProblemFile balls = read_problem(folder / "solved/two_balls.hdf5");
  ASSERT_TRUE(balls.solution);
  // 2 kg and 1 kg fall with 1 m/s: the ground takes 3 N s, the lower ball 1 N s from the upper one.
  EXPECT_NEAR(balls.solution->r[0], 3, 1e-9);
  EXPECT_NEAR(balls.solution->r[3], 1, 1e-9);
  EXPECT_LT(balls.solution->v.norm(), 1e-9);
  EXPECT_LT(balls.solution->u.norm(), 1e-9);
  const ProblemFile block = read_problem(folder / "solved/sliding_block.hdf5");
  EXPECT_NEAR(block.solution->u[1], 0.5, 1e-9);
  EXPECT_EQ(block.title, "Sliding block");
  EXPECT_EQ(block.guesses.size(), 1u);  // as it was
}

TEST_F(SolveTest, all_solvers_and_csv) {
  const Result result = run({"solve", kProblems + "sliding_block.dat", "--solver", "all", "--csv"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  std::stringstream lines(result.out);
  std::string line, names;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(
      line,
      "file,solver,contacts,dofs,unknowns,converged,status,residual,residual_relative,iterations,seconds,message");
  int count = 0;
  for (; std::getline(lines, line); ++count) names += line;
  EXPECT_GE(count, 3);
  for (const char* name : {",auto,", ",gauss-seidel,", ",proximal-newton,"}) {
    EXPECT_NE(names.find(name), std::string::npos) << name;
  }
  EXPECT_EQ(run({"solve", kProblems + "sliding_block.dat", "--solver", "auto", "--csv"}).status, 0);
}

TEST_F(SolveTest, a_solver_that_does_not_know_a_law_is_refused_by_name_and_left_out_of_all) {
  const std::string file = kProblems + "rolling_ball.dat";
  const Result refused = run({"solve", file, "--solver", "interior-point"});
  EXPECT_EQ(refused.status, 2) << refused.out;
  for (const char* word : {"'interior-point'", "'rolling'", "auto, gauss-seidel"})
    EXPECT_NE(refused.err.find(word), std::string::npos) << refused.err;
  const Result all = run({"solve", file, "--solver", "all", "--csv", "--max-seconds", "2"});
  EXPECT_NE(all.out.find("interior-point,1,,5,false,unsupported"), std::string::npos) << all.out;
}

TEST_F(SolveTest, a_problem_that_is_not_solved_is_exit_1) {
  // One sweep is not enough for two coupled contacts to 1e-12.
  const Result result = run({"solve", kProblems + "two_contacts.dat", "--solver", "gauss-seidel", "--set",
                             "max_iterations=1", "--tol", "1e-12", "--json"});
  EXPECT_EQ(result.status, 1) << result.err;
  const json rows = json::parse(result.out);
  EXPECT_EQ(rows[0]["converged"], false);
  EXPECT_GT(rows[0]["residual"], 1e-12);
}

TEST_F(SolveTest, fclibs_measure_counts_where_the_scaled_residual_is_near) {
  // two_contacts.dat with W 1e-4 times as large: impulses grow by 1e4, so the relative residual is some 1e-4 of the
  // scaled one, which plain sweeps make 8.4 times smaller each. 1e-8 is met by the first after six sweeps, by both
  // (the scaled one at 1e-6) after seven.
  write("light.dat",
        "2\n2\n1\n4\n4\n4\n2\n2\n2 4\n2 4\n3\n4\n0 2 4\n0 1 0 1\n0\n4e-4 0.25e-4 0.5e-4 3e-4\n1\n1e-4 0 0 -1e-4\n"
        "2\n2e-4 0 0 -0.75e-4\n3\n5e-4 0 0.125e-4 6e-4\n-1 0.5 -2 -0.25\n0.5 0.25\n");
  const auto solve = [&](const char* sweeps, int status) {
    const Result result = run({"solve", "light.dat", "--solver", "gauss-seidel", "--set", "accelerated=false", "--set",
                               std::string("max_iterations=") + sweeps, "--tol", "1e-8", "--json"});
    EXPECT_EQ(result.status, status) << result.err;
    return json::parse(result.out)[0];
  };
  const json far = solve("6", 1), near = solve("7", 0);
  EXPECT_LT(far["residual_relative"], 1e-8);
  EXPECT_GT(far["residual"], 1e-6);
  EXPECT_EQ(far["converged"], false);
  EXPECT_EQ(far["status"], "iteration-limit");
  EXPECT_GT(near["residual"], 1e-8);
  EXPECT_EQ(near["converged"], true);
  EXPECT_EQ(near["status"], "converged");
  for (const char* words : {"FCLib", "relative", "scaled", "iteration-limit"})
    EXPECT_NE(near["message"].get<std::string>().find(words), std::string::npos) << near["message"];
}

TEST_F(SolveTest, the_table_ends_with_a_total) {
  const Result result =
      run({"solve", kProblems + "sliding_block.dat", kProblems + "sliding_block.hdf5", "--repeat", "2"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("2 of 2 converged"), std::string::npos) << result.out;
  const Result guess = run({"solve", kProblems + "sliding_block.dat", "--start", "guess", "--json", "--history"});
  const json row = json::parse(guess.out)[0];
  EXPECT_NE(row["message"].get<std::string>().find("no guess"), std::string::npos);
  EXPECT_TRUE(row["history"].is_array());
}

TEST_F(SolveTest, info_tells_what_a_problem_is_like) {
  const Result text = run({"info", kProblems + "two_balls.dat"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("a contact problem (gfc3d)"), std::string::npos) << text.out;
  const json j = json::parse(run({"info", kProblems + "two_balls.dat", "--json"}).out);
  EXPECT_EQ(j["kind"], "problem");
  EXPECT_EQ(j["problem_kind"], "gfc3d");
  EXPECT_EQ(j["form"], "global");
  EXPECT_EQ(j["contacts"], 2);
  EXPECT_EQ(j["dofs"], 6);
  EXPECT_EQ(j["rank"], 6);
  EXPECT_EQ(j["islands"], 1);
  EXPECT_EQ(j["friction"], json::array({0.25, 0.5}));
  EXPECT_TRUE(j["solution_residual"].is_null());
  const json block = json::parse(run({"info", kProblems + "sliding_block.hdf5", "--json"}).out);
  EXPECT_LT(block["solution_residual"], 1e-15);
  EXPECT_EQ(block["format"], "FCLib");
}

TEST_F(SolveTest, convert_goes_both_ways_and_to_the_local_form) {
  ASSERT_EQ(run({"convert", kProblems + "two_balls.dat", "a.hdf5"}).status, 0);
  ASSERT_EQ(run({"convert", "a.hdf5", "b.dat"}).status, 0);
  ASSERT_EQ(run({"convert", "a.hdf5", "a.local.hdf5"}).status, 0);
  ASSERT_EQ(run({"convert", "a.hdf5", "c.dat", "--local", "--storage", "dense"}).status, 0);
  const ProblemFile original = read_problem(kProblems + "two_balls.dat");
  const MatX W = MatX(to_sparse(original.local()));
  for (const char* name : {"a.hdf5", "b.dat", "a.local.hdf5", "c.dat"}) {
    const ProblemFile file = read_problem(folder / name);
    EXPECT_EQ(MatX(to_sparse(file.local())), W) << name;
    EXPECT_EQ(file.local().b, original.local().b) << name;
  }
  EXPECT_TRUE(read_problem(folder / "b.dat").is_global());
  EXPECT_EQ(read_problem(folder / "a.local.hdf5").kind, "fc3d");
  EXPECT_EQ(read_problem(folder / "c.dat").storage, "dense");
}

TEST_F(SolveTest, steps_of_a_run_are_dumped_and_can_be_solved_again) {
  write("stack.yaml", stack_scene(3, "0.05"));
  const Result ran = run({"run", "stack.yaml", "--dump-problems", "steps", "--json", "--quiet"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const json summary = json::parse(ran.out);
  EXPECT_EQ(summary["problems"]["files"], 10);
  const Result solved = run({"solve", "steps/stack-s000001-nc12.hdf5", "steps/stack-s000010-nc12.hdf5", "--json"});
  EXPECT_EQ(solved.status, 0) << solved.err;
  for (const json& row : json::parse(solved.out)) {
    EXPECT_EQ(row["contacts"], 12);
    EXPECT_EQ(row["dofs"], 18);
  }
  // Nothing is that bad in this stack.
  const Result none =
      run({"run", "stack.yaml", "--dump-problems", "none", "--dump-if", "residual>1|contacts<2", "--json"});
  EXPECT_EQ(json::parse(none.out)["problems"]["files"], 0);
  EXPECT_EQ(run({"run", "stack.yaml", "--dump-if", "residual>1"}).status, 2);
  EXPECT_EQ(run({"run", "stack.yaml", "--dump-problems", "x", "--dump-if", "force>1"}).status, 2);
  EXPECT_FALSE(fs::exists(folder / "x"));
}

}  // namespace
}  // namespace cairn::testing_program
