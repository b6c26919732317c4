// SPDX-License-Identifier: Apache-2.0
// Impacts by themselves, before the step goes on from the velocities after them (Studer 2009, section 3.7).
//
//   sequential  one pair at a time, the fastest first, each by Newton's law with friction, until nothing approaches:
//               U_N+ = -e U_N- at that pair, whatever the others do
//   poisson     all at once, in two phases: compression  0 <= U_N^C _|_ p^C >= 0, then expansion
//               0 <= U_N^E _|_ p^E - e p^C >= 0, with friction |p_T| <= mu p_N in each phase
// Friction of blows is Coulomb's, whatever the law of the contact adds to it. Joints keep their rates through impacts.
// Newton's law for all pairs at once needs no stage: it is part of the step.
#pragma once
#include "cairn/assembly/step_report.h"
#include "cairn/constraints/row_block.h"
#include "cairn/constraints/system.h"
#include "cairn/problem/local_problem.h"

namespace cairn {

/// Several impacts in one step: Newton's law in one problem for all, pair by pair, or Poisson's law for all.
enum class ImpactRule { Simultaneous, Sequential, Poisson };

struct ImpactReport {
  bool hit = false;       ///< whether there was an impact that bounces; otherwise nothing was done
  bool converged = true;  ///< whether its law is met
};

class ImpactStage {
 public:
  /// Contacts (with U_begin) that are closed and approach are hit; u becomes the velocity after the impacts, `impulses`
  /// has one entry per contact.
  ImpactReport apply(ImpactRule rule, const Bodies& bodies, const VecX& q, const FreeMotion& free,
                     std::span<const RowBlock> joints, std::span<const Constraint> contacts, Solver& solver, VecX& u,
                     std::vector<Vec3>& impulses, Work& work);

 private:
  void gather(const Bodies& bodies, const VecX& q, const FreeMotion& free, std::span<const RowBlock> joints,
              std::span<const Constraint> contacts);
  bool sequential();
  bool poisson(Solver& solver);
  void add_impulse(std::size_t block, const VecX& p);
  Vec3 at(std::size_t block, const VecX& x) const;

  std::vector<RowBlock> joints_;
  std::vector<Constraint> hit_;     ///< closed contacts
  std::vector<std::size_t> place_;  ///< of each among all contacts
  LocalProblem problem_;
  LocalRows rows_;
  VecX U_, r_;
};

}  // namespace cairn
