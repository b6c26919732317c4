// SPDX-License-Identifier: Apache-2.0
// PLY, the Stanford polygon format (Turk 1994), text and binary of both byte orders; unknown elements are passed over.
#include "cairn/io/mesh_formats.h"

#include <array>
#include <cmath>
#include <optional>

namespace cairn {
namespace {

enum class Encoding { Text, Little, Big };

struct Type {
  std::string_view name, other;
  std::size_t bytes;
};
constexpr std::array<Type, 8> kTypes{{{"char", "int8", 1},
                                      {"uchar", "uint8", 1},
                                      {"short", "int16", 2},
                                      {"ushort", "uint16", 2},
                                      {"int", "int32", 4},
                                      {"uint", "uint32", 4},
                                      {"float", "float32", 4},
                                      {"double", "float64", 8}}};

struct Property {
  std::string name;
  std::size_t type = 0;                   ///< in kTypes
  std::optional<std::size_t> count_type;  ///< of a list
};

struct ElementKind {
  std::string name;
  double count = 0;
  std::vector<Property> properties;
};

std::size_t read_type(MeshSource& source) {
  const std::string_view name = source.word("a type");
  for (std::size_t k = 0; k < kTypes.size(); ++k)
    if (kTypes[k].name == name || kTypes[k].other == name) return k;
  source.fail(fmt::format("expected a type (char, uchar, short, ushort, int, uint, float, double); found '{}'",
                          shown_word(name)));
}

struct Header {
  Encoding encoding = Encoding::Text;
  std::vector<ElementKind> elements;
};

Header read_header(MeshSource& source) {
  Header header;
  source.expect("ply");
  source.expect("format");
  const std::string_view format = source.word("a format");
  if (format == "binary_little_endian")
    header.encoding = Encoding::Little;
  else if (format == "binary_big_endian")
    header.encoding = Encoding::Big;
  else if (format != "ascii")
    source.fail(
        fmt::format("expected ascii, binary_little_endian or binary_big_endian; found '{}'", shown_word(format)));
  source.line();
  while (true) {
    const std::string_view key = source.word("element, property or end_header");
    if (key == "end_header") break;
    if (key == "comment" || key == "obj_info") {
      source.line();
    } else if (key == "element") {
      const std::string name(source.word("the name of an element"));
      header.elements.push_back(
          {name, static_cast<double>(source.integer("number of " + shown_word(name), 0, INT64_MAX)), {}});
    } else if (key == "property") {
      if (header.elements.empty()) source.fail("a property comes before any element");
      Property p;
      if (source.peek_word() == "list") {
        source.word("list");
        p.count_type = read_type(source);
      }
      p.type = read_type(source);
      p.name = source.word("the name of a property");
      header.elements.back().properties.push_back(std::move(p));
    } else {
      source.fail(fmt::format("expected element, property or end_header; found '{}'", shown_word(key)));
    }
  }
  source.line();  // binary data begin right after this line's end
  return header;
}

double read_number(MeshSource& source, std::size_t type, Encoding encoding, std::string_view what) {
  if (encoding == Encoding::Text) return source.real(what);
  const bool big = encoding == Encoding::Big;
  switch (type) {
    case 0: return source.binary<std::int8_t>(big, what);
    case 1: return source.binary<std::uint8_t>(big, what);
    case 2: return source.binary<std::int16_t>(big, what);
    case 3: return source.binary<std::uint16_t>(big, what);
    case 4: return source.binary<std::int32_t>(big, what);
    case 5: return source.binary<std::uint32_t>(big, what);
    case 6: return source.binary<float>(big, what);
    default: return source.binary<double>(big, what);
  }
}

std::size_t least_bytes(const ElementKind& element, Encoding encoding) {
  std::size_t sum = 0;
  for (const Property& p : element.properties)
    sum += encoding == Encoding::Text ? 2 : kTypes[p.count_type.value_or(p.type)].bytes;
  return sum;
}

}  // namespace

MeshFile parse_ply(MeshSource& source) {
  const Header header = read_header(source);
  const Encoding encoding = header.encoding;
  MeshFile file;
  file.format = encoding == Encoding::Text     ? "PLY (text)"
                : encoding == Encoding::Little ? "PLY (binary, little-endian)"
                                               : "PLY (binary, big-endian)";
  for (const ElementKind& element : header.elements) {
    if (element.properties.empty()) continue;  // takes no bytes, however many there are
    const std::size_t n =
        source.check_count("number of " + shown_word(element.name), element.count, least_bytes(element, encoding));
    for (std::size_t k = 0; k < n; ++k) {
      Vec3 x = Vec3::Constant(std::nan(""));
      std::vector<int> polygon;
      for (const Property& p : element.properties) {
        if (!p.count_type) {
          const double value = read_number(source, p.type, encoding, p.name);
          if (p.name.size() == 1 && p.name[0] >= 'x' && p.name[0] <= 'z') x[p.name[0] - 'x'] = value;
          continue;
        }
        const std::size_t length = source.check_count("length of " + shown_word(p.name),
                                                      read_number(source, *p.count_type, encoding, "a length"),
                                                      encoding == Encoding::Text ? 2 : kTypes[p.type].bytes);
        const bool wanted = p.name == "vertex_indices" || p.name == "vertex_index";
        for (std::size_t i = 0; i < length; ++i) {
          const double value = read_number(source, p.type, encoding, "an entry of a list");
          if (!wanted) continue;
          if (!(value >= 0 && value <= 2e9) || value != std::floor(value))
            source.fail(fmt::format("corner {} of face {} is {}; must be a vertex number", i, k, value));
          polygon.push_back(static_cast<int>(value));
        }
      }
      if (element.name == "vertex") {
        if (!x.allFinite()) source.fail(fmt::format("vertex {} has no finite x, y and z", k));
        file.vertices.push_back(x);
      } else if (element.name == "face") {
        if (polygon.size() < 3)
          source.fail(fmt::format("face {} has {} corners; must have at least 3", k, polygon.size()));
        file.polygons.push_back(std::move(polygon));
      }
    }
  }
  return file;
}

}  // namespace cairn
