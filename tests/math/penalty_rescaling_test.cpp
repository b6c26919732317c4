// SPDX-License-Identifier: Apache-2.0
// Rescaled penalties: what the long step sees is what the fine steps do.
#include "cairn/math/penalty_rescaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace cairn {
namespace {

TEST(PenaltyRescaling, recursion_and_closed_form_agree) {
  for (const double k : {1.0, 1e2, 1e4, 3e5, 1e6, 2.5e6})
    for (const int halvings : {0, 1, 3, 8, 12, 20}) {
      const PenaltyOscillator o{.mass = 1, .stiffness = k, .halvings = halvings};
      const double h = 0.01;
      if (!std::isfinite(penalty_phase(o, h))) continue;
      const RescaledPenalty a = rescale_by_recursion(o, h), b = rescale_closed(o, h);
      const double bound = 4 * o.mass / (h * h);
      EXPECT_NEAR(a.b / bound, b.b / bound, 1e-12) << k << ' ' << halvings;
      EXPECT_NEAR(a.delta, b.delta, 1e-12) << k << ' ' << halvings;
      EXPECT_EQ(a.a, 0);
      EXPECT_EQ(a.c, 0);
      EXPECT_LE(b.b, bound * (1 + 1e-12));
    }
}

TEST(PenaltyRescaling, long_steps_are_the_fine_steps_left_out) {
  // Fine steps by hand, with an impulse at each long one; then lambda by the long formula.
  for (const double damping : {0.0, 0.4}) {
    const PenaltyOscillator o{.mass = 0.3, .stiffness = 2e3, .damping = damping, .halvings = 5};
    const double h = 0.05, fine = h / 32, m = o.mass;
    const RescaledPenalty p = rescale_by_recursion(o, h);
    const auto lambda = [](int j) { return std::sin(1.0 + j); };
    double before = 0.01, now = 0.02;
    std::vector<double> kept;
    for (int i = 0; i <= 4 * 32; ++i) {
      if (i % 32 == 0) kept.push_back(now);
      const double push = i % 32 == 0 ? -h * lambda(i / 32) : 0;
      const double b = o.stiffness + damping / fine, c = -damping / fine;
      const double after = 2 * now - before + fine / m * (push - fine * (b * now + c * before));
      before = now, now = after;
    }
    for (int j = 1; j + 1 < 5; ++j) {
      const auto x = [&](int i) { return kept[static_cast<std::size_t>(i)]; };
      const double right =
          m / (h * h) * (x(j + 1) + x(j - 1) - 2 * x(j)) + p.a * x(j + 1) + p.b * x(j) + p.c * x(j - 1);
      EXPECT_NEAR(-p.delta * lambda(j), right, 1e-9 * std::abs(p.b)) << damping << ' ' << j;
    }
  }
}

TEST(PenaltyRescaling, a_stiffness_is_found_for_a_phase) {
  const double phase = 2 * std::numbers::pi * 1000 + 1;
  const PenaltyOscillator o{.mass = 0.02, .stiffness = stiffness_of_phase(0.02, 20, 0.01, phase), .halvings = 20};
  EXPECT_NEAR(penalty_phase(o, 0.01), phase, 1e-9);
  EXPECT_GT(rescale_closed(o, 0.01).delta, 0);
  const PenaltyOscillator unstable{.mass = 0.01, .stiffness = 1e10, .halvings = 4};
  EXPECT_TRUE(std::isnan(penalty_phase(unstable, 0.01)));
}

}  // namespace
}  // namespace cairn
