// SPDX-License-Identifier: Apache-2.0
// `cairn plot` and the tables and models of `cairn convert`.
#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace cairn {
namespace {

using testing_program::ProgramTest;
using testing_program::Result;
using testing_program::stack_scene;
using testing_program::text_of;

class PlotTest : public ProgramTest {
 protected:
  PlotTest() {
    write("scene.yaml", stack_scene());
    EXPECT_EQ(run({"run", "scene.yaml", "-o", "run.h5", "--quiet"}).status, 0);
  }
  void expect_refused(const std::vector<std::string>& args, const std::string& words) {
    const std::size_t before = files().size();
    const Result result = run(args);
    EXPECT_EQ(result.status, 2) << words;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
    EXPECT_EQ(files().size(), before) << words;
  }
};

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t i = text.find(word); i != std::string::npos; i = text.find(word, i + 1)) ++n;
  return n;
}

TEST_F(PlotTest, curves_of_one_unit_share_a_panel_and_have_a_legend) {
  ASSERT_EQ(run({"plot", "run.h5", "--quantity", "body.box 1.position.z,body.box 2.position.z,residual", "-o", "x.svg"})
                .status,
            0);
  const std::string svg = text_of(folder / "x.svg");
  EXPECT_EQ(count(svg, "<svg"), 3u);  // the page, metres, and numbers without a unit
  EXPECT_EQ(count(svg, "class=\"series\""), 3u);
  EXPECT_EQ(count(svg, "class=\"legend\""), 1u);
  EXPECT_NE(svg.find("time [s]"), std::string::npos);
  EXPECT_NE(svg.find(" [m]"), std::string::npos);
  EXPECT_NE(svg.find("A small stack"), std::string::npos);
}

TEST_F(PlotTest, the_energy_is_stacked_and_log_axes_are_possible) {
  ASSERT_EQ(run({"plot", "run.h5", "-q", "energy", "-o", "x.svg", "--title", "Balance", "--size", "500x300"}).status,
            0);
  const std::string svg = text_of(folder / "x.svg");
  EXPECT_GE(count(svg, "class=\"area\""), 1u);
  EXPECT_NE(svg.find("Balance"), std::string::npos);
  EXPECT_NE(svg.find("width=\"500\""), std::string::npos);
  ASSERT_EQ(run({"plot", "run.h5", "-q", "seconds_total", "--log", "-o", "y.svg"}).status, 0);
  EXPECT_NE(text_of(folder / "y.svg").find("<tspan"), std::string::npos);  // powers of ten
}

TEST_F(PlotTest, the_picture_can_be_a_png_of_the_size_asked_for) {
  ASSERT_EQ(run({"plot", "run.h5", "-q", "energy,residual", "-o", "x.png", "--size", "700x500"}).status, 0);
  const std::string png = text_of(folder / "x.png");
  ASSERT_GT(png.size(), 2000u);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const auto size = [&](std::size_t at) {
    return (static_cast<unsigned char>(png[at]) << 8) + static_cast<unsigned char>(png[at + 1]);
  };
  EXPECT_EQ(size(18), 700);  // IHDR: width and height, most significant byte first
  EXPECT_EQ(size(22), 500);
  // Another quantity is another picture, the same one the same bytes.
  ASSERT_EQ(run({"plot", "run.h5", "-q", "contacts,residual", "-o", "y.png", "--size", "700x500"}).status, 0);
  EXPECT_NE(text_of(folder / "y.png"), png);
  ASSERT_EQ(run({"plot", "run.h5", "-q", "energy,residual", "-o", "x.png", "--size", "700x500"}).status, 0);
  EXPECT_EQ(text_of(folder / "x.png"), png);
  expect_refused({"plot", "run.h5", "-q", "energy", "-o", "z.png", "--size", "9000x500"}, "8000x8000");
}

TEST_F(PlotTest, tables_have_the_numbers_of_the_time_asked_for) {
  ASSERT_EQ(run({"plot", "run.h5", "-q", "body.box 2.position.z", "-q", "contacts", "-o", "x.csv", "--from", "0.05",
                 "--to", "0.08"})
                .status,
            0);
  const std::string table = text_of(folder / "x.csv");
  EXPECT_EQ(table.substr(0, table.find('\n')), "time,body.box 2.position.z [m],contacts");
  EXPECT_EQ(count(table, "\n"), 1 + 7u);  // steps of 5 ms: 0.05 to 0.08
}

TEST_F(PlotTest, the_list_has_every_kind_of_quantity) {
  const Result text = run({"plot", "run.h5", "--list"});
  ASSERT_EQ(text.status, 0);
  for (const char* name : {"energy ", "residual ", "real_time_factor", "body.box 1.position.z", "contact."})
    EXPECT_NE(text.out.find(name), std::string::npos) << name;
  const auto json = nlohmann::json::parse(run({"plot", "run.h5", "--list", "--json"}).out);
  EXPECT_EQ(count(text.out, "\n"), json.size());
  EXPECT_EQ(json[0]["name"], "energy");
}

TEST_F(PlotTest, wrong_input_is_exit_2_and_nothing_is_written) {
  expect_refused({"plot", "run.h5", "-q", "residul", "-o", "x.svg"},
                 "run.h5: there is no quantity 'residul' (did you mean 'residual'?)");
  expect_refused({"plot", "run.h5", "-q", "body.box 9.speed", "-o", "x.svg"}, "there is no body 'box 9'");
  expect_refused({"plot", "run.h5", "-q", "residual", "-o", "x.pdf"}, "x.pdf: ");
  expect_refused({"plot", "run.h5", "-q", "residual"}, ".svg, .png or .csv");
  expect_refused({"plot", "run.h5", "-o", "x.svg"}, "--quantity");
  expect_refused({"plot", "run.h5", "-q", "residual", "-o", "none/x.svg"}, "none/x.svg: ");
  expect_refused({"plot", "run.h5", "-q", "residual", "-o", "x.svg", "--from", "5"}, "there is nothing between");
  expect_refused({"plot", "run.h5", "-q", "residual", "-o", "x.svg", "--size", "20"}, "--size");
  expect_refused({"plot", "scene.yaml", "--list"}, "scene.yaml: is no recording");
  expect_refused({"plot", "none.h5", "--list"}, "none.h5: there is no such file");
  const std::string bytes = text_of(folder / "run.h5");
  write("cut.h5", bytes.substr(0, bytes.size() / 2));
  expect_refused({"plot", "cut.h5", "-q", "residual", "-o", "x.svg"}, "cut.h5: ");
}

TEST_F(PlotTest, recordings_become_models_and_tables) {
  ASSERT_EQ(run({"convert", "run.h5", "x.glb"}).status, 0);
  EXPECT_EQ(text_of(folder / "x.glb").substr(0, 4), "glTF");
  ASSERT_EQ(run({"convert", "run.h5", "x.gltf"}).status, 0);
  EXPECT_EQ(nlohmann::json::parse(text_of(folder / "x.gltf"))["asset"]["version"], "2.0");
  ASSERT_EQ(run({"convert", "run.h5", "x.npz"}).status, 0);
  EXPECT_EQ(text_of(folder / "x.npz").substr(0, 2), "PK");
  ASSERT_EQ(run({"convert", "run.h5", "x.contacts.csv"}).status, 0);
  EXPECT_EQ(text_of(folder / "x.contacts.csv").substr(0, 19), "time,body_a,body_b,");
  ASSERT_EQ(run({"convert", "run.h5", "y.csv", "--table", "contacts"}).status, 0);
  EXPECT_EQ(text_of(folder / "y.csv"), text_of(folder / "x.contacts.csv"));
  ASSERT_EQ(run({"convert", "run.h5", "x.certificate.csv"}).status, 0);
  EXPECT_EQ(count(text_of(folder / "x.certificate.csv"), "\n"), 21u);
  expect_refused({"convert", "run.h5", "z.csv", "--table", "contact"}, "did you mean 'contacts'");
  expect_refused({"convert", "run.h5", "z.glb", "--table", "contacts"}, "only for .csv and .npz");
  expect_refused({"convert", "run.h5", "none/z.glb"}, "none/z.glb: ");
}

}  // namespace
}  // namespace cairn
