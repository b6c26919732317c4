// SPDX-License-Identifier: Apache-2.0
// One YAML document as a tree with positions, built from the events of yaml-cpp (YAML 1.2, yaml.org/spec/1.2.2).
//
// Its own tree rather than YAML::Node: keys keep their position and order, keys given twice are noticed, an alias
// shares the node of its anchor, and the size of a document with all aliases written out is known (and bounded) before
// it is walked.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

struct YamlNode {
  enum class Kind : std::uint8_t { Null, Scalar, Sequence, Map };
  Kind kind = Kind::Null;
  bool open = false;                         ///< still being read: an alias to it would contain itself
  int line = 1, column = 1;                  ///< from 1; the column in bytes
  std::string text = {};                     ///< of a scalar
  std::vector<const YamlNode*> keys = {};    ///< of a map, all scalars, all different
  std::vector<const YamlNode*> values = {};  ///< of a map, one per key, or the items of a sequence
  std::size_t expanded = 1;                  ///< nodes below and including this one, aliases written out
};

class YamlDocument {
 public:
  static constexpr std::size_t kMaxNodes =
      2'000'000;  ///< aliases written out; no scene by hand or by script comes near

  /// Throws SceneError unless the text is UTF-8 without control characters and one well-formed document within the
  /// bounds.
  YamlDocument(std::string_view text, std::string file);
  YamlDocument(const YamlDocument&) = delete;
  YamlDocument& operator=(const YamlDocument&) = delete;

  /// Null when the text holds nothing.
  const YamlNode& root() const { return *root_; }
  const std::string& file() const { return file_; }

  /// Throws SceneError at a position of this file (column in bytes).
  [[noreturn]] void fail(int line, int column, const std::string& what) const;
  [[noreturn]] void fail(const YamlNode& node, const std::string& what) const { fail(node.line, node.column, what); }

 private:
  friend class YamlBuilder;
  void check_characters() const;
  std::size_t line_start(int line) const;

  std::string_view text_;
  std::string file_;
  std::deque<YamlNode> nodes_;  ///< stable addresses
  const YamlNode* root_ = nullptr;
};

/// Text of a user fit for a message: at most `limit` bytes, control characters as '?'.
std::string printable(std::string_view text, std::size_t limit = 60);

}  // namespace cairn
