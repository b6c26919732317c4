// SPDX-License-Identifier: Apache-2.0
// The friction cone: projection and the natural map.
#include <gtest/gtest.h>

#include <random>

#include "cairn/base/error.h"
#include "cairn/laws/law_type.h"
#include "cairn/laws/materials.h"

namespace cairn {
namespace {

Vec3 random_vector(std::mt19937& rng) {
  std::normal_distribution<double> d;
  return {d(rng), d(rng), d(rng)};
}

TEST(Cone, projection_splits_x_into_orthogonal_parts_in_the_cone_and_in_its_polar) {
  // Moreau: x = P_K(x) + P_K°(x), the two orthogonal; K° = { n <= -mu |t| }.
  std::mt19937 rng(1);
  for (const double mu : {0.0, 0.1, 0.7, 3.0})
    for (int i = 0; i < 500; ++i) {
      const Vec3 x = random_vector(rng), p = project_on_cone(x, mu), rest = x - p;
      EXPECT_LE(std::hypot(p[1], p[2]), mu * p[0] + 1e-14);
      EXPECT_LE(rest[0], -mu * std::hypot(rest[1], rest[2]) + 1e-14);
      EXPECT_NEAR(p.dot(rest), 0, 1e-14);
    }
}

TEST(NaturalMap, vanishes_exactly_for_open_sticking_and_sliding_contacts) {
  const double mu = 0.5, scale = 0.3;
  EXPECT_EQ(natural_map(LawKind::Coulomb, mu, {0.2, 1, -2}, {0, 0, 0}, scale), Vec3::Zero());
  EXPECT_LT(natural_map(LawKind::Coulomb, mu, {0, 0, 0}, {2, 0.5, 0.5}, scale).norm(), 1e-15);
  const Vec3 r = {2, 0.6, 0.8};  // |r_T| = mu r_N, and U_T against it
  EXPECT_LT(natural_map(LawKind::Coulomb, mu, {0, -0.6 * 3, -0.8 * 3}, r, scale).norm(), 1e-15);
}

TEST(NaturalMap, is_not_zero_when_a_law_is_broken) {
  const double mu = 0.5;
  EXPECT_GT(natural_map(LawKind::Coulomb, mu, {-0.1, 0, 0}, {0, 0, 0}, 1).norm(), 0.09);   // penetrating
  EXPECT_GT(natural_map(LawKind::Coulomb, mu, {0.1, 0, 0}, {1, 0, 0}, 1).norm(), 0.09);    // pulling apart under force
  EXPECT_GT(natural_map(LawKind::Coulomb, mu, {0, 0.1, 0}, {1, 0, 0}, 1).norm(), 0.04);    // sliding without friction
  EXPECT_GT(natural_map(LawKind::Coulomb, mu, {0, 0.1, 0}, {1, 0.5, 0}, 1).norm(), 0.04);  // friction that drives
  EXPECT_GT(natural_map(LawKind::Bilateral, 0, {0, 0.1, 0}, {1, 0, 0}, 1).norm(), 0.09);
}

TEST(Laws, are_listed_in_the_order_of_their_kinds) {
  for (std::size_t i = 0; i < law_kinds().size(); ++i) {
    EXPECT_EQ(law_kinds()[i]->kind.index, i);
    EXPECT_EQ(law_kinds()[i]->rows, law_rows(law_kinds()[i]->kind));
  }
}

TEST(Materials, pairs_are_symmetric_and_the_default_fills_the_rest) {
  Materials materials;
  const MaterialId ice = materials.add({"ice", 900}), steel = materials.add({"steel", 7800});
  materials.set_pair(ice, steel, {0.02, 0.1});
  materials.set_default({0.6, 0});
  EXPECT_EQ(materials.pair(steel, ice).friction, 0.02);
  EXPECT_EQ(materials.pair(steel, steel).friction, 0.6);
  EXPECT_THROW(materials.add({"ice", 1}), Error);
  EXPECT_THROW(materials.set_default({-0.1, 0}), Error);
  EXPECT_THROW(materials.set_default({0.1, 1.5}), Error);
  EXPECT_THROW(materials.set_default({std::nan(""), 0}), Error);
}

}  // namespace
}  // namespace cairn
