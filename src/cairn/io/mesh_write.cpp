// SPDX-License-Identifier: Apache-2.0
// Surfaces written as OBJ, STL and PLY.
#include "cairn/base/error.h"
#include "cairn/io/mesh_file.h"
#include "cairn/io/output_file.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace cairn {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are in memory");

template <class T>
void append(std::string& out, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  out.append(raw, sizeof(T));
}

}  // namespace

std::string to_obj(const SurfaceMesh& mesh) {
  std::string out;
  for (const Vec3& v : mesh.vertices) out += fmt::format("v {} {} {}\n", v.x(), v.y(), v.z());
  for (const auto& t : mesh.triangles) out += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return out;
}

std::string to_stl(const SurfaceMesh& mesh) {
  std::string out(80, ' ');
  out.replace(0, 14, "binary STL, m ");  // not "solid", by which text begins
  append(out, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Vec3 n = (b - a).cross(c - a).normalized();
    for (const Vec3& x : {n, a, b, c})
      for (int i = 0; i < 3; ++i) append(out, static_cast<float>(x[i]));
    append(out, std::uint16_t{0});
  }
  return out;
}

std::string to_ply(const SurfaceMesh& mesh) {
  std::string out = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment lengths in metres\nelement vertex {}\nproperty double x\nproperty "
      "double y\nproperty double z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
      mesh.vertices.size(), mesh.triangles.size());
  for (const Vec3& v : mesh.vertices)
    for (int i = 0; i < 3; ++i) append(out, v[i]);
  for (const auto& t : mesh.triangles) {
    append(out, std::uint8_t{3});
    for (const int v : t) append(out, static_cast<std::int32_t>(v));
  }
  return out;
}

void write_surface_mesh(const std::filesystem::path& path, const SurfaceMesh& mesh) {
  const std::string extension = path.extension().string();
  const bool obj = extension == ".obj", stl = extension == ".stl", ply = extension == ".ply";
  if (!obj && !stl && !ply)
    throw Error("{}: the extension '{}' is no mesh format to write; there are .obj, .stl, .ply", path.string(),
                extension);
  OutputFile file(path);
  file.write(obj ? to_obj(mesh) : stl ? to_stl(mesh) : to_ply(mesh));
  file.finish();
}

}  // namespace cairn
