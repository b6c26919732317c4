// SPDX-License-Identifier: Apache-2.0
// Reading single scene values.
#include "cairn/io/scene_value.h"

#include "cairn/base/text.h"
#include "cairn/io/time_table_file.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn {
namespace {

constexpr std::size_t kMaxNameLength = 200;

/// A formula in t with the values of the other names; copies itself with the model.
struct TimeFormula {
  Expression formula;
  std::vector<double> names;  ///< values of the constants and indices; t comes after them

  double operator()(double t) const {
    std::array<double, SceneScope::kMaxNames + 1> values;
    *std::copy(names.begin(), names.end(), values.begin()) = t;
    return formula.evaluate(std::span<const double>(values.data(), names.size() + 1));
  }
};

struct TimeVector {
  std::array<TimeFormula, 3> formulas;
  Vec3 operator()(double t) const { return {formulas[0](t), formulas[1](t), formulas[2](t)}; }
};

/// {table: [[t, x, y, z], ...]} (or [t, x]) or {file: name}; files are looked up beside the scene.
TimeTable read_table_in_time(const SceneValue& value, TimeColumns columns) {
  const std::size_t width = columns == TimeColumns::One ? 2 : 4;
  const SceneTable table = value.table("a table in time");
  table.allow("a table in time", {"table", "file"});
  table.only_one_of("table", "file");
  if (const auto file = table.find("file")) {
    const std::filesystem::path folder = std::filesystem::path(value.scope().document().file()).parent_path();
    return placed_at(*file, [&] { return read_time_table(folder / file->name(), columns); });
  }
  std::vector<TimeTable::Row> rows;
  const SceneValue given = table.get("table");
  for (const SceneValue& entry : given.list()) {
    const std::vector<SceneValue> numbers =
        entry.list(width, width == 2 ? "two numbers [t, x]" : "four numbers [t, x, y, z]");
    TimeTable::Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < width; ++i) row[i] = numbers[i].number();
    if (rows.size() > 1 && !(row[0] > rows[rows.size() - 2][0])) {
      numbers[0].fail(fmt::format("time of row {} is {}; expected more than that of the row before, {}", rows.size(),
                                  row[0], rows[rows.size() - 2][0]));
    }
  }
  return placed_at(given, [&] { return TimeTable(rows, given.label()); });
}

std::string number_in_words(const Range& range) {
  const std::string words = describe_range(range);
  return words.empty() ? "a number" : "a number " + words;
}

/// 12 rather than 12.0; other numbers with the digits they need.
std::string number_text(double x) {
  if (x == std::floor(x) && std::abs(x) < 1e15) return fmt::format("{:.0f}", x + 0.0);
  return fmt::format("{}", x);
}

}  // namespace

// --- values

void SceneValue::expected(std::string_view what) const {
  const auto found = [&]() -> std::string {
    switch (node_->kind) {
      case YamlNode::Kind::Null: return "empty";
      case YamlNode::Kind::Sequence: return "a list";
      case YamlNode::Kind::Map: return "a table";
      case YamlNode::Kind::Scalar: break;
    }
    return fmt::format("'{}'", printable(node_->text));
  };
  fail(fmt::format("{} is {}; expected {}", label_, found(), what));
}

double SceneValue::number(const Range& range) const {
  if (!is_text()) expected(number_in_words(range));
  const double x = placed_at(*this, [&] { return scope_->evaluate(*node_); });
  if (!std::isfinite(x)) {
    fail(fmt::format("{} is {} (formula \"{}\"); expected a finite number", label_, x, printable(node_->text)));
  }
  if (!range.contains(x)) fail(fmt::format("{} is {}; expected {}", label_, x, number_in_words(range)));
  return x;
}

double SceneValue::whole(const Range& range) const {
  const double x = number(), rounded = std::round(x);
  if (std::abs(x - rounded) > 1e-9) fail(fmt::format("{} is {}; expected a whole number", label_, x));
  if (!range.contains(rounded)) {
    fail(fmt::format("{} is {}; expected a whole number {}", label_, rounded, describe_range(range)));
  }
  return rounded + 0.0;  // -0 is 0
}

bool SceneValue::boolean() const {
  if (is_text() && node_->text == "true") return true;
  if (is_text() && node_->text == "false") return false;
  expected("true or false");
}

std::string SceneValue::text() const {
  if (!is_text()) expected("a text");
  return printable(node_->text, 1000);
}

std::string SceneValue::name() const {
  if (!is_text() || node_->text.empty()) expected("a name");
  const std::string& pattern = node_->text;
  std::string out;
  for (std::size_t i = 0; i < pattern.size();) {
    if (pattern[i] == '{') {
      const std::size_t end = pattern.find('}', i);
      if (end == std::string::npos) expected("a '}' after each '{'");
      const std::string_view formula(pattern.data() + i + 1, end - i - 1);
      const double x = placed_at(*this, [&] { return scope_->evaluate(formula); });
      if (!std::isfinite(x)) fail(fmt::format("{{{}}} is {}; expected a finite number", printable(formula), x));
      out += number_text(x);
      i = end + 1;
      continue;
    }
    if (static_cast<unsigned char>(pattern[i]) < ' ' || pattern[i] == 0x7f)
      expected("a name without control characters");
    out += pattern[i++];
  }
  if (out.size() > kMaxNameLength)
    fail(fmt::format("{} has {} bytes; expected at most {}", label_, out.size(), kMaxNameLength));
  return out;
}

std::string SceneValue::choice(const std::vector<std::string>& words) const {
  if (!is_text()) expected("one of " + join(words));
  if (std::find(words.begin(), words.end(), node_->text) == words.end()) {
    fail(fmt::format("{} is '{}'{}; expected one of {}", label_, printable(node_->text),
                     did_you_mean(node_->text, words), join(words)));
  }
  return node_->text;
}

std::vector<SceneValue> SceneValue::list() const {
  if (node_->kind != YamlNode::Kind::Sequence) expected("a list");
  std::vector<SceneValue> items;
  items.reserve(node_->values.size());
  for (const YamlNode* item : node_->values) items.emplace_back(*item, label_, *scope_);
  return items;
}

std::vector<SceneValue> SceneValue::list(std::size_t n, std::string_view what) const {
  if (node_->kind != YamlNode::Kind::Sequence) expected(fmt::format("a list of {}", what));
  if (node_->values.size() != n) {
    fail(fmt::format("{} has {} entries; expected a list of {}", label_, node_->values.size(), what));
  }
  return list();
}

Vec3 SceneValue::vector() const {
  const std::vector<SceneValue> x = list(3, "three numbers [x, y, z]");
  return {x[0].number(), x[1].number(), x[2].number()};
}

Vec3 SceneValue::unit_vector() const {
  const Vec3 n = vector();
  const double error = std::abs(n.norm() - 1);
  // 1e-3: directions typed with four digits; more is a mistake, not rounding.
  if (!(error <= 1e-3)) {
    fail(fmt::format("{} is [{}, {}, {}] of length {:.6g}; expected a unit vector", label_, n.x(), n.y(), n.z(),
                     n.norm()));
  }
  return error <= 1e-9 ? n : Vec3(n / n.norm());
}

std::function<double(double)> SceneValue::scalar_function_of_time() const {
  if (is_table()) return [table = read_table_in_time(*this, TimeColumns::One)](double t) { return table(t).x(); };
  if (!is_text()) expected("a number or a formula in t");
  TimeFormula f{placed_at(*this, [&] { return scope_->parse_with_time(node_->text); }),
                {scope_->values().begin(), scope_->values().end()}};
  if (!std::isfinite(f(0))) fail(fmt::format("{} is {} at t = 0; expected a finite number", label_, f(0)));
  return f;
}

std::function<Vec3(double)> SceneValue::function_of_time() const {
  if (is_table()) return read_table_in_time(*this, TimeColumns::Three);
  TimeVector f;
  const std::vector<SceneValue> x = list(3, "three formulas in t [x, y, z]");
  for (std::size_t i = 0; i < 3; ++i) {
    if (!x[i].is_text()) x[i].expected("a number or a formula in t");
    f.formulas[i].formula = placed_at(x[i], [&] { return scope_->parse_with_time(x[i].node_->text); });
    f.formulas[i].names.assign(scope_->values().begin(), scope_->values().end());
  }
  const Vec3 start = f(0);
  for (int i = 0; i < 3; ++i) {
    if (!std::isfinite(start[i])) {
      x[static_cast<std::size_t>(i)].fail(fmt::format("{} is {} at t = 0; expected a finite number", label_, start[i]));
    }
  }
  return f;
}

SceneTable SceneValue::table(std::string_view noun) const { return SceneTable(*this, noun); }

// --- tables

SceneTable::SceneTable(const SceneValue& value, std::string_view noun) : value_(value), noun_(noun) {
  if (value.is_table()) return;
  const bool empty = value.node().kind == YamlNode::Kind::Null;
  value.fail(fmt::format("{} is {}; expected a table 'key: value' that describes {}", value.label(),
                         empty ? "empty" : "no table", noun));
}

void SceneTable::allow(std::string_view noun, const std::vector<std::string>& known) const {
  for (const YamlNode* key : value_.node().keys) {
    if (std::find(known.begin(), known.end(), key->text) != known.end()) continue;
    value_.scope().document().fail(*key, fmt::format("unknown key '{}' of {}{}; the keys are {}", printable(key->text),
                                                     noun, did_you_mean(key->text, known), join(known)));
  }
}

std::vector<SceneTable::Entry> SceneTable::entries() const {
  const YamlNode& node = value_.node();
  std::vector<Entry> all;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    all.push_back({*node.keys[i], SceneValue(*node.values[i], node.keys[i]->text, value_.scope())});
  }
  return all;
}

std::optional<SceneValue> SceneTable::find(std::string_view key) const {
  const YamlNode& node = value_.node();
  for (std::size_t i = 0; i < node.keys.size(); ++i)
    if (node.keys[i]->text == key) return SceneValue(*node.values[i], node.keys[i]->text, value_.scope());
  return {};
}

SceneValue SceneTable::get(std::string_view key) const {
  const auto found = find(key);
  if (!found) value_.fail(fmt::format("'{}' is missing; {} needs it", key, noun_));
  return *found;
}

double SceneTable::number(std::string_view key, double otherwise, const Range& range) const {
  return number(key, range).value_or(otherwise);
}

std::optional<double> SceneTable::number(std::string_view key, const Range& range) const {
  const auto found = find(key);
  if (!found) return {};
  return found->number(range);
}

bool SceneTable::boolean(std::string_view key, bool otherwise) const {
  const auto found = find(key);
  return found ? found->boolean() : otherwise;
}

Vec3 SceneTable::vector(std::string_view key, const Vec3& otherwise) const {
  const auto found = find(key);
  return found ? found->vector() : otherwise;
}

std::string SceneTable::name(std::string_view key, const std::string& otherwise) const {
  const auto found = find(key);
  return found ? found->name() : otherwise;
}

void SceneTable::only_one_of(std::string_view key_a, std::string_view key_b) const {
  const auto a = find(key_a), b = find(key_b);
  if (a && b) b->fail(fmt::format("'{}' and '{}' are both given; {} has one of them", key_a, key_b, noun_));
}

}  // namespace cairn
