// SPDX-License-Identifier: Apache-2.0
// What `cairn info` and `cairn convert` do with meshes: facts, faults, repair on request, another format.
#include "mesh_info.h"

#include "command.h"

#include "cairn/geometry/mesh_check.h"
#include "cairn/io/mesh_file.h"
#include "cairn/io/report_json.h"

namespace cairn {
namespace {

Json to_json(const MeshFault& fault) {
  Json j{{"count", fault.count}};
  if (fault.count > 0 && fault.face >= 0) j["face"] = fault.face;
  if (fault.count > 0 && fault.v0 >= 0) j["v0"] = fault.v0;
  if (fault.count > 0 && fault.v1 >= 0) j["v1"] = fault.v1;
  return j;
}

Json to_json(const Vec3& x) { return Json::array({x.x(), x.y(), x.z()}); }

}  // namespace

bool is_mesh_file(const std::string& file, std::string_view head) {
  return has_mesh_extension(file) || head.starts_with("# vtk DataFile") || head.starts_with("$MeshFormat") ||
         head.starts_with("ply\n") || head.starts_with("ply\r") || head.find("<VTKFile") != std::string_view::npos;
}

MeshDescription describe_mesh(const std::string& name) {
  const MeshFile file = read_mesh_file(name);
  const SurfaceMesh surface = make_surface(file, name);
  const MeshReport report = check_mesh(surface, true);
  Aabb box;
  for (const Vec3& v : surface.vertices) box.merge(v);

  MeshDescription d;
  d.text = fmt::format("{}: a mesh ({})\n", name, file.format);
  const auto line = [&](std::string_view key, const std::string& text) {
    d.text += fmt::format("  {:<11}{}\n", key, text);
  };
  line("surface", fmt::format("{} vertices, {} triangles", report.vertices, report.triangles));
  if (!file.cells.empty()) line("cells", fmt::format("{}, {} nodes", file.cells.size(), file.vertices.size()));
  line("box", fmt::format("({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g})", box.lo.x(), box.lo.y(), box.lo.z(),
                          box.hi.x(), box.hi.y(), box.hi.z()));
  Json& j = d.json;
  j = {{"file", name}, {"kind", "mesh"}, {"format", file.format}};
  j["vertices"] = report.vertices;
  j["triangles"] = report.triangles;
  j["cells"] = file.cells.size();
  j["box"] = Json::array({to_json(box.lo), to_json(box.hi)});
  if (report.is_closed() && report.is_oriented() && report.volume > 0) {
    const MassProperties mass = compute_mass_properties(surface);
    line("volume", fmt::format("{:.9g} m^3, centre ({:.6g}, {:.6g}, {:.6g})", mass.volume, mass.centre.x(),
                               mass.centre.y(), mass.centre.z()));
    j["volume"] = mass.volume;
    j["centre"] = to_json(mass.centre);
  }
  line("check", describe(report));
  MeshReport loaded = report;  // scenes do not look for faces that cross: it would take longer than reading them
  loaded.self_intersections = {};
  line("fit", !loaded.is_usable()   ? "for no body; `cairn convert --repair` mends what can be mended"
              : !report.is_usable() ? "for no body: contacts are wrong where faces cross, though scenes take it"
              : report.is_closed()  ? "for moving bodies"
                                    : "for fixed bodies only: the surface is open");
  j["usable"] = report.is_usable();
  j["closed"] = report.is_closed();
  j["check"] = describe(report);
  j["faults"] = {{"open_edges", to_json(report.open_edges)},
                 {"non_manifold_edges", to_json(report.non_manifold)},
                 {"flipped_edges", to_json(report.flipped)},
                 {"degenerate_faces", to_json(report.degenerate)},
                 {"duplicate_vertices", to_json(report.duplicate_vertices)},
                 {"duplicate_faces", to_json(report.duplicate_faces)},
                 {"unreferenced_vertices", to_json(report.unreferenced)},
                 {"self_intersections", to_json(report.self_intersections)}};
  return d;
}

MeshDescription describe_height_grid(const std::string& name) {
  const HeightGrid grid = read_height_grid(name);
  const Vec3 lo = grid.point(0, 0), hi = grid.point(grid.nx - 1, grid.ny - 1);
  MeshDescription d;
  d.text = fmt::format(
      "{}: a height field (ESRI ASCII grid)\n"
      "  grid       {} x {} heights, {:g} x {:g} m apart\n"
      "  box        ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g})\n"
      "  fit        for fixed bodies only: height-field\n",
      name, grid.nx, grid.ny, grid.dx, grid.dy, lo.x(), lo.y(), grid.lowest, hi.x(), hi.y(), grid.highest);
  d.json = {{"file", name}, {"kind", "height-field"}, {"columns", grid.nx}, {"rows", grid.ny}};
  d.json["spacing"] = Json::array({grid.dx, grid.dy});
  d.json["box"] =
      Json::array({to_json(Vec3(lo.x(), lo.y(), grid.lowest)), to_json(Vec3(hi.x(), hi.y(), grid.highest))});
  return d;
}

void convert_mesh(const std::string& in, const std::string& out, bool repair, double scale) {
  SurfaceMesh mesh = read_surface_mesh(in);
  std::string done;
  if (repair) {
    MeshRepairResult result = repair_mesh(mesh);
    mesh = std::move(result.mesh);
    done = fmt::format("; {}", result.done);
  }
  for (Vec3& v : mesh.vertices) v *= scale;
  write_surface_mesh(out, mesh);
  print_message(fmt::format("{}: {} vertices, {} triangles; {}{}", out, mesh.vertices.size(), mesh.triangles.size(),
                            describe(check_mesh(mesh)), done));
}

}  // namespace cairn
