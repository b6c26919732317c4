// SPDX-License-Identifier: Apache-2.0
// Damaged mesh files: an Error that names the file, or a mesh; never a crash, never much memory.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <random>

#include "cairn/base/error.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/mesh_check.h"
#include "cairn/io/mesh_file.h"
#include "io/mesh_samples.h"

namespace cairn {
namespace {

/// Reads and uses it as far as it goes; the message, empty when it was read.
std::string use(const std::string& name, const std::string& bytes) {
  try {
    const MeshFile file = parse_mesh_file(name, bytes);
    const SurfaceMesh surface = make_surface(file, name);
    const MeshReport report = check_mesh(surface, true);
    if (report.is_usable()) make_mesh(surface, name);
    if (!file.cells.empty()) make_cells({file.vertices, file.cells}, name);
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(name)) << error.what();
    return error.what();
  }
  return {};
}

TEST(BadMesh, every_beginning_of_a_file_is_read_or_refused) {
  for (const auto& [name, bytes, format] : testing_meshes::all_samples()) {
    SCOPED_TRACE(name);
    int refused = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) refused += !use(name, bytes.substr(0, size)).empty();
    EXPECT_GT(refused, static_cast<int>(bytes.size()) / 4);
    EXPECT_EQ(use(name, bytes), "");
  }
}

TEST(BadMesh, changed_bytes_and_digits_are_read_or_refused) {
  std::mt19937 random(1);
  const char digits[] = "0123456789-+.eE \n/<>\"=$";
  for (const auto& [name, bytes, format] : testing_meshes::all_samples()) {
    SCOPED_TRACE(name);
    int refused = 0;
    for (int k = 0; k < 1000; ++k) {
      std::string bad = bytes;
      for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
        char& c = bad[random() % bad.size()];
        switch (random() % 4) {
          case 0: c = static_cast<char>(random()); break;
          case 1: c ^= static_cast<char>(1u << random() % 8); break;
          case 2: c = digits[random() % (sizeof(digits) - 1)]; break;
          default: {
            const std::size_t at = random() % bad.size();
            if (random() % 2)
              bad.insert(at, std::string(1 + random() % 12, digits[random() % 10]));
            else
              bad.erase(at, 1 + random() % 12);
            if (bad.empty()) bad = " ";
          }
        }
      }
      refused += !use(name, bad).empty();
    }
    EXPECT_GT(refused, 100);
  }
}

TEST(BadMesh, sizes_that_a_file_cannot_hold_take_no_memory) {
  struct rusage before = {}, after = {};
  getrusage(RUSAGE_SELF, &before);
  const auto head = [](const std::string& text) { return "# vtk DataFile Version 3.0\nt\n" + text; };
  using testing_meshes::raw;
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
           {"a.ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nend_header\n"},
           {"b.ply",
            "ply\nformat binary_little_endian 1.0\nelement face 1\nproperty list uint int "
            "vertex_indices\nend_header\n" +
                raw<std::uint32_t>(4000000000u)},
           {"c.ply", "ply\nformat ascii 1.0\nelement vertex 9000000000000000000\nend_header\n"},
           {"a.stl", std::string(80, 'x') + raw<std::uint32_t>(4000000000u)},
           {"a.vtk", head("ASCII\nDATASET POLYDATA\nPOINTS 4000000000 float\n")},
           {"b.vtk", head("BINARY\nDATASET POLYDATA\nPOINTS 0 float\nPOLYGONS 2000000000 2000000000\n")},
           {"c.vtk", head("ASCII\nDATASET POLYDATA\nFIELD f 1\na 1000000 1000000000 float\n")},
           {"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4000000000\n"},
           {"b.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1 1 1\n2 1 0 4000000000\n"},
           {"a.obj", "v 0 0 0\nf 1 2000000000 3\n"}}) {
    EXPECT_TRUE(use(name, bytes).starts_with(name)) << name;
  }
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 << 10);  // kB
}

}  // namespace
}  // namespace cairn
