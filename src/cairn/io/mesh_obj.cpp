// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ ("Advanced Visualizer" manual, appendix B1): v and f lines; texture, normals and groups are passed
// over.
#include "cairn/io/mesh_formats.h"

namespace cairn {
namespace {

/// "12", "12/3", "12//4", "12/3/4" or "-1/...": the vertex counted from 0.
int read_corner(MeshSource& line, std::size_t vertices) {
  std::string_view text = line.word("a corner");
  text = text.substr(0, text.find('/'));
  double value = 0;
  if (!parse_number(text, value) || value != static_cast<double>(static_cast<std::int64_t>(value)) || value == 0)
    line.fail(fmt::format("expected a vertex number, 1, 2, ... or -1, -2, ...; found '{}'", shown_word(text)));
  const double index = value > 0 ? value - 1 : static_cast<double>(vertices) + value;
  if (index < 0 || index > 2e9)
    line.fail(fmt::format("vertex number {} points before the first of {} vertices", shown_word(text), vertices));
  return static_cast<int>(index);
}

}  // namespace

MeshFile parse_obj(MeshSource& source) {
  MeshFile file;
  file.format = "OBJ";
  struct Place {
    std::size_t begin;
    int highest;
  };
  std::vector<Place> places;  // of faces, to complain about corners that never come
  while (!source.at_end()) {
    const std::size_t begin = source.place();
    std::string_view text = source.line();
    while (text.ends_with('\\') && source.left() > 0) {  // goes on in the next line
      source.line();
      text = source.bytes().substr(begin, source.place() - begin);
      while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
    }
    // A source of its own up to the end of the line, so that nothing is read from the next; same line numbers.
    MeshSource line(source.name(), source.bytes().substr(0, begin + text.size()));
    line.go_to(begin);
    const std::string_view key = line.word("a keyword");
    if (key == "v") {
      const double x = line.real("x"), y = line.real("y"), z = line.real("z");
      file.vertices.emplace_back(x, y, z);
    } else if (key == "f") {
      std::vector<int> polygon;
      int highest = 0;
      while (!line.at_end()) {
        if (line.peek_word() == "\\") {
          line.word("a corner");
          continue;
        }
        polygon.push_back(read_corner(line, file.vertices.size()));
        highest = std::max(highest, polygon.back());
      }
      if (polygon.size() < 3) line.fail(fmt::format("a face has {} corners; must have at least 3", polygon.size()));
      file.polygons.push_back(std::move(polygon));
      places.push_back({begin, highest});
    }
  }
  for (const Place& place : places)
    if (place.highest >= static_cast<int>(file.vertices.size())) {
      source.go_to(place.begin);
      source.line();
      source.fail(
          fmt::format("a face has vertex number {}; there are {} vertices", place.highest + 1, file.vertices.size()));
    }
  return file;
}

}  // namespace cairn
