// SPDX-License-Identifier: Apache-2.0
// Body and contacts of the woodpecker toy; data of Studer's spec, section 9.2.
#include "woodpecker_toy.h"

namespace cairn::validation {
namespace {

constexpr double m_M = 0.0003, m_S = 0.0045, J_M = 5e-9, J_S = 7e-7, c = 0.0056;  // kg, kg m^2, N m/rad
constexpr double r_O = 0.0025, r_M = 0.0031, h_M = 0.0058, l_M = 0.010, l_G = 0.015, h_S = 0.02, l_S = 0.0201;  // m

/// Small angles: the mass matrix is constant, forces are linear.
class Woodpecker final : public Body {
 public:
  Woodpecker(const Vec3& q0, const Vec3& u0) : q0_(q0), u0_(u0) {
    M_ << m_S + m_M, m_S * l_M, m_S * l_G,                  //
        m_S * l_M, J_M + m_S * l_M * l_M, m_S * l_M * l_G,  //
        m_S * l_G, m_S * l_M * l_G, J_S + m_S * l_G * l_G;
    weight_ = Vec3(m_S + m_M, m_S * l_M, m_S * l_G);
  }
  std::string_view kind() const override { return "woodpecker"; }
  int nq() const override { return 3; }
  int nu() const override { return 3; }
  void initial(MutVec q, MutVec u) const override { q = q0_, u = u0_; }
  BodyStatus evaluate(const BodyState& at, Terms wanted, BodyTerms& terms) const override {
    if (wants(wanted, Terms::Mass)) terms.mass = M_;
    const double moment = c * (at.q[1] - at.q[2]);
    if (wants(wanted, Terms::Force)) terms.force = at.gravity.z() * weight_ + Vec3(0, -moment, moment);
    return BodyStatus::Ok;
  }
  SparseRows point_rows(ConstVec, const MaterialPoint&, RowArena& arena) const override {
    const SparseRows rows = arena.rows(3, 0, 1);  // no shapes: the contacts speak of the coordinates themselves
    rows.J()(2, 0) = 1;
    return rows;
  }
  Placement placement(ConstVec q) const override { return {Mat3::Identity(), Vec3(0, 0, q[0])}; }
  Energy energy(ConstVec q, ConstVec u, const Vec3& gravity) const override {
    Energy e;
    e.kinetic = 0.5 * u.dot(M_ * u);
    e.gravity = -gravity.z() * weight_.dot(q);
    e.elastic = 0.5 * c * (q[1] - q[2]) * (q[1] - q[2]);
    return e;
  }

 private:
  Vec3 q0_, u0_, weight_;
  Mat3 M_;
};

/// g = g_0 + w_N q with sliding along w_T.
class ToyContact final : public OwnContact {
 public:
  ToyContact(int body, double gap, const Vec3& normal, const Vec3& tangent, double restitution)
      : body_(body), gap_(gap), rows_(2, 3), law_{.friction = 0.3, .restitution = restitution} {
    rows_ << normal.transpose(), tangent.transpose();
  }
  const ContactLaw& law() const override { return law_; }
  int rows() const override { return 2; }
  double gap(const Bodies& bodies, const VecX& q, double) const override {
    return gap_ + rows_.row(0) * q.segment<3>(bodies.slot(body_).q);
  }
  void fill_rows(const Bodies&, const VecX&, double, RowBlock& block) const override {
    block.rows = 2;
    block.add_side(body_)->own = rows_;
  }

 private:
  int body_;
  double gap_;
  MatX rows_;
  ContactLaw law_;
};

}  // namespace

Model make_woodpecker(const Vec3& q0, const Vec3& u0) {
  Model model;
  const int toy = model.add_body({.name = "woodpecker", .body = std::make_shared<Woodpecker>(q0, u0)}).value;
  const auto add = [&](double gap, const Vec3& normal, const Vec3& tangent, double restitution) {
    model.add_own_contact(std::make_shared<ToyContact>(toy, gap, normal, tangent, restitution));
  };
  add(l_M + l_G - l_S - r_O, {0, 0, -h_S}, {1, l_M, l_G - l_S}, 0.5);
  add(r_M - r_O, {0, h_M, 0}, {1, r_M, 0}, 0);
  add(r_M - r_O, {0, -h_M, 0}, {1, r_M, 0}, 0);
  return model;
}

}  // namespace cairn::validation
