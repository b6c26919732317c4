// SPDX-License-Identifier: Apache-2.0
// One law as a table of what it answers, filled by the law's own file, and the table of all laws.
//
// Every law is -U~ in the normal cone of K at r (constraint_law.h), K the set of its impulses. Most friction is one to
// three ellipsoids over groups of rows, which `parts` gives; then everything else follows but where there is a better
// formula. Friction of any other convex shape is given by the set F it has at r_N = 1: its projection and its support
// function. K = { r_N >= 0, r_T in r_N F }, and its projection follows from one equation for r_N.
#pragma once
#include "cairn/laws/law.h"

#include <algorithm>
#include <limits>
#include <span>

namespace cairn {

/// Most rows a constraint can have.
inline constexpr int max_rows = 6;

/// What the impulses of a law look like.
enum class LawForm : std::uint8_t {
  Equation,  ///< r free, U = 0
  Bounds,    ///< lower <= r <= upper, one row
  Friction,  ///< ellipsoids of constant size
  Contact    ///< r_N >= 0 and friction
};

/// The law of one constraint of a problem with its numbers.
struct ConstraintLaw {
  LawKind kind = LawKind::Coulomb;
  double mu = 0;          ///< all with friction that grows with r_N; with a direction: along T1
  double mu_rolling = 0;  ///< of rolling moments [m]
  double lower = -std::numeric_limits<double>::infinity(),
         upper = std::numeric_limits<double>::infinity();  ///< bounds
  double mu_2 = 0;                                         ///< with a direction: the second coefficient
  double mu_spinning = 0;                                  ///< of the spinning moment [m]
  double limit = 0;                                        ///< friction of constant size [N s]

  LawForm form() const;
  bool is_equation() const { return form() == LawForm::Equation; }
  bool has_bounds() const { return form() == LawForm::Bounds; }
  /// The first row is a normal impulse r_N >= 0: a contact.
  bool has_normal() const { return form() == LawForm::Contact; }
  /// K is a cone: a contact whose friction grows with r_N.
  bool is_cone() const;
  /// Its friction is a list of ellipsoids (law_parts).
  bool has_parts() const;
  /// Its friction lies in discs and ellipses of at most two rows each, which polygons can stand for.
  bool is_planar() const;
  /// K is one second-order cone in the right axes: a half line, Coulomb's cone, or one over an ellipsoid.
  bool is_one_cone() const;
  bool operator==(const ConstraintLaw&) const = default;
};

/// Rows of friction that lie together in an ellipsoid around 0 with the semi-axes `axes` times r_N, or `axes` [N s].
struct LawPart {
  int first = 0, count = 0;
  double axes[3] = {0, 0, 0};
  bool fixed = false;  ///< does not grow with r_N
  bool round = true;   ///< equal axes: a disc or a segment

  double largest() const { return std::max({axes[0], axes[1], axes[2]}); }
};
inline constexpr int max_parts = 3;
/// A disc, a ball or a segment; `fixed`: of constant size.
LawPart round_part(int first, int count, double radius, bool fixed = false);

/// What one law is. Functions that are null follow from the others.
struct LawType {
  LawKind kind = {};  ///< its index; of a program's law set by add_law()
  std::string_view name;
  std::string_view help;  ///< one line
  int rows = 3;           ///< between bodies in space
  int least_rows = 3;     ///< fewest that a problem may give it; the most are `rows` unless `most_rows` says otherwise
  int most_rows = 0;
  LawForm form = LawForm::Contact;
  bool grows = true;              ///< friction grows with r_N
  std::string_view moments = {};  ///< rows after N, T1, T2: "MM" rolling moments, "S" the spinning moment, in order
  bool directed = false;          ///< T1 lies along ContactLaw::direction

  /// Names the parameters of a contact law and leaves in `law` what the visitor gives them.
  void (*describe)(ContactLaw& law, ParameterVisitor& v) = nullptr;
  /// The same for the numbers of its set, as solvers get them; null: none.
  void (*describe_set)(ConstraintLaw& law, ParameterVisitor& v) = nullptr;
  /// Throws Error naming `owner`; null: what describe_set() says of the numbers.
  void (*check)(const ConstraintLaw& law, std::string_view owner) = nullptr;
  /// Admissible numbers, for lists and tests.
  ConstraintLaw example = {.mu = 0.5};

  /// The ellipsoids of its friction in the order of their rows; returns how many. Null: `project_friction` and
  /// `support`.
  int (*parts)(const ConstraintLaw& law, int rows, LawPart parts[max_parts]) = nullptr;
  /// Euclidean projection on K, `out` may be `x`. Null: of the cone over discs, or of the cone over F.
  void (*project)(const ConstraintLaw& law, int rows, const double* x, double* out) = nullptr;
  /// One element of its generalised Jacobian, rows x rows, or the symmetric square root of that. Null: as for project;
  /// of the cone over F by differences.
  void (*derivative)(const ConstraintLaw& law, int rows, const double* x, double* D, bool root) = nullptr;
  /// Friction that is no ellipsoid: projection of the rows after the first on F, and max of z.y over z in F.
  void (*project_friction)(const ConstraintLaw& law, const double* x, double* out) = nullptr;
  double (*support)(const ConstraintLaw& law, const double* y) = nullptr;
};

/// The laws of the library, each defined in its own file.
extern const LawType coulomb_law, frictionless_law, bilateral_law, rolling_law, interval_law, orthotropic_law,
    tresca_law, disc_law, spinning_law, rolling_spinning_law, contensou_law, rolling_contensou_law;

/// All laws, by index.
inline constexpr int most_laws = 64;
extern const LawType* law_table[most_laws];
std::span<const LawType* const> law_kinds();
/// Adds a contact law of a program to the table: scenes, lists and solvers know it from then on. To be called before
/// simulations start; throws Error where the name is taken or a function is missing.
LawKind add_law(const LawType& law);

inline const LawType& LawKind::type() const { return *law_table[index]; }
inline LawForm ConstraintLaw::form() const { return kind.type().form; }
inline bool ConstraintLaw::is_cone() const { return has_normal() && kind.type().grows; }
inline bool ConstraintLaw::has_parts() const { return kind.type().parts != nullptr; }

/// Rows of a constraint of that kind between bodies in space.
inline int law_rows(LawKind kind) { return kind.type().rows; }
/// Name in the registry.
inline std::string_view law_name(LawKind kind) { return kind.type().name; }
/// An admissible law of each kind with law_rows() rows: for lists and tests.
ConstraintLaw make_example_law(LawKind kind);

}  // namespace cairn
