// SPDX-License-Identifier: Apache-2.0
// A user-defined stepper: semi-implicit Euler for velocities and contacts, written against public headers only.
// Contacts, joints, forces and accounts come from the stages that all steppers share; a scheme says where and in which
// order.
//
//   M (u_E - u_B) = h f(q_B) + H' r,   q_E = q_B + h u_E;   contacts 0 <= g/h + U_N  _|_  r_N >= 0,  |r_T| <= mu r_N
// Expected: a crate of 3 m/s slides v^2 / (2 mu g) = 1.147 m far, and an arm on a hinge keeps its bearing together.
#include <cairn/assembly/step_accounts.h>
#include <cairn/assembly/step_form.h>
#include <cairn/sim/simulation.h>

#include <cmath>
#include <cstdio>

namespace {

using namespace cairn;

class Euler final : public Stepper {
 public:
  std::string_view name() const override { return "euler"; }
  StepperTraits traits() const override { return {.order = 1, .restitution = false}; }
  void check(const System&, const Motion&, double h) const override { check_step_length(h); }

  StepReport step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                  WarmStart& warm) override {
    StepReport report;
    const Bodies& bodies = system.bodies;
    const StepContext context{motion.time, h, system.gravity, true, 1};
    VecX u = motion.u, u_solved, reaction, q_end(bodies.nq()), u_end(bodies.nu());
    bodies.prescribe(motion.time + h / 2, motion.q, u);
    VecX f = VecX::Zero(bodies.nu()), other = f;
    add_plain_forces(system, motion.q, u, motion.time, f, other);
    bodies.free_motion(motion.q, u, f + other, context, free_, threads);

    contacts_.detect({}, system, motion.q, u, h, 0, threads);
    contacts_.choose({}, {system, motion.q, u, free_, h, warm, threads});
    for (Constraint& c : contacts_.contacts()) c.shift[0] = std::max(0.0, contacts_.clean_gap(system, c)) / h;
    form_.form_joints({{JointRule::Stabilised}, true, system, motion, motion.q, u, free_, h, warm, 0, 1});
    const FormParts parts{system, motion.q, u, free_, no_springs_, h, warm, threads, contacts_};
    form_.assemble(parts);
    report.solve = form_.solve(parts, solver, u_solved, reaction);

    bodies.finish(RotationScheme::New2, motion.q, u, u_solved, reaction, context, free_, q_end, u_end, threads);
    form_.account(parts, {}, report, warm);
    end_motion(system, h, q_end, u_end, motion, report);
    return report;
  }
  void contacts(std::vector<ContactResult>& out) const override { contacts_.results(form_.impulses(), {}, out); }
  std::span<const JointImpulse> joint_impulses() const override { return form_.joint_impulses(); }
  std::span<const double> coordinate_impulses() const override { return form_.coordinate_impulses(); }

 private:
  ContactStage contacts_;
  LocalForm form_;
  FreeMotion free_;
  CoupledMass no_springs_;
};

}  // namespace

int main() {
  Model model;
  model.set_contact({.friction = 0.4});
  model.add_fixed({.shape = HalfSpace{}});
  const BodyId crate = model.add_rigid({.shape = Box{{0.1, 0.1, 0.1}}, .position = {0, 0, 0.1}, .velocity = {3, 0, 0}});
  model.add_rigid({.name = "arm", .shape = Box{{0.5, 0.05, 0.05}}, .position = {0.5, 5, 3}});
  model.add_joint({.kind = JointKind::Revolute, .body_a = "arm", .position = {0, 5, 3}, .axis = {0, 1, 0}});
  model.run.step = 1e-3;

  Simulation simulation(model, std::make_unique<Euler>());
  simulation.run(1);
  const double way = simulation.position(crate).x(), drift = simulation.summary().joint_drift;
  std::printf("slid %.4f m (expected %.4f), bearing off by %.1e m\n", way, 9 / (2 * 0.4 * 9.81), drift);
  return std::abs(way - 9 / (2 * 0.4 * 9.81)) < 3e-3 && drift < 1e-4 ? 0 : 1;
}
