// SPDX-License-Identifier: Apache-2.0
// M^ where forces taken implicitly couple bodies: M + h/2 D + h^2/4 K (Studer 2009, eq. 5.30 with alpha = beta = 1/2).
//
// Bodies joined by such forces form islands; each has one sparse factorisation. K and D enter by what is symmetric and
// not negative of each element, so M^ is positive definite whatever the forces do. The rest of K matters at third order
// in h only; the rest of D is left to the caller (step_forces.h).
#pragma once
#include "cairn/constraints/force_element.h"
#include "cairn/math/sparse_cholesky.h"

#include <vector>

namespace cairn {

/// The symmetric part of a matrix without its negative eigenvalues.
MatX positive_part(const MatX& A);

class CoupledMass {
 public:
  void clear() { islands_.clear(), island_of_.clear(), added_.clear(); }
  bool empty() const { return added_.empty(); }

  /// Adds S, square over the velocities of the one or two bodies (those of ForceTangent); it must not be negative.
  void add(const ForceTangent& on, MatX S);
  /// Factors M^ with the masses of the free motion. All that was added is in it then.
  void factor(const Bodies& bodies, const FreeMotion& free);

  /// u_free becomes that of M^ in place of M: u + M^^-1 M (u_free - u).
  void correct(const Bodies& bodies, const VecX& u_begin, VecX& u_free) const;
  /// The impulse -S (u_end - u_begin) of what was added.
  void add_impulse(const Bodies& bodies, const VecX& u_begin, const VecX& u_end, VecX& impulse) const;

  /// Bodies that move with one another: which island a body is in, or -1.
  int island_of(int body) const { return island_of_.empty() ? -1 : island_of_[static_cast<std::size_t>(body)]; }
  std::span<const int> bodies_of(int island) const { return islands_[static_cast<std::size_t>(island)].bodies; }
  /// First place of each of these bodies in vectors of the island, and their length.
  std::span<const int> places_of(int island) const { return islands_[static_cast<std::size_t>(island)].start; }
  /// x = M^^-1 x over the island.
  void solve(int island, VecX& x) const { islands_[static_cast<std::size_t>(island)].factor.solve(x); }

 private:
  struct Added {
    std::array<int, 2> body, size;
    MatX S;
  };
  struct Island {
    std::vector<int> bodies, sizes, start;  ///< start: one more than bodies
    std::vector<MatX> mass;                 ///< M of each body
    std::vector<std::pair<int, int>> pairs;
    SparseCholesky factor;
  };
  std::vector<Added> added_;
  std::vector<Island> islands_;
  std::vector<int> island_of_, node_of_;  ///< by body
};

}  // namespace cairn
