// SPDX-License-Identifier: Apache-2.0
// What a contact problem is like, in numbers: size, rank, symmetry, coupling. What `cairn info` shows.
#pragma once
#include "cairn/io/problem_file.h"

#include <optional>

namespace cairn {

struct ProblemFacts {
  int constraints = 0, contacts = 0, equations = 0, intervals = 0, unknowns = 0;
  std::optional<int> dofs;                     ///< of the bodies; of a local problem only where its file tells
  double friction_low = 0, friction_high = 0;  ///< of Coulomb and rolling laws
  double rolling_low = 0, rolling_high = 0;    ///< [m]
  std::optional<int> rank;                     ///< of W: singular values above 1e-10 of the largest
  double asymmetry = 0;                        ///< max |W - W'| / max |W|
  long long blocks = 0;                        ///< non-zero blocks of W
  double density = 0;                          ///< their share of all
  int islands = 0;                             ///< groups of constraints that W couples
  std::optional<double> guess_residual, solution_residual;  ///< scaled
};

/// The rank is computed (a dense SVD) for at most `max_rank_unknowns` unknowns.
ProblemFacts find_facts(const ProblemFile& file, int max_rank_unknowns = 1000);

}  // namespace cairn
