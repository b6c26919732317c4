// SPDX-License-Identifier: Apache-2.0
// Pictures of scenes whose pixels can be foretold from geometry.
#include "cairn/io/renderer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "cairn/base/error.h"
#include "cairn/io/bitmap_font.h"

namespace cairn {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

RenderMesh make_box(const Vec3& centre, const Vec3& half, const Vec3& colour) {
  RenderMesh mesh;
  mesh.colour = colour;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(
        centre + Vec3(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(), i & 4 ? half.z() : -half.z()));
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

RenderOptions small(int width = 96, int height = 60) {
  RenderOptions o;
  o.width = width;
  o.height = height;
  o.background_top = o.background_bottom = {0.2, 0.4, 0.6};
  return o;
}

Camera from_front() {
  Camera c;
  c.eye = {0, -10, 0};
  c.target = {0, 0, 0};
  return c;
}

bool is_background(const Image& image, int x, int y) {  // 0.2, 0.4, 0.6 of 255
  const std::uint8_t* p = image.pixel(x, y);
  return p[0] == 51 && p[1] == 102 && p[2] == 153;
}

int count_background(const Image& image) {
  int n = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) n += is_background(image, x, y);
  return n;
}

// The colour channel that dominates.
int hue(const std::uint8_t* p) { return p[0] > p[1] && p[0] > p[2] ? 0 : p[1] > p[2] ? 1 : 2; }

const Vec3 red(0.9, 0.1, 0.1), green(0.1, 0.8, 0.1);

TEST(Renderer, empty_scene_is_the_background_gradient) {
  RenderOptions o = small(8, 5);
  o.background_top = {1, 0, 0};
  o.background_bottom = {0, 0, 1};
  const Image image = render({}, {}, from_front(), o);
  ASSERT_EQ(image.rgb.size(), 3u * 8 * 5);
  EXPECT_EQ(image.pixel(3, 0)[0], 255);
  EXPECT_EQ(image.pixel(3, 0)[2], 0);
  EXPECT_EQ(image.pixel(3, 4)[0], 0);
  EXPECT_EQ(image.pixel(3, 4)[2], 255);
}

TEST(Renderer, a_box_covers_the_pixels_that_perspective_says) {
  // The front face, at distance 9, is 2 high; the picture there is 2 * 9 tan(17.5 deg) high.
  const Image image = render({make_box({0, 0, 0}, {1, 1, 1}, red)}, {}, from_front(), small(200, 200));
  const double pixels = 200 * 1.0 / (9 * std::tan(17.5 * std::numbers::pi / 180));
  int rows = 0;
  for (int y = 0; y < 200; ++y) rows += !is_background(image, 100, y);
  EXPECT_NEAR(rows, pixels, 1.01);
  EXPECT_TRUE(is_background(image, 10, 10));
  EXPECT_EQ(hue(image.pixel(100, 100)), 0);
  EXPECT_GT(image.pixel(100, 100)[0], 3 * image.pixel(100, 100)[1]);
}

TEST(Renderer, orthographic_boxes_have_the_same_size_at_any_distance) {
  Camera camera = from_front();
  camera.orthographic = true;
  for (const double y : {-3.0, 20.0}) {
    const Image image = render({make_box({0, y, 0}, {1, 1, 1}, red)}, {}, camera, small(200, 200));
    int rows = 0;
    for (int row = 0; row < 200; ++row) rows += !is_background(image, 100, row);
    EXPECT_NEAR(rows, 200 * 1.0 / (10 * std::tan(17.5 * std::numbers::pi / 180)), 1.01);
  }
}

TEST(Renderer, the_nearer_body_hides_the_other_in_either_order) {
  const RenderMesh near_box = make_box({0, -2, 0}, {1, 0.2, 1}, red),
                   far_box = make_box({0, 2, 0}, {1.5, 0.2, 1.5}, green);
  for (const auto& scene : {std::vector{near_box, far_box}, std::vector{far_box, near_box}}) {
    const Image image = render(scene, {}, from_front(), small(100, 100));
    EXPECT_EQ(hue(image.pixel(50, 50)), 0);
  }
  EXPECT_EQ(hue(render({far_box}, {}, from_front(), small(100, 100)).pixel(50, 50)), 1);
}

TEST(Renderer, interpenetrating_planes_meet_on_the_line_where_they_cross) {
  // Two quads y = x and y = -x seen along y: left half shows one, right half the other.
  const auto quad = [](double s, const Vec3& colour) {
    return RenderMesh{.vertices = {{-1, -s, -1}, {1, s, -1}, {1, s, 1}, {-1, -s, 1}},
                      .triangles = {{0, 1, 2}, {0, 2, 3}},
                      .colour = colour};
  };
  RenderOptions o = small(100, 100);
  o.shadows = o.edges = false;
  const Image image = render({quad(1, red), quad(-1, green)}, {}, from_front(), o);
  for (int y = 40; y < 60; ++y) {
    EXPECT_EQ(hue(image.pixel(47, y)), 0);
    EXPECT_EQ(hue(image.pixel(52, y)), 1);
  }
}

TEST(Renderer, floor_under_a_box_is_darker_than_the_lit_floor) {
  Camera camera;
  camera.eye = {0, -0.01, 12};
  camera.target = {0, 0, 0};
  camera.up = {0, 1, 0};
  RenderOptions o = small(200, 200);
  o.edges = false;
  o.to_light = {1, 0, 1};  // the shadow of a slab at height 2 falls 2 m towards -x
  const std::vector<RenderMesh> scene = {make_floor({0, 0, 0}, {0, 0, 1}, 50),
                                         make_box({0, 0, 2}, {0.5, 0.5, 0.05}, red)};
  const double per_metre = 100 / (12 * std::tan(17.5 * std::numbers::pi / 180));
  const int shadow_x = int(100 - 2 * per_metre), lit_x = int(100 + 2 * per_metre);
  const Image image = render(scene, {}, camera, o);
  EXPECT_LT(image.pixel(shadow_x, 100)[1], 0.75 * image.pixel(lit_x, 100)[1]);
  o.shadows = false;
  const Image flat = render(scene, {}, camera, o);
  EXPECT_NEAR(flat.pixel(shadow_x, 100)[1], flat.pixel(lit_x, 100)[1], 12);  // up to the checker
}

TEST(Renderer, a_lit_surface_does_not_shade_itself) {
  // A lone slab seen from above has nothing above it: with and without shadows it must look the same.
  Camera camera = from_front();
  camera.eye = {2, -6, 6};
  for (const double tilt : {1.0, 0.4, 0.15}) {  // down to a sun 9 degrees above the horizon
    RenderOptions o = small();
    o.to_light = {1, 0, tilt};
    const std::vector<RenderMesh> scene = {make_box({0, 0, 0}, {1, 1, 0.1}, {0.7, 0.7, 0.7})};
    const Image with = render(scene, {}, camera, o);
    o.shadows = false;
    const Image without = render(scene, {}, camera, o);
    int different = 0;
    for (std::size_t i = 0; i < with.rgb.size(); ++i) different += std::abs(with.rgb[i] - without.rgb[i]) > 2;
    EXPECT_EQ(different, 0) << tilt;
  }
}

TEST(Renderer, a_huge_floor_around_the_camera_is_clipped_at_the_near_plane) {
  Camera camera;
  camera.eye = {0, 0, 1};
  camera.target = {0, 10, 0.9};
  const RenderMesh floor = make_floor({0, 0, 0}, {0, 0, 1}, 1e6, {0.9, 0.1, 0.1});
  const Image image = render({floor, make_box({0, 5, 0.5}, {0.5, 0.5, 0.5}, green)}, {}, camera, small());
  EXPECT_TRUE(is_background(image, 5, 2));  // above the horizon
  EXPECT_EQ(hue(image.pixel(48, 58)), 0);   // floor at the feet, along the shared edge of its two triangles
  EXPECT_EQ(hue(image.pixel(48, 35)), 1);   // the box
}

TEST(Renderer, triangles_behind_or_through_the_camera_do_not_disturb) {
  Camera camera = from_front();
  const RenderMesh behind = make_box({0, -20, 0}, {1, 1, 1}, red);
  EXPECT_EQ(count_background(render({behind}, {}, camera, small())), 96 * 60);
  const RenderMesh around = make_box({0, -10, 0}, {3, 3, 3}, red);  // the camera sits inside
  EXPECT_EQ(count_background(render({around}, {}, camera, small())), 0);
  const RenderMesh through = make_box({0, -10, -2}, {0.5, 8, 1}, green);
  const Image image = render({through}, {}, camera, small());
  EXPECT_TRUE(is_background(image, 48, 10));
  EXPECT_EQ(hue(image.pixel(48, 57)), 1);
}

TEST(Renderer, shared_edges_leave_no_holes) {
  // A fan of 60 triangles over a disc that fills the picture.
  RenderMesh fan;
  fan.vertices.push_back({0.013, 0, 0.007});
  for (int k = 0; k < 60; ++k)
    fan.vertices.push_back({20 * std::cos(k * std::numbers::pi / 30), 0, 20 * std::sin(k * std::numbers::pi / 30)});
  for (int k = 0; k < 60; ++k) fan.triangles.push_back({0, 1 + k, 1 + (k + 1) % 60});
  fan.colour = red;
  RenderOptions o = small();
  o.background_top = o.background_bottom = {0, 1, 0};
  o.edges = false;
  const Image image = render({fan}, {}, from_front(), o);
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 96; ++x) EXPECT_LT(image.pixel(x, y)[1], 100) << x << ' ' << y;
}

TEST(Renderer, degenerate_and_not_finite_triangles_are_skipped_and_the_rest_is_drawn) {
  RenderMesh mesh = make_box({0, 0, 0}, {1, 1, 1}, red);
  const RenderMesh clean = mesh;
  mesh.vertices.push_back({kNaN, 0, 0});
  mesh.vertices.push_back({std::numeric_limits<double>::infinity(), 0, 0});
  mesh.vertices.push_back({1e200, 1e200, 0});
  mesh.triangles.push_back({0, 1, 8});
  mesh.triangles.push_back({0, 9, 1});
  mesh.triangles.push_back({3, 3, 5});
  mesh.triangles.push_back({0, 10, 1});
  RenderOptions o = small();
  o.edges = false;  // the extra triangles change which edges are borders, not what is solid
  EXPECT_EQ(render({mesh}, {}, from_front(), o).rgb, render({clean}, {}, from_front(), o).rgb);
}

TEST(Renderer, crease_lines_darken_edges_but_not_face_diagonals) {
  RenderOptions o = small(201, 201);
  Camera camera = from_front();
  camera.eye = {-7, -7, 0};  // the edge x = y = -1 runs down the middle of the picture
  const std::vector<RenderMesh> scene = {make_box({0, 0, 0}, {1, 1, 1}, {0.8, 0.8, 0.8})};
  const Image with = render(scene, {}, camera, o);
  o.edges = false;
  const Image without = render(scene, {}, camera, o);
  EXPECT_LT(with.pixel(100, 100)[1], 0.8 * without.pixel(100, 100)[1]);
  int changed = 0;
  for (int x = 60; x < 95; ++x) changed += with.pixel(x, 100)[1] != without.pixel(x, 100)[1];
  EXPECT_EQ(changed, 0);  // row 100 crosses the diagonal of the left face there
}

TEST(Renderer, arrows_shine_through_bodies_by_the_chosen_opacity) {
  const std::vector<RenderMesh> scene = {make_box({0, 0, 0}, {1, 1, 1}, green)};
  const std::vector<RenderArrow> inside = {{{0, 0, -0.9}, {0, 0, 0.9}, {1, 0, 0}, 0.1}};
  const std::vector<RenderArrow> in_front = {{{0, -2, -0.9}, {0, -2, 0.9}, {1, 0, 0}, 0.1}};
  RenderOptions o = small(101, 101);
  EXPECT_EQ(hue(render(scene, in_front, from_front(), o).pixel(50, 50)), 0);
  o.arrows_through = 0;
  EXPECT_EQ(render(scene, inside, from_front(), o).rgb, render(scene, {}, from_front(), o).rgb);
  o.arrows_through = 1;
  EXPECT_EQ(hue(render(scene, inside, from_front(), o).pixel(50, 50)), 0);
  const std::vector<RenderArrow> useless = {{{0, 0, 0}, {0, 0, 0}, red, 0.1}, {{0, 0, 0}, {kNaN, 0, 0}, red, 0.1}};
  EXPECT_EQ(render(scene, useless, from_front(), o).rgb, render(scene, {}, from_front(), o).rgb);
}

TEST(Renderer, threads_do_not_change_a_bit) {
  std::vector<RenderMesh> scene = {make_floor({0, 0, -1}, {0, 0, 1}, 100)};
  for (int k = 0; k < 12; ++k)
    scene.push_back(make_box({std::sin(5.0 * k), std::cos(7.0 * k), 0.2 * k - 1}, {0.3, 0.2, 0.25}, red));
  RenderOptions o = small();
  const Image one = render(scene, {}, from_front(), o);
  o.threads = {2};
  EXPECT_EQ(render(scene, {}, from_front(), o).rgb, one.rgb);
}

TEST(Renderer, title_is_drawn_at_the_bottom_left_only) {
  RenderOptions o = small(400, 250);
  o.title = "Cairn 0.1, \xC3\xA9t\xC3\xA9";
  const Image image = render({}, {}, from_front(), o);
  int inside = 0, outside = 0;
  for (int y = 0; y < 250; ++y)
    for (int x = 0; x < 400; ++x) (x < 200 && y > 220 ? inside : outside) += !is_background(image, x, y);
  EXPECT_GT(inside, 100);
  EXPECT_EQ(outside, 0);
  EXPECT_EQ(text_width("abc", 2), text_width("\xC3\xA9tc", 2));  // UTF-8 characters count once
}

TEST(FitCamera, every_vertex_is_in_the_picture_and_some_touch_the_margin) {
  const std::vector<RenderMesh> scene = {make_box({3, 2, 1}, {1, 2, 0.5}, red),
                                         make_box({-5, 0, 7}, {0.1, 0.1, 0.1}, red),
                                         make_floor({0, 0, 0}, {0, 0, 1}, 1e5)};
  for (const Vec3& direction : {Vec3(0, 1, 0), Vec3(1, 2, -0.5), Vec3(0, 0, -1), Vec3(-1, 0.3, 2)}) {
    const Projection p = make_projection(fit_camera(scene, direction, 1.5), 300, 200);
    double reach = 0, left = 300, right = 0, top = 200, bottom = 0;
    for (int k = 0; k < 2; ++k)
      for (const Vec3& v : scene[std::size_t(k)].vertices) {
        const Vec3 c = p.to_camera(v);
        ASSERT_GT(c.z(), p.near);
        const Vec3 s = p.to_screen(c);
        EXPECT_LT((p.to_world(s.x(), s.y(), s.z()) - v).norm(), 1e-9);
        reach = std::max({reach, std::abs(s.x() - 150) / 150, std::abs(s.y() - 100) / 100});
        left = std::min(left, s.x()), right = std::max(right, s.x());
        top = std::min(top, s.y()), bottom = std::max(bottom, s.y());
      }
    EXPECT_NEAR(reach, 1 / 1.16, 1e-9);
    EXPECT_NEAR(left + right, 300, 1e-6);  // in the middle of the picture, both ways
    EXPECT_NEAR(top + bottom, 200, 1e-6);
  }
}

TEST(FitCamera, a_parallel_projection_shows_every_vertex_too) {
  const std::vector<RenderMesh> scene = {make_box({3, 2, 1}, {1, 2, 0.5}, red),
                                         make_box({-5, 40, 7}, {0.1, 0.1, 0.1}, red)};
  for (const Vec3& direction : {Vec3(0, 1, 0), Vec3(1, 2, -0.5), Vec3(0, 0, -1)}) {
    const Projection p = make_projection(fit_camera(scene, direction, 1.5, Vec3::UnitZ(), true), 300, 200);
    double reach = 0;
    for (const RenderMesh& mesh : scene)
      for (const Vec3& v : mesh.vertices) {
        const Vec3 c = p.to_camera(v), s = p.to_screen(c);
        ASSERT_GT(c.z(), p.near);
        reach = std::max({reach, std::abs(s.x() - 150) / 150, std::abs(s.y() - 100) / 100});
      }
    EXPECT_NEAR(reach, 1 / 1.16, 1e-9);
  }
}

TEST(FitCamera, nothing_to_frame_still_gives_a_usable_camera) {
  EXPECT_NO_THROW(make_projection(fit_camera({}, {0, 1, 0}), 10, 10));
  EXPECT_NO_THROW(make_projection(fit_camera({RenderMesh{.vertices = {{1, 2, 3}}}}, {0, 1, 0}), 10, 10));
  EXPECT_THROW(fit_camera({}, {0, 0, 0}), Error);
}

TEST(Renderer, rounded_meshes_are_shaded_evenly_across_small_folds_and_keep_their_creases) {
  // A wall bent by 20 degrees (or 40) about the vertical through the middle of the picture.
  const auto difference = [](double degrees, bool rounded) {
    const double a = degrees / 2 * std::numbers::pi / 180;
    RenderMesh wall;
    wall.colour = {0.5, 0.5, 0.5};
    wall.rounded = rounded;
    for (const double z : {-5.0, 5.0})
      for (const Vec2& p :
           {Vec2(-5 * std::cos(a), 5 * std::sin(a)), Vec2(0, 0), Vec2(5 * std::cos(a), 5 * std::sin(a))})
        wall.vertices.emplace_back(p.x(), p.y(), z);
    wall.triangles = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
    RenderOptions o = small(100, 100);
    o.edges = false;
    o.shadows = false;
    const Image image = render({wall}, {}, from_front(), o);
    return std::abs(image.pixel(48, 40)[0] - image.pixel(52, 40)[0]);
  };
  EXPECT_GT(difference(20, false), 10);
  EXPECT_LT(difference(20, true), 5);
  EXPECT_GT(difference(40, true), 10);
}

TEST(Renderer, a_ball_is_drawn_as_a_fine_mesh_of_it_would_be) {
  RenderMesh exact, fine;
  exact.colour = fine.colour = red;
  exact.balls = {{{0.5, 0, 0.2}, 1}};
  fine.smooth = true;
  constexpr int n = 60;
  for (int i = 0; i <= n; ++i)
    for (int k = 0; k < 2 * n; ++k) {
      const double a = std::numbers::pi * i / n, b = std::numbers::pi * k / n;
      fine.vertices.emplace_back(0.5 + std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), 0.2 + std::cos(a));
    }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2 * n; ++k) {
      const int p = i * 2 * n + k, q = i * 2 * n + (k + 1) % (2 * n);
      fine.triangles.push_back({p, p + 2 * n, q});
      fine.triangles.push_back({q, p + 2 * n, q + 2 * n});
    }
  const RenderMesh floor = make_floor({0, 0, -1}, {0, 0, 1}, 100);
  for (const bool orthographic : {false, true}) {
    Camera camera = from_front();
    camera.eye.z() = 3;
    camera.orthographic = orthographic;
    const Image a = render({exact, floor}, {}, camera, small(150, 100)),
                b = render({fine, floor}, {}, camera, small(150, 100));
    int differ = 0, covered = 0;
    for (int y = 0; y < 100; ++y)
      for (int x = 0; x < 150; ++x) {
        int most = 0;
        for (int k = 0; k < 3; ++k) most = std::max(most, std::abs(a.pixel(x, y)[k] - b.pixel(x, y)[k]));
        differ += most > 24;
        covered += hue(a.pixel(x, y)) == 0 && a.pixel(x, y)[0] > 2 * a.pixel(x, y)[1];
      }
    EXPECT_GT(covered, 500);
    EXPECT_LT(differ, covered / 40) << orthographic;  // rims and shadow borders
  }
}

TEST(Renderer, lines_without_a_head_have_their_width_and_dots_are_round) {
  RenderOptions o = small(200, 200);
  Camera camera = from_front();
  camera.orthographic = true;
  const double metre = 200 / (2 * 10 * std::tan(17.5 * std::numbers::pi / 180));  // in pixels
  RenderArrow line{{-1, 0, 0}, {1, 0, 0}, red, 0.2, false};
  const Image image = render({}, {line}, camera, o);
  int across = 0, along = 0;
  for (int k = 0; k < 200; ++k) {
    across += !is_background(image, 100, k);
    along += !is_background(image, k, 100);
  }
  EXPECT_NEAR(across, 0.4 * metre, 1.5);
  EXPECT_NEAR(along, 2.4 * metre, 1.5);
  const Image dot = render({}, {{{0, 0, 0}, {0, 0, 0}, red, 0.5, false}}, camera, o);
  EXPECT_NEAR(200 * 200 - count_background(dot), std::numbers::pi * 0.25 * metre * metre, 0.08 * metre * metre);
}

TEST(Renderer, wrong_input_is_an_error) {
  RenderOptions o = small();
  o.width = 0;
  EXPECT_THROW(render({}, {}, from_front(), o), Error);
  o = small();
  o.samples = 0;
  EXPECT_THROW(render({}, {}, from_front(), o), Error);
  Camera camera = from_front();
  camera.target = camera.eye;
  EXPECT_THROW(render({}, {}, camera, small()), Error);
  RenderMesh mesh = make_box({0, 0, 0}, {1, 1, 1}, red);
  mesh.triangles.push_back({0, 1, 8});
  EXPECT_THROW(render({mesh}, {}, from_front(), small()), Error);
}

}  // namespace
}  // namespace cairn
