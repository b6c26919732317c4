// SPDX-License-Identifier: Apache-2.0
// VTK XML PolyData with arrays in base64 (a 64-bit count of bytes, then the bytes), so that the files are small and
// still well-formed XML.
#include "cairn/io/vtk.h"

#include "cairn/geometry/surface_mesh.h"
#include "cairn/io/output_file.h"
#include "cairn/io/words.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cairn {
namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

std::string_view type_name(double) { return "Float64"; }
std::string_view type_name(std::int64_t) { return "Int64"; }
std::string_view type_name(std::int32_t) { return "Int32"; }
std::string_view type_name(std::uint8_t) { return "UInt8"; }

template <class T>
std::string data_array(std::string_view name, const std::vector<T>& values, int components = 1) {
  const std::uint64_t size = values.size() * sizeof(T);
  std::string bytes(sizeof size + size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + sizeof size, values.data(), size);
  return fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}</DataArray>\n",
                     type_name(T{}), name, components, base64(bytes));
}

/// Cells are `verts` (one point each) or `polys` (triangles).
struct PolyData {
  std::vector<double> points;
  std::vector<std::int64_t> verts, polys;
  std::string point_data, cell_data;
};

std::string cells(std::string_view tag, const std::vector<std::int64_t>& connectivity, std::int64_t corners) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t end = corners; end <= static_cast<std::int64_t>(connectivity.size()); end += corners) {
    offsets.push_back(end);
  }
  return fmt::format("<{}>\n{}{}</{}>\n", tag, data_array("connectivity", connectivity), data_array("offsets", offsets),
                     tag);
}

void write_poly_data(const fs::path& path, const PolyData& data) {
  OutputFile file(path);
  file.write(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PolyData>\n");
  file.write(
      fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
                  "NumberOfPolys=\"{}\">\n",
                  data.points.size() / 3, data.verts.size(), data.polys.size() / 3));
  file.write("<PointData>\n" + data.point_data + "</PointData>\n<CellData>\n" + data.cell_data + "</CellData>\n");
  file.write("<Points>\n" + data_array("Points", data.points, 3) + "</Points>\n");
  file.write(cells("Verts", data.verts, 1));
  file.write(cells("Polys", data.polys, 3));
  file.write("</Piece>\n</PolyData>\n</VTKFile>\n");
  file.finish();
}

void append(std::vector<double>& out, const Vec3& v) { out.insert(out.end(), v.begin(), v.end()); }

std::uint8_t kind_number(std::string_view kind) {
  constexpr std::string_view kinds[] = {"fixed", "prescribed", "rigid", "affine"};
  return static_cast<std::uint8_t>(std::find(std::begin(kinds), std::end(kinds), kind) - std::begin(kinds));
}

/// How far half-spaces must be drawn so that they lie under everything, for all times.
double half_space_extent(const Recording& recording) {
  double extent = 1;
  for (std::size_t i = 0; i < recording.frame_count(); ++i) {
    const std::vector<Vec3> positions = recording.positions(i);
    for (std::size_t b = 0; b < positions.size(); ++b) {
      const auto& shape = recording.bodies()[b].shape;
      if (shape && is_bounded(*shape) && positions[b].allFinite()) {
        extent = std::max(extent, 1.2 * (positions[b].norm() + bounding_radius(*shape)));
      }
    }
  }
  return extent;
}

std::vector<SurfaceMesh> make_meshes(const Recording& recording) {
  const auto& bodies = recording.bodies();
  const auto balls = std::count_if(bodies.begin(), bodies.end(), [](const FrameBody& b) {
    return b.shape && std::holds_alternative<Sphere>(*b.shape);
  });
  const int refinement = balls < 200 ? 3 : balls < 2000 ? 2 : 1;  // 1280, 320, 80 triangles
  const double extent = half_space_extent(recording);
  std::vector<SurfaceMesh> meshes;
  for (const FrameBody& body : bodies) {
    meshes.push_back(body.shape ? make_surface_mesh(*body.shape, refinement, extent) : SurfaceMesh{});
  }
  return meshes;
}

PolyData make_bodies(const Recording& recording, const Frame& frame, const std::vector<SurfaceMesh>& meshes) {
  PolyData data;
  std::vector<std::int32_t> body;
  std::vector<double> speed;
  std::vector<std::uint8_t> kind;
  for (std::size_t b = 0; b < meshes.size(); ++b) {
    const auto first = static_cast<std::int64_t>(data.points.size() / 3);
    const Placement place = frame.placement(b);
    for (const Vec3& X : meshes[b].vertices) append(data.points, place.apply(X));
    for (const auto& triangle : meshes[b].triangles) {
      for (const int corner : triangle) data.polys.push_back(first + corner);
      body.push_back(static_cast<std::int32_t>(b));
      speed.push_back(frame.velocity[b].norm());
      kind.push_back(kind_number(recording.bodies()[b].kind));
    }
  }
  data.cell_data = data_array("body", body) + data_array("speed", speed) + data_array("kind", kind);
  return data;
}

PolyData make_contacts(const Frame& frame) {
  PolyData data;
  std::vector<double> force, normal, gap;
  std::vector<std::uint8_t> state;
  std::vector<std::int32_t> body_a, body_b;
  for (const FrameContact& c : frame.contacts) {
    data.verts.push_back(static_cast<std::int64_t>(gap.size()));
    append(data.points, c.point);
    append(force, c.force);
    append(normal, c.normal);
    gap.push_back(c.gap);
    state.push_back(static_cast<std::uint8_t>(c.state));
    body_a.push_back(c.body_a);
    body_b.push_back(c.body_b);
  }
  data.point_data = data_array("force", force, 3) + data_array("normal", normal, 3) + data_array("gap", gap) +
                    data_array("state", state) + data_array("body_a", body_a) + data_array("body_b", body_b);
  return data;
}

/// Attribute text: the folder's name comes from the user.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace

void write_vtk(const Recording& recording, const fs::path& pvd) {
  check_can_write(pvd);
  const std::string folder_name = pvd.stem().string() + "_frames";
  const fs::path folder = pvd.parent_path() / folder_name;
  std::error_code problem;
  const bool made = fs::create_directory(folder, problem);
  if (!made && !fs::is_directory(folder)) throw Error("{}: cannot be created: {}", folder.string(), problem.message());

  std::vector<fs::path> written;
  try {
    const std::vector<SurfaceMesh> meshes = make_meshes(recording);
    std::string list = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
    const auto add = [&](std::string_view what, int part, std::size_t i, double time, const PolyData& data) {
      const std::string name = fmt::format("{}_{:04}.vtp", what, i);
      write_poly_data(folder / name, data);
      written.push_back(folder / name);
      list += fmt::format("<DataSet timestep=\"{}\" part=\"{}\" name=\"{}\" file=\"{}/{}\"/>\n", time, part, what,
                          escaped(folder_name), name);
    };
    for (std::size_t i = 0; i < recording.frame_count(); ++i) {
      const Frame frame = recording.frame(i);
      add("bodies", 0, i, frame.time, make_bodies(recording, frame, meshes));
      if (recording.info().contacts) add("contacts", 1, i, frame.time, make_contacts(frame));
    }
    OutputFile file(pvd);
    file.write(list + "</Collection>\n</VTKFile>\n");
    file.finish();
  } catch (const Error&) {
    for (const fs::path& path : written) fs::remove(path, problem);
    if (made) fs::remove(folder, problem);
    throw;
  }
}

}  // namespace cairn
