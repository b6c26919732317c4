// SPDX-License-Identifier: Apache-2.0
// Parameters described once: the same description lists them, reads them from scenes and command lines, and documents
// them.
//
// A method keeps its settings in a plain struct with a member `void describe(ParameterVisitor&)` that names every
// field with its unit, range and one line of help. Nothing else lists the parameters.
#pragma once
#include "cairn/base/error.h"

#include <array>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {

/// Admissible interval of a number; `open_low` and `open_high` exclude the ends.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;
  bool open_high = false;
  bool contains(double x) const { return (open_low ? x > low : x >= low) && (open_high ? x < high : x <= high); }
};
inline constexpr Range any_number{};
inline constexpr Range positive{0, std::numeric_limits<double>::infinity(), true, false};
inline constexpr Range non_negative{0, std::numeric_limits<double>::infinity(), false, false};
inline constexpr Range unit_interval{0, 1, false, false};
/// In words, as in messages: "> 0", ">= 0", "in [0, 1]".
std::string describe_range(const Range& range);

/// One parameter as shown to people.
struct ParameterInfo {
  std::string name;
  std::string type;  ///< real, integer, boolean, choice, vector, direction, text, points; of a model's things also
                     ///< others (sim/kinds.h)
  std::string unit;
  std::string default_value;         ///< empty: must be given
  std::string range;                 ///< in words; empty when any value goes
  std::vector<std::string> choices;  ///< only for type choice
  std::string help;
};

/// Whether a value must be given.
enum class Presence { Optional, Required };

/// Walks over the fields of a settings struct.
class ParameterVisitor {
 public:
  virtual ~ParameterVisitor() = default;
  virtual void real(std::string_view name, double& value, std::string_view unit, Range range, std::string_view help,
                    Presence presence = Presence::Optional) = 0;
  virtual void integer(std::string_view name, int& value, Range range, std::string_view help) = 0;
  virtual void boolean(std::string_view name, bool& value, std::string_view help) = 0;
  virtual void choice_index(std::string_view name, int& value, std::span<const std::string_view> names,
                            std::string_view help) = 0;
  /// Three numbers, each in the range.
  virtual void vector(std::string_view name, std::span<double, 3> value, std::string_view unit, Range range, Presence,
                      std::string_view help) = 0;
  /// Three numbers of length 1.
  virtual void direction(std::string_view name, std::span<double, 3> value, std::string_view help) = 0;
  /// Words, such as the name of a file.
  virtual void text(std::string_view name, std::string& value, std::string_view help) = 0;
  /// Any number of points.
  virtual void points(std::string_view name, std::vector<std::array<double, 3>>& value, std::string_view unit,
                      std::string_view help) = 0;
  /// A value that only some readers understand and read by themselves; this one lists it.
  virtual void special(std::string_view /*name*/, std::string_view /*type*/, std::string_view /*help*/) {}

  /// A choice kept as an enum whose values are 0, 1, 2... in the order of `names`.
  template <class Enum>
  void choice(std::string_view name, Enum& value, std::span<const std::string_view> names, std::string_view help) {
    int index = static_cast<int>(value);
    choice_index(name, index, names, help);
    value = static_cast<Enum>(index);
  }
};

/// Values given by a person, as text, by name.
using ParameterValues = std::map<std::string, std::string, std::less<>>;

/// A visitor that collects descriptions (`infos`).
class ParameterLister final : public ParameterVisitor {
 public:
  std::vector<ParameterInfo> infos;
  void real(std::string_view, double&, std::string_view, Range, std::string_view, Presence) override;
  void integer(std::string_view, int&, Range, std::string_view) override;
  void boolean(std::string_view, bool&, std::string_view) override;
  void choice_index(std::string_view, int&, std::span<const std::string_view>, std::string_view) override;
  void vector(std::string_view, std::span<double, 3>, std::string_view, Range, Presence, std::string_view) override;
  void direction(std::string_view, std::span<double, 3>, std::string_view) override;
  void text(std::string_view, std::string&, std::string_view) override;
  void points(std::string_view, std::vector<std::array<double, 3>>&, std::string_view, std::string_view) override;
  void special(std::string_view, std::string_view, std::string_view) override;
};

/// A visitor that assigns given values, checking type and range. Call finish() to reject unknown names.
class ParameterReader final : public ParameterVisitor {
 public:
  ParameterReader(std::string owner, const ParameterValues& values) : owner_(std::move(owner)), values_(values) {}
  void real(std::string_view, double&, std::string_view, Range, std::string_view, Presence) override;
  void integer(std::string_view, int&, Range, std::string_view) override;
  void boolean(std::string_view, bool&, std::string_view) override;
  void choice_index(std::string_view, int&, std::span<const std::string_view>, std::string_view) override;
  void vector(std::string_view, std::span<double, 3>, std::string_view, Range, Presence, std::string_view) override;
  void direction(std::string_view, std::span<double, 3>, std::string_view) override;
  void text(std::string_view, std::string&, std::string_view) override;
  void points(std::string_view, std::vector<std::array<double, 3>>&, std::string_view, std::string_view) override;
  void finish() const;

 private:
  const std::string* find(std::string_view name);
  std::string owner_;
  const ParameterValues& values_;
  std::vector<std::string> known_;
};

/// A visitor that checks the values a struct already has, as programs set them: finite, in range, of length 1.
class ParameterChecker final : public ParameterVisitor {
 public:
  explicit ParameterChecker(std::string_view owner) : owner_(owner) {}
  void real(std::string_view, double&, std::string_view, Range, std::string_view, Presence) override;
  void integer(std::string_view, int&, Range, std::string_view) override;
  void boolean(std::string_view, bool&, std::string_view) override;
  void choice_index(std::string_view, int&, std::span<const std::string_view>, std::string_view) override;
  void vector(std::string_view, std::span<double, 3>, std::string_view, Range, Presence, std::string_view) override;
  void direction(std::string_view, std::span<double, 3>, std::string_view) override;
  void text(std::string_view, std::string&, std::string_view) override;
  void points(std::string_view, std::vector<std::array<double, 3>>&, std::string_view, std::string_view) override;

 private:
  std::string_view owner_;
};

/// Reads a finite number written as text; throws Error naming `what` otherwise.
double parse_real(std::string_view what, std::string_view text);

template <class Settings>
std::vector<ParameterInfo> list_parameters() {
  Settings settings;
  ParameterLister lister;
  settings.describe(lister);
  return lister.infos;
}

/// Throws Error naming `owner` and the first value that is not admissible.
template <class Settings>
void check_parameters(std::string_view owner, Settings settings) {
  ParameterChecker checker(owner);
  settings.describe(checker);
}

/// Default settings with the given values put in; `owner` names the method in messages.
template <class Settings>
Settings read_parameters(const std::string& owner, const ParameterValues& values) {
  Settings settings;
  ParameterReader reader(owner, values);
  settings.describe(reader);
  reader.finish();
  return settings;
}

}  // namespace cairn
