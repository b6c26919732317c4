// SPDX-License-Identifier: Apache-2.0
// Sweeps of JORprox and SORprox against the choice of r on Studer's two examples (2009, sections 4.2.7.1 and 4.2.7.2):
// the bar on two bearings and the block on a surface. Writes the tables of docs/prox-iterations.md.
#include "cairn/solvers/study/prox_iteration.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

using namespace cairn;

namespace {

LocalProblem make_problem(const MatX& W, const VecX& b, const std::vector<ConstraintLaw>& laws, int rows) {
  LocalProblem problem;
  problem.law = laws;
  for (std::size_t i = 0; i < laws.size(); ++i) problem.offset.push_back(problem.offset.back() + rows);
  BlockMatrixBuilder builder(problem.offset);
  for (int j = 0; j < W.cols(); ++j)
    for (int i = 0; i < W.rows(); ++i) builder.add(i, j, W(i, j));
  problem.W = builder.finish();
  problem.b = b;
  return problem;
}

/// Bar of 1 kg and 1/12 kg m2 on bearings at 0.5 and 0.1 m, under a force and a torque.
LocalProblem make_bar(double force, double torque) {
  const double a = 0.5, b = 0.1, m = 1, theta = 1.0 / 12;
  MatX H(2, 2);
  H << 1, a, 1, b;
  const Vec2 inverse_mass(1 / m, 1 / theta);
  return make_problem(H * inverse_mass.asDiagonal() * H.transpose(), H * inverse_mass.cwiseProduct(Vec2(force, torque)),
                      {{LawKind::Frictionless}, {LawKind::Frictionless}}, 1);
}

/// Block on two feet with friction 0.3 under the load (Fx, Fy, torque); rows (N, T) of each foot.
LocalProblem make_block(const Vec3& load) {
  const double l = 0.15, h = 0.05, mass = 2.1, inertia = 0.018;
  MatX H(4, 3);
  H << 0, 1, -l, 1, 0, h, 0, 1, l, 1, 0, h;
  const Vec3 inverse_mass(1 / mass, 1 / mass, 1 / inertia);
  return make_problem(H * inverse_mass.asDiagonal() * H.transpose(), H * inverse_mass.cwiseProduct(load),
                      {{LawKind::Coulomb, 0.3}, {LawKind::Coulomb, 0.3}}, 2);
}

/// Sweeps until no impulse changes by more than the tolerance (Studer's criterion "in P"); "-" when it does not settle.
std::string count(const LocalProblem& problem, bool sequential, ProxStep step, double factor, double tolerance) {
  ProxIteration iteration;
  iteration.prepare(problem, step, factor, 1);
  VecX r = VecX::Zero(problem.b.size()), U(problem.b.size());
  for (int sweep = 1; sweep <= 10000; ++sweep) {
    double change = 0, residual = 0;
    if (sequential) {
      change = iteration.sweep_gauss_seidel(r, true, residual);
    } else {
      problem.velocity(r, U);
      change = iteration.sweep_jacobi(U, r);
    }
    if (!r.allFinite()) return "-";
    if (change <= tolerance) {
      problem.velocity(r, U);
      return iteration.residual(U, r) < 1e-4 ? std::to_string(sweep) : "-";
    }
  }
  return "-";
}

}  // namespace

int main() {
  constexpr std::array steps = {ProxStep::Diagonal, ProxStep::RowSum, ProxStep::Block, ProxStep::REqualsG,
                                ProxStep::Spectral};
  constexpr std::array names = {"diagonal", "row-sum", "block", "r-equals-g", "spectral"};
  constexpr std::array<std::array<double, 2>, 4> loads = {{{-0.6, 0.2}, {-1.2, -1}, {0.6, 0}, {-1.2, -0.15}}};
  fmt::print(
      "Bar on two bearings, tolerance 1e-10: sweeps for the four loads\n\n| | step | a | b | c | d "
      "|\n|---|---|---|---|---|---|\n");
  for (const bool sequential : {true, false})
    for (std::size_t s = 0; s < steps.size(); ++s) {
      fmt::print("| {} | {} |", sequential ? "sor-prox" : "jor-prox", names[s]);
      for (const auto& load : loads)
        fmt::print(" {} |", count(make_bar(load[0], load[1]), sequential, steps[s], 1, 1e-10));
      fmt::print("\n");
    }

  const std::array<Vec3, 3> block_loads = {Vec3(2, -20.601, 0), Vec3(12, -20.601, 0), Vec3(0, -20.601, 3.6)};
  fmt::print("\nBlock on a surface, r = omega / W_hh, tolerance 1e-8: sweeps against omega\n\n| | load |");
  constexpr std::array omegas = {0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8};
  for (const double omega : omegas) fmt::print(" {} |", omega);
  fmt::print("\n|---|---|{}\n", [&] {
    std::string line;
    for (std::size_t k = 0; k < omegas.size(); ++k) line += "---|";
    return line;
  }());
  constexpr std::array load_names = {"stick", "slide", "tip"};
  for (const bool sequential : {false, true})
    for (std::size_t l = 0; l < block_loads.size(); ++l) {
      fmt::print("| {} | {} |", sequential ? "sor-prox" : "jor-prox", load_names[l]);
      for (const double omega : omegas)
        fmt::print(" {} |", count(make_block(block_loads[l]), sequential, ProxStep::Diagonal, omega, 1e-8));
      fmt::print("\n");
    }
  return 0;
}
