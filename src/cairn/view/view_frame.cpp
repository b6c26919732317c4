// SPDX-License-Identifier: Apache-2.0
// Frames as bytes and as JSON.
#include "cairn/view/view_frame.h"

#include "cairn/view/bytes.h"

#include <algorithm>

namespace cairn {
namespace {

constexpr std::uint32_t kMagic = 0x464E5243;  // "CRNF"
constexpr std::size_t kHeader = 48, kPullBytes = 40;

Json to_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

std::size_t count_deforming(const std::vector<FrameBody>& bodies) {
  std::size_t n = 0;
  for (const FrameBody& body : bodies) n += body.deforms ? 1 : 0;
  return n;
}

bool any_broken(const Frame& frame) {
  return std::any_of(frame.broken.begin(), frame.broken.end(), [](std::uint8_t b) { return b != 0; });
}

/// Of a rigid body; nothing when its inertia is not known.
Json kinetic_energy(const Frame& frame, const FrameBody& body, std::size_t index) {
  if (!std::isfinite(body.mass) || body.inertia.isZero(0)) return nullptr;
  const Vec3 omega_body = frame.orientation[index].conjugate() * frame.angular_velocity[index];
  return 0.5 * body.mass * frame.velocity[index].squaredNorm() + 0.5 * omega_body.dot(body.inertia * omega_body);
}

}  // namespace

std::size_t encoded_size(const Frame& frame, const std::vector<FrameBody>& bodies, bool contacts) {
  const std::size_t nc = contacts ? frame.contacts.size() : 0;
  std::size_t size = kHeader + 4 * (13 * bodies.size() + 10 * count_deforming(bodies) + 6 * frame.joint_force.size() +
                                    frame.joint_coordinate.size() + 14 * nc);
  size += (nc + 3) / 4 * 4;
  if (frame.pull) size += kPullBytes;
  if (any_broken(frame)) size += (frame.broken.size() + 3) / 4 * 4;
  return (size + 7) / 8 * 8;
}

std::string encode_frame(const Frame& frame, const std::vector<FrameBody>& bodies, const FrameMarks& marks) {
  const std::size_t nb = bodies.size(), nc = marks.contacts ? frame.contacts.size() : 0;
  Bytes out;
  out.reserve(encoded_size(frame, bodies, marks.contacts));
  out.add(kMagic);
  out.add_u32(0);  // bytes: at the end
  out.add(frame.time);
  out.add(marks.index);
  for (const std::size_t n : {nb, count_deforming(bodies), nc, frame.joint_force.size(), frame.joint_coordinate.size()})
    out.add_u32(n);
  out.add_u32((marks.contacts ? 1u : 0u) | (marks.paused ? 2u : 0u) | (frame.pull ? 4u : 0u) |
              (any_broken(frame) ? 8u : 0u));
  out.add_u32(0);

  for (const Vec3& x : frame.position) out.add_floats(x);
  for (const Quat& r : frame.orientation)
    for (const double x : {r.w(), r.x(), r.y(), r.z()}) out.add_float(x);
  for (const Vec3& v : frame.velocity) out.add_floats(v);
  for (const Vec3& w : frame.angular_velocity) out.add_floats(w);
  for (std::size_t b = 0; b < nb; ++b)
    if (bodies[b].deforms) out.add_u32(b);
  for (std::size_t b = 0; b < nb; ++b)
    if (bodies[b].deforms)
      for (int i = 0; i < 3; ++i) out.add_floats(frame.deformation[b].row(i));
  for (const Vec3& f : frame.joint_force) out.add_floats(f);
  for (const Vec3& t : frame.joint_torque) out.add_floats(t);
  for (const double s : frame.joint_coordinate) out.add_float(s);

  if (nc > 0) {
    for (const FrameContact& c : frame.contacts) out.add<std::int32_t>(c.body_a), out.add<std::int32_t>(c.body_b);
    for (const FrameContact& c : frame.contacts) out.add_floats(c.point);
    for (const FrameContact& c : frame.contacts) out.add_floats(c.normal);
    for (const FrameContact& c : frame.contacts) out.add_floats(c.force);
    for (const FrameContact& c : frame.contacts) out.add_float(c.gap);
    for (const FrameContact& c : frame.contacts) out.add_float(c.friction);
    for (const FrameContact& c : frame.contacts) out.add_float(c.area);
    for (const FrameContact& c : frame.contacts) out.add(static_cast<std::uint8_t>(c.state));
    out.pad(4);
  }
  if (frame.pull) {
    out.add<std::int32_t>(frame.pull->body);
    for (const Vec3& x : {frame.pull->point, frame.pull->target, frame.pull->force}) out.add_floats(x);
  }
  if (any_broken(frame)) {
    for (const std::uint8_t broken : frame.broken) out.add(broken);
    out.pad(4);
  }
  out.pad(8);
  out.put_u32(4, out.size());
  return out.take();
}

Json body_json(const Frame& frame, const std::vector<FrameBody>& bodies, std::size_t index) {
  if (index >= bodies.size()) throw Error("there is no body {}; there are {}", index, bodies.size());
  Vec3 force = Vec3::Zero();
  int contacts = 0;
  for (const FrameContact& c : frame.contacts) {
    const int sign = c.body_a == static_cast<int>(index) ? 1 : c.body_b == static_cast<int>(index) ? -1 : 0;
    force += sign * c.force;
    contacts += sign != 0 ? 1 : 0;
  }
  const Quat& r = frame.orientation[index];
  Json j;
  j["time"] = frame.time;
  j["position"] = to_json(frame.position[index]);
  j["orientation"] = {r.w(), r.x(), r.y(), r.z()};
  j["velocity"] = to_json(frame.velocity[index]);
  j["angular_velocity"] = to_json(frame.angular_velocity[index]);
  j["kinetic_energy"] = kinetic_energy(frame, bodies[index], index);
  j["deformation"] = nullptr;
  if (bodies[index].deforms) {
    const Mat3 rows = frame.deformation[index].transpose();  // stored column by column
    j["deformation"] = std::vector<double>(rows.data(), rows.data() + 9);
  }
  j["contact_force"] = to_json(force);
  j["contacts"] = contacts;
  j["pull"] = nullptr;
  if (frame.pull && frame.pull->body == static_cast<int>(index))
    j["pull"] = {{"point", to_json(frame.pull->point)},
                 {"target", to_json(frame.pull->target)},
                 {"force", to_json(frame.pull->force)}};
  return j;
}

Json joint_json(const Frame& frame, const std::vector<FrameJoint>& joints,
                const std::vector<FrameCoordinate>& coordinates, const std::vector<std::string>& laws,
                std::size_t index) {
  if (index >= joints.size()) throw Error("there is no joint {}; there are {}", index, joints.size());
  Json j;
  j["time"] = frame.time;
  j["force"] = to_json(frame.joint_force[index]);
  j["torque"] = to_json(frame.joint_torque[index]);
  j["broken"] = frame.broken[index] != 0;
  j["coordinates"] = Json::array();
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    if (coordinates[k].joint == static_cast<int>(index))
      j["coordinates"].push_back({{"name", coordinates[k].name}, {"value", frame.joint_coordinate[k]}});
  // A recording does not tell which laws act on a joint, so all are given.
  j["laws"] = Json::array();
  for (std::size_t l = 0; l < laws.size(); ++l) j["laws"].push_back({{"name", laws[l]}, {"force", frame.law_force[l]}});
  return j;
}

Json contact_json(const Frame& frame, std::size_t index) {
  if (index >= frame.contacts.size()) throw Error("there is no contact {}; there are {}", index, frame.contacts.size());
  const FrameContact& c = frame.contacts[index];
  constexpr const char* kStates[] = {"open", "stick", "slip"};
  Json j;
  j["time"] = frame.time;
  j["bodies"] = {c.body_a, c.body_b};
  j["point"] = to_json(c.point);
  j["normal"] = to_json(c.normal);
  j["force"] = to_json(c.force);
  j["gap"] = c.gap;
  j["state"] = kStates[static_cast<int>(c.state)];
  j["friction"] = c.friction;
  j["area"] = c.area > 0 ? Json(c.area) : Json(nullptr);
  return j;
}

}  // namespace cairn
