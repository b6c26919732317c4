// SPDX-License-Identifier: Apache-2.0
// Pictures of moments: bodies are where the camera says, colours and layers show what they are asked for.
#include "cairn/io/snapshot_picture.h"

#include <cmath>
#include <cstring>

#include "cairn/base/error.h"
#include "io/sample_recording.h"

namespace cairn {
namespace {

/// Two balls apart on nothing, the right one fast.
PictureScene two_balls() {
  static const Shape ball = Sphere{0.5};
  PictureScene scene;
  scene.gravity = {0, 0, -9.81};
  for (const double x : {-1.0, 1.0}) {
    PictureBody body;
    body.name = x < 0 ? "left" : "right";
    body.kind = "rigid";
    body.shape = &ball;
    body.place.c = {x, 0, 0};
    body.start = {x, 0, x > 0 ? -2.0 : 0.0};
    body.velocity = {0, 0, x > 0 ? 4.0 : 0.0};
    scene.bodies.push_back(body);
  }
  return scene;
}

PictureSettings plain() {
  PictureSettings settings;
  settings.width = 160;
  settings.height = 100;
  settings.direction = {0, 1, 0};
  settings.layers = {};
  settings.layers.forces = false;
  settings.legend = settings.caption = false;
  return settings;
}

struct Taken {
  Image image;
  Projection projection;
  const std::uint8_t* at(const Vec3& world) const {
    const Vec3 s = projection.to_screen(projection.to_camera(world));
    return image.pixel(int(s.x()), int(s.y()));
  }
};
Taken take(const PictureScene& scene, const PictureSettings& settings) {
  const PictureView view = find_view({&scene, 1}, settings);
  return {draw_picture(scene, view, settings), make_projection(view.camera, settings.width, settings.height)};
}

bool is_sky(const std::uint8_t* p) { return p[2] > 220 && p[2] >= p[0]; }

TEST(SnapshotPicture, bodies_are_where_the_camera_says_and_nowhere_else) {
  const Taken taken = take(two_balls(), plain());
  EXPECT_FALSE(is_sky(taken.at({-1, 0, 0})));
  EXPECT_FALSE(is_sky(taken.at({1, 0, 0})));
  EXPECT_FALSE(is_sky(taken.at({-1, 0, 0.45})));
  EXPECT_TRUE(is_sky(taken.at({0, 0, 0})));
  EXPECT_TRUE(is_sky(taken.at({-1, 0, 0.56})));
}

TEST(SnapshotPicture, a_ball_covers_the_rows_that_perspective_says) {
  PictureSettings settings = plain();
  settings.look_at = Vec3(1, 0, 0);
  settings.distance = 10;
  settings.width = settings.height = 400;
  const Taken taken = take(two_balls(), settings);
  int rows = 0;
  for (int y = 0; y < 400; ++y) rows += !is_sky(taken.image.pixel(200, y));
  // The tangent cone of a ball of radius 0.5 at distance 10.
  const double slope = 0.5 / std::sqrt(100 - 0.25);
  EXPECT_NEAR(rows, 400 * slope / std::tan(17.5 * 3.14159265358979 / 180), 1.01);
}

TEST(SnapshotPicture, the_parallel_projection_keeps_sizes_and_shows_all) {
  PictureScene scene = two_balls();
  scene.bodies[1].place.c.y() = 6;  // further away
  PictureSettings settings = plain();
  settings.orthographic = true;
  settings.width = 320;
  settings.height = 200;
  const Taken taken = take(scene, settings);
  int left = 0, right = 0;
  for (int y = 0; y < 200; ++y) {
    const Vec3 a = taken.projection.to_screen(taken.projection.to_camera({-1, 0, 0}));
    const Vec3 b = taken.projection.to_screen(taken.projection.to_camera({1, 6, 0}));
    left += !is_sky(taken.image.pixel(int(a.x()), y));
    right += !is_sky(taken.image.pixel(int(b.x()), y));
  }
  EXPECT_GT(left, 40);
  EXPECT_NEAR(left, right, 1);
}

TEST(SnapshotPicture, speed_and_displacement_are_read_from_the_scale) {
  for (const BodyColouring colouring : {BodyColouring::Speed, BodyColouring::Displacement}) {
    PictureSettings settings = plain();
    settings.colouring = colouring;
    const Taken taken = take(two_balls(), settings);
    const std::uint8_t *slow = taken.at({-1, 0, 0}), *fast = taken.at({1, 0, 0});
    EXPECT_GT(slow[1], 2 * fast[1]);  // pale at rest, dark violet at the high end
    EXPECT_GT(fast[2], 2 * fast[1]);
    EXPECT_LT(std::abs(slow[0] - slow[1]), 40);
    Legend legend;
    const PictureScene scene = two_balls();
    colour_bodies(scene, colouring, find_view({&scene, 1}, settings).colours, legend);
    ASSERT_TRUE(legend.bar);
    EXPECT_EQ(legend.bar->high, colouring == BodyColouring::Speed ? 4 : 2);
  }
}

TEST(SnapshotPicture, bodies_that_press_on_each_other_are_one_island) {
  PictureScene scene = two_balls();
  EXPECT_EQ(find_islands(scene), (std::vector<int>{0, 1}));
  FrameContact c;
  c.body_a = 1;
  c.body_b = 0;
  c.normal = {1, 0, 0};
  c.force = {3, 0, 0};
  c.point = {0, 0, 0};
  scene.contacts.push_back(c);
  EXPECT_EQ(find_islands(scene), (std::vector<int>{0, 0}));
  scene.bodies[0].moves = false;
  EXPECT_EQ(find_islands(scene), (std::vector<int>{-1, 0}));
}

/// How red a pixel is.
int redness(const std::uint8_t* p) { return p[0] - (p[1] + p[2]) / 2; }

TEST(SnapshotPicture, layers_draw_their_marks_and_say_what_they_mean) {
  PictureScene scene = two_balls();
  scene.bodies[0].place.c = {-0.5, 0, 0};
  scene.bodies[1].place.c = {0.5, 0, 0};
  FrameContact c;
  c.body_a = 1;
  c.body_b = 0;
  c.normal = {1, 0, 0};
  c.force = {3, 0, 0};
  c.point = {0, 0, 0};
  c.gap = -1e-3;
  c.state = ContactState::Stick;
  scene.contacts.push_back(c);
  for (const PictureLayerInfo& info : picture_layers()) {
    if (info.name == "cones" || info.name == "joints") continue;
    PictureSettings settings = plain();
    settings.layers.*(info.shown) = true;
    PictureSettings without = plain();
    without.layers.chains = info.name == "thrust";  // both make the bodies pale
    const PictureView view = find_view({&scene, 1}, settings);
    std::vector<RenderArrow> marks;
    Legend legend;
    draw_layers(scene, settings.layers, view.layers, marks, legend);
    EXPECT_FALSE(marks.empty() && info.name != "thrust") << info.name;
    EXPECT_FALSE(legend.empty()) << info.name;
    EXPECT_NE(draw_picture(scene, view, settings).rgb, draw_picture(scene, view, without).rgb) << info.name;
  }
  PictureSettings chains = plain();
  chains.layers.chains = true;
  const Taken taken = take(scene, chains);
  // On the line between the centres, and beside it.
  EXPECT_GT(redness(taken.at({0.25, 0, 0})), redness(taken.at({0.25, 0, 0.3})) + 25);
}

/// Cones where contacts know their friction, an error in words where they do not.
template <class Contact>
void expect_cones(Contact c) {
  PictureScene scene = two_balls();
  PictureLayers layers;
  layers.forces = false;
  layers.cones = true;
  std::vector<RenderArrow> marks;
  Legend legend;
  c.point = {0, 0, 0};
  c.normal = {0, 0, 1};
  c.force = {0, 0, 1};
  if constexpr (requires { c.friction; }) {
    c.friction = 0.75;
    scene.contacts = {c};
    draw_layers(scene, layers, {}, marks, legend);
    ASSERT_FALSE(marks.empty());
    for (const RenderArrow& mark : marks)  // all ends on the rim: |T| = mu N; the apex is the point itself
      for (const Vec3& p : {mark.from, mark.to}) EXPECT_NEAR(p.head<2>().norm(), 0.75 * p.z(), 1e-12);
  } else {
    scene.contacts = {c};
    EXPECT_THROW(draw_layers(scene, layers, {}, marks, legend), Error);
  }
}

TEST(SnapshotPicture, a_hand_that_pulls_is_an_arrow_from_the_body_to_the_hand) {
  PictureScene scene = two_balls();
  PictureSettings settings = plain();
  settings.layers.forces = true;
  const PictureView view = find_view({&scene, 1}, settings);
  const auto marks_of = [&](Legend& legend) {
    std::vector<RenderArrow> marks;
    draw_layers(scene, settings.layers, view.layers, marks, legend);
    return marks;
  };
  Legend legend;
  EXPECT_TRUE(marks_of(legend).empty());
  scene.pull = PicturePull{{0, 0, 0.1}, {0, 0, 1.5}, {0, 0, 12}};
  const std::vector<RenderArrow> marks = marks_of(legend);
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0].from, Vec3(0, 0, 0.1));
  EXPECT_EQ(marks[0].to, Vec3(0, 0, 1.5));
  ASSERT_FALSE(legend.entries.empty());
  EXPECT_EQ(legend.entries.back().text, "pulled by hand with 12 N");
}

TEST(SnapshotPicture, friction_cones_have_the_slope_of_the_friction) { expect_cones(FrameContact{}); }

TEST(SnapshotPicture, the_line_of_thrust_runs_through_the_blocks) {
  // Three cubes in a row between two walls that are not drawn, pressed together along x.
  static const Shape cube = Box{{0.5, 0.5, 0.5}};
  PictureScene scene;
  for (int k = 0; k < 3; ++k) {
    PictureBody body;
    body.name = "cube";
    body.shape = &cube;
    body.place.c = {k + 0.5, 0, 0};
    scene.bodies.push_back(body);
  }
  for (int k = 0; k <= 3; ++k) {
    FrameContact c;
    c.body_a = k < 3 ? k : 2;
    c.body_b = k < 3 ? k - 1 : -1;
    c.normal = {k < 3 ? 1.0 : -1.0, 0, 0};
    c.force = 10 * c.normal;
    c.point = {double(k), 0, 0.25};
    scene.contacts.push_back(c);
  }
  PictureSettings settings = plain();
  settings.layers.thrust = true;
  settings.orthographic = true;
  settings.width = 320;
  settings.height = 200;
  const Taken taken = take(scene, settings);
  for (const double x : {0.3, 1.5, 2.8}) {
    EXPECT_GT(redness(taken.at({x, -0.5, 0.25})), 40) << x;
    EXPECT_LT(redness(taken.at({x, -0.5, -0.25})), 30) << x;
  }
}

TEST(SnapshotPicture, overlaps_below_a_ten_thousandth_are_no_warning) {
  PictureScene scene = two_balls();
  LayerScales scales;
  PictureLayers layers;
  layers.forces = false;
  layers.penetration = true;
  FrameContact c;
  c.point = c.normal = c.force = {0, 0, 1};
  scales.grain = 1;
  for (const double gap : {-1e-5, 1e-3}) {
    c.gap = gap;
    scene.contacts = {c};
    std::vector<RenderArrow> marks;
    Legend legend;
    draw_layers(scene, layers, scales, marks, legend);
    EXPECT_TRUE(marks.empty()) << gap;
  }
  scene.contacts[0].gap = -1e-3;
  std::vector<RenderArrow> marks;
  Legend legend;
  draw_layers(scene, layers, scales, marks, legend);
  EXPECT_EQ(marks.size(), 1u);
}

TEST(SnapshotPicture, caption_and_legend_are_where_they_belong) {
  PictureScene scene = two_balls();
  scene.title = "Two balls";
  PictureSettings settings = plain();
  settings.width = 640;
  settings.height = 400;
  settings.colouring = BodyColouring::Speed;
  const Image bare = take(scene, settings).image;
  settings.legend = true;
  const Image with_legend = take(scene, settings).image;
  settings.legend = false;
  settings.caption = true;
  const Image with_caption = take(scene, settings).image;
  const auto differ = [&](const Image& image, bool top_right) {
    int inside = 0, outside = 0;
    for (int y = 0; y < 400; ++y)
      for (int x = 0; x < 640; ++x) {
        const bool there = top_right ? x > 320 && y < 200 : x < 320 && y > 350;
        (there ? inside : outside) += std::memcmp(image.pixel(x, y), bare.pixel(x, y), 3) != 0;
      }
    return std::pair(inside > 200, outside);
  };
  EXPECT_EQ(differ(with_legend, true), std::pair(true, 0));
  EXPECT_EQ(differ(with_caption, false), std::pair(true, 0));
}

TEST(SnapshotPicture, bodies_that_are_not_there_are_told_with_the_one_that_was_meant) {
  const PictureScene scene = two_balls();
  for (int k = 0; k < 3; ++k) {
    PictureSettings settings = plain();
    if (k == 0) settings.follow = "rigth";
    if (k == 1) settings.fit = {"left", "rigth"};
    if (k == 2) settings.look_at_body = "rigth";
    try {
      find_view({&scene, 1}, settings);
      ADD_FAILURE() << k;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("did you mean 'right'"), std::string::npos) << error.what();
    }
  }
}

TEST(SnapshotPicture, the_camera_can_be_fitted_to_one_body) {
  PictureSettings settings = plain();
  settings.fit = {"right"};
  const Taken taken = take(two_balls(), settings);
  EXPECT_FALSE(is_sky(taken.image.pixel(80, 50)));
  const Vec3 middle = taken.projection.to_screen(taken.projection.to_camera({1, 0, 0}));
  EXPECT_NEAR(middle.x(), 80, 1);
  const Vec3 other = taken.projection.to_screen(taken.projection.to_camera({-1, 0, 0}));
  EXPECT_LT(other.x(), 0);
}

class SnapshotRecordingTest : public SampleTest {};

TEST_F(SnapshotRecordingTest, a_recording_and_the_simulation_it_came_from_give_the_same_picture) {
  const Recording recording(record());
  Simulation simulation(make_model());
  simulation.run(0.2, [](const Simulation&) { return true; });
  PictureSettings settings;
  settings.width = 160;
  settings.height = 100;
  settings.layers.contacts = settings.layers.joints = true;
  EXPECT_EQ(draw_picture(recording, recording.frame_count() - 1, settings).rgb, draw_picture(simulation, settings).rgb);
  settings.threads = {2};
  EXPECT_EQ(draw_picture(recording, 3, settings).rgb, [&] {
    settings.threads = {1};
    return draw_picture(recording, 3, settings).rgb;
  }());
}

}  // namespace
}  // namespace cairn
