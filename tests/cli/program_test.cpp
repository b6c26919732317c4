// SPDX-License-Identifier: Apache-2.0
// The program as a whole, and its smaller subcommands: info, convert, list.
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>

#include "cairn/io/recording.h"
#include "cairn/sim/kinds.h"
#include "cairn/steppers/stepper.h"
#include "cli/program.h"
#include "support/places.h"

namespace cairn {
namespace {

using testing_program::ProgramTest;
using testing_program::Result;
using testing_program::stack_scene;
using testing_program::text_of;
using Json = nlohmann::json;
namespace fs = std::filesystem;

TEST_F(ProgramTest, the_version_is_that_of_the_build) {
  const std::string cmake = text_of(source_dir() + "/CMakeLists.txt");
  const std::size_t begin = cmake.find("project(Cairn VERSION ") + 22;
  const std::string version = cmake.substr(begin, cmake.find(' ', begin) - begin);
  const Result result = run({"--version"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "cairn " + version + "\n");
}

TEST_F(ProgramTest, help_has_examples_and_every_subcommand_has_its_own) {
  const Result help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("cairn run examples/"), std::string::npos);
  EXPECT_NE(help.out.find("\n  validate"), std::string::npos);  // its own help is that of another program
  for (const char* command : {"run", "info", "convert", "render", "plot", "list", "solve", "bench"}) {
    EXPECT_NE(help.out.find(std::string("\n  ") + command), std::string::npos) << command;
    const Result own = run({command, "--help"});
    EXPECT_EQ(own.status, 0) << command;
    EXPECT_NE(own.out.find("Usage:"), std::string::npos) << command;
    EXPECT_EQ(own.err, "") << command;
  }
}

TEST_F(ProgramTest, validate_starts_the_program_beside_this_one_with_the_same_words_and_status) {
  fs::copy_file(program_path(), folder / "cairn");
  write("cairn-validate", "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 7\n");
  fs::permissions(folder / "cairn-validate", fs::perms::owner_all);
  const Result given = shell("./cairn validate --full 'S 1' -- --help");
  EXPECT_EQ(given.status, 7);
  EXPECT_EQ(given.out, "--full|S 1|--|--help|");
  EXPECT_EQ(shell("./cairn validate --help").out, "--help|");
  EXPECT_EQ(shell("./cairn validate").status, 7);

  fs::remove(folder / "cairn-validate");
  const Result missing = shell("./cairn validate --list");
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.err.find("cairn-validate' cannot be started: './run validate' builds it"), std::string::npos)
      << missing.err;
}

TEST_F(ProgramTest, what_is_no_command_is_exit_2_with_a_suggestion) {
  const Result wrong = run({"rum", "scene.yaml"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("did you mean 'run'"), std::string::npos) << wrong.err;
  EXPECT_EQ(run({}).status, 2);
  EXPECT_EQ(run({""}).status, 2);
  EXPECT_EQ(run({"--colour"}).status, 2);
  EXPECT_EQ(run({"list"}).status, 2);
  const Result list = run({"list", "solver"});
  EXPECT_EQ(list.status, 2);
  EXPECT_NE(list.err.find("did you mean 'solvers'"), std::string::npos) << list.err;
}

TEST_F(ProgramTest, lists_hold_what_the_registries_hold) {
  const auto names_in = [&](const std::string& what) {
    const Result result = run({"list", what, "--json"});
    EXPECT_EQ(result.status, 0) << what;
    std::set<std::string> names;
    for (const Json& entry : Json::parse(result.out)) {
      EXPECT_FALSE(std::string(entry["help"]).empty()) << what;
      names.insert(entry["name"]);
    }
    return names;
  };
  std::set<std::string> expected;
  for (const auto& entry : solvers().entries()) expected.insert(entry.name);
  EXPECT_EQ(names_in("solvers"), expected);
  expected.clear();
  for (const auto& entry : steppers().entries()) expected.insert(entry.name);
  EXPECT_EQ(names_in("steppers"), expected);
  expected.clear();
  for (const ShapeInfo& info : shape_kinds()) expected.insert(std::string(info.name));
  EXPECT_EQ(names_in("shapes"), expected);
  EXPECT_EQ(names_in("laws").size(), law_kinds().size());
  for (const auto& [what, kinds] :
       {std::pair{"bodies", body_kinds()}, {"joints", joint_kinds()}, {"forces", force_kinds()}}) {
    expected.clear();
    for (const ModelKind& kind : kinds) expected.insert(std::string(kind.name));
    EXPECT_EQ(names_in(what), expected);
  }
  EXPECT_FALSE(names_in("broad-phases").empty());
  const Result solvers_json = run({"list", "solvers", "--json"});
  EXPECT_FALSE(Json::parse(solvers_json.out)[0]["parameters"].empty());
  EXPECT_NE(run({"list", "solvers"}).out.find("tolerance"), std::string::npos);
}

TEST_F(ProgramTest, lists_say_which_solver_knows_which_law) {
  const auto entry = [&](const char* what, const std::string& name) {
    for (const Json& item : Json::parse(run({"list", what, "--json"}).out))
      if (item["name"] == name) return item;
    return Json();
  };
  const auto has = [](const Json& list, const char* word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  const Json contensou = entry("laws", "contensou"), interior = entry("solvers", "interior-point");
  EXPECT_TRUE(has(contensou["solvers"], "auto"));
  EXPECT_FALSE(has(contensou["solvers"], "lemke"));
  const auto unit = [&](const Json& law, const std::string& parameter) -> std::string {
    for (const Json& item : law["parameters"])
      if (item["name"] == parameter) return item["unit"];
    return "none";
  };
  EXPECT_EQ(unit(contensou, "spinning_friction"), "m");
  EXPECT_TRUE(has(interior["laws"], "orthotropic"));
  EXPECT_FALSE(has(interior["laws"], "rolling"));
  EXPECT_NE(run({"list", "solvers"}).out.find("laws: all"), std::string::npos);
  EXPECT_EQ(unit(entry("laws", "tresca"), "limit"), "N");  // of a contact
  EXPECT_EQ(unit(entry("laws", "disc"), "limit"), "N s");  // of a set of impulses
}

TEST_F(ProgramTest, every_body_and_joint_kind_on_the_list_is_one_that_scenes_know) {
  // An unknown kind is refused where it stands; a known one at most for what it lacks.
  for (const Json& entry : Json::parse(run({"list", "bodies", "--json"}).out)) {
    write("scene.yaml", "cairn: 1\nbodies:\n  - {kind: " + std::string(entry["name"]) + "}\n");
    EXPECT_EQ(run({"info", "scene.yaml"}).err.find("kind is"), std::string::npos) << entry["name"];
  }
  write("scene.yaml", "cairn: 1\nbodies:\n  - {kind: jelly}\n");
  EXPECT_NE(run({"info", "scene.yaml"}).err.find("kind is"), std::string::npos);
  for (const Json& entry : Json::parse(run({"list", "joints", "--json"}).out)) {
    write("scene.yaml", stack_scene() + "joints:\n  - {type: " + std::string(entry["name"]) +
                            ", between: [box 0, world], position: [0, 0, 0]}\n");
    EXPECT_EQ(run({"info", "scene.yaml"}).err.find("type is"), std::string::npos) << entry["name"];
  }
  write("scene.yaml", stack_scene() + "joints:\n  - {type: rubber, between: [box 0, world], position: [0, 0, 0]}\n");
  EXPECT_NE(run({"info", "scene.yaml"}).err.find("type is"), std::string::npos);
}

TEST_F(ProgramTest, info_knows_files_by_their_content) {
  write("scene.yaml", stack_scene());
  ASSERT_EQ(run({"run", "scene.yaml", "-o", "run.dat", "--checkpoint", "check.dat", "--quiet"}).status, 0);
  write("scene.dat", stack_scene());
  for (const std::string kind : {"run", "check", "scene"}) {
    const Result result = run({"info", kind + ".dat", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Json j = Json::parse(result.out);
    EXPECT_EQ(j["kind"], kind == "run" ? "recording" : kind == "check" ? "checkpoint" : "scene");
    EXPECT_EQ(run({"info", kind + ".dat"}).status, 0);
    if (kind == "run") {
      EXPECT_EQ(j["frames"], 11);
      EXPECT_EQ(j["bodies"], 4);
      EXPECT_EQ(j["certificate"]["steps"], 20);
    }
    if (kind == "check") {
      EXPECT_EQ(j["step"], 20);
      EXPECT_NEAR(j["time"], 0.1, 1e-12);
    }
  }
}

TEST_F(ProgramTest, info_and_convert_refuse_what_they_do_not_know) {
  write("scene.yaml", stack_scene());
  write("noise.dat", std::string("\x89HDF\r\n\x1a\n\x03", 9) + std::string(5000, 'x'));
  write("empty", "");
  write("text", "hello");
  write("short.ck", "CAIRNCK5");
  for (const std::string file : {"noise.dat", "empty", "text", "none", ".", "short.ck"}) {
    for (const auto& args : {std::vector<std::string>{"info", file}, {"convert", file, "out.pvd"}}) {
      const Result result = run(args);
      EXPECT_EQ(result.status, 2) << args[0] << " " << file;
      EXPECT_EQ(result.err.rfind(file + ": ", 0), 0u) << result.err;
    }
  }
  ASSERT_EQ(run({"run", "scene.yaml", "-o", "run.h5", "--quiet"}).status, 0);
  for (const std::string out : {"out.stl", "out", "none/out.pvd", "none/out.csv", "none/out.png"}) {
    const Result result = run({"convert", "run.h5", out});
    EXPECT_EQ(result.status, 2) << out;
    EXPECT_EQ(result.err.rfind(out + ": ", 0), 0u) << result.err;
  }
  EXPECT_NE(run({"convert", "scene.yaml", "out.pvd"}).err.find(".csv"), std::string::npos);  // says what is possible
}

TEST_F(ProgramTest, recordings_are_converted_to_vtk_tables_and_pictures) {
  write("scene.yaml", stack_scene());
  ASSERT_EQ(run({"run", "scene.yaml", "-o", "run.h5", "--quiet"}).status, 0);
  EXPECT_EQ(run({"convert", "run.h5", "out.pvd"}).status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "out_frames" / "bodies_0010.vtp"));
  EXPECT_TRUE(std::filesystem::exists(folder / "out_frames" / "contacts_0010.vtp"));
  EXPECT_EQ(run({"convert", "run.h5", "out.csv"}).status, 0);
  EXPECT_EQ(run({"convert", "run.h5", "out.png"}).status, 0);
  EXPECT_EQ(text_of(folder / "out.png").substr(1, 3), "PNG");
}

}  // namespace
}  // namespace cairn
