// SPDX-License-Identifier: Apache-2.0
// Names, sums and buckets of series.
#include "cairn/view/view_series.h"

#include "cairn/base/text.h"
#include "cairn/io/certificate_fields.h"
#include "cairn/view/bytes.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cairn {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

[[noreturn]] void refuse(const std::string& name) {
  throw Error(
      "there is no series '{}'; there are certificate.FIELD, energy.kinetic|gravity|elastic|total, "
      "work.contact|friction|joints|damping|loads|drive|numerical, body.K.position|velocity|angular_velocity.x|y|z, "
      "body.K.speed, joint.K.force|torque, coordinate.K, law.K, contact.A.B.normal_force and pull.force",
      name);
}

int read_index(const std::string& text, const std::string& name, int least) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || text.empty() || value < least) refuse(name);
  return value;
}

int read_component(const std::string& text, const std::string& name) {
  if (text == "x") return 0;
  if (text == "y") return 1;
  if (text == "z") return 2;
  if (text == "speed" || text == "norm") return -1;
  refuse(name);
}

bool is_field(const std::string& field) {
  const auto fields = certificate_fields();
  return std::any_of(fields.begin(), fields.end(), [&](const CertificateField& f) { return f.name == field; });
}

}  // namespace

SeriesName parse_series_name(const std::string& name) {
  const std::vector<std::string> part = split(name);
  const std::size_t n = part.size();
  SeriesName out;
  if (part[0] == "certificate" && n == 2 && is_field(part[1])) {
    out.field = part[1];
  } else if (part[0] == "energy" && n == 2 && (part[1] == "total" || is_field("energy_" + part[1]))) {
    out.kind = SeriesName::Kind::Energy;
    out.field = part[1];
  } else if (part[0] == "work" && n == 2 && (part[1] == "numerical" || is_field("work_" + part[1]))) {
    out.kind = SeriesName::Kind::Work;
    out.field = part[1];
  } else if (part[0] == "contact" && n == 4 && part[3] == "normal_force") {
    out.kind = SeriesName::Kind::Contact;
    out.body_a = read_index(part[1], name, -1);
    out.body_b = read_index(part[2], name, -1);
  } else if (part[0] == "pull" && (n == 2 || n == 3) && part[1] == "force") {
    out.kind = SeriesName::Kind::Pull;
    if (n == 3) out.component = read_component(part[2], name);
  } else if (n >= 2) {
    out.kind = SeriesName::Kind::Track;
    out.index = static_cast<std::size_t>(read_index(part[1], name, 0));
    if (part[0] == "coordinate" && n == 2) {
      out.track = Track::Coordinate;
    } else if (part[0] == "law" && n == 2) {
      out.track = Track::LawForce;
    } else if (part[0] == "joint" && (n == 3 || n == 4) && (part[2] == "force" || part[2] == "torque")) {
      out.track = part[2] == "force" ? Track::JointForce : Track::JointTorque;
      if (n == 4) out.component = read_component(part[3], name);
    } else if (part[0] == "body" && n == 3 && part[2] == "speed") {
      out.track = Track::Velocity;
    } else if (part[0] == "body" && n == 4) {
      if (part[2] == "position" && part[3] == "speed") {  // the magnitude of the velocity, by the other name it has
        out.track = Track::Velocity;
      } else if (part[2] == "position") {
        out.track = Track::Position;
      } else if (part[2] == "velocity") {
        out.track = Track::Velocity;
      } else if (part[2] == "angular_velocity") {
        out.track = Track::AngularVelocity;
      } else {
        refuse(name);
      }
      out.component = read_component(part[3], name);
    } else {
      refuse(name);
    }
  } else {
    refuse(name);
  }
  return out;
}

TimeSeries make_certificate_series(const SeriesName& name, const CertificateReader& read) {
  TimeSeries series;
  series.t = read("time");
  switch (name.kind) {
    case SeriesName::Kind::Energy:
      if (name.field != "total") {
        series.y = read("energy_" + name.field);
        break;
      }
      series.y = read("energy_kinetic");
      for (const char* other : {"energy_gravity", "energy_elastic"}) {
        const std::vector<double> more = read(other);
        for (std::size_t i = 0; i < series.y.size(); ++i) series.y[i] += more[i];
      }
      break;
    case SeriesName::Kind::Work: {
      series.y = read(name.field == "numerical" ? name.field : "work_" + name.field);
      double sum = 0;
      for (double& y : series.y) y = sum += y;
      break;
    }
    default: series.y = read(name.field);
  }
  return series;
}

TimeSeries cut_series(TimeSeries all, const SeriesRequest& request) {
  if (!request.from && !request.to) return all;
  auto first = all.t.begin(), last = all.t.end();
  if (request.from) first = std::lower_bound(all.t.begin(), all.t.end(), *request.from);
  if (request.to) last = std::upper_bound(all.t.begin(), all.t.end(), *request.to);
  if (first > last) first = last;
  if (first != all.t.begin()) --first;
  if (last != all.t.end()) ++last;
  const auto y = all.y.begin();
  TimeSeries part;
  part.y.assign(y + (first - all.t.begin()), y + (last - all.t.begin()));
  part.t.assign(first, last);
  return part;
}

TimeSeries reduce_series(const TimeSeries& all, std::size_t points) {
  points = std::max<std::size_t>(points, 4);
  const std::size_t n = all.t.size();
  if (n <= points) return all;
  const std::size_t buckets = points / 2;
  TimeSeries out;
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::size_t begin = b * n / buckets, end = (b + 1) * n / buckets;
    std::size_t least = begin, greatest = begin;
    for (std::size_t i = begin; i < end; ++i) {
      if (all.y[i] < all.y[least]) least = i;
      if (all.y[i] > all.y[greatest]) greatest = i;
    }
    // A bucket of equal values still spans its time.
    if (least == greatest) greatest = end - 1;
    for (const std::size_t i : {std::min(least, greatest), std::max(least, greatest)}) {
      out.t.push_back(all.t[i]);
      out.y.push_back(all.y[i]);
    }
  }
  return out;
}

std::string encode_series(const TimeSeries& series) {
  Bytes out;
  out.reserve(8 + 16 * series.t.size());
  out.add_u32(series.t.size());
  out.add_u32(0);
  for (const double t : series.t) out.add(t);
  for (const double y : series.y) out.add(y);
  return out.take();
}

}  // namespace cairn
