// SPDX-License-Identifier: Apache-2.0
// The contact of a point mass with a table.
#include "point_on_table.h"

namespace cairn::validation {
namespace {

/// The plane z = 0 for the centre of a body: a point mass on a table.
class Table final : public OwnContact {
 public:
  Table(int body, const ContactLaw& law) : body_(body), law_(law) {}
  const ContactLaw& law() const override { return law_; }
  int rows() const override { return law_.kind == LawKind::Frictionless ? 1 : 3; }
  double gap(const Bodies& bodies, const VecX& q, double) const override { return q[bodies.slot(body_).q + 2]; }
  void fill_rows(const Bodies& bodies, const VecX& q, double, RowBlock& block) const override {
    block.rows = rows();
    RowSide* side = block.add_side(bodies.centre(body_, q));
    for (int l = 0; l < block.rows; ++l) side->linear(l, (l + 2) % 3) = 1;  // z, x, y
  }

 private:
  int body_;
  ContactLaw law_;
};

}  // namespace

BodyId add_point_on_table(Model& model, const ContactLaw& law, const Vec3& position, const Vec3& velocity) {
  const BodyId point = model.add_rigid(
      {.name = "point", .position = position, .velocity = velocity, .mass = 1, .inertia = Mat3(Mat3::Identity())});
  model.add_own_contact(std::make_shared<Table>(point.value, law));
  return point;
}

}  // namespace cairn::validation
