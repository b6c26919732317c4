// SPDX-License-Identifier: Apache-2.0
// From bodies and contacts to triangles, marks and a camera.
#include "cairn/io/snapshot_picture.h"

#include "cairn/base/error.h"
#include "cairn/io/shape_picture.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cairn {
namespace {

const Vec3 kLinkColour{0.30, 0.28, 0.26};

/// A ball is drawn exactly; other round shapes as finely as their number allows.
RenderMesh mesh_of(const PictureBody& body, int refinement) {
  RenderMesh mesh;
  if (const auto* ball = std::get_if<Sphere>(body.shape); ball && is_rotation(body.place.A, 1e-6)) {
    mesh.balls.push_back({body.place.c, ball->radius});
    return mesh;
  }
  mesh = make_render_mesh(*body.shape, refinement);
  for (Vec3& x : mesh.vertices) x = body.place.apply(x);
  return mesh;
}

/// A rod, rope or strut as a thin cylinder.
RenderMesh mesh_of(const PictureJoint& link, double radius) {
  const Vec3 d = link.point_b - link.point_a;
  const Shape cylinder = Cylinder{radius, d.norm() / 2};
  PictureBody body;
  body.shape = &cylinder;
  body.place = {Quat::FromTwoVectors(Vec3::UnitZ(), d).toRotationMatrix(), (link.point_a + link.point_b) / 2};
  RenderMesh mesh = mesh_of(body, 1);
  mesh.colour = kLinkColour;
  return mesh;
}

/// The box of find_focus_box() and the corners of the boxes in it.
struct Focus {
  Aabb box;
  RenderMesh corners;  ///< of the boxes

  void add(const Aabb& b) {
    box.merge(b);
    for (int i = 0; i < 8; ++i)
      corners.vertices.emplace_back(i & 1 ? b.hi.x() : b.lo.x(), i & 2 ? b.hi.y() : b.lo.y(),
                                    i & 4 ? b.hi.z() : b.lo.z());
  }
  double size() const { return box.is_bounded() ? (box.hi - box.lo).norm() : 0; }
};

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Focus find_focus(const std::vector<FocusBody>& bodies) {
  Focus focus;
  for (const bool moving : {true, false}) {
    const double size = focus.size();
    for (const FocusBody& body : bodies)
      if (body.moves == moving && body.box.is_bounded() &&
          (body.named || moving || !(size > 0) || (body.box.hi - body.box.lo).norm() < 2 * size))
        focus.add(body.box);
  }
  if (!focus.box.is_bounded()) focus.add({Vec3::Constant(-1), Vec3::Constant(1)});
  return focus;
}

Focus find_focus(std::span<const PictureScene> moments, const PictureSettings& settings) {
  const std::vector<std::string>& names = settings.fit;
  std::vector<FocusBody> bodies;
  for (const PictureScene& scene : moments) {
    for (const PictureBody& body : scene.bodies) {
      if (!body.shape || !is_bounded(*body.shape)) continue;
      const bool named = is_among(names, body.name);
      if ((!names.empty() && !named) || is_among(settings.hide, body.name)) continue;
      bodies.push_back({compute_aabb(*body.shape, body.place), body.moves, named});
    }
  }
  return find_focus(bodies);
}

Camera find_camera(const PictureScene& first, const Focus& focus, const PictureSettings& settings) {
  const double aspect = static_cast<double>(settings.width) / settings.height;
  Camera camera = fit_camera({focus.corners}, settings.direction, aspect, first.up(), settings.orthographic);
  if (settings.look_at || !settings.look_at_body.empty() || settings.distance) {
    const Vec3 ahead = (camera.target - camera.eye).normalized();
    // Of a parallel projection the distance says how much is seen, not where the camera stands: its angle is taken as
    // that of the perspective.
    if (settings.distance && settings.orthographic) camera.field_of_view_deg = Camera{}.field_of_view_deg;
    const double distance = settings.distance ? *settings.distance : (camera.target - camera.eye).norm();
    if (settings.look_at) camera.target = *settings.look_at;
    if (!settings.look_at_body.empty()) camera.target = first.body(settings.look_at_body).place.c;
    camera.eye = camera.target - distance * ahead;
  }
  return camera;
}

/// Lines between bodies and inside them are seen better through pale ones.
Vec3 pale(const Vec3& colour, double share) { return share * colour + (1 - share) * Vec3(0.93, 0.925, 0.91); }

std::string caption(const std::string& title, double time) {
  std::string text;
  for (const char c : title) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) text += byte >= 32 && byte < 127 ? c : '?';  // the font has no other characters
  }
  return fmt::format("{}{}t = {:.4g} s", text, text.empty() ? "" : "   ", time);
}

}  // namespace

Aabb find_focus_box(const std::vector<FocusBody>& bodies) { return find_focus(bodies).box; }

PictureView find_view(std::span<const PictureScene> moments, const PictureSettings& settings) {
  const PictureScene& first = moments.front();
  for (const auto* names : {&settings.fit, &settings.hide})
    for (const std::string& name : *names) first.body(name);
  PictureView view;
  // A camera that moves with a body is set up for the first moment.
  const bool follows = !settings.follow.empty();
  if (follows) view.followed = first.body(settings.follow).place.c;
  const Focus focus = find_focus(follows ? moments.first(1) : moments, settings);
  view.camera = find_camera(first, focus, settings);
  view.stage.extend(focus.box.lo);
  view.stage.extend(focus.box.hi);
  // A camera put nearer than the whole needs smaller marks.
  const double seen = (view.camera.target - view.camera.eye).norm() *
                      std::tan(view.camera.field_of_view_deg * std::numbers::pi / 360) * 2;
  view.layers.size = std::max(std::min(focus.size(), 2 * seen), 1e-6);

  std::vector<double> radii;
  for (const PictureBody& body : first.bodies)
    if (body.moves && body.shape && is_bounded(*body.shape)) radii.push_back(bounding_radius(*body.shape));
  std::sort(radii.begin(), radii.end());
  view.layers.grain = radii.empty() ? view.layers.size : radii[radii.size() / 2];
  LayerScaleFinder finder;
  for (const PictureScene& scene : moments) {
    finder.add(scene);
    for (const PictureBody& body : scene.bodies) {
      if (!body.moves || !body.shape) continue;
      if (std::isfinite(body.speed())) view.colours.speed = std::max(view.colours.speed, body.speed());
      if (std::isfinite(body.displacement()))
        view.colours.displacement = std::max(view.colours.displacement, body.displacement());
    }
  }
  finder.finish(view.layers);
  return view;
}

Image draw_picture(const PictureScene& scene, const PictureView& view, const PictureSettings& settings) {
  const double size = std::max((view.stage.max() - view.stage.min()).norm(), 1e-6);
  const Vec3 shift = settings.follow.empty() ? Vec3::Zero() : Vec3(scene.body(settings.follow).place.c - view.followed);
  const Vec3 centre = view.stage.center() + shift;

  Legend legend;
  std::vector<RenderArrow> marks;
  const std::vector<Vec3> colours = colour_bodies(scene, settings.colouring, view.colours, legend);
  draw_layers(scene, settings.layers, view.layers, marks, legend);

  // Few bodies are drawn finely, many coarsely.
  std::size_t round = 0;
  for (const PictureBody& body : scene.bodies)
    round += body.shape && !std::holds_alternative<Sphere>(*body.shape) && !std::holds_alternative<Box>(*body.shape);
  const int refinement = round < 300 ? 4 : round < 1000 ? 2 : 1;
  std::vector<RenderMesh> meshes;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const PictureBody& body = scene.bodies[i];
    if (!body.shape || !body.place.c.allFinite() || !body.place.A.allFinite() || is_among(settings.hide, body.name))
      continue;
    if (const auto* plane = std::get_if<HalfSpace>(body.shape)) {
      const Vec3 normal = (body.place.A * plane->normal).normalized();
      const Vec3 foot = centre - normal * (normal.dot(centre - body.place.c) - plane->offset);
      meshes.push_back(make_floor(foot, normal, 40 * size));
      continue;
    }
    meshes.push_back(mesh_of(body, refinement));
    const double share = !settings.layers.inside() || !body.moves ? 1 : settings.layers.chains ? 0.15 : 0.35;
    meshes.back().colour = pale(colours[i], share);
    // A fixed box much larger than all that moves is the ground.
    meshes.back().receives_only = !body.moves && !body.driven && bounding_radius(*body.shape) > 1.2 * size;
  }
  for (const PictureJoint& link : scene.joints) {
    if (link.type != "distance") continue;
    if (const double length = (link.point_b - link.point_a).norm(); length > 1e-6 * size && std::isfinite(length))
      meshes.push_back(mesh_of(link, 0.0012 * size));
  }

  RenderOptions options;
  options.width = settings.width;
  options.height = settings.height;
  options.threads = settings.threads;
  options.up = scene.up();
  options.stage = view.stage;
  options.stage.translate(shift);
  options.arrows_through = settings.layers.inside() ? 0.85 : 0.5;
  if (settings.caption) options.title = caption(scene.title, scene.time);
  Camera camera = view.camera;
  camera.eye += shift;
  camera.target += shift;
  Image image = render(meshes, marks, camera, options);
  if (settings.legend) draw_legend(image, legend);
  return image;
}

Image draw_picture(const Simulation& simulation, const PictureSettings& settings) {
  const PictureScene scene = make_picture_scene(simulation);
  return draw_picture(scene, find_view({&scene, 1}, settings), settings);
}

Image draw_picture(const Recording& recording, std::size_t index, const PictureSettings& settings) {
  const PictureScene scene = make_picture_scene(recording, index);
  return draw_picture(scene, find_view({&scene, 1}, settings), settings);
}

}  // namespace cairn
