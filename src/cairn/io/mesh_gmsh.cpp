// SPDX-License-Identifier: Apache-2.0
// Gmsh's MSH files 2.2 and 4.1, text and binary (Gmsh reference manual, "MSH file format"). Elements of higher order
// keep their corners; points and lines are passed over.
#include "cairn/io/mesh_formats.h"

#include <unordered_map>

namespace cairn {
namespace {

/// Nodes of an element kind, and how many of them are corners; dimension 0 to 3.
struct ElementKind {
  int nodes = 0, corners = 0, dimension = 0;
};

ElementKind find_kind(std::int64_t type) {
  switch (type) {
    case 1: return {2, 2, 1};
    case 2: return {3, 3, 2};
    case 3: return {4, 4, 2};
    case 4: return {4, 4, 3};
    case 5: return {8, 8, 3};
    case 6: return {6, 6, 3};
    case 7: return {5, 5, 3};
    case 8: return {3, 2, 1};
    case 9: return {6, 3, 2};
    case 10: return {9, 4, 2};
    case 11: return {10, 4, 3};
    case 12: return {27, 8, 3};
    case 13: return {18, 6, 3};
    case 14: return {14, 5, 3};
    case 15: return {1, 1, 0};
    case 16: return {8, 4, 2};
    case 17: return {20, 8, 3};
    case 18: return {15, 6, 3};
    case 19: return {13, 5, 3};
    case 26: return {4, 2, 1};
    case 27: return {5, 2, 1};
    default: return {};
  }
}

class Reader {
 public:
  explicit Reader(MeshSource& source) : source_(source) {}

  MeshFile read() {
    source_.expect("$MeshFormat");
    const double version = source_.real("a version");
    if (version != 2.2 && version != 4.1)
      source_.fail(
          fmt::format("version is {}; this program reads 2.2 and 4.1 (Gmsh writes them: -format msh41)", version));
    binary_ = source_.integer("file type", 0, 1) == 1;
    const auto size = source_.integer("data size", 4, 8);
    if (size != 8) source_.fail(fmt::format("data size is {}; must be 8", size));
    if (binary_) {
      source_.line();
      const auto one = source_.binary<std::int32_t>(false, "the number 1");
      if (one != 1 && one != 0x01000000)
        source_.fail(fmt::format("the number 1 reads {}; the byte order is unknown", one));
      big_ = one != 1;
    }
    source_.expect("$EndMeshFormat");
    file_.format = fmt::format("Gmsh {} ({})", version, binary_ ? "binary" : "text");
    bool has_nodes = false;
    while (!source_.at_end()) {
      const std::string section(source_.word("a section"));
      if (!section.starts_with('$'))
        source_.fail(fmt::format("expected a section, $...; found '{}'", shown_word(section)));
      if (section == "$Nodes") {
        version == 2.2 ? read_nodes_2() : read_nodes_4();
        source_.expect("$EndNodes");
        has_nodes = true;
      } else if (section == "$Elements") {
        if (!has_nodes) source_.fail("$Elements comes before $Nodes");
        version == 2.2 ? read_elements_2() : read_elements_4();
        source_.expect("$EndElements");
      } else {
        skip_section("$End" + section.substr(1));
      }
    }
    if (!has_nodes) source_.fail("there is no section $Nodes");
    return std::move(file_);
  }

 private:
  void skip_section(const std::string& end) {
    const std::size_t at = source_.bytes().find("\n" + end, source_.place());
    if (at == std::string_view::npos) source_.fail(fmt::format("its end, {}, is missing", shown_word(end)));
    source_.go_to(at);
    source_.expect(end);
  }

  void begin_data() {
    if (binary_) source_.line();
  }

  std::int64_t whole(std::string_view what) {
    return binary_ ? source_.binary<std::int32_t>(big_, what) : source_.integer(what, INT64_MIN, INT64_MAX);
  }
  std::int64_t large(std::string_view what) {
    return binary_ ? static_cast<std::int64_t>(source_.binary<std::uint64_t>(big_, what))
                   : source_.integer(what, INT64_MIN, INT64_MAX);
  }
  double real(std::string_view what) { return binary_ ? source_.binary<double>(big_, what) : source_.real(what); }
  std::size_t count(std::string_view what, std::int64_t n, std::size_t text_bytes, std::size_t bytes) {
    return source_.check_count(what, static_cast<double>(n), binary_ ? bytes : text_bytes);
  }

  void add_node(std::int64_t tag, const Vec3& x) {
    if (!x.allFinite()) source_.fail(fmt::format("node {} is not finite", tag));
    if (!number_.try_emplace(tag, static_cast<int>(file_.vertices.size())).second)
      source_.fail(fmt::format("node {} is there twice", tag));
    file_.vertices.push_back(x);
  }

  // Takes the nodes of one element, of which the first are the corners.
  template <class Next>
  void add_element(std::int64_t tag, const ElementKind& kind, Next&& next) {
    std::vector<int> corners;
    for (int k = 0; k < kind.nodes; ++k) {
      const std::int64_t node = next();
      if (k >= kind.corners) continue;
      const auto found = number_.find(node);
      if (found == number_.end()) source_.fail(fmt::format("element {} has node {}, which is not there", tag, node));
      corners.push_back(found->second);
    }
    if (kind.dimension == 2) file_.polygons.push_back(std::move(corners));
    if (kind.dimension == 3) file_.cells.push_back(std::move(corners));
  }

  ElementKind known_kind(std::int64_t type) {
    const ElementKind kind = find_kind(type);
    if (kind.nodes == 0) source_.fail(fmt::format("element type {} is not known", type));
    return kind;
  }

  void read_nodes_2() {
    const std::size_t n = source_.count("number of nodes", binary_ ? 28 : 8);
    begin_data();
    for (std::size_t k = 0; k < n; ++k) {
      const std::int64_t tag = whole("the number of a node");
      const double x = real("x"), y = real("y"), z = real("z");
      add_node(tag, {x, y, z});
    }
  }

  void read_elements_2() {
    const std::size_t n = source_.count("number of elements", 6);
    begin_data();
    for (std::size_t k = 0; k < n;) {
      if (!binary_) {
        const std::int64_t tag = whole("the number of an element");
        const ElementKind kind = known_kind(whole("an element type"));
        const auto tags = source_.integer("number of tags", 0, 1000);
        for (std::int64_t t = 0; t < tags; ++t) source_.word("a tag");
        add_element(tag, kind, [&] { return whole("a node"); });
        ++k;
        continue;
      }
      const ElementKind kind = known_kind(whole("an element type"));
      const std::int64_t block = whole("number of elements in a block"), tags = whole("number of tags");
      if (block < 1 || static_cast<std::size_t>(block) > n - k || tags < 0 || tags > 1000)
        source_.fail(fmt::format("a block has {} elements with {} tags; {} elements are left", block, tags, n - k));
      for (std::int64_t e = 0; e < block; ++e, ++k) {
        const std::int64_t tag = whole("the number of an element");
        for (std::int64_t t = 0; t < tags; ++t) whole("a tag");
        add_element(tag, kind, [&] { return whole("a node"); });
      }
    }
  }

  void read_nodes_4() {
    begin_data();
    const std::size_t blocks = count("number of blocks", large("number of blocks"), 8, 20);
    large("number of nodes"), large("least tag"), large("largest tag");
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = whole("a dimension");
      whole("a tag");
      const std::int64_t parametric = whole("a flag");
      if (dimension < 0 || dimension > 3) source_.fail(fmt::format("dimension is {}; must be 0 to 3", dimension));
      const std::size_t n = count("number of nodes in a block", large("number of nodes in a block"), 8, 32);
      std::vector<std::int64_t> tags(n);
      for (auto& tag : tags) tag = large("the number of a node");
      for (const std::int64_t tag : tags) {
        const double x = real("x"), y = real("y"), z = real("z");
        for (std::int64_t p = 0; parametric != 0 && p < dimension; ++p) real("a parameter");
        add_node(tag, {x, y, z});
      }
    }
  }

  void read_elements_4() {
    begin_data();
    const std::size_t blocks = count("number of blocks", large("number of blocks"), 8, 20);
    large("number of elements"), large("least tag"), large("largest tag");
    for (std::size_t b = 0; b < blocks; ++b) {
      whole("a dimension"), whole("a tag");
      const ElementKind kind = known_kind(whole("an element type"));
      const std::size_t n = count("number of elements in a block", large("number of elements in a block"), 4, 16);
      for (std::size_t k = 0; k < n; ++k) {
        const std::int64_t tag = large("the number of an element");
        add_element(tag, kind, [&] { return large("a node"); });
      }
    }
  }

  MeshSource& source_;
  MeshFile file_;
  bool binary_ = false, big_ = false;
  std::unordered_map<std::int64_t, int> number_;
};

}  // namespace

MeshFile parse_gmsh(MeshSource& source) { return Reader(source).read(); }

}  // namespace cairn
