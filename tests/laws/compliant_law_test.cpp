// SPDX-License-Identifier: Apache-2.0
// What every compliant law along a line must satisfy: tangents, energy, no pull in contacts, freedom of units.
#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "cairn/laws/compliant_drag.h"
#include "cairn/laws/compliant_hunt_crossley.h"
#include "cairn/laws/compliant_kelvin_voigt.h"
#include "cairn/laws/compliant_lugre.h"
#include "cairn/laws/compliant_spring.h"
#include "cairn/laws/compliant_table.h"

namespace cairn {
namespace {

using Points = std::vector<std::array<double, 2>>;
const Points rubber = {{-0.2, -3}, {0, 0}, {0.1, 5}, {0.3, 6}, {0.35, 6}, {0.6, 20}, {0.8, 15}};

TableSpring rubber_spring(double length = 1, double force = 1, double damping = 0.4) {
  Points points = rubber;
  for (auto& [x, f] : points) x *= length, f *= force;
  TableSpring law(points);
  law.damping = damping;
  return law;
}

/// Calls what(law, is_contact) for one of each.
template <class What>
void for_each_law(const What& what) {
  what(LinearSpring{.stiffness = 7, .damping = 0.3, .preload = 2}, false);
  what(PowerSpring{.stiffness = 9, .exponent = 2.5, .damping = 0.2}, false);
  what(PowerSpring{.stiffness = 9, .exponent = 1, .damping = 0.2}, false);
  what(rubber_spring(), false);
  what(Hertz{.modulus = 5, .radius = 2}, true);
  what(HuntCrossley{.stiffness = 6, .exponent = 1.5, .damping = 0.8}, true);
  what(HuntCrossley{.stiffness = 6, .exponent = 2, .damping = 0}, true);
  what(KelvinVoigt{.stiffness = 4, .damping = 1.1}, true);
}

TEST(CompliantLaws, tangents_agree_with_finite_differences_and_the_force_without_speed_is_minus_dV_dx) {
  for_each_law([](const auto& law, bool) {
    std::mt19937 rng(1);
    std::uniform_real_distribution<double> number(-1, 1);
    const double d = 1e-6;
    int compared = 0;
    for (int i = 0; i < 300; ++i) {
      const double x = number(rng), v = 2 * number(rng);
      const CompliantForce at = compliant_force(law, x, v);
      // A stencil must not reach over a kink: touching, the end of pushing, nodes of a table.
      const auto same_side = [&](double y, double w) {
        return (compliant_force(law, y, w).force == 0) == (at.force == 0);
      };
      bool near_node = std::abs(x) < 2 * d;
      for (const auto& point : rubber) near_node |= std::abs(x - point[0]) < 2 * d;
      if (near_node || !same_side(x + d, v) || !same_side(x - d, v) || !same_side(x, v + d) || !same_side(x, v - d))
        continue;
      const double per_gap = (compliant_force(law, x + d, v).force - compliant_force(law, x - d, v).force) / (2 * d);
      const double per_speed = (compliant_force(law, x, v + d).force - compliant_force(law, x, v - d).force) / (2 * d);
      EXPECT_NEAR(at.per_gap, per_gap, 1e-6);
      EXPECT_NEAR(at.per_speed, per_speed, 1e-6);
      EXPECT_NEAR(compliant_force(law, x, 0).force, -(stored_energy(law, x + d) - stored_energy(law, x - d)) / (2 * d),
                  1e-6);
      ++compared;
    }
    EXPECT_GT(compared, 250);
    EXPECT_EQ(stored_energy(law, 0), 0);
  });
}

TEST(CompliantLaws, add_no_energy_beyond_what_they_store_and_contacts_never_pull) {
  for_each_law([](const auto& law, bool contact) {
    std::mt19937 rng(2);
    std::normal_distribution<double> number;
    for (int i = 0; i < 2000; ++i) {
      const double x = number(rng), v = 10 * number(rng), f = compliant_force(law, x, v).force;
      const double conservative = compliant_force(law, x, 0).force;
      EXPECT_LE((f - conservative) * v, 1e-12);
      if (!contact) continue;
      EXPECT_GE(f, 0);
      EXPECT_GE(stored_energy(law, x), 0);
      if (x > 0) {
        EXPECT_EQ(f, 0);
      }
      if (x < 0) {
        EXPECT_GT(conservative, 0);
      }
    }
    if (contact) {
      EXPECT_EQ(compliant_force(law, 0, -1).force, 0);
    }
  });
}

/// Turns the parameters of a law into those of another system of units, by the units that it describes itself with.
class UnitScaler final : public ParameterVisitor {
 public:
  double mass, length, time, exponent = 1;  ///< exponent: what n stands for in N/m^n
  UnitScaler(double m, double l, double t) : mass(m), length(l), time(t) {}
  double force() const { return mass * length / (time * time); }
  double factor(std::string_view unit) const {
    double result = 1;
    bool below = false;
    for (std::size_t i = 0; i < unit.size();) {
      if (unit[i] == '/') below = true;
      const std::size_t end = std::min(unit.find_first_of(" /", i), unit.size());
      const std::string_view token = unit.substr(i, end - i), base = token.substr(0, token.find('^'));
      double power = 1;
      if (base.size() < token.size()) power = token.back() == 'n' ? exponent : token.back() - '0';
      const double scale = base == "N"    ? force()
                           : base == "m"  ? length
                           : base == "s"  ? time
                           : base == "kg" ? mass
                           : base == "Pa" ? force() / (length * length)
                                          : 1;
      result *= std::pow(scale, below ? -power : power);
      i = end + 1;
      if (end < unit.size() && unit[end] == '/') below = true;
    }
    return result;
  }
  void real(std::string_view, double& value, std::string_view unit, Range, std::string_view, Presence) override {
    value *= factor(unit);
  }
  void integer(std::string_view, int&, Range, std::string_view) override {}
  void boolean(std::string_view, bool&, std::string_view) override {}
  void choice_index(std::string_view, int&, std::span<const std::string_view>, std::string_view) override {}
  void vector(std::string_view, std::span<double, 3>, std::string_view, Range, Presence, std::string_view) override {}
  void direction(std::string_view, std::span<double, 3>, std::string_view) override {}
  void text(std::string_view, std::string&, std::string_view) override {}
  void points(std::string_view, std::vector<std::array<double, 3>>&, std::string_view, std::string_view) override {}
};

TEST(CompliantLaws, give_the_same_motion_in_any_system_of_units) {
  UnitScaler units(1e-6, 1e3, 37);
  for_each_law([&](const auto& law, bool) {
    using Law = std::decay_t<decltype(law)>;
    Law scaled = law;
    if constexpr (requires { law.exponent; }) units.exponent = law.exponent;
    if constexpr (std::is_same_v<Law, TableSpring>) {
      scaled = rubber_spring(units.length, units.force());
    }
    scaled.describe(units);
    for (const double x : {-0.7, -0.01, 0.25})
      for (const double v : {-1.5, 0.0, 0.4}) {
        const CompliantForce f = compliant_force(law, x, v);
        const CompliantForce g = compliant_force(scaled, x * units.length, v * units.length / units.time);
        EXPECT_NEAR(g.force, f.force * units.force(), 1e-12 * units.force());
        EXPECT_NEAR(g.per_gap, f.per_gap * units.factor("N/m"), 1e-12 * units.factor("N/m"));
        EXPECT_NEAR(g.per_speed, f.per_speed * units.factor("N s/m"), 1e-12 * units.factor("N s/m"));
        EXPECT_NEAR(stored_energy(scaled, x * units.length), stored_energy(law, x) * units.force() * units.length,
                    1e-12 * units.force() * units.length);
      }
  });

  QuadraticDrag drag{1.3, 0.4, 0.7};
  const double before = drag_force(drag, {1, 2, 2}).force.norm();
  drag.describe(units);
  const Vec3 wind = Vec3(1, 2, 2) * units.length / units.time;
  EXPECT_NEAR(drag_force(drag, wind).force.norm() / (before * units.force()), 1, 1e-13);

  LuGre lugre{.friction = {0.6, 0.4, 0.02}, .bristle_stiffness = 500, .bristle_damping = 20, .viscous_friction = 0.3};
  const LuGreStep step = step_lugre(lugre, {1e-4, 0}, {0.01, 0.02}, 3, 0.01);
  lugre.describe(units);
  const LuGreStep same = step_lugre(lugre, Vec2(1e-4, 0) * units.length, Vec2(0.01, 0.02) * units.length / units.time,
                                    3 * units.force(), 0.01 * units.time);
  EXPECT_LT((same.mean.force / units.force() - step.mean.force).norm(), 1e-13);
  EXPECT_LT((same.bristle / units.length - step.bristle).norm(), 1e-17);
}

TEST(TableSpring, goes_through_its_points_and_rises_and_falls_only_where_they_do) {
  const TableSpring law = rubber_spring();
  for (const auto& [x, f] : rubber) EXPECT_NEAR(law.evaluate(x).value, f, 1e-13);
  for (std::size_t i = 0; i + 1 < rubber.size(); ++i)
    for (double s = 0; s <= 1; s += 1.0 / 64) {
      const double x = rubber[i][0] + s * (rubber[i + 1][0] - rubber[i][0]), rise = rubber[i + 1][1] - rubber[i][1];
      EXPECT_GE(law.evaluate(x).slope * (rise > 0 ? 1 : -1), rise == 0 ? -1e-12 : -1e-10) << x;
      if (rise == 0) {
        EXPECT_NEAR(law.evaluate(x).value, 6, 1e-12);
      }
    }
  // Beyond the ends straight on: 15 N/m and -25 N/m are the secants of the first and the last interval.
  EXPECT_NEAR(law.evaluate(-1.2).value, -3 - 15, 1e-12);
  EXPECT_NEAR(law.evaluate(1.8).value, 15 - 25, 1e-12);
}

TEST(TableSpring, takes_the_slopes_of_Fritsch_and_Butland_and_stores_the_integral_of_its_pull) {
  const TableSpring law = rubber_spring();
  // At x = 0: widths 0.2 and 0.1, secants 15 and 50; 3 (0.2 + 0.1)/((2 0.1 + 0.2)/15 + (0.1 + 2 0.2)/50).
  EXPECT_NEAR(law.evaluate(0).slope, 0.9 / (0.4 / 15 + 0.5 / 50), 1e-12);
  EXPECT_NEAR(law.evaluate(0.3).slope, 0, 1e-12);  // before a flat piece
  EXPECT_NEAR(law.evaluate(0.6).slope, 0, 1e-12);  // a peak
  // Simpson's rule is exact for cubics.
  double integral = stored_energy(law, rubber[0][0]);
  for (std::size_t i = 0; i + 1 < rubber.size(); ++i) {
    const double a = rubber[i][0], b = rubber[i + 1][0];
    integral += (b - a) / 6 * (rubber[i][1] + 4 * law.evaluate((a + b) / 2).value + rubber[i + 1][1]);
    EXPECT_NEAR(stored_energy(law, b), integral, 1e-13);
  }
}

TEST(TableSpring, of_points_on_a_line_is_the_linear_spring) {
  const Points line = {{-1, -3}, {-0.5, -1.5}, {0.25, 0.75}, {2, 6}};
  const TableSpring law(line);
  for (const double x : {-3.0, -0.7, 0.1, 1.0, 5.0}) {
    EXPECT_NEAR(compliant_force(law, x, 0).force, -3 * x, 1e-13);
    EXPECT_NEAR(stored_energy(law, x), 1.5 * x * x, 1e-12);
  }
}

TEST(Drag, tangents_agree_with_finite_differences_and_oppose_the_motion) {
  const auto check = [](const auto& law) {
    const Vec3 v(0.3, -1.2, 0.7);
    const DragForce at = drag_force(law, v);
    for (int k = 0; k < 3; ++k) {
      const Vec3 e = 1e-6 * Vec3::Unit(k);
      const Vec3 difference = (drag_force(law, v + e).force - drag_force(law, v - e).force) / 2e-6;
      EXPECT_LT((at.per_velocity.col(k) - difference).norm(), 1e-8);
    }
    EXPECT_NEAR(at.force.dot(v), -at.force.norm() * v.norm(), 1e-13);
    EXPECT_EQ(drag_force(law, Vec3::Zero()).force, Vec3::Zero());
    EXPECT_TRUE(drag_force(law, Vec3::Zero()).per_velocity.allFinite());
  };
  check(LinearDrag{0.8});
  check(QuadraticDrag{1.2, 0.47, 0.3});
  // A sphere of 0.1 m radius in air at 20 m/s: 1/2 1.2 0.47 pi 0.01 400 N.
  EXPECT_NEAR(drag_force(QuadraticDrag{1.2, 0.47, 0.0314159265358979}, {0, 0, -20}).force[2], 3.5437165132493, 1e-12);
}

/// The message of the Error that f throws, or "none".
template <class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(CompliantLaws, wrong_parameters_are_refused_with_name_value_and_what_would_be_right) {
  const double nan = std::nan("");
  EXPECT_EQ(message_of([] { check_parameters("buffer", LinearSpring{.stiffness = -1}); }),
            "buffer: stiffness is -1 N/m; must be >= 0");
  EXPECT_EQ(message_of([] { check_parameters("buffer", PowerSpring{.exponent = 0.5}); }),
            "buffer: exponent is 0.5; must be >= 1");
  EXPECT_THROW(check_parameters("contact", KelvinVoigt{.stiffness = nan}), Error);
  EXPECT_THROW(check_parameters("contact", HuntCrossley{.damping = -1}), Error);
  EXPECT_THROW(check_parameters("wind", QuadraticDrag{.area = -2}), Error);
  EXPECT_EQ(message_of([] { make_hertz({.poisson = 0.6, .curvature = 1}, {}); }),
            "elastic surface a: poisson is 0.6; must be in [0, 0.5]");
  EXPECT_EQ(message_of([] { make_hertz({.curvature = 1, .rigid = true}, {.rigid = true}); }),
            "hertz: both surfaces are rigid; at least one must be elastic");
  EXPECT_EQ(message_of([] { make_hertz({.curvature = 10}, {.curvature = -12}); }),
            "hertz: curvatures 10 and -12 1/m add to -2 1/m; their sum must be > 0");
  EXPECT_EQ(message_of([] { hunt_crossley_damping(0, 1); }), "hunt-crossley: restitution is 0; must be in [1e-6, 1]");
  EXPECT_EQ(message_of([] { hunt_crossley_damping(0.5, 0); }), "hunt-crossley: impact speed is 0 m/s; must be > 0");
  EXPECT_THROW(hunt_crossley_damping(nan, 1), Error);
  EXPECT_THROW(hunt_crossley_restitution(-1, 1), Error);
  EXPECT_EQ(message_of([] { kelvin_voigt_damping(1.5, 1, 1); }), "kelvin-voigt: restitution is 1.5; must be in (0, 1]");
  EXPECT_THROW(kelvin_voigt_damping(0.5, 1, 0), Error);
  EXPECT_THROW(kelvin_voigt_damping(0.5, -1, 1), Error);
  EXPECT_THROW(hertz_impact({}, -1, 1), Error);
  EXPECT_EQ(message_of([] {
              TableSpring(Points{{0, 0}}, "strut");
            }),
            "strut: the table has 1 point; must have at least 2");
  EXPECT_EQ(message_of([] {
              TableSpring(Points{{0, 0}, {0, 1}}, "strut");
            }),
            "strut: point 2 of the table is at 0 m; must be beyond the point before, at 0 m");
  EXPECT_THROW(TableSpring(Points{{0, 0}, {1, nan}}), Error);
}

TEST(CompliantLaws, defaults_are_admissible) {
  for_each_law([](const auto& law, bool) { EXPECT_NO_THROW(check_parameters("law", std::decay_t<decltype(law)>{})); });
  EXPECT_NO_THROW(check_parameters("surface", ElasticSurface{}));
  EXPECT_NO_THROW(check_parameters("drag", LinearDrag{}));
  EXPECT_NO_THROW(check_parameters("drag", QuadraticDrag{}));
}

}  // namespace
}  // namespace cairn
