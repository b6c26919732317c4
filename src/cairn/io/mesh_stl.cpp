// SPDX-License-Identifier: Apache-2.0
// STL, text and binary (3D Systems 1988). Corners at exactly the same place become one vertex.
#include "cairn/io/mesh_formats.h"

#include <cmath>
#include <map>

namespace cairn {
namespace {

/// Gives corners their vertex numbers.
class Welder {
 public:
  explicit Welder(MeshFile& file) : file_(file) {}
  int add(Vec3 x) {
    x.array() += 0.0;  // -0 is 0
    const auto [where, is_new] = numbers_.try_emplace({x.x(), x.y(), x.z()}, static_cast<int>(file_.vertices.size()));
    if (is_new) file_.vertices.push_back(x);
    return where->second;
  }

 private:
  MeshFile& file_;
  std::map<std::array<double, 3>, int> numbers_;
};

MeshFile parse_binary(MeshSource& source) {
  MeshFile file;
  file.format = "STL (binary)";
  source.skip(80, "a header of 80 bytes");
  const auto n = source.binary<std::uint32_t>(false, "the number of facets");
  if (source.left() / 50 < n)
    source.fail(fmt::format("{} facets are announced, which need {} bytes; {} are left", n, 50.0 * n, source.left()));
  Welder welder(file);
  for (std::uint32_t t = 0; t < n; ++t) {
    source.skip(12, "a normal");
    std::vector<int> corners;
    for (int k = 0; k < 3; ++k) {
      Vec3 x;
      for (int i = 0; i < 3; ++i) x[i] = source.binary<float>(false, "a coordinate");
      if (!x.allFinite()) source.fail(fmt::format("facet {} has a coordinate that is not finite", t));
      corners.push_back(welder.add(x));
    }
    source.skip(2, "an attribute");
    file.polygons.push_back(std::move(corners));
  }
  return file;
}

MeshFile parse_text(MeshSource& source) {
  MeshFile file;
  file.format = "STL (text)";
  Welder welder(file);
  while (!source.at_end()) {
    source.expect("solid");
    source.line();  // its name
    while (true) {
      const std::string_view key = source.word("facet or endsolid");
      if (key == "endsolid" || key == "ENDSOLID") {
        source.line();
        break;
      }
      if (key != "facet" && key != "FACET") source.fail(fmt::format("expected 'facet'; found '{}'", shown_word(key)));
      source.expect("normal");
      for (int i = 0; i < 3; ++i) source.word("a normal");  // not used: some programs write nonsense here
      source.expect("outer");
      source.expect("loop");
      std::vector<int> corners;
      for (int k = 0; k < 3; ++k) {
        source.expect("vertex");
        const double x = source.real("x"), y = source.real("y"), z = source.real("z");
        corners.push_back(welder.add({x, y, z}));
      }
      source.expect("endloop");
      source.expect("endfacet");
      file.polygons.push_back(std::move(corners));
    }
  }
  return file;
}

}  // namespace

// Binary files may begin with "solid" too; the number of facets and the size of the file tell them apart.
MeshFile parse_stl(MeshSource& source) {
  const std::string_view bytes = source.bytes();
  bool binary = !bytes.starts_with("solid") && !bytes.starts_with("SOLID");
  if (bytes.size() >= 84) {
    MeshSource probe(source.name(), bytes);
    probe.go_to(80);
    const auto n = probe.binary<std::uint32_t>(false, "the number of facets");
    binary = binary || bytes.size() == 84 + 50 * static_cast<std::size_t>(n) ||
             (bytes.find('\0') != std::string_view::npos && bytes.find("facet") == std::string_view::npos);
  }
  // A little text in front is common; then the text decides.
  if (binary && bytes.size() < 84) {
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && bytes.substr(first).starts_with("solid")) binary = false;
  }
  return binary ? parse_binary(source) : parse_text(source);
}

}  // namespace cairn
