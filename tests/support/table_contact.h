// SPDX-License-Identifier: Apache-2.0
// A contact of one's own for tests: the plane z = 0 and the centre of a body, which is thus a point mass on a table.
#pragma once
#include "cairn/constraints/own_contact.h"

namespace cairn {

class Table final : public OwnContact {
 public:
  Table(int body, const ContactLaw& law) : body_(body), law_(law) {}
  const ContactLaw& law() const override { return law_; }
  int rows() const override { return law_.kind == LawKind::Frictionless ? 1 : 3; }
  double gap(const Bodies& bodies, const VecX& q, double) const override { return q[bodies.slot(body_).q + 2]; }
  void fill_rows(const Bodies& bodies, const VecX& q, double, RowBlock& block) const override {
    block.rows = rows();
    RowSide* side = block.add_side(bodies.centre(body_, q));
    for (int l = 0; l < block.rows; ++l) side->linear(l, (l + 2) % 3) = 1;
  }

 private:
  int body_;
  ContactLaw law_;
};

}  // namespace cairn
