// SPDX-License-Identifier: Apache-2.0
// Typed reading of scene values: numbers and formulas, vectors, names, tables. Every complaint carries the value's
// position.
#pragma once
#include "cairn/base/parameters.h"
#include "cairn/io/scene_error.h"
#include "cairn/io/yaml_document.h"
#include "cairn/math/expression.h"
#include "cairn/math/types.h"

#include <functional>
#include <optional>
#include <unordered_map>

namespace cairn {

class SceneTable;
class SceneValue;

/// The names formulas may use at this point of a scene, and the formulas already parsed with them.
class SceneScope {
 public:
  static constexpr std::size_t kMaxNames = 256;     ///< constants and indices together
  static constexpr std::size_t kMaxFormula = 1000;  ///< bytes of one formula
  static constexpr int kMaxRepetitions =
      1'000'000;  ///< in the whole scene, so that a typing error cannot fill the memory

  explicit SceneScope(const YamlDocument& document) : document_(document) {}
  const YamlDocument& document() const { return document_; }

  /// A constant or an index; `key` gives the name and, for messages, its place.
  void define(const YamlNode& key, double value);
  std::size_t size() const { return names_.size(); }
  void set(std::size_t slot, double value) { values_[slot] = value; }
  /// Formulas parsed from now on may use the first n names.
  void show(std::size_t n) { visible_ = n; }
  /// Keeps the first n names; formulas parsed with the others are forgotten.
  void shrink(std::size_t n);

  /// Throw Error when the text is no formula.
  double evaluate(std::string_view text) const;
  double evaluate(const YamlNode& node);  ///< parsed once per node
  Expression parse_with_time(std::string_view text);
  std::span<const double> values() const { return values_; }

  void count_repetition(const SceneValue& where);

 private:
  const YamlDocument& document_;
  std::vector<std::string> names_;
  std::vector<double> values_;
  std::size_t visible_ = 0;
  std::unordered_map<const YamlNode*, Expression> parsed_;
  int repetitions_ = 0;
};

/// One value of the document under the name of its key.
class SceneValue {
 public:
  SceneValue(const YamlNode& node, std::string_view label, SceneScope& scope)
      : node_(&node), label_(label), scope_(&scope) {}

  const YamlNode& node() const { return *node_; }
  std::string_view label() const { return label_; }
  SceneScope& scope() const { return *scope_; }
  bool is_table() const { return node_->kind == YamlNode::Kind::Map; }
  bool is_text() const { return node_->kind == YamlNode::Kind::Scalar; }
  [[noreturn]] void fail(const std::string& what) const { scope_->document().fail(*node_, what); }

  /// A number or a formula whose value is finite and in the range.
  double number(const Range& range = any_number) const;
  /// A number within rounding (1e-9) of a whole one.
  double whole(const Range& range) const;
  bool boolean() const;
  std::string text() const;
  /// Text in which each {formula} is replaced by its value.
  std::string name() const;
  /// One of the words.
  std::string choice(const std::vector<std::string>& words) const;
  Vec3 vector() const;
  /// A vector of length 1. Numbers typed with few digits are normalised; those right to 1e-9 are kept as they are.
  Vec3 unit_vector() const;
  /// Three formulas in t (s), or a table in time: {table: [[t, x, y, z], ...]} or {file: name}.
  std::function<Vec3(double)> function_of_time() const;
  /// One formula in t, or a table: {table: [[t, x], ...]} or {file: name}.
  std::function<double(double)> scalar_function_of_time() const;
  std::vector<SceneValue> list() const;
  /// A list of exactly n values; `what` says which.
  std::vector<SceneValue> list(std::size_t n, std::string_view what) const;
  /// `noun` names the table in messages: "a body".
  SceneTable table(std::string_view noun) const;

 private:
  [[noreturn]] void expected(std::string_view what) const;
  const YamlNode* node_;
  std::string_view label_;
  SceneScope* scope_;
};

/// A map with known keys.
class SceneTable {
 public:
  SceneTable(const SceneValue& value, std::string_view noun);
  const SceneValue& value() const { return value_; }
  std::string_view noun() const { return noun_; }

  struct Entry {
    const YamlNode& key;
    SceneValue value;
  };
  /// All of it, in the order of the text.
  std::vector<Entry> entries() const;

  /// Fails at the first key that is not among these; `noun` says of what they are the keys.
  void allow(std::string_view noun, const std::vector<std::string>& keys) const;
  std::optional<SceneValue> find(std::string_view key) const;
  /// Fails when there is none.
  SceneValue get(std::string_view key) const;
  double number(std::string_view key, double otherwise, const Range& range = any_number) const;
  std::optional<double> number(std::string_view key, const Range& range) const;
  bool boolean(std::string_view key, bool otherwise) const;
  Vec3 vector(std::string_view key, const Vec3& otherwise = Vec3::Zero()) const;
  std::string name(std::string_view key, const std::string& otherwise) const;
  /// Fails at the second of two keys that exclude each other.
  void only_one_of(std::string_view key_a, std::string_view key_b) const;

 private:
  SceneValue value_;
  std::string_view noun_;
};

/// Runs `build` and gives any complaint the position of `value`.
template <class Build>
auto placed_at(const SceneValue& value, Build&& build) {
  try {
    return build();
  } catch (const SceneError&) {
    throw;
  } catch (const Error& error) {
    value.fail(error.what());
  }
}

/// Calls `make` once, or, with the key `repeat`, once per combination of its indices (the last runs fastest) for which
/// `when` is not 0.
void repeat_entry(const SceneTable& entry, const std::function<void()>& make);

}  // namespace cairn
