// SPDX-License-Identifier: Apache-2.0
// Names into functions of a frame or a certificate, then one pass over the recording for all of them.
#include "cairn/io/run_quantities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "cairn/base/error.h"
#include "cairn/base/text.h"
#include "cairn/io/certificate_fields.h"
#include "cairn/io/words.h"

namespace cairn {
namespace {

using OfFrame = std::function<double(const Frame&)>;

/// A part of a body, joint or pair: what follows its name.
template <class Get>
struct Part {
  std::string_view name, unit, help;
  Get get;
};

using BodyGet = double (*)(const Frame&, std::size_t, const Vec3& start);
using Vectors = std::vector<Vec3> Frame::*;
template <Vectors list, int k>
double component(const Frame& f, std::size_t i, const Vec3&) {
  return (f.*list)[i][k];
}
template <Vectors list>
double length(const Frame& f, std::size_t i, const Vec3&) {
  return (f.*list)[i].norm();
}

constexpr std::array<Part<BodyGet>, 15> kBodyParts{{
    {"position.x", "m", "of its origin", component<&Frame::position, 0>},
    {"position.y", "m", "", component<&Frame::position, 1>},
    {"position.z", "m", "", component<&Frame::position, 2>},
    {"velocity.x", "m/s", "", component<&Frame::velocity, 0>},
    {"velocity.y", "m/s", "", component<&Frame::velocity, 1>},
    {"velocity.z", "m/s", "", component<&Frame::velocity, 2>},
    {"angular_velocity.x", "rad/s", "in world axes", component<&Frame::angular_velocity, 0>},
    {"angular_velocity.y", "rad/s", "", component<&Frame::angular_velocity, 1>},
    {"angular_velocity.z", "rad/s", "", component<&Frame::angular_velocity, 2>},
    {"orientation.w", "", "unit quaternion",
     [](const Frame& f, std::size_t i, const Vec3&) { return f.orientation[i].w(); }},
    {"orientation.x", "", "", [](const Frame& f, std::size_t i, const Vec3&) { return f.orientation[i].x(); }},
    {"orientation.y", "", "", [](const Frame& f, std::size_t i, const Vec3&) { return f.orientation[i].y(); }},
    {"orientation.z", "", "", [](const Frame& f, std::size_t i, const Vec3&) { return f.orientation[i].z(); }},
    {"speed", "m/s", "length of its velocity", length<&Frame::velocity>},
    {"displacement", "m", "from where it was at first",
     [](const Frame& f, std::size_t i, const Vec3& start) { return (f.position[i] - start).norm(); }},
}};

constexpr std::array<Part<BodyGet>, 8> kJointParts{{
    {"force", "N", "length of the reaction", length<&Frame::joint_force>},
    {"torque", "N m", "about its point on A", length<&Frame::joint_torque>},
    {"force.x", "N", "on A, in world axes", component<&Frame::joint_force, 0>},
    {"force.y", "N", "", component<&Frame::joint_force, 1>},
    {"force.z", "N", "", component<&Frame::joint_force, 2>},
    {"torque.x", "N m", "", component<&Frame::joint_torque, 0>},
    {"torque.y", "N m", "", component<&Frame::joint_torque, 1>},
    {"torque.z", "N m", "", component<&Frame::joint_torque, 2>},
}};

/// Of the contact points of one pair, with the sign that makes forces act on the first body.
struct PairSum {
  Vec3 force = Vec3::Zero();
  double normal = 0, gap = std::numeric_limits<double>::quiet_NaN();
  int points = 0;
  Vec3 tangential = Vec3::Zero();
};
constexpr std::array<Part<double (*)(const PairSum&)>, 7> kContactParts{{
    {"normal_force", "N", "of all points together", [](const PairSum& s) { return s.normal; }},
    {"tangential_force", "N", "length of their sum", [](const PairSum& s) { return s.tangential.norm(); }},
    {"force.x", "N", "on the first body, in world axes", [](const PairSum& s) { return s.force.x(); }},
    {"force.y", "N", "", [](const PairSum& s) { return s.force.y(); }},
    {"force.z", "N", "", [](const PairSum& s) { return s.force.z(); }},
    {"gap", "m", "least of the points", [](const PairSum& s) { return s.gap; }},
    {"points", "", "their number", [](const PairSum& s) { return double(s.points); }},
}};

PairSum sum_pair(const Frame& frame, int a, int b) {
  PairSum sum;
  for (const FrameContact& c : frame.contacts) {
    const bool same = c.body_a == a && c.body_b == b, turned = c.body_a == b && c.body_b == a;
    if (!same && !turned) continue;
    const double normal = c.force.dot(c.normal);
    sum.force += turned ? Vec3(-c.force) : c.force;
    sum.normal += normal;
    sum.tangential += c.force - normal * c.normal;
    sum.gap = std::isnan(sum.gap) ? c.gap : std::min(sum.gap, c.gap);
    ++sum.points;
  }
  return sum;
}

std::string_view coordinate_unit(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(JointCoordinate::Slide); ++i)
    if (const auto c = static_cast<JointCoordinate>(i); coordinate_name(c) == name) return is_angle(c) ? "rad" : "m";
  return "m";  // what comes after the slides is a length
}

template <class Parts>
std::vector<std::string> part_names(const Parts& parts) {
  std::vector<std::string> names;
  for (const auto& part : parts) names.emplace_back(part.name);
  return names;
}

class Finder {
 public:
  explicit Finder(const Recording& recording) : recording_(recording) {
    for (const FrameBody& body : recording.bodies()) bodies_.push_back(body.name);
    for (const FrameJoint& joint : recording.joints()) joints_.push_back(joint.name);
  }

  struct Wanted {
    std::string name;
    std::string_view unit;
    OfFrame of_frame;  ///< empty: of a step
    std::function<double(const Certificate&, double h)> of_step;
  };

  std::vector<Wanted> find(const std::string& name) const {
    if (name.starts_with("body.")) return of_body(name);
    if (name.starts_with("joint.")) return of_joint(name);
    if (name.starts_with("law.")) return of_law(name);
    if (name.starts_with("contact.")) return of_contact(name);
    for (const CertificateField& field : certificate_fields())
      if (field.name == name)
        return {{name, field.unit, {}, [&field](const Certificate& c, double) { return field.get(c); }}};
    if (name == "energy_total") return {{name, "J", {}, [](const Certificate& c, double) { return c.energy.total(); }}};
    if (name == "real_time_factor")
      return {{name, "", {}, [](const Certificate& c, double h) {
                 return c.times.total > 0 ? h / c.times.total : std::numeric_limits<double>::quiet_NaN();
               }}};
    std::vector<std::string> known{"energy",           "energy_total",
                                   "real_time_factor", "body.NAME.position",
                                   "joint.NAME.force", "contact.A/B.normal_force"};
    for (const CertificateField& field : certificate_fields()) known.emplace_back(field.name);
    throw Error("there is no quantity '{}'{}; --list says what there is", name, did_you_mean(name, known));
  }

 private:
  /// Splits "NAME.PART" where NAME is one of the names: the longest that fits, as names may have dots.
  std::pair<std::size_t, std::string> split(const std::string& what, const std::string& text,
                                            const std::vector<std::string>& names,
                                            const std::vector<std::string>& parts) const {
    std::size_t best = names.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool fits = text.starts_with(names[i]) && (text.size() == names[i].size() || text[names[i].size()] == '.');
      if (fits && (best == names.size() || names[i].size() > names[best].size())) best = i;
    }
    if (best < names.size()) return {best, text.size() > names[best].size() ? text.substr(names[best].size() + 1) : ""};
    // The name that was meant: what stands before a known part, else before the last dot.
    std::string name = text.substr(0, text.rfind('.'));
    for (const std::string& part : parts)
      if (text.size() > part.size() && text.ends_with("." + part)) name = text.substr(0, text.size() - part.size() - 1);
    throw Error("there is no {} '{}'{}", what, name, did_you_mean(name, names));
  }

  [[noreturn]] static void no_part(const std::string& owner, const std::string& part,
                                   const std::vector<std::string>& known) {
    throw Error("{} has no '{}'{}; it has {}", owner, part, did_you_mean(part, known), join(known));
  }

  /// The parts that are asked for: one of them, or all of one beginning ("position" for position.x, .y and .z).
  template <class Parts, class Add>
  static bool choose(const Parts& parts, const std::string& word, Add&& add) {
    bool any = false;
    for (const auto& part : parts)
      if (part.name == word) return add(part), true;
    for (const auto& part : parts)
      if (part.name.starts_with(word + ".")) any = true, add(part);
    return any;
  }

  std::vector<Wanted> of_body(const std::string& name) const {
    const auto [body, word] = split("body", name.substr(5), bodies_, part_names(kBodyParts));
    std::vector<Wanted> wanted;
    const Vec3 start = recording_.frame_count() > 0 ? recording_.positions(0)[body] : Vec3(Vec3::Zero());
    const bool known = choose(kBodyParts, word, [&, body = body](const auto& part) {
      wanted.push_back({fmt::format("body.{}.{}", bodies_[body], part.name),
                        part.unit,
                        [get = part.get, body, start](const Frame& f) { return get(f, body, start); },
                        {}});
    });
    if (!known) no_part(fmt::format("body '{}'", bodies_[body]), word, part_names(kBodyParts));
    return wanted;
  }

  std::vector<Wanted> of_joint(const std::string& name) const {
    const auto [joint, word] = split("joint", name.substr(6), joints_, part_names(kJointParts));
    std::vector<std::string> known = part_names(kJointParts);
    for (std::size_t k = 0; k < recording_.joint_coordinates().size(); ++k) {
      const FrameCoordinate& c = recording_.joint_coordinates()[k];
      if (c.joint != static_cast<int>(joint)) continue;
      known.push_back(c.name);
      if (c.name == word)
        return {{name, coordinate_unit(c.name), [k](const Frame& f) { return f.joint_coordinate[k]; }, {}}};
    }
    std::vector<Wanted> wanted;
    const bool found = choose(kJointParts, word, [&, joint = joint](const auto& part) {
      wanted.push_back({fmt::format("joint.{}.{}", joints_[joint], part.name),
                        part.unit,
                        [get = part.get, joint](const Frame& f) { return get(f, joint, Vec3::Zero()); },
                        {}});
    });
    if (!found) no_part(fmt::format("joint '{}'", joints_[joint]), word, known);
    return wanted;
  }

  std::vector<Wanted> of_law(const std::string& name) const {
    const auto [law, word] = split("law", name.substr(4), recording_.coordinate_laws(), {"force"});
    if (word != "force") no_part(fmt::format("law '{}'", recording_.coordinate_laws()[law]), word, {"force"});
    return {{name, "N, N m", [law = law](const Frame& f) { return f.law_force[law]; }, {}}};
  }

  std::vector<Wanted> of_contact(const std::string& name) const {
    if (!recording_.info().contacts) throw Error("there is no quantity '{}': contacts were not recorded", name);
    const std::string text = name.substr(8);
    for (std::size_t slash = text.find('/'); slash != std::string::npos; slash = text.find('/', slash + 1)) {
      const auto first = std::find(bodies_.begin(), bodies_.end(), text.substr(0, slash));
      if (first == bodies_.end()) continue;
      const auto [second, word] = split("body", text.substr(slash + 1), bodies_, part_names(kContactParts));
      const int a = static_cast<int>(first - bodies_.begin()), b = static_cast<int>(second);
      std::vector<Wanted> wanted;
      const bool known = choose(kContactParts, word, [&](const auto& part) {
        wanted.push_back({fmt::format("contact.{}/{}.{}", *first, bodies_[static_cast<std::size_t>(b)], part.name),
                          part.unit,
                          [get = part.get, a, b](const Frame& f) { return get(sum_pair(f, a, b)); },
                          {}});
      });
      if (!known)
        no_part(fmt::format("the contact of '{}' and '{}'", *first, bodies_[static_cast<std::size_t>(b)]), word,
                part_names(kContactParts));
      return wanted;
    }
    const std::string first = text.substr(0, text.find('/'));
    if (text.find('/') == std::string::npos)
      throw Error("'{}' names no pair of bodies; expected contact.A/B.normal_force", name);
    throw Error("there is no body '{}'{}", first, did_you_mean(first, bodies_));
  }

  const Recording& recording_;
  std::vector<std::string> bodies_, joints_;
};

}  // namespace

std::vector<QuantityInfo> list_quantities(const Recording& recording, std::size_t most) {
  std::vector<QuantityInfo> list{{"energy", "J", "balance: what is there and what was lost (stacked)"},
                                 {"energy_total", "J", "kinetic, potential and elastic"},
                                 {"real_time_factor", "", "simulated over elapsed time of the step"}};
  for (const CertificateField& field : certificate_fields())
    if (field.name != "time")
      list.push_back({std::string(field.name), std::string(field.unit), std::string(field.help)});
  const auto add = [&](const std::string& owner, const auto& parts) {
    for (const auto& part : parts)
      list.push_back({fmt::format("{}.{}", owner, part.name), std::string(part.unit), std::string(part.help)});
  };
  for (std::size_t i = 0; i < std::min(most, recording.bodies().size()); ++i)
    if (recording.bodies()[i].kind != "fixed") add("body." + recording.bodies()[i].name, kBodyParts);
  for (std::size_t j = 0; j < std::min(most, recording.joints().size()); ++j) {
    add("joint." + recording.joints()[j].name, kJointParts);
    for (const FrameCoordinate& c : recording.joint_coordinates())
      if (c.joint == static_cast<int>(j))
        list.push_back({fmt::format("joint.{}.{}", recording.joints()[j].name, c.name),
                        std::string(coordinate_unit(c.name)), "coordinate"});
  }
  for (std::size_t l = 0; l < std::min(most, recording.coordinate_laws().size()); ++l)
    list.push_back({fmt::format("law.{}.force", recording.coordinate_laws()[l]), "N, N m", "along its coordinate"});
  if (recording.info().contacts && recording.frame_count() > 0) {
    std::set<std::pair<int, int>> pairs;
    for (const FrameContact& c : recording.frame(recording.frame_count() - 1).contacts)
      if (c.body_a >= 0 && c.body_b >= 0) pairs.insert({c.body_a, c.body_b});
    for (const auto& [a, b] : pairs) {
      if (most-- == 0) break;
      add(fmt::format("contact.{}/{}", recording.bodies()[static_cast<std::size_t>(a)].name,
                      recording.bodies()[static_cast<std::size_t>(b)].name),
          kContactParts);
    }
  }
  return list;
}

std::vector<Curve> energy_balance(const std::vector<Certificate>& certificates) {
  std::vector<Curve> curves;
  double least = std::numeric_limits<double>::infinity(), scale = 0;
  for (const Certificate& c : certificates) {
    least = std::min(least, c.energy.gravity);
    scale = std::max({scale, std::abs(c.energy.kinetic), std::abs(c.energy.elastic)});
  }
  for (const Certificate& c : certificates) scale = std::max(scale, c.energy.gravity - least);
  const auto add = [&](const char* name, bool sums, auto&& get) {
    Curve curve{name, "J", {}, {}, true};
    double sum = 0, largest = 0;
    for (const Certificate& c : certificates) {
      sum = sums ? sum - get(c) : get(c);
      largest = std::max(largest, std::abs(sum));
      curve.time.push_back(c.time);
      curve.value.push_back(sum);
    }
    if (largest > 1e-9 * scale) curves.push_back(std::move(curve));
  };
  add("energy_kinetic", false, [](const Certificate& c) { return c.energy.kinetic; });
  add("energy_gravity_above_least", false, [&](const Certificate& c) { return c.energy.gravity - least; });
  add("energy_elastic", false, [](const Certificate& c) { return c.energy.elastic; });
  add("lost_to_contact", true, [](const Certificate& c) { return c.work.contact; });
  add("lost_to_friction", true, [](const Certificate& c) { return c.work.friction; });
  add("lost_to_damping", true, [](const Certificate& c) { return c.work.damping; });
  add("lost_to_joints", true, [](const Certificate& c) { return c.work.joints; });
  Curve bound{"start_and_work_put_in", "J", {}, {}, false, true};
  double sum = 0;
  for (const Certificate& c : certificates) {
    // The energy before the first step is that after it without what happened in it.
    if (bound.value.empty()) sum = c.energy.total() - least - c.work.total() - c.numerical;
    sum += c.work.loads + c.work.drive;
    bound.time.push_back(c.time);
    bound.value.push_back(sum);
  }
  curves.push_back(std::move(bound));
  return curves;
}

std::vector<Curve> read_curves(const Recording& recording, const std::vector<std::string>& names) {
  const Finder finder(recording);
  std::vector<Curve> curves;
  std::vector<std::pair<std::size_t, OfFrame>> of_frames;  // curve and its function
  std::vector<Certificate> certificates;
  const auto steps = [&]() -> const std::vector<Certificate>& {
    if (certificates.empty()) certificates = recording.certificates();
    return certificates;
  };
  for (const std::string& name : names) {
    if (name == "energy") {
      for (Curve& curve : energy_balance(steps())) curves.push_back(std::move(curve));
      continue;
    }
    for (Finder::Wanted& wanted : finder.find(name)) {
      Curve curve{wanted.name, std::string(wanted.unit), {}, {}};
      if (wanted.of_frame) {
        of_frames.emplace_back(curves.size(), std::move(wanted.of_frame));
      } else {
        double before = recording.frame_count() > 0 ? recording.times().front() : 0;
        for (const Certificate& c : steps()) {
          curve.time.push_back(c.time);
          curve.value.push_back(wanted.of_step(c, c.time - before));
          before = c.time;
        }
      }
      curves.push_back(std::move(curve));
    }
  }
  if (!of_frames.empty())
    for (std::size_t i = 0; i < recording.frame_count(); ++i) {
      const Frame frame = recording.frame(i);
      for (const auto& [index, get] : of_frames) {
        curves[index].time.push_back(frame.time);
        curves[index].value.push_back(get(frame));
      }
    }
  return curves;
}

std::string to_csv(const std::vector<Curve>& curves) {
  std::string text = "time";
  std::map<double, std::vector<double>> rows;  // NaN: no value
  for (std::size_t k = 0; k < curves.size(); ++k) {
    text += "," +
            csv_field(curves[k].unit.empty() ? curves[k].name : fmt::format("{} [{}]", curves[k].name, curves[k].unit));
    for (std::size_t i = 0; i < curves[k].time.size(); ++i) {
      std::vector<double>& row = rows[curves[k].time[i]];
      row.resize(curves.size(), std::numeric_limits<double>::quiet_NaN());
      row[k] = curves[k].value[i];
    }
  }
  text += "\n";
  for (const auto& [time, row] : rows) {
    text += fmt::format("{}", time);
    for (const double value : row) text += std::isfinite(value) ? fmt::format(",{}", value) : ",";
    text += "\n";
  }
  return text;
}

}  // namespace cairn
