// SPDX-License-Identifier: Apache-2.0
// The steppers by name, and the description of their settings.
#include "cairn/steppers/ali3.h"
#include "cairn/steppers/koziara.h"
#include "cairn/steppers/moreau.h"

#include <array>

namespace cairn {
namespace {

constexpr std::array<std::string_view, 3> rotation_names{"new1", "new2", "new3"};
constexpr std::array<std::string_view, 4> joint_names{"curved", "stabilised", "mean", "end"};
constexpr std::array<std::string_view, 3> impact_names{"simultaneous", "sequential", "poisson"};
constexpr std::array<std::string_view, 2> activation_names{"closed", "predicted"};

void describe_common(MidpointRules& rules, ParameterVisitor& v) {
  v.choice("rotation", rules.rotation, rotation_names, "integrator of rigid rotations (Koziara 3.4.2)");
  v.choice("joints", rules.joints, joint_names,
           "how joints are held: with their curvature over half a step (no drift, second order), g_M/h + U_E = 0, "
           "U_B + U_E = 0 (no work), or U_E = 0");
  v.choice("impacts", rules.impacts, impact_names,
           "several impacts in one step: Newton's law for all at once or pair by pair, or Poisson's for all at once");
  v.integer("impact_steps", rules.impact_steps, {0, 1000},
            "into how many a step may be divided so that fast bodies do not pass through; 0: never");
  v.integer("contact_points", rules.contact_points, {0, 1000},
            "at most so many per face of a pair, those that hold best; 0: all");
}

constexpr std::array<std::string_view, 3> integrator_names{"newmark", "hht", "generalised-alpha"};

void describe_natural(NaturalRules& rules, ParameterVisitor& v) {
  v.choice("integrator", rules.integrator, integrator_names,
           "the trapezoidal rule, or one of its relatives that damp what is faster than the step");
  v.real("rho", rules.rho, "", unit_interval,
         "of hht (at least 0.5) and generalised-alpha: what a step leaves of the fastest motions");
  v.real("tolerance", rules.tolerance, "m", positive, "last change of coordinates, and largest error of joints");
  v.integer("max_iterations", rules.max_iterations, {1, 1000}, "of Newton's method");
  v.integer("halvings", rules.halvings, {0, 20}, "how often a step that does not converge is halved");
  rules.contact.describe(v);
}

}  // namespace

void Ali3::Settings::describe(ParameterVisitor& v) {
  v.real("penalty", rules.penalty, "", {1, 1e12},
         "how many times stiffer than the masses equations are in a step: errors shrink by it per iteration");
  v.boolean("projections", rules.projections, "make velocities and accelerations fit the equations as well");
  describe_natural(rules, v);
}

void Penalty::Settings::describe(ParameterVisitor& v) {
  v.real("penalty", rules.penalty, "", positive, "alpha: mass of an equation's oscillator over the mass it feels");
  v.real("frequency", rules.frequency, "rad/s", non_negative, "omega, at which errors of equations swing back");
  v.real("damping_ratio", rules.damping_ratio, "", non_negative, "xi: 1 without overshoot");
  describe_natural(rules, v);
}

void Moreau::Settings::describe(ParameterVisitor& v) {
  describe_common(rules, v);
  v.choice("activation", rules.activation, activation_names,
           "contacts in the problem: closed at mid-step, or also those about to close");
  v.boolean("implicit_elasticity", rules.implicit_elasticity, "put h^2/4 K of elastic bodies into the mass matrix");
  v.real("recovery", rules.recovery, "", unit_interval,
         "share of an overlap pushed out per step (never faster than g h / 2)");
  v.real("gap_tolerance", rules.gap_tolerance, "", unit_interval,
         "gaps below this share of the bodies' radius are noise of resting contacts");
}

void Koziara::Settings::describe(ParameterVisitor& v) { describe_common(rules, v); }

const Registry<Stepper>& steppers() {
  static const Registry<Stepper> registry = [] {
    Registry<Stepper> r("stepper");
    r.add<Moreau>("moreau", "Moreau's midpoint rule with predicted contacts; the default");
    r.add<Koziara>("koziara", "Koziara's explicit dynamic step: contacts from overlap, joints on the mean velocity");
    r.add<Ali3>("ali3",
                "natural coordinates, implicit: mechanisms with redundant joints, stiff forces, compliant contacts");
    r.add<Penalty>("penalty", "the same with every joint a stiff damped oscillator: simple, errors stay visible");
    return r;
  }();
  return registry;
}

}  // namespace cairn
