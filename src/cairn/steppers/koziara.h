// SPDX-License-Identifier: Apache-2.0
// Koziara's dynamic driver (spec 3.11): explicit, contacts from overlap at mid-step, rotations NEW1-3, joints on the
// mean velocity.
//
//   0 <= U_E + eta min(0, U_B)  _|_  r_N >= 0 (10.1.27);  joints U_B + U_E = 0, which do no work and do not drift
//   (3.7).
// Elastic bodies are explicit: steps up to their critical step only (5.1.23).
#pragma once
#include "cairn/steppers/midpoint.h"

namespace cairn {

class Koziara final : public Stepper {
 public:
  struct Settings {
    MidpointRules rules{
        Activation::Closed, JointRule::Mean, ImpactRule::Simultaneous, RotationScheme::New2, false, 0, 0};
    void describe(ParameterVisitor& v);
  };
  explicit Koziara(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "koziara"; }
  void check(const System& system, const Motion& motion, double h) const override {
    step_.check(settings_.rules, system, motion, h);
  }
  StepReport step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                  WarmStart& warm) override {
    return step_.step(settings_.rules, system, solver, h, threads, motion, warm);
  }
  void contacts(std::vector<ContactResult>& out) const override { step_.contacts(out); }
  std::span<const Vec3> joint_impulses() const override { return step_.joint_impulses(); }

 private:
  Settings settings_;
  MidpointStep step_;
};

}  // namespace cairn
