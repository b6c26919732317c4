// SPDX-License-Identifier: Apache-2.0
// `cairn run` as a person meets it: results, files, exit statuses, and what happens when something goes wrong.
#include <nlohmann/json.hpp>

#include "cairn/io/recording.h"
#include "cli/program.h"

namespace cairn {
namespace {

using testing_program::ProgramTest;
using testing_program::Result;
using testing_program::stack_scene;
using testing_program::text_of;
namespace fs = std::filesystem;
using Json = nlohmann::json;

class RunTest : public ProgramTest {};

TEST_F(RunTest, a_scene_runs_and_its_certificate_is_printed) {
  write("scene.yaml", stack_scene());
  const Result result = run({"run", "scene.yaml"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* word : {"A small stack", "residual", "penetration", "joint drift", "cone violation", "contact",
                           "friction", "joints", "damping", "loads", "drive", "numerical", "iterations",
                           "not converged     0 of 20 steps", "real-time factor"}) {
    EXPECT_NE(result.out.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(files(), std::vector<std::string>{"scene.yaml"});  // without -o nothing is written
  EXPECT_EQ(run({"run", "scene.yaml", "--quiet"}).out, "");
}

TEST_F(RunTest, energy_that_the_rule_of_joints_gains_at_long_steps_is_said) {
  // A pendulum of 1 m from level: it turns by up to 0.24 rad in a step of 50 ms, and by 0.02 rad in one of 5 ms.
  write("scene.yaml",
        "cairn: 1\nbodies:\n  - {name: bob, shape: {sphere: {radius: 0.01}}, mass: 1, position: [1, 0, 0]}\n"
        "joints:\n  - {type: distance, between: [bob, world], position: [1, 0, 0], second_position: [0, 0, 0]}\n"
        "run: {duration: 20, step: 1/20}\n");
  const Result coarse = run({"run", "scene.yaml"}), fine = run({"run", "scene.yaml", "--dt", "1/200"});
  EXPECT_EQ(coarse.status, 1);
  EXPECT_EQ(fine.status, 0) << fine.err;
  EXPECT_NE(coarse.err.find("energy was gained without a cause, from t = "), std::string::npos) << coarse.err;
  EXPECT_NE(coarse.out.find("(most of it: joints)"), std::string::npos) << coarse.out;
  EXPECT_EQ(fine.out.find("gained"), std::string::npos) << fine.out;
}

TEST_F(RunTest, json_is_one_document_with_the_summary_and_nothing_else) {
  write("scene.yaml", stack_scene());
  const Result result = run({"run", "scene.yaml", "--json", "--dt", "1/400", "--tol", "1e-9", "--certify", "1e-3"});
  EXPECT_EQ(result.status, 0) << result.err;
  const Json j = Json::parse(result.out);
  EXPECT_EQ(j["certificate"]["steps"], 40);  // 0.1 s of 1/400 s
  EXPECT_EQ(j["certificate"]["status"], "done");
  EXPECT_EQ(j["certificate"]["contacts_max"], 12);  // three faces with four corners each
  EXPECT_DOUBLE_EQ(j["step"], 1.0 / 400);
  EXPECT_DOUBLE_EQ(j["tolerance"], 1e-9);
  EXPECT_NEAR(j["time"], 0.1, 1e-12);
  EXPECT_TRUE(j["certify"]["pass"]);
  const Json& work = j["certificate"]["work"];
  const double sum = double(work["contact"]) + double(work["friction"]) + double(work["joints"]) +
                     double(work["damping"]) + double(work["loads"]) + double(work["drive"]) +
                     double(work["numerical"]);
  const Json& energy = j["certificate"]["energy"];
  // The balance closes: it is how "numerical" is defined. Energies are of the order of 4.5e4 J.
  EXPECT_NEAR(sum, double(energy["end"]) - double(energy["begin"]), 1e-9);
}

TEST_F(RunTest, a_recording_a_checkpoint_and_a_picture_are_written_on_request) {
  write("scene.yaml", stack_scene());
  const Result result = run({"run", "scene.yaml", "-o", "run.h5", "--checkpoint", "end.ck", "--picture", "end.png"});
  EXPECT_EQ(result.status, 0) << result.err;
  const Recording recording(folder / "run.h5");
  EXPECT_TRUE(recording.info().complete);
  EXPECT_EQ(recording.frame_count(), 11u);  // 0, 0.01 ... 0.1 s
  EXPECT_EQ(recording.certificates().size(), 20u);
  EXPECT_EQ(text_of(folder / "end.png").substr(1, 3), "PNG");
  EXPECT_EQ(text_of(folder / "end.ck").substr(0, 8), "CAIRNCK5");
}

TEST_F(RunTest, a_restarted_run_continues_bit_for_bit_whatever_the_number_of_threads) {
  write("scene.yaml", stack_scene(4));
  ASSERT_EQ(run({"run", "scene.yaml", "-o", "whole.h5"}).status, 0);
  ASSERT_EQ(run({"run", "scene.yaml", "--duration", "0.05", "--checkpoint", "half.ck"}).status, 0);
  ASSERT_EQ(run({"run", "scene.yaml", "--restart", "half.ck", "-o", "rest.h5", "--threads", "2"}).status, 0);
  const Recording whole(folder / "whole.h5"), rest(folder / "rest.h5");
  ASSERT_EQ(rest.frame_count(), 6u);  // 0.05 ... 0.1 s
  const Frame a = whole.frame(whole.frame_count() - 1), b = rest.frame(rest.frame_count() - 1);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.u, b.u);
  const Result over = run({"run", "scene.yaml", "--duration", "0.05", "--restart", "half.ck"});
  EXPECT_EQ(over.status, 2);
  EXPECT_NE(over.err.find("longer --duration"), std::string::npos) << over.err;
}

TEST_F(RunTest, a_restart_in_an_edited_scene_is_refused_and_nothing_is_lost) {
  const std::string scene =
      "cairn: 1\nbodies:\n  - {name: a, shape: {box: {size: [1, 0.1, 0.1]}}, position: [0.5, 0, 0]}\n"
      "joints:\n  - {type: ball, name: j, between: [a, world], position: [0, 0, 0]}\nrun: {duration: 0.1, step: "
      "1/200}\n";
  std::string edited = scene;
  edited.replace(edited.find("ball"), 4, "revolute");
  write("scene.yaml", scene);
  write("edited.yaml", edited);
  ASSERT_EQ(run({"run", "scene.yaml", "--checkpoint", "a.ck"}).status, 0);
  const std::string before = text_of(folder / "a.ck");
  const Result result =
      run({"run", "edited.yaml", "--duration", "0.2", "--restart", "a.ck", "-o", "b.h5", "--checkpoint", "a.ck"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("joint 'j' was ball and is revolute here"), std::string::npos) << result.err;
  EXPECT_EQ(text_of(folder / "a.ck"), before);
  EXPECT_FALSE(fs::exists(folder / "b.h5"));
}

TEST_F(RunTest, a_residual_above_the_limit_is_exit_1) {
  write("scene.yaml", stack_scene(8));
  const Result result =
      run({"run", "scene.yaml", "--solver", "gauss-seidel", "--set", "solver.max_iterations=1", "--certify", "1e-12"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("not certified"), std::string::npos) << result.err;
}

TEST_F(RunTest, a_failed_step_is_exit_1_with_its_status_and_a_closed_recording) {
  // 1e308 N on 1 kg for 10 s is beyond the largest number there is.
  write(
      "scene.yaml",
      "cairn: 1\nbodies:\n  - {name: ball, shape: {sphere: {radius: 1}}, mass: 1}\n"
      "forces:\n  - {type: load, body: ball, force: [\"t > 15 ? 1e308 : 0\", 0, 0]}\nrun: {duration: 100, step: 10}\n");
  const Result result = run({"run", "scene.yaml", "-o", "run.h5"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("not-finite"), std::string::npos) << result.err;
  const Recording recording(folder / "run.h5");
  EXPECT_TRUE(recording.info().complete);
  EXPECT_NE(recording.certificates().back().status, StepStatus::Done);
  for (std::size_t i = 0; i < recording.frame_count(); ++i) EXPECT_TRUE(recording.frame(i).q.allFinite());
}

TEST_F(RunTest, wrong_input_is_exit_2_with_the_place_and_leaves_no_file) {
  write("good.yaml", stack_scene());
  write("bad.yaml", "cairn: 1\nbodies:\n  - {name: ball, shape: {sphere: {radius: -1}}}\n");
  write("notes.txt", "not a recording");
  const auto before = files();
  const std::vector<std::vector<std::string>> wrong = {
      {"run"},
      {"run", "none.yaml"},
      {"run", "bad.yaml", "-o", "run.h5"},
      {"run", "good.yaml", "-o", "run.h5", "--dt", "0"},
      {"run", "good.yaml", "-o", "run.h5", "--dt", "1/0"},
      {"run", "good.yaml", "-o", "run.h5", "--dt", "fast"},
      {"run", "good.yaml", "-o", "run.h5", "--duration", "-1"},
      {"run", "good.yaml", "-o", "run.h5", "--duration", "1e300"},
      {"run", "good.yaml", "-o", "run.h5", "--stepper", "euler"},
      {"run", "good.yaml", "-o", "run.h5", "--solver", "gauss-siedel"},
      {"run", "good.yaml", "-o", "run.h5", "--set", "tolerance=1"},
      {"run", "good.yaml", "-o", "run.h5", "--set", "solver.tolerance"},
      {"run", "good.yaml", "-o", "run.h5", "--set", "solver.tolerance=-1"},
      {"run", "good.yaml", "-o", "run.h5", "--set", "solver.colour=red"},
      {"run", "good.yaml", "-o", "run.h5", "--threads", "0"},
      {"run", "good.yaml", "-o", "run.h5", "--threads", "many"},
      {"run", "good.yaml", "-o", "run.h5", "--certify", "low"},
      {"run", "good.yaml", "-o", "run.h5", "--restart", "notes.txt"},
      {"run", "good.yaml", "-o", "run.h5", "--picture", "none/picture.png"},
      {"run", "good.yaml", "-o", "run.h5", "--view", "0,1,0"},
      {"run", "good.yaml", "-o", "run.h5", "--picture", "end.png", "--view", "up"},
      {"run", "good.yaml", "-o", "run.h5", "--picture", "end.png", "--size", "0x0"},
      {"run", "good.yaml", "-o", "none/run.h5"},
      {"run", "good.yaml", "-o", "/proc/run.h5"},
      {"run", "good.yaml", "-o", "/dev/full"},
      {"run", "good.yaml", "-o", "notes.txt"},
      {"run", "good.yaml", "--colour"},
      {"run", "good.yaml", "another.yaml"},
  };
  for (const auto& args : wrong) {
    const Result result = run(args);
    std::string line;
    for (const std::string& arg : args) line += arg + " ";
    EXPECT_EQ(result.status, 2) << line << result.err;
    EXPECT_EQ(result.out, "") << line;
    EXPECT_FALSE(result.err.empty()) << line;
    EXPECT_EQ(files().size(), before.size()) << line;
  }
  EXPECT_EQ(run({"run", "bad.yaml"}).err.rfind("bad.yaml:3:", 0), 0u);
  EXPECT_EQ(text_of(folder / "notes.txt"), "not a recording");
  EXPECT_NE(run({"run", "good.yaml", "--solver", "gauss-siedel"}).err.find("did you mean 'gauss-seidel'"),
            std::string::npos);
}

TEST_F(RunTest, bodies_that_overlap_at_the_start_are_told) {
  // Boxes of 1 m, 0.9 m apart: 0.1 m between each two, and none between the lowest and the ground.
  std::string text = stack_scene();
  write("apart.yaml", text);
  EXPECT_EQ(run({"run", "apart.yaml"}).err, "");
  text.replace(text.find("0.5 + i"), 7, "0.5 + 0.9*i");
  write("inside.yaml", text);
  const Result result = run({"run", "inside.yaml", "--duration", "0.01"});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.err.find("at the start 'box "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("overlap by 0.1 m, and 1 more pairs"), std::string::npos) << result.err;
}

TEST_F(RunTest, ctrl_c_stops_after_the_step_and_closes_the_recording) {
  write("scene.yaml", stack_scene(3, "1e6"));
  const pid_t child = start({"run", "scene.yaml", "-o", "run.h5", "--checkpoint", "end.ck"});
  ASSERT_TRUE(eventually([&] { return run({"info", "run.h5"}).status == 0; }));
  kill(child, SIGINT);
  const Result result = wait_for(child);
  EXPECT_EQ(result.status, 130);
  const Recording recording(folder / "run.h5");
  EXPECT_TRUE(recording.info().complete);
  EXPECT_EQ(recording.certificates().back().time, recording.times().back());  // the last step is a frame
  EXPECT_TRUE(fs::exists(folder / "end.ck"));
}

TEST_F(RunTest, a_killed_run_leaves_a_recording_that_info_and_convert_read) {
  write("scene.yaml", stack_scene(3, "1e6"));
  const pid_t child = start({"run", "scene.yaml", "-o", "run.h5"});
  const auto frames = [&] {
    const Result info = shell("$CAIRN info run.h5 --json > info.json 2> info.err");
    return info.status == 0 ? int(Json::parse(text_of(folder / "info.json"))["frames"]) : 0;
  };
  const bool grew = eventually([&] { return frames() > 20; });  // read while it is written
  kill(child, SIGKILL);
  wait_for(child);
  ASSERT_TRUE(grew);
  const Result info = run({"info", "run.h5", "--json"});
  ASSERT_EQ(info.status, 0) << info.err;
  const Json j = Json::parse(info.out);
  EXPECT_FALSE(j["complete"]);
  EXPECT_GT(j["frames"], 20);
  EXPECT_LT(j["certificate"]["residual"], 1e-6);
  const Result convert = run({"convert", "run.h5", "run.csv"});
  EXPECT_EQ(convert.status, 0) << convert.err;
  EXPECT_NE(convert.err.find("not finished"), std::string::npos);
  const std::string table = text_of(folder / "run.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 4 * int(j["frames"]));  // four bodies
}

TEST_F(RunTest, a_full_disk_is_a_message_and_exit_1_and_what_was_flushed_can_be_read) {
  write("scene.yaml", stack_scene(3, "1e6"));
  // In blocks of 512 bytes: 300 kB, reached long before the end.
  const Result result = shell("ulimit -f 600; $CAIRN run scene.yaml -o run.h5");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("run.h5: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("File too large"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("HDF5"), std::string::npos) << result.err;
  EXPECT_EQ(run({"info", "run.h5"}).status, 0);
}

TEST_F(RunTest, standard_output_that_is_full_or_closed_does_not_crash) {
  write("scene.yaml", stack_scene());
  const Result full = shell("$CAIRN run scene.yaml --json > /dev/full");
  EXPECT_EQ(full.status, 1);
  EXPECT_NE(full.err.find("standard output"), std::string::npos) << full.err;
  const Result closed = shell("{ $CAIRN list solvers; echo $? > status; } | true; sleep 0.1; cat status");
  EXPECT_EQ(closed.out, "0\n") << closed.err;
  EXPECT_EQ(closed.err, "");
}

}  // namespace
}  // namespace cairn
