// SPDX-License-Identifier: Apache-2.0
// Stewart and Trinkle 1996, Anitescu and Potra 1997, 2002, Anitescu and Hart 2004, Potra, Anitescu, Gavrea and Trinkle
// 2006, Gavrea, Anitescu and Potra 2008 (Studer 2009, section 5.9). Letters: B begin, E end, M middle of the step.
//
//   scheme             H at         forces at       q_E                 contacts
//   stewart-trinkle    B            B + h/2 u_B     q_B + h u_E         g_B + h U_E >= -slack, all in reach
//   anitescu-potra-97  B + h u_B    the same        q_B + h u_B         closed: U_E >= 0; blows by Poisson's law
//   anitescu-potra-02  B            B, implicit     q_B + h u_E         closed: U_E >= 0
//   anitescu-hart      B            B               q_B + h u_E         g_B + h U_E >= 0 where g_B <= reach
//   potra              M            M, implicit     q_M + h/2 u_E       closed: (U_B + U_E)/2 >= 0; blows by Poisson's
//   law gavrea             B            B               q_B + h ((1-a) u_B + a u_E)   closed: b U_E + (1-b) U_B >= 0
// Friction is Coulomb's cone, or its polygon with the solvers lemke, block-pivoting and pgs-lcp: the schemes as
// printed. Where the sources locate the time of a blow and restart from there, these take the step that finds the
// contact closed. Closed means g <= slack at the place of H (potra's own test is at B).
#pragma once
#include "cairn/steppers/midpoint.h"

namespace cairn {

class StewartTrinkle final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.gap = GapRule::Linearised,
                        .joints = {JointRule::Stabilised},
                        .implicit_elasticity = false,
                        .recovery = 1,
                        .theta = 1,
                        .force_place = 0.5};
    void describe(ParameterVisitor& v) {
      v.real("slack", rules.slack, "m", non_negative, "penetration that is let be");
    }
  };
  explicit StewartTrinkle(const Settings& settings) : MidpointStepper("stewart-trinkle", settings.rules) {}
};

class AnitescuPotra97 final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.activation = Activation::Closed,
                        .joints = {JointRule::End},
                        .impacts = ImpactRule::Poisson,
                        .forces = ForceRule::Explicit,
                        .implicit_elasticity = false,
                        .theta = 0};
    void describe(ParameterVisitor& v) { v.real("slack", rules.slack, "m", non_negative, "gap that counts as closed"); }
  };
  explicit AnitescuPotra97(const Settings& settings) : MidpointStepper("anitescu-potra-97", settings.rules) {}
};

class AnitescuPotra02 final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.activation = Activation::Closed, .joints = {JointRule::End}, .theta = 1};
    void describe(ParameterVisitor& v) { v.real("slack", rules.slack, "m", non_negative, "gap that counts as closed"); }
  };
  explicit AnitescuPotra02(const Settings& settings) : MidpointStepper("anitescu-potra-02", settings.rules) {}
};

class AnitescuHart final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.gap = GapRule::Linearised,
                        .joints = {JointRule::Stabilised},
                        .implicit_elasticity = false,
                        .recovery = 1,
                        .theta = 1};
    void describe(ParameterVisitor& v) {
      v.real("reach", rules.reach, "m", positive, "contacts with larger gaps take no part");
    }
  };
  explicit AnitescuHart(const Settings& settings) : MidpointStepper("anitescu-hart", settings.rules) {}
};

class Potra final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.gap = GapRule::Weighted,
                        .joints = {.rule = JointRule::End, .reflection = 1},
                        .impacts = ImpactRule::Poisson,
                        .slack = 1e-9};
    void describe(ParameterVisitor& v) { v.real("slack", rules.slack, "m", non_negative, "gap that counts as closed"); }
  };
  explicit Potra(const Settings& settings) : MidpointStepper("potra", settings.rules) {}
};

class Gavrea final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.gap = GapRule::Weighted,
                        .joints = {JointRule::End},
                        .impacts = ImpactRule::Poisson,
                        .place = 0,
                        .slack = 1e-9};
    double beta = 0.5;
    void describe(ParameterVisitor& v) {
      v.real("alpha", rules.theta, "", unit_interval, "share of the step moved with the velocity of its end");
      v.real("beta", beta, "", {0.1, 1}, "weight of the velocity at the end in the rows of contacts and joints");
      v.real("slack", rules.slack, "m", non_negative, "gap that counts as closed");
    }
  };
  explicit Gavrea(const Settings& settings) : MidpointStepper("gavrea", weighted(settings)) {}

 private:
  static MidpointRules weighted(const Settings& settings) {
    MidpointRules rules = settings.rules;
    rules.weight = settings.beta;
    rules.joints.reflection = (1 - settings.beta) / settings.beta;
    return rules;
  }
};

}  // namespace cairn
