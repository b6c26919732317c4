// SPDX-License-Identifier: Apache-2.0
// Free impacts of one mass on compliant contacts, integrated finely, against closed forms and asked restitutions.
#include <gtest/gtest.h>

#include "cairn/laws/compliant_hunt_crossley.h"
#include "cairn/laws/compliant_kelvin_voigt.h"

namespace cairn {
namespace {

struct Impact {
  double restitution, depth, force, duration, lost;  ///< lost: energy [J]
};

/// Runge-Kutta of order four from touching with -speed until the contact lets go.
template <class Law>
Impact run_impact(const Law& law, double mass, double speed, double step) {
  Impact result{0, 0, 0, 0, 0};
  double x = -1e-300, v = -speed, t = 0;  // just inside: a damper is felt at once
  const auto acceleration = [&](double y, double w) { return compliant_force(law, y, w).force / mass; };
  for (int i = 0; i < 4000000; ++i) {
    const double k1 = acceleration(x, v), k2 = acceleration(x + step / 2 * v, v + step / 2 * k1),
                 k3 = acceleration(x + step / 2 * v + step * step / 4 * k1, v + step / 2 * k2),
                 k4 = acceleration(x + step * v + step * step / 2 * k2, v + step * k3);
    const double before = x;
    x += step * v + step * step / 6 * (k1 + k2 + k3);
    v += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    t += step;
    result.depth = std::max(result.depth, -x);
    result.force = std::max(result.force, compliant_force(law, x, v).force);
    if (v > 0 && (x >= 0 || compliant_force(law, x, v).force == 0)) {
      result.duration = x >= 0 ? t - step * x / (x - before) : t;
      break;
    }
  }
  EXPECT_GT(result.duration, 0) << "the impact did not end";
  result.restitution = v / speed;
  result.lost = mass * (speed * speed - v * v) / 2;
  return result;
}

constexpr double pi = 3.14159265358979323846;

TEST(Hertz, steel_sphere_on_a_rigid_plane_I15) {
  const Hertz law = make_hertz({.youngs_modulus = 2e11, .poisson = 0.3, .curvature = 1 / 0.01}, {.rigid = true});
  const double mass = 8000 * 4.0 / 3 * pi * 1e-6;
  const HertzImpact closed = hertz_impact(law, mass, 1);
  EXPECT_NEAR(closed.duration, 5.3814012653e-5, 1e-14);
  EXPECT_NEAR(closed.depth, 1.82837177e-5, 1e-13);
  EXPECT_NEAR(closed.force, 2290.99479, 1e-5);

  const Impact run = run_impact(law, mass, 1, 5e-9);
  EXPECT_NEAR(run.duration, 5.3814012653e-5, 1e-11);
  EXPECT_NEAR(run.depth, 1.82837177e-5, 1e-11);
  EXPECT_NEAR(run.force, 2290.99479, 1e-3);
  EXPECT_NEAR(run.restitution, 1, 1e-9);
}

TEST(Hertz, two_equal_spheres_are_softer_than_one_on_a_rigid_plane_by_the_closed_form) {
  const ElasticSurface sphere{.youngs_modulus = 7e10, .poisson = 0.2, .curvature = 50};
  const Hertz pair = make_hertz(sphere, sphere), half = make_hertz(sphere, {.rigid = true});
  EXPECT_NEAR(pair.modulus / half.modulus, 0.5, 1e-15);
  EXPECT_NEAR(pair.radius / half.radius, 0.5, 1e-15);
  // By symmetry the middle plane is rigid: the pair at approach 2 d carries what one sphere carries at d.
  const double d = 1e-5;
  EXPECT_NEAR(compliant_force(pair, -2 * d, 0).force / compliant_force(half, -d, 0).force, 1, 1e-14);
  // The pressure 3 f/(2 pi a^2).
  const double a = contact_radius(half, -d);
  EXPECT_NEAR(peak_pressure(half, -d) / (1.5 * compliant_force(half, -d, 0).force / (pi * a * a)), 1, 1e-14);
}

TEST(HuntCrossley, an_impact_returns_the_restitution_it_was_matched_to) {
  for (const double n : {1.0, 1.5, 2.5})
    for (const double e : {0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95}) {
      const double mass = 0.3, speed = 2.5, k = 4e7;
      const HuntCrossley law{k, n, hunt_crossley_damping(e, speed)};
      const double time = std::pow(mass * speed * speed / k, 1 / (n + 1)) / speed;
      const Impact run = run_impact(law, mass, speed, time / 5000);
      EXPECT_NEAR(run.restitution, e, 1e-6) << "n = " << n;
    }
}

TEST(HuntCrossley, damping_and_restitution_are_inverse_and_solve_the_equation_of_the_impact) {
  for (const double e : {1e-6, 1e-3, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 1 - 1e-6, 1 - 1e-12, 1.0}) {
    const double D = hunt_crossley_damping(e, 1);
    EXPECT_NEAR(hunt_crossley_restitution(D, 1) / e, 1, 1e-12);
    EXPECT_NEAR(hunt_crossley_damping(e, 8) * 8, D, 1e-14 * D);
    // In long double. The difference grows as D^3/3 beside the root, and as 1/(1 - e D) where damping is high.
    const long double x = D, y = e * x;
    const long double difference = std::log1p(x) - std::log1p(-y) - (x + y);
    if (e >= 0.05 && e <= 0.99) {
      EXPECT_LT(std::abs(difference), 1e-13L * x * x * x / (1 - y)) << e;
    }
  }
  // Near e = 1 the known limit D = 3/2 (1 - e); far from it that formula is wrong by much.
  EXPECT_NEAR(hunt_crossley_damping(1 - 1e-6, 1) / 1.5e-6, 1, 1e-5);
  EXPECT_NEAR(hunt_crossley_restitution(1.5 * (1 - 0.5), 1), 0.66296220, 1e-8);  // root of the equation at D = 0.75
}

TEST(HuntCrossley, never_pulls_also_when_torn_apart) {
  const HuntCrossley law = make_hunt_crossley({}, 0.3, 1);
  EXPECT_EQ(compliant_force(law, -1e-4, 50).force, 0);
  EXPECT_GT(compliant_force(law, -1e-4, -50).force, 0);
}

TEST(KelvinVoigt, an_impact_returns_the_restitution_it_was_matched_to) {
  for (const double e : {0.02, 0.1353, 0.2, 0.5, 0.8, 0.95}) {
    const double mass = 0.3, speed = 2.5, k = 4e5;
    const KelvinVoigt law{k, kelvin_voigt_damping(e, k, mass)};
    const double z = law.damping / (2 * std::sqrt(k * mass));
    EXPECT_NEAR(kelvin_voigt_restitution(z), e, 1e-13);
    const Impact run = run_impact(law, mass, speed, std::sqrt(mass / k) / (20000 * std::max(1.0, z)));
    EXPECT_NEAR(run.restitution, e, 1e-6);
    EXPECT_NEAR(run.lost, mass * speed * speed * (1 - e * e) / 2, 1e-5);
  }
  EXPECT_NEAR(kelvin_voigt_restitution(1), std::exp(-2.0), 1e-15);
  EXPECT_NEAR(kelvin_voigt_restitution(1 - 1e-9), std::exp(-2.0), 1e-8);
  EXPECT_NEAR(kelvin_voigt_restitution(1 + 1e-9), std::exp(-2.0), 1e-8);
  EXPECT_EQ(kelvin_voigt_damping(1, 1e5, 2), 0);
}

}  // namespace
}  // namespace cairn
