// SPDX-License-Identifier: Apache-2.0
// Which contacts of a step are solved as pairs of rigid bodies, beside what cannot be.
//
// Contacts and joints connect bodies to islands; bodies that do not move connect nothing. An island is fast when all its
// bodies are rigid, no force taken implicitly couples them, no joint holds them, and all its contacts are three rows of
// Coulomb's law. So a body, a joint or a material of another kind never changes how islands without it are solved.
#pragma once
#include "cairn/assembly/coupled_mass.h"
#include "cairn/bodies/bodies.h"
#include "cairn/constraints/constraint.h"
#include "cairn/constraints/row_block.h"

namespace cairn {

class FastContacts {
 public:
  void find(const Bodies& bodies, std::span<const RowBlock> joints, std::span<const Constraint> contacts,
            const CoupledMass& coupled);
  bool operator[](std::size_t contact) const { return fast_[contact] != 0; }

 private:
  int root(int body);
  void join(int a, int b);

  std::vector<int> parent_;    ///< of bodies, in trees whose roots are islands
  std::vector<char> general_;  ///< of roots
  std::vector<char> fast_;     ///< of contacts
};

}  // namespace cairn
