// SPDX-License-Identifier: Apache-2.0
// Free vibrations of an elastic solid: the lowest modes of a mesh of tetrahedra that is held nowhere.
//
//   K phi = omega^2 M phi,   phi_j' M phi_k = delta_jk,   no part of a rigid motion in any phi
// Linear isotropic elasticity, consistent mass (Zienkiewicz and Taylor 2000, chapters 4 and 17). The six rigid modes
// are known and removed; the others are found by subspace iteration (Bathe and Wilson 1972).
#pragma once
#include "cairn/geometry/tet_mesh.h"

#include <span>
#include <utility>
#include <vector>

namespace cairn {

struct ElasticMaterial {
  double density = 1000;  ///< [kg/m^3]
  double young = 1e6;     ///< Young's modulus [Pa]
  double poisson = 0.3;   ///< Poisson's ratio, in (-1, 0.5)
};

/// Mass and stiffness of a mesh, by pairs of nodes: entry (i, j) of the mass is a number times the unit matrix.
struct ElasticMatrices {
  std::vector<std::pair<int, int>> pairs;  ///< nodes i > j of one element
  std::vector<double> mass_diagonal, mass_pair;
  std::vector<Mat3> stiffness_diagonal, stiffness_pair;

  MatX multiply_mass(const MatX& X) const;       ///< M X
  MatX multiply_stiffness(const MatX& X) const;  ///< K X
};

/// Throws Error where the material makes no sense.
ElasticMatrices assemble_elastic(const TetMesh& mesh, const ElasticMaterial& material);

struct ElasticModes {
  TetMesh mesh;                ///< moved so that its centre of mass is at the origin
  Vec3 centre = Vec3::Zero();  ///< where that was in the mesh as given
  double mass = 0;             ///< [kg]
  VecX frequency;              ///< omega, rising [rad/s]
  MatX shape;                  ///< columns phi, three rows per node [1/sqrt(kg)]
  ElasticMatrices matrices;

  int count() const { return static_cast<int>(frequency.size()); }
};

/// The lowest `count` modes. Throws Error where the mesh has fewer, or the material makes no sense.
ElasticModes compute_elastic_modes(TetMesh mesh, const ElasticMaterial& material, int count);

}  // namespace cairn
