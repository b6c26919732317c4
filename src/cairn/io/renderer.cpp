// SPDX-License-Identifier: Apache-2.0
// Deferred software renderer: first which triangle every sample sees, then light and colour once per sample.
// Crease lines are drawn on the faces themselves, by the distance of a sample to the plane through eye and edge.
#include "cairn/io/renderer.h"

#include <algorithm>
#include <cmath>

#include "cairn/base/error.h"
#include "cairn/io/bitmap_font.h"
#include "cairn/io/render_light.h"
#include "cairn/io/render_triangles.h"
#include "cairn/io/render_visible.h"

namespace cairn {
namespace {

using Colour = Eigen::Vector3f;  // linear light

// IEC 61966-2-1, both ways.
float to_linear(double c) { return float(srgb_to_linear(c)); }
Colour to_linear(const Vec3& c) { return {to_linear(c.x()), to_linear(c.y()), to_linear(c.z())}; }
double to_srgb(float c) { return c <= 0.0031308f ? 12.92 * double(c) : 1.055 * std::pow(double(c), 1 / 2.4) - 0.055; }

float smooth_step(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

// Highlights bend towards white instead of clipping.
Colour tone_map(const Colour& c) {
  constexpr float knee = 0.75f;
  return c.unaryExpr(
      [](float x) { return x <= knee ? x : knee + (1 - knee) * (1 - std::exp((knee - x) / (1 - knee))); });
}

// What stays the same for all samples of one triangle.
struct Face {
  Vec3 line_plane[3];      // unit normals of the planes through the eye and the crease edges
  std::uint8_t lines = 0;  // which edges have a line
  float line_opacity = 0;  // fades on triangles of few pixels, where lines would only blacken the body
};

std::vector<Face> make_faces(const std::vector<RenderTriangle>& triangles, const Projection& projection,
                             double samples) {
  std::vector<Face> faces(triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const RenderTriangle& t = triangles[i];
    Face& face = faces[i];
    if (t.creases == 0) continue;
    Vec3 screen[3];
    bool in_front = true;
    for (int k = 0; k < 3; ++k) {
      const Vec3 c = projection.to_camera(t.v[k]);
      in_front = in_front && c.z() > projection.near;
      screen[k] = in_front ? projection.to_screen(c) : Vec3::Zero();
    }
    face.line_opacity = 1;
    if (in_front) {
      double longest = 0;
      for (int k = 0; k < 3; ++k) longest = std::max(longest, (screen[(k + 1) % 3] - screen[k]).head<2>().norm());
      const Vec2 e = (screen[1] - screen[0]).head<2>(), f = (screen[2] - screen[0]).head<2>();
      const double thickness = std::abs(e.x() * f.y() - e.y() * f.x()) / std::max(longest, 1e-9) / samples;
      face.line_opacity = smooth_step(1, 9, float(thickness));
    }
    for (int k = 0; k < 3; ++k) {
      if (!(t.creases >> k & 1)) continue;
      const Vec3& a = t.v[k];
      const Vec3& b = t.v[(k + 1) % 3];
      const Vec3 normal = projection.orthographic ? Vec3((b - a).cross(projection.forward))
                                                  : Vec3((a - projection.eye).cross(b - projection.eye));
      if (!(normal.norm() > 0)) continue;
      face.line_plane[k] = normal.normalized();
      face.lines = std::uint8_t(face.lines | (1u << k));
    }
  }
  return faces;
}

Eigen::Vector3f interpolated_normal(const RenderTriangle& t, const Vec3& p) {
  const Vec3 e = t.v[1] - t.v[0], f = t.v[2] - t.v[0], d = p - t.v[0];
  const double area = t.normal.dot(e.cross(f));
  const double b = std::clamp(t.normal.dot(d.cross(f)) / area, 0.0, 1.0);
  const double c = std::clamp(t.normal.dot(e.cross(d)) / area, 0.0, 1.0);
  const Eigen::Vector3f n =
      float(1 - b - c) * t.corner_normal[0] + float(b) * t.corner_normal[1] + float(c) * t.corner_normal[2];
  return n.squaredNorm() > 1e-12f ? n.normalized() : Eigen::Vector3f(t.normal.cast<float>());
}

// 1, 2 or 5 times a power of ten, at most x.
double round_length(double x) {
  const double power = std::pow(10, std::floor(std::log10(x)));
  return x / power >= 5 ? 5 * power : x / power >= 2 ? 2 * power : power;
}

constexpr float kGloss = 0.22f;  // of round bodies

class Painter {
 public:
  Painter(const std::vector<RenderMesh>& meshes, const std::vector<RenderArrow>& arrows, const Camera& camera,
          const RenderOptions& options)
      : options_(options),
        projection_(make_projection(camera, options.width * options.samples, options.height * options.samples)),
        triangles_(make_triangles(meshes)),
        balls_(collect_balls(meshes)),
        arrow_triangles_(make_arrow_triangles(arrows)),
        seen_(draw_visible(triangles_, balls_, projection_, width(), height(), options.threads)),
        seen_arrows_(draw_visible(arrow_triangles_, {}, projection_, arrow_triangles_.empty() ? 0 : width(),
                                  arrow_triangles_.empty() ? 0 : height(), options.threads)),
        faces_(make_faces(options.edges ? triangles_ : std::vector<RenderTriangle>{}, projection_, options.samples)),
        up_(options.up.normalized()) {
    for (const RenderMesh& mesh : meshes) mesh_colours_.push_back(to_linear(mesh.colour));
    for (const RenderArrow& arrow : arrows) arrow_colours_.push_back(to_linear(arrow.colour));

    Eigen::AlignedBox3d bodies = options.stage;
    if (bodies.isEmpty()) {
      for (const RenderTriangle& t : triangles_)
        if (!t.floor)
          for (const Vec3& v : t.v) bodies.extend(v);
      for (const PlacedBall& ball : balls_) {
        bodies.extend(Vec3(ball.centre - Vec3::Constant(ball.radius)));
        bodies.extend(Vec3(ball.centre + Vec3::Constant(ball.radius)));
      }
    }
    const double distance = (camera.target - camera.eye).norm();
    centre_ = bodies.isEmpty() ? camera.target : Vec3(bodies.center());
    // How far the floor reaches: with the size of the scene, but no further than the camera's business.
    radius_ = bodies.isEmpty() ? 0.3 * distance : std::clamp(0.5 * bodies.diagonal().norm(), 0.05 * distance, distance);
    fade_centre_ = bodies.isEmpty() || 0.5 * bodies.diagonal().norm() > distance ? camera.target : centre_;
    checker_ = round_length(0.5 * radius_);

    LightSettings light;
    light.up = up_;
    light.to_sun = options.to_light.norm() > 0 ? options.to_light.normalized() : sun_over_the_shoulder();
    light.shadows = options.shadows;
    light.sun_map_side = std::clamp(std::max(options.width, options.height), 256, 2048);
    light.threads = options.threads;
    light.seen = seen_box();
    to_sun_ = light.to_sun.cast<float>();
    light_.emplace_back(triangles_, balls_, centre_, light);
  }

  Image paint() const {
    Image image{options_.width, options_.height, {}};
    image.rgb.resize(3 * std::size_t(image.width) * std::size_t(image.height));
    const int s = options_.samples;
    const Colour top = to_linear(options_.background_top), bottom = to_linear(options_.background_bottom);
    // Small square tiles, one group of lights after the other: the pieces of shadow map in use stay in the cache.
    constexpr int tile = 16;
    const int across = (image.width + tile - 1) / tile, down = (image.height + tile - 1) / tile;
    const auto paint_tile = [&](int x0, int y0) {
      const int x1 = std::min(x0 + tile, image.width), y1 = std::min(y0 + tile, image.height);
      std::array<Colour, tile * tile> sums;
      sums.fill(Colour::Zero());
      for (int k = 0; k < s * s; ++k)
        for (int y = y0; y < y1; ++y) {
          const float t = image.height > 1 ? float(y) / float(image.height - 1) : 0;
          const Colour background = top + t * (bottom - top);
          for (int x = x0; x < x1; ++x)
            sums[std::size_t((y - y0) * tile + x - x0)] += sample(x * s + k % s, y * s + k / s, k, background);
        }
      for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) {
          const Colour mean = sums[std::size_t((y - y0) * tile + x - x0)] / float(s * s);
          std::uint8_t* out = image.pixel(x, y);
          for (int k = 0; k < 3; ++k) out[k] = std::uint8_t(std::lround(255 * std::clamp(to_srgb(mean[k]), 0.0, 1.0)));
        }
    };
    parallel_chunks(options_.threads, std::size_t(across) * std::size_t(down), 1,
                    [&](std::size_t begin, std::size_t end) {
                      for (int i = int(begin); i < int(end); ++i) paint_tile(i % across * tile, i / across * tile);
                    });
    return image;
  }

 private:
  int width() const { return options_.width * options_.samples; }
  int height() const { return options_.height * options_.samples; }

  bool is_ball(int id) const { return std::size_t(id) >= triangles_.size(); }
  bool is_floor(int id) const { return !is_ball(id) && triangles_[std::size_t(id)].floor; }

  Vec3 sun_over_the_shoulder() const {
    Vec3 ahead = projection_.forward - projection_.forward.dot(up_) * up_;
    if (!(ahead.norm() > 1e-6)) ahead = projection_.up - projection_.up.dot(up_) * up_;  // looking straight down
    ahead.normalize();
    const Vec3 right = ahead.cross(up_);
    return (up_ * 1.25 - ahead * 0.62 - right * 0.95).normalized();
  }

  // The box around what the camera sees (every fourth sample; floor only up to where it has faded).
  Eigen::AlignedBox3d seen_box() const {
    Eigen::AlignedBox3d box;
    for (int y = 0; y < height(); y += 4)
      for (int x = 0; x < width(); x += 4) {
        const std::size_t i = std::size_t(y) * std::size_t(width()) + std::size_t(x);
        if (seen_.id[i] < 0) continue;
        const Vec3 p = projection_.to_world(x + 0.5, y + 0.5, double(seen_.depth[i]));
        if (is_floor(seen_.id[i]) && floor_fade(p) >= 1) continue;
        box.extend(p);
      }
    if (!box.isEmpty()) {
      const Vec3 margin = Vec3::Constant(0.02 * box.diagonal().norm() + 1e-9);
      box.min() -= margin;
      box.max() += margin;
    }
    return box;
  }

  float floor_fade(const Vec3& p) const { return smooth_step(1.6f, 6.5f, float((p - fade_centre_).norm() / radius_)); }

  // Lambert with sun, sky and light thrown back by the ground, and a weak Blinn highlight.
  Colour shade(const Colour& albedo, const Eigen::Vector3f& normal, const Eigen::Vector3f& to_eye, float sun, float sky,
               float gloss) const {
    static const Colour sun_colour(1.0f, 0.955f, 0.88f), sky_colour(0.86f, 0.94f, 1.06f), ground(1.0f, 0.97f, 0.93f);
    const float facing_down = 0.5f - 0.5f * normal.dot(up_.cast<float>());
    const Colour light = 0.92f * sun * sun_colour + 0.38f * sky * sky_colour + (0.03f + 0.17f * facing_down) * ground;
    const float cosine = std::max(0.0f, normal.dot(to_sun_));
    const Eigen::Vector3f half = (to_sun_ + to_eye).normalized();
    const float shine = cosine > 0 ? std::pow(std::max(0.0f, normal.dot(half)), 60.0f) * sun / cosine : 0.0f;
    return albedo.cwiseProduct(light) + Colour::Constant(gloss * shine);
  }

  // The faint checker of a floor; squares that shrink below a few pixels melt into their mean.
  float checker(const RenderTriangle& t, const Vec3& p, double pixel, double slant) const {
    // Squares start at the world's origin, in axes that depend on the plane alone.
    const Vec3 n = t.normal.dot(up_) < 0 ? Vec3(-t.normal) : t.normal;
    const Vec3 x = std::abs(n.x()) < 0.8 ? Vec3(Vec3::UnitX() - n.x() * n).normalized()
                                         : Vec3(Vec3::UnitY() - n.y() * n).normalized();
    const Vec3 y = n.cross(x);
    const double u = x.dot(p) / checker_, v = y.dot(p) / checker_;
    const bool odd = (long(std::floor(u)) + long(std::floor(v))) & 1;
    const float contrast = 0.045f * (1 - smooth_step(0.12f, 0.5f, float(pixel / std::max(slant, 0.05) / checker_)));
    return 1 + (odd ? -contrast : contrast);
  }

  Vec3 direction_to_eye(const Vec3& p) const {
    return projection_.orthographic ? Vec3(-projection_.forward) : Vec3((projection_.eye - p).normalized());
  }

  Colour shade_ball(const Vec3& p, const PlacedBall& ball, int group) const {
    const Eigen::Vector3f normal = ((p - ball.centre) / ball.radius).cast<float>();
    const Eigen::Vector3f relative = (p - centre_).cast<float>();
    const float sun = light_[0].sun(relative, normal, group), sky = light_[0].sky(relative, normal, group);
    return tone_map(
        shade(mesh_colours_[std::size_t(ball.object)], normal, direction_to_eye(p).cast<float>(), sun, sky, kGloss));
  }

  Colour shade_body(const Vec3& p, int id, int group, const Colour& background) const {
    if (is_ball(id)) return shade_ball(p, balls_[std::size_t(id) - triangles_.size()], group);
    const RenderTriangle& t = triangles_[std::size_t(id)];
    const float fade = t.floor ? floor_fade(p) : 0;
    if (fade >= 1) return background;
    const Vec3 to_eye = direction_to_eye(p);
    Eigen::Vector3f normal = t.smooth ? interpolated_normal(t, p) : Eigen::Vector3f(t.normal.cast<float>());
    // Both sides of a surface can be seen, whatever its winding.
    if (t.normal.dot(to_eye) < 0) normal = -normal;
    const Eigen::Vector3f relative = (p - centre_).cast<float>();
    const float sun = light_[0].sun(relative, normal, group), sky = light_[0].sky(relative, normal, group);
    Colour albedo = mesh_colours_[std::size_t(t.object)];
    const double pixel = projection_.pixel_size(projection_.forward.dot(p - projection_.eye)) * options_.samples;
    if (t.floor) albedo *= checker(t, p, pixel, std::abs(t.normal.dot(to_eye)));
    Colour colour = tone_map(shade(albedo, normal, to_eye.cast<float>(), sun, sky, t.smooth ? kGloss : 0.0f));
    if (!faces_.empty()) colour *= 1 - line_darkness(faces_[std::size_t(id)], p, pixel);
    return colour + fade * (background - colour);
  }

  float line_darkness(const Face& face, const Vec3& p, double pixel) const {
    constexpr double half_width = 0.62;  // pixels on each side of a crease
    float dark = 0;
    for (int k = 0; k < 3; ++k) {
      if (!(face.lines >> k & 1)) continue;
      const Vec3 d = projection_.orthographic ? Vec3(p - triangles_[std::size_t(&face - faces_.data())].v[k])
                                              : Vec3(p - projection_.eye);
      if (std::abs(face.line_plane[k].dot(d)) < half_width * pixel) dark = 0.72f * face.line_opacity;
    }
    return dark;
  }

  Colour shade_arrow(const Vec3& p, int id) const {
    const RenderTriangle& t = arrow_triangles_[std::size_t(id)];
    const float facing = std::max(0.0f, interpolated_normal(t, p).dot(direction_to_eye(p).cast<float>()));
    return arrow_colours_[std::size_t(t.object)] * (0.45f + 0.6f * facing);
  }

  Colour sample(int x, int y, int k, const Colour& background) const {
    const std::size_t i = std::size_t(y) * std::size_t(width()) + std::size_t(x);
    Colour colour = background;
    if (seen_.id[i] >= 0)
      colour = shade_body(projection_.to_world(x + 0.5, y + 0.5, double(seen_.depth[i])), seen_.id[i], group_of(k),
                          background);
    if (!seen_arrows_.id.empty() && seen_arrows_.id[i] >= 0) {
      const Colour arrow =
          shade_arrow(projection_.to_world(x + 0.5, y + 0.5, double(seen_arrows_.depth[i])), seen_arrows_.id[i]);
      const float opacity = seen_arrows_.depth[i] >= seen_.depth[i] ? 1.0f : float(options_.arrows_through);
      colour += opacity * (arrow - colour);
    }
    return colour;
  }

  static int group_of(int k) { return k % LightRig::kGroups; }

  const RenderOptions& options_;
  Projection projection_;
  std::vector<RenderTriangle> triangles_;
  std::vector<PlacedBall> balls_;
  std::vector<RenderTriangle> arrow_triangles_;
  VisibilityBuffer seen_, seen_arrows_;
  std::vector<Face> faces_;
  Vec3 up_, centre_, fade_centre_;
  double radius_ = 1, checker_ = 1;
  Eigen::Vector3f to_sun_;
  std::vector<Colour> mesh_colours_, arrow_colours_;
  std::vector<LightRig> light_;  // one, made when the rest is known
};

void draw_title(Image& image, const std::string& title) {
  // Capitals about 1/45 of the picture's height, smaller when the line would not fit.
  const double margin = 0.03 * image.height;
  double dot = std::max(1.0, image.height / 400.0);
  const double room = image.width - 2 * margin;
  if (text_width(title, dot) > room) dot *= room / text_width(title, dot);
  // Dark on light or light on dark, judged where the text goes.
  long sum = 0, count = 0;
  const int y0 = std::max(0, int(image.height - 2 * margin)),
            x1 = std::min(image.width, int(margin + text_width(title, dot)));
  for (int y = y0; y < image.height; ++y)
    for (int x = 0; x < x1; ++x, ++count) sum += image.pixel(x, y)[1];
  const bool light_ground = count == 0 || sum > 110 * count;
  draw_text(image, title, margin, image.height - margin, dot,
            light_ground ? Vec3(0.16, 0.18, 0.22) : Vec3(0.93, 0.94, 0.95));
}

void check(const RenderOptions& o) {
  if (o.width <= 0 || o.height <= 0)
    throw Error("render: picture size is {} x {}; both must be > 0", o.width, o.height);
  if (o.samples < 1 || o.samples > 8) throw Error("render: samples is {}; must be 1 to 8", o.samples);
  const double total = double(o.width) * o.height * o.samples * o.samples;
  if (total > 4e8)
    throw Error("render: {} x {} with {} samples per axis needs {:.3g} samples; must be at most 4e8", o.width, o.height,
                o.samples, total);
  if (!o.up.allFinite() || !(o.up.norm() > 0)) throw Error("render: up must be finite and not zero");
  if (!o.to_light.allFinite()) throw Error("render: to_light must be finite");
  if (!(o.arrows_through >= 0 && o.arrows_through <= 1))
    throw Error("render: arrows_through is {}; must be 0 to 1", o.arrows_through);
}

}  // namespace

double srgb_to_linear(double channel) {
  const double c = std::clamp(channel, 0.0, 1.0);
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

RenderMesh make_floor(const Vec3& centre, const Vec3& normal, double half_size, const Vec3& colour) {
  if (!(normal.norm() > 0)) throw Error("floor: normal must not be zero");
  if (!(half_size > 0)) throw Error("floor: half size is {} m; must be > 0", half_size);
  const Vec3 n = normal.normalized(), x = n.unitOrthogonal() * half_size, y = n.cross(x);
  return {.vertices = {centre - x - y, centre + x - y, centre + x + y, centre - x + y},
          .triangles = {{0, 1, 2}, {0, 2, 3}},
          .colour = colour,
          .smooth = false,
          .receives_only = true};
}

Image render(const std::vector<RenderMesh>& meshes, const std::vector<RenderArrow>& arrows, const Camera& camera,
             const RenderOptions& options) {
  check(options);
  Image image = Painter(meshes, arrows, camera, options).paint();
  if (!options.title.empty()) draw_title(image, options.title);
  return image;
}

}  // namespace cairn
