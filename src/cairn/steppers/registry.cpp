// SPDX-License-Identifier: Apache-2.0
// The steppers by name, and the description of their settings.
#include "cairn/steppers/augmented.h"
#include "cairn/steppers/event_driven.h"
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

void Augmented::Settings::describe(ParameterVisitor& v) {
  v.real("step_min", step_min, "s", non_negative, "length of steps that hold a switch; 0: a millionth of step_max");
  v.real("step_max", step_max, "s", non_negative, "longest smooth step; 0: the step of the run");
  v.integer("order", order, {1, Extrapolation::max_order}, "of smooth steps; with a tolerance: the highest");
  v.real("tolerance", tolerance, "", non_negative,
         "error of one smooth step in SI units, relative above 1: order and step are steered to it; 0: fixed order");
  v.real("reduce", reduce, "", {0, 1, true, true}, "factor of the next trial step after a rejected one");
  v.real("grow", grow, "", {1, 100, true}, "factor of the next step after an accepted one");
  v.boolean("cut", cut, "whether inner steps end at the steps of the run: for forces that jump there");
  v.integer("max_steps", max_steps, {1, 1e9}, "inner steps after which a step fails (step-limit)");
  v.choice("rotation", rules.rotation, rotation_names, "integrator of rigid rotations (Koziara 3.4.2)");
  v.choice("joints", rules.joints, joint_names,
           "how joints are held, as in moreau; mean lets the order rise to p, end to p - 1, the others to 2");
  v.choice("impacts", rules.impacts, impact_names,
           "several impacts at once: Newton's law for all at once or pair by pair, or Poisson's for all at once");
  v.integer("contact_points", rules.contact_points, {0, 1000},
            "at most so many per face of a pair, those that hold best; 0: all");
  v.boolean("implicit_elasticity", rules.implicit_elasticity, "put h^2/4 K of elastic bodies into the mass matrix");
  v.real("gap_tolerance", rules.gap_tolerance, "", unit_interval,
         "gaps below this share of the bodies' radius are closed");
}

void EventDriven::Settings::describe(ParameterVisitor& v) {
  v.real("tolerance", tolerance, "", positive, "error of one step in SI units, relative above 1");
  v.real("step_max", step_max, "s", non_negative, "longest step; 0: the step of the run");
  v.real("closed_gap", closed_gap, "m", positive, "gaps below this are closed when modes are chosen");
  v.real("rest_speed", rest_speed, "m/s", non_negative,
         "impacts slower than this are inelastic, which passes accumulation points; 0: none");
  v.real("shortest", shortest, "s", positive, "impacts of a contact closer than this: status accumulation");
  v.integer("max_steps", max_steps, {1, 1e9}, "steps between events after which a step fails (step-limit)");
}

void Koziara::Settings::describe(ParameterVisitor& v) { describe_common(rules, v); }

const Registry<Stepper>& steppers() {
  static const Registry<Stepper> registry = [] {
    Registry<Stepper> r("stepper");
    r.add<Moreau>("moreau", "Moreau's midpoint rule with predicted contacts; the default");
    r.add<Koziara>("koziara", "Koziara's explicit dynamic step: contacts from overlap, joints on the mean velocity");
    r.add<Augmented>("augmented",
                     "Moreau's rule of order up to 6 between switches, which it locates: for few contacts and exact "
                     "answers");
    r.add<EventDriven>("event-driven",
                       "order 8 between located events, impacts and accelerations solved at them: the yardstick, for "
                       "few contacts");
    return r;
  }();
  return registry;
}

}  // namespace cairn
