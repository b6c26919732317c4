// SPDX-License-Identifier: Apache-2.0
// Parameters that several laws share, each described once: of contacts, as people give them, and of sets, as solvers
// get them.
#pragma once
#include "cairn/laws/law_type.h"

namespace cairn::law_parameters {

// Of contacts.
void impact(ContactLaw& law, ParameterVisitor& v);      ///< both restitutions
void cohesion(ContactLaw& law, ParameterVisitor& v);    ///< cohesion and adhesion
void compliance(ContactLaw& law, ParameterVisitor& v);  ///< stiffness and damping
void coulomb(ContactLaw& law, ParameterVisitor& v);     ///< friction with its fall at speed, and all of the above
void rolling(ContactLaw& law, ParameterVisitor& v);
void spinning(ContactLaw& law, ParameterVisitor& v);

// Of sets.
void friction(ConstraintLaw& law, ParameterVisitor& v);
void rolling(ConstraintLaw& law, ParameterVisitor& v);
void spinning(ConstraintLaw& law, ParameterVisitor& v);
void limit(ConstraintLaw& law, ParameterVisitor& v);

}  // namespace cairn::law_parameters
