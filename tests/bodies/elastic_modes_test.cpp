// SPDX-License-Identifier: Apache-2.0
// Modes of a free mesh against dense eigenvalues, beam theory and what rigid motions and uniform strains demand.
#include "cairn/bodies/elastic_modes.h"

#include "cairn/base/error.h"

#include <gtest/gtest.h>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

namespace cairn {
namespace {

const Vec3 half(0.5, 0.04, 0.05);
const ElasticMaterial steel_like{.density = 7800, .young = 2e11, .poisson = 0.3};

MatX dense_mass(const ElasticMatrices& m) {
  const auto n = 3 * static_cast<Eigen::Index>(m.mass_diagonal.size());
  return m.multiply_mass(MatX::Identity(n, n));
}

MatX dense_stiffness(const ElasticMatrices& m) {
  const auto n = 3 * static_cast<Eigen::Index>(m.mass_diagonal.size());
  return m.multiply_stiffness(MatX::Identity(n, n));
}

TEST(ElasticModes, frequencies_are_the_dense_eigenvalues_of_the_mesh) {
  const ElasticModes modes = compute_elastic_modes(make_box_tets(half, {6, 1, 1}), steel_like, 12);
  const MatX M = dense_mass(modes.matrices), K = dense_stiffness(modes.matrices);
  const Eigen::LLT<MatX> root(M);
  MatX A = root.matrixL().solve(K);
  A = root.matrixL().solve(A.transpose()).eval();
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(0.5 * (A + A.transpose()), Eigen::EigenvaluesOnly);
  for (int k = 0; k < 6; ++k) EXPECT_LT(std::abs(eigen.eigenvalues()[k]), 1e-9 * eigen.eigenvalues()[6]);
  for (int k = 0; k < 12; ++k) EXPECT_NEAR(modes.frequency[k] / std::sqrt(eigen.eigenvalues()[6 + k]), 1, 1e-10) << k;
}

TEST(ElasticModes, shapes_are_orthonormal_and_carry_no_momentum) {
  const ElasticModes modes = compute_elastic_modes(make_box_tets(half, {4, 1, 2}), steel_like, 10);
  const MatX M_shape = modes.matrices.multiply_mass(modes.shape);
  EXPECT_LT((modes.shape.transpose() * M_shape - MatX::Identity(10, 10)).norm(), 1e-12);
  const MatX reduced = modes.shape.transpose() * modes.matrices.multiply_stiffness(modes.shape);
  const VecX squares = modes.frequency.cwiseAbs2();
  EXPECT_LT((reduced - MatX(squares.asDiagonal())).norm(), 1e-10 * squares.maxCoeff());
  for (int k = 0; k < 10; ++k) {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    double size = 0;
    for (std::size_t i = 0; i < modes.mesh.nodes.size(); ++i) {
      const Vec3 p = M_shape.col(k).segment<3>(3 * static_cast<Eigen::Index>(i));
      linear += p, angular += modes.mesh.nodes[i].cross(p), size += p.norm();
    }
    EXPECT_LT(linear.norm(), 1e-14 * size) << k;
    EXPECT_LT(angular.norm(), 1e-14 * size) << k;
  }
}

TEST(ElasticModes, a_slender_beam_bends_at_the_frequency_of_beam_theory) {
  // Euler and Bernoulli: omega = (4.730040744862704 / L)^2 sqrt(E I / (rho A)), less shear and rotary inertia, which
  // lower it by a few times (thickness / L)^2.
  const Vec3 slender(0.5, 0.01, 0.0125);
  const ElasticModes modes =
      compute_elastic_modes(make_box_tets(slender, {8, 1, 1}), {.density = 1000, .young = 1e9, .poisson = 0}, 2);
  for (int k = 0; k < 2; ++k) {
    const double radius = 2 * slender[1 + k] / std::sqrt(12.0);
    const double beam = std::pow(4.730040744862704, 2) * radius * std::sqrt(1e9 / 1000);
    EXPECT_NEAR(modes.frequency[k] / beam, 1, 0.01);
  }
  EXPECT_NEAR(modes.mass, 1000 * 8 * slender.prod(), 1e-12);
}

TEST(ElasticModes, uniform_strain_costs_what_the_material_says) {
  TetMesh mesh = make_box_tets(half, {2, 1, 1});
  const double E = 5, nu = 0.25, lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), mu = E / (2 + 2 * nu);
  const ElasticMatrices m = assemble_elastic(mesh, {.density = 1, .young = E, .poisson = nu});
  Mat3 G;
  G << 0.3, -0.1, 0.2, 0.5, 0.4, -0.6, 0.1, 0.7, -0.2;
  VecX u(3 * static_cast<Eigen::Index>(mesh.nodes.size()));
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    u.segment<3>(3 * static_cast<Eigen::Index>(i)) = G * mesh.nodes[i];
  const Mat3 strain = 0.5 * (G + G.transpose());
  const double expected =
      8 * half.prod() * (0.5 * lambda * strain.trace() * strain.trace() + mu * strain.squaredNorm());
  EXPECT_NEAR(0.5 * u.dot(m.multiply_stiffness(u).col(0)), expected, 1e-13);
  // Second moments of the box, in the mass: integral of (G X)^2.
  const Vec3 moments = 8 * half.prod() / 3 * half.cwiseAbs2();
  EXPECT_NEAR(u.dot(m.multiply_mass(u).col(0)), (G * moments.asDiagonal() * G.transpose()).trace(), 1e-14);
}

TEST(ElasticModes, what_has_no_modes_is_refused) {
  const TetMesh mesh = make_box_tets(half, {1, 1, 1});
  EXPECT_THROW(compute_elastic_modes(mesh, {.density = 0}, 3), Error);
  EXPECT_THROW(compute_elastic_modes(mesh, {.young = -1}, 3), Error);
  EXPECT_THROW(compute_elastic_modes(mesh, {.poisson = 0.5}, 3), Error);
  EXPECT_THROW(compute_elastic_modes(mesh, {}, 0), Error);
  EXPECT_THROW(compute_elastic_modes(mesh, {}, 76), Error);
}

}  // namespace
}  // namespace cairn
