// SPDX-License-Identifier: Apache-2.0
// A modal body in free flight: what no scheme may lose.
#include "cairn/bodies/modal.h"
#include "cairn/sim/simulation.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

/// A soft beam that tumbles, turns about no principal axis and vibrates.
std::shared_ptr<const ModalBody> make_beam() {
  ModalSpec spec;
  spec.mesh = make_box_tets(Vec3(0.5, 0.1, 0.15), {4, 1, 1});
  spec.material = {.density = 800, .young = 2e6, .poisson = 0.3};
  spec.modes = 12;
  spec.orientation = Quat(0.8, 0.1, -0.5, 0.2).normalized();
  spec.velocity = {1, -0.5, 2};
  spec.angular_velocity = {3, -2, 4};
  spec.amplitude = (VecX(3) << 0.02, -0.03, 0.02).finished();
  return std::make_shared<ModalBody>(spec);
}

TEST(ModalFlight, momenta_are_those_of_all_its_points) {
  const auto beam = make_beam();
  VecX q(beam->nq()), u(beam->nu());
  beam->initial(q, u);
  u.tail(beam->count()).setLinSpaced(-0.2, 0.3);
  const ElasticModes& modes = beam->modes();
  const auto n = static_cast<Eigen::Index>(modes.mesh.nodes.size());
  // Nodes as material points: of the elements they are in, at their corners and edges.
  VecX x(3 * n), v(3 * n);
  RowArena arena;
  const std::array<Vec3, 10> local{Vec3(0, 0, 0),  Vec3(1, 0, 0),  Vec3(0, 1, 0),   Vec3(0, 0, 1),   Vec3(.5, 0, 0),
                                   Vec3(0, .5, 0), Vec3(0, 0, .5), Vec3(.5, .5, 0), Vec3(.5, 0, .5), Vec3(0, .5, .5)};
  for (std::size_t e = 0; e < modes.mesh.elements.size(); ++e)
    for (std::size_t k = 0; k < 10; ++k) {
      const MaterialPoint p{.part = static_cast<int>(e), .local = local[k]};
      const int node = modes.mesh.elements[e][k];
      x.segment<3>(3 * node) = beam->position(q, p) - q.head<3>();
      v.segment<3>(3 * node) = beam->point_rows(q, p, arena).times(u);
    }
  const VecX Mv = modes.matrices.multiply_mass(v);
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  for (Eigen::Index i = 0; i < n; ++i) {
    linear += Mv.segment<3>(3 * i);
    angular += Vec3(x.segment<3>(3 * i)).cross(Vec3(Mv.segment<3>(3 * i)));
  }
  EXPECT_LT((linear - modes.mass * u.head<3>()).norm(), 1e-10 * linear.norm());
  EXPECT_LT((angular - beam->angular_momentum(u)).norm(), 1e-10 * angular.norm());
  EXPECT_NEAR(beam->energy(q, u, Vec3::Zero()).kinetic, 0.5 * v.dot(Mv), 1e-10 * v.dot(Mv));
}

TEST(ModalFlight, keeps_both_momenta_under_every_scheme_and_the_energy_where_steps_are_accurate) {
  for (const char* name : {"moreau", "variational", "implicit-midpoint", "adaptive", "event-driven"}) {
    Model model;
    model.set_gravity(Vec3::Zero());
    model.run.step = 1e-3;
    model.run.stepper.name = name;
    const auto beam = make_beam();
    const BodyId body = model.add_body({.name = "beam", .body = beam});
    Simulation simulation(model);
    const VecX start = simulation.state().motion.u;
    const double energy = simulation.energy().total();
    simulation.run(0.5);
    const VecX& u = simulation.state().motion.u;
    EXPECT_LT((u.head<3>() - start.head<3>()).norm(), 1e-12 * start.head<3>().norm()) << name;
    EXPECT_LT((beam->angular_momentum(u) - beam->angular_momentum(start)).norm(),
              1e-12 * beam->angular_momentum(start).norm())
        << name;
    // Forces of inertia between frame and modes do no work: integrated accurately, they lose nothing.
    const double error = name == std::string_view("event-driven") ? 1e-10 : 1e-3;
    EXPECT_NEAR(simulation.energy().total() / energy, 1, error) << name;
    EXPECT_GT((simulation.position(body)).norm(), 1) << name;
  }
}

}  // namespace
}  // namespace cairn
