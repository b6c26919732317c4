// SPDX-License-Identifier: Apache-2.0
// Names in scenes: constants, indices, and the repetition of an entry over its indices.
#include "cairn/io/scene_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && letter(text[0]) && text.size() <= 40 &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || digit(c); });
}

void check_length(std::string_view formula) {
  if (formula.size() > SceneScope::kMaxFormula) {
    throw Error("a formula of {} bytes; expected at most {}", formula.size(), SceneScope::kMaxFormula);
  }
}

/// One index of a repetition: from..to, both evaluated with the indices before it.
struct Index {
  SceneValue from, to;
  bool counted;  ///< 0 .. to - 1
};

class Repetition {
 public:
  Repetition(const SceneTable& entry, const std::function<void()>& make)
      : scope_(entry.value().scope()), base_(scope_.size()), when_(entry.find("when")), make_(make) {
    const auto repeat = entry.find("repeat");
    if (!repeat) return;
    const std::vector<SceneTable::Entry> entries = repeat->table("a repetition").entries();
    if (entries.empty()) repeat->fail("repeat is empty; expected at least one index, as in {i: 10}");
    if (entries.size() > kMaxIndices) {
      repeat->fail(fmt::format("repeat has {} indices; expected at most {}", entries.size(), kMaxIndices));
    }
    for (const auto& [key, value] : entries) {
      scope_.define(key, 0);
      if (value.is_table()) {
        const SceneTable range = value.table("the range of an index");
        range.allow("the range of an index", {"from", "to"});
        indices_.push_back({range.get("from"), range.get("to"), false});
      } else {
        indices_.push_back({value, value, true});
      }
    }
  }
  ~Repetition() { scope_.shrink(base_); }
  Repetition(const Repetition&) = delete;
  Repetition& operator=(const Repetition&) = delete;

  void run(std::size_t level = 0) {
    scope_.show(base_ + level);
    if (level == indices_.size()) {
      if (!when_ || when_->number() != 0) make_();
      return;
    }
    const Index& index = indices_[level];
    const double first = index.counted ? 0 : index.from.whole({-1e9, 1e9, false});
    const double last = index.to.whole({index.counted ? 0 : -1e9, 1e9, false}) - (index.counted ? 1 : 0);
    for (double i = first; i <= last; ++i) {
      scope_.count_repetition(index.to);
      scope_.set(base_ + level, i);
      run(level + 1);
    }
  }

 private:
  static constexpr std::size_t kMaxIndices = 8;
  SceneScope& scope_;
  std::size_t base_;
  std::optional<SceneValue> when_;
  const std::function<void()>& make_;
  std::vector<Index> indices_;
};

}  // namespace

void SceneScope::define(const YamlNode& key, double value) {
  const std::string& name = key.text;
  if (!is_identifier(name)) {
    document_.fail(
        key,
        fmt::format("'{}' is no name for formulas; expected up to 40 letters, digits and _, beginning with a letter",
                    printable(name)));
  }
  if (name == "t" || name == "pi" || name == "e") {
    document_.fail(key, fmt::format("'{}' has a meaning of its own in formulas; expected another name", name));
  }
  if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
    document_.fail(key, fmt::format("'{}' is defined twice; expected a name that is not in use", name));
  }
  if (names_.size() >= kMaxNames) {
    document_.fail(key,
                   fmt::format("there are more than {} constants and indices; expected at most that many", kMaxNames));
  }
  names_.push_back(name);
  values_.push_back(value);
  visible_ = names_.size();
}

void SceneScope::shrink(std::size_t n) {
  names_.resize(n);
  values_.resize(n);
  visible_ = n;
  parsed_.clear();
}

double SceneScope::evaluate(std::string_view text) const {
  check_length(text);
  return Expression::parse(text, std::span(names_).first(visible_)).evaluate(values_);
}

double SceneScope::evaluate(const YamlNode& node) {
  auto it = parsed_.find(&node);
  if (it == parsed_.end()) {
    check_length(node.text);
    it = parsed_.emplace(&node, Expression::parse(node.text, std::span(names_).first(visible_))).first;
  }
  return it->second.evaluate(values_);
}

Expression SceneScope::parse_with_time(std::string_view text) {
  check_length(text);
  std::vector<std::string> names = names_;
  names.emplace_back("t");
  return Expression::parse(text, names);
}

void SceneScope::count_repetition(const SceneValue& where) {
  if (++repetitions_ > kMaxRepetitions) {
    where.fail(
        fmt::format("the scene has more than {} repetitions here; expected at most that many in all", kMaxRepetitions));
  }
}

void repeat_entry(const SceneTable& entry, const std::function<void()>& make) { Repetition(entry, make).run(); }

}  // namespace cairn
