// SPDX-License-Identifier: Apache-2.0
// `cairn render`: pictures and movies from the command line, and clear words where there can be none.
#include "cli/program.h"

namespace cairn {
namespace {

using testing_program::ProgramTest;
using testing_program::Result;
using testing_program::stack_scene;
using testing_program::text_of;

class RenderTest : public ProgramTest {
 protected:
  RenderTest() {
    write("scene.yaml", stack_scene());
    EXPECT_EQ(run({"run", "scene.yaml", "-o", "run.h5", "--quiet"}).status, 0);
  }
  /// Exit 2, a message that begins with a place and has these words, and no new file.
  void expect_refused(std::vector<std::string> args, const std::string& words) {
    const std::size_t before = files().size();
    args.insert(args.begin(), "render");
    const Result result = run(args);
    EXPECT_EQ(result.status, 2) << words;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
    EXPECT_EQ(files().size(), before) << words;
  }
};

TEST_F(RenderTest, pictures_of_a_recording_and_of_a_scene) {
  const Result last = run({"render", "run.h5", "-o", "last.png", "--size", "160x100"});
  EXPECT_EQ(last.status, 0) << last.err;
  EXPECT_NE(last.err.find("t = 0.1 s"), std::string::npos) << last.err;
  EXPECT_EQ(text_of(folder / "last.png").substr(1, 3), "PNG");
  EXPECT_EQ(run({"render", "run.h5", "--time", "0.031", "-o", "a.png", "--size", "160x100"}).err,
            "cairn: a.png: t = 0.03 s\n");
  EXPECT_EQ(run({"render", "run.h5", "--frame", "3", "-o", "b.png", "--size", "160x100"}).status, 0);
  EXPECT_EQ(text_of(folder / "a.png"), text_of(folder / "b.png"));
  EXPECT_EQ(run({"render", "scene.yaml", "-o", "start.png", "--size", "160x100"}).status, 0);
  EXPECT_EQ(text_of(folder / "start.png").substr(1, 3), "PNG");
}

TEST_F(RenderTest, options_change_the_picture_in_the_same_way_for_every_command) {
  std::vector<std::string> seen;
  for (const std::vector<std::string>& options : {std::vector<std::string>{},
                                                  {"--layers", "none"},
                                                  {"--layers", "contacts,chains"},
                                                  {"--layers", "thrust"},
                                                  {"--layers", "penetration"},
                                                  {"--color", "speed"},
                                                  {"--color", "kind"},
                                                  {"--view", "front"},
                                                  {"--orthographic"},
                                                  {"--look-at", "box 2"},
                                                  {"--look-at", "0,0,1", "--distance", "4"},
                                                  {"--fit", "box 0"},
                                                  {"--no-caption"},
                                                  {"--no-legend"}}) {
    std::vector<std::string> args{"render", "run.h5", "-o", "x.png", "--size", "200x125"};
    args.insert(args.end(), options.begin(), options.end());
    const Result result = run(args);
    ASSERT_EQ(result.status, 0) << result.err;
    const std::string bytes = text_of(folder / "x.png");
    EXPECT_EQ(std::find(seen.begin(), seen.end(), bytes), seen.end())
        << (options.empty() ? "" : options[0] + " " + options.back());
    seen.push_back(bytes);
    args[0] = "convert";
    args[2] = "y.png";
    args.erase(args.begin() + 3);
    EXPECT_EQ(run(args).status, 0);
    EXPECT_EQ(text_of(folder / "y.png"), bytes);
  }
}

TEST_F(RenderTest, movies_as_gif_and_as_folder) {
  const Result gif = run({"render", "run.h5", "--movie", "x.gif", "--size", "64x40", "--fps", "20"});
  EXPECT_EQ(gif.status, 0) << gif.err;
  EXPECT_NE(gif.err.find("3 pictures"), std::string::npos) << gif.err;
  EXPECT_EQ(text_of(folder / "x.gif").substr(0, 6), "GIF89a");
  EXPECT_EQ(run({"render", "run.h5", "--movie", "frames/", "--size", "64x40", "--from", "0.05", "--speed", "0.5",
                 "--follow", "box 1"})
                .status,
            0);
  EXPECT_TRUE(std::filesystem::exists(folder / "frames" / "frame_00003.png"));  // 0.05 s at half speed, 30 per second
  EXPECT_FALSE(std::filesystem::exists(folder / "frames" / "frame_00004.png"));
}

TEST_F(RenderTest, wrong_input_is_exit_2_and_nothing_is_written) {
  expect_refused({"run.h5", "-o", "x.png", "--time", "7"}, "run.h5: there is nothing at 7 s");
  expect_refused({"run.h5", "-o", "x.png", "--frame", "11"}, "run.h5: there is no frame 11");
  expect_refused({"run.h5", "-o", "x.png", "--follow", "bux 1"}, "did you mean 'box 1'");
  expect_refused({"run.h5", "-o", "x.png", "--look-at", "moon"}, "run.h5: there is no body 'moon'");
  expect_refused({"run.h5", "-o", "x.png", "--layers", "contact"}, "did you mean 'contacts'");
  expect_refused({"run.h5", "-o", "x.png", "--color", "sped"}, "did you mean 'speed'");
  expect_refused({"run.h5", "-o", "x.png", "--view", "fron"}, "did you mean 'front'");
  expect_refused({"run.h5", "-o", "x.png", "--distance", "0"}, "--distance");
  expect_refused({"run.h5", "-o", "none/x.png"}, "none/x.png: ");
  expect_refused({"run.h5", "-o", "x.jpg"}, "x.jpg: ");
  expect_refused({"run.h5"}, "-o X.png or --movie");
  expect_refused({"run.h5", "-o", "x.png", "--movie", "x.gif"}, "one of the two");
  expect_refused({"run.h5", "-o", "x.png", "--fps", "10"}, "only for --movie");
  expect_refused({"run.h5", "--movie", "x.avi"}, "x.avi: ");
  expect_refused({"run.h5", "--movie", "none/x.gif"}, "none/x.gif: ");
  expect_refused({"run.h5", "--movie", "x.gif", "--to", "9"}, "run.h5: there is nothing at 9 s");
  expect_refused({"run.h5", "--movie", "x/", "--speed", "0"}, "speed");
  expect_refused({"scene.yaml", "--movie", "x.gif"}, "scene.yaml: is a scene");
  expect_refused({"none.h5", "-o", "x.png"}, "none.h5: there is no such file");
  expect_refused({".", "-o", "x.png"}, "neither a recording");
  write("noise.h5", std::string("\x89HDF\r\n\x1a\n\x03", 9) + std::string(5000, 'x'));
  expect_refused({"noise.h5", "-o", "x.png"}, "noise.h5: ");
  std::string bytes = text_of(folder / "run.h5");
  write("cut.h5", bytes.substr(0, bytes.size() / 2));
  expect_refused({"cut.h5", "--movie", "x.gif"}, "cut.h5: ");
}

TEST_F(RenderTest, a_picture_of_a_run_names_unknown_bodies_before_the_run) {
  const Result result = run({"run", "scene.yaml", "-o", "new.h5", "--picture", "x.png", "--follow", "nobody"});
  EXPECT_EQ(result.status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "new.h5"));
}

}  // namespace
}  // namespace cairn
