// SPDX-License-Identifier: Apache-2.0
// Each layer turns contacts or joints into arrows, lines and dots, and says what they mean.
#include "cairn/io/picture_layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "cairn/base/error.h"
#include "cairn/io/thrust_line.h"
#include "cairn/io/words.h"

namespace cairn {
namespace {

// Colours of Okabe and Ito (2008), told apart by every common kind of colour vision.
const Vec3 kStick{0.00, 0.45, 0.70}, kSlip{0.90, 0.62, 0.00}, kOpen{0.55, 0.55, 0.55}, kForce{0.80, 0.10, 0.10},
    kThrust{0.75, 0.05, 0.35}, kOverlap{0.90, 0.00, 0.75}, kCone{0.20, 0.35, 0.65}, kJoint{0.00, 0.50, 0.40},
    kPull{0.55, 0.25, 0.75};

using Mark = LegendEntry::Mark;

RenderArrow make_line(const Vec3& from, const Vec3& to, const Vec3& colour, double radius) {
  return {from, to, colour, radius, false};
}
RenderArrow make_dot(const Vec3& at, const Vec3& colour, double radius) { return {at, at, colour, radius, false}; }

/// Pale to dark red.
Vec3 chain_colour(double t) {
  static const Vec3 low(0.98, 0.72, 0.42), middle(0.86, 0.26, 0.14), high(0.42, 0.00, 0.07);
  return t < 0.5 ? Vec3(low + 2 * t * (middle - low)) : Vec3(middle + (2 * t - 1) * (high - middle));
}

/// Recordings from before friction was kept have none.
template <class Contact>
double friction_of(const Contact& contact) {
  if constexpr (requires { contact.friction; }) {
    return contact.friction;
  } else {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

class LayerPainter {
 public:
  LayerPainter(const PictureScene& scene, const LayerScales& scales, std::vector<RenderArrow>& marks, Legend& legend)
      : scene_(scene),
        scales_(scales),
        marks_(marks),
        legend_(legend),
        dot_(std::min(0.0045 * scales.size, 0.3 * scales.grain)) {}

  void contacts() {
    const std::array<Vec3, 3> colours{kOpen, kStick, kSlip};
    std::array<std::size_t, 3> counts{};
    for (const FrameContact& c : scene_.contacts) {
      const auto state = static_cast<std::size_t>(c.state);
      marks_.push_back(make_dot(c.point, colours[state], dot_));
      ++counts[state];
    }
    const std::array<const char*, 3> words{"open", "sticks", "slips"};
    for (const std::size_t state : {1, 2, 0})
      say(Mark::Dot, colours[state], fmt::format("contact {}: {}", words[state], counts[state]));
  }

  /// Arrows as long as their force is large; larger ones than the scale are cut to its length. Of force and
  /// counter-force the one that holds something up is drawn.
  void forces() {
    bool any = false;
    for (const FrameContact& c : scene_.contacts) {
      const double length = scales_.force > 0 ? 0.08 * scales_.size * std::min(1.0, c.force.norm() / scales_.force) : 0;
      if (!(length > 1e-3 * scales_.size) || !c.point.allFinite()) continue;
      const Vec3 tip = c.point + c.force.normalized() * (c.force.dot(scene_.up()) < 0 ? -length : length);
      marks_.push_back({c.point, tip, kForce, 0.0012 * scales_.size});
      any = true;
    }
    if (any) say(Mark::Arrow, kForce, "contact force, longest " + with_prefix(scales_.force, "N"));
    if (scene_.pull) pull(*scene_.pull);
  }

  /// From where the hand holds the body to where the hand is.
  void pull(const PicturePull& pull) {
    marks_.push_back({pull.point, pull.target, kPull, 0.0016 * scales_.size});
    marks_.push_back(make_dot(pull.point, kPull, dot_));
    say(Mark::Arrow, kPull, "pulled by hand with " + with_prefix(pull.force.norm(), "N"));
  }

  /// Lines between the centres of bodies that touch, as thick as their normal force is large. Towards what does not
  /// move the line ends in the centre of pressure.
  void chains() {
    const double thickest = std::min(0.008 * scales_.size, 0.45 * scales_.grain);
    for (const PairResultant& r : find_resultants(scene_.contacts)) {
      const double share = scales_.chain > 0 ? std::min(1.0, r.normal / scales_.chain) : 0;
      if (share < 2e-3) continue;
      const auto end = [&](int body) {
        if (body < 0) return r.point;
        const PictureBody& b = scene_.bodies[static_cast<std::size_t>(body)];
        return b.moves ? b.place.c : r.point;
      };
      marks_.push_back(make_line(end(r.body_a), end(r.body_b), chain_colour(share), thickest * std::max(share, 0.02)));
    }
    say(Mark::Line, chain_colour(0.75), "force chain, thickest " + with_prefix(scales_.chain, "N"));
  }

  void thrust() {
    std::vector<bool> moves;
    for (const PictureBody& body : scene_.bodies) moves.push_back(body.moves);
    const std::vector<PairResultant> resultants = find_resultants(scene_.contacts);
    const double radius = std::min(0.0026 * scales_.size, 0.1 * scales_.grain);
    double largest = 0;
    for (const ThrustSegment& s : find_thrust_line(resultants, moves)) {
      marks_.push_back(make_line(s.from, s.to, kThrust, radius));
      largest = std::max(largest, s.force);
    }
    for (const PairResultant& r : resultants) marks_.push_back(make_dot(r.point, 0.55 * kThrust, 1.9 * radius));
    say(Mark::Line, kThrust, "line of thrust, up to " + with_prefix(largest, "N"));
    say(Mark::Dot, 0.55 * kThrust, "centre of pressure");
  }

  /// Overlaps that can be seen or should worry: deeper than a ten-thousandth of the bodies.
  void penetration() {
    const double limit = 1e-4 * scales_.grain;
    double deepest = 0;
    int count = 0;
    for (const FrameContact& c : scene_.contacts) {
      deepest = std::max(deepest, -c.gap);
      if (!(-c.gap > limit)) continue;
      ++count;
      marks_.push_back(make_dot(c.point, kOverlap, dot_ * (1 + std::min(2.0, -c.gap / (100 * limit)))));
    }
    say(Mark::Dot, kOverlap, fmt::format("overlap above {}: {}", with_prefix(limit, "m"), count));
    say(Mark::Dot, kOpen, "deepest overlap " + with_prefix(deepest, "m"));
  }

  void cones() {
    const double height = std::min(0.035 * scales_.size, 1.2 * scales_.grain), radius = 0.0006 * scales_.size;
    constexpr int lines = 12;
    int count = 0;
    for (const FrameContact& c : scene_.contacts) {
      const double mu = friction_of(c);
      if (!std::isfinite(mu))
        throw Error(
            "friction cones: the friction of the contacts is not known; record the run again with this version");
      if (!(mu > 0)) continue;  // none, or not recorded
      ++count;
      const Vec3 x = c.normal.unitOrthogonal(), y = c.normal.cross(x);
      // The slant has the same length for every friction, so that wide cones do not cover the picture.
      const double up = height / std::sqrt(1 + mu * mu);
      const auto rim = [&](int k) {
        const double angle = 2 * std::numbers::pi * k / lines;
        return Vec3(c.point + up * c.normal + mu * up * (std::cos(angle) * x + std::sin(angle) * y));
      };
      for (int k = 0; k < lines; ++k) {
        if (k % 3 == 0) marks_.push_back(make_line(c.point, rim(k), kCone, radius));
        marks_.push_back(make_line(rim(k), rim(k + 1), kCone, radius));
      }
    }
    say(Mark::Line, kCone, fmt::format("friction cone: {}", count));
  }

  void joints() {
    for (const PictureJoint& joint : scene_.joints) {
      if (joint.type == "distance") continue;  // drawn as a rod
      for (const int body : {joint.body_a, joint.body_b}) {
        if (body < 0 || !scene_.bodies[static_cast<std::size_t>(body)].moves) continue;
        marks_.push_back(make_line(joint.point_a, scene_.bodies[static_cast<std::size_t>(body)].place.c, kJoint,
                                   0.0009 * scales_.size));
      }
      marks_.push_back(make_dot(joint.point_a, kJoint, 1.5 * dot_));
    }
    say(Mark::Dot, kJoint, fmt::format("joint: {}", scene_.joints.size()));
  }

 private:
  void say(Mark mark, const Vec3& colour, std::string_view text) {
    legend_.entries.push_back({mark, colour, std::string(text)});
  }

  const PictureScene& scene_;
  const LayerScales& scales_;
  std::vector<RenderArrow>& marks_;
  Legend& legend_;
  double dot_;  ///< radius of a point
};

}  // namespace

std::span<const PictureLayerInfo> picture_layers() {
  static constexpr std::array<PictureLayerInfo, 7> list{{
      {"contacts", "contact points, coloured by state", &PictureLayers::contacts},
      {"forces", "contact forces as arrows, and who pulls at a body", &PictureLayers::forces},
      {"chains", "lines between bodies that touch, as thick as they press", &PictureLayers::chains},
      {"thrust", "centres of pressure joined from block to block", &PictureLayers::thrust},
      {"penetration", "overlaps in a warning colour", &PictureLayers::penetration},
      {"cones", "friction cones", &PictureLayers::cones},
      {"joints", "joints, tied to the centres of their bodies", &PictureLayers::joints},
  }};
  return list;
}

void LayerScaleFinder::add(const PictureScene& scene) {
  for (const FrameContact& c : scene.contacts) {
    if (const double force = c.force.norm(); force > 0 && std::isfinite(force)) forces_.push_back(force);
    if (std::isfinite(c.gap)) penetration_ = std::max(penetration_, -c.gap);
  }
  for (const PairResultant& r : find_resultants(scene.contacts)) chains_.push_back(r.normal);
}

void LayerScaleFinder::finish(LayerScales& scales) {
  const auto below = [](std::vector<double>& values, std::size_t percent) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[(values.size() - 1) * percent / 100];
  };
  scales.force = below(forces_, 95);
  scales.chain = below(chains_, 98);
  scales.penetration = penetration_;
}

void draw_layers(const PictureScene& scene, const PictureLayers& layers, const LayerScales& scales,
                 std::vector<RenderArrow>& marks, Legend& legend) {
  LayerPainter painter(scene, scales, marks, legend);
  if (layers.chains) painter.chains();
  if (layers.thrust) painter.thrust();
  if (layers.cones) painter.cones();
  if (layers.forces) painter.forces();
  if (layers.contacts) painter.contacts();
  if (layers.penetration) painter.penetration();
  if (layers.joints) painter.joints();
}

}  // namespace cairn
