// SPDX-License-Identifier: Apache-2.0
// All solvers by name; what stands in study/ repeats published comparisons.
#include "cairn/solvers/auto_solver.h"
#include "cairn/solvers/study/admm.h"
#include "cairn/solvers/study/apgd.h"
#include "cairn/solvers/study/block_pivoting.h"
#include "cairn/solvers/study/exact_regularisation.h"
#include "cairn/solvers/study/extragradient.h"
#include "cairn/solvers/study/newton.h"
#include "cairn/solvers/study/pgs_lcp.h"
#include "cairn/solvers/study/prox_iteration.h"
#include "cairn/solvers/study/spectral_gradient.h"
#include "cairn/solvers/study/staggered_projections.h"

namespace cairn {

const Registry<Solver>& solvers() {
  static const Registry<Solver> registry = [] {
    Registry<Solver> r("solver");
    r.add<AutoSolver>(
        "auto",
        "sweeps, then interior point and proximal Newton, or sweeps to the end for what is too large; the default",
        Tier::Core);
    r.add<GaussSeidel>("gauss-seidel",
                       "block Gauss-Seidel with the exact solution of each contact; robust for any rank of W",
                       Tier::Core);
    r.add<ProximalNewton>("proximal-newton",
                          "proximal point over semismooth Newton with sparse factorisation; accurate on stacks",
                          Tier::Specialist);
    r.add<InteriorPoint>(
        "interior-point",
        "second-order-cone interior point with De Saxce's shift inside; few iterations on hyperstatic problems",
        Tier::Specialist);
    r.add<Lemke>("lemke", "complementary pivoting with facets that turn to the sliding directions; small problems",
                 Tier::Specialist);
    r.add<Newton>("newton", "semismooth Newton in contact space: Alart-Curnier and other functions, Koziara's variants",
                  Tier::Study);
    r.add<StaggeredProjections>("staggered-projections",
                                "Kaufman's alternation of a contact and a friction projection, each a convex program",
                                Tier::Study);
    r.add<Admm>("admm", "proximal ADMM on the true cone with a cached factorisation and spectral step", Tier::Study);
    r.add<Apgd>("apgd", "accelerated projected gradient (Nesterov) with restart", Tier::Study);
    r.add<SpectralGradient>("spectral-gradient", "projected gradient with Barzilai-Borwein steps", Tier::Study);
    r.add<Extragradient>("extragradient",
                         "two projections per iteration with a step that adapts itself; slow, never diverges",
                         Tier::Study);
    r.add<SorProx>("sor-prox", "Gauss-Seidel form of the prox iteration, with Studer's choices of r", Tier::Study);
    r.add<JorProx>("jor-prox", "Jacobi form of the prox iteration, with Studer's choices of r", Tier::Study);
    r.add<ExactRegularisation>("exact-regularisation", "Studer's augmented prox iteration with exact regularisation",
                               Tier::Study);
    r.add<BlockPivoting>("block-pivoting",
                         "Judice and Pires' block principal pivoting with box friction; small problems", Tier::Study);
    r.add<PgsLcp>("pgs-lcp",
                  "projected Gauss-Seidel on box or pyramid friction: the workhorse of games, with its true residual",
                  Tier::Study);
    return r;
  }();
  return registry;
}

}  // namespace cairn
