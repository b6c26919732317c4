// SPDX-License-Identifier: Apache-2.0
// From bodies and contacts to triangles, arrows and a camera.
#include "cairn/io/snapshot_picture.h"

#include "cairn/geometry/surface_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace cairn {
namespace {

/// Stone, brick, slate, moss, sand, heather...: calm tones that differ in hue and in lightness.
constexpr std::array<std::array<double, 3>, 10> kPalette{{{0.80, 0.52, 0.38},
                                                          {0.42, 0.56, 0.70},
                                                          {0.56, 0.66, 0.42},
                                                          {0.86, 0.74, 0.46},
                                                          {0.60, 0.48, 0.64},
                                                          {0.40, 0.62, 0.60},
                                                          {0.78, 0.60, 0.62},
                                                          {0.52, 0.50, 0.46},
                                                          {0.70, 0.72, 0.78},
                                                          {0.66, 0.40, 0.34}}};
const Vec3 kFixedColour{0.66, 0.66, 0.65};
const Vec3 kDrivenColour{0.50, 0.54, 0.60};
const Vec3 kLinkColour{0.30, 0.28, 0.26};

/// One body as a picture needs it.
struct PictureBody {
  const Shape* shape = nullptr;  ///< null: nothing to draw
  Placement place;
  bool moves = true, driven = false;
  std::string material;
};
struct PictureForce {
  Vec3 point, force;
};
/// The two ends of a rod, rope or strut.
struct PictureLink {
  Vec3 a, b;
};

/// What does not move is grey, and of several materials in turn light and dark.
Vec3 grey_of(const PictureBody& body, const std::map<std::string, std::size_t>& materials) {
  return body.driven ? kDrivenColour : Vec3((materials.at(body.material) % 2 ? 0.5 : 1.0) * kFixedColour);
}

/// Bodies of one material have one hue; their lightness varies a little so that neighbours can be told apart. Where all
/// bodies have the same material each has a hue of its own.
Vec3 colour_of(const PictureBody& body, std::size_t index, const std::map<std::string, std::size_t>& materials) {
  const std::size_t hue = materials.size() > 1 ? materials.at(body.material) : index;
  const auto& c = kPalette[hue % kPalette.size()];
  const double shade = materials.size() > 1 ? 0.90 + 0.05 * static_cast<double>(index * 7 % 5) : 1.0;
  return (shade * Vec3(c[0], c[1], c[2])).cwiseMin(1.0);
}

/// A rod, rope or strut as a thin cylinder.
RenderMesh mesh_of(const PictureLink& link, double radius) {
  const Vec3 d = link.b - link.a;
  const Shape cylinder = Cylinder{radius, d.norm() / 2};
  const Placement place{Quat::FromTwoVectors(Vec3::UnitZ(), d).toRotationMatrix(), (link.a + link.b) / 2};
  RenderMesh mesh = make_render_mesh(cylinder, place, 1);
  mesh.colour = kLinkColour;
  return mesh;
}

/// The box of find_focus_box() and the corners of the boxes in it.
struct Focus {
  Aabb box;
  RenderMesh corners;

  void add(const Aabb& b) {
    box.merge(b);
    for (int i = 0; i < 8; ++i)
      corners.vertices.emplace_back(i & 1 ? b.hi.x() : b.lo.x(), i & 2 ? b.hi.y() : b.lo.y(),
                                    i & 4 ? b.hi.z() : b.lo.z());
  }
  double size() const { return box.is_bounded() ? (box.hi - box.lo).norm() : 0; }
};

Focus find_focus(const std::vector<FocusBody>& bodies) {
  Focus focus;
  for (const bool moving : {true, false}) {
    const double size = focus.size();
    for (const FocusBody& body : bodies)
      if (body.moves == moving && body.box.is_bounded() &&
          (moving || !(size > 0) || (body.box.hi - body.box.lo).norm() < 2 * size))
        focus.add(body.box);
  }
  if (!focus.box.is_bounded()) focus.add({Vec3::Constant(-1), Vec3::Constant(1)});
  return focus;
}

Focus find_focus(const std::vector<PictureBody>& bodies) {
  std::vector<FocusBody> bounded;
  for (const PictureBody& body : bodies)
    if (body.shape && is_bounded(*body.shape)) bounded.push_back({compute_aabb(*body.shape, body.place), body.moves});
  return find_focus(bounded);
}

/// Arrows as long as their force is large. The scale is the force that 95 % stay below, so that one impact does not
/// make all others vanish; larger ones are cut to that length. Of force and counter-force the one that holds something
/// up is drawn.
std::vector<RenderArrow> make_arrows(const std::vector<PictureForce>& forces, double size, const Vec3& up) {
  std::vector<double> magnitudes;
  for (const PictureForce& f : forces) {
    if (const double magnitude = f.force.norm(); magnitude > 0 && std::isfinite(magnitude))
      magnitudes.push_back(magnitude);
  }
  std::vector<RenderArrow> arrows;
  if (magnitudes.empty()) return arrows;
  std::sort(magnitudes.begin(), magnitudes.end());
  const double scale = magnitudes[(magnitudes.size() - 1) * 95 / 100];
  for (const PictureForce& f : forces) {
    const double length = 0.08 * size * std::min(1.0, f.force.norm() / scale);
    if (!(length > 1e-3 * size) || !f.point.allFinite()) continue;
    RenderArrow arrow;
    arrow.from = f.point;
    arrow.to = f.point + f.force.normalized() * (f.force.dot(up) < 0 ? -length : length);
    arrow.radius = 0.0012 * size;
    arrows.push_back(arrow);
  }
  return arrows;
}

Image draw(const std::vector<PictureBody>& bodies, const std::vector<PictureLink>& links,
           const std::vector<PictureForce>& forces, const std::string& title, const Vec3& gravity,
           const PictureSettings& settings) {
  std::map<std::string, std::size_t> materials, fixed_materials;
  std::size_t balls = 0;
  for (const PictureBody& body : bodies) {
    if (body.shape && !std::holds_alternative<HalfSpace>(*body.shape)) {
      if (body.moves) materials.try_emplace(body.material, materials.size());
      if (!body.moves && !body.driven) fixed_materials.try_emplace(body.material, fixed_materials.size());
    }
    balls += body.shape && std::holds_alternative<Sphere>(*body.shape) ? 1 : 0;
  }
  const Focus focus = find_focus(bodies);
  const double size = std::max(focus.size(), 1e-6);
  const Vec3 centre = (focus.box.lo + focus.box.hi) / 2;
  const Vec3 up = gravity.norm() > 0 ? Vec3(-gravity.normalized()) : Vec3(Vec3::UnitZ());

  std::vector<RenderMesh> meshes;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const PictureBody& body = bodies[i];
    if (!body.shape || !body.place.c.allFinite() || !body.place.A.allFinite()) continue;
    if (const auto* plane = std::get_if<HalfSpace>(body.shape)) {
      const Vec3 normal = (body.place.A * plane->normal).normalized();
      const Vec3 foot = centre - normal * (normal.dot(centre - body.place.c) - plane->offset);
      meshes.push_back(make_floor(foot, normal, 40 * size));
      continue;
    }
    meshes.push_back(make_render_mesh(*body.shape, body.place, balls < 500 ? 4 : 2));
    meshes.back().colour = body.moves ? colour_of(body, i, materials) : grey_of(body, fixed_materials);
    // A fixed box much larger than all that moves is the ground.
    meshes.back().receives_only = !body.moves && !body.driven && bounding_radius(*body.shape) > 1.2 * size;
  }
  for (const PictureLink& link : links)
    if (const double length = (link.b - link.a).norm(); length > 1e-6 * size && std::isfinite(length))
      meshes.push_back(mesh_of(link, 0.0012 * size));
  const std::vector<RenderArrow> arrows = settings.forces ? make_arrows(forces, size, up) : std::vector<RenderArrow>{};

  RenderOptions options;
  options.width = settings.width;
  options.height = settings.height;
  options.threads = settings.threads;
  options.up = up;
  for (const char c : title) options.title += c >= 32 && c < 127 ? c : '?';  // the font has no other characters
  const double aspect = static_cast<double>(settings.width) / settings.height;
  const Camera camera = fit_camera({focus.corners}, settings.direction, aspect, up);
  return render(meshes, arrows, camera, options);
}

std::string caption(const std::string& title, double time) {
  return fmt::format("{}{}t = {:.4g} s", title, title.empty() ? "" : "   ", time);
}

}  // namespace

RenderMesh make_render_mesh(const Shape& shape, const Placement& place, int refinement, double half_space_extent) {
  SurfaceMesh surface = make_surface_mesh(shape, refinement, half_space_extent);
  RenderMesh mesh;
  mesh.smooth = std::holds_alternative<Sphere>(shape) || std::holds_alternative<Ellipsoid>(shape) ||
                std::holds_alternative<Capsule>(shape);
  // A hull of points keeps its facets; what else may be meant to be round is drawn so.
  mesh.rounded =
      !mesh.smooth && !std::holds_alternative<Box>(shape) && !std::holds_alternative<ConvexPolyhedron>(shape);
  for (const Vec3& X : surface.vertices) mesh.vertices.push_back(place.apply(X));
  mesh.triangles = std::move(surface.triangles);
  return mesh;
}

Aabb find_focus_box(const std::vector<FocusBody>& bodies) { return find_focus(bodies).box; }

Image draw_picture(const Simulation& simulation, const PictureSettings& settings) {
  const Model& model = simulation.model();
  const System& system = model.system();
  std::vector<PictureBody> bodies;
  for (int b = 0; b < model.body_count(); ++b) {
    PictureBody body;
    body.place = system.bodies.placement(b, simulation.state().motion.q);
    body.moves = system.bodies.slot(b).mobility == BodyMobility::Dynamic;
    body.driven = system.bodies.slot(b).mobility == BodyMobility::Prescribed;
    if (const int collider = model.collider_of(b); collider >= 0) {
      body.shape = &system.colliders[static_cast<std::size_t>(collider)].shape;
      body.material = system.materials[system.collider_material[static_cast<std::size_t>(collider)]].name;
    }
    bodies.push_back(body);
  }
  const Motion& motion = simulation.state().motion;
  std::vector<PictureLink> links;
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    if (system.joints[j].kind != JointKind::Distance || motion.broken[j]) continue;
    const PlacedJoint at = place(system.joints[j], system.bodies, motion.q);
    links.push_back({at.point_a, at.point_b});
  }
  std::vector<PictureForce> forces;
  for (const ContactResult& c : simulation.contacts()) forces.push_back({c.point, c.impulse / model.run.step});
  return draw(bodies, links, forces, caption(model.title, simulation.state().time()), system.gravity, settings);
}

Image draw_picture(const Recording& recording, std::size_t index, const PictureSettings& settings) {
  const Frame frame = recording.frame(index);
  std::vector<PictureBody> bodies;
  for (std::size_t b = 0; b < recording.bodies().size(); ++b) {
    const RecordedBody& recorded = recording.bodies()[b];
    PictureBody body;
    body.place = frame.placement(b);
    body.driven = recorded.kind == "prescribed";
    body.moves = !body.driven && recorded.kind != "fixed";
    body.material = recorded.material;
    if (recorded.shape) body.shape = &*recorded.shape;
    bodies.push_back(body);
  }
  std::vector<PictureForce> forces;
  for (const RecordedContact& c : frame.contacts) forces.push_back({c.point, c.force});
  return draw(bodies, {}, forces, caption(recording.info().title, frame.time), recording.info().gravity, settings);
}

}  // namespace cairn
