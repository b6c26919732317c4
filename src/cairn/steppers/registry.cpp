// SPDX-License-Identifier: Apache-2.0
// The steppers by name, and the description of their settings.
#include "cairn/steppers/implicit_midpoint.h"
#include "cairn/steppers/koziara.h"
#include "cairn/steppers/moreau.h"
#include "cairn/steppers/newmark.h"
#include "cairn/steppers/quasi_static.h"
#include "cairn/steppers/two_step.h"
#include "cairn/steppers/variational.h"

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

}  // namespace

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
    r.add<Variational>("variational",
                       "Kaufman's half-step integrator: for long runs whose energy must neither grow nor fade");
    r.add<TwoStep>("two-step",
                   "Kaufman's predictor and corrector, one convex pair per step: robust, order 1; for structures");
    r.add<ImplicitMidpoint>("implicit-midpoint",
                            "forces fully implicit at mid-step, contacts as moreau: for stiff springs at long steps");
    r.add<Newmark>("newmark",
                   "Newmark's rule with contact: for comparison with structural dynamics; beta 0 is explicit");
    r.add<QuasiStatic>(
        "quasi-static",
        "Koziara's relaxation to equilibrium under slow loads: for masonry and settled states; no dynamics");
    return r;
  }();
  return registry;
}

}  // namespace cairn
