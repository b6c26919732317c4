// SPDX-License-Identifier: Apache-2.0
// The description of a model for the page.
#include "cairn/view/view_model.h"

#include "cairn/io/certificate_fields.h"
#include "cairn/io/shape_numbers.h"
#include "cairn/io/snapshot_picture.h"
#include "cairn/io/version.h"
#include "cairn/view/shape_bytes.h"

#include <algorithm>
#include <map>

namespace cairn {
namespace {

constexpr int kProtocol = 1;

Json to_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }
Json to_json(const Aabb& box) { return Json::array({to_json(box.lo), to_json(box.hi)}); }

/// Box and centre of what is bounded, so that planes can be made large enough.
void find_bounds(const Frame& first, ViewModel& model) {
  std::vector<FocusBody> bodies;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const FrameBody& body = model.bodies[b];
    if (!body.shape || !is_bounded(*body.shape)) continue;
    const Aabb box = compute_aabb(*body.shape, first.placement(b));
    if (!box.is_bounded()) continue;
    model.bounds.merge(box);
    bodies.push_back({box, body.moves_freely()});
  }
  const Aabb unit{Vec3::Constant(-1), Vec3::Constant(1)};
  if (bodies.empty()) model.bounds = unit;
  model.focus = find_focus_box(bodies);
}

void collect_shapes(const Frame& first, ViewModel& model) {
  const double size = (model.bounds.hi - model.bounds.lo).norm();
  // Half-spaces are drawn as squares about their body's origin; wherever that is, the scene must lie on them.
  double reach = 0;
  for (const Vec3& x : first.position) reach = std::max(reach, (x - (model.bounds.lo + model.bounds.hi) / 2).norm());
  const ShapeDetail detail{.half_space = 5 * size + 2 * reach, .fine = model.bodies.size() < 2000};
  std::map<std::pair<std::string, std::vector<double>>, int> known;
  for (const FrameBody& body : model.bodies) {
    if (!body.shape) {
      model.body_shape.push_back(-1);
      continue;
    }
    std::vector<double> numbers = shape_numbers(*body.shape);
    const auto [where, is_new] = known.try_emplace({std::string(shape_name(*body.shape)), std::move(numbers)},
                                                   static_cast<int>(model.shapes.size()));
    if (is_new) model.shapes.push_back(make_view_shape(*body.shape, where->first.second, detail));
    model.body_shape.push_back(where->second);
  }
}

void find_limits(ViewModel& model) {
  double least = std::numeric_limits<double>::infinity();
  for (const FrameBody& body : model.bodies)
    if (body.shape && body.kind != "fixed" && is_bounded(*body.shape))
      if (const double t = half_thickness(*body.shape); t > 0) least = std::min(least, t);
  if (std::isfinite(least)) model.alarm.penetration = 0.02 * least;  // a hundredth of the whole thickness
}

void finish(const Frame& first, ViewModel& model) {
  find_bounds(first, model);
  collect_shapes(first, model);
  find_limits(model);
}

}  // namespace

ViewModel make_view_model(const Recording& recording, const std::string& file) {
  ViewModel model;
  static_cast<FrameModel&>(model) = *recording.model();
  model.info = recording.info();
  model.file = file;
  if (recording.frame_count() == 0) throw Error("{}: has no frame yet", file);
  finish(recording.frame(0, {.state = false, .contacts = false}), model);
  return model;
}

ViewModel make_view_model(const Simulation& simulation, const std::string& file) {
  const Model& given = simulation.model();
  ViewModel model;
  static_cast<FrameModel&>(model) = make_frame_model(given);
  model.info = {given.title,    given.run.stepper.name, given.run.solver.name,  std::string(kVersion),
                given.run.step, given.run.step,         given.system().gravity, true,
                false};
  model.file = file;
  finish(take_frame(simulation), model);
  return model;
}

Json to_json(const ViewModel& model, std::string_view mode) {
  Json j;
  j["protocol"] = kProtocol;
  j["mode"] = mode;
  j["title"] = model.info.title;
  j["file"] = model.file;
  j["cairn"] = model.info.cairn;
  j["step"] = model.info.step;
  j["interval"] = model.info.interval;
  j["gravity"] = to_json(model.info.gravity);
  j["stepper"] = model.info.stepper;
  j["solver"] = model.info.solver;
  j["complete"] = model.info.complete;
  j["has_contacts"] = model.info.contacts;
  Json& bodies = j["bodies"] = Json::array();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const FrameBody& body = model.bodies[b];
    bodies.push_back({{"name", body.name},
                      {"kind", body.kind},
                      {"material", body.material},
                      {"mass", std::isfinite(body.mass) ? Json(body.mass) : Json(nullptr)},
                      {"shape", model.body_shape[b]},
                      {"deforms", body.deforms}});
  }
  Json& shapes = j["shapes"] = Json::array();
  for (const ViewShape& shape : model.shapes) {
    Json s;
    s["kind"] = shape.kind;
    if (!shape.numbers.empty()) s["numbers"] = shape.numbers;
    s["bounds"] = shape.bounds ? to_json(*shape.bounds) : Json(nullptr);
    s["triangles"] = shape.triangles;
    shapes.push_back(std::move(s));
  }
  Json& joints = j["joints"] = Json::array();
  for (const FrameJoint& joint : model.joints)
    joints.push_back({{"name", joint.name},
                      {"type", joint.type},
                      {"body_a", joint.body_a},
                      {"body_b", joint.body_b},
                      {"anchor_a", to_json(joint.anchor_a)},
                      {"anchor_b", to_json(joint.anchor_b)}});
  Json& coordinates = j["coordinates"] = Json::array();
  for (const FrameCoordinate& c : model.coordinates)
    coordinates.push_back({{"joint", c.joint}, {"name", c.name}, {"unit", c.name.starts_with("angle") ? "rad" : "m"}});
  j["laws"] = model.laws;
  Json& fields = j["certificate_fields"] = Json::array();
  for (const CertificateField& field : certificate_fields())
    fields.push_back({{"name", field.name}, {"unit", field.unit}, {"help", field.help}});
  j["bounds"] = to_json(model.bounds);
  j["focus"] = to_json(model.focus);
  j["alarm"] = {{"residual", model.alarm.residual}, {"penetration", model.alarm.penetration}};
  return j;
}

}  // namespace cairn
