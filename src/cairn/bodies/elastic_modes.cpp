// SPDX-License-Identifier: Apache-2.0
// Mass and stiffness of ten-node tetrahedra, and subspace iteration for the lowest modes.
#include "cairn/bodies/elastic_modes.h"

#include "cairn/base/error.h"
#include "cairn/math/sparse_cholesky.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace cairn {
namespace {

using Mat10 = Eigen::Matrix<double, 10, 10>;

/// Integral of N_a N_b over an element, divided by six times its volume: exact, by
///   integral of L0^a L1^b L2^c L3^d = 6 V a! b! c! d! / (a + b + c + d + 3)!
/// with N_i = L_i^2 - L_i (sum of the others) of a corner, which is L_i (2 L_i - 1) since the L add up to 1.
Mat10 unit_mass() {
  using Powers = std::array<int, 4>;
  std::array<std::vector<std::pair<Powers, double>>, 10> N;
  const auto product = [](std::size_t i, std::size_t j) {
    Powers p{};
    ++p[i], ++p[j];
    return p;
  };
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) N[i].emplace_back(product(i, j), i == j ? 1 : -1);
  for (std::size_t m = 0; m < 6; ++m)
    N[4 + m] = {{product(static_cast<std::size_t>(tet_edges[m][0]), static_cast<std::size_t>(tet_edges[m][1])), 4}};

  constexpr std::array<double, 5> factorial{1, 1, 2, 6, 24};
  Mat10 mass = Mat10::Zero();
  for (std::size_t a = 0; a < 10; ++a)
    for (std::size_t b = 0; b < 10; ++b)
      for (const auto& [p, x] : N[a])
        for (const auto& [q, y] : N[b]) {
          double value = x * y / 5040;
          for (std::size_t i = 0; i < 4; ++i) value *= factorial[static_cast<std::size_t>(p[i] + q[i])];
          mass(static_cast<int>(a), static_cast<int>(b)) += value;
        }
  return mass;
}

/// Four points with equal weights, exact for the products of two gradients.
std::array<Vec3, 4> quadrature_points() {
  const double near = (5 + 3 * std::sqrt(5.0)) / 20, far = (5 - std::sqrt(5.0)) / 20;
  return {Vec3(far, far, far), Vec3(near, far, far), Vec3(far, near, far), Vec3(far, far, near)};
}

/// Unit translations and rotations about the origin, one column each.
MatX rigid_motions(const std::vector<Vec3>& nodes) {
  MatX R(3 * static_cast<Eigen::Index>(nodes.size()), 6);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    R.block<3, 3>(3 * static_cast<Eigen::Index>(i), 0).setIdentity();
    R.block<3, 3>(3 * static_cast<Eigen::Index>(i), 3) = -hat(nodes[i]);
  }
  return R;
}

/// K + s M, factorised.
SparseCholesky factorise_shifted(const ElasticMatrices& matrices, double s) {
  SparseCholesky factor;
  const std::vector<int> sizes(matrices.mass_diagonal.size(), 3);
  factor.plan(sizes, matrices.pairs);
  factor.set_zero();
  for (std::size_t i = 0; i < sizes.size(); ++i)
    factor.add_diagonal(static_cast<int>(i),
                        MatX(matrices.stiffness_diagonal[i] + s * matrices.mass_diagonal[i] * Mat3::Identity()));
  for (std::size_t k = 0; k < matrices.pairs.size(); ++k)
    factor.add_pair(static_cast<int>(k),
                    MatX(matrices.stiffness_pair[k] + s * matrices.mass_pair[k] * Mat3::Identity()));
  if (!factor.factor()) throw Error("the stiffness of the mesh is not positive; its elements are too thin");
  return factor;
}

/// Takes the part of rigid motions out of X: the columns of R have R' M R = 1. Twice, to rounding.
void remove_rigid(const MatX& R, const MatX& MR, MatX& X) {
  for (int round = 0; round < 2; ++round) X -= R * (MR.transpose() * X);
}

/// Columns X made orthonormal in M and diagonal in K; returns their Rayleigh quotients, rising.
VecX diagonalise(const ElasticMatrices& matrices, MatX& X) {
  const MatX B = X.transpose() * matrices.multiply_mass(X), A = X.transpose() * matrices.multiply_stiffness(X);
  const Eigen::LLT<MatX> root(B);
  MatX reduced = root.matrixL().solve(A);
  reduced = root.matrixL().solve(reduced.transpose()).eval();
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(0.5 * (reduced + reduced.transpose()));
  X = X * root.matrixU().solve(eigen.eigenvectors());
  return eigen.eigenvalues();
}

}  // namespace

MatX ElasticMatrices::multiply_mass(const MatX& X) const {
  MatX Y(X.rows(), X.cols());
  for (std::size_t i = 0; i < mass_diagonal.size(); ++i) {
    const auto row = 3 * static_cast<Eigen::Index>(i);
    Y.middleRows<3>(row) = mass_diagonal[i] * X.middleRows<3>(row);
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const int i = 3 * pairs[k].first, j = 3 * pairs[k].second;
    Y.middleRows<3>(i) += mass_pair[k] * X.middleRows<3>(j);
    Y.middleRows<3>(j) += mass_pair[k] * X.middleRows<3>(i);
  }
  return Y;
}

MatX ElasticMatrices::multiply_stiffness(const MatX& X) const {
  MatX Y(X.rows(), X.cols());
  for (std::size_t i = 0; i < stiffness_diagonal.size(); ++i) {
    const auto row = 3 * static_cast<Eigen::Index>(i);
    Y.middleRows<3>(row) = stiffness_diagonal[i] * X.middleRows<3>(row);
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const int i = 3 * pairs[k].first, j = 3 * pairs[k].second;
    Y.middleRows<3>(i) += stiffness_pair[k] * X.middleRows<3>(j);
    Y.middleRows<3>(j) += stiffness_pair[k].transpose() * X.middleRows<3>(i);
  }
  return Y;
}

ElasticMatrices assemble_elastic(const TetMesh& mesh, const ElasticMaterial& material) {
  const auto [density, young, poisson] = material;
  if (!(std::isfinite(density) && density > 0)) throw Error("density is {} kg/m^3; must be > 0", density);
  if (!(std::isfinite(young) && young > 0)) throw Error("young is {} Pa; must be > 0", young);
  if (!(poisson > -1 && poisson < 0.5)) throw Error("poisson is {}; must be in (-1, 0.5)", poisson);
  const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson)), shear = young / (2 + 2 * poisson);

  // Pairs of nodes of one element, each once.
  std::map<std::pair<int, int>, std::size_t> place;
  for (const TetMesh::Element& e : mesh.elements)
    for (const int i : e)
      for (const int j : e)
        if (i > j) place.emplace(std::pair(i, j), 0);
  ElasticMatrices result;
  for (auto& [pair, index] : place) {
    index = result.pairs.size();
    result.pairs.push_back(pair);
  }
  result.mass_diagonal.assign(mesh.nodes.size(), 0);
  result.stiffness_diagonal.assign(mesh.nodes.size(), Mat3::Zero());
  result.mass_pair.assign(result.pairs.size(), 0);
  result.stiffness_pair.assign(result.pairs.size(), Mat3::Zero());

  // Of each element: rho integral N_a N_b and integral lambda g_a g_b' + mu (g_b g_a' + g_a.g_b 1).
  static const Mat10 unit = unit_mass();
  for (int element = 0; element < static_cast<int>(mesh.elements.size()); ++element) {
    const TetMesh::Element& e = mesh.elements[static_cast<std::size_t>(element)];
    const double six = tet_determinant(mesh, element), weight = six / 24;
    std::array<Eigen::Matrix<double, 3, 10>, 4> gradients;
    for (std::size_t p = 0; p < 4; ++p) gradients[p] = tet_shape_gradient(mesh, element, quadrature_points()[p]);
    for (int a = 0; a < 10; ++a)
      for (int b = 0; b < 10; ++b) {
        const int i = e[static_cast<std::size_t>(a)], j = e[static_cast<std::size_t>(b)];
        if (i < j) continue;
        Mat3 K = Mat3::Zero();
        for (const auto& g : gradients)
          K += weight * (lambda * g.col(a) * g.col(b).transpose() + shear * g.col(b) * g.col(a).transpose() +
                         shear * g.col(a).dot(g.col(b)) * Mat3::Identity());
        const double m = density * six * unit(a, b);
        if (i == j) {
          result.mass_diagonal[static_cast<std::size_t>(i)] += m;
          result.stiffness_diagonal[static_cast<std::size_t>(i)] += K;
        } else {
          const std::size_t k = place.at({i, j});
          result.mass_pair[k] += m;
          result.stiffness_pair[k] += K;
        }
      }
  }
  return result;
}

ElasticModes compute_elastic_modes(TetMesh mesh, const ElasticMaterial& material, int count) {
  ElasticModes modes;
  modes.matrices = assemble_elastic(mesh, material);
  const auto rows = 3 * static_cast<Eigen::Index>(mesh.nodes.size());
  if (count < 1 || count > rows - 6)
    throw Error("modes: is {}; must be 1 to {}, what a mesh of {} nodes has", count, rows - 6, mesh.nodes.size());

  // Mass and its centre, by the consistent mass of unit translations.
  MatX rigid = rigid_motions(mesh.nodes);
  MatX momentum = modes.matrices.multiply_mass(rigid.leftCols<3>());
  modes.mass = momentum.col(0).dot(rigid.col(0));
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    modes.centre += momentum(3 * static_cast<Eigen::Index>(i), 0) / modes.mass * mesh.nodes[i];
  for (Vec3& node : mesh.nodes) node -= modes.centre;

  // Rigid motions about it, orthonormal in M.
  rigid = rigid_motions(mesh.nodes);
  momentum = modes.matrices.multiply_mass(rigid);
  const Eigen::LLT<MatX> root(MatX(rigid.transpose() * momentum));
  rigid = root.matrixL().solve(rigid.transpose()).transpose();
  momentum = modes.matrices.multiply_mass(rigid);

  // A shift well below the mean eigenvalue makes K + s M definite and hardly slows the iteration down.
  double stiffness = 0, mass = 0;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    stiffness += modes.matrices.stiffness_diagonal[i].trace();
    mass += 3 * modes.matrices.mass_diagonal[i];
  }
  const SparseCholesky factor = factorise_shifted(modes.matrices, 1e-7 * stiffness / mass);

  // Subspace iteration: Y = (K + s M)^-1 M X, orthogonal to rigid motions, diagonalised.
  const Eigen::Index size = std::min(rows - 6, std::max<Eigen::Index>(2 * count, count + 8));
  MatX X(rows, size);
  std::mt19937 random(1);
  for (Eigen::Index i = 0; i < X.size(); ++i) X.data()[i] = static_cast<double>(random()) / 4294967296.0 - 0.5;
  VecX last = VecX::Zero(size);
  double change_before = 1;
  for (int round = 0;; ++round) {
    MatX Y = modes.matrices.multiply_mass(X);
    for (Eigen::Index j = 0; j < size; ++j) {
      VecX column = Y.col(j);
      factor.solve(column);
      X.col(j) = column;
    }
    remove_rigid(rigid, momentum, X);
    const VecX values = diagonalise(modes.matrices, X);
    const double change = (values - last).head(count).cwiseAbs().cwiseQuotient(values.head(count)).maxCoeff();
    last = values;
    // Rounding keeps the last digits moving: then the changes fall no more.
    if (change < 1e-13 || (change < 1e-9 && change >= change_before) || round == 500) break;
    change_before = change;
  }
  remove_rigid(rigid, momentum, X);

  // Of the two signs of a mode the one with the largest entry positive.
  modes.frequency = last.head(count).cwiseSqrt();
  modes.shape = X.leftCols(count);
  for (Eigen::Index j = 0; j < count; ++j) {
    Eigen::Index at = 0;
    modes.shape.col(j).cwiseAbs().maxCoeff(&at);
    if (modes.shape(at, j) < 0) modes.shape.col(j) *= -1;
  }
  modes.mesh = std::move(mesh);
  return modes;
}

}  // namespace cairn
