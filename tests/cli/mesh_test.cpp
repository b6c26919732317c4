// SPDX-License-Identifier: Apache-2.0
// Meshes as a person meets them: `cairn info`, `cairn convert`, shapes of scenes that come from files, points and
// parts.
#include <nlohmann/json.hpp>

#include "cairn/io/recording.h"
#include "cli/program.h"
#include "io/mesh_samples.h"

namespace cairn {
namespace {

using testing_program::ProgramTest;
using testing_program::Result;
using testing_program::text_of;
using Json = nlohmann::json;

// The corner of the unit cube: volume 1/6, centre (1/4, 1/4, 1/4).
const std::string kVertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
const std::string kCorner = kVertices + "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
const std::string kOpen = kVertices + "f 1 3 2\nf 1 2 4\nf 2 3 4\n";
const std::string kInsideOut = kVertices + "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";
// A face is missing its neighbour's edge only because the vertices of face 4 are copies.
const std::string kUnwelded = kVertices + "v 0 1 0\nv 0 0 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 5 6 7\n";

class MeshProgramTest : public ProgramTest {
 protected:
  /// A scene with one body of this shape on the ground; its first word is on line 5.
  std::string scene(const std::string& shape, const std::string& more = "") const {
    return write("scene.yaml",
                 "cairn: 1\nbodies:\n  - {name: ground, fixed: true, shape: {half-space: {}}}\n"
                 "  - name: thing\n    shape: " +
                     shape + "\n    position: [0, 0, 1]\n" + more);
  }
};

TEST_F(MeshProgramTest, info_tells_size_volume_and_what_a_mesh_is_fit_for) {
  write("corner.obj", kCorner);
  const Result text = run({"info", "corner.obj"});
  EXPECT_EQ(text.status, 0) << text.err;
  for (const char* word : {"a mesh (OBJ)", "4 vertices, 4 triangles", "(0, 0, 0) to (1, 1, 1)", "0.166666667 m^3",
                           "centre (0.25, 0.25, 0.25)", "no faults", "for moving bodies"})
    EXPECT_NE(text.out.find(word), std::string::npos) << word << "\n" << text.out;
  const Json j = Json::parse(run({"info", "corner.obj", "--json"}).out);
  EXPECT_EQ(j["kind"], "mesh");
  EXPECT_NEAR(j["volume"], 1.0 / 6, 1e-15);
  EXPECT_TRUE(j["closed"]);

  write("open.obj", kOpen);
  const Json open = Json::parse(run({"info", "open.obj", "--json"}).out);
  EXPECT_EQ(open["faults"]["open_edges"]["count"], 3);
  EXPECT_TRUE(open["usable"]);
  EXPECT_NE(run({"info", "open.obj"}).out.find("fixed bodies only"), std::string::npos);
  write("inside.obj", kInsideOut);
  const Result inside = run({"info", "inside.obj"});
  EXPECT_EQ(inside.status, 0);  // it is told, not refused
  EXPECT_NE(inside.out.find("inside out"), std::string::npos) << inside.out;
  EXPECT_NE(inside.out.find("--repair"), std::string::npos) << inside.out;
}

TEST_F(MeshProgramTest, info_and_convert_know_every_format_that_is_read) {
  for (const auto& [name, bytes, format] : testing_meshes::all_samples()) {
    write(name, bytes);
    const Result info = run({"info", name, "--json"});
    ASSERT_EQ(info.status, 0) << name << info.err;
    EXPECT_NEAR(Json::parse(info.out)["volume"], 1.0 / 3, 1e-6) << name;
    const Result convert = run({"convert", name, "copy.ply"});
    EXPECT_EQ(convert.status, 0) << name << convert.err;
    EXPECT_NEAR(Json::parse(run({"info", "copy.ply", "--json"}).out)["volume"], 1.0 / 3, 1e-6) << name;
  }
}

TEST_F(MeshProgramTest, convert_keeps_the_solid_through_all_formats_and_scales_it) {
  write("a.obj", kCorner);
  ASSERT_EQ(run({"convert", "a.obj", "b.stl"}).status, 0);
  ASSERT_EQ(run({"convert", "b.stl", "c.ply", "--scale", "1/10"}).status, 0);
  ASSERT_EQ(run({"convert", "c.ply", "d.obj"}).status, 0);
  const Json j = Json::parse(run({"info", "d.obj", "--json"}).out);
  EXPECT_EQ(j["vertices"], 4);
  EXPECT_NEAR(j["volume"], 1e-3 / 6, 1e-9);
}

TEST_F(MeshProgramTest, convert_repairs_only_when_asked_and_says_what_it_did) {
  write("inside.obj", kInsideOut);
  const Result as_is = run({"convert", "inside.obj", "same.obj"});
  EXPECT_EQ(as_is.status, 0);
  EXPECT_NE(as_is.err.find("inside out"), std::string::npos) << as_is.err;
  const Result turned = run({"convert", "inside.obj", "good.obj", "--repair"});
  EXPECT_NE(turned.err.find("turned 4 faces"), std::string::npos) << turned.err;
  EXPECT_NEAR(Json::parse(run({"info", "good.obj", "--json"}).out)["volume"], 1.0 / 6, 1e-15);
  write("copies.obj", kUnwelded);
  EXPECT_EQ(Json::parse(run({"info", "copies.obj", "--json"}).out)["closed"], false);
  const Result welded = run({"convert", "copies.obj", "one.obj", "--repair"});
  EXPECT_NE(welded.err.find("no faults"), std::string::npos) << welded.err;
  EXPECT_EQ(Json::parse(run({"info", "one.obj", "--json"}).out)["vertices"], 4);
}

TEST_F(MeshProgramTest, wrong_mesh_files_are_exit_2_with_the_place_and_leave_no_file) {
  write("corner.obj", kCorner);
  write("cut.obj", kCorner.substr(0, 30));
  ASSERT_EQ(run({"convert", "corner.obj", "corner.stl"}).status, 0);
  write("cut.stl", text_of(folder / "corner.stl").substr(0, 150));
  write("index.obj", kVertices + "f 1 2 9\n");
  write("corner.xyz", kCorner);
  write("empty.obj", "");
  write("short.asc", "ncols 3\nnrows 3\ncellsize 1\n0 0 0\n0 0\n");
  const auto before = files();
  struct Case {
    std::vector<std::string> args;
    std::string begin, phrase;
  };
  for (const auto& [args, begin, phrase] : std::vector<Case>{
           {{"info", "none.obj"}, "none.obj: ", "No such file"},
           {{"info", "cut.obj"}, "cut.obj:4: ", "the file ends here"},
           {{"info", "cut.stl"}, "cut.stl: byte 80: ", "4 facets are announced"},
           {{"info", "index.obj"}, "index.obj:5: ", "9"},
           {{"info", "empty.obj"}, "empty.obj: ", ""},
           {{"info", "corner.xyz"}, "corner.xyz: ", ".obj, .stl, .ply"},
           {{"info", "short.asc"}, "short.asc:3: ", "9, which needs at least 18 bytes"},
           {{"convert", "none.obj", "out.obj"}, "none.obj: ", "no such file"},
           {{"convert", "cut.obj", "out.obj"}, "cut.obj:4: ", ""},
           {{"convert", "cut.stl", "out.obj", "--repair"}, "cut.stl: byte 80: ", ""},
           {{"convert", "cut.stl", "out.png"}, "cut.stl: byte 80: ", ""},
           {{"convert", "corner.xyz", "out.obj"}, "corner.xyz: ", "is neither"},
           {{"convert", "corner.obj", "out.xyz"}, "out.xyz: ", "there are .obj, .stl, .ply"},
           {{"convert", "corner.obj", "out"}, "out: ", ""},
           {{"convert", "corner.obj", "none/out.obj"}, "none/out.obj: ", "no folder 'none'"},
           {{"convert", "corner.obj", "corner.obj"}, "corner.obj: ", "itself"},
           {{"convert", "corner.obj", "out.obj", "--scale", "0"}, "", "--scale: 0 is not allowed; must be > 0"},
           {{"convert", "corner.obj", "out.obj", "--scale", "small"}, "", "--scale: 'small' is not a number"},
           {{"convert", "corner.obj", "out.obj", "--view", "1,0,0"}, "", "only for .png"},
           {{"convert", "corner.obj", "out.png", "--view", "1,0"}, "", "--view: '1,0' is not a direction"},
           {{"convert", "corner.obj", "out.png", "--view", "0,0,0"}, "", "no length"},
           {{"convert", "corner.obj", "out.png", "--size", "big"}, "", "--size: "},
           {{"convert", "corner.obj", "out.png", "--size", "9x9"}, "", "WIDTHxHEIGHT"},
       }) {
    const Result result = run(args);
    std::string line;
    for (const std::string& arg : args) line += arg + " ";
    EXPECT_EQ(result.status, 2) << line << result.err;
    EXPECT_EQ(result.out, "") << line;
    EXPECT_NE(result.err.find(begin), std::string::npos) << line << "\n" << result.err;
    EXPECT_NE(result.err.find(phrase), std::string::npos) << line << "\n" << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << line << "\n" << result.err;
    EXPECT_EQ(files().size(), before.size()) << line;
  }
}

TEST_F(MeshProgramTest, bodies_from_files_points_and_parts_have_the_mass_of_their_shape) {
  write("corner.obj", kCorner);
  // 1000 kg/m^3; the mesh in decimetres, the hull of the same corner, and two balls apart.
  const std::vector<std::pair<std::string, double>> shapes{
      {"{mesh: {file: corner.obj, scale: 0.1}}", 1.0 / 6},
      {"{convex: {file: corner.obj, scale: 0.1}}", 1.0 / 6},
      {"{convex: {points: [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1], [0.01, 0.01, 0.01]]}}", 1.0 / 6},
      {"{compound: {parts: [{shape: {box: {size: [0.1, 0.1, 0.1]}}}, {shape: {mesh: {file: corner.obj, scale: 0.1}}, "
       "position: [0.2, 0, 0], orientation: {axis: [0, 0, 1], angle_deg: 90}}]}}",
       1 + 1.0 / 6}};
  for (const auto& [shape, mass] : shapes) {
    scene(shape, "run: {duration: 0.02, step: 0.01}\n");
    const Result result = run({"run", "scene.yaml", "-o", "run.h5", "--quiet"});
    ASSERT_EQ(result.status, 0) << shape << result.err;
    EXPECT_NEAR(Recording(folder / "run.h5").bodies()[1].mass, mass, 1e-12) << shape;
    std::filesystem::remove(folder / "run.h5");
  }
}

TEST_F(MeshProgramTest, wrong_shapes_of_scenes_are_exit_2_at_their_line_and_leave_no_recording) {
  write("corner.obj", kCorner);
  write("open.obj", kOpen);
  write("inside.obj", kInsideOut);
  write("cut.obj", kCorner.substr(0, 30));
  write("corner.xyz", kCorner);
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"{mesh: {file: none.obj}}", "5:19: none.obj: there is no such file"},
      {"{mesh: {file: open.obj}}", "4:5: body 'thing': mesh: its surface is open"},
      {"{mesh: {file: inside.obj}}", "5:19: inside.obj: inside out (volume -0.166667 m^3); `cairn convert --repair`"},
      {"{mesh: {file: cut.obj}}", "5:19: cut.obj:4: the file ends here"},
      {"{mesh: {file: corner.xyz}}", "5:19: corner.xyz: the extension '.xyz' is no mesh format; there are .obj"},
      {"{mesh: {file: .}}", "is a directory"},
      {"{mesh: {file: corner.obj, scale: -1}}", "scale is -1; expected a number > 0"},
      {"{mesh: {file: corner.obj, scal: 1}}", "did you mean 'scale'"},
      {"{mesh: {}}", "mesh has no data; give it a file"},
      {"{mesh: corner.obj}", "mesh is no table"},
      {"{convex: {}}", "convex has no data; give it points or a file"},
      {"{convex: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}", "has 3 points"},
      {"{convex: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}}", "in a plane"},
      {"{convex: {points: [[0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}", "points has 2 entries"},
      {"{convex: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], file: corner.obj}}", "give one of them"},
      {"{compound: {}}", "'parts' is missing"},
      {"{compound: {parts: []}}", "has no parts"},
      {"{compound: {parts: [{position: [0, 0, 0]}]}}", "5:32: 'shape' is missing; a part needs it"},
      {"{compound: {parts: [{shape: {sphere: {radius: 0}}}]}}", "radius is 0"},
      {"{compound: {parts: [{shape: {half-space: {}}}]}}", "has no mass"},
      {"{compound: {parts: [{shape: {mesh: {file: open.obj}}}]}}", "its surface is open"},
      {"{compound: {parts: [{shape: {mesh: {file: none.obj}}}]}}", "none.obj: there is no such file"},
      {"{cells: {file: corner.obj}}", "corner.obj: holds faces but no volume cells"},
      {"{height-field: {file: corner.obj}}", "corner.obj:1: expected ncols"},
  };
  for (const auto& [shape, phrase] : wrong) {
    scene(shape);
    const Result result = run({"run", "scene.yaml", "-o", "run.h5", "--picture", "run.png"});
    EXPECT_EQ(result.status, 2) << shape << result.err;
    EXPECT_EQ(result.err.rfind("scene.yaml:", 0), 0u) << shape << "\n" << result.err;
    EXPECT_NE(result.err.find(phrase), std::string::npos) << shape << "\n" << result.err;
    EXPECT_EQ(result.out, "") << shape;
    EXPECT_FALSE(std::filesystem::exists(folder / "run.h5")) << shape;
    EXPECT_FALSE(std::filesystem::exists(folder / "run.png")) << shape;
  }
  // An open surface is a shape of what stays where it is.
  scene("{mesh: {file: open.obj}}\n    fixed: true", "  - {shape: {sphere: {radius: 0.1}}, position: [0, 0, 3]}\n");
  EXPECT_EQ(run({"run", "scene.yaml", "--duration", "0.01", "--quiet"}).status, 0);
}

TEST_F(MeshProgramTest, meshes_scenes_and_height_fields_can_be_looked_at_before_the_first_step) {
  write("corner.obj", kCorner);
  scene("{mesh: {file: corner.obj}}");
  const auto size_of = [&](const std::string& name) {  // PNG: width and height, big-endian, from byte 16
    const std::string bytes = text_of(folder / name);
    const auto at = [&](std::size_t i) {
      return 256 * static_cast<unsigned char>(bytes.at(i)) + static_cast<unsigned char>(bytes.at(i + 1));
    };
    return std::pair{at(18), at(22)};
  };
  EXPECT_EQ(run({"convert", "corner.obj", "corner.png", "--size", "160x90"}).status, 0);
  EXPECT_EQ(size_of("corner.png"), std::pair(160, 90));
  const Result drawn = run({"convert", "scene.yaml", "front.png", "--size", "80x50", "--view=0,1,0", "--no-forces"});
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_EQ(size_of("front.png"), std::pair(80, 50));
  EXPECT_EQ(run({"convert", "scene.yaml", "above.png", "--size", "80x50", "--view=0,0,-1"}).status, 0);
  EXPECT_NE(text_of(folder / "front.png"), text_of(folder / "above.png"));

  write("hill.asc", "ncols 3\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 0.5\n0 1 0\n0 2 0\n");
  const Json j = Json::parse(run({"info", "hill.asc", "--json"}).out);
  EXPECT_EQ(j["kind"], "height-field");
  EXPECT_EQ(j["box"], Json::parse("[[0, 0, 0], [1, 0.5, 2]]"));
  EXPECT_NE(run({"info", "hill.asc"}).out.find("3 x 2 heights"), std::string::npos);
}

}  // namespace
}  // namespace cairn
