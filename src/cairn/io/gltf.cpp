// SPDX-License-Identifier: Apache-2.0
// The buffer grows by accessors; JSON refers to them; a .glb is both in chunks (glTF 2.0, section 4).
#include "cairn/io/gltf.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "cairn/base/error.h"
#include "cairn/io/body_colours.h"
#include "cairn/io/output_file.h"
#include "cairn/io/render_triangles.h"
#include "cairn/io/shape_numbers.h"
#include "cairn/io/shape_picture.h"
#include "cairn/io/version.h"
#include "cairn/io/words.h"

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFloat = 5126, kUnsigned = 5125;          // component types
constexpr int kVertexData = 34962, kIndexData = 34963;  // what a buffer view is for
constexpr double kLinkRadius = 0.008;                   // of rods and ropes, over their mean length
const Vec3 kLinkColour(0.30, 0.28, 0.26);

/// The binary data and the parts of the document that describe it.
class Buffer {
 public:
  /// Rows of `width` numbers; returns the accessor. `bounds`: with least and largest values.
  int add(const std::vector<float>& values, int width, bool bounds, int target = 0) {
    static constexpr const char* types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    Json accessor{{"bufferView", add_view(values.data(), 4 * values.size(), target)},
                  {"componentType", kFloat},
                  {"count", values.size() / std::size_t(width)},
                  {"type", types[width]}};
    if (bounds) {
      std::vector<float> low(values.begin(), values.begin() + width), high = low;
      for (std::size_t i = 0; i < values.size(); ++i) {
        low[i % std::size_t(width)] = std::min(low[i % std::size_t(width)], values[i]);
        high[i % std::size_t(width)] = std::max(high[i % std::size_t(width)], values[i]);
      }
      accessor["min"] = low;
      accessor["max"] = high;
    }
    accessors.push_back(accessor);
    return int(accessors.size()) - 1;
  }
  int add(const std::vector<std::uint32_t>& indices) {
    accessors.push_back({{"bufferView", add_view(indices.data(), 4 * indices.size(), kIndexData)},
                         {"componentType", kUnsigned},
                         {"count", indices.size()},
                         {"type", "SCALAR"}});
    return int(accessors.size()) - 1;
  }

  std::string bytes;
  Json views = Json::array(), accessors = Json::array();

 private:
  int add_view(const void* data, std::size_t size, int target) {
    Json view{{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", size}};
    if (target != 0) view["target"] = target;
    views.push_back(view);
    bytes.append(static_cast<const char*>(data), size);  // all numbers have four bytes: always aligned
    return int(views.size()) - 1;
  }
};

void push(std::vector<float>& out, const Vec3& v) {
  for (int k = 0; k < 3; ++k) out.push_back(float(v[k]));
}
void push(std::vector<float>& out, const Quat& q) {
  const Eigen::Vector4f v = q.coeffs().normalized().cast<float>().normalized();  // x, y, z, w
  out.insert(out.end(), v.begin(), v.end());
}

Quat aligned(const Quat& q, const Quat& before) { return q.dot(before) < 0 ? Quat(-q.coeffs()) : q; }

bool is_constant(const std::vector<float>& values, std::size_t width) {
  for (std::size_t i = width; i < values.size(); ++i)
    if (values[i] != values[i % width]) return false;
  return true;
}

/// A surface with the normals the renderer uses, equal corners joined.
struct Surface {
  std::vector<float> points, normals;
  std::vector<std::uint32_t> indices;
};
Surface make_surface(const Shape& shape, int refinement, double extent) {
  Surface out;
  std::map<std::array<float, 6>, std::uint32_t> known;
  for (const RenderTriangle& t : make_triangles({make_render_mesh(shape, refinement, extent)}))
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3f p = t.v[k].cast<float>(), n = t.corner_normal[k].normalized();
      const std::array<float, 6> key{p.x(), p.y(), p.z(), n.x(), n.y(), n.z()};
      const auto [found, added] = known.try_emplace(key, std::uint32_t(known.size()));
      if (added) {
        out.points.insert(out.points.end(), {p.x(), p.y(), p.z()});
        out.normals.insert(out.normals.end(), {n.x(), n.y(), n.z()});
      }
      out.indices.push_back(found->second);
    }
  return out;
}

class Exporter {
 public:
  explicit Exporter(const Recording& recording) : recording_(recording) {
    for (std::size_t i = 0; i < recording.frame_count(); ++i) frames_.push_back(i);
    // Times are 32-bit numbers that must grow, and begin at zero.
    std::erase_if(frames_, [&, last = -1.0f](std::size_t i) mutable {
      const float t = float(recording.times()[i] - recording.times()[0]);
      if (!(t > last)) return true;
      last = t;
      times_.push_back(t);
      return false;
    });
    Legend ignored;
    PictureScene scene = make_picture_scene(recording, 0);
    colours_ = colour_bodies(scene, BodyColouring::Material, {}, ignored);
    const auto& bodies = recording.bodies();
    const auto balls = std::count_if(bodies.begin(), bodies.end(), [](const FrameBody& b) {
      return b.shape && (std::holds_alternative<Sphere>(*b.shape) || std::holds_alternative<Ellipsoid>(*b.shape));
    });
    refinement_ = balls < 200 ? 3 : 2;
  }

  Json document() {
    collect_motion();
    Json children = Json::array();
    for (std::size_t b = 0; b < recording_.bodies().size(); ++b)
      if (recording_.bodies()[b].shape) children.push_back(add_body(b));
    for (std::size_t j = 0; j < recording_.joints().size(); ++j)
      if (is_link(recording_.joints()[j])) children.push_back(add_link(j));
    // z up becomes y up: a quarter turn about -x.
    const double s = std::sqrt(0.5);
    nodes_.push_back({{"name", "z up"}, {"rotation", {-s, 0, 0, s}}});
    if (!children.empty()) nodes_.back()["children"] = children;
    const int root = int(nodes_.size()) - 1;

    Json out;
    out["asset"] = {{"version", "2.0"}, {"generator", fmt::format("Cairn {}", kVersion)}};
    out["scene"] = 0;
    out["scenes"] = Json::array({{{"name", recording_.info().title}, {"nodes", {root}}}});
    out["nodes"] = nodes_;
    if (!meshes_.empty()) out["meshes"] = meshes_;
    if (!materials_.empty()) out["materials"] = materials_;
    if (!channels_.empty())
      out["animations"] = Json::array({{{"name", "motion"}, {"channels", channels_}, {"samplers", samplers_}}});
    if (!buffer.bytes.empty()) {
      out["accessors"] = buffer.accessors;
      out["bufferViews"] = buffer.views;
      out["buffers"] = Json::array({{{"byteLength", buffer.bytes.size()}}});
    }
    return out;
  }

  Buffer buffer;

 private:
  /// Joints that are drawn as a thing of their own: a rod, rope or strut between two points.
  static bool is_link(const FrameJoint& joint) { return joint.type == "distance"; }

  /// A cylinder along z from its middle, one long and of radius one, that is moved, turned and stretched.
  struct LinkMotion {
    std::vector<float> translation, rotation, scale;
    Vec3 axis = Vec3::UnitZ();
    Quat turn = Quat::Identity();
    double longest = 0;  ///< [m]
  };
  struct Motion {
    std::vector<float> translation, outer, scale, inner;
    AffineParts last;
    bool first = true;
  };

  void collect_motion() {
    motions_.resize(recording_.bodies().size());
    links_.resize(recording_.joints().size());
    for (const std::size_t i : frames_) {
      const Frame frame = recording_.frame(i);
      for (std::size_t b = 0; b < motions_.size(); ++b) {
        if (!recording_.bodies()[b].shape) continue;
        Motion& m = motions_[b];
        AffineParts parts;
        if (recording_.bodies()[b].deforms) {
          parts = split_affine(frame.deformation[b], m.last);
        } else {
          parts.outer = frame.orientation[b];
        }
        if (!m.first) {
          parts.outer = aligned(parts.outer, m.last.outer);
          parts.inner = aligned(parts.inner, m.last.inner);
        }
        m.first = false;
        m.last = parts;
        push(m.translation, frame.position[b]);
        push(m.outer, parts.outer);
        if (recording_.bodies()[b].deforms) {
          push(m.scale, parts.scale);
          push(m.inner, parts.inner);
        }
      }
      for (std::size_t j = 0; j < links_.size(); ++j)
        if (is_link(recording_.joints()[j])) collect_link(frame, j);
    }
  }

  void collect_link(const Frame& frame, std::size_t j) {
    const FrameJoint& joint = recording_.joints()[j];
    const Vec3 a = frame.to_world(joint.body_a, joint.anchor_a), b = frame.to_world(joint.body_b, joint.anchor_b);
    LinkMotion& m = links_[j];
    const double length = (b - a).norm();
    // The shortest turn from the axis before: a cylinder has no other, and none is made up. Ends that meet keep it.
    if (length > 0) {
      const Vec3 axis = (b - a) / length;
      m.turn = (Quat::FromTwoVectors(m.axis, axis) * m.turn).normalized();
      m.axis = axis;
    }
    m.longest = std::max(m.longest, length);
    push(m.translation, 0.5 * (a + b));
    push(m.rotation, m.turn);
    // A scale of zero would have no normals; one that has broken is too thin to be seen.
    push(m.scale, Vec3(frame.broken[j] ? 0 : 1, 0, std::max(length, 1e-9)));
  }

  /// The first value stands in the node; where there are others the node is animated.
  void put(int node, const char* path, const std::vector<float>& values, std::size_t width) {
    nodes_[std::size_t(node)][path] = std::vector<float>(values.begin(), values.begin() + std::ptrdiff_t(width));
    if (is_constant(values, width)) return;
    if (time_accessor_ < 0) time_accessor_ = buffer.add(times_, 1, true);
    samplers_.push_back(
        {{"input", time_accessor_}, {"interpolation", "LINEAR"}, {"output", buffer.add(values, int(width), false)}});
    channels_.push_back({{"sampler", samplers_.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  int add_body(std::size_t b) {
    const FrameBody& body = recording_.bodies()[b];
    const Motion& m = motions_[b];
    const int outer = int(nodes_.size());
    nodes_.push_back({{"name", body.name}});
    put(outer, "translation", m.translation, 3);
    put(outer, "rotation", m.outer, 4);
    if (!body.deforms) {
      nodes_[std::size_t(outer)]["mesh"] = mesh_of(b);
      return outer;
    }
    put(outer, "scale", m.scale, 3);
    const int inner = int(nodes_.size());
    nodes_.push_back({{"name", body.name + " (shape)"}, {"mesh", mesh_of(b)}});
    put(inner, "rotation", m.inner, 4);
    nodes_[std::size_t(outer)]["children"] = {inner};
    return outer;
  }

  int add_link(std::size_t j) {
    LinkMotion& m = links_[j];
    const auto radius = float(link_radius());
    for (std::size_t i = 0; i < m.scale.size(); i += 3) m.scale[i] = m.scale[i + 1] = m.scale[i] > 0 ? radius : 1e-9f;
    const int node = int(nodes_.size());
    nodes_.push_back({{"name", recording_.joints()[j].name}, {"mesh", link_mesh()}});
    put(node, "translation", m.translation, 3);
    put(node, "rotation", m.rotation, 4);
    put(node, "scale", m.scale, 3);
    return node;
  }

  /// All are equally thick, in all frames.
  double link_radius() const {
    double sum = 0, count = 0;
    for (const LinkMotion& m : links_)
      if (m.longest > 0) sum += m.longest, ++count;
    return count > 0 ? kLinkRadius * sum / count : 1e-3;
  }

  int link_mesh() {
    if (link_mesh_ >= 0) return link_mesh_;
    const Surface made = make_surface(Cylinder{1, 0.5}, refinement_, 1);
    Json attributes{{"POSITION", buffer.add(made.points, 3, true, kVertexData)},
                    {"NORMAL", buffer.add(made.normals, 3, false, kVertexData)}};
    Json primitive{
        {"attributes", attributes}, {"indices", buffer.add(made.indices)}, {"material", material_of(kLinkColour)}};
    meshes_.push_back({{"name", "link"}, {"primitives", Json::array({primitive})}});
    return link_mesh_ = int(meshes_.size()) - 1;
  }

  int material_of(const Vec3& colour) {
    const std::array<double, 3> key{colour.x(), colour.y(), colour.z()};
    const auto [found, added] = known_materials_.try_emplace(key, int(materials_.size()));
    if (added)
      materials_.push_back(
          {{"pbrMetallicRoughness",
            {{"baseColorFactor", {srgb_to_linear(key[0]), srgb_to_linear(key[1]), srgb_to_linear(key[2]), 1.0}},
             {"metallicFactor", 0.0},
             {"roughnessFactor", 0.8}}},
           {"doubleSided", true}});
    return found->second;
  }

  int mesh_of(std::size_t b) {
    const Shape& shape = *recording_.bodies()[b].shape;
    const std::pair key{std::string(shape_name(shape)), shape_numbers(shape)};
    auto surface = surfaces_.find(key);
    if (surface == surfaces_.end()) {
      const Surface made = make_surface(shape, refinement_, extent());
      Json attributes{{"POSITION", buffer.add(made.points, 3, true, kVertexData)},
                      {"NORMAL", buffer.add(made.normals, 3, false, kVertexData)}};
      surface = surfaces_.emplace(key, Json{{"attributes", attributes}, {"indices", buffer.add(made.indices)}}).first;
    }
    const int material = material_of(std::holds_alternative<HalfSpace>(shape) ? Vec3(0.80, 0.80, 0.79) : colours_[b]);
    const auto [found, added] = known_meshes_.try_emplace({key, material}, int(meshes_.size()));
    if (added) {
      Json primitive = surface->second;
      primitive["material"] = material;
      meshes_.push_back({{"name", key.first}, {"primitives", Json::array({primitive})}});
    }
    return found->second;
  }

  /// How far planes reach: under all that is there in any frame.
  double extent() {
    if (extent_ > 0) return extent_;
    extent_ = 1;
    for (std::size_t b = 0; b < motions_.size(); ++b) {
      const auto& shape = recording_.bodies()[b].shape;
      if (!shape || !is_bounded(*shape)) continue;
      const std::vector<float>& x = motions_[b].translation;
      for (std::size_t i = 0; i + 3 <= x.size(); i += 3)
        extent_ = std::max(extent_, 1.2 * (double(std::hypot(x[i], x[i + 1], x[i + 2])) + bounding_radius(*shape)));
    }
    return extent_;
  }

  const Recording& recording_;
  std::vector<std::size_t> frames_;
  std::vector<float> times_;
  std::vector<Vec3> colours_;
  int refinement_ = 2, time_accessor_ = -1;
  double extent_ = 0;
  std::vector<Motion> motions_;
  std::vector<LinkMotion> links_;  ///< per joint; empty where it is none
  int link_mesh_ = -1;
  std::vector<Json> nodes_;
  Json meshes_ = Json::array(), materials_ = Json::array(), channels_ = Json::array(), samplers_ = Json::array();
  using ShapeKey = std::pair<std::string, std::vector<double>>;
  std::map<ShapeKey, Json> surfaces_;
  std::map<std::pair<ShapeKey, int>, int> known_meshes_;
  std::map<std::array<double, 3>, int> known_materials_;
};

void put32(std::string& out, std::size_t value) {
  for (int k = 0; k < 4; ++k) out += static_cast<char>(value >> (8 * k) & 255);
}

}  // namespace

AffineParts split_affine(const Mat3& A, const AffineParts& before) {
  const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3 R = svd.matrixU() * svd.matrixV().transpose();
  const Mat3 wanted = before.inner.conjugate().toRotationMatrix();
  double best = -std::numeric_limits<double>::infinity();
  Mat3 V = Mat3::Identity();
  Vec3 S = Vec3::Ones();
  std::array<int, 3> order{0, 1, 2};
  do {
    for (int signs = 0; signs < 8; ++signs) {
      Mat3 candidate;
      Vec3 scale;
      for (int k = 0; k < 3; ++k) {
        candidate.col(k) = (signs >> k & 1 ? -1.0 : 1.0) * svd.matrixV().col(order[std::size_t(k)]);
        scale[k] = svd.singularValues()[order[std::size_t(k)]];
      }
      if (candidate.determinant() < 0) continue;
      const double likeness = (candidate.transpose() * wanted).trace();
      if (likeness > best) {
        best = likeness;
        V = candidate;
        S = scale;
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return {Quat(Mat3(R * V)).normalized(), S, Quat(Mat3(V.transpose())).normalized()};
}

void write_gltf(const Recording& recording, const std::filesystem::path& path) {
  const bool binary = path.extension() == ".glb";
  if (!binary && path.extension() != ".gltf")
    throw Error("{}: expected a name that ends in .glb or .gltf", path.string());
  if (recording.frame_count() == 0) throw Error("{}: the recording has no frames", path.string());
  OutputFile file(path);
  Exporter exporter(recording);
  Json document = exporter.document();
  std::string& data = exporter.buffer.bytes;
  if (data.size() > 0xFFFFFFFFu - (1u << 28))
    throw Error("{}: {} bytes do not fit in a glTF file; at most 4 GB", path.string(), data.size());
  const auto dump = [&] { return document.dump(-1, ' ', false, Json::error_handler_t::replace); };
  if (binary) {
    std::string text = dump();
    text.append((4 - text.size() % 4) % 4, ' ');
    std::string head = "glTF";
    put32(head, 2);
    put32(head, 12 + 8 + text.size() + (data.empty() ? 0 : 8 + data.size()));
    put32(head, text.size());
    head += "JSON";
    file.write(head + text);
    if (!data.empty()) {
      std::string chunk;
      put32(chunk, data.size());
      file.write(chunk + std::string("BIN\0", 4));
      file.write(data);
    }
  } else {
    if (!data.empty()) document["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(data);
    file.write(dump() + "\n");
  }
  file.finish();
}

}  // namespace cairn
