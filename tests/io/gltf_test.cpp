// SPDX-License-Identifier: Apache-2.0
// The structure of glTF files, checked against the rules of the specification (glTF 2.0, sections 3 to 5), and the
// motion they hold against the recording.
#include "cairn/io/gltf.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "cairn/base/error.h"
#include "io/sample_recording.h"

namespace cairn {
namespace {

using Json = nlohmann::json;

struct Document {
  Json json;
  std::string data;

  std::vector<float> floats(int accessor) const {
    const Json& a = json["accessors"][static_cast<std::size_t>(accessor)];
    const Json& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
    static const std::map<std::string, std::size_t> widths{{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}};
    std::vector<float> out(a["count"].get<std::size_t>() * widths.at(a["type"]));
    std::memcpy(out.data(), data.data() + view["byteOffset"].get<std::size_t>(), 4 * out.size());
    return out;
  }
};

std::uint32_t word(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, 4);
  return value;
}

Document open_glb(const std::string& bytes) {
  Document d;
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(word(bytes, 4), 2u);
  EXPECT_EQ(word(bytes, 8), bytes.size());
  const std::size_t length = word(bytes, 12);
  EXPECT_EQ(length % 4, 0u);
  EXPECT_EQ(bytes.substr(16, 4), "JSON");
  d.json = Json::parse(bytes.substr(20, length));
  EXPECT_EQ(word(bytes, 20 + length) % 4, 0u);
  EXPECT_EQ(bytes.substr(24 + length, 4), std::string("BIN\0", 4));
  d.data = bytes.substr(28 + length);
  EXPECT_EQ(word(bytes, 20 + length), d.data.size());
  return d;
}

/// All that a strict reader would refuse.
void check_structure(const Document& d) {
  const Json& j = d.json;
  EXPECT_EQ(j["asset"]["version"], "2.0");
  EXPECT_EQ(j["buffers"].size(), 1u);
  EXPECT_EQ(j["buffers"][0]["byteLength"], d.data.size());
  for (const Json& view : j["bufferViews"])
    EXPECT_LE(view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>(), d.data.size());
  const std::map<std::string, std::size_t> widths{{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}};
  for (std::size_t i = 0; i < j["accessors"].size(); ++i) {
    const Json& a = j["accessors"][i];
    const Json& view = j["bufferViews"][a["bufferView"].get<std::size_t>()];
    EXPECT_GT(a["count"], 0);
    EXPECT_EQ(a["count"].get<std::size_t>() * widths.at(a["type"]) * 4, view["byteLength"].get<std::size_t>());
    EXPECT_EQ(view["byteOffset"].get<std::size_t>() % 4, 0u);
    if (a["componentType"] == 5126) {
      for (const float x : d.floats(static_cast<int>(i))) EXPECT_TRUE(std::isfinite(x));
    }
    if (!a.contains("min")) continue;
    const std::vector<float> values = d.floats(static_cast<int>(i));
    const std::size_t width = widths.at(a["type"]);
    for (std::size_t k = 0; k < width; ++k) {
      float low = values[k], high = values[k];
      for (std::size_t m = k; m < values.size(); m += width)
        low = std::min(low, values[m]), high = std::max(high, values[m]);
      EXPECT_EQ(a["min"][k].get<float>(), low);
      EXPECT_EQ(a["max"][k].get<float>(), high);
    }
  }
  for (const Json& mesh : j["meshes"])
    for (const Json& primitive : mesh["primitives"]) {
      const int points = primitive["attributes"]["POSITION"], normals = primitive["attributes"]["NORMAL"];
      EXPECT_TRUE(j["accessors"][static_cast<std::size_t>(points)].contains("min"));  // the specification wants it
      const std::size_t count = j["accessors"][static_cast<std::size_t>(points)]["count"];
      EXPECT_EQ(j["accessors"][static_cast<std::size_t>(normals)]["count"], count);
      const std::vector<float> n = d.floats(normals);
      for (std::size_t i = 0; i < n.size(); i += 3) EXPECT_NEAR(std::hypot(n[i], n[i + 1], n[i + 2]), 1, 1e-5);
      const Json& a = j["accessors"][primitive["indices"].get<std::size_t>()];
      const std::size_t offset = j["bufferViews"][a["bufferView"].get<std::size_t>()]["byteOffset"];
      EXPECT_EQ(a["count"].get<std::size_t>() % 3, 0u);
      for (std::size_t i = 0; i < a["count"].get<std::size_t>(); ++i) EXPECT_LT(word(d.data, offset + 4 * i), count);
      EXPECT_LT(primitive["material"].get<std::size_t>(), j["materials"].size());
    }
  // Every node but the root has one parent.
  std::vector<int> parents(j["nodes"].size(), 0);
  for (const Json& node : j["nodes"]) {
    for (const Json& child : node.value("children", Json::array())) ++parents[child.get<std::size_t>()];
    if (node.contains("mesh")) {
      EXPECT_LT(node["mesh"].get<std::size_t>(), j["meshes"].size());
    }
  }
  const std::size_t root = j["scenes"][0]["nodes"][0];
  for (std::size_t i = 0; i < parents.size(); ++i) EXPECT_EQ(parents[i], i == root ? 0 : 1) << i;
  for (const Json& animation : j["animations"]) {
    for (const Json& sampler : animation["samplers"]) {
      const std::vector<float> times = d.floats(sampler["input"]);
      EXPECT_EQ(times[0], 0);
      for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GT(times[i], times[i - 1]);
      EXPECT_TRUE(j["accessors"][sampler["input"].get<std::size_t>()].contains("max"));
      EXPECT_EQ(j["accessors"][sampler["output"].get<std::size_t>()]["count"], times.size());
    }
    for (const Json& channel : animation["channels"]) {
      ASSERT_LT(channel["sampler"].get<std::size_t>(), animation["samplers"].size());
      EXPECT_LT(channel["target"]["node"].get<std::size_t>(), j["nodes"].size());
      if (channel["target"]["path"] != "rotation") continue;
      const std::vector<float> q = d.floats(animation["samplers"][channel["sampler"].get<std::size_t>()]["output"]);
      for (std::size_t i = 0; i < q.size(); i += 4) {
        EXPECT_NEAR(std::sqrt(q[i] * q[i] + q[i + 1] * q[i + 1] + q[i + 2] * q[i + 2] + q[i + 3] * q[i + 3]), 1, 1e-6);
        if (i > 0) {  // no jump to the other sign
          EXPECT_GT(q[i] * q[i - 4] + q[i + 1] * q[i - 3] + q[i + 2] * q[i - 2] + q[i + 3] * q[i - 1], 0);
        }
      }
    }
  }
}

/// Where a node's mesh is at a frame: the product of the matrices from the root, as a viewer forms it.
Eigen::Affine3d placement(const Document& d, std::size_t node, std::size_t frame) {
  const auto value = [&](const std::string& path, std::vector<double> out) {
    const Json& n = d.json["nodes"][node];
    if (n.contains(path)) out = n[path].get<std::vector<double>>();
    for (const Json& channel : d.json["animations"][0]["channels"]) {
      if (channel["target"]["node"] != node || channel["target"]["path"] != path) continue;
      const std::vector<float> all =
          d.floats(d.json["animations"][0]["samplers"][channel["sampler"].get<std::size_t>()]["output"]);
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = double(all[frame * out.size() + k]);
    }
    return out;
  };
  const auto t = value("translation", {0, 0, 0}), r = value("rotation", {0, 0, 0, 1}), s = value("scale", {1, 1, 1});
  const Eigen::Affine3d local = Eigen::Translation3d(t[0], t[1], t[2]) * Eigen::Quaterniond(r[3], r[0], r[1], r[2]) *
                                Eigen::Scaling(s[0], s[1], s[2]);
  for (std::size_t parent = 0; parent < d.json["nodes"].size(); ++parent)
    for (const Json& child : d.json["nodes"][parent].value("children", Json::array()))
      if (child == node) return placement(d, parent, frame) * local;
  return local;
}

std::size_t node_named(const Document& d, const std::string& name) {
  for (std::size_t i = 0; i < d.json["nodes"].size(); ++i)
    if (d.json["nodes"][i]["name"] == name) return i;
  ADD_FAILURE() << "no node " << name;
  return 0;
}

using GltfTest = SampleTest;

TEST_F(GltfTest, the_file_is_sound_and_has_every_body) {
  const Recording recording(record());
  write_gltf(recording, folder / "x.glb");
  const Document d = open_glb(text_of("x.glb"));
  check_structure(d);
  for (const FrameBody& body : recording.bodies()) node_named(d, body.name);
  // The two boxes of other sizes, the ball, the soft block, the plate, the ground: six shapes.
  EXPECT_EQ(d.json["meshes"].size(), 6u);
}

TEST_F(GltfTest, bodies_are_where_the_recording_has_them_and_deform_as_they_did) {
  const Recording recording(record());
  write_gltf(recording, folder / "x.glb");
  const Document d = open_glb(text_of("x.glb"));
  Mat3 to_y_up;  // (x, y, z) -> (x, z, -y)
  to_y_up << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  double stretch = 0;
  for (const std::size_t i : {std::size_t{0}, std::size_t{5}, std::size_t{10}}) {
    const Frame frame = recording.frame(i);
    for (std::size_t b = 0; b < recording.bodies().size(); ++b) {
      const bool deforms = recording.bodies()[b].deforms;
      const Eigen::Affine3d at =
          placement(d, node_named(d, recording.bodies()[b].name + (deforms ? " (shape)" : "")), i);
      const Placement place = frame.placement(b);
      EXPECT_LT((at.linear() - to_y_up * place.A).norm(), 1e-6) << recording.bodies()[b].name << " " << i;
      EXPECT_LT((at.translation() - to_y_up * place.c).norm(), 1e-6) << recording.bodies()[b].name << " " << i;
      if (deforms) stretch = std::max(stretch, (place.A.transpose() * place.A - Mat3::Identity()).norm());
    }
  }
  EXPECT_GT(stretch, 1e-5);  // the soft block really deforms
}

TEST_F(GltfTest, rods_and_ropes_are_cylinders_between_their_points_in_every_frame) {
  Model model;
  model.add_rigid({.name = "bob", .shape = Sphere{0.1}, .position = {1, 0, 2}});
  model.add_rigid({.name = "load", .shape = Box{{0.1, 0.1, 0.1}}, .position = {1, 0, 1.5}, .velocity = {0, 1, 0}});
  model.add_joint({.kind = JointKind::Distance,
                   .name = "rod",
                   .body_a = "bob",
                   .position = {1, 0, 2},
                   .second_position = Vec3(0, 0, 2)});
  model.add_joint({.kind = JointKind::Distance,
                   .name = "rope",
                   .body_a = "bob",
                   .body_b = "load",
                   .position = {1, 0, 1.9},
                   .second_position = Vec3(1.1, 0, 1.6),
                   .length = 0.6,
                   .sense = JointSense::AtMost});
  model.add_joint({.name = "ball joint", .body_a = "load", .body_b = "bob", .position = {1, 0, 1.7}});
  model.run.step = 1.0 / 500;
  Simulation simulation(model);
  {
    Recorder recorder(folder / "links.h5", simulation, {.interval = 0.02});
    simulation.run(0.4, [&](const Simulation& s) {
      recorder.record_step(s);
      return true;
    });
    recorder.close();
  }
  const Recording recording(folder / "links.h5");
  write_gltf(recording, folder / "x.glb");
  const Document d = open_glb(text_of("x.glb"));
  check_structure(d);
  EXPECT_EQ(d.json["nodes"].size(), 2u + 2u + 1u);  // bodies, links, root: the ball joint has no surface
  Mat3 to_y_up;
  to_y_up << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  double turned = 0;
  for (std::size_t i = 0; i < recording.frame_count(); ++i) {
    const Frame frame = recording.frame(i);
    for (const std::size_t j : {0, 1}) {
      const FrameJoint& joint = recording.joints()[j];
      const auto end = [&](int body, const Vec3& anchor) {
        return Vec3(to_y_up * (body < 0 ? anchor : frame.placement(std::size_t(body)).apply(anchor)));
      };
      const Vec3 a = end(joint.body_a, joint.anchor_a), b = end(joint.body_b, joint.anchor_b);
      const Eigen::Affine3d at = placement(d, node_named(d, joint.name), i);
      // The cylinder reaches from z = -1/2 to 1/2; its radius is one before it is scaled.
      EXPECT_LT((at * Vec3(0, 0, -0.5) - a).norm(), 1e-5) << joint.name << " " << i;
      EXPECT_LT((at * Vec3(0, 0, 0.5) - b).norm(), 1e-5) << joint.name << " " << i;
      EXPECT_NEAR(at.linear().col(0).norm(), at.linear().col(1).norm(), 1e-6);
      EXPECT_GT(at.linear().col(0).norm(), 1e-3);
      EXPECT_LT(at.linear().col(0).norm(), 0.03);
      EXPECT_NEAR(at.linear().col(0).dot(b - a), 0, 1e-6);
      if (j == 0) turned = std::max(turned, std::acos(std::min(1.0, -(b - a).normalized().x())));
    }
  }
  EXPECT_GT(turned, 0.5);  // the rod really swings
  // The surface of the cylinder: all points one from the axis or on it, and half a length from the middle.
  const Json& mesh = d.json["meshes"][d.json["nodes"][node_named(d, "rod")]["mesh"].get<std::size_t>()];
  const std::vector<float> p = d.floats(mesh["primitives"][0]["attributes"]["POSITION"]);
  for (std::size_t k = 0; k < p.size(); k += 3) {
    EXPECT_NEAR(std::abs(p[k + 2]), 0.5, 1e-6);
    EXPECT_LT(std::hypot(p[k], p[k + 1]), 1 + 1e-6);
  }
}

TEST_F(GltfTest, the_text_form_holds_the_same) {
  const Recording recording(record());
  write_gltf(recording, folder / "x.glb");
  write_gltf(recording, folder / "x.gltf");
  Json text = Json::parse(text_of("x.gltf")), binary = open_glb(text_of("x.glb")).json;
  const std::string uri = text["buffers"][0]["uri"];
  EXPECT_EQ(uri.rfind("data:application/octet-stream;base64,", 0), 0u);
  EXPECT_EQ(uri.size(), 37 + (text["buffers"][0]["byteLength"].get<std::size_t>() + 2) / 3 * 4);
  text["buffers"][0].erase("uri");
  EXPECT_EQ(text, binary);
}

TEST(SplitAffine, the_parts_give_the_matrix_back_and_do_not_jump) {
  std::mt19937 random(11);
  std::normal_distribution<double> number(0, 1);
  const auto matrix = [&] {
    Mat3 A;
    for (int k = 0; k < 9; ++k) A(k / 3, k % 3) = number(random);
    if (A.determinant() < 0) A.col(0) *= -1;
    return A;
  };
  const auto product = [](const AffineParts& p) {
    return Mat3(p.outer.toRotationMatrix() * p.scale.asDiagonal() * p.inner.toRotationMatrix());
  };
  for (int k = 0; k < 200; ++k) {
    const Mat3 A = matrix();
    const AffineParts parts = split_affine(A);
    EXPECT_LT((product(parts) - A).norm(), 1e-12);
    EXPECT_GT(parts.scale.minCoeff(), 0);
    // A small change gives a near split, also where two stretches change places.
    const AffineParts next = split_affine(A + 1e-7 * matrix(), parts);
    EXPECT_GT(std::abs(next.inner.dot(parts.inner)), 0.99);
  }
  EXPECT_LT((product(split_affine(Mat3::Identity())) - Mat3::Identity()).norm(), 1e-15);
  const AffineParts still = split_affine(Mat3::Identity());
  EXPECT_NEAR(std::abs(still.inner.w()), 1, 1e-12);
}

TEST_F(GltfTest, what_cannot_be_written_is_an_error_and_leaves_nothing) {
  const Recording recording(record());
  EXPECT_THROW(write_gltf(recording, folder / "x.obj"), Error);
  EXPECT_THROW(write_gltf(recording, folder / "none" / "x.glb"), Error);
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace cairn
