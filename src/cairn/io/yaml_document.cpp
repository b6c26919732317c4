// SPDX-License-Identifier: Apache-2.0
// Building the YAML tree, with every way a text can be wrong turned into an error with its position.
#include "cairn/io/yaml_document.h"

#include "cairn/io/scene_error.h"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

namespace cairn {
namespace {

/// Length of the UTF-8 sequence at the start of `s`, 0 when it is none (Unicode 15, table 3-7).
std::size_t utf8_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < s.size() ? s[i] : '\0'); };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned char a = byte(0), b = byte(1);
  if (a < 0x80) return 1;
  if (a >= 0xc2 && a <= 0xdf) return follows(1) ? 2 : 0;
  if (a >= 0xe0 && a <= 0xef) {
    if ((a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f)) return 0;  // overlong, surrogates
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (a >= 0xf0 && a <= 0xf4) {
    if ((a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f)) return 0;  // overlong, beyond U+10FFFF
    return follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }
bool is_blank(char c) { return c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
  std::string out(text.substr(0, limit));
  if (text.size() > limit) {
    while (!out.empty() && (out.back() & 0xc0) == 0x80) out.pop_back();  // not in the middle of a character
    if (!out.empty() && (out.back() & 0x80)) out.pop_back();
    out += "...";
  }
  for (char& c : out)
    if (is_control(c)) c = '?';
  return out;
}

/// Receives the events of yaml-cpp in the order of the text and puts the nodes together.
class YamlBuilder final : public YAML::EventHandler {
 public:
  explicit YamlBuilder(YamlDocument& document) : document_(document) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (document_.root_)
      document_.fail(mark.line + 1, mark.column + 1, "a second document begins; expected one scene per file");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(make(YamlNode::Kind::Null, mark, "", anchor));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode& node = make(YamlNode::Kind::Scalar, mark, tag, anchor);
    node.text = value;
    last_quoted_ = tag == "!" ? &node : nullptr;
    add(node);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto it = anchors_.find(anchor);
    if (it == anchors_.end() || it->second->open) {
      document_.fail(mark.line + 1, mark.column + 1,
                     "this alias is part of its own anchor; expected an anchor that ends before it");
    }
    alias_line_ = mark.line + 1;
    alias_column_ = mark.column + 1;
    add(*it->second);
    alias_line_ = 0;
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(make(YamlNode::Kind::Sequence, mark, tag, anchor));
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin(make(YamlNode::Kind::Map, mark, tag, anchor));
  }
  void OnMapEnd() override { end(); }

  /// yaml-cpp 0.7 takes the end of the text for the end of a quotation, which would let a file that was cut off pass.
  /// Such a value is the last one of the text.
  void check_last_quotation() const {
    if (!last_quoted_) return;
    const std::string_view rest = document_.text_.substr(document_.line_start(last_quoted_->line))
                                      .substr(static_cast<std::size_t>(last_quoted_->column - 1));
    const std::size_t open = rest.find_first_of("\"'|>");  // past an anchor, if there is one
    if (open == std::string_view::npos || rest[open] == '|' || rest[open] == '>') return;
    for (std::size_t i = open + 1; i < rest.size(); ++i) {
      if (rest[open] == '"' && rest[i] == '\\') {
        ++i;  // an escaped character
      } else if (rest[i] == rest[open]) {
        if (rest[open] == '"' || rest.substr(i + 1, 1) != "'") return;
        ++i;  // '' stands for '
      }
    }
    document_.fail(
        *last_quoted_,
        fmt::format("not valid YAML: the quotation is not closed; expected {} before the end of the file", rest[open]));
  }

 private:
  /// A collection that is being read, with the keys it has so far.
  struct Level {
    YamlNode* node;
    std::unordered_set<std::string_view> seen = {};
  };

  YamlNode& make(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const int line = std::max(mark.line, 0) + 1, column = std::max(mark.column, 0) + 1;
    // yaml-cpp says "?" for a plain value and "!" for a quoted one.
    if (!tag.empty() && tag != "?" && tag != "!") {
      document_.fail(line, column, fmt::format("found the tag '{}'; scenes use no tags", printable(tag)));
    }
    if (document_.nodes_.size() >= YamlDocument::kMaxNodes) too_large(line, column);
    YamlNode& node = document_.nodes_.emplace_back();
    node.kind = kind;
    node.line = line;
    node.column = column;
    if (anchor != YAML::NullAnchor) anchors_[anchor] = &node;
    return node;
  }

  void begin(YamlNode& node) {
    node.open = true;
    open_.push_back({&node});
  }
  void end() {
    YamlNode& node = *open_.back().node;
    node.open = false;
    open_.pop_back();
    add(node);
  }

  /// The node is complete: it becomes a key, a value, an item or the root.
  void add(YamlNode& node) {
    if (open_.empty()) {
      document_.root_ = &node;
      return;
    }
    Level& level = open_.back();
    YamlNode& parent = *level.node;
    parent.expanded += node.expanded;
    if (parent.expanded > YamlDocument::kMaxNodes) {
      too_large(alias_line_ ? alias_line_ : node.line, alias_line_ ? alias_column_ : node.column);
    }
    if (parent.kind == YamlNode::Kind::Map && parent.keys.size() == parent.values.size()) {
      if (node.kind != YamlNode::Kind::Scalar)
        document_.fail(node, "found a key that is no word; expected 'key: value'");
      if (!level.seen.insert(node.text).second) {
        document_.fail(node, fmt::format("key '{}' is given twice; keys are unique", printable(node.text)));
      }
      parent.keys.push_back(&node);
      return;
    }
    if (parent.kind == YamlNode::Kind::Map && node.kind == YamlNode::Kind::Null) {
      // yaml-cpp places a missing value at whatever comes next; a reader looks at the key.
      node.line = parent.keys.back()->line;
      node.column = parent.keys.back()->column;
    }
    parent.values.push_back(&node);
  }

  [[noreturn]] void too_large(int line, int column) const {
    document_.fail(line, column,
                   fmt::format("the document has more than {} values here (aliases written out); expected less",
                               YamlDocument::kMaxNodes));
  }

  YamlDocument& document_;
  std::vector<Level> open_;
  std::unordered_map<YAML::anchor_t, YamlNode*> anchors_;
  const YamlNode* last_quoted_ = nullptr;  ///< the last value, if it is quoted
  int alias_line_ = 0, alias_column_ = 0;  ///< of the alias that is being added
};

YamlDocument::YamlDocument(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);  // byte order mark
  check_characters();
  YamlBuilder builder(*this);
  try {
    std::istringstream stream{std::string(text_)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
    builder.check_last_quotation();
  } catch (const YAML::DeepRecursion& error) {
    fail(error.mark.line + 1, error.mark.column + 1, "values are nested too deeply; expected a scene");
  } catch (const YAML::Exception& error) {
    fail(std::max(error.mark.line, 0) + 1, std::max(error.mark.column, 0) + 1,
         fmt::format("not valid YAML: {}; expected matching brackets, quotes and indentation",
                     printable(error.msg, 120)));
  } catch (const SceneError&) {
    throw;
  } catch (const std::exception& error) {
    fail(1, 1, fmt::format("cannot be read as YAML ({}); expected a scene", printable(error.what())));
  }
  if (!root_) root_ = &nodes_.emplace_back();
}

void YamlDocument::check_characters() const {
  int line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < text_.size();) {
    const std::size_t n = utf8_length(text_.substr(i));
    if (n == 0 || (is_control(text_[i]) && !is_blank(text_[i]))) {
      fail(line, static_cast<int>(i - line_start) + 1,
           fmt::format("found the byte 0x{:02x}; expected text in UTF-8", static_cast<unsigned char>(text_[i])));
    }
    if (text_[i] == '\n') {
      ++line;
      line_start = i + 1;
    }
    i += n;
  }
}

std::size_t YamlDocument::line_start(int line) const {
  std::size_t start = 0;
  for (int n = 1; n < line; ++n) {
    const std::size_t end = text_.find('\n', start);
    if (end == std::string_view::npos) break;
    start = end + 1;
  }
  return start;
}

void YamlDocument::fail(int line, int column, const std::string& what) const {
  // Characters instead of bytes: those that continue a character do not count.
  const std::size_t start = line_start(line);
  const std::string_view before = text_.substr(start, static_cast<std::size_t>(column - 1));
  const auto inner = std::count_if(before.begin(), before.end(), [](char c) { return (c & 0xc0) == 0x80; });
  throw SceneError(file_, line, column - static_cast<int>(inner), what);
}

}  // namespace cairn
