// SPDX-License-Identifier: Apache-2.0
// Listing and reading of described parameters.
#include "cairn/base/parameters.h"

#include "cairn/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cairn {
namespace {

/// 1 and 1e-08 rather than 1.000000 and 0.00000001.
std::string number_text(double x) { return fmt::format("{}", x); }

std::string vector_text(std::span<const double, 3> x) { return fmt::format("[{}, {}, {}]", x[0], x[1], x[2]); }

double length(std::span<const double, 3> x) { return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

}  // namespace

std::string describe_range(const Range& range) {
  const bool low = std::isfinite(range.low), high = std::isfinite(range.high);
  if (low && high) {
    return fmt::format("in {}{}, {}{}", range.open_low ? '(' : '[', range.low, range.high, range.open_high ? ')' : ']');
  }
  if (low) return fmt::format("{} {}", range.open_low ? ">" : ">=", range.low);
  if (high) return fmt::format("{} {}", range.open_high ? "<" : "<=", range.high);
  return {};
}

double parse_real(std::string_view what, std::string_view text) {
  double value = 0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [stop, status] = std::from_chars(begin, end, value);
  if (status != std::errc{} || stop != end || !std::isfinite(value)) {
    throw Error("{}: '{}' is not a finite number", what, text);
  }
  return value;
}

void ParameterLister::real(std::string_view name, double& value, std::string_view unit, Range range,
                           std::string_view help, Presence presence) {
  infos.push_back({std::string(name),
                   "real",
                   std::string(unit),
                   presence == Presence::Required ? "" : number_text(value),
                   describe_range(range),
                   {},
                   std::string(help)});
}

void ParameterLister::vector(std::string_view name, std::span<double, 3> value, std::string_view unit, Range range,
                             Presence presence, std::string_view help) {
  infos.push_back({std::string(name),
                   "vector",
                   std::string(unit),
                   presence == Presence::Required ? "" : vector_text(value),
                   describe_range(range),
                   {},
                   std::string(help)});
}

void ParameterLister::direction(std::string_view name, std::span<double, 3> value, std::string_view help) {
  infos.push_back({std::string(name), "direction", "", vector_text(value), "of length 1", {}, std::string(help)});
}

void ParameterLister::text(std::string_view name, std::string& value, std::string_view help) {
  infos.push_back({std::string(name), "text", "", value.empty() ? "none" : value, "", {}, std::string(help)});
}

void ParameterLister::points(std::string_view name, std::vector<std::array<double, 3>>&, std::string_view unit,
                             std::string_view help) {
  infos.push_back({std::string(name), "points", std::string(unit), "none", "", {}, std::string(help)});
}

void ParameterLister::special(std::string_view name, std::string_view type, std::string_view help) {
  infos.push_back({std::string(name), std::string(type), "", "", "", {}, std::string(help)});
}

void ParameterLister::integer(std::string_view name, int& value, Range range, std::string_view help) {
  infos.push_back(
      {std::string(name), "integer", "", std::to_string(value), describe_range(range), {}, std::string(help)});
}

void ParameterLister::boolean(std::string_view name, bool& value, std::string_view help) {
  infos.push_back({std::string(name), "boolean", "", value ? "true" : "false", "", {}, std::string(help)});
}

void ParameterLister::choice_index(std::string_view name, int& value, std::span<const std::string_view> names,
                                   std::string_view help) {
  infos.push_back({std::string(name),
                   "choice",
                   "",
                   std::string(names[static_cast<std::size_t>(value)]),
                   "",
                   {names.begin(), names.end()},
                   std::string(help)});
}

const std::string* ParameterReader::find(std::string_view name) {
  known_.emplace_back(name);
  const auto it = values_.find(name);
  return it == values_.end() ? nullptr : &it->second;
}

void ParameterReader::real(std::string_view name, double& value, std::string_view unit, Range range, std::string_view,
                           Presence presence) {
  const std::string* text = find(name);
  if (!text && presence == Presence::Required) throw Error("{}: needs a value for {}", owner_, name);
  if (!text) return;
  const double x = parse_real(fmt::format("{}: {}", owner_, name), *text);
  if (!range.contains(x)) {
    throw Error("{}: {} is {}{}{}; must be {}", owner_, name, *text, unit.empty() ? "" : " ", unit,
                describe_range(range));
  }
  value = x;
}

void ParameterReader::integer(std::string_view name, int& value, Range range, std::string_view) {
  const std::string* text = find(name);
  if (!text) return;
  const double x = parse_real(fmt::format("{}: {}", owner_, name), *text);
  if (x != std::floor(x) || std::abs(x) > 2e9) throw Error("{}: {} is {}; must be a whole number", owner_, name, *text);
  if (!range.contains(x)) throw Error("{}: {} is {}; must be {}", owner_, name, *text, describe_range(range));
  value = static_cast<int>(x);
}

void ParameterReader::boolean(std::string_view name, bool& value, std::string_view) {
  const std::string* text = find(name);
  if (!text) return;
  if (*text == "true" || *text == "yes" || *text == "on") {
    value = true;
  } else if (*text == "false" || *text == "no" || *text == "off") {
    value = false;
  } else {
    throw Error("{}: {} is '{}'; must be true or false", owner_, name, *text);
  }
}

void ParameterReader::choice_index(std::string_view name, int& value, std::span<const std::string_view> names,
                                   std::string_view) {
  const std::string* text = find(name);
  if (!text) return;
  const auto it = std::find(names.begin(), names.end(), *text);
  if (it == names.end()) {
    throw Error("{}: {} is '{}'; must be one of {}", owner_, name, *text, join({names.begin(), names.end()}));
  }
  value = static_cast<int>(it - names.begin());
}

void ParameterReader::vector(std::string_view name, std::span<double, 3> value, std::string_view, Range range,
                             Presence presence, std::string_view) {
  const std::string* text = find(name);
  if (!text && presence == Presence::Required) throw Error("{}: needs a value for {}", owner_, name);
  if (!text) return;
  std::string_view rest = *text;
  if (rest.starts_with('[') && rest.ends_with(']')) rest = rest.substr(1, rest.size() - 2);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t end = i < 2 ? rest.find(',') : rest.size();
    if (end == std::string_view::npos) throw Error("{}: {} is '{}'; must be [x, y, z]", owner_, name, *text);
    std::string_view part = rest.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    const double x = parse_real(fmt::format("{}: {}", owner_, name), part);
    if (!range.contains(x)) throw Error("{}: {} has {}; must be {}", owner_, name, x, describe_range(range));
    value[i] = x;
    if (i < 2) rest.remove_prefix(end + 1);
  }
}

void ParameterReader::direction(std::string_view name, std::span<double, 3> value, std::string_view help) {
  vector(name, value, "", any_number, Presence::Optional, help);
  ParameterChecker(owner_).direction(name, value, help);
}

void ParameterReader::text(std::string_view name, std::string& value, std::string_view) {
  if (const std::string* given = find(name)) value = *given;
}

void ParameterReader::points(std::string_view name, std::vector<std::array<double, 3>>&, std::string_view,
                             std::string_view) {
  if (find(name)) throw Error("{}: {} is a list of points, which can be given in a scene only", owner_, name);
}

void ParameterChecker::real(std::string_view name, double& value, std::string_view unit, Range range, std::string_view,
                            Presence) {
  if (std::isfinite(value) && range.contains(value)) return;
  const std::string words = describe_range(range);
  throw Error("{}: {} is {}{}{}; must be {}", owner_, name, value, unit.empty() ? "" : " ", unit,
              words.empty() ? "finite" : words);
}

void ParameterChecker::integer(std::string_view name, int& value, Range range, std::string_view) {
  if (!range.contains(value)) throw Error("{}: {} is {}; must be {}", owner_, name, value, describe_range(range));
}

void ParameterChecker::boolean(std::string_view, bool&, std::string_view) {}

void ParameterChecker::choice_index(std::string_view name, int& value, std::span<const std::string_view> names,
                                    std::string_view) {
  if (value < 0 || value >= static_cast<int>(names.size())) throw Error("{}: {} is no known choice", owner_, name);
}

void ParameterChecker::vector(std::string_view name, std::span<double, 3> value, std::string_view unit, Range range,
                              Presence presence, std::string_view help) {
  for (double& x : value) real(name, x, unit, range, help, presence);
}

void ParameterChecker::direction(std::string_view name, std::span<double, 3> value, std::string_view) {
  const double size = length(value);
  if (!(std::abs(size - 1) <= 1e-9)) {
    throw Error("{}: {} {} has length {}; must be a unit vector", owner_, name, vector_text(value), size);
  }
}

void ParameterChecker::text(std::string_view, std::string&, std::string_view) {}

void ParameterChecker::points(std::string_view name, std::vector<std::array<double, 3>>& value, std::string_view unit,
                              std::string_view help) {
  for (auto& point : value) vector(name, point, unit, any_number, Presence::Optional, help);
}

void ParameterReader::finish() const {
  for (const auto& [name, text] : values_) {
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
      throw Error("{}: has no parameter '{}'{}; it has {}", owner_, name, did_you_mean(name, known_),
                  known_.empty() ? std::string("none") : join(known_));
    }
  }
}

}  // namespace cairn
