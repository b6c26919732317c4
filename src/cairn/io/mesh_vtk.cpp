// SPDX-License-Identifier: Apache-2.0
// VTK's legacy files (VTK User's Guide, "VTK file formats"; layout 5.1 with OFFSETS and CONNECTIVITY too): polydata and
// unstructured grids, text and binary.
#include "cairn/io/mesh_formats.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace cairn {
namespace {

struct Type {
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array<Type, 12> kTypes{{{"unsigned_char", 1},
                                       {"char", 1},
                                       {"unsigned_short", 2},
                                       {"short", 2},
                                       {"unsigned_int", 4},
                                       {"int", 4},
                                       {"float", 4},
                                       {"double", 8},
                                       {"vtktypeint64", 8},
                                       {"long", 8},
                                       {"unsigned_long", 8},
                                       {"vtkidtype", 4}}};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

class Reader {
 public:
  explicit Reader(MeshSource& source) : source_(source) {}

  MeshFile read() {
    source_.line();  // "# vtk DataFile Version x.y"
    source_.line();  // title
    const std::string encoding = lower(source_.word("ASCII or BINARY"));
    if (encoding != "ascii" && encoding != "binary")
      source_.fail(fmt::format("expected ASCII or BINARY; found '{}'", shown_word(encoding)));
    binary_ = encoding == "binary";
    file_.format = binary_ ? "VTK (legacy, binary)" : "VTK (legacy, text)";
    source_.expect("DATASET");
    const std::string kind = lower(source_.word("a data set"));
    if (kind != "polydata" && kind != "unstructured_grid")
      source_.fail(fmt::format("expected POLYDATA or UNSTRUCTURED_GRID; found '{}'", shown_word(kind)));
    while (!source_.at_end() && read_section(lower(source_.word("a section")))) {
    }
    add_grid_cells();
    return std::move(file_);
  }

 private:
  std::size_t read_type() {
    const std::string name = lower(source_.word("a type"));
    for (std::size_t k = 0; k < kTypes.size(); ++k)
      if (kTypes[k].name == name) return k;
    source_.fail(fmt::format("expected a type (float, double, int, ...); found '{}'", shown_word(name)));
  }

  void begin_data() {
    if (binary_) source_.line();
  }

  std::size_t count(std::string_view what, std::size_t bytes) { return source_.count(what, binary_ ? bytes : 2); }

  double number(std::size_t type, std::string_view what) {
    if (!binary_) return source_.real(what);
    switch (type) {
      case 0: return source_.binary<std::uint8_t>(true, what);
      case 1: return source_.binary<std::int8_t>(true, what);
      case 2: return source_.binary<std::uint16_t>(true, what);
      case 3: return source_.binary<std::int16_t>(true, what);
      case 4: return source_.binary<std::uint32_t>(true, what);
      case 6: return source_.binary<float>(true, what);
      case 7: return source_.binary<double>(true, what);
      case 8:
      case 9: return static_cast<double>(source_.binary<std::int64_t>(true, what));
      case 10: return static_cast<double>(source_.binary<std::uint64_t>(true, what));
      default: return source_.binary<std::int32_t>(true, what);
    }
  }

  int index(std::size_t type, std::string_view what) {
    const double value = number(type, what);
    if (!(value >= 0 && value <= 2e9) || value != static_cast<double>(static_cast<int>(value)))
      source_.fail(fmt::format("{} is {}; must be a whole number >= 0", what, value));
    return static_cast<int>(value);
  }

  void skip_numbers(std::size_t n, std::size_t type) {
    if (binary_) return source_.skip(n * kTypes[type].bytes, "data");
    for (std::size_t k = 0; k < n; ++k) source_.word("a value");
  }

  // Lists of nodes, in either layout.
  std::vector<std::vector<int>> read_lists() {
    constexpr std::size_t kInt = 5;
    const std::size_t n = count("number of cells", 1), size = count("number of entries", 1);
    std::vector<std::vector<int>> lists;
    const std::size_t here = source_.place();
    if (lower(source_.peek_word()) == "offsets") {
      source_.word("OFFSETS");
      const std::size_t type = read_type();
      source_.check_count("number of offsets", static_cast<double>(n), binary_ ? kTypes[type].bytes : 2);
      begin_data();
      std::vector<int> offsets(n);
      for (int& o : offsets) o = index(type, "an offset");
      source_.expect("CONNECTIVITY");
      const std::size_t node_type = read_type();
      source_.check_count("number of entries", static_cast<double>(size), binary_ ? kTypes[node_type].bytes : 2);
      begin_data();
      std::vector<int> nodes(size);
      for (int& v : nodes) v = index(node_type, "a node");
      for (std::size_t k = 0; k + 1 < n; ++k) {
        if (offsets[k] > offsets[k + 1] || offsets[k + 1] > static_cast<int>(size))
          source_.fail(fmt::format("offset {} is {}; must not fall, and be at most {}", k + 1, offsets[k + 1], size));
        lists.emplace_back(nodes.begin() + offsets[k], nodes.begin() + offsets[k + 1]);
      }
      return lists;
    }
    source_.go_to(here);
    source_.check_count("number of entries", static_cast<double>(size), binary_ ? 4 : 2);
    if (n > size) source_.fail(fmt::format("{} cells cannot have {} entries", n, size));
    begin_data();
    std::size_t left = size;
    for (std::size_t k = 0; k < n; ++k) {
      const auto corners = static_cast<std::size_t>(index(kInt, "number of nodes"));
      if (left < 1 + corners)
        source_.fail(fmt::format("cell {} has {} nodes; only {} entries are left", k, corners, left));
      left -= 1 + corners;
      std::vector<int> list(corners);
      for (int& v : list) v = index(kInt, "a node");
      lists.push_back(std::move(list));
    }
    return lists;
  }

  /// False when what follows is data on points and cells.
  bool read_section(const std::string& key) {
    if (key == "points") {
      const std::size_t n = count("number of points", 3), type = read_type();
      source_.check_count("number of points", static_cast<double>(n), binary_ ? 3 * kTypes[type].bytes : 6);
      begin_data();
      for (std::size_t k = 0; k < n; ++k) {
        Vec3 x;
        for (int i = 0; i < 3; ++i) x[i] = number(type, "a coordinate");
        if (!x.allFinite()) source_.fail(fmt::format("point {} is not finite", k));
        file_.vertices.push_back(x);
      }
    } else if (key == "polygons") {
      for (auto& polygon : read_lists()) add_vtk_cell(file_, 7, polygon);
    } else if (key == "triangle_strips") {
      for (const auto& strip : read_lists()) add_vtk_cell(file_, 6, strip);
    } else if (key == "vertices" || key == "lines") {
      read_lists();
    } else if (key == "cells") {
      cells_ = read_lists();
    } else if (key == "cell_types") {
      const std::size_t n = count("number of cell types", 4);
      begin_data();
      for (std::size_t k = 0; k < n; ++k) kinds_.push_back(index(5, "a cell type"));
    } else if (key == "field") {
      skip_field();
    } else if (key == "metadata") {
      while (source_.left() > 0 && !source_.line().empty()) {
      }
    } else if (key == "point_data" || key == "cell_data") {
      return false;
    } else {
      source_.fail(fmt::format("expected POINTS, POLYGONS, CELLS, CELL_TYPES, POINT_DATA or CELL_DATA; found '{}'",
                               shown_word(key)));
    }
    return true;
  }

  void skip_field() {
    source_.word("a name");
    const std::size_t arrays = source_.count("number of arrays", 4);
    for (std::size_t k = 0; k < arrays; ++k) {
      source_.word("the name of an array");
      const auto components = static_cast<std::size_t>(source_.integer("number of components", 0, 1 << 20));
      const auto tuples = static_cast<std::size_t>(source_.integer("number of tuples", 0, 1LL << 40));
      const std::size_t type = read_type();
      const std::size_t n =
          source_.check_count("number of values", static_cast<double>(components) * static_cast<double>(tuples),
                              binary_ ? kTypes[type].bytes : 2);
      begin_data();
      skip_numbers(n, type);
    }
  }

  void add_grid_cells() {
    if (cells_.size() != kinds_.size())
      source_.fail(fmt::format("there are {} cells and {} cell types", cells_.size(), kinds_.size()));
    for (std::size_t k = 0; k < cells_.size(); ++k)
      if (!add_vtk_cell(file_, kinds_[k], cells_[k]))
        source_.fail(
            fmt::format("cell {} is of type {} with {} nodes, which is not known", k, kinds_[k], cells_[k].size()));
  }

  MeshSource& source_;
  MeshFile file_;
  bool binary_ = false;
  std::vector<std::vector<int>> cells_;
  std::vector<int> kinds_;
};

}  // namespace

MeshFile parse_vtk_legacy(MeshSource& source) { return Reader(source).read(); }

// Kinds: 1-4 points and lines, 5 triangle, 6 strip, 7 polygon, 8 pixel, 9 quad, 10 tetrahedron, 11 voxel, 12
// hexahedron, 13 wedge, 14 pyramid; 21-27, 30 of second order.
bool add_vtk_cell(MeshFile& file, int kind, const std::vector<int>& n) {
  const auto corners = [&](std::size_t count, std::size_t all) {
    if (n.size() != all) return false;
    (count <= 4 && kind != 10 && kind != 24 ? file.polygons : file.cells).emplace_back(n.begin(), n.begin() + count);
    return true;
  };
  switch (kind) {
    case 1:
    case 2:
    case 3:
    case 4:
    case 21: return true;
    case 5: return corners(3, 3);
    case 6:
      for (std::size_t k = 0; k + 2 < n.size(); ++k)
        file.polygons.push_back(k % 2 ? std::vector{n[k + 1], n[k], n[k + 2]} : std::vector{n[k], n[k + 1], n[k + 2]});
      return n.size() >= 3;
    case 7:
      if (n.size() < 3) return false;
      file.polygons.push_back(n);
      return true;
    case 8:
      if (n.size() != 4) return false;
      file.polygons.push_back({n[0], n[1], n[3], n[2]});
      return true;
    case 9: return corners(4, 4);
    case 10: return corners(4, 4);
    case 11:
      if (n.size() != 8) return false;
      file.cells.push_back({n[0], n[1], n[3], n[2], n[4], n[5], n[7], n[6]});
      return true;
    case 12: return corners(8, 8);
    case 13: return corners(6, 6);
    case 14: return corners(5, 5);
    case 22: return corners(3, 6);
    case 23: return corners(4, 8);
    case 24: return corners(4, 10);
    case 25: return corners(8, 20);
    case 26: return corners(6, 15);
    case 27: return corners(5, 13);
    default: return false;
  }
}

}  // namespace cairn
