// SPDX-License-Identifier: Apache-2.0
// The table of all laws: those of the library in the order of LawKind's constants, then those of the program.
#include "cairn/base/error.h"
#include "cairn/base/text.h"
#include "cairn/laws/constraint_law.h"

#include <deque>

namespace cairn {
namespace {

int law_count = 12;

}  // namespace

constinit const LawType* law_table[most_laws] = {
    &coulomb_law, &frictionless_law, &bilateral_law, &rolling_law,          &interval_law,  &orthotropic_law,
    &tresca_law,  &disc_law,         &spinning_law,  &rolling_spinning_law, &contensou_law, &rolling_contensou_law,
};

std::span<const LawType* const> law_kinds() { return {law_table, static_cast<std::size_t>(law_count)}; }

LawKind add_law(const LawType& law) {
  static std::deque<LawType> added;
  const std::string owner = fmt::format("law '{}'", law.name);
  for (const LawType* other : law_kinds())
    if (other->name == law.name) throw Error("{}: there is one of that name", owner);
  if (law.name.empty()) throw Error("a law has no name; must have one");
  if (law.form != LawForm::Contact) throw Error("{}: is no law of contacts; programs add those", owner);
  if (law.rows < 1 || law.rows != (law.rows < 3 ? law.rows : 3 + static_cast<int>(law.moments.size())))
    throw Error("{}: has {} rows and the moments '{}'; must have a row for each", owner, law.rows, law.moments);
  if (!law.describe) throw Error("{}: describe is missing; it names the parameters", owner);
  if (!law.parts && !(law.project_friction && law.support))
    throw Error("{}: friction is missing; must have parts, or project_friction and support", owner);
  if (law_count == most_laws) throw Error("{}: there are {} laws; no more can be added", owner, most_laws);
  const LawKind kind{static_cast<std::uint8_t>(law_count)};
  law_table[law_count++] = &added.emplace_back(law);
  added.back().kind = kind;
  return kind;
}

ConstraintLaw make_example_law(LawKind kind) {
  ConstraintLaw law = kind.type().example;
  law.kind = kind;
  return law;
}

}  // namespace cairn
