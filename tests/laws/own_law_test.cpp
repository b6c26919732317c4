// SPDX-License-Identifier: Apache-2.0
// Laws that a program adds, with friction given by the projection on its set and by its support function: they must be
// what the library's own laws are where the sets are the same, and laws in their own words where they are not.
#include "cairn/base/error.h"
#include "laws/own_laws.h"

#include <gtest/gtest.h>

#include <random>

namespace cairn {
namespace {

using test::own_coulomb;
using test::own_skin;

VecX draw(std::mt19937& rng, int n) {
  std::normal_distribution<double> d;
  return VecX::NullaryExpr(n, [&] { return d(rng); });
}

TEST(OwnLaw, a_disc_given_as_a_set_is_coulombs_law) {
  std::mt19937 rng(1);
  for (const double mu : {0.0, 0.1, 0.7, 5.0}) {
    const ConstraintLaw coulomb{.mu = mu}, own{.kind = own_coulomb(), .mu = mu};
    EXPECT_TRUE(own.is_cone() && own.has_normal() && !own.has_parts() && !own.is_planar() && !own.is_one_cone());
    for (int trial = 0; trial < 300; ++trial) {
      const Vec3 x = draw(rng, 3), U = draw(rng, 3);
      Vec3 p, q, g, f;
      project(coulomb, 3, x.data(), p.data());
      project(own, 3, x.data(), q.data());
      EXPECT_LT((p - q).norm(), 2e-15 * (1 + mu)) << mu << " at " << x.transpose();
      project_by_parts(coulomb, 3, x.data(), p.data());
      project_by_parts(own, 3, x.data(), q.data());
      EXPECT_LT((p - q).norm(), 2e-15 * (1 + mu));
      EXPECT_NEAR(velocity_shift(coulomb, 3, U.data()), velocity_shift(own, 3, U.data()), 1e-14);
      EXPECT_NEAR(natural_map(coulomb, 3, U.data(), x.data(), 0.3, p.data()),
                  natural_map(own, 3, U.data(), x.data(), 0.3, q.data()), 1e-13);
      velocity_shift_gradient(coulomb, 3, U.data(), g.data());
      velocity_shift_gradient(own, 3, U.data(), f.data());
      EXPECT_LT((g - f).norm(), 1e-9 * (1 + mu));  // differences
      Mat3 D, E, S;
      project_derivative(coulomb, 3, x.data(), D.data());
      project_derivative(own, 3, x.data(), E.data());
      project_derivative_root(own, 3, x.data(), S.data());
      EXPECT_LT((D - E).norm(), 1e-6) << mu << " at " << x.transpose();
      EXPECT_LT((S * S - E).norm(), 1e-14);
      if (D.isZero(0) || D.isIdentity(0)) {
        EXPECT_EQ(D, E);
      }
      project_by_parts_derivative(coulomb, 3, x.data(), D.data());
      project_by_parts_derivative(own, 3, x.data(), E.data());
      EXPECT_LT((D - E).norm(), 1e-6);
      if (x[0] > 0) {
        EXPECT_EQ(is_at_friction_limit(coulomb, x[0], x), is_at_friction_limit(own, x[0], x));
      }
    }
  }
}

TEST(OwnLaw, members_come_back_bit_for_bit_and_no_member_is_on_the_other_side_of_a_projection) {
  std::mt19937 rng(2);
  const ConstraintLaw law{.kind = own_skin(), .mu = 0.1, .mu_2 = 0.5};
  for (int trial = 0; trial < 500; ++trial) {
    const Vec3 x = draw(rng, 3);
    Vec3 p, q;
    project(law, 3, x.data(), p.data());
    EXPECT_LE(std::hypot(p[1] - 0.2 * p[0], p[2]), 0.3 * p[0] + 1e-15);
    for (int other = 0; other < 30; ++other) {  // members by the definition of the set
      const Vec2 within = 0.3 * std::uniform_real_distribution<double>()(rng) * draw(rng, 2).normalized();
      const double n = std::abs(draw(rng, 1)[0]);
      const Vec3 z = n * Vec3(1, 0.2 + within[0], within[1]);
      EXPECT_LE((x - p).dot(z - p), 1e-14 * (1 + z.norm()));
      project(law, 3, z.data(), q.data());
      EXPECT_EQ(q, z);
    }
  }
}

TEST(OwnLaw, friction_of_a_ski_depends_on_the_direction_in_which_it_slides) {
  // r_T = -mu r_N forwards, +mu_2 r_N backwards; across it the point of the disc with the most power.
  const ConstraintLaw law{.kind = own_skin(), .mu = 0.1, .mu_2 = 0.5};
  const Vec3 forwards(0, 2, 0), backwards(0, -2, 0), r_forwards(3, -0.3, 0), r_backwards(3, 1.5, 0);
  EXPECT_LT(natural_map(law, 3, forwards.data(), r_forwards.data(), 0.7, nullptr), 1e-28);
  EXPECT_LT(natural_map(law, 3, backwards.data(), r_backwards.data(), 0.7, nullptr), 1e-28);
  EXPECT_GT(natural_map(law, 3, forwards.data(), r_backwards.data(), 0.7, nullptr), 1e-2);
  EXPECT_DOUBLE_EQ(velocity_shift(law, 3, forwards.data()), 0.2);
  EXPECT_DOUBLE_EQ(velocity_shift(law, 3, backwards.data()), 1.0);
  EXPECT_TRUE(is_at_friction_limit(law, 3, r_forwards));
  EXPECT_FALSE(is_at_friction_limit(law, 3, Vec3(3, 0.6, 0)));
}

TEST(OwnLaw, what_is_missing_is_named) {
  const auto message = [](LawType law) -> std::string {
    try {
      add_law(law);
      return "added";
    } catch (const Error& error) {
      return error.what();
    }
  };
  const LawType whole = own_skin().type();
  EXPECT_EQ(message(whole), "law 'skin': there is one of that name");
  LawType law = whole;
  law.name = "";
  EXPECT_EQ(message(law), "a law has no name; must have one");
  law.name = "other";
  law.support = nullptr;
  EXPECT_EQ(message(law), "law 'other': friction is missing; must have parts, or project_friction and support");
  law = whole;
  law.name = "other";
  law.rows = 4;
  EXPECT_EQ(message(law), "law 'other': has 4 rows and the moments ''; must have a row for each");
  law = whole;
  law.name = "other";
  law.describe = nullptr;
  EXPECT_EQ(message(law), "law 'other': describe is missing; it names the parameters");
}

}  // namespace
}  // namespace cairn
