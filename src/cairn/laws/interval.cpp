// SPDX-License-Identifier: Apache-2.0
// An impulse between two bounds: lower <= r <= upper, -U in the normal cone of [lower, upper] at r. One row: motors,
// dry friction in joints, relays.
#include "cairn/base/error.h"
#include "cairn/laws/law_type.h"
#include "cairn/math/simple_sets.h"

namespace cairn {
namespace {

void describe_set(ConstraintLaw& law, ParameterVisitor& v) {
  v.real("lower", law.lower, "N s", any_number, "least impulse; may be -infinity", Presence::Required);
  v.real("upper", law.upper, "N s", any_number, "largest impulse; may be infinity", Presence::Required);
}

void check(const ConstraintLaw& law, std::string_view owner) {
  if (!(law.lower <= law.upper)) throw Error("{}: bounds [{}, {}] hold nothing", owner, law.lower, law.upper);
}

int no_parts(const ConstraintLaw&, int, LawPart*) { return 0; }

void clamp(const ConstraintLaw& law, int, const double* x, double* out) {
  sets::project(sets::Interval{law.lower, law.upper}, x, out);
}

void derivative(const ConstraintLaw& law, int, const double* x, double* D, bool) {
  sets::project_derivative(sets::Interval{law.lower, law.upper}, x, D);
}

}  // namespace

constinit const LawType interval_law{
    .kind = LawKind::Interval,
    .name = "interval",
    .help = "impulse between two bounds, velocity zero inside: relays, in problem files",
    .rows = 1,
    .least_rows = 1,
    .form = LawForm::Bounds,
    .describe_set = describe_set,
    .check = check,
    .example = {.lower = -0.5, .upper = 1},
    .parts = no_parts,
    .project = clamp,
    .derivative = derivative,
};

}  // namespace cairn
