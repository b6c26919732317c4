// SPDX-License-Identifier: Apache-2.0
// Rigid bodies in natural coordinates with constant mass, joints by an index-3 augmented Lagrangian, Newmark's family
// in time, projections of velocity and acceleration (Bayo and Ledesma 1996; Cuadrado et al. 1997; Vilela 2018,
// 2.5-2.41).
//
//   M z'' + Phi_z' (lambda + alpha Phi) = Q,   lambda <- lambda + alpha (Phi + Phi_z dz)         (2.10, 2.11)
//   T dz = -b (M z'' + Phi_z' (lambda + alpha Phi) - Q),  b = beta h^2 (1 - alpha_f)/(1 - alpha_m)
//   T = M + gamma h (1 - alpha_f)/(1 - alpha_m) C + b (K + Phi_zz (lambda + alpha Phi) + Phi_z' alpha Phi_z)    (2.19)
//   T dz' = -b Phi_z' alpha Phi',   T dz'' = -b Phi_z' alpha Phi''                              (2.35, 2.41)
// alpha of a row is `penalty` m/b with the mass m that the row feels: that is how much stiffer than the masses it is in
// a step. Phi of the new iterate is taken to first order in the update of lambda, so that both together are a Newton
// step on the equations with multipliers, and errors of Phi shrink by `penalty` per iteration. Projections are repeated
// until their equations hold; what that of accelerations adds to the reactions goes to lambda. Where Vilela leaves
// Phi_zz out, the tangent here is whole.
//
// `penalty` is the simple form: no multipliers and no projections, every equation a stiff damped oscillator (2.7, 2.8):
//   M z'' + Phi_z' alpha m (Phi'' + 2 xi omega Phi' + omega^2 Phi) = Q,  m: of the bodies
// Contacts are compliant (natural_contact.h). What both keep from step to step (z'', a, lambda) is Motion::scheme.
#pragma once
#include "cairn/assembly/natural_system.h"
#include "cairn/assembly/substeps.h"
#include "cairn/steppers/alpha_family.h"
#include "cairn/steppers/stepper.h"

namespace cairn {

struct NaturalRules {
  AlphaKind integrator = AlphaKind::Newmark;
  double rho = 0.9;          ///< of hht and generalised-alpha
  bool multipliers = true;   ///< augmented Lagrangian; otherwise penalty
  double penalty = 1e6;      ///< over the mass of a row, as above
  double frequency = 10;     ///< omega of the penalty form [rad/s]
  double damping_ratio = 1;  ///< xi of the penalty form
  bool projections = true;   ///< of velocity and acceleration
  double tolerance = 1e-11;  ///< of dz and Phi [m, 1]
  int max_iterations = 20;   ///< of Newton's method
  int halvings = 4;          ///< how often a step that does not converge is halved
  NaturalContactLaw contact = {};
};

class NaturalStepper : public Stepper {
 public:
  NaturalStepper(std::string_view name, const NaturalRules& rules)
      : name_(name), rules_(rules), family_(make_family(rules.integrator, rules.rho)) {}
  std::string_view name() const override { return name_; }
  StepperTraits traits() const override { return {.sliding_order = 0, .impact_order = 0}; }  // contacts yield
  void check(const System& system, const Motion& motion, double h) const override;
  StepReport step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                  WarmStart& warm) override;
  void contacts(std::vector<ContactResult>& out) const override { out = contact_results_; }
  std::span<const JointImpulse> joint_impulses() const override { return parts_.joint_impulses(); }
  std::span<const double> coordinate_impulses() const override { return parts_.coordinate_impulses(); }

  /// Largest |Phi|, |dPhi/dt| and |d2Phi/dt2| of all equations at the end of the last step.
  struct Errors {
    double place = 0, rate = 0, acceleration = 0;
  };
  const Errors& errors() const { return errors_; }

 private:
  struct Point {
    VecX z, rate, acceleration, a, lambda;  ///< a: the family's own acceleration
  };
  StepReport part(const System& system, double h, Threads threads, Motion& motion);
  void start(Point& at);
  bool load(const Motion& motion, Point& at) const;
  void store(const Point& at, Motion& motion) const;
  /// Pulls of an iteration, and what the rows carry at its end.
  void make_pulls(const Point& at, double b);
  void set_reactions(const Point& at);
  bool iterate(double h, Point& at, StepReport& report);
  void project(double h, Point& at);
  void measure_residual(const Point& at, StepReport& report) const;
  VecX row_forces(RowWork work, const VecX& mu) const;
  void note_impulses(const System& system, double h, const Motion& motion, const VecX& mu);
  void note_contacts(double h, StepReport& report);
  double limit(double size) const { return rules_.tolerance * std::max(1.0, size); }

  std::string_view name_;
  NaturalRules rules_;
  AlphaFamily family_;
  NaturalSystem system_;
  NaturalMatrix T_;
  VecX alpha_;  ///< per row; 0 where it yields
  std::vector<RowPull> pulls_;
  Errors errors_;
  std::vector<ContactResult> contact_results_;
  Substeps parts_;
  std::vector<JointImpulse> joint_impulses_;  ///< of one part
  std::vector<double> coordinate_impulses_;
};

class Ali3 final : public NaturalStepper {
 public:
  struct Settings {
    NaturalRules rules{};
    void describe(ParameterVisitor& v);
  };
  explicit Ali3(const Settings& settings) : NaturalStepper("ali3", settings.rules) {}
};

class Penalty final : public NaturalStepper {
 public:
  struct Settings {
    NaturalRules rules{.multipliers = false, .penalty = 1e7, .projections = false};
    void describe(ParameterVisitor& v);
  };
  explicit Penalty(const Settings& settings) : NaturalStepper("penalty", settings.rules) {}
};

}  // namespace cairn
