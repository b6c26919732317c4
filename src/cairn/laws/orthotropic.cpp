// SPDX-License-Identifier: Apache-2.0
// Coulomb's law with a coefficient per tangent: (r_1/mu_1)^2 + (r_2/mu_2)^2 <= r_N^2, -U_T normal to that ellipse.
// Three rows, T1 along the direction of the material.
#include "cairn/laws/law_parameters.h"
#include "cairn/math/elliptic_cone.h"

namespace cairn {
namespace {

void describe(ContactLaw& law, ParameterVisitor& v) {
  v.real("friction", law.friction, "", non_negative, "coefficient along the direction");
  v.real("friction_2", law.friction_2, "", non_negative, "coefficient across it", Presence::Required);
  v.direction("direction", std::span<double, 3>(law.direction.data(), 3),
              "in the axes of the body whose material is named first (default law: the world's)");
  law_parameters::impact(law, v);
  law_parameters::cohesion(law, v);
  law_parameters::compliance(law, v);
}

void describe_set(ConstraintLaw& law, ParameterVisitor& v) {
  v.real("friction", law.mu, "", non_negative, "coefficient along the first tangent, mu_1", Presence::Required);
  v.real("friction_2", law.mu_2, "", non_negative, "coefficient along the second tangent, mu_2", Presence::Required);
}

int parts(const ConstraintLaw& law, int, LawPart out[max_parts]) {
  out[0] = {1, 2, {law.mu, law.mu_2, 0}, false, false};
  return 1;
}

void project_cone(const ConstraintLaw& law, int, const double* x, double* out) {
  sets::project(sets::EllipticCone{law.mu, law.mu_2}, x, out);
}

void derivative(const ConstraintLaw& law, int, const double* x, double* D, bool root) {
  sets::project_derivative(sets::EllipticCone{law.mu, law.mu_2}, x, D, root);
}

}  // namespace

constinit const LawType orthotropic_law{
    .kind = LawKind::Orthotropic,
    .name = "orthotropic",
    .help = "coulomb with a coefficient per tangent: friction in an ellipse",
    .directed = true,
    .describe = describe,
    .describe_set = describe_set,
    .example = {.mu = 0.5, .mu_2 = 0.3},
    .parts = parts,
    .project = project_cone,
    .derivative = derivative,
};

}  // namespace cairn
