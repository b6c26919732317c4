// SPDX-License-Identifier: Apache-2.0
// Which frames a movie shows, and that it is written whole or not at all.
#include "cairn/io/movie.h"

#include "cairn/base/error.h"
#include "cairn/io/video_pipe.h"
#include "io/sample_recording.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;

class MovieTest : public SampleTest {
 protected:
  PictureSettings small() const {
    PictureSettings settings;
    settings.width = 96;
    settings.height = 60;
    return settings;
  }
};

TEST_F(MovieTest, the_frame_nearest_in_time_is_found_and_times_outside_are_refused) {
  const Recording recording(record());  // every 0.02 s to 0.2 s
  EXPECT_EQ(find_frame(recording, 0), 0u);
  EXPECT_EQ(find_frame(recording, 0.2), 10u);
  EXPECT_EQ(find_frame(recording, 0.029), 1u);
  EXPECT_EQ(find_frame(recording, 0.031), 2u);
  EXPECT_THROW(find_frame(recording, 0.21), Error);
  EXPECT_THROW(find_frame(recording, -0.01), Error);
  EXPECT_THROW(find_frame(recording, std::nan("")), Error);
}

TEST_F(MovieTest, speed_and_rate_decide_how_many_pictures_there_are) {
  const Recording recording(record());
  const auto count = [&](MovieSettings movie) { return movie_frames(recording, movie).size(); };
  EXPECT_EQ(count({.fps = 50}), 11u);
  EXPECT_EQ(count({.fps = 50, .speed = 0.5}), 21u);
  EXPECT_EQ(count({.fps = 25}), 6u);
  EXPECT_EQ(count({.fps = 50, .from = 0.1}), 6u);
  EXPECT_EQ(count({.fps = 50, .from = 0.04, .to = 0.08}), 3u);
  EXPECT_THROW(count({.from = 0.1, .to = 0.05}), Error);
  EXPECT_THROW(count({.to = 5.0}), Error);
  const std::vector<std::size_t> slow = movie_frames(recording, {.fps = 50, .speed = 0.5});
  EXPECT_EQ(slow[0], 0u);
  EXPECT_EQ(slow[4], 2u);
  EXPECT_EQ(slow.back(), 10u);
}

TEST_F(MovieTest, a_folder_of_pictures_has_one_for_every_frame_and_they_differ) {
  const Recording recording(record());
  EXPECT_EQ(write_movie(recording, folder / "frames/", {.fps = 50}, small()), 11u);
  EXPECT_TRUE(fs::exists(folder / "frames" / "frame_00010.png"));
  EXPECT_FALSE(fs::exists(folder / "frames" / "frame_00011.png"));
  EXPECT_NE(text_of("frames/frame_00000.png"), text_of("frames/frame_00010.png"));
  EXPECT_EQ(files(), 2u);
  EXPECT_THROW(write_movie(recording, folder / "frames", {}, small()), Error);  // not empty: two movies must not mix
  fs::create_directory(folder / "empty");
  EXPECT_EQ(write_movie(recording, folder / "empty", {.fps = 10}, small()), 3u);
}

TEST_F(MovieTest, the_camera_stands_still_unless_it_follows_a_body) {
  const Recording recording(record());
  std::vector<PictureScene> moments{make_picture_scene(recording, 0), make_picture_scene(recording, 10)};
  PictureSettings settings = small();
  const auto place = [&](const PictureScene& scene, const std::string& name, const PictureView& view) {
    Camera camera = view.camera;
    if (!settings.follow.empty()) {
      const Vec3 shift = scene.body(settings.follow).place.c - view.followed;
      camera.eye += shift;
      camera.target += shift;
    }
    const Projection p = make_projection(camera, 96, 60);
    return p.to_screen(p.to_camera(scene.body(name).place.c));
  };
  const PictureView still = find_view(moments, settings);
  EXPECT_GT((place(moments[0], "ball", still) - place(moments[1], "ball", still)).head<2>().norm(), 0.5);
  EXPECT_LT((place(moments[0], "box", still) - place(moments[1], "box", still)).head<2>().norm(), 0.1);
  settings.follow = "ball";
  const PictureView moving = find_view(moments, settings);
  EXPECT_LT((place(moments[0], "ball", moving) - place(moments[1], "ball", moving)).head<2>().norm(), 1e-6);
  EXPECT_GT((place(moments[0], "box", moving) - place(moments[1], "box", moving)).head<2>().norm(), 0.5);
  settings.follow = "bell";
  EXPECT_THROW(find_view(moments, settings), Error);
}

TEST_F(MovieTest, what_cannot_be_written_is_an_error_and_leaves_nothing) {
  const Recording recording(record());
  EXPECT_THROW(write_movie(recording, folder / "x.avi", {}, small()), Error);
  EXPECT_THROW(write_movie(recording, folder / "none" / "x.gif", {}, small()), Error);
  EXPECT_THROW(write_movie(recording, folder / "x.gif", {.fps = 60}, small()), Error);
  EXPECT_THROW(write_movie(recording, folder / "x.gif", {.speed = 0}, small()), Error);
  EXPECT_THROW(write_movie(recording, folder / "x/", {.from = 3.0}, small()), Error);
  PictureSettings wrong = small();
  wrong.follow = "nobody";
  EXPECT_THROW(write_movie(recording, folder / "x/", {}, wrong), Error);
  EXPECT_THROW(write_movie(recording, folder / "x.gif", {}, wrong), Error);
  EXPECT_EQ(files(), 1u);
}

TEST_F(MovieTest, a_gif_has_its_frames) {
  const Recording recording(record());
  EXPECT_EQ(write_movie(recording, folder / "x.gif", {.fps = 25}, small()), 6u);
  const std::string bytes = text_of("x.gif");
  EXPECT_EQ(bytes.substr(0, 6), "GIF89a");
  EXPECT_EQ(bytes.back(), ';');
  std::size_t frames = 0;
  for (std::size_t i = bytes.find("\x21\xF9\x04"); i != std::string::npos; i = bytes.find("\x21\xF9\x04", i + 1))
    ++frames;
  EXPECT_EQ(frames, 6u);
}

TEST_F(MovieTest, a_video_is_made_by_ffmpeg_where_there_is_one) {
  const Recording recording(record());
  if (find_ffmpeg().empty()) {
    EXPECT_THROW(write_movie(recording, folder / "x.mp4", {}, small()), Error);
    GTEST_SKIP() << "ffmpeg is not installed";
  }
  PictureSettings odd = small();
  odd.width = 97;  // videos have even sizes: a column is added
  EXPECT_EQ(write_movie(recording, folder / "x.mp4", {.fps = 25}, odd), 6u);
  EXPECT_EQ(text_of("x.mp4").substr(4, 4), "ftyp");
  EXPECT_EQ(files(), 2u);
}

TEST_F(MovieTest, without_ffmpeg_the_package_is_named) {
  const char* path = std::getenv("PATH");
  const std::string before = path ? path : "";
  setenv("PATH", folder.c_str(), 1);
  std::string message;
  try {
    check_movie(folder / "x.mp4", {});
  } catch (const Error& error) {
    message = error.what();
  }
  setenv("PATH", before.c_str(), 1);
  EXPECT_NE(message.find("package ffmpeg"), std::string::npos) << message;
  EXPECT_NE(message.find(".gif"), std::string::npos) << message;
}

}  // namespace
}  // namespace cairn
