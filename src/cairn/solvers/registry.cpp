// SPDX-License-Identifier: Apache-2.0
// All solvers by name.
#include "cairn/solvers/admm.h"
#include "cairn/solvers/apgd.h"
#include "cairn/solvers/auto_solver.h"
#include "cairn/solvers/block_pivoting.h"
#include "cairn/solvers/exact_regularisation.h"
#include "cairn/solvers/extragradient.h"
#include "cairn/solvers/newton.h"
#include "cairn/solvers/pgs_lcp.h"
#include "cairn/solvers/prox_iteration.h"
#include "cairn/solvers/spectral_gradient.h"
#include "cairn/solvers/staggered_projections.h"

namespace cairn {

const Registry<Solver>& solvers() {
  static const Registry<Solver> registry = [] {
    Registry<Solver> r("solver");
    r.add<AutoSolver>(
        "auto",
        "sweeps, then interior point and proximal Newton, or sweeps to the end for what is too large; the default");
    r.add<GaussSeidel>("gauss-seidel",
                       "block Gauss-Seidel with the exact solution of each contact; robust for any rank of W");
    r.add<ProximalNewton>("proximal-newton",
                          "proximal point over semismooth Newton with sparse factorisation; accurate on stacks");
    r.add<InteriorPoint>(
        "interior-point",
        "second-order-cone interior point with De Saxce's shift inside; few iterations on hyperstatic problems");
    r.add<Newton>("newton",
                  "semismooth Newton in contact space: Alart-Curnier and other functions, Koziara's variants");
    r.add<StaggeredProjections>("staggered-projections",
                                "Kaufman's alternation of a contact and a friction projection, each a convex program");
    r.add<Admm>("admm", "proximal ADMM on the true cone with a cached factorisation and spectral step");
    r.add<Apgd>("apgd", "accelerated projected gradient (Nesterov) with restart");
    r.add<SpectralGradient>("spectral-gradient", "projected gradient with Barzilai-Borwein steps");
    r.add<Extragradient>("extragradient",
                         "two projections per iteration with a step that adapts itself; slow, never diverges");
    r.add<SorProx>("sor-prox", "Gauss-Seidel form of the prox iteration, with Studer's choices of r");
    r.add<JorProx>("jor-prox", "Jacobi form of the prox iteration, with Studer's choices of r");
    r.add<ExactRegularisation>("exact-regularisation", "Studer's augmented prox iteration with exact regularisation");
    r.add<Lemke>("lemke", "complementary pivoting with facets that turn to the sliding directions; small problems");
    r.add<BlockPivoting>("block-pivoting",
                         "Judice and Pires' block principal pivoting with box friction; small problems");
    r.add<PgsLcp>("pgs-lcp",
                  "projected Gauss-Seidel on box or pyramid friction: the workhorse of games, with its true residual");
    return r;
  }();
  return registry;
}

}  // namespace cairn
