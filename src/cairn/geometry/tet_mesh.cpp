// SPDX-License-Identifier: Apache-2.0
// Meshes of tetrahedra: boxes, middles of edges, boundary, shape functions.
#include "cairn/geometry/tet_mesh.h"

#include "cairn/base/error.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>

namespace cairn {
namespace {

/// Columns: from corner 0 to the others; dX = E d(L1, L2, L3).
Mat3 edges_of(const TetMesh& mesh, int element) {
  const TetMesh::Element& e = mesh.elements[static_cast<std::size_t>(element)];
  const auto node = [&](int k) { return mesh.nodes[static_cast<std::size_t>(e[static_cast<std::size_t>(k)])]; };
  Mat3 E;
  for (int k = 0; k < 3; ++k) E.col(k) = node(k + 1) - node(0);
  return E;
}

std::array<double, 4> barycentric(const Vec3& local) { return {1 - local.sum(), local.x(), local.y(), local.z()}; }

}  // namespace

TetMesh make_tet_mesh(std::vector<Vec3> corners, std::vector<std::array<int, 4>> tets, std::string_view owner) {
  TetMesh mesh;
  mesh.nodes = std::move(corners);
  const auto count = static_cast<int>(mesh.nodes.size());
  std::map<std::pair<int, int>, int> middles;
  for (std::size_t t = 0; t < tets.size(); ++t) {
    TetMesh::Element element{};
    for (std::size_t k = 0; k < 4; ++k) {
      if (tets[t][k] < 0 || tets[t][k] >= count)
        throw Error("{}: element {} names node {}; must be one of 0 to {}", owner, t, tets[t][k], count - 1);
      element[k] = tets[t][k];
    }

    // A tetrahedron without volume has no gradients; one of negative volume is named in the other order.
    const auto node = [&](std::size_t k) { return mesh.nodes[static_cast<std::size_t>(element[k])]; };
    const Vec3 a = node(1) - node(0), b = node(2) - node(0), c = node(3) - node(0);
    const double volume = a.cross(b).dot(c), size = std::max({a.norm(), b.norm(), c.norm()});
    if (!(std::abs(volume) > 1e-9 * size * size * size)) throw Error("{}: element {} is flat", owner, t);
    if (volume < 0) std::swap(element[2], element[3]);

    // The middle of an edge is shared by all elements around it.
    for (std::size_t m = 0; m < 6; ++m) {
      const int i = element[static_cast<std::size_t>(tet_edges[m][0])];
      const int j = element[static_cast<std::size_t>(tet_edges[m][1])];
      const auto [at, is_new] = middles.try_emplace(std::minmax(i, j), static_cast<int>(mesh.nodes.size()));
      if (is_new)
        mesh.nodes.push_back(0.5 * (mesh.nodes[static_cast<std::size_t>(i)] + mesh.nodes[static_cast<std::size_t>(j)]));
      element[4 + m] = at->second;
    }
    mesh.elements.push_back(element);
  }
  return mesh;
}

TetMesh make_box_tets(const Vec3& half, const std::array<int, 3>& divisions) {
  for (int k = 0; k < 3; ++k) {
    if (!(std::isfinite(half[k]) && half[k] > 0)) throw Error("half side is {} m; must be > 0", half[k]);
    const int n = divisions[static_cast<std::size_t>(k)];
    if (n < 1 || n > 1000) throw Error("divisions: is {}; must be 1 to 1000", n);
  }
  const auto [nx, ny, nz] = divisions;
  const auto corner = [&](int i, int j, int k) { return i + (nx + 1) * (j + (ny + 1) * k); };

  // Corners of the cells.
  std::vector<Vec3> corners;
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i)
        corners.push_back(half.cwiseProduct(Vec3(2.0 * i / nx - 1, 2.0 * j / ny - 1, 2.0 * k / nz - 1)));

  // Six ways along the edges of a cell from one corner to the opposite one; odd cells are mirrored.
  std::vector<std::array<int, 4>> tets;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const std::array<int, 3> cell{i, j, k};
        std::array<int, 3> axes{0, 1, 2};
        do {
          std::array<int, 3> at{};
          std::array<int, 4> tet{};
          for (std::size_t step = 0; step < 4; ++step) {
            std::array<int, 3> place{};
            for (std::size_t c = 0; c < 3; ++c) place[c] = cell[c] + (cell[c] % 2 ? 1 - at[c] : at[c]);
            tet[step] = corner(place[0], place[1], place[2]);
            if (step < 3) at[static_cast<std::size_t>(axes[step])] = 1;
          }
          tets.push_back(tet);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
  return make_tet_mesh(std::move(corners), std::move(tets), "box");
}

std::vector<BoundaryTriangle> find_boundary(const TetMesh& mesh) {
  // Corners of the faces, counter-clockwise from outside, with the middles between them.
  constexpr std::array<std::array<std::size_t, 6>, 4> faces{
      {{1, 2, 3, 7, 9, 8}, {0, 3, 2, 6, 9, 5}, {0, 1, 3, 4, 8, 6}, {0, 2, 1, 5, 7, 4}}};
  std::map<std::array<int, 3>, int> uses;
  const auto corners_of = [](const TetMesh::Element& e, const std::array<std::size_t, 6>& face) {
    std::array<int, 3> key{e[face[0]], e[face[1]], e[face[2]]};
    std::sort(key.begin(), key.end());
    return key;
  };
  for (const TetMesh::Element& e : mesh.elements)
    for (const auto& face : faces) ++uses[corners_of(e, face)];

  std::vector<BoundaryTriangle> triangles;
  for (std::size_t element = 0; element < mesh.elements.size(); ++element)
    for (const auto& face : faces) {
      const TetMesh::Element& e = mesh.elements[element];
      if (uses[corners_of(e, face)] != 1) continue;
      const int a = e[face[0]], b = e[face[1]], c = e[face[2]], ab = e[face[3]], bc = e[face[4]], ca = e[face[5]];
      for (const std::array<int, 3>& nodes : {std::array<int, 3>{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
        triangles.push_back({nodes, static_cast<int>(element)});
    }
  return triangles;
}

std::array<double, 10> tet_shape(const Vec3& local) {
  const std::array<double, 4> L = barycentric(local);
  std::array<double, 10> N{};
  for (std::size_t i = 0; i < 4; ++i) N[i] = L[i] * (2 * L[i] - 1);
  for (std::size_t m = 0; m < 6; ++m)
    N[4 + m] = 4 * L[static_cast<std::size_t>(tet_edges[m][0])] * L[static_cast<std::size_t>(tet_edges[m][1])];
  return N;
}

Eigen::Matrix<double, 3, 10> tet_shape_gradient(const TetMesh& mesh, int element, const Vec3& local) {
  const std::array<double, 4> L = barycentric(local);
  Eigen::Matrix<double, 3, 4> dL;
  dL.rightCols<3>() = edges_of(mesh, element).inverse().transpose();
  dL.col(0) = -dL.rightCols<3>().rowwise().sum();
  Eigen::Matrix<double, 3, 10> dN;
  for (int i = 0; i < 4; ++i) dN.col(i) = (4 * L[static_cast<std::size_t>(i)] - 1) * dL.col(i);
  for (int m = 0; m < 6; ++m) {
    const auto [i, j] = tet_edges[static_cast<std::size_t>(m)];
    dN.col(4 + m) = 4 * (L[static_cast<std::size_t>(i)] * dL.col(j) + L[static_cast<std::size_t>(j)] * dL.col(i));
  }
  return dN;
}

double tet_determinant(const TetMesh& mesh, int element) { return edges_of(mesh, element).determinant(); }

Vec3 tet_position(const TetMesh& mesh, int element, const Vec3& local) {
  return mesh.nodes[static_cast<std::size_t>(mesh.elements[static_cast<std::size_t>(element)][0])] +
         edges_of(mesh, element) * local;
}

Vec3 tet_local(const TetMesh& mesh, int element, const Vec3& X) {
  return edges_of(mesh, element).inverse() *
         (X - mesh.nodes[static_cast<std::size_t>(mesh.elements[static_cast<std::size_t>(element)][0])]);
}

}  // namespace cairn
