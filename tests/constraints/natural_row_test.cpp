// SPDX-License-Identifier: Apache-2.0
// Rows of joints in natural coordinates: the errors of joint.h, their rates, and exact second derivatives.
#include "cairn/constraints/natural_row.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

/// Two rigid bodies (or one and the world) somewhere, moving, and a joint between them that does not quite hold.
struct Case {
  Bodies bodies;
  Joint joint;
  VecX q, u, s;

  Case(JointKind kind, bool world, unsigned seed) {
    std::srand(seed);
    const auto add = [&] {
      RigidSpec spec;
      spec.position = Vec3::Random();
      spec.orientation = Quat(Eigen::Vector4d::Random().normalized());
      spec.velocity = Vec3::Random();
      spec.angular_velocity = Vec3::Random();
      return bodies.add_rigid(spec).value;
    };
    joint.kind = kind;
    joint.body_a = add();
    joint.body_b = world ? -1 : add();
    joint.length = 0.7;
    joint.pitch = 0.3;
    bodies.initial(q, u);
    const Mat3 axes = Quat(Eigen::Vector4d::Random().normalized()).toRotationMatrix();
    const Vec3 point = Vec3::Random();
    const auto frame = [&](int body, const Vec3& x, const Mat3& R) -> JointFrame {
      if (body < 0) return {x, R};
      const Placement place = bodies.placement(body, q);
      return {place.A.transpose() * (x - place.c), place.A.transpose() * R};
    };
    joint.frame_b = frame(joint.body_b, point, axes);
    const Vec3 turn = 0.3 * Vec3::Random();
    const double apart = kind == JointKind::Distance ? 0.8 : 0.2;
    joint.frame_a = frame(joint.body_a, point + apart * Vec3::Random().normalized(),
                          Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix() * axes);
    s.setZero(static_cast<Eigen::Index>(joint_info(kind).coordinates.size()));
    follow_coordinates(std::span(&joint, 1), bodies, q, s);
  }

  FramePair places() const {
    FramePair Y;
    Y << place_of(joint.body_a), place_of(joint.body_b);
    return Y;
  }
  FramePair rates() const {
    FramePair Y;
    Y << rate_of(joint.body_a), rate_of(joint.body_b);
    return Y;
  }

 private:
  Frame place_of(int body) const { return body < 0 ? world_frame() : natural_place(bodies.placement(body, q)); }
  Frame rate_of(int body) const {
    return body < 0 ? Frame(Frame::Zero()) : natural_rate(place_of(body), u.segment<6>(bodies.slot(body).u));
  }
};

template <class Check>
void for_every_joint(Check&& check) {
  unsigned seed = 1;
  for (const JointInfo& info : joint_infos())
    for (const bool world : {false, true}) {
      SCOPED_TRACE(::testing::Message() << info.name << (world ? " to the world" : ""));
      check(Case(info.kind, world, ++seed), info);
    }
}

Vec24 stacked(const FramePair& Y) { return Eigen::Map<const Vec24>(Y.data()); }
FramePair framed(const Vec24& Y) { return Eigen::Map<const FramePair>(Y.data()); }

/// Value, gradient and Hessian of a sum of terms of one joint are held to differences.
void check_derivatives(const NaturalTerms& terms, const Case& c) {
  const auto gradient = [&](const FramePair& Y) {
    Vec24 sum = Vec24::Zero();
    for (const NaturalTerm& term : terms) sum += stacked(term.evaluate(Y, c.s).gradient);
    return sum;
  };
  const auto value = [&](const FramePair& Y) {
    double sum = 0;
    for (const NaturalTerm& term : terms) sum += term.evaluate(Y, c.s).value;
    return sum;
  };
  const FramePair Y = c.places();
  Mat24 H = Mat24::Zero();
  double curvature = 0;
  for (const NaturalTerm& term : terms) {
    term.add_hessian(Y, 1, H);
    curvature += term.curvature(Y, c.rates());
  }
  const double d = 1e-5;
  for (int i = 0; i < 24; ++i) {
    const Vec24 e = d * Vec24::Unit(i);
    const FramePair up = framed(stacked(Y) + e), down = framed(stacked(Y) - e);
    EXPECT_NEAR((value(up) - value(down)) / (2 * d), gradient(Y)[i], 1e-8) << i;
    EXPECT_LT(((gradient(up) - gradient(down)) / (2 * d) - H.col(i)).norm(), 1e-7) << i;
  }
  EXPECT_LT((H - H.transpose()).norm(), 1e-13);
  EXPECT_NEAR(curvature, stacked(c.rates()).dot(H * stacked(c.rates())), 1e-12);
}

TEST(NaturalRow, values_and_rates_are_those_of_the_joint) {
  for_every_joint([](const Case& c, const JointInfo& info) {
    const PlacedJoint at = place(c.joint, c.bodies, c.q);
    const RowVector error = joint_error(c.joint, at, c.s);
    RowBlock block;
    fill_rows(c.joint, at, block);
    const RowVector rate = row_velocity(c.bodies, c.q, c.u, block);
    const auto rows = natural_rows(c.joint);
    ASSERT_EQ(rows.size(), info.rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double value = c.joint.kind == JointKind::Distance ? -c.joint.length : 0, speed = 0;
      for (const NaturalTerm& term : rows[i]) {
        const TermValue v = term.evaluate(c.places(), c.s);
        value += v.value;
        speed += v.gradient.cwiseProduct(c.rates()).sum();
      }
      EXPECT_NEAR(value, error[static_cast<int>(i)], 1e-13) << i;
      EXPECT_NEAR(speed, rate[static_cast<int>(i)], 1e-13) << i;
    }
  });
}

TEST(NaturalRow, derivatives_match_differences_for_every_joint_and_coordinate) {
  for_every_joint([](const Case& c, const JointInfo& info) {
    for (const NaturalTerms& terms : natural_rows(c.joint)) check_derivatives(terms, c);
    for (std::size_t k = 0; k < info.coordinates.size(); ++k) {
      CoordinateLaw law;
      law.terms = {{.joint = 0, .coordinate = static_cast<int>(k), .factor = 1.7}};
      check_derivatives(natural_coordinate(law, std::span(&c.joint, 1)), c);
    }
  });
}

TEST(NaturalRow, rigid_bodies_meet_their_six_equations) {
  const Case c(JointKind::Ball, true, 7);
  const auto terms = rigidity_terms(0);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(terms[k].evaluate(c.places(), c.s).value, rigidity_constants[k], 1e-15);
    EXPECT_NEAR(terms[k].evaluate(c.places(), c.s).gradient.cwiseProduct(c.rates()).sum(), 0, 1e-15);
    check_derivatives({terms[k]}, c);
  }
}

TEST(NaturalRow, angles_count_turns) {
  Case c(JointKind::Revolute, true, 11);
  CoordinateLaw law;
  law.terms = {{.joint = 0}};
  const NaturalTerms terms = natural_coordinate(law, std::span(&c.joint, 1));
  const double angle = c.s[0];
  c.s[0] += 4 * EIGEN_PI + 0.1;
  EXPECT_NEAR(terms[0].evaluate(c.places(), c.s).value, angle + 4 * EIGEN_PI, 1e-13);
}

}  // namespace
}  // namespace cairn
