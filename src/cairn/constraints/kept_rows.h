// SPDX-License-Identifier: Apache-2.0
// Where the impulse of each row of joints, laws on their coordinates and the user's own is kept from step to step.
#pragma once
#include "cairn/constraints/system.h"

namespace cairn {

/// Index in WarmStart::joints: joints, then laws, own joints and own contacts, each in the order of the system.
class KeptRows {
 public:
  void set(const System& system);
  int first(const RowOwner& owner) const;
  int size() const { return size_; }

 private:
  std::vector<int> joint_, law_, own_joint_, own_contact_;
  int size_ = 0;
};

}  // namespace cairn
