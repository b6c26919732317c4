// SPDX-License-Identifier: Apache-2.0
// The length of one bar of a bar chain (bodies/bar_chain.h) as a joint of one's own, with exact geometric stiffness.
//
//   g = |d| - L, d = Q - P, e = d/|d|;   H = [-e' e'];   K = lambda/|d| (1 - e e') (x) [1 -1; -1 1]
// lambda < 0 in tension, so that -h^2 K is not negative; a bar in compression softens (Hewlett 2020, chapter 3).
#pragma once
#include "cairn/bodies/bar_chain.h"
#include "cairn/constraints/geometric_stiffness.h"

#include <memory>

namespace cairn {

class BarLength final : public StiffOwnJoint {
 public:
  /// `body`: of the chain among all bodies; `bar`: of the chain's bars. Its length is that at the start.
  BarLength(int body, std::shared_ptr<const BarChain> chain, std::size_t bar);
  double length() const { return length_; }
  int rows() const override { return 1; }
  RowVector error(const Bodies& bodies, const VecX& q, double time) const override;
  void fill_rows(const Bodies& bodies, const VecX& q, double time, RowBlock& block) const override;
  void add_stiffness(const Bodies& bodies, const VecX& q, double time, const RowVector& lambda,
                     StiffnessEntries& K) const override;

 private:
  Vec3 along(const Bodies& bodies, const VecX& q) const;

  int body_, from_, to_;
  std::shared_ptr<const BarChain> chain_;
  double length_;
};

}  // namespace cairn
