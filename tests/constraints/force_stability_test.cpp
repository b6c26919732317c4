// SPDX-License-Identifier: Apache-2.0
// The longest explicit step: at it oscillators stay bounded, just above it they blow up.
#include "cairn/constraints/force_stability.h"

#include <gtest/gtest.h>

#include <numbers>

#include "cairn/constraints/bushing.h"
#include "cairn/constraints/drag.h"
#include "cairn/constraints/spring.h"
#include "cairn/constraints/stop.h"

namespace cairn {
namespace {

RigidSpec body_at(const Vec3& position, double mass) {
  RigidSpec spec;
  spec.mass = mass;
  spec.inertia = 0.1 * mass * Mat3::Identity();
  spec.position = position;
  return spec;
}

/// Two bodies of 2 and 8 kg, a metre apart on x, and this element between them.
System make_pair(std::shared_ptr<const ForceElement> force) {
  System system;
  system.bodies.add_rigid(body_at({0, 0, 0}, 2));
  system.bodies.add_rigid(body_at({1, 0, 0}, 8));
  system.forces.push_back(std::move(force));
  return system;
}

/// Largest distance of any body from its start over n explicit midpoint steps, after a small push.
double largest_move(const System& system, double h, int n) {
  const Bodies& bodies = system.bodies;
  Motion m = initial_motion(system);
  const VecX begin = m.q;
  m.u[0] = 1e-3;
  VecX mass(bodies.nu());
  for (int b = 0; b < bodies.size(); ++b) {
    mass.segment<3>(bodies.slot(b).u).setConstant(bodies.mass(b));
    mass.segment<3>(bodies.slot(b).u + 3) = bodies.inertia(b).diagonal();
  }
  double largest = 0;
  VecX q_mid(m.q.size());
  for (int i = 0; i < n; ++i) {
    bodies.advance(m.q, m.u, 0.5 * h, q_mid, {});
    VecX force = VecX::Zero(bodies.nu()), other = force;
    for (const auto& f : system.forces) f->add_forces({bodies, q_mid, m.u}, force, other);
    force += other;
    m.u += h * force.cwiseQuotient(mass);
    bodies.advance(q_mid, m.u, 0.5 * h, m.q, {});
    largest = std::max(largest, (m.q - begin).cwiseAbs().maxCoeff());
    if (!(largest < 1e3)) return 1e3;
  }
  return largest;
}

TEST(ForceStability, step_of_a_spring_is_two_over_its_frequency) {
  const System system =
      make_pair(std::make_shared<Spring>(Spring::Spec{{.body = 0}, {.body = 1}, 1, LinearSpring{400, 0, 0}}));
  const double omega = std::sqrt(400 * (1.0 / 2 + 1.0 / 8));
  const ForceStep limit = explicit_force_step(system, initial_motion(system));
  EXPECT_EQ(limit.force, 0);
  EXPECT_NEAR(limit.step, 2 / omega, 1e-9 * limit.step);
  EXPECT_LT(largest_move(system, 0.99 * limit.step, 2000), 0.1);
  EXPECT_EQ(largest_move(system, 1.01 * limit.step, 2000), 1e3);
}

TEST(ForceStability, damping_shortens_the_step_as_the_determinant_and_trace_say) {
  const double k = 400, c = 120, m = 1 / (1.0 / 2 + 1.0 / 8);
  const System system =
      make_pair(std::make_shared<Spring>(Spring::Spec{{.body = 0}, {.body = 1}, 1, LinearSpring{k, c, 0}}));
  const double h = explicit_force_step(system, initial_motion(system)).step;
  EXPECT_NEAR(h * h * k / m + 2 * h * c / m, 4, 1e-9);
  // The pair drifts by 0.02 m. What blows up ends where the bodies would pass through each other.
  EXPECT_LT(largest_move(system, 0.99 * h, 4000), 0.03);
  EXPECT_GT(largest_move(system, 1.01 * h, 4000), 0.3);
}

TEST(ForceStability, of_drag_alone_and_of_a_bushing) {
  System drag;
  drag.bodies.add_rigid(body_at({0, 0, 0}, 2));
  drag.forces.push_back(std::make_shared<Drag>(Drag::Spec{{.body = 0}, {5}, {.area = 0}, {}}));
  EXPECT_NEAR(explicit_force_step(drag, initial_motion(drag)).step, 2 * 2 / 5.0, 1e-12);

  System bushing;
  bushing.bodies.add_rigid(body_at({0, 0, 0}, 2));
  bushing.forces.push_back(std::make_shared<Bushing>(
      Bushing::Spec{.a = {}, .b = {.body = 0}, .stiffness = {10, 20, 30}, .torsional_stiffness = {7, 8, 9}}));
  // 30/2 against 9/0.2 per second squared.
  EXPECT_NEAR(explicit_force_step(bushing, initial_motion(bushing)).step, 2 / std::sqrt(9 / 0.2), 1e-9);
}

TEST(ForceStability, many_springs_on_one_body_are_bounded_together) {
  // A body held by five equal springs in a row: omega^2 = 5 k/m. The bound may be shorter, never longer.
  System system;
  system.bodies.add_rigid(body_at({0, 0, 0}, 2));
  for (int i = 0; i < 5; ++i)
    system.forces.push_back(std::make_shared<Spring>(
        Spring::Spec{{.body = -1, .local = {-1, 0, 0}}, {.body = 0}, 1, LinearSpring{400, 0, 0}}));
  const double h = explicit_force_step(system, initial_motion(system)).step;
  EXPECT_NEAR(h, 2 / std::sqrt(5 * 400 / 2.0), 1e-9);
  EXPECT_EQ(largest_move(system, 1.01 * h, 2000), 1e3);
}

TEST(ForceStability, a_buffer_ahead_is_as_stiff_as_the_speed_will_press_it) {
  System system;
  RigidSpec ball = body_at({0, 0, 0.5}, 2);
  ball.velocity = {0, 0, -3};
  system.bodies.add_rigid(ball);
  const Hertz law{1e7, 0.05};
  system.forces.push_back(std::make_shared<Stop>(Stop::Spec{.a = {}, .b = {.body = 0}, .law = law}));
  // m v^2/2 = 2/5 k d^(5/2), df/dd = 3/2 k d^(1/2).
  const double k = hertz_stiffness(law), d = hertz_impact(law, 2, 3).depth;
  const double omega = std::sqrt(1.5 * k * std::sqrt(d) / 2);
  EXPECT_NEAR(explicit_force_step(system, initial_motion(system)).step, 2 / omega, 1e-3 * 2 / omega);
  // At rest nothing is known of a later impact.
  system = {};
  system.bodies.add_rigid(body_at({0, 0, 0.5}, 2));
  system.forces.push_back(std::make_shared<Stop>(Stop::Spec{.a = {}, .b = {.body = 0}, .law = law}));
  EXPECT_GT(explicit_force_step(system, initial_motion(system)).step, 2 / omega);
}

TEST(ForceStability, bodies_that_cannot_move_count_as_infinitely_heavy) {
  System system;
  system.bodies.add_fixed({0, 0, 0}, Quat::Identity());
  system.bodies.add_rigid(body_at({1, 0, 0}, 2));
  system.forces.push_back(std::make_shared<Spring>(Spring::Spec{{.body = 0}, {.body = 1}, 1, LinearSpring{400, 0, 0}}));
  EXPECT_NEAR(explicit_force_step(system, initial_motion(system)).step, 2 / std::sqrt(400 / 2.0), 1e-9);
}

TEST(ForceStability, coarse_bound_never_allows_more_than_the_exact_one) {
  for (const double k : {1.0, 400.0, 1e6}) {
    const System system = make_pair(std::make_shared<Bushing>(Bushing::Spec{.a = {.body = 0, .local = {1, 0, 0}},
                                                                            .b = {.body = 1},
                                                                            .stiffness = {k, 2 * k, 3 * k},
                                                                            .damping = {0.1 * k, 0, 0.2 * k},
                                                                            .torsional_stiffness = {k, k, 0}}));
    const Motion m = initial_motion(system);
    const ForceTangent tangent = system.forces[0]->tangent({system.bodies, m.q, m.u});
    const double exact = explicit_step(system.bodies, m.q, m.u, tangent, count_forces(system));
    // Asked for less than it allows it answers with the coarse bound, else with the exact one.
    const double coarse = explicit_step(system.bodies, m.q, m.u, tangent, count_forces(system), 0.1 * exact);
    EXPECT_LE(coarse, exact * (1 + 1e-12));
    EXPECT_GT(coarse, 0.2 * exact);
    EXPECT_EQ(explicit_step(system.bodies, m.q, m.u, tangent, count_forces(system), exact), exact);
  }
}

TEST(ForceStability, no_forces_need_no_step) {
  System system;
  system.bodies.add_rigid(body_at({0, 0, 0}, 2));
  const ForceStep limit = explicit_force_step(system, initial_motion(system));
  EXPECT_EQ(limit.force, -1);
  EXPECT_TRUE(std::isinf(limit.step));
}

}  // namespace
}  // namespace cairn
