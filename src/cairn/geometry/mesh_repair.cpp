// SPDX-License-Identifier: Apache-2.0
// Repairs that change no shape: weld, drop, orient, turn. Done only when asked.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "cairn/base/error.h"
#include "cairn/base/text.h"
#include "cairn/geometry/box_tree.h"
#include "cairn/geometry/mesh_check.h"
#include "cairn/geometry/solid_integral.h"

namespace cairn {
namespace {

// Vertices within `distance` of an earlier one take its number.
int weld(SurfaceMesh& mesh, double distance) {
  std::vector<Aabb> boxes;
  for (const Vec3& v : mesh.vertices) boxes.push_back({v, v});
  const BoxTree tree = make_box_tree(boxes);
  std::vector<int> kept(mesh.vertices.size());
  int welded = 0;
  for (int v = 0; v < static_cast<int>(kept.size()); ++v) {
    Aabb reach = boxes[v];
    reach.expand(distance);
    kept[v] = v;
    for_each_overlap(tree, reach, [&](int w) {
      if (w < kept[v] && kept[w] == w && (mesh.vertices[w] - mesh.vertices[v]).norm() <= distance) kept[v] = w;
    });
    welded += kept[v] != v;
  }
  for (auto& t : mesh.triangles)
    for (int& v : t) v = kept[v];
  return welded;
}

int drop_faces(SurfaceMesh& mesh) {
  std::set<std::array<int, 3>> seen;
  const auto is_bad = [&](const std::array<int, 3>& t) {
    std::array<int, 3> key = t;
    std::sort(key.begin(), key.end());
    const SurfaceMesh one{{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]}, {{0, 1, 2}}};
    const bool repeated = key[0] == key[1] || key[1] == key[2];
    return repeated || check_mesh(one).degenerate.count > 0 || !seen.insert(key).second;
  };
  return static_cast<int>(std::erase_if(mesh.triangles, is_bad));
}

int drop_vertices(SurfaceMesh& mesh) {
  std::vector<int> number(mesh.vertices.size(), -1);
  for (const auto& t : mesh.triangles)
    for (const int v : t) number[v] = 0;
  std::vector<Vec3> kept;
  for (std::size_t v = 0; v < number.size(); ++v)
    if (number[v] == 0) {
      number[v] = static_cast<int>(kept.size());
      kept.push_back(mesh.vertices[v]);
    }
  for (auto& t : mesh.triangles)
    for (int& v : t) v = number[v];
  const int dropped = static_cast<int>(mesh.vertices.size() - kept.size());
  mesh.vertices = std::move(kept);
  return dropped;
}

// Walks each piece from neighbour to neighbour over edges of two faces; then turns closed pieces with negative volume.
int orient(SurfaceMesh& mesh, const MeshRepair& options) {
  std::map<std::pair<int, int>, std::vector<int>> faces_at;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
      faces_at[std::minmax(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3])].push_back(static_cast<int>(t));
  const auto runs_forward = [&](int t, int i, int j) {
    const auto& c = mesh.triangles[t];
    return (c[0] == i && c[1] == j) || (c[1] == i && c[2] == j) || (c[2] == i && c[0] == j);
  };
  std::vector<bool> seen(mesh.triangles.size(), false);
  int turned = 0;
  for (std::size_t seed = 0; seed < seen.size(); ++seed) {
    if (seen[seed]) continue;
    std::vector<int> piece{static_cast<int>(seed)};
    seen[seed] = true;
    bool closed = true;
    for (std::size_t next = 0; next < piece.size(); ++next) {
      const std::array<int, 3> t = mesh.triangles[piece[next]];
      for (int k = 0; k < 3; ++k) {
        const int i = t[k], j = t[(k + 1) % 3];
        const auto& both = faces_at[std::minmax(i, j)];
        closed = closed && both.size() == 2;
        if (both.size() != 2) continue;
        const int other = both[0] == piece[next] ? both[1] : both[0];
        if (seen[other]) continue;
        seen[other] = true;
        piece.push_back(other);
        if (options.orient && runs_forward(other, i, j)) {
          std::swap(mesh.triangles[other][0], mesh.triangles[other][1]);
          ++turned;
        }
      }
    }
    SolidIntegral integral(mesh.vertices[mesh.triangles[seed][0]]);
    for (const int t : piece) {
      const auto& [i, j, k] = mesh.triangles[t];
      integral.add_triangle(mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
    }
    if (!options.turn_outward || !closed || !(integral.volume() < 0)) continue;
    for (const int t : piece) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
    turned += static_cast<int>(piece.size());
  }
  return turned;
}

}  // namespace

MeshRepairResult repair_mesh(const SurfaceMesh& mesh, const MeshRepair& options) {
  const MeshReport report = check_mesh(mesh);
  if (report.not_finite.count > 0 || report.wrong_index.count > 0)
    throw Error("mesh repair: {}; this cannot be repaired", describe(report));
  if (!(options.weld_distance >= 0) || !std::isfinite(options.weld_distance))
    throw Error("mesh repair: weld_distance is {} m; must be finite and >= 0", options.weld_distance);
  MeshRepairResult result;
  result.mesh = mesh;
  if (options.weld) result.welded = weld(result.mesh, options.weld_distance);
  if (options.drop_degenerate) result.dropped_faces = drop_faces(result.mesh);
  if (options.weld || options.drop_degenerate) result.dropped_vertices = drop_vertices(result.mesh);
  if (options.orient || options.turn_outward) result.turned = orient(result.mesh, options);

  std::vector<std::string> words;
  if (result.welded > 0) words.push_back(fmt::format("welded {} vertices", result.welded));
  if (result.dropped_faces > 0) words.push_back(fmt::format("dropped {} faces", result.dropped_faces));
  if (result.dropped_vertices > result.welded)
    words.push_back(fmt::format("dropped {} unused vertices", result.dropped_vertices - result.welded));
  if (result.turned > 0) words.push_back(fmt::format("turned {} faces", result.turned));
  result.done = words.empty() ? "nothing to repair" : join(words);
  return result;
}

}  // namespace cairn
