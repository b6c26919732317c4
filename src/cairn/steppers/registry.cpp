// SPDX-License-Identifier: Apache-2.0
// The steppers by name, and the description of their settings.
#include "cairn/steppers/adaptive.h"
#include "cairn/steppers/ali3.h"
#include "cairn/steppers/compliant.h"
#include "cairn/steppers/event_driven.h"
#include "cairn/steppers/implicit_midpoint.h"
#include "cairn/steppers/moreau.h"
#include "cairn/steppers/quasi_static.h"
#include "cairn/steppers/study/augmented.h"
#include "cairn/steppers/study/index_schemes.h"
#include "cairn/steppers/study/koziara.h"
#include "cairn/steppers/study/newmark.h"
#include "cairn/steppers/study/paoli_schatzman.h"
#include "cairn/steppers/study/stewart_trinkle_family.h"
#include "cairn/steppers/study/stiegelmeyr_family.h"
#include "cairn/steppers/study/theta_method.h"
#include "cairn/steppers/study/two_step.h"
#include "cairn/steppers/study/variational_penalty.h"
#include "cairn/steppers/variational.h"

#include <array>

namespace cairn {
namespace {

constexpr std::array<std::string_view, 3> rotation_names{"new1", "new2", "new3"};
constexpr std::array<std::string_view, 9> joint_names{"curved", "stabilised", "mean",         "end",     "baumgarte",
                                                      "ggl",    "projected",  "acceleration", "position"};
constexpr std::array<std::string_view, 3> impact_names{"simultaneous", "sequential", "poisson"};
constexpr std::array<std::string_view, 3> force_names{"explicit", "implicit", "auto"};
constexpr std::array<std::string_view, 2> activation_names{"closed", "predicted"};

void describe_common(MidpointRules& rules, ParameterVisitor& v) {
  v.choice("rotation", rules.rotation, rotation_names, "integrator of rigid rotations (Koziara 3.4.2)");
  describe_joints(rules, v);
  v.choice("impacts", rules.impacts, impact_names,
           "several impacts in one step: Newton's law for all at once or pair by pair, or Poisson's for all at once");
  v.choice("forces", rules.forces, force_names,
           "springs, dampers and the like: explicit, linearly implicit, or implicit where explicit is not stable");
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

void describe_theta(MidpointRules& rules, ParameterVisitor& v) {
  v.real("theta", rules.theta, "", unit_interval, "share of the step moved with the velocity of its end");
  v.boolean("implicit_elasticity", rules.implicit_elasticity,
            "put theta^2 h^2 K of elastic bodies into the mass matrix");
}

void describe_joints(MidpointRules& rules, ParameterVisitor& v) {
  v.choice("joints", rules.joints.rule, joint_names,
           "how joints are held: with their curvature over half a step (no drift, second order), g_D/h + U_E = 0, "
           "U_B + U_E = 0 (no work), U_E = 0, by Baumgarte's spring, U_E = 0 with positions moved back (ggl), curved "
           "with positions and velocities moved back (projected), on accelerations, or g(q_E) = 0");
  v.real("baumgarte", rules.joints.baumgarte, "1/s", positive, "rate at which that rule takes errors back");
}

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
  v.choice("joints", rules.joints.rule, joint_names,
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

void Compliant::Settings::describe(ParameterVisitor& v) {
  static constexpr std::array<std::string_view, 3> forms{"auto", "velocity", "multiplier"};
  static constexpr std::array<std::string_view, 4> laws{"fixed", "linear", "tanh", "quartic"};
  static constexpr std::array<std::string_view, 3> biases{"implicit", "explicit", "unbiased"};
  static constexpr std::array<std::string_view, 2> energies{"net", "total"};
  v.real("compliance", rules.joints.compliance, "m/N", non_negative, "of every equation of a joint; angles: rad/(N m)");
  v.real("damping", rules.joints.damping, "s", non_negative, "time in which errors of joints are taken back");
  v.real("contact_compliance", rules.contact_compliance, "m/N", non_negative,
         "of contact points, limits and ropes; materials with a stiffness have their own");
  v.real("contact_damping", rules.contact_damping, "s", non_negative, "time in which they are pushed out");
  v.choice("form", form, forms,
           "what is solved for: velocities, with joints in the mass matrix, or multipliers; auto: the fewer");
  v.choice("stabilisation", feedback.law, laws,
           "geometric stiffness: a fixed share alpha, or one that follows the energy");
  v.real("alpha", feedback.alpha, "", {-1, 1}, "share of geometric stiffness where it is fixed: 1 removes energy");
  v.real("alpha_min", feedback.alpha_min, "", {-1, 0}, "least share where it follows the energy");
  v.real("alpha_max", feedback.alpha_max, "", unit_interval, "largest share where it follows the energy");
  v.choice("bias", bias, biases, "geometric stiffness on the velocity of the end, of the begin, or by alpha's sign");
  v.choice("energy", energy, energies,
           "what is compared with the start: kinetic and potential energy, or with that in yielding joints");
  v.real("energy_max", energy_max, "J", non_negative,
         "difference at which alpha is full; 0: a hundredth of weights times their arms");
  v.boolean("implicit_forces", rules.implicit_forces,
            "put the tangents of forces and elastic bodies into the mass matrix");
}

void VariationalPenalty::Settings::describe(ParameterVisitor& v) {
  v.real("stiffness", stiffness, "N/m", non_negative, "of an equation's oscillator; 0: that of `turns`");
  v.real("turns", turns, "", non_negative, "of the oscillator per step, and a quarter: more are tighter");
  v.real("mass", mass, "kg", positive, "of an equation's oscillator");
  v.real("damping", damping, "N s/m", non_negative, "of an equation's oscillator");
  v.integer("halvings", halvings, {0, 40}, "how often the step is halved for the oscillators");
  v.boolean("negative_delta", negative_delta, "allow oscillators of negative effective mass, for study");
  v.real("newton_tolerance", tolerance, "m", positive, "last change of places");
  v.integer("newton_iterations", iterations, {1, 1000}, "iterations after which a step is halved");
  v.integer("divisions", divisions, {0, 20}, "how often it is, before it counts as not converged");
}

void Koziara::Settings::describe(ParameterVisitor& v) { describe_common(rules, v); }

namespace {

/// The steppers, and which of them adaptive can divide.
struct Catalogue {
  Registry<Stepper> steppers{"stepper"};
  std::vector<std::string_view> one_problem;

  template <class Method>
  void add(std::string_view name, const std::string& help) {
    steppers.add<Method>(std::string(name), help);
    if constexpr (Method::one_problem_per_step) one_problem.push_back(name);
  }
};

const Catalogue& catalogue() {
  static const Catalogue all = [] {
    Catalogue r;
    r.add<Moreau>("moreau",
                  "Moreau's midpoint rule with predicted contacts, order 2; the default, for everything unless another "
                  "line fits better");
    r.add<Koziara>("koziara",
                   "Koziara's explicit step, joints on the mean velocity; for mechanisms over long times, and to "
                   "repeat his thesis");
    r.add<MoreauJean>("moreau-jean",
                      "the theta method with Moreau's law on closed contacts; for elastic bodies: theta above 1/2 "
                      "damps what is stiff");
    r.add<Nscd>("nscd", "Jean's theta method with linearised gaps; for many contacts without restitution");
    r.add<PaoliSchatzman>("paoli-schatzman",
                          "central differences with restitution on positions; for comparison, and one body at a stop");
    r.add<Stiegelmeyr>(
        "stiegelmeyr",
        "gaps linearised at the begin, Moreau's law for elastic blows, order 1; for blows where nothing may overlap");
    r.add<Funk>("funk",
                "linearised gaps with theta = 1/2 and implicit elasticity; for stiff bodies in inelastic contact");
    r.add<Foerg>("foerg",
                 "gaps linearised at the begin, inelastic, order 1, dissipative; for hard contact at long steps");
    r.add<StewartTrinkle>("stewart-trinkle",
                          "the first LCP time-stepping scheme, inelastic, order 1, dissipative; for comparison");
    r.add<AnitescuPotra97>(
        "anitescu-potra-97",
        "velocities at a position moved ahead, Poisson's law, always solvable, drifts; for comparison");
    r.add<AnitescuPotra02>(
        "anitescu-potra-02",
        "linearly implicit forces, contacts on velocities, drifts; for stiff forces over short times");
    r.add<AnitescuHart>("anitescu-hart",
                        "constraint-stabilised: linearised gaps of near contacts; for granular flow at large steps");
    r.add<Potra>("potra",
                 "linearly implicit trapezoid with mean velocities, Poisson's law; for smooth motion at order 2");
    r.add<Gavrea>("gavrea", "weighted velocities and positions, Poisson's law; for comparison, a family");
    r.add<Index1>("index-1", "joints on accelerations, which drift; for showing why not");
    r.add<Index2>("index-2", "joints on velocities with reflection; for free mechanisms over short times");
    r.add<Index3>("index-3",
                  "joints and contacts on positions at the end of the step, order 1; for no drift at any step length");
    r.add<Ggl>("ggl",
               "velocities first, then positions moved back; for joints without drift beside elastic impacts; needs a "
               "slack at rest");
    r.add<Adaptive>("adaptive",
                    "any of the above or the variational ones in steps as long as their error allows; for unknown time "
                    "scales and deadlines");
    r.add<Augmented>(
        "augmented",
        "Moreau's rule of order up to 6 between switches, which it locates; for few contacts and exact answers");
    r.add<EventDriven>(
        "event-driven",
        "order 8 between located events, impacts and accelerations solved at them; for few contacts: the yardstick");
    r.add<Ali3>("ali3",
                "natural coordinates, implicit, order 2; for mechanisms with redundant joints, stiff forces, compliant "
                "contacts");
    r.add<Penalty>("penalty", "the same with every joint a stiff damped oscillator; for seeing what penalties do");
    r.add<Variational>(
        "variational",
        "Kaufman's half-step integrator, order 2; for long runs whose energy must neither grow nor fade");
    r.add<TwoStep>("two-step", "Kaufman's predictor and corrector, one convex pair per step, order 1; for structures");
    r.add<ImplicitMidpoint>("implicit-midpoint",
                            "forces fully implicit at mid-step, contacts as moreau; for stiff springs at long steps");
    r.add<Newmark>("newmark",
                   "Newmark's rule with contact, beta 0 is explicit; for comparison with structural dynamics");
    r.add<QuasiStatic>(
        "quasi-static",
        "Koziara's relaxation to equilibrium, no dynamics; for masonry and settled states under slow loads");
    r.add<Compliant>("compliant",
                     "joints and contacts yield, one linear solve, geometric stiffness; for real time and long chains");
    r.add<VariationalPenalty>(
        "variational-penalty",
        "joints as masses on springs in much finer steps, eliminated; for tight joints that keep energy");
    return r;
  }();
  return all;
}

}  // namespace

const Registry<Stepper>& steppers() { return catalogue().steppers; }

std::span<const std::string_view> one_problem_steppers() { return catalogue().one_problem; }

}  // namespace cairn
